"""A whole match of Dots and Boxes between two who are there, by the protocol alone."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.messages import Snapshot
from tests.driver import Client


async def play_out(players: Sequence[Client], *, dots: int) -> Snapshot:
    """Play on a board of so many dots a side, each move once the one before is told; returns the match as it began."""
    match = (await players[0].create("dots-and-boxes", options={"width": dots, "height": dots})).match
    begun = await players[1].join(match)
    left, version, turn = sorted(begun.legal), begun.version, begun.to_move
    while left:
        assert turn is not None
        before = version
        version = (await players[turn].move(match, version, left.pop())).version
        turn = (await players[1 - turn].moved(before + 1)).to_move
    return begun
