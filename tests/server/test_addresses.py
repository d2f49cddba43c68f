"""What a hub tells people to open."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

import pytest

from server.addresses import to_open


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "http://127.0.0.1:7878/"), ("games.example", "http://games.example:7878/"),
     ("::1", "http://[::1]:7878/")],
)  # fmt: skip
def test_a_host_is_its_own_address(host: str, address: str) -> None:
    assert to_open(host, 7878) == [address]


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_everywhere_is_no_address(host: str) -> None:
    """Nobody can open 0.0.0.0: this machine comes first, then its network, where there is one."""
    first, *others = to_open(host, 7878)
    assert first == "http://127.0.0.1:7878/"
    for other in others:
        found = ipaddress.ip_address(urlsplit(other).hostname or "")
        assert not found.is_unspecified
        assert not found.is_loopback
