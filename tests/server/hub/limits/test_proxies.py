"""Addresses behind proxies, in all the forms that these write; what cannot be read counts for nobody else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.hub.limits.admission import is_own
from server.hub.limits.proxies import UNREADABLE, Proxies, address_of

PROXIES = Proxies(["10.0.0.1", "10.9.0.0/16", "2001:db8:9::/48", "127.0.0.1"])


@pytest.mark.parametrize(
    ("peer", "values", "address"),
    [
        ("10.0.0.1", [], "10.0.0.1"),
        ("6.6.6.6", ["5.5.5.5"], "6.6.6.6"),
        ("10.8.0.1", ["5.5.5.5"], "10.8.0.1"),
        ("10.0.0.1", ["5.5.5.5"], "5.5.5.5"),
        ("10.9.3.4", ["5.5.5.5"], "5.5.5.5"),
        ("::ffff:10.9.3.4", ["5.5.5.5"], "5.5.5.5"),
        ("2001:db8:9:1::7", ["5.5.5.5"], "5.5.5.5"),
        ("2001:db8:8:1::7", ["5.5.5.5"], "2001:db8:8:1::/64"),
        ("10.0.0.1", ["7.7.7.7, 5.5.5.5"], "5.5.5.5"),
        ("10.0.0.1", ["7.7.7.7", "5.5.5.5"], "5.5.5.5"),
        ("10.0.0.1", ["7.7.7.7, 5.5.5.5, 10.9.0.2"], "5.5.5.5"),
        ("10.0.0.1", ["nonsense, 5.5.5.5"], "5.5.5.5"),
        ("10.0.0.1", ["5.5.5.5:4711"], "5.5.5.5"),
        ("10.0.0.1", ["[2001:db8::1]:4711"], "2001:db8::/64"),
        ("10.0.0.1", ["[2001:db8::1]"], "2001:db8::/64"),
        ("10.0.0.1", ["2001:db8::1"], "2001:db8::/64"),
        ("10.0.0.1", ["fe80::1%eth0"], "fe80::/64"),
        ("10.0.0.1", ["::ffff:5.5.5.5"], "5.5.5.5"),
        ("10.0.0.1", ["10.9.0.3"], "10.9.0.3"),
        ("10.0.0.1", ["nonsense"], UNREADABLE),
        ("10.0.0.1", ["5.5.5.5, unknown"], UNREADABLE),
        ("10.0.0.1", ["unknown, 10.9.0.2"], UNREADABLE),
        ("127.0.0.1", ["unknown"], UNREADABLE),
        ("127.0.0.1", ["5.5.5.5, "], UNREADABLE),
        ("127.0.0.1", [""], UNREADABLE),
    ],
)
def test_x_forwarded_for(peer: str, values: list[str], address: str) -> None:
    assert PROXIES.client(peer, values) == address


@pytest.mark.parametrize(
    ("values", "address"),
    [
        (["for=5.5.5.5"], "5.5.5.5"),
        (["For=5.5.5.5;proto=https;by=203.0.113.43"], "5.5.5.5"),
        (["proto=https; for=5.5.5.5"], "5.5.5.5"),
        (['for="5.5.5.5:4711"'], "5.5.5.5"),
        (["for=5.5.5.5:_port"], "5.5.5.5"),
        (['for="[2001:db8:cafe::17]:4711"'], "2001:db8:cafe::/64"),
        (['for="\\5.5.5.5"'], "5.5.5.5"),
        (["for=7.7.7.7, for=5.5.5.5"], "5.5.5.5"),
        (["for=7.7.7.7", "for=5.5.5.5, for=10.9.1.1"], "5.5.5.5"),
        (['for="a, for=5.5.5.5";by=b, for=6.6.6.6'], "6.6.6.6"),
        (["for=unknown"], UNREADABLE),
        (["for=_hidden"], UNREADABLE),
        (["by=5.5.5.5"], UNREADABLE),
        (["for=5.5.5.5;for=6.6.6.6"], UNREADABLE),
        (['for="5.5.5.5'], UNREADABLE),
        (["for=5.5.5.5,"], UNREADABLE),
        (["5.5.5.5"], UNREADABLE),
        ([""], UNREADABLE),
    ],
)
def test_forwarded(values: list[str], address: str) -> None:
    """RFC 7239."""
    assert PROXIES.client("127.0.0.1", [], values) == address
    assert PROXIES.client("8.8.8.8", [], values) == "8.8.8.8"


def test_a_header_that_the_proxy_only_passes_on_is_not_believed() -> None:
    """A proxy that writes one of the two leaves the other as the client has made it up."""
    assert PROXIES.client("10.0.0.1", ["5.5.5.5"], ["for=5.5.5.5"]) == "5.5.5.5"
    assert PROXIES.client("10.0.0.1", ["5.5.5.5"], ["for=7.7.7.7"]) == UNREADABLE
    assert PROXIES.client("10.0.0.1", ["unknown"], ["for=7.7.7.7"]) == UNREADABLE


WRITTEN = st.text('0159.:[]";=,\\_ aeforunkw\u0661', max_size=30)


@given(st.lists(WRITTEN, min_size=1, max_size=3), st.booleans())
def test_whatever_a_proxy_writes_it_is_an_address_or_counts_as_unreadable(values: list[str], standard: bool) -> None:
    found = PROXIES.client("127.0.0.1", [], values) if standard else PROXIES.client("127.0.0.1", values)
    last = (values[-1].split(",")[-1]).strip()
    if found != UNREADABLE:
        assert address_of(found.partition("/")[0]) is not None
    if address_of(last) is None and not standard:
        assert found == UNREADABLE
    assert not is_own(UNREADABLE)


@pytest.mark.parametrize("text", ["proxy.example", "10.0.0.0/33", "", "10.0.0.1:80"])
def test_what_is_no_proxy(text: str) -> None:
    with pytest.raises(ValueError, match="does not appear to be"):
        Proxies([text])
