"""Playing on against the computer, from a position of a match that is over. Pure."""

from __future__ import annotations

from protocol.messages import ClockRule, Create, Record


def practice(record: Record, ply: int, you: tuple[int, ...], ref: str) -> Create:
    """The command that goes on after `ply` moves of the record: on one's own side, without a clock."""
    return Create(
        ref=ref, game=record.game, options=dict(record.options), computer=True, seat=you[0] if len(you) == 1 else 0,
        clock=ClockRule(), moves=record.moves[:ply],
    )  # fmt: skip
