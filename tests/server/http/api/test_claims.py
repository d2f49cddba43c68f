"""The lists of CK R7.1 against what the rules bring, without a hub (RU-CK7, L5)."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.errors import Refusal
from server.http.api.claims import DIFFERS, LISTS, check
from server.match.commands import Pause
from server.match.state import Match
from tests.server.match.table import GUEST, HOST, STRANGER, do, play, started

Claims = dict[str, tuple[str, ...] | None]
TO_A_CROWN = ("11-15", "22-18", "15x22", "26x17", "9-13", "31-26")
"""Then 13x22x31 captures twice and is crowned."""


def line(*moves: str) -> Match:
    """A match of checkers after these moves."""
    match = started("checkers")
    for move in moves:
        match = play(match, move=move)
    return match


def claim(match: Match, move: str, player: str = HOST, version: int | None = None, **claims: Any) -> None:
    given: Claims = {name: claims.get(name) for name in LISTS}
    check(match, player, match.version if version is None else version, move, given)


def refused(match: Match, move: str, player: str = HOST, **claims: Any) -> str:
    with pytest.raises(Refusal) as error:
        claim(match, move, player, **claims)
    assert error.value.code == DIFFERS
    return str(error.value.data["list"])


def test_a_step() -> None:
    match = line()
    claim(match, "11-15", moved=("11", "15"), captured=(), crowned=())
    claim(match, "11x15", moved=("15", "11"))
    assert refused(match, "11-15", moved=("11",)) == "moved"
    assert refused(match, "11-15", moved=("11", "15"), captured=("15",)) == "captured"
    assert refused(match, "11-15", crowned=("15",)) == "crowned"


def test_a_jump() -> None:
    match = line("11-15", "22-18")
    claim(match, "15x22", moved=("15", "22"), captured=("18",), crowned=())
    assert refused(match, "15x22", captured=()) == "captured"
    assert refused(match, "15x22", captured=("18", "18")) == "captured"


def test_a_chain_to_a_crown() -> None:
    """R2.6, R2.7; the lists are sets: in which order they are sent does not matter."""
    match = line(*TO_A_CROWN)
    claim(match, "13x22x31", moved=("13", "31"), captured=("26", "17"), crowned=("31",))
    assert refused(match, "13x22x31", crowned=()) == "crowned"
    assert refused(match, "13x22x31", captured=("17",)) == "captured"
    claim(match, "13x22", captured=("17",), crowned=())


def test_a_king_is_not_crowned_again() -> None:
    match = line(*TO_A_CROWN, "13x22x31")
    king = next(move for move in play(match).legal if move.startswith("31-"))
    match = play(play(match), move=king)
    back = f"{king.partition('-')[2]}-31"
    claim(play(match), back, moved=tuple(back.split("-")), captured=(), crowned=())


def test_stones_that_are_taken_are_captured_too() -> None:
    """The lists say nothing of checkers alone."""
    match = play(play(started("hexoust", options={"side": 3}), move="d1"), move="d3")
    claim(match, "d2", moved=(), captured=("d3",), crowned=())
    assert refused(match, "d2", captured=()) == "captured"


def test_what_is_refused_anyway_is_left_to_the_machine() -> None:
    """Nothing is told by the lists to one who has no turn, no seat, or an old position, nor during a pause."""
    match = line("11-15", "22-18")
    wrong: dict[str, Any] = {"captured": ("1",)}
    for player in (GUEST, STRANGER, ""):
        claim(match, "15x22", player, **wrong)
    claim(match, "15x22", version=match.version - 1, **wrong)
    claim(match, "15x22", version=match.version + 1, **wrong)
    claim(match, "15x23", **wrong)
    claim(match, "rubbish", **wrong)
    claim(do(match, Pause(), GUEST), "15x22", **wrong)
    assert refused(match, "15x22", **wrong) == "captured"
