"""Legal moves told as changes: the few bytes that name the new ones, and how their reader gets them back.

They are told as what differs from moves that the reader knows: those of the position before without the one that was
played, or those that the same seat had on its last turn (where the two players' moves are different ones, as in
checkers), or none at all. The writer takes what is shortest; often nothing needs to be said.
"""

from __future__ import annotations

from collections.abc import Collection

from protocol.messages import LegalBase, LegalChange

_FEW = 2
"""With so few differences to the position before no other way can be shorter."""
_BASE_BYTES = 5
"""What it costs to name another base than the usual one."""


def legal_change(now: Collection[str], last: Collection[str], turn: Collection[str], played: str) -> LegalChange | None:
    """How the moves that are legal `now` are told together with the move `played`.

    As a change from those of the position before (`last`) or of the same seat's last `turn`; None when `played` is
    legal no more and nothing else has changed.
    """
    now, last = frozenset(now), frozenset(last)
    if played in last and played not in now and len(now) == len(last) - 1 and now <= last:
        return None
    change = _difference(now, last - {played}, "last")
    if len(change.add) + len(change.drop) <= _FEW:
        return change if change.add or change.drop else None
    others = (_difference(now, turn, "turn"), LegalChange(tuple(sorted(now)), base="none"))
    return min((change, *others), key=_size)


def legal_after(
    change: LegalChange | None, last: Collection[str], turn: Collection[str], played: str
) -> tuple[str, ...]:
    """The moves that `change` leads to, told with the move `played`."""
    change = change or LegalChange()
    base = {"last": last, "turn": turn, "none": ()}[change.base]
    drop = {*change.drop, played} if change.base == "last" else set(change.drop)
    return (*(move for move in base if move not in drop), *change.add)


def _difference(now: Collection[str], then: Collection[str], base: LegalBase) -> LegalChange:
    new, old = frozenset(now), frozenset(then)
    return LegalChange(tuple(sorted(new - old)), tuple(sorted(old - new)), base)


def _size(change: LegalChange) -> int:
    names = (*change.add, *change.drop)
    return sum(map(len, names)) + len(names) + (change.base != "last") * _BASE_BYTES
