"""The moves of a match: whole from the first one, in two numbered columns, and what was said apart from them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec import structs

from client.conversation.events import ChatRead, Sent, Settled
from client.shown.history import questions
from client.shown.model import Link, Model, update
from client.shown.story import Made
from client.shown.words.move_list import Cell, row_of, rows
from protocol.messages import Chat, GetRecord, Refused, Said
from server.match import commands as c
from server.match.state import Status
from server.match.views import record
from tests.client.refereed import CATALOGUE, ENGLISH, Refereed, infos

ASKED = GetRecord(ref="r", match="m1")


def told(match: Refereed, **changes: Any) -> Settled:
    """The answer to that."""
    return Settled(ASKED, structs.replace(record(match.match, ENGLISH, "r"), **changes))


def test_each_seat_has_a_column_and_who_moves_again_a_row() -> None:
    made = [Made("a", 0), Made("b", 1), Made("c", 0), Made("d", 0), Made("e", 1), Made("f", 1)]
    assert rows(made) == (
        (Cell(1, "a"), Cell(2, "b")),
        (Cell(3, "c"), None),
        (Cell(4, "d"), Cell(5, "e")),
        (None, Cell(6, "f")),
    )
    assert [row_of(rows(made), ply) for ply in range(7)] == [0, 0, 0, 1, 2, 2, 3]
    assert rows([Made("a", None), Made("b", None)]) == ((Cell(1, "a"), Cell(2, "b")),)


def test_what_a_move_gained_is_written_as_far_as_there_is_room() -> None:
    assert set(Cell(1, "a1-b1").texts) == {"a1-b1"}
    assert first_that_fits(Cell(1, "a1-b1", " (+1)", "+1"), 99) == "a1-b1 (+1)"
    assert first_that_fits(Cell(1, "a1-b1", " (+1)", "+1"), 8) == "a1-b1 +1"
    assert first_that_fits(Cell(1, "a1-b1", " (+1)", "+1"), 5) == "a1-b1"


def test_of_a_capture_what_the_other_side_lost_stays_longest() -> None:
    """Issue 14, 15: a narrow list would else say least of the moves that matter most."""
    cell = Cell(8, "l4", " (+1, Maximiliane Oberhaus -3)", "◆-3")
    assert first_that_fits(cell, 8) == "l4 ◆-3"


def test_a_move_in_haste_says_so_as_far_as_there_is_room() -> None:
    cell = Cell(1, "a1-b1", " (+1)", "+1", less=True)
    assert [first_that_fits(cell, room) for room in (99, 12, 10, 7, 5)] == [
        "a1-b1 (+1), in haste", "a1-b1 (+1) ~", "a1-b1 +1 ~", "a1-b1 ~", "a1-b1",
    ]  # fmt: skip


def first_that_fits(cell: Cell, room: int) -> str:
    """As the lists write it."""
    return next(text for text in cell.texts if len(text) <= room)


def test_moves_that_were_seen_stand_with_what_they_gained() -> None:
    match = Refereed()
    model = update(Model(link=Link.UP, games=infos()), match.snapshot())
    for move in ("a1-b1", "a1-a2", "a2-b2", "b1-b2"):
        for event in match.play(move):
            model = update(model, event)
    assert [(made.move, made.seat, made.gains) for made in model.moves] == [
        ("a1-b1", 0, ""), ("a1-a2", 1, ""), ("a2-b2", 0, ""), ("b1-b2", 1, " (+1)"),
    ]  # fmt: skip
    assert [made.short for made in model.moves] == ["", "", "", "+1"]
    assert model.moves_miss is None


@pytest.mark.parametrize("game", CATALOGUE)
def test_who_comes_later_reads_what_each_move_brought(game: str) -> None:
    """The rows are the same as those of one who was there all along."""
    match, chance = Refereed(game), Random(14)
    there = update(Model(link=Link.UP, games=infos()), match.snapshot())
    while match.match.status is Status.PLAYING:
        holder = match.match.seats[match.match.turn or 0]
        move, hurried = chance.choice(match.match.legal), chance.random() < 0.2
        for event in match.do(holder.player if holder else "", c.Play(match.match.version, move, hurried)):
            there = update(there, event)
    assert any(made.less for made in there.moves), "also that it was made in haste"
    assert any(made.gains for made in there.moves)
    later = update(Model(link=Link.UP, games=infos()), match.snapshot())
    assert update(later, told(match)).moves == there.moves
    half = len(there.moves) // 2
    parts = record(match.match, ENGLISH, "r"), record(match.match, ENGLISH, "r", after=half)
    first = structs.replace(parts[0], moves=parts[0].moves[:half], movers=(), scores=())
    for part in (first, parts[1]):
        later = update(later, Settled(ASKED, part))
    assert [made.gains for made in later.moves] == [""] * half + [made.gains for made in there.moves[half:]]


def test_a_move_in_haste_that_was_taken_back_is_none_any_more() -> None:
    match = Refereed("checkers", both=True)
    for _ in range(2):
        match.do("ada", c.Play(match.match.version, min(match.match.legal_set), hurried=True))
    assert record(match.match, ENGLISH, "r").less == (1, 2)
    assert record(match.match, ENGLISH, "r", after=1).less == (2,)
    match.do("ada", c.Offer("takeback"))
    assert record(match.match, ENGLISH, "r").less == (1,)
    match.do("ada", c.Offer("restart"))
    assert record(match.match, ENGLISH, "r").less == ()


def test_those_from_before_one_came_are_asked_for_once() -> None:
    match = Refereed("checkers")
    for _ in range(5):
        match.play()
    model = update(Model(link=Link.UP, games=infos()), match.snapshot())
    assert model.moves_miss == 0
    assert questions(model, match.snapshot(), lambda: ASKED.ref) == (ASKED,)
    assert questions(model, Settled(ASKED, Refused(ref="r", code="busy", text="No.")), lambda: ASKED.ref) == ()
    assert update(model, Sent(ASKED)).moves_miss is None
    for event in match.play():
        model = update(model, event)
    assert model.moves == ()
    model = update(model, told(match))
    assert [made.move for made in model.moves] == list(match.match.moves)
    assert model.moves_miss is None


def test_long_lists_come_in_parts() -> None:
    match = Refereed("checkers")
    for _ in range(6):
        match.play()
    moves = tuple(match.match.moves)
    model = update(Model(link=Link.UP), match.snapshot())
    model = update(model, told(match, moves=moves[:4], movers=(), scores=()))
    assert model.moves_miss == 4
    model = update(model, told(match, moves=moves[3:], movers=(), scores=(), after=3))
    assert [made.move for made in model.moves] == list(moves)


def test_what_was_taken_back_is_no_longer_listed() -> None:
    match = Refereed("checkers", both=True)
    model = update(Model(link=Link.UP), match.snapshot())
    for _ in range(3):
        for event in match.play():
            model = update(model, event)
    assert len(model.moves) == 3
    for told_now in match.do("ada", c.Offer("takeback")):
        model = update(model, told_now)
    model = update(update(model, match.snapshot()), told(match))
    assert [made.move for made in model.moves] == list(match.match.moves)
    assert len(model.moves) < 3


def test_what_others_say_is_counted_until_it_is_read() -> None:
    match = Refereed("checkers")
    model = update(Model(link=Link.UP, name="Ada", games=infos()), match.snapshot())
    for event in match.play():
        model = update(model, event)
    lines = tuple(
        Said(match="m1", channel="players", number=number, at_ms=0, name=name, seat=seat, text="Hello")
        for number, (name, seat) in enumerate((("Ben", 1), ("Ada", 0), ("Ben", 1)), 1)
    )
    model = update(model, Chat(match="m1", channel="players", lines=lines))
    assert model.unread == 2
    assert [line.is_said for line in model.chat] == [True, True, True]
    assert update(model, ChatRead()).unread == 0
