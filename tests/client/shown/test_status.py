"""How a match stands, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from client.shown.model import Model
from client.shown.state import Link
from client.shown.story import happening, score_name
from client.shown.words.status import (
    away_line,
    is_gone,
    is_missed,
    offer_line,
    presence_text,
    quitting_costs,
    score_text,
    tells_more,
)
from protocol.messages import AwayInfo, ClockRule, OfferInfo, Presence, Where
from tests.client.positions import DOTS_INFO, snapshot


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("Player 1's turn", False),
        ("Player 1 to move", False),
        ("Player 2's turn", True),
        ("Player 1's turn, in any open micro game", True),
        ("The match is over.", True),
    ],
)
def test_whose_turn_it_is_is_not_said_twice(text: str, more: bool) -> None:
    """CK 5.4: a headline names the side to move; the server's sentence stands beside it if it says more than that."""
    assert tells_more(snapshot(text=text, to_move=0)) is more


@pytest.mark.parametrize(
    ("status", "here", "link", "seat", "tells"),
    [
        ("ended", True, Link.UP, 0, False),
        ("ended", False, Link.UP, 0, True),
        ("ended", False, Link.DOWN, 0, False),
        ("playing", False, Link.UP, 0, False),
        ("ended", False, Link.UP, 1, False),
    ],
)
def test_who_asks_for_a_rematch_is_told_that_the_other_one_does_not_see_it(
    status: str, here: bool, link: Link, seat: int, tells: bool
) -> None:
    """RU-M7: after the end one has gone to something else; while the own connection is cut nobody knows."""
    first, second = snapshot().seats
    match = snapshot(
        status=status, seats=(first, structs.replace(second, here=here)), offer=OfferInfo("rematch", seat, 3),
        can=(("withdraw",) if seat == 0 else ("answer",), ()),
    )  # fmt: skip
    told = offer_line(Model(link=link, match=match))
    assert told.endswith("Ben is not at this match now, and sees it on coming back.") is tells
    assert told.startswith("Ben asks for a rematch." if seat else "You ask for a rematch.")


@pytest.mark.parametrize(("count", "name"), [(0, "boxes"), (1, "box"), (2, "boxes"), (21, "boxes")])
def test_one_of_something_has_a_word_of_its_own(count: int, name: str) -> None:
    """CK 5.4: "1 box"; where a game names no single one, as of a hub from before, the usual word stands."""
    assert score_name(DOTS_INFO, 0, count) == name
    assert score_name(structs.replace(DOTS_INFO, score_names_one=()), 0, count) == "boxes"
    assert score_name(DOTS_INFO, 1, count) == score_name(None, 0, count) == ""
    model = Model(games={DOTS_INFO.name: DOTS_INFO}, match=snapshot(scores=((count,), (0,))))
    assert score_text(model, 0) == f"{count} {name}"


@pytest.mark.parametrize(
    ("where", "here", "since_ms", "until_ms", "said"),
    [
        ("board", True, None, None, "here"),
        ("", True, None, None, "here"),
        ("lobby", True, None, None, "in the lobby"),
        ("http", True, None, None, "reads by HTTP"),
        ("quit", False, 40_000, None, "has quit for 1 min"),
        ("lost", False, 88_000, None, "connection lost for 12 s"),
        ("lost", False, None, None, "connection lost"),
        ("", False, None, None, "away"),
        ("quit", False, 40_000, 124_000, "has quit 0:24"),
        ("lost", False, 40_000, 124_000, "connection lost 0:24"),
        ("", False, None, 124_000, "away 0:24"),
    ],
)
def test_where_the_other_one_is_is_said_as_it_is(
    where: Where, here: bool, since_ms: int | None, until_ms: int | None, said: str
) -> None:
    """RU-M5: how long one who is gone is waited for."""
    match = snapshot(you=(0,), away=() if until_ms is None else (AwayInfo(1, until_ms),))
    guest = structs.replace(match.seats[1], name="Ben", here=here, where=where, since_ms=since_ms)
    model = Model(match=structs.replace(match, seats=(match.seats[0], guest)), server_minus_now_ms=0.0)
    assert presence_text(model, 1, 100.0) == said
    assert is_gone(model, 1) is not here
    cut_off = presence_text(replace(model, link=Link.DOWN), 1, 100.0)
    assert cut_off == (said if until_ms is not None else "was here" if here else "was away")


