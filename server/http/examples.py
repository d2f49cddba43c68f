"""A short example of every game on offer, for the page's first screen: its board, and some moves on it.

The board language comes with a match; who has none yet sees by these what a game looks like. They are made when they
are asked for first, of moves that chance picks among the legal ones (a computer's take a hundred times as long), and so
a game that an author added has one, too.
"""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from protocol.text import Translate
from server.games import AnyGame, Catalogue

PLIES = 36
"""Moves of an example at most."""
FIRST = 12
"""After how many moves an example begins to be shown: an empty board says little."""
SEED = 7


def examples(catalogue: Catalogue, translate: Translate) -> bytes:
    """All examples as JSON: a list with a map for each game."""
    return msgspec.json.encode([example(game, translate) for game in catalogue.values()])


def example(game: AnyGame, translate: Translate) -> dict[str, Any]:
    """One game: board, seats, what lies there at first, and what each move changes."""
    params = game.parse_options(game.presets[len(game.presets) // 2].options if game.presets else {})
    state = game.new(params)
    told: dict[str, Any] = {
        "game": game.name,
        "board": game.board(params),
        "styles": [msgspec.structs.replace(style, name=translate(style.name)) for style in game.seats(params)],
        "marks": game.marks(state),
        "first": FIRST,
        "moves": [],
    }
    chance = Random(SEED)
    for _ in range(PLIES):
        seat = game.to_move(state)
        if seat is None:
            break
        move = game.automatic(state) or chance.choice(game.legal_moves(state))
        after = game.play(state, move)
        shown = game.shown(game.canonical(state, move))
        changes, focus = game.changes(state, after), game.focus(after)
        told["moves"].append({"seat": seat, "move": shown, "changes": changes, "focus": focus})
        state = after
    return told
