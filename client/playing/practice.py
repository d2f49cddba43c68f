"""Playing on against the computer, from a position of a match that is over. Pure."""

from __future__ import annotations

from protocol.messages import ClockRule, Create, Record, Snapshot


def practice(record: Record, ply: int, match: Snapshot, ref: str) -> Create:
    """The command that goes on after `ply` moves of the match, whose record that is: without a clock, at its level.

    On one's own side; whoever has none alone (who watched, had both, or looks at a saved game) makes the next move.
    """
    return Create(
        ref=ref, game=record.game, options=dict(record.options), computer=True, level=match.level,
        seat=match.you[0] if len(match.you) == 1 else next(iter(record.movers[ply:]), record.to_move or 0),
        clock=ClockRule(), moves=record.moves[:ply],
    )  # fmt: skip