@pytest.mark.parametrize(
    ("was", "now", "line"),
    [
        (("board", True), ("lobby", True), None),
        (("lobby", True), ("board", True), None),
        (("board", True), ("quit", False), "Ben has quit."),
        (("board", True), ("lost", False), "Ben lost the connection."),
        (("board", True), ("", False), "Ben lost the connection."),
        (("lost", False), ("lobby", True), "Ben is back."),
    ],
)
def test_a_look_at_the_lobby_is_no_lost_connection(was: tuple[Where, bool], now: tuple[Where, bool], line: str) -> None:
    """Issue 14, 18."""
    match = snapshot(you=(0,))
    guest = structs.replace(match.seats[1], name="Ben", where=was[0], here=was[1])
    before = structs.replace(match, seats=(match.seats[0], guest))
    after = structs.replace(match, seats=(match.seats[0], structs.replace(guest, where=now[0], here=now[1])))
    event = Presence(match=match.match, here=(True, now[1]), spectators=0, where=("board", now[0]))
    told = happening(before, after, event, DOTS_INFO)
    assert (None if told is None else told.text) == line


def test_after_the_end_nobody_is_said_to_be_missed() -> None:
    """Issue 14, 11 and 18: who went on to something else has left; no hub says how, and nobody waits."""
    match = snapshot(you=(0,), status="ended")
    guest = structs.replace(match.seats[1], name="Ben", here=False)
    model = Model(match=structs.replace(match, seats=(match.seats[0], guest)), server_minus_now_ms=0.0)
    assert presence_text(model, 1, 100.0) == "has left"
    before = structs.replace(match, seats=(match.seats[0], structs.replace(guest, here=True, where="board")))
    assert model.match is not None
    told = happening(before, model.match, Presence(match=match.match, here=(True, False), spectators=0), DOTS_INFO)
    assert told is not None
    assert told.text == "Ben has left."
    assert is_gone(model, 1)
    assert not is_missed(model, 1)


def test_a_host_who_looks_at_something_else_is_away() -> None:
    """Issue 14, 11: while a match waits no hub says how somebody has gone; nobody has left or lost anything."""
    match = snapshot(you=(), status="waiting")
    host = structs.replace(match.seats[0], name="Ada", here=False)
    waiting = structs.replace(match, seats=(host, match.seats[1]))
    assert presence_text(Model(match=waiting, server_minus_now_ms=0.0), 0, 100.0) == "away"
    before = structs.replace(waiting, seats=(structs.replace(host, here=True, where="board"), match.seats[1]))
    told = happening(before, waiting, Presence(match=match.match, here=(False, False), spectators=0), DOTS_INFO)
    assert told is not None
    assert told.text == "Ada is away."


def test_how_long_is_waited_is_said_as_such() -> None:
    """Issue 14, 11: a bare time would not say of what it is."""
    match = snapshot(you=(0,), away=(AwayInfo(1, 124_000),), can=(("wait_longer",), ()))
    guest = structs.replace(match.seats[1], name="Ben", here=False, where="lost")
    model = Model(match=structs.replace(match, seats=(match.seats[0], guest)), server_minus_now_ms=0.0)
    assert away_line(model, 100.0) == "Ben lost the connection. Waited for 0:24 more."
    assert away_line(model, 100.0, short=True) == "Waited for 0:24 more: Ben lost the connection"


def test_what_quitting_costs_names_the_clock_that_goes_on() -> None:
    """Issue 14, 11."""
    model = Model(match=snapshot(you=(0,), to_move=0, plies=4, clock=(60_000, 60_000), grace_s=30))
    costs = quitting_costs(model)
    assert "you can come back" in costs
    assert "Your clock goes on." in costs
    assert "Staying away for 30 s can lose the match." in costs
    computer = structs.replace(model.match, level="hard") if model.match is not None else None
    assert "away" not in quitting_costs(Model(match=computer)), "against it nothing is lost so"
    theirs = structs.replace(model.match, to_move=1, clock_rule=ClockRule()) if model.match is not None else None
    assert "clock" not in quitting_costs(Model(match=theirs))
