"""A worker process of the engine room: reads what is to be thought about line by line, and writes the moves found.

It ends when its input does: a hub that is killed tells nobody, but its end of the pipe is gone with it. A game of an
author's may hold the interpreter, so that this is not seen; where the kernel can (Linux) it ends the worker itself.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO

import msgspec

from protocol.text import Text
from server.bots import players
from server.bots.remarks import remark
from server.games import AnyGame, Catalogue, load_catalogue

NICENESS = 10
"""The computer thinks when the hub has nothing to do (`G12`)."""
AUTOGROUP = Path("/proc/self/autogroup")
TRIES, RETRY_S = 20, 0.1
"""How often the system is told to be nice to a session, and after how long again."""
READY = b"ready\n"
DEATH_OF_PARENT = 1
"""`PR_SET_PDEATHSIG` of Linux' prctl."""


class Asked(msgspec.Struct, frozen=True):
    """What is to be thought about; `state` is the game's own, as JSON.

    With `judge` a verdict is asked for, not only a move; and of `played`, if that is given, why it is good or bad.
    `plainly`: why the game's own `choose` and `evaluate` are not to be asked; "" where they are.
    """

    game: str
    state: str
    level: str
    seed: int
    share: float = 1.0
    judge: bool = False
    played: str = ""
    plainly: str = ""


class Found(msgspec.Struct, frozen=True):
    """The move, and what else was asked for; or, if none was found, why.

    `lead` and `exact` are those of `verdict.Verdict`; `remark` is about the move, `of_played` about the one played.
    """

    move: str = ""
    error: str = ""
    lead: int = 0
    exact: bool = False
    remark: Clause | None = None
    of_played: Clause | None = None
    less: bool = False
    """Whether it was thought about for less than was asked for; the engine room says so."""
    instead: str = ""
    """Why the general search made the move, and not who plays this level; "" where it had not to."""


class Clause(msgspec.Struct, frozen=True):
    """A `Text` on its way through a pipe: of its values, `nested` are texts themselves."""

    message: str
    values: dict[str, str | int] = {}
    nested: dict[str, str] = {}

    @classmethod
    def of(cls, said: Text | None) -> Clause | None:
        """The clause that says the same."""
        if said is None:
            return None
        plain = {name: value for name, value in said.values.items() if not isinstance(value, Text)}
        nested = {name: value.message for name, value in said.values.items() if isinstance(value, Text)}
        return cls(said.message, plain, nested)

    def text(self) -> Text:
        """The text again."""
        return Text(self.message, {**self.values, **{name: Text(message) for name, message in self.nested.items()}})


def answer(catalogue: Catalogue, line: bytes) -> bytes:
    """The line that answers a line."""
    try:
        asked = msgspec.json.decode(line, type=Asked)
        game = catalogue[asked.game]
        state = msgspec.json.decode(asked.state, type=game.state)
        found = _judged(game, state, asked) if asked.judge else _chosen(game, state, asked)
    except Exception as error:  # whatever an author's game raises: the worker lives on, and the hub is told
        found = Found(error=f"{type(error).__name__}: {error}")
    return msgspec.json.encode(found) + b"\n"


def _chosen(game: AnyGame, state: Any, asked: Asked) -> Found:
    if asked.plainly:
        return Found(players.stand_in(game, state, asked.seed, asked.share), instead=asked.plainly)
    try:
        move = players.choose(game, state, asked.level, asked.seed, asked.share)
        game.play(state, move)
    except Exception as error:  # an author's `choose`: the match goes on, and the host is told
        return Found(players.stand_in(game, state, asked.seed, asked.share), instead=f"{type(error).__name__}: {error}")
    return Found(move)


def _judged(game: AnyGame, state: Any, asked: Asked) -> Found:
    try:
        return _verdict(game, state, asked)
    except Exception as error:  # an author's `evaluate` or `remark`
        found = _verdict(players.by_rules(game), state, asked)
        return msgspec.structs.replace(found, instead=f"{type(error).__name__}: {error}")


def _verdict(game: AnyGame, state: Any, asked: Asked) -> Found:
    verdict = players.judge(game, state, asked.level, asked.seed, asked.share, asked.played)
    about = {move: Clause.of(remark(game, state, move)) for move in (verdict.move, asked.played) if move}
    return Found(
        verdict.move,
        lead=verdict.lead,
        exact=verdict.exact,
        remark=about.get(verdict.move),
        of_played=about.get(asked.played),
    )


def be_nice() -> None:
    """Leave the cores to whoever else wants them.

    Where Linux shares them out by session first (`autogroup`), niceness counts within one alone: in its hub's a worker
    would be nicer than nobody but the hub, and what it computes be charged to it. So it has a session of its own, and
    that is told to be nice, too.
    """
    os.nice(NICENESS)
    with suppress(OSError):  # This system has no such thing.
        for _ in range(TRIES):
            try:
                AUTOGROUP.write_text(str(NICENESS), encoding="ascii")
                return
            except BlockingIOError:  # Ten may be told in a second, of all processes together.
                time.sleep(RETRY_S)


def main(given: list[str]) -> None:
    """Answers until the input ends; `given` is the folder with an author's games, if there is one."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DEATH_OF_PARENT, signal.SIGKILL)
    lines: SimpleQueue[bytes] = SimpleQueue()
    # Before the system is told anything and an author's games are read, which may take long, too.
    threading.Thread(target=_read, args=(sys.stdin.buffer, lines), daemon=True).start()
    be_nice()
    catalogue = load_catalogue(Path(given[0]) if given else None)
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
