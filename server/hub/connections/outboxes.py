"""What waits to be written: a bound for each connection, and one for all of a hub, where the largest is cut first.

Each outbox has its own bound, but ten thousand of them together would be more than any machine has. What was waiting
is given back to the system: the C library keeps freed memory for later, as much as there ever was.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable
from functools import cache
from typing import Protocol

from protocol.commands import Command
from protocol.messages import Message
from server.hub.limits.settings import Meter, Rate
from server.hub.metrics import LAGGING
from server.hub.viewers.frames import make_frame
from server.hub.viewers.viewer import Form, Viewer

OUTBOX_HIGH = 256 * 1024
"""Bytes that may wait to be written. Above it events are dropped for a snapshot later: it is more than a thousand
moves, or the largest snapshot twice."""
OUTBOX_LOW = 32 * 1024
OUTBOX_CUT = 2 * 1024 * 1024
"""What is told unasked and not dropped may pile up to this; then the connection is cut. Answers do not: nothing is read
from a connection whose outbox is full."""
MIB = 1024 * 1024
LESS = 0.75
"""When too much waits, so much of the bound is left afterwards, so that it is not at once too much again."""
WORTH_TRIMMING = 4 * MIB
"""What must have been waiting before memory is given back; less would not be worth the look."""


NOTHING: frozenset[str] = frozenset()
"""One for all: an empty set takes 200 bytes."""


class Link(Protocol):
    """A connection, as far as its outbox knows it."""

    address: str

    def write_frame(self, frame: bytes, bound: int) -> bool:
        """Hand a frame on unless more than `bound` bytes wait already."""

    def hold(self) -> None:
        """Keep frames back until `release`, if nothing waits to be written."""

    def release(self) -> None:
        """Write what was kept back, at once."""

    def lags(self) -> None:
        """It takes no more for now: it is to be looked after."""


class _Gone:
    """In place of a connection that has ended."""

    address = ""

    def write_frame(self, frame: bytes, bound: int) -> bool:
        return True

    def hold(self) -> None:
        return

    def release(self) -> None:
        return

    def lags(self) -> None:
        return


GONE = _Gone()


class Outbox(Viewer):
    """A viewer behind one connection. Nothing here waits: the transport buffers, and the bounds above rule."""

    def __init__(self, connection: Link, form: Form, rates: dict[type[Command], Rate]) -> None:
        self.form = form
        self._connection = connection
        self.address = connection.address
        self.meter: Meter = Meter(rates)
        self.counted = ""
        """The player among whose connections this one is counted."""
        self.lagging_since: float | None = None
        self._missed = NOTHING

    def send(self, message: Message) -> None:
        self._connection.write_frame(make_frame(self.form.codec, message), OUTBOX_CUT)

    def send_shared(self, frame: bytes, source: str) -> None:
        if self.lagging_since is None:
            if self._connection.write_frame(frame, OUTBOX_HIGH):
                return
            self.lagging_since = time.monotonic()
            LAGGING.labels("resynchronised").inc()
            self._connection.lags()
        self._missed |= {source}

    def begin_write(self) -> None:
        self._connection.hold()

    def end_write(self) -> None:
        self._connection.release()

    def let_go(self) -> None:
        """The connection has ended: nothing is sent any more, and nothing of it is held."""
        self._connection = GONE

    def take_missed(self) -> frozenset[str]:
        """What was dropped; the viewer takes events again from now on."""
        missed, self._missed, self.lagging_since = self._missed, NOTHING, None
        return missed


class Due(Protocol):
    """Somebody to whom something is due."""

    @property
    def due_bytes(self) -> int:
        """What waits to be written."""

    def cut(self) -> None:
        """End it, and let go of all that waits."""


class Outboxes:
    """What waits to be written, of all connections together."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._behind: set[Due] = set()
        self._known = 0
        self._peak = 0

    @property
    def known(self) -> int:
        """Bytes that wait, at most; exact after `settle`."""
        return self._known

    def grew(self, one: Due, by: int) -> None:
        """So much more waits for `one`; if that is too much for all together, those with the most are cut."""
        self._behind.add(one)
        self._known += by
        if self._known > self._most:
            self._cut_largest()

    def lost(self, one: Due) -> None:
        """A connection is gone."""
        self._behind.discard(one)

    def settle(self) -> None:
        """See what waits now; give memory back when most of what was waiting is gone."""
        self._count()
        self._peak = max(self._peak, self._known)
        if self._peak >= WORTH_TRIMMING and self._known <= self._peak // 4:
            self._peak = self._known
            trim()

    def _count(self) -> list[tuple[int, Due]]:
        sizes = [(one.due_bytes, one) for one in self._behind]
        self._behind = {one for size, one in sizes if size}
        self._known = sum(size for size, _ in sizes)
        return sizes

    def _cut_largest(self) -> None:
        sizes = self._count()
        self._peak = max(self._peak, self._known)
        if self._known <= self._most:
            return
        for size, one in sorted(sizes, key=lambda each: each[0], reverse=True):
            if self._known <= self._most * LESS:
                return
            self._known -= size
            self.lost(one)
            one.cut()


@cache
def _malloc_trim() -> Callable[[int], int] | None:
    """The C library's own way to give memory back; only glibc has it, and others need none."""
    if sys.platform != "linux":
        return None
    try:
        return ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return None


def trim() -> None:
    """Give freed memory back to the system where the C library would keep it."""
    give_back = _malloc_trim()
    if give_back is not None:
        give_back(0)
