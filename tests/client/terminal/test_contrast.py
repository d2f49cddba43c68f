"""Every character of every board can be made out on what it lies on: letters at 4.5 : 1, signs at 3 : 1."""

from __future__ import annotations

import random

import pytest
from msgspec import structs
from textual.color import Color

from client.kept.settings import BoardColours
from client.shown.board.coordinates import coordinates
from client.shown.board.scene import Hints, is_turned, scene
from client.terminal.drawing import theme
from client.terminal.drawing.board_inks import inked
from client.terminal.drawing.layout import choose_layout
from client.terminal.drawing.pieces import LOWER, UPPER
from client.terminal.drawing.raster import Ink, raster
from protocol.board import Mark, Piece
from protocol.messages import OptionValue, Snapshot
from tests.client.refereed import CATALOGUE, Refereed

SIZES = [(34, 15), (54, 19), (130, 40)]
COLOURS: list[dict[str, OptionValue]] = [
    {"tiles": tiles, "pieces": pieces}
    for tiles in ("black-white", "black-red")
    for pieces in ("black-white", "black-red")
]
MATCHES: list[tuple[str, dict[str, OptionValue]]] = [(game, {}) for game in CATALOGUE if game != "relay"] + [
    ("checkers", colours) for colours in COLOURS[1:]
]


def played(game: str, options: dict[str, OptionValue], moves: int) -> Snapshot:
    """After so many moves, each drawn by the same lot."""
    match, lot = Refereed(game, options=options), random.Random(7)
    for _ in range(moves):
        if match.match.turn is None:
            break
        match.play(lot.choice(sorted(match.match.legal_set)))
    return match.snapshot()


def boards(game: str, options: dict[str, OptionValue]) -> list[tuple[Snapshot, Hints]]:
    """At the start, in the middle with all that a hand does, and with what is won."""
    start, middle = played(game, options, 0), played(game, options, 24)
    some = [*middle.marks][:2]
    moves = middle.legal[:2]
    busy = Hints(cursor=some[0], hovered=some[-1], picked=tuple(some[:1]), pending=moves)
    hovers = Hints(hovered=next(iter(middle.legal), None))
    won = {region.id: Mark(index % 2, Piece.WON) for index, region in enumerate(middle.board.regions)}
    over = structs.replace(middle, marks={**middle.marks, **won})
    return [(start, Hints()), (middle, busy), (middle, hovers), (over, Hints(shows_legal=False))]


def ratio(ink: Ink) -> float:
    return theme.contrast(Color.parse(ink.colour), Color.parse(ink.ground))


@pytest.mark.parametrize("colours", BoardColours, ids=lambda one: one.value)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(("game", "options"), MATCHES)
def test_every_character_of_a_board_can_be_made_out(
    game: str, options: dict[str, OptionValue], size: tuple[int, int], colours: BoardColours
) -> None:
    faint = set()
    for match, hints in boards(game, options):
        layout = choose_layout(match.board, *size, turned=is_turned(match))
        for row in raster(scene(match, layout.view, hints), layout, coordinates(match.board)):
            for glyph in row:
                if glyph.text in (UPPER, LOWER):
                    continue  # The edge of what a symbol stands on, like any ground.
                least = theme.TEXT if glyph.text.isalnum() else theme.READABLE
                ink = inked(glyph.ink, glyph.text, colours)
                if glyph.text.strip() and ratio(ink) < least - 0.01:
                    faint.add((glyph.text, ink.colour, ink.ground, round(ratio(ink), 2)))
    assert not faint
