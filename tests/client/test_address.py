"""What a person may type for a server."""

from __future__ import annotations

import pytest

from client.address import BadAddress, parse_address


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("127.0.0.1", "ws://127.0.0.1:7878/ws"),
        ("games.example", "ws://games.example:7878/ws"),
        (" games.example:99 ", "ws://games.example:99/ws"),
        ("::1", "ws://[::1]:7878/ws"),
        ("[::1]:99", "ws://[::1]:99/ws"),
        ("ws://games.example", "ws://games.example:80/ws"),
        ("wss://games.example", "wss://games.example:443/ws"),
        ("http://games.example:8080/", "ws://games.example:8080/ws"),
        ("https://games.example/parlour", "wss://games.example:443/parlour/ws"),
        ("https://games.example/ws", "wss://games.example:443/ws"),
    ],
)
def test_addresses(typed: str, url: str) -> None:
    assert parse_address(typed).url == url


@pytest.mark.parametrize(
    "typed", ["", "  ", "host:port", "host:99999", "ftp://host", "a b", "ws://", "ws://u@h", "h?x"]
)
def test_what_is_no_address(typed: str) -> None:
    with pytest.raises(BadAddress) as caught:
        parse_address(typed)
    assert str(caught.value).endswith(".")


def test_labels_and_loopback() -> None:
    assert parse_address("127.0.0.1").is_loopback
    assert parse_address("localhost").label == "localhost:7878"
    assert parse_address("https://games.example").label == "wss://games.example:443"
    assert not parse_address("games.example").is_loopback


@pytest.mark.parametrize(
    ("typed", "page"),
    [("localhost", "http://localhost:7878/"), ("wss://games.example/parlour", "https://games.example:443/parlour/"),
     ("[::1]:9", "http://[::1]:9/")],
)  # fmt: skip
def test_every_server_has_a_page(typed: str, page: str) -> None:
    """CK R11.1: what to open in a browser to come to the same hub."""
    assert parse_address(typed).page == page
