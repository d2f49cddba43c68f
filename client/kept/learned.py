"""Which tasks of which games the user has done, kept from run to run in one small file for all front ends."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec

MAX_BYTES = 64 * 1024
MAX_GAMES = 500
"""Games that are remembered; of more, those that were begun last are not."""

_Numbers = Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=1000)], ...], msgspec.Meta(max_length=100)]


class Learned:
    """`path` None: it is forgotten at the end. A file that is damaged, or cannot be written, costs the memory alone."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._done: dict[str, tuple[int, ...]] = dict(_read(path)) if path is not None else {}

    def done(self, game: str) -> tuple[int, ...]:
        """The numbers of the game's tasks that were done."""
        return self._done.get(game, ())

    def mark(self, game: str, lesson: int) -> None:
        """This one is done."""
        done = self.done(game)
        if lesson in done or (game not in self._done and len(self._done) >= MAX_GAMES):
            return
        if self._path is not None:
            # Another front end may have written in the meantime.
            for known, numbers in _read(self._path).items():
                self._done[known] = tuple(sorted({*self.done(known), *numbers}))
        self._done[game] = tuple(sorted({*self.done(game), lesson}))
        if self._path is not None:
            _write(self._path, self._done)


def _read(path: Path) -> Mapping[str, tuple[int, ...]]:
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(MAX_BYTES), type=dict[str, _Numbers])
    except (OSError, msgspec.DecodeError, UnicodeError):
        return {}


def _write(path: Path, done: Mapping[str, tuple[int, ...]]) -> None:
    fresh = path.with_suffix(f".{os.getpid()}.new")
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh.write_bytes(msgspec.json.encode(done))
        fresh.replace(path)
