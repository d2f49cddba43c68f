"""Events to append to a log, and the way to do so."""

from __future__ import annotations

from server.store.port import (
    Append,
    Appended,
    Store,
)
from server.store.receipts import Receipt


def events(first: int, last: int) -> list[bytes]:
    """The events of versions `first` to `last`."""
    return [b"event %d" % number for number in range(first, last + 1)]


async def append(store: Store, base: int, count: int = 1, match: str = "m", **more: object) -> Appended | Receipt:
    """Append `count` events to a log whose last version is `base`."""
    return await store.append(Append(match=match, base=base, events=events(base + 1, base + count), **more))  # type: ignore[arg-type]
