"""Halls in the store. A change is judged on what stands there and put in its place, or judged again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import msgspec

from protocol.errors import Code, ParlourError, StoreUnavailable
from server.http.dog.halls import Hall, decode, encode
from server.hub.concurrency.locks import NamedLocks
from server.store.port import Store

TRIES = 30
"""How often a change is judged again because another hub was quicker."""
MAX_HALLS = 500
"""Different games at one hub at once; a university has some dozens in a term."""
FRESH_S = 0.3
"""What was read is taken for true for so long; another hub's pairing is heard of after that time at most."""

Change = Callable[[Hall], Hall]


class Bell:
    """Wakes those who wait. Take `next` first, then look, then wait: nothing that rings meanwhile is missed."""

    def __init__(self) -> None:
        self.next = asyncio.Event()

    def ring(self) -> None:
        """Wake everybody."""
        rung, self.next = self.next, asyncio.Event()
        rung.set()


class HallBook:
    """The halls that this hub has to do with."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: dict[str, tuple[float, bytes, Hall]] = {}
        self._locks = NamedLocks()
        self._failed = float("-inf")
        self._bells: dict[str, Bell] = {}

    @property
    def names(self) -> list[str]:
        """The halls that this hub knows of."""
        return list(self._read)

    @property
    def known(self) -> list[Hall]:
        """Those halls, as they were read last."""
        return [hall for _, _, hall in self._read.values()]

    def has_room_for(self, name: str) -> bool:
        """Whether this hub takes one more hall."""
        return name in self._read or len(self._read) < MAX_HALLS

    def bell(self, name: str) -> Bell:
        """Rings when this hub has changed the hall."""
        return self._bells.setdefault(name, Bell())

    async def hall(self, name: str) -> Hall:
        """The hall, at most FRESH_S old; older when the store is away and it was known. Raises StoreUnavailable."""
        if (fresh := self._fresh(name)) is not None:
            return fresh
        try:
            async with self._in_turn(name):
                # Another may have looked while this one waited.
                return self._fresh(name) or (await self._look(name))[1]
        except StoreUnavailable:
            if (known := self._read.get(name)) is None:
                raise
            return known[2]

    async def change(self, name: str, change: Change) -> Hall:
        """The hall after `change`, stored. Raises what `change` raises, StoreUnavailable, or `busy`."""
        async with self._in_turn(name):
            for _ in range(TRIES):
                data, hall = await self._look(name)
                changed = change(hall)
                if changed is hall:
                    return hall
                new = encode(changed)
                if await self._store.replace_document(_document(name), data, new):
                    self._read[name] = (time.monotonic(), new, changed)
                    self.bell(name).ring()
                    return changed
        raise ParlourError(Code.BUSY)

    def forget(self, name: str) -> None:
        """Nobody is in the hall."""
        self._read.pop(name, None)
        self._bells.pop(name, None)

    @asynccontextmanager
    async def _in_turn(self, name: str) -> AsyncIterator[None]:
        """One at a time. Whoever waited while the store gave no answer need not find that out once more."""
        asked = time.monotonic()
        async with self._locks.holding(name):
            if self._failed > asked:
                raise StoreUnavailable("it gave no answer just now")
            try:
                yield
            except StoreUnavailable:
                self._failed = time.monotonic()
                raise

    def _fresh(self, name: str) -> Hall | None:
        known = self._read.get(name)
        return known[2] if known is not None and time.monotonic() - known[0] < FRESH_S else None

    async def _look(self, name: str) -> tuple[bytes, Hall]:
        data = await self._store.document(_document(name))
        try:
            hall = decode(data)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            # Whoever comes next begins a new one in its place.
            self._store.note_unusable("document", _document(name), error, data)
            hall = Hall()
        if hall.guests:
            self._read[name] = (time.monotonic(), data, hall)
        else:
            # Anybody can ask for any hall; only those that somebody is in are kept in mind.
            self.forget(name)
        return data, hall


def _document(name: str) -> str:
    return f"dog:hall:{name}"
