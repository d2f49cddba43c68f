"""No verdict is shown to anybody of a match that goes on, whatever it is asked for as."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protocol.errors import Code, Refusal
from server.games import AnyGame
from server.hub.rooms.keeper import Keeper
from server.match.reviews import spoils
from server.store.port import Store


async def demand_unplayed(
    keeper: Keeper, store: Store, player: str, game: AnyGame, params: Any, moves: Sequence[str] = ()
) -> None:
    """Raise Refusal `still_played` while verdicts of a game with these moves would be some of a match of `player`'s.

    That is one which `player` plays, at whatever hub, or watches here. Without moves it is asked about a match that is
    over, or in which a hint was asked for.
    """
    rooms = [room for room in keeper.rooms.values() if room.has(player)]
    known = {room.match.id for room in rooms}
    rooms += [await keeper.room(one) for one in await store.unfinished(player) if one not in known]
    if any(spoils(room.match, player, game, params, moves) for room in rooms):
        raise Refusal(Code.STILL_PLAYED)
