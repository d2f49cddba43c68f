"""Where a match is listed, worked out from its status alone: lobby, who waits, deadlines, its players' lists."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from protocol.messages import OptionValue
from server.match.state import Match, Status
from server.match.views import summary
from server.store.port import Index

HOST_GRACE_MS = 30_000
"""How long a waiting match outlives its host's connection (`B3`, `RU-M5`)."""

_ENCODER = msgspec.msgpack.Encoder()


def group_of(game: str, options: Mapping[str, OptionValue]) -> str:
    """The group of matches that quick match takes for the same: game and all options, written out."""
    return ",".join([game, *(f"{name}={options[name]}" for name in sorted(options))])


def index_change(before: Match | None, after: Match, now_ms: int) -> Index:
    """What to change in the indexes when a match goes from `before` (None: it is new) to `after`."""
    if before is not None and before.status is after.status:
        return Index()
    public = not after.private and not after.both_seats
    players = tuple({seat.player for seat in (*after.seats, *(before.seats if before else ())) if seat})
    if after.status is Status.ENDED:
        return Index(
            lobby=b"" if public else None, group=_group(after), waiting=False if public else None,
            deadline_ms=0, finished=players,
        )  # fmt: skip
    waits = after.status is Status.WAITING
    seated = tuple({seat.player for seat in after.seats if seat})
    return Index(
        lobby=_ENCODER.encode(summary(after)) if public else None,
        group=_group(after),
        waiting=waits if public and (waits or before is not None) else None,
        deadline_ms=now_ms + HOST_GRACE_MS if waits else 0,
        unfinished=seated,
        finished=tuple(set(players) - set(seated)),
    )


def _group(match: Match) -> str:
    return group_of(match.game.name, match.options)
