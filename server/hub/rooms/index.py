"""Where a match is listed, worked out from its status alone: lobby, who waits, deadlines, players' lists, outbox."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from protocol.messages import ClockRule, OptionValue
from server.match.state import COMPUTER, Match, Status
from server.match.views import summary
from server.store.port import UNCHANGED, Index

HOST_GRACE_MS = 30_000
"""How long a waiting match outlives its host's connection (`B3`, `RU-M5`)."""

_ENCODER = msgspec.msgpack.Encoder()


def group_of(game: str, options: Mapping[str, OptionValue], clock: ClockRule) -> str:
    """The group of matches that quick match takes for the same: game, all options and clock, written out."""
    time = f"{clock.per_move_ms}/{clock.total_ms}+{clock.increment_ms}"
    return ",".join([game, *(f"{name}={options[name]}" for name in sorted(options)), time])


def index_change(before: Match | None, after: Match, now_ms: int) -> Index:
    """What to change in the indexes when a match goes from `before` (None: it is new) to `after`."""
    owed_ms = now_ms if after.rematch and before is not None and not before.rematch else None
    if before is not None and (before.status is after.status or _listed(before) is _listed(after)):
        if before.deadline_ms == after.deadline_ms:
            return Index(owed_ms=owed_ms) if owed_ms else UNCHANGED
        return Index(deadline_ms=after.deadline_ms or 0, owed_ms=owed_ms)
    public = not after.private and not after.solo
    players = _players(after) | (_players(before) if before else set())
    if after.status is Status.ENDED:
        return Index(
            lobby=b"" if public else None, group=_group(after), waiting=False if public else None,
            deadline_ms=0, finished=tuple(players), ended_ms=now_ms if after.plies else None, owed_ms=owed_ms,
        )  # fmt: skip
    waits = after.status is Status.WAITING
    seated = _players(after)
    # A seat that is kept for somebody is offered to nobody else.
    row = b"" if waits and after.reserved else _ENCODER.encode(summary(after))
    offered = public and not after.reserved
    return Index(
        lobby=row if public else None,
        group=_group(after),
        waiting=waits if offered and (waits or before is not None) else None,
        deadline_ms=_host_until_ms(before, now_ms) if waits else after.deadline_ms or 0,
        unfinished=tuple(seated),
        finished=tuple(players - seated),
    )


def _host_until_ms(before: Match | None, now_ms: int) -> int:
    """How long a match waits for its host; one who was away when the guest left again gets no more time by that."""
    if before is not None and before.absence.away[before.host_seat] and before.absence.until_ms is not None:
        return before.absence.until_ms
    return now_ms + HOST_GRACE_MS


def _players(match: Match) -> set[str]:
    return {seat.player for seat in match.seats if seat} - {COMPUTER}


def _listed(match: Match) -> Status:
    """The status as far as lists go: a pause is no change there."""
    return Status.PLAYING if match.status is Status.PAUSED else match.status


def _group(match: Match) -> str:
    return group_of(match.game.name, match.options, match.clock.rule)
