"""Boards as text that is aligned, and as lists that make sense when read aloud."""

from __future__ import annotations

import pytest

from client.shown.board.board_text import drawing, listing
from protocol.board import Mark, Piece
from protocol.messages import PauseInfo, Snapshot
from tests.client.positions import hex_board, macro_board, snapshot, squares_board

L, B = Piece.LINE, Piece.BOX


def dots() -> Snapshot:
    """Ada has closed a box, of which Ben drew one line."""
    marks = {
        "a1-b1": Mark(0, L), "a1-a2": Mark(0, L), "b1-b2": Mark(1, L), "a2-b2": Mark(0, L), "b2-c2": Mark(1, L),
        "#a1": Mark(0, B),
    }  # fmt: skip
    return snapshot(marks=marks, scores=((1,), (0,)))


def test_dots_and_lines_are_drawn() -> None:
    assert drawing(dots()) == [
        "     a   b   c",
        "",
        "1    +---+   +",
        "     | X :",
        "2    +---+===+",
        "",
        "3    +   +   +",
    ]


def test_dots_and_lines_in_words() -> None:
    assert listing(dots()) == [
        "Ada (X), boxes, 1: a1.",
        "Ada (X), lines, 3: a1-b1, a1-a2, a2-b2.",
        "Ben (O), lines, 2: b1-b2, b2-c2.",
        "Lines free, 7: b1-c1, c1-c2, a2-a3, b2-b3, c2-c3, a3-b3, b3-c3.",
    ]


def test_what_is_nobodys_is_told_too() -> None:
    """SQ1: lines are black there, whoever drew them."""
    assert "Nobody's, lines, 1: a1-b1." in listing(snapshot(marks={"a1-b1": Mark(None, L)}))


def squares() -> Snapshot:
    return snapshot(squares_board(), marks={"1": Mark(1, Piece.MAN), "32": Mark(0, Piece.KING)}, legal=())


def test_squares_are_named_and_seen_from_ones_own_side() -> None:
    """CK 5.1."""
    lines = drawing(squares())
    assert lines[0].split() == ["32XK", "31", "30", "29"]
    assert lines[-1].split() == ["4", "3", "2", "1O"]
    assert drawing(snapshot(squares_board(), you=()))[0].split() == ["1", "2", "3", "4"]


def test_squares_in_words() -> None:
    found = listing(squares())
    assert found[:2] == ["Ada (X), kings, 1: 32.", "Ben (O), men, 1: 1."]
    assert found[2].startswith("Cells free, 30: 2, 3, ")


def test_hexagons_lie_between_each_other() -> None:
    assert drawing(snapshot(hex_board(2), marks={"b2": Mark(0, Piece.STONE)}, legal=())) == [
        "     a1   a2",
        "   b1   b2X  b3",
        "     c1   c2",
    ]


def test_regions_are_told_with_their_winner_and_where_to_play() -> None:
    match = snapshot(macro_board(), focus=("2",), marks={"5": Mark(1, Piece.WON)})
    text = "\n".join(drawing(match))
    assert "[2 play]" in text
    assert "[5 won O]" in text
    assert "[9]" in text
    assert listing(match)[-1] == "To play in: 2."
    assert "Lines free: 216. Type moves for those that may be played." in listing(match)


@pytest.mark.parametrize("match", [dots(), squares(), snapshot(hex_board(5)), snapshot(macro_board())])
def test_only_ascii_and_never_wider_than_a_terminal(match: Snapshot) -> None:
    lines = drawing(match)
    assert all(line.isascii() and line == line.rstrip() and len(line) <= 80 for line in lines)


def test_nothing_is_shown_during_a_pause() -> None:
    """CK 5.4.3."""
    match = snapshot(pause=PauseInfo(1, 9_000))
    assert drawing(match) == listing(match) == ["The board is hidden during the pause."]
