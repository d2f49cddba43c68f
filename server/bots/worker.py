"""What runs in the worker process: a game's own `choose`, on a state that was sent there as plain data."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import msgspec

from server.games import Catalogue, load_catalogue

NICENESS = 10
"""The computer thinks when the hub has nothing to do (`G12`)."""

_catalogue: Catalogue | None = None


def prepare(folder: Path | None) -> None:
    """Once for each worker: the same games as the hub's."""
    global _catalogue
    os.nice(NICENESS)
    _catalogue = load_catalogue(folder)


def choose(game: str, state: bytes, seed: int) -> str:
    """The computer's move in `state`; the same for the same seed."""
    assert _catalogue is not None
    chosen = _catalogue[game]
    assert chosen.choose is not None
    move: str = chosen.choose(msgspec.json.decode(state, type=chosen.state), Random(seed))
    return move
