"""Opinions of positions, thought of in the engine room."""

from __future__ import annotations

from typing import Any

import msgspec
import structlog

from protocol.errors import Code, ParlourError
from protocol.text import Text
from server.bots.engine_room import LESS, EngineRoom, NoMove
from server.bots.worker import Asked, Clause, Found
from server.games import AnyGame
from server.games.levels import HARD, MASTER
from server.hub.advice import Opinion

SEED = 1
"""The same question has the same answer."""

log = structlog.get_logger(__name__)


class Advisor:
    """A `Thinker` over one engine room."""

    def __init__(self, engine_room: EngineRoom) -> None:
        self._engine_room = engine_room

    @property
    def is_busy(self) -> bool:
        """Whether so many questions wait that no more are taken."""
        return self._engine_room.is_busy

    async def judge(self, player: str, game: AnyGame, state: Any, *, played: str, share: float | None) -> Opinion:
        """See `Thinker.judge`. Raises `busy` where too many wait, or a worker hung or died."""
        if self.is_busy:
            # Others came while this one was made ready, all at once perhaps: none is queued beyond the bound.
            raise ParlourError(Code.BUSY)
        asked = Asked(
            game.name,
            msgspec.json.encode(state).decode(),
            MASTER if share is None else HARD,
            SEED,
            1.0 if share is None else share,
            judge=True,
            played=played,
        )
        try:
            found = await self._think(player, asked)
        except NoMove as error:
            log.warning("a position could not be judged", game=game.name, error=str(error))
            raise ParlourError(Code.BUSY) from error
        if found.instead:
            log.error("the game's own words or values failed, and the rules alone judged", game=game.name,
                      error=found.instead)  # fmt: skip
        lead = -found.lead if game.to_move(state) == 1 else found.lead
        return Opinion(found.move, lead, found.exact, _text(found.remark), _text(found.of_played), found.less)

    async def _think(self, player: str, asked: Asked) -> Found:
        """Once more for less where a worker hung or died, as with a move. Raises NoMove."""
        try:
            return await self._engine_room.think(player, asked)
        except NoMove:
            less = msgspec.structs.replace(asked, share=asked.share * LESS)
            return msgspec.structs.replace(await self._engine_room.think(player, less), less=True)


def _text(clause: Clause | None) -> Text | None:
    return clause.text() if clause is not None else None
