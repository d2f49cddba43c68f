"""Links to a match: given by the host, opened by whoever gets them, and unknown to every server on the way (I2)."""

from __future__ import annotations

import pytest

from client.conversation.address import BadAddress, parse_address
from client.kept.links import Link, key_in, link_to, parse_link
from tests.client.positions import snapshot

SERVER = parse_address("192.0.2.7:7878")
KEY = "ABCD-EFGH-JKLM"


@pytest.mark.parametrize(
    ("typed", "link"),
    [
        (f"http://192.0.2.7:7878/#key={KEY}", Link(SERVER, key=KEY)),
        ("http://192.0.2.7:7878/#join=hYk3Qm5v_-A", Link(SERVER, join="hYk3Qm5v_-A")),
        (" 192.0.2.7#watch=m1 ", Link(SERVER, watch="m1")),
        ("https://play.example/board/#watch=m1", Link(parse_address("wss://play.example/board/ws"), watch="m1")),
    ],
)
def test_a_link_says_where_and_what(typed: str, link: Link) -> None:
    assert parse_link(typed) == link


@pytest.mark.parametrize(
    "typed",
    [
        "", "#", "http://192.0.2.7:7878/", "http://192.0.2.7/#", "http://192.0.2.7/#key=", "http://h/#eat=me",
        "http://h/#key=a&join=b", f"ftp://h/#key={KEY}", "http://h/#key=" + "A" * 200, "#key=x",
        "http://h/?key=x", "http://h/#key=\u0430",
    ],
)  # fmt: skip
def test_what_is_no_link_is_refused(typed: str) -> None:
    with pytest.raises(BadAddress):
        parse_link(typed)


def test_where_a_key_is_asked_for_its_link_will_do() -> None:
    """CK 5.2."""
    assert key_in(f" {KEY} ") == KEY
    assert key_in(f"http://192.0.2.7:7878/#key={KEY}") == KEY


AROUND = [
    "{}",
    "<{}>",
    "Join me: {}",
    "{}.",
    "({}), tonight!",
    "\u201c{}\u201d",
    "Play?\n{}\nSee you",
    "{} ?",
    "  {}\r\n",
]


@pytest.mark.parametrize("said", AROUND)
@pytest.mark.parametrize("dash", ["-", "\u2013", "\u2014", "\u2011"])
def test_an_invitation_is_found_in_what_is_said_around_it(said: str, dash: str) -> None:
    """Issue 14, 18: as chat programs, mail and people write it."""
    key = KEY.replace("-", dash)
    assert key_in(said.format(key)) == KEY
    assert key_in(said.format(f"http://192.0.2.7:7878/#key={key}")) == KEY
    assert parse_link(said.format(f"http://192.0.2.7:7878/#key={key}")) == Link(SERVER, key=KEY)
    assert parse_link(said.format("http://192.0.2.7:7878/#watch=hYk3Qm5vTzA")) == Link(SERVER, watch="hYk3Qm5vTzA")


def test_what_holds_no_key_is_left_as_it_was_typed() -> None:
    for typed in ("", "m7", "ABCD-EFGH", "ABCD-EFGH-JKLM-NPQR", "not a key at all"):
        assert key_in(f" {typed} ") == typed


def test_the_link_to_give_to_others_leads_back() -> None:
    """Issue 5: private games by a link; watched from a link."""
    waiting = snapshot(status="waiting", match="m1", key=KEY, private=True)
    assert parse_link(link_to(SERVER, waiting)) == Link(SERVER, key=KEY)
    assert parse_link(link_to(SERVER, snapshot(status="waiting", match="m1"))) == Link(SERVER, join="m1")
    assert parse_link(link_to(SERVER, snapshot(match="m1"))) == Link(SERVER, watch="m1")
    safe = parse_address("wss://play.example/board")
    assert link_to(safe, waiting) == f"https://play.example:443/board/#key={KEY}"
    assert parse_link(link_to(safe, waiting)).address == safe


def test_a_link_that_leads_nobody_here_is_not_given() -> None:
    """F5: nor to a private match that has begun."""
    assert link_to(parse_address("127.0.0.1"), snapshot()) == ""
    assert link_to(SERVER, snapshot(private=True)) == ""
