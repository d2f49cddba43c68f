"""The computer's seats (`SQ2`, `SQ5`, `DB 8.3`): sees in every room of this hub whether it is the computer's turn.

Of several hubs that have the match in memory one thinks: who claims the move in the store, and claims it anew for as
long as it thinks. If that hub dies, another takes the move over when the claim has run out, so a match survives a
restart like any other. Should two think all the same, the log takes one move. A thought is dropped when the position
is another one.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import structlog

from protocol.errors import ParlourError, StoreUnavailable
from server.bots.engine_room import LESS, EngineRoom, NoMove, WorkerLost
from server.bots.players import has_budget
from server.bots.worker import Asked, Found
from server.hub.concurrency.cancelling import end_tasks
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.room import Room
from server.match.commands import Play
from server.match.machine import computer_to_move
from server.match.state import COMPUTER, Match
from server.store.port import Store

TRIES = 3
"""How often a move is thought about again when its worker dies or the store is away."""
RETRY_S = 1.0
LEASE_S = 3.0
"""So long a move is one hub's unless it claims it again: by then another one makes up for a hub that died."""

log = structlog.get_logger(__name__)


@dataclass(eq=False)
class _Thought:
    """What goes on for one match: the position that is thought about; None while its move is on its way to the log."""

    task: asyncio.Task[None]
    position: int | None


class Computer:
    """Moves for the computer in the rooms of one keeper. Workers start with the first match that needs them."""

    def __init__(self, keeper: Keeper, store: Store, games: Path | None) -> None:
        self._keeper = keeper
        self._store = store
        self.engine_room = EngineRoom(games)
        self._thinking: dict[str, _Thought] = {}
        keeper.on_change.append(self.consider)

    def consider(self, room: Room) -> None:
        """If it is the computer's turn in this room, think. At most one thought for each match, of what it is now."""
        match = room.match
        if not match.computer:
            return
        known = self._thinking.get(match.id)
        if known is not None:
            if known.position in (None, match.position) and computer_to_move(match):
                return
            if known.position is None:
                return
            known.task.cancel()
            self._thinking.pop(match.id)
        if computer_to_move(match):
            task = asyncio.get_running_loop().create_task(self._move(room))
            thought = self._thinking[match.id] = _Thought(task, match.position)
            task.add_done_callback(lambda _: self._forget(match.id, thought))

    def _forget(self, match_id: str, thought: _Thought) -> None:
        if self._thinking.get(match_id) is thought:
            del self._thinking[match_id]

    async def close(self) -> None:
        """Stop thinking."""
        await end_tasks([thought.task for thought in self._thinking.values()])
        await self.engine_room.close()

    async def _move(self, room: Room) -> None:
        """Move until it is somebody else's turn. While the store is away the move waits, like everybody's."""
        failed: list[Exception] = []
        thought = self._thinking[room.match.id]
        while computer_to_move(room.match) and len(failed) < TRIES and self._keeper.rooms.get(room.match.id) is room:
            match = room.match
            thought.position = match.position
            try:
                if not await self._claim(match):
                    await asyncio.sleep(LEASE_S / 3)
                    continue
                found = await self._think(match, failed)
                thought.position = None
                hurried = (found.less or bool(failed)) and has_budget(match.game, match.level)
                move = Play(match.version, found.move, hurried)
                await self._keeper.commit(room, move, COMPUTER, f"computer-{match.version}")
                failed.clear()
            except StoreUnavailable:
                await asyncio.sleep(RETRY_S)
            except (NoMove, ParlourError) as error:
                # Another hub's computer was quicker, the match was paused or taken back: look again.
                if room.match.version == match.version:
                    failed.append(error)
                    log.warning("the computer could not move", match=match.id, error=str(error))
        if len(failed) == TRIES:
            log.error("the computer gives up on a match", match=room.match.id)

    async def _think(self, match: Match, failed: Sequence[Exception]) -> Found:
        """Once it has failed, for less; and by the rules alone as soon as that is no way to do better.

        A worker that was lost may have been killed by whatever else goes on: one more does the same first.
        """
        state = msgspec.json.encode(match.state).decode()
        share, plainly = LESS if failed else 1.0, ""
        if failed:
            again = isinstance(failed[-1], WorkerLost) or has_budget(match.game, match.level)
            plainly = str(failed[-1]) if len(failed) > again else ""
        asked = Asked(match.game.name, state, match.level, match.seed + match.version, share, plainly=plainly)
        claiming = asyncio.get_running_loop().create_task(self._keep_claim(match))
        try:
            found = await self.engine_room.think(match.host, asked)
        finally:
            claiming.cancel()
        if found.instead:
            log.error("the general search moved in place of the game's own player", match=match.id,
                      game=match.game.name, level=match.level, error=found.instead)  # fmt: skip
        return found

    async def _claim(self, match: Match) -> bool:
        # By the position: who comes, goes or offers something meanwhile makes no new move of it.
        return await self._store.claim(match.id, match.position, int(LEASE_S * 1000))

    async def _keep_claim(self, match: Match) -> None:
        """Until it is cancelled. What fails is not tried again at once: a claim that is lost is another hub's."""
        while True:
            await asyncio.sleep(LEASE_S / 3)
            with contextlib.suppress(StoreUnavailable):
                await self._claim(match)
