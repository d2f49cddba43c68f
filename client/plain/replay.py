"""A saved game in plain lines: n, b, a number, q."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TextIO

from client.conversation.transport import Finder
from client.kept.saves import SavedGame
from client.replay.positions import CannotReplay, Positions
from client.replay.stepping import Stepping, heading, place, understood
from client.shown.board.board_text import drawing, listing
from client.start.console import LineReader, Speaker

HELP = "Type n for the next move, b to go back, a number, start, end, list to hear the board in words, or q."


async def step_through(positions: Positions, source: TextIO, speaker: Speaker) -> None:
    """Open the game and do what is typed, until q or the end of the input. Raises CannotReplay."""
    await positions.open()
    typed: asyncio.Queue[str | None] = asyncio.Queue()
    reader = LineReader(source, typed.put_nowait)
    reader.start()
    stepping = Stepping(positions.plies)
    speaker.say([f"{heading(positions.saved, positions.game)}.", *filter(None, [positions.warning]), HELP])
    await _show(positions, stepping, speaker)
    while (line := await typed.get()) is not None and not speaker.is_broken:
        reader.taken()
        word = line.strip().lower()
        goal = understood(line, stepping)
        if word in ("q", "quit", "exit"):
            return
        if word == "list":
            speaker.say(listing(await positions.at(stepping.ply)))
        elif goal is None:
            speaker.say([HELP])
        elif goal == stepping and word in ("", "n", "next", "b", "back"):
            speaker.say(["That is the end." if word not in ("b", "back") else "That is the beginning."])
        else:
            stepping = goal
            await _show(positions, stepping, speaker)


async def _show(positions: Positions, stepping: Stepping, speaker: Speaker) -> None:
    match = await positions.at(stepping.ply)
    speaker.say([f"{place(stepping, match)}.", *drawing(match), match.text])


def replay_in_lines(saved: SavedGame, find: Finder, source: TextIO, output: TextIO, language: str) -> int:
    """Run it; returns the exit status."""
    speaker = Speaker(output)
    make = partial(Positions, saved, find, language=language)
    return exit_status(make, lambda positions: step_through(positions, source, speaker), speaker)


def exit_status(
    make: Callable[[], Positions], work: Callable[[Positions], Awaitable[None]], complaints: Speaker
) -> int:
    """That of a program which does this with the positions of a saved game, and then lets go of them."""

    async def main() -> int:
        positions = make()
        try:
            await work(positions)
        except CannotReplay as error:
            complaints.say([str(error)])
            return 1
        finally:
            await positions.close()
        return 0

    with contextlib.suppress(KeyboardInterrupt):
        return asyncio.run(main())
    return 130
