"""What runs in the worker process: a player, on a state that was sent there as plain data."""

from __future__ import annotations

import os
import threading
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path

import msgspec

from server.bots import players
from server.games import Catalogue, load_catalogue

NICENESS = 10
"""The computer thinks when the hub has nothing to do (`G12`)."""

_catalogue: Catalogue | None = None


def prepare(folder: Path | None) -> None:
    """Once for each worker: the same games as the hub's."""
    global _catalogue
    os.nice(NICENESS)
    threading.Thread(target=_end_with, args=(parent_process(),), daemon=True).start()
    _catalogue = load_catalogue(folder)


def _end_with(hub: BaseProcess | None) -> None:
    """A hub that is killed tells nobody; without it there is nothing to do."""
    if hub is not None:
        hub.join()
        os._exit(0)


def choose(game: str, state: bytes, level: str, seed: int) -> str:
    """The computer's move in `state`; the same for the same level and seed."""
    assert _catalogue is not None
    chosen = _catalogue[game]
    return players.choose(chosen, msgspec.json.decode(state, type=chosen.state), level, seed)
