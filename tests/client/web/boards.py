"""Boards of every game for the page's own tests, with what the Python client makes of them: the two must agree."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from client.shown.board import picking
from client.shown.board.coordinates import coordinates
from client.shown.board.cursor import Cursor, home, places, step
from client.shown.board.groups import groups, joined
from client.shown.board.scene import View, hit
from protocol.board import touched
from protocol.messages import Snapshot
from tests.client.refereed import CATALOGUE, Refereed

SIZES: dict[str, tuple[dict[str, Any], ...]] = {
    "dots-and-boxes": ({"width": 3, "height": 3}, {"width": 15, "height": 15}),
    "hexoust": ({"side": 3}, {"side": 9}),
}
"""Options besides the usual ones that are worth drawing."""
PLIES = (0, 9, 34)
"""After how many moves a board is taken."""
PICKED = 24
POINTS = 60


def cases(seed: int = 13) -> Iterator[dict[str, Any]]:
    """For every game and size: positions of one match, and what touches and keys come to in them."""
    for name in CATALOGUE:
        for options in ({}, *SIZES.get(name, ())):
            chance = Random(f"{seed} {name} {options}")
            match = Refereed(name, options=options)
            for plies in range(max(PLIES) + 1):
                if plies in PLIES:
                    yield case(match.snapshot(chance.choice(("ada", "ben"))), chance)
                if match.match.turn is None:
                    break
                match.play(chance.choice(match.match.legal))


def case(match: Snapshot, chance: Random) -> dict[str, Any]:
    """One position with what the Python client answers."""
    return {
        "match": msgspec.to_builtins(match),
        "targets": sorted(picking.targets(match, ())),
        "words": list(picking.words(match)),
        "touches": list(_touches(match, chance)),
        "hits": list(_hits(match, chance)),
        "steps": list(_steps(match, chance)),
        "groups": [[group.seat, sorted(group.cells), group.middle] for group in groups(match)],
        "coordinates": [[one.text, one.x, one.y, one.dx, one.dy] for one in coordinates(match.board)],
        "joined": {
            move: [made.size, sorted(made.taken)]
            for move in match.legal
            if match.to_move is not None and (made := joined(match, move, match.to_move)) is not None
        },
    }


def _touches(match: Snapshot, chance: Random) -> Iterator[dict[str, Any]]:
    """Touches of legal moves and of anything else, one after the other."""
    board = match.board
    ids = [dot.id for dot in board.dots] + [line.id for line in board.lines] + [cell.id for cell in board.cells]
    for _ in range(PICKED):
        picked: picking.Path = ()
        wanted = list(touched(chance.choice(match.legal))) if match.legal and chance.random() < 0.7 else []
        for element in [*wanted, *chance.choices(ids, k=2)]:
            done = picking.touch(match, picked, element)
            ended = picking.confirm(match, done.picked)
            yield {
                "picked": list(picked), "element": element, "after": list(done.picked), "move": done.move,
                "targets": sorted(picking.targets(match, done.picked)), "confirmed": ended.move, "why": done.why,
            }  # fmt: skip
            picked = done.picked


def _hits(match: Snapshot, chance: Random) -> Iterator[dict[str, Any]]:
    board = match.board
    view = View(1.0, 1.0, board.width, board.height)
    for _ in range(POINTS):
        x, y = chance.uniform(-0.5, board.width + 0.5), chance.uniform(-0.5, board.height + 0.5)
        yield {"x": x, "y": y, "id": hit(board, view, x, y)}


def _steps(match: Snapshot, chance: Random) -> Iterator[dict[str, Any]]:
    board = match.board
    cursor = home(board, match.legal)
    assert cursor is not None
    yield {"home": cursor.id, "column": cursor.column}
    ids = list(places(board))
    for _ in range(POINTS):
        right, down = chance.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
        turned = chance.random() < 0.3
        after = step(board, cursor, right, down, turned=turned)
        yield {
            "from": [cursor.id, cursor.column], "right": right, "down": down, "turned": turned,
            "to": [after.id, after.column],
        }  # fmt: skip
        cursor = after
        if chance.random() < 0.1:
            start = chance.choice(ids)
            cursor = Cursor(start, places(board)[start][0])


def write(path: Path) -> None:
    """All cases as one file of JSON."""
    path.write_text(json.dumps(list(cases()), ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
