"""A student's game as its log, where other games have a board: every move whole, as fields and values. Pure.

Which entries there are is in `protocol.events.Moved`. What a program said is anything at all: nothing here trusts it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from client.conversation.cleaning import plain
from protocol import limits
from protocol.messages import Snapshot

STATUS = "match_status"
"""Comes first: it is about this field that two programs disagree."""

SIDES = "Both sides"
"""What leads to the page on which each program's view stands beside the others'."""


class Entry(NamedTuple):
    """One move, or that somebody left; `order` is its number at the gateway, too. Values are JSON."""

    order: int
    by: str
    fields: tuple[tuple[str, str], ...]

    @property
    def head(self) -> str:
        """Which move it is, and whose."""
        return f"{self.order}. {self.by}".rstrip()

    @property
    def line(self) -> str:
        """All of it in one line."""
        return f"{self.head}: {', '.join(' '.join(filter(None, field)) for field in self.fields)}"


def is_log(match: Snapshot) -> bool:
    """Whether the match has no board, and is shown as its log."""
    return match.last is not None and bool(match.last.entry)


def read(log: Sequence[str]) -> list[Entry]:
    """All that was said; the first entry tells who plays, and is no move."""
    players = _players(log[0]) if log else ()
    return [_entry(order, entry, players) for order, entry in enumerate(log) if order]


def newest(log: Sequence[str], order: int, entry: str, seats: tuple[str, ...]) -> Entry:
    """The entry that has just come; `seats` are names for players of whom the log has not told yet."""
    return _entry(order, entry, _players(log[0]) if log else seats)


def page(server: str, match: str) -> str:
    """Where what each program sent stands beside when the others fetched it; `server` is the address of its page."""
    return f"{server.rstrip('/')}/dog/log/{match}" if server else ""


def found(said: Iterable[Entry], words: str) -> list[Entry]:
    """Those in which the words stand, in whatever case, in a name, a field or a value; all for no words."""
    sought = words.casefold().strip()
    return [one for one in said if sought in one.head.casefold() or _holds(one, sought)]


def counted(shown: Sequence[Entry], said: Sequence[Entry], words: str) -> str:
    """How many moves there are, and how many of them are shown."""
    moves = f"{len(said)} move{'' if len(said) == 1 else 's'}"
    return f"{len(shown)} of {moves} with “{words.strip()}”" if words.strip() else moves


def _holds(one: Entry, sought: str) -> bool:
    return any(sought in f"{key}: {value}".casefold() for key, value in one.fields)


@lru_cache(maxsize=limits.MAX_MOVES)
def _entry(order: int, entry: str, players: tuple[str, ...]) -> Entry:
    match _parts(entry):
        case ["move", int(place), dict(said)]:
            fields = sorted(said.items(), key=lambda item: item[0] != STATUS)
            shown = tuple((plain(key), plain(json.dumps(value, ensure_ascii=False))) for key, value in fields)
            return Entry(order, _name(players, place), shown)
        case ["left", int(place)]:
            return Entry(order, _name(players, place), (("", "left" if place >= 0 else "the table was closed"),))
    return Entry(order, "?", (("", plain(entry)),))


def _players(entry: str) -> tuple[str, ...]:
    match _parts(entry):
        case ["seats", _, list(players)]:
            return tuple(plain(str(player[0])) for player in players if isinstance(player, list) and player)
    return ()


def _parts(entry: str) -> Any:
    try:
        return json.loads(entry)
    except (ValueError, RecursionError):
        return None


def _name(players: tuple[str, ...], place: int) -> str:
    return players[place] if 0 <= place < len(players) else ""
