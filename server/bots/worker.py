"""A worker process of the engine room: reads what is to be thought about line by line, and writes the moves found.

It ends when its input does: a hub that is killed tells nobody, but its end of the pipe is gone with it.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from queue import SimpleQueue
from typing import BinaryIO

import msgspec

from server.bots import players
from server.games import Catalogue, load_catalogue

NICENESS = 10
"""The computer thinks when the hub has nothing to do (`G12`)."""
READY = b"ready\n"


class Asked(msgspec.Struct, frozen=True):
    """What is to be thought about; `state` is the game's own, as JSON."""

    game: str
    state: str
    level: str
    seed: int
    share: float = 1.0


class Found(msgspec.Struct, frozen=True):
    """The move; or, if none was found, why."""

    move: str = ""
    error: str = ""


def answer(catalogue: Catalogue, line: bytes) -> bytes:
    """The line that answers a line."""
    try:
        asked = msgspec.json.decode(line, type=Asked)
        game = catalogue[asked.game]
        state = msgspec.json.decode(asked.state, type=game.state)
        found = Found(move=players.choose(game, state, asked.level, asked.seed, asked.share))
    except Exception as error:  # whatever an author's game raises: the worker lives on, and the hub is told
        found = Found(error=f"{type(error).__name__}: {error}")
    return msgspec.json.encode(found) + b"\n"


def main(given: list[str]) -> None:
    """Answers until the input ends; `given` is the folder with an author's games, if there is one."""
    os.nice(NICENESS)
    catalogue = load_catalogue(Path(given[0]) if given else None)
    lines: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, lines), daemon=True).start()
    out = sys.stdout.buffer
    # What a game prints is not for the hub.
    sys.stdout = sys.stderr
    _write(out, READY)
    while True:
        _write(out, answer(catalogue, lines.get()))


def _write(out: BinaryIO, line: bytes) -> None:
    out.write(line)
    out.flush()


def _read(source: BinaryIO, lines: SimpleQueue[bytes]) -> None:
    """In a thread of its own, so that the end is seen in the middle of a thought."""
    for line in source:
        lines.put(line)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
