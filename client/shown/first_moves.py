"""Whose next move is not charged, for it is the first of that seat (`RU-M2`): as far as a snapshot tells. Pure."""

from __future__ import annotations

from protocol.messages import Snapshot

BOTH = frozenset((0, 1))
_BEFORE_THE_MOVES = 2
"""Events of a match before its first move: it was created, and somebody sat down."""


def uncharged_in(match: Snapshot) -> frozenset[int]:
    """The seats that have not moved: known only while nothing but moves can have happened.

    A move that was taken back has been made, and is charged when it is made again; of that only the number of events is
    left. Where it cannot be known nothing is said of a first move.
    """
    if match.version > _BEFORE_THE_MOVES + match.plies:
        return frozenset()
    if not match.plies:
        return BOTH
    return BOTH - {match.last.seat} if match.plies == 1 and match.last is not None else frozenset()
