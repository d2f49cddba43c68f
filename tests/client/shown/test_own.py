"""One's own matches as rows: how each stands, and what can be done to it there. Pure."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from client.conversation.events import InStep, Settled
from client.shown.actions.questions import dropping
from client.shown.model import Link, Mine, Model, update
from client.shown.words.held import update_at
from client.shown.words.lobby import Row, Way, rows
from protocol.messages import (
    Accepted,
    ClockRule,
    Forget,
    LobbyState,
    MatchSummary,
    Outage,
    OwnMatches,
    Result,
    SeatInfo,
)
from tests.client.positions import DARK_BLUE, DOTS_INFO, LIGHT_BLUE, own

NOW_MS = 1_000_000_000
ROW = own("a", clock=(61_000, 9_000), clock_rule=ClockRule(total_ms=300_000))
EMPTY = (SeatInfo(style=DARK_BLUE, name="Ada"), SeatInfo(style=LIGHT_BLUE))
GONE = (SeatInfo(style=DARK_BLUE, name="Ada"), SeatInfo(style=LIGHT_BLUE, name="Ben", here=False))


def over(winner: int | None, reason: str = "points") -> dict[str, Any]:
    result = Result(winner=winner, reason=reason, text="Over.")
    return {"status": "ended", "to_move": None, "ended_ms": NOW_MS - 7_200_000, "result": result}


def shown(*told: Any, now_ms: float = NOW_MS) -> tuple[Row, ...]:
    model = Model(link=Link.UP, games={DOTS_INFO.name: DOTS_INFO})
    return rows(update(model, OwnMatches(ref="r", now_ms=NOW_MS, matches=told)), now_ms)


@pytest.mark.parametrize(
    ("changes", "players", "status", "act"),
    [
        ({}, "Ben  3 : 2", "your turn", "give_up"),
        ({"to_move": 1}, "Ben  3 : 2", "their turn", "give_up"),
        ({"you": (1,)}, "Ada  2 : 3", "their turn", "give_up"),
        ({"clock": (65_000, 9_000)}, "Ben  3 : 2", "your turn 01:05", "give_up"),
        ({"to_move": 1, "seats": GONE}, "Ben  3 : 2", "opponent away", "give_up"),
        ({"paused": True}, "Ben  3 : 2", "paused", "give_up"),
        ({"you": (0, 1)}, "Ada and Ben  3 : 2", "being played", "give_up"),
        ({"status": "waiting", "to_move": None, "plies": 0, "seats": EMPTY}, "nobody yet", "waiting", "cancel"),
        (over(0), "Ben  3 : 2", "you won", "forget"),
        (over(1, "time"), "Ben  3 : 2", "you lost", "forget"),
        (over(None, "agreed"), "Ben  3 : 2", "draw", "forget"),
        (over(None, "stopped"), "Ben  3 : 2", "nobody won", "forget"),
        ({"you": (0, 1), **over(1)}, "Ada and Ben  3 : 2", "Ben won", "forget"),
    ],
)
def test_each_says_against_whom_how_it_stands_and_what_can_be_done(
    changes: dict[str, Any], players: str, status: str, act: str
) -> None:
    (row,) = shown(own("a", **changes))
    stands = f"{row.players}  {row.score}".rstrip()
    assert (stands, row.status, row.act, row.way) == (players, status, act, Way.RESUME)
    assert (dropping(row) is not None) == (act == "give_up"), "asked only where it costs something"


def test_what_was_counted_down_in_a_row_is_not_back() -> None:
    """D5: rows are told anew every few seconds. What was excused is in their clocks, which stand so long."""
    now = NOW_MS / 1000
    model = update_at(update(Model(), InStep(0.0)), OwnMatches(ref="r", now_ms=NOW_MS, matches=(ROW,)), now)

    def status(then: float) -> str:
        (row,) = rows(model, model.server_now_ms(then))
        return row.status

    assert status(now + 20.2) == "your turn 00:40"
    model = update_at(model, Outage(on=True, since_ms=NOW_MS + 18_900, text="Away."), now + 20.2)
    assert status(now + 90) == "your turn 00:40"
    model = update_at(model, Outage(on=False, since_ms=NOW_MS + 18_900), now + 90)
    again = structs.replace(ROW, clock=(45_100, 9_000), clock_from_ms=NOW_MS + 93_000)
    model = update_at(model, OwnMatches(ref="s", now_ms=NOW_MS + 90_000, matches=(again,)), now + 90)
    assert [status(now + then) for then in (90, 93, 94.2, 95.2)] == ["your turn 00:40"] * 3 + ["your turn 00:39"]
    begun_anew = structs.replace(ROW, clock=(300_000, 300_000))
    model = update_at(model, OwnMatches(ref="t", now_ms=NOW_MS + 96_000, matches=(begun_anew,)), now + 96)
    assert status(now + 96) == "your turn 05:00"


def test_the_clock_of_who_is_to_move_goes_on_in_the_row_and_never_below_nothing() -> None:
    match = own("a", clock=(65_000, 9_000), clock_rule=ClockRule(total_ms=300_000, increment_ms=3_000))
    (row,) = shown(match, now_ms=NOW_MS + 5_000)
    assert (row.clock, row.status) == ("5+3", "your turn 01:00")
    (row,) = shown(match, now_ms=NOW_MS + 90_000)
    assert row.status == "your turn 0.1"


def test_those_that_go_on_come_first_and_those_that_are_over_last() -> None:
    told = (own("a", private=True, created_ms=NOW_MS - 60_000), own("b", **over(0)))
    summaries = [
        MatchSummary(match=name, game="dots-and-boxes", options={}, status="playing", names=("Cy", "Di"), created_ms=at)
        for name, at in (("a", 1), ("b", 2), ("c", 3))
    ]
    model = update(Model(link=Link.UP), LobbyState(matches=tuple(summaries), total=3))
    model = update(model, OwnMatches(ref="r", now_ms=NOW_MS, matches=told))
    assert [row.match for row in rows(model, NOW_MS)] == ["a", "c", "b"]
    first, *_, last = rows(model, NOW_MS)
    assert (first.options, first.since) == ("private", "1 min")
    assert (last.is_over, last.since) == (True, "2 h")


def test_what_the_server_tells_of_replaces_what_was_thought_to_go_on() -> None:
    model = Model(mine=(Mine("old"), Mine("a")))
    model = update(model, OwnMatches(ref="r", now_ms=NOW_MS, matches=(own("a"), own("b", **over(1)))))
    assert [one.match for one in model.mine] == ["a"]
    assert model.mine[0].names == ("Ada", "Ben")


def test_one_that_is_removed_is_gone_at_once() -> None:
    model = update(Model(), OwnMatches(ref="r", now_ms=NOW_MS, matches=(own("b", **over(1)),)))
    model = update(model, Settled(Forget(ref="f", match="b"), Accepted(ref="f", match="b")))
    assert rows(model, NOW_MS) == ()
