"""What a person may type for a server."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from client.conversation.address import BadAddress, parse_address
from client.conversation.cleaning import plain
from client.kept.links import parse_link
from tests.client.addresses import BAD, GOOD


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


@pytest.mark.parametrize(("typed", "url"), GOOD.items(), ids=ascii)
def test_what_is_meant(typed: str, url: str) -> None:
    """Q21: names as DNS knows them, addresses in any way of writing them; written out again they are the same."""
    found = parse_address(typed)
    assert found.url == url
    assert found.url.isascii()
    assert parse_address(found.url).host == found.host


@pytest.mark.parametrize("typed", BAD, ids=ascii)
def test_what_is_none_is_said_to_be(typed: str) -> None:
    """Q21: in one sentence, in which nothing is that a terminal would obey."""
    for text in (typed, f"{typed}#key=ABCD"):
        with pytest.raises(BadAddress) as caught:
            parse_link(text) if "#key" in text else parse_address(text)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 200


@example("\U0001f252")
@given(st.text(max_size=80) | st.text(alphabet="[]:/.@%#?a1-", max_size=30))
def test_whatever_is_typed(typed: str) -> None:
    """Q21."""
    try:
        found = parse_address(typed)
    except BadAddress as error:
        found, reason = None, str(error)
    else:
        reason = ""
    # An emoji that is newer than this Python is not printable to it, and harmless all the same.
    assert reason == plain(reason)
    if found is not None:
        assert found.url.isascii()
        assert found.label.isprintable()
        assert 0 < found.port < 65_536
        assert parse_address(found.url) == found


def test_loopback_in_any_letters() -> None:
    """Q21: so that no proxy is asked, and no link given away that leads nobody here."""
    assert parse_address("127。0。0。1").is_loopback
    assert parse_address("[0:0:0:0:0:0:0:1]").is_loopback


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
