"""The computer's seats (`SQ2`, `SQ5`, `DB 8.3`): sees in every room of this hub whether it is the computer's turn.

Several hubs may think about the same move; the log takes one. A match against the computer goes on whenever a hub has
it in memory, so it survives a restart like any other.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import msgspec
import structlog

from protocol.errors import ParlourError, StoreUnavailable
from server.bots.worker import choose, prepare
from server.hub.concurrency.cancelling import end_tasks
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.room import Room
from server.match.commands import Play
from server.match.machine import computer_to_move
from server.match.state import COMPUTER, Match

WORKERS = 1
TRIES = 3
"""How often a move is thought about again when its worker dies or the store is away."""
RETRY_S = 1.0

log = structlog.get_logger(__name__)


class Computer:
    """Moves for the computer in the rooms of one keeper. The worker starts with the first match that needs it."""

    def __init__(self, keeper: Keeper, games: Path | None) -> None:
        self._keeper = keeper
        self._games = games
        self._pool: ProcessPoolExecutor | None = None
        self._thinking: dict[str, asyncio.Task[None]] = {}
        keeper.on_change.append(self.consider)

    def consider(self, room: Room) -> None:
        """If it is the computer's turn in this room, think. At most one thought for each match."""
        match_id = room.match.id
        if computer_to_move(room.match) and match_id not in self._thinking:
            task = asyncio.get_running_loop().create_task(self._move(room))
            self._thinking[match_id] = task
            task.add_done_callback(lambda _: self._thinking.pop(match_id, None))

    async def close(self) -> None:
        """Stop thinking."""
        await end_tasks(list(self._thinking.values()))
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def _move(self, room: Room) -> None:
        """Move until it is somebody else's turn. While the store is away the move waits, like everybody's."""
        failed = 0
        while computer_to_move(room.match) and failed < TRIES and self._keeper.rooms.get(room.match.id) is room:
            match = room.match
            try:
                move = await self._think(match)
                await self._keeper.commit(room, Play(match.version, move), COMPUTER, f"computer-{match.version}")
            except StoreUnavailable:
                await asyncio.sleep(RETRY_S)
            except (BrokenProcessPool, ParlourError) as error:
                # Another hub's computer was quicker, the match was paused or taken back: look again.
                if room.match.version == match.version:
                    failed += 1
                    log.warning("the computer could not move", match=match.id, error=str(error))
        if failed == TRIES:
            log.error("the computer gives up on a match", match=room.match.id)

    async def _think(self, match: Match) -> str:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                WORKERS, multiprocessing.get_context("spawn"), initializer=prepare, initargs=(self._games,)
            )
        state = msgspec.json.encode(match.state)
        loop = asyncio.get_running_loop()
        asked = (match.game.name, state, match.level, match.seed + match.version)
        try:
            return await loop.run_in_executor(self._pool, choose, *asked)
        except BrokenProcessPool:
            self._pool.shutdown(wait=False)
            self._pool = None
            raise
