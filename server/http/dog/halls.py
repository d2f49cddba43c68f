"""A hall: everybody who runs one students' game, who of them is paired with whom, and what they know of it. Pure.

All changes are functions from one frozen hall to the next, so that they can be tried again on a newer one when another
hub was quicker. Times are ms of the shared clock.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from server.http.dog.wire import Player

MAX_GUESTS = 500
"""Players of one game at once: ten classes."""


class Stage(StrEnum):
    """What a player knows of its match, or that it has none. What its program does is seen from what it asks for."""

    NEW = "new"
    """Registered, and has asked for nothing yet."""
    ASKING = "asking"
    """Without a match, and its last call asked for one (`started/`): only such a guest can be drafted."""
    DONE = "done"
    """Knows that its match is over, since it said so or was told; soon it asks for another one."""
    LINGERING = "lingering"
    """Its match ended with a word that its library does not know (`end`, `finalize`): it goes on asking for moves. So
    that nothing covers what its game shows, it is told only when somebody of its game looks for others to play with."""
    OUSTED = "ousted"
    """Without a match, and does not know it: the next time it asks for moves it is told."""
    UNTOLD = "untold"
    """Paired by somebody else."""
    TOLD_BY_START = "told_by_start"
    """The answer to its own `start/` said so: `started/` must not say it a second time."""
    TOLD_BY_STARTED = "told_by_started"
    """`started/` said so; asked again, the answer was lost and is given again."""
    PLAYING = "playing"
    """It has asked for moves. A client asks one thing after the other, so one that then asks `started/` is done."""


class Guest(msgspec.Struct, frozen=True):
    """A registered player. `match` is "" for one that is in none; `since_ms` is since when it is at its stage."""

    name: str
    since_ms: int = msgspec.field(name="came_ms")
    seen_ms: int
    match: str = ""
    stage: Stage = Stage.NEW
    ref: str = ""
    """The registration's own name, if it has one: sent again it is the same."""
    recalled: bool = False
    """Its match is over, which it may not have heard yet, and somebody of its game has looked for others since."""


class Pairing(msgspec.Struct, frozen=True):
    """A match to be: all that its log starts with, so that whoever needs it first can open it."""

    table: str
    """The id that holds both seats (see `server.match.relaying`)."""
    created_ms: int
    players: tuple[Player, ...]
    title: str = ""
    """What the game is called where matches are listed."""

    def place(self, player: str) -> int:
        """The player's place in the turn order, from 0."""
        return [known for _, known in self.players].index(player)


class Hall(msgspec.Struct, frozen=True):
    """Guests by id, pairings by match; `title` is what people call the game, or the table."""

    guests: dict[str, Guest] = {}
    pairings: dict[str, Pairing] = {}
    title: str = ""


class Full(Exception):
    """The hall, or the id, is taken."""


Alive = Callable[[str, Guest], bool]
_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Hall)


def encode(hall: Hall) -> bytes:
    """The stored form; b"" for an empty hall."""
    return _ENCODER.encode(hall) if hall.guests else b""


def decode(data: bytes) -> Hall:
    """The hall that is stored as `data`."""
    return _DECODER.decode(data) if data else Hall()


def register(hall: Hall, player: str, name: str, now_ms: int, alive: Alive, ref: str = "", title: str = "") -> Hall:
    """A new guest. Raises Full while somebody lives under that id: two clients started in one moment have the same."""
    known, new = hall.guests.get(player), Guest(name, now_ms, now_ms, ref=ref)
    if known is not None and (known == new or (ref and known.ref == ref)):
        return hall  # stored by the try before, whose answer was lost
    if known is not None and (known.match or alive(player, known)):
        raise Full("this id is taken")
    if known is None and len(hall.guests) >= MAX_GUESTS:
        raise Full("too many players")
    return replace(_put(hall, {player: new}), title=title)


def pair(hall: Hall, player: str, count: int, match: str, pairing: Pairing, alive: Alive) -> Hall | None:
    """The hall with `player` and those who have waited longest in `match`; None when they are too few."""
    idle = [
        (guest.since_ms, other)
        for other, guest in hall.guests.items()
        if other != player and guest.stage is Stage.ASKING and alive(other, guest)
    ]
    if len(idle) < count - 1:
        return None
    together = [player, *(other for _, other in sorted(idle)[: count - 1])]
    made = replace(pairing, players=tuple((hall.guests[one].name, one) for one in together))
    now_ms = pairing.created_ms
    seated = {
        one: replace(hall.guests[one], match=match, stage=Stage.UNTOLD, since_ms=now_ms) for one in together
    }  # fmt: skip
    seated[player] = replace(seated[player], stage=Stage.TOLD_BY_START)
    return replace(_put(hall, seated), pairings={**hall.pairings, match: made})


def recall(hall: Hall, ended: Container[str], now_ms: int) -> Hall:
    """Too few ask for a match: those who still ask for moves of one that is over are told so at last.

    Who is in one of the `ended` matches has not heard its last move, or is hearing it just now, and is told after that.
    """
    lingering = {
        player: replace(guest, stage=Stage.OUSTED, since_ms=now_ms)
        for player, guest in hall.guests.items()
        if guest.stage is Stage.LINGERING
    }
    later = {
        player: replace(guest, recalled=True)
        for player, guest in hall.guests.items()
        if guest.match in ended and not guest.recalled
    }
    return _put(hall, lingering | later)


def at_stage(hall: Hall, player: str, match: str, stage: Stage, now_ms: int) -> Hall:
    """The player has learnt more of that match ("" for that it is in none)."""
    guest = hall.guests.get(player)
    if guest is None or guest.match != match or guest.stage is stage:
        return hall
    return _put(hall, {player: replace(guest, stage=stage, since_ms=now_ms)})


def free(hall: Hall, player: str, match: str, stage: Stage, now_ms: int) -> Hall:
    """The player is in that match no more; `stage` is what it knows of that."""
    guest = hall.guests.get(player)
    if guest is None or guest.match != match:
        return hall
    if guest.recalled and stage is Stage.LINGERING:
        stage = Stage.OUSTED
    return _pruned(_put(hall, {player: replace(guest, match="", stage=stage, since_ms=now_ms, recalled=False)}))


def seen(hall: Hall, times_ms: Mapping[str, int]) -> Hall:
    """When these players called last."""
    later = {
        player: replace(hall.guests[player], seen_ms=time_ms)
        for player, time_ms in times_ms.items()
        if player in hall.guests and hall.guests[player].seen_ms < time_ms
    }
    return _put(hall, later)


def without(hall: Hall, gone: set[str]) -> Hall:
    """The hall without idle guests who are gone for good."""
    gone = {player for player in gone if player in hall.guests and not hall.guests[player].match}
    if not gone:
        return hall
    return replace(hall, guests={player: guest for player, guest in hall.guests.items() if player not in gone})


def _put(hall: Hall, guests: Mapping[str, Guest]) -> Hall:
    if not guests:
        return hall
    return replace(hall, guests={**hall.guests, **guests})


def _pruned(hall: Hall) -> Hall:
    used = {guest.match for guest in hall.guests.values()}
    return replace(hall, pairings={match: made for match, made in hall.pairings.items() if match in used})
