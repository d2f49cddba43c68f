"""Legal moves told as changes: the few bytes that name the new ones, and how their reader gets them back.

They are told as what differs from moves that the reader knows: those of the position before, or those that the same
seat had on its last turn (where the two players' moves are different ones, as in checkers), or none at all. The
writer takes what is shortest.
"""

from __future__ import annotations

from collections.abc import Collection

from protocol.messages import LegalBase, LegalChange

_FEW = 2
"""With so few differences to the position before no other way can be shorter."""
_BASE_BYTES = 10
"""What it costs to name another base than the usual one."""


def legal_change(now: Collection[str], last: Collection[str], turn: Collection[str]) -> LegalChange:
    """The change to `now` from the moves of the position before (`last`) or of the same seat's last `turn`."""
    change = _difference(now, last, "last")
    if len(change.add) + len(change.drop) <= _FEW:
        return change
    others = (_difference(now, turn, "turn"), LegalChange(tuple(sorted(now)), base="none"))
    return min((change, *others), key=_size)


def legal_after(change: LegalChange, last: Collection[str], turn: Collection[str]) -> tuple[str, ...]:
    """The moves that `change` leads to."""
    base = {"last": last, "turn": turn, "none": ()}[change.base]
    drop = set(change.drop)
    return (*(move for move in base if move not in drop), *change.add)


def _difference(now: Collection[str], then: Collection[str], base: LegalBase) -> LegalChange:
    new, old = frozenset(now), frozenset(then)
    return LegalChange(tuple(sorted(new - old)), tuple(sorted(old - new)), base)


def _size(change: LegalChange) -> int:
    names = (*change.add, *change.drop)
    return sum(map(len, names)) + len(names) + (change.base != "last") * _BASE_BYTES
