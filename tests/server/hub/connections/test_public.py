"""The hub's public address: by the operator's word, a trusted proxy's, and nobody else's."""

from __future__ import annotations

import pytest
from starlette.datastructures import Headers

from server.hub.connections.public import PublicAddress, asked_for, read_public
from server.hub.limits.proxies import Proxies

PROXIES = Proxies(["10.0.0.1", "10.9.0.0/16", "unix"])
ASKED = PublicAddress("http", "hub:7878")


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://games.example", "https://games.example/"),
        ("https://games.example/", "https://games.example/"),
        ("HTTPS://Games.Example:443/parlour", "https://games.example/parlour/"),
        ("http://10.0.0.5:8080/a/b-c/", "http://10.0.0.5:8080/a/b-c/"),
        ("https://spiele-münchen.example/", "https://xn--spiele-mnchen-3ob.example/"),
        ("https://[2001:db8::1]/x", "https://[2001:db8::1]/x/"),
    ],
)
def test_what_the_operator_may_say(text: str, url: str) -> None:
    found = read_public(text)
    assert found is not None
    assert found.url == url
    assert found.url == f"{found.origin}{found.path}/"


@pytest.mark.parametrize(
    "text",
    ["games.example", "ftp://games.example/", "https://", "https://a/?x", "https://a/#x", "https://a//b",
     "https://a/b c", "https://a:99999/", "https://a/" + "x" * 2000, ""],
)  # fmt: skip
def test_what_is_no_address(text: str) -> None:
    assert read_public(text) is None


@pytest.mark.parametrize(
    ("headers", "asked"),
    [
        ({}, ASKED),
        ({"x-forwarded-proto": "https"}, PublicAddress("https", "hub:7878")),
        ({"x-forwarded-host": "games.example"}, PublicAddress("http", "games.example")),
        ({"x-forwarded-prefix": "/parlour"}, PublicAddress("http", "hub:7878", "/parlour")),
        ({"x-forwarded-prefix": "/parlour/"}, PublicAddress("http", "hub:7878", "/parlour")),
        ({"x-forwarded-prefix": "/"}, ASKED),
        ({"forwarded": 'for=1.2.3.4;host="a.example:8443";proto=https'}, PublicAddress("https", "a.example:8443")),
        ({"forwarded": "for=1.2.3.4;host=a.example;proto=https, for=10.9.1.1;host=b;proto=http"},
         PublicAddress("https", "a.example")),
        ({"forwarded": "for=1.2.3.4;host=evil, for=5.6.7.8;host=a.example"}, PublicAddress("http", "a.example")),
        ({"forwarded": "for=1.2.3.4;host=a.example;host=b.example"}, ASKED),
        ({"forwarded": "for=1.2.3.4;proto=https", "x-forwarded-proto": "https"}, PublicAddress("https", "hub:7878")),
        ({"forwarded": "for=1.2.3.4;proto=https", "x-forwarded-proto": "http"}, ASKED),
        ({"x-forwarded-proto": "javascript"}, ASKED),
        ({"x-forwarded-host": "a.example, b.example"}, ASKED),
        ({"x-forwarded-host": "a.example/evil"}, ASKED),
        ({"x-forwarded-host": "a\" onload=\"x"}, ASKED),
        ({"x-forwarded-prefix": "//evil.example"}, ASKED),
        ({"x-forwarded-prefix": "https://evil.example"}, ASKED),
        ({"x-forwarded-prefix": "/a b"}, ASKED),
        ({"x-forwarded-prefix": "/" + "x" * 3000}, ASKED),
    ],
)  # fmt: skip
@pytest.mark.parametrize("peer", ["10.0.0.1", "10.9.7.7", "", "10.8.0.1", "127.0.0.1", "unreadable"])
def test_what_a_proxy_may_say(peer: str, headers: dict[str, str], asked: PublicAddress) -> None:
    """Whatever it says: from others it is nothing."""
    found = asked_for(PROXIES, peer, Headers({"host": "hub:7878", **headers}).getlist)
    assert found == (asked if peer in PROXIES else ASKED)


def test_what_is_said_twice_and_differently() -> None:
    twice = Headers(raw=[(b"host", b"hub:7878"), (b"x-forwarded-host", b"a"), (b"x-forwarded-host", b"b")])
    assert asked_for(PROXIES, "10.0.0.1", twice.getlist) == ASKED


def test_unix_is_trusted_when_it_is_named_and_not_else() -> None:
    assert "" in Proxies(["unix"])
    assert "" not in Proxies(["127.0.0.1", "0.0.0.0/0"])
    assert Proxies(["unix"]) != Proxies()
