"""What an operator may write for the store's address, and that a slip is told and never leads elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.store.connection.address import AddressError, Certificates, read_address, read_prefix
from server.store.keys import Keys


@pytest.mark.parametrize(
    ("text", "url", "database", "shown"),
    [
        ("redis://localhost", "redis://localhost", 0, "redis://localhost/0"),
        ("redis://localhost/", "redis://localhost", 0, "redis://localhost/0"),
        ("valkey://h:1/3", "redis://h:1", 3, "valkey://h:1/3"),
        ("valkeys://h:1/3", "rediss://h:1", 3, "valkeys://h:1/3"),
        ("REDIS://:p%2Fw@h:6379/2", "redis://:p%2Fw@h:6379", 2, "redis://h:6379/2"),
        ("redis://ana:secret@[::1]:7/1?db=1", "redis://ana:secret@[::1]:7", 1, "redis://[::1]:7/1"),
        ("unix:///run/redis.sock?db=4", "unix:///run/redis.sock", 4, "unix:///run/redis.sock?db=4"),
        ("unix://:pw@/run/redis.sock", "unix://:pw@/run/redis.sock", 0, "unix:///run/redis.sock?db=0"),
    ],
)
def test_an_address_says_where_and_which_database(text: str, url: str, database: int, shown: str) -> None:
    address = read_address(text)
    assert (address.url, address.database, address.shown) == (url, database, shown)
    assert address.options == {"db": database}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("redis://:secret@h/abc", "database of the store is a number"),
        ("redis://:secret@h/1a", "database of the store is a number"),
        ("redis://:secret@h/-1", "database of the store is a number"),
        ("redis://:secret@h/\N{ARABIC-INDIC DIGIT ONE}", "database of the store is a number"),
        ("redis://:secret@h/0/1", "database of the store is a number"),
        ("redis://:secret@h?db=x", "database of the store is a number"),
        ("redis://:secret@h/1?db=2", "names two databases"),
        ("redis://:secret@h/0?timeout=3", "says more than a database"),
        ("redis://:secret@h/0?x", "says more than a database"),
        ("redis://:secret@h:abc", "its port is no number"),
        ("redis://:sec/ret@h:6379", "written as %XX"),
        ("redis://:sec#ret@h:6379", "written as %XX"),
        ("redis://h/0#secret", "%23"),
        ("redis://:secret@h:99999", "its port is no number"),
        ("redis://", "names no host"),
        ("redis:///0", "names no host"),
        ("localhost:6379", "is written as redis://"),
        ("http://:secret@h", "is written as redis://"),
        ("", "is written as redis://"),
        ("redis+sentinel://:secret@h/0", "no Sentinel and no cluster"),
        ("redis-cluster://h", "no Sentinel and no cluster"),
        ("unix://run/redis.sock", "three slashes"),
        ("unix:", "three slashes"),
    ],
)
def test_what_is_no_address_is_told_without_the_password(text: str, says: str) -> None:
    with pytest.raises(AddressError) as refused:
        read_address(text)
    assert says in str(refused.value)
    assert "sec" not in str(refused.value)


def test_certificates_are_for_tls_and_are_read_at_once(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.pem"
    with pytest.raises(AddressError, match="asked by TLS"):
        read_address("redis://h", Certificates(nothing))
    with pytest.raises(AddressError, match="cannot be used"):
        read_address("rediss://h", Certificates(nothing))
    nothing.write_text("no certificate")
    with pytest.raises(AddressError, match="cannot be used"):
        read_address("rediss://h", Certificates(nothing))
    with pytest.raises(AddressError, match="--redis-cert"):
        read_address("rediss://h", Certificates(key=nothing))


@pytest.mark.parametrize("text", ["", "a:b", "*", "a b", "a{b}", "a@1", "-a", "a" * 33, "ä"])
def test_a_prefix_cannot_be_mistaken(text: str) -> None:
    with pytest.raises(AddressError):
        read_prefix(text)


def test_no_two_installations_share_a_channel() -> None:
    installations = [Keys(prefix, database) for prefix in ("parlour", "club", "parlour.1") for database in (0, 1, 11)]
    channels = [
        channel
        for keys in installations
        for channel in (keys.lobby_changes, keys.announcements, keys.hub_channel("h"))
    ]  # fmt: skip
    assert len(set(channels)) == len(channels)
    # Hubs of a release that knew no other speak to those of this one.
    assert Keys().lobby_changes == "parlour:lobby:changes"
    assert Keys().hub_channel("h") == "parlour:hub:h"
