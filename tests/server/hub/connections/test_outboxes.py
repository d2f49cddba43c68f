"""One bound for all that waits to be written (Q13): the largest is cut first, and memory is given back."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from server.hub.connections import outboxes as module
from server.hub.connections.outboxes import MIB, Outboxes

MOST = 10 * MIB


class Reader:
    """Takes nothing; notes when it was cut."""

    def __init__(self) -> None:
        self.due_bytes = 0
        self.was_cut = False

    def cut(self) -> None:
        assert not self.was_cut
        self.was_cut, self.due_bytes = True, 0


def due(outboxes: Outboxes, readers: Sequence[Reader], by: int) -> None:
    for reader in readers:
        if not reader.was_cut:
            reader.due_bytes += by
            outboxes.grew(reader, by)


def test_the_largest_are_cut_first_and_no_more_than_is_needed() -> None:
    """Q13."""
    outboxes, slow, slower = Outboxes(MOST), [Reader() for _ in range(10)], [Reader() for _ in range(4)]
    due(outboxes, slower, MIB)
    for _ in range(8):
        due(outboxes, slow, MIB // 10)
        due(outboxes, slower, MIB // 20)
        assert sum(reader.due_bytes for reader in (*slow, *slower)) <= MOST
    assert any(reader.was_cut for reader in slower)
    assert not any(reader.was_cut for reader in slow)
    assert outboxes.known <= MOST


def test_what_was_taken_does_not_count() -> None:
    """A hundred times the bound goes through readers who read: nobody is cut."""
    outboxes, readers = Outboxes(MOST), [Reader() for _ in range(10)]
    for _ in range(100):
        due(outboxes, readers, MIB - 1)
        for reader in readers:
            reader.due_bytes = 0
    assert not any(reader.was_cut for reader in readers)
    outboxes.settle()
    assert outboxes.known == 0


def test_who_is_gone_is_forgotten() -> None:
    outboxes, reader = Outboxes(MOST), Reader()
    due(outboxes, [reader], MOST)
    outboxes.lost(reader)
    outboxes.settle()
    assert outboxes.known == 0
    due(outboxes, [Reader()], MOST)
    assert not reader.was_cut


def test_memory_is_given_back_when_most_of_what_waited_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Q13: once, and not for every little."""
    trims: list[int] = []
    monkeypatch.setattr(module, "trim", lambda: trims.append(1))
    outboxes, reader = Outboxes(MOST), Reader()
    for waits in (MIB, 0, 8 * MIB, 6 * MIB):
        reader.due_bytes = 0
        outboxes.settle()
        due(outboxes, [reader], waits)
        outboxes.settle()
    assert not trims[1:]
    trims.clear()
    reader.due_bytes = MIB
    outboxes.settle()
    outboxes.settle()
    assert trims == [1]


def test_giving_back_works_here() -> None:
    """Where the C library knows how; elsewhere it does nothing."""
    module.trim()
