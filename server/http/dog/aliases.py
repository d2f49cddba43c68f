"""Ids as each player sees them. An id is all that a program needs to speak for its player, so nobody is told another's.

A player knows itself by its own id and the others by aliases, which look like ids, stand in the same order on every
side (some games let the lower id begin), and belong to nobody: they are of times in which no program was started. Games
also send ids to each other within moves; those are put into the log as `logged`, and told to each by the id it knows.
Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from server.http.dog.wire import Player

LOGGED = 900_000_000_000
"""What stands in the log for the first player's id is one more; as a time in ms it is in the year 2050."""
SHORTEST = 9
"""Digits from which on a number within a longer text, or one that is no text, is taken for an id."""


def seen(players: Sequence[Player], viewer: int) -> list[str]:
    """The ids of all players, by place, as the player at place `viewer` knows them."""
    own = players[viewer][1]
    if not own.isascii() or not own.isdecimal() or len(own) < SHORTEST:
        return [own if place == viewer else f"{own}-{place + 1}" for place in range(len(players))]
    ranks = [_rank(players, place) for place in range(len(players))]
    lowest, highest = 10 ** (len(own) - 1), 10 ** len(own) - 1 - len(players)
    return [
        own if place == viewer else str((lowest if rank < ranks[viewer] else highest) + rank)
        for place, rank in enumerate(ranks)
    ]


def logged(players: Sequence[Player]) -> list[str]:
    """The ids of all players, by place, as the log has them."""
    return [str(LOGGED + place + 1) for place in range(len(players))]


def said_again(value: Any, old: Sequence[str], new: Sequence[str]) -> Any:
    """Plain data with every id of `old` as the one of `new` at the same place; types and all the rest are kept."""
    ids = dict(zip(old, new, strict=True))
    long = [known for known in ids if len(known) >= SHORTEST and known.isdecimal()]
    within = re.compile(r"(?<!\d)(?:" + "|".join(long) + r")(?!\d)") if long else None

    def text(said: str) -> str:
        if said in ids:
            return ids[said]
        return within.sub(lambda found: ids[found[0]], said) if within is not None else said

    numbers = {int(known): int(ids[known]) for known in long if ids[known].isdecimal()}
    return _with(value, text, numbers)


def _with(value: Any, text: Callable[[str], str], numbers: Mapping[int, int]) -> Any:
    match value:
        case str():
            return text(value)
        case dict():
            return {text(key): _with(item, text, numbers) for key, item in value.items()}
        case list():
            return [_with(item, text, numbers) for item in value]
        case int() if not isinstance(value, bool):
            return numbers.get(value, value)
        case _:
            return value


def _rank(players: Sequence[Player], place: int) -> int:
    """How many ids are lower."""
    own = _height(players[place][1])
    return sum(_height(known) < own for _, known in players)


def _height(player: str) -> tuple[int, str]:
    return (int(player), "") if player.isascii() and player.isdecimal() else (-1, player)
