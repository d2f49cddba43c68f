"""Groups as clients count them, against what the rules make of the same stones."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from msgspec import structs

from client.plain.intents import Said, Tell
from client.plain.words import understand
from client.shown.board.board_text import listing
from client.shown.board.groups import groups, joined, placement_text
from client.shown.board.scene import Hints, View, scene
from client.shown.model import Model, update
from protocol.board import Mark, Piece
from protocol.messages import Refused, Snapshot
from tests.client.positions import hex_board, snapshot
from tests.client.refereed import Refereed

FLAT = View(1, 1, 0, 0)


def test_what_a_placement_takes_is_what_the_rules_take() -> None:
    """HX CP: every legal placement of four games, also where the joined group touches with its old part alone."""
    taking = 0
    for seed in range(4):
        chance, table = Random(seed), Refereed("hexoust", options={"side": 4})
        while table.match.turn is not None and table.match.plies < 40:
            match = table.snapshot("ada")
            assert sorted(cell for group in groups(match) for cell in group.cells) == sorted(match.marks)
            for move in match.legal:
                made = joined(match, move, table.match.turn)
                after = structs.replace(
                    match, marks=table.match.game.marks(table.match.game.play(table.match.state, move))
                )
                assert (made is None) == (move == "pass")
                if made is None:
                    continue
                assert made.taken == match.marks.keys() - after.marks.keys()
                own = next(group for group in groups(after) if move in group.cells)
                assert (own.seat, len(own.cells)) == (table.match.turn, made.size)
                taking += bool(made.taken)
            captures = [move for move in match.legal if (one := joined(match, move, table.match.turn)) and one.taken]
            table.play(chance.choice(captures if captures and chance.random() < 0.3 else match.legal))
    assert taking > 25


def position(**more: Any) -> Snapshot:
    marks = {cell: Mark(0, Piece.STONE) for cell in ("d3", "d4")}
    marks |= {cell: Mark(1, Piece.STONE) for cell in ("e5", "e6", "a1")}
    board = structs.replace(hex_board(4), groups=True)
    return structs.replace(snapshot(board, marks=marks, legal=("d5",)), **more)


def test_a_group_has_its_number_on_one_stone_and_single_stones_have_none() -> None:
    sizes = {one.id: one.size for one in scene(position(), FLAT, Hints()) if one.size}
    assert sizes == {"d3": 2, "e5": 2}
    assert not any(one.size for one in scene(position(board=hex_board(4)), FLAT, Hints())), "no groups on other boards"


@pytest.mark.parametrize("hand", [Hints(hovered="d5"), Hints(cursor="d5")], ids=["mouse", "keys"])
def test_what_a_stone_would_make_and_take_is_shown_under_the_hand(hand: Hints) -> None:
    found = scene(position(), FLAT, hand)
    assert {one.id for one in found if one.taken} == {"e5", "e6"}
    assert next(one.size for one in found if one.id == "d5") == 3
    assert placement_text(position(), "d5") == "3 together, takes 2"
    assert not any(one.taken for one in scene(position(), FLAT, replace(hand, shows_legal=False)))


def test_a_refusal_is_shown_at_the_stones_that_it_is_about() -> None:
    """HX SR4; what is no text is passed over."""
    model = Model(match=position())
    for told, about in (("e5 e6", {"e5", "e6"}), (["e5"], set()), (None, set())):
        after = update(model, Refused(ref="x", code="invalid_cell", text="No", data={"at": told}))
        found = scene(position(), FLAT, Hints(about=after.notice.at))
        assert {one.id for one in found if one.about} == about


def test_groups_are_told_in_words_the_largest_first() -> None:
    assert [line for line in listing(position()) if "groups" in line] == [
        "Ada, groups, 1: 2: d3 d4.",
        "Ben, groups, 2: 2: e5 e6; 1: a1.",
    ]


def test_the_plain_client_names_the_moves_that_take() -> None:
    told = understand(Said(("moves",), Model(match=position()), ref=lambda: "r"))
    assert told == Tell(("Legal moves, 1: d5.", "Of these: d5 3 together, takes 2."))
