"""Answers that are held until there is something to tell, and work that is tried again while the store is away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NamedTuple, TypeVar

from protocol.errors import Code, OutcomeUnknown, ParlourError, StoreUnavailable
from server.http.dog.book import Bell
from server.http.dog.presence import Presence
from server.http.dog.tables import wait_for_any
from server.http.dog.wire import Reply, Who

HOLD_S = 20.0
"""An answer is held at most so long: a client knows no timeout, but what lies between may."""
LOOK_S = 0.5
"""A held call looks by itself this often, for what other hubs did and for a store that has come back."""
RETRY_S = 0.2
MAX_HELD = 4_000

T = TypeVar("T")


async def nothing_more() -> None:
    """What is to be done after most answers."""


class Answer(NamedTuple):
    """A reply, and what is to be done once it has gone out."""

    reply: Reply
    after: Callable[[], Awaitable[None]] = nothing_more


Look = Callable[[], Awaitable[Answer | None]]


class Holds:
    """The calls that are held at this hub."""

    def __init__(self, presence: Presence, hold_s: float = HOLD_S) -> None:
        self._presence = presence
        self._hold_s = hold_s
        self._newest: dict[tuple[str, Who], asyncio.Event] = {}
        self._stopping = asyncio.Event()

    def release(self) -> None:
        """The hub stops: answer all that is held."""
        self._stopping.set()

    async def held(
        self, path: str, who: Who, gone: asyncio.Event, bell: Callable[[], Bell], look: Look, nothing: Reply
    ) -> Answer:
        """Look now, at every ring and twice a second, until there is an answer or it is time to say that there is none.

        A newer call of the same player on the same path takes the place of this one.
        """
        until = time.monotonic() + (self._hold_s if len(self._newest) < MAX_HELD else 0)
        replaced = asyncio.Event()
        if (older := self._newest.get((path, who))) is not None:
            older.set()
        self._newest[path, who] = replaced
        self._presence.begin(who)
        try:
            while not gone.is_set() and not replaced.is_set():
                ring = bell().next
                # While the store is away nothing new is known; it is looked for again.
                with suppress(StoreUnavailable):
                    if (answer := await look()) is not None:
                        return answer
                left_s = until - time.monotonic()
                if left_s <= 0 or self._stopping.is_set():
                    break
                await wait_for_any(min(left_s, LOOK_S), ring, gone, replaced, self._stopping)
            return Answer(nothing)
        finally:
            self._presence.end(who, broken=gone.is_set())
            if self._newest.get((path, who)) is replaced:
                del self._newest[path, who]


async def patiently(limit_s: float, work: Callable[[], Awaitable[T]]) -> T:
    """Try `work` again while the store is away, for at most `limit_s`.

    Raises StoreUnavailable after that, or OutcomeUnknown when one of the tries may have done it.
    """
    in_doubt = False
    trying = True
    try:
        async with asyncio.timeout(limit_s):
            while True:
                try:
                    trying = True
                    return await work()
                except ParlourError as error:
                    if not isinstance(error, StoreUnavailable) and error.code != Code.BUSY:
                        raise
                    in_doubt = in_doubt or isinstance(error, OutcomeUnknown)
                trying = False
                await asyncio.sleep(RETRY_S)
    except TimeoutError:
        kind = OutcomeUnknown if in_doubt or trying else StoreUnavailable
        raise kind(f"no answer within {limit_s:.0f} s") from None
