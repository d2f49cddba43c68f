"""Which pages may open a socket (I1): our own at every address of a hub, and no other, whatever it calls itself."""

from __future__ import annotations

import socket

import pytest

from server.hub.connections.origins import is_of_this_machine, may_connect

NAMED = frozenset({"https://play.example"})
LAN = "192.168.0.9"
"""A guest in the same network."""


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://192.168.0.7:7878", "192.168.0.7:7878"),
        ("http://my-mac.local:7878", "my-mac.local:7878"),
        ("http://classroom:7878", "classroom:7878"),
        ("http://play.example", "play.example"),
        ("http://[fe80::1]:7878", "[fe80::1]:7878"),
        ("http://play.example", "PLAY.example"),
        ("https://play.example", "10.0.0.3:7878"),
    ],
)
def test_our_own_page_at_any_address_of_a_hub(origin: str, host: str) -> None:
    assert may_connect([origin], [host], NAMED, peer=LAN)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://evil.example", "192.168.0.7:7878"),
        ("http://192.168.0.7", "192.168.0.7:7878"),
        ("http://192.168.0.7:7879", "192.168.0.7:7878"),
        ("https://192.168.0.7:7878", "192.168.0.7:7878"),
        ("ws://192.168.0.7:7878", "192.168.0.7:7878"),
        ("http://192.168.0.7:7878/", "192.168.0.7:7878"),
        ("http://192.168.0.7:7878.evil.example", "192.168.0.7:7878"),
        ("null", "192.168.0.7:7878"),
        ("http://", ""),
        ("http://a b", "a b"),
        ("", "192.168.0.7:7878"),
        ("https://play.example:443", "10.0.0.3:7878"),
    ],
)
def test_a_page_from_elsewhere(origin: str, host: str) -> None:
    assert not may_connect([origin], [host], NAMED, peer=LAN)


def test_a_program_says_no_origin() -> None:
    assert may_connect([], ["192.168.0.7:7878"], NAMED, peer=LAN)


@pytest.mark.parametrize("hosts", [[], ["a:1", "a:1"]])
def test_who_does_not_say_one_host(hosts: list[str]) -> None:
    assert not may_connect(["http://a:1"], hosts, NAMED, peer=LAN)


def test_two_origins_are_none() -> None:
    assert not may_connect(["http://a:1", "http://a:1"], ["a:1"], NAMED, peer=LAN)


def test_from_the_internet_a_hub_is_reached_under_any_name() -> None:
    assert may_connect(["http://games.example"], ["games.example"], NAMED, peer="93.184.215.14")
    assert not may_connect(["http://evil.example"], ["games.example"], NAMED, peer="93.184.215.14")


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "127.0.0.53", "", LAN, "fe80::7%eth0", "10.1.2.3"])
def test_a_foreign_name_that_was_made_to_lead_here(peer: str) -> None:
    """Q15, DNS rebinding: a browser on this machine, or next to it, was sent to it under a stranger's name."""
    assert not may_connect(["http://evil.example:7878"], ["evil.example:7878"], NAMED, peer=peer)
    assert may_connect(["http://127.0.0.1:7878"], ["127.0.0.1:7878"], NAMED, peer=peer)
    assert may_connect(["http://localhost:7878"], ["localhost:7878"], NAMED, peer=peer)


def test_a_proxy_on_this_machine() -> None:
    """What a proxy passes on has come from elsewhere; no page can make its browser say so."""
    for origin in ("https://games.example", "http://games.example"):
        assert may_connect([origin], ["games.example"], NAMED, peer="127.0.0.1", forwarded=True)
    assert not may_connect(["https://evil.example"], ["games.example"], NAMED, peer="127.0.0.1", forwarded=True)


@pytest.mark.parametrize(
    ("host", "own"),
    [("127.0.0.1", True), ("[::1]:7878", True), ("localhost:1", True), ("my-mac.local", True), ("pc", True),
     ("evil.example", False), ("127.0.0.1.evil.example", False), ("local.evil.example:80", False), ("", False)],
)  # fmt: skip
def test_names_that_only_this_machine_can_mean(host: str, own: bool) -> None:
    assert is_of_this_machine(host) is own


def test_the_machines_own_name() -> None:
    assert is_of_this_machine(f"{socket.gethostname()}:7878")
