"""No verdict is shown to anybody of a match that goes on, whatever it is asked for as."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from protocol.errors import Code, Refusal
from server.games import AnyGame
from server.hub.rooms.keeper import Keeper
from server.match.fold import parted
from server.match.reviews import among, guards, passing, spoils
from server.match.state import Match, Status
from server.store.port import Store


async def demand_unplayed(
    keeper: Keeper, store: Store, player: str, game: AnyGame, params: Any, moves: Sequence[str], ply: int | None = None
) -> None:
    """Raise Refusal `still_played` while verdicts of a game with these moves would be some of a match of `player`'s.

    That is one which `player` plays, at whatever hub, or watches here. `ply` is where a verdict is asked for, which is
    of the move played there, too; None where any may follow.
    """
    matches = await _matches(keeper, store, player)
    _demand_none(spoils(match, player, game, params, moves) for match in matches)
    guarded = [match.state for match in matches if guards(match, player, game, params)]
    if guarded:
        _demand_none(
            [await keeper.slices.run(passing(game, params, moves if ply is None else moves[: ply + 1], guarded))]
        )


async def demand_none_between_people(keeper: Keeper, store: Store, player: str, game: AnyGame, params: Any) -> None:
    """The same for the computer's answer to a position of this game, which is a verdict, too."""
    _demand_none(spoils(match, player, game, params) for match in await _matches(keeper, store, player))


async def demand_own_position(keeper: Keeper, store: Store, player: str, match: Match, moves: Sequence[str]) -> None:
    """The same for going back to `moves` in a match against the computer; to where it was itself one may."""
    if match.computer and parted(match, moves)[1]:
        await demand_none_between_people(keeper, store, player, match.game, match.params)


async def demand_no_other(keeper: Keeper, store: Store, player: str, own: Match, ply: int) -> None:
    """The same for a verdict of `own`, which is over, after `ply` moves; or for a hint in it, which it counts."""
    game, params = own.game, own.params
    matches = [match for match in await _matches(keeper, store, player) if match.id != own.id]
    _demand_none(spoils(match, player, game, params) for match in matches)
    guarded = [match.state for match in matches if guards(match, player, game, params)]
    if guarded:
        over = own.status is Status.ENDED
        work = passing(game, params, own.moves[: ply + 1], guarded) if over else among(game, own.state, guarded)
        _demand_none([await keeper.slices.run(work)])


async def _matches(keeper: Keeper, store: Store, player: str) -> list[Match]:
    rooms = [room for room in keeper.rooms.values() if room.has(player)]
    known = {room.match.id for room in rooms}
    rooms += [await keeper.room(one) for one in await store.unfinished(player) if one not in known]
    return [room.match for room in rooms]


def _demand_none(spoilt: Iterable[bool]) -> None:
    if any(spoilt):
        raise Refusal(Code.STILL_PLAYED)
