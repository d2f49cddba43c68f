"""Waiting for a store that is not there yet, and for none that will never do."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from protocol.errors import StoreUnavailable
from server.listening import StartError
from server.store.connection.unfit import UnfitStore, is_forbidden, lacking, look, why_never
from server.store.redis_store import RedisStore

T = TypeVar("T")

STORE_WAIT_S = 60.0
"""How long a hub waits at its start for a Redis that is not there yet, or still loads."""
STORE_LOOK_S = 0.2

log = structlog.get_logger(__name__)


async def meet(store: RedisStore) -> str:
    """Wait until the store answers, and say what an acknowledgement is worth with it; returns that in a word.

    Raises StartError when it does not come, UnfitStore when it is no store for a hub, or for none of this release.
    """
    await wait_for(store, store.beat)
    durability = await wait_for(store, store.durability)
    if missing := await wait_for(store, store.lacking_rights):
        raise lacking(missing, store.address)
    await wait_for(store, store.demand_usable)
    say = log.info if durability.level == "always" else log.warning
    say("store", durability=durability.level, says=durability.sentence)
    return durability.level


async def wait_for(store: RedisStore, work: Callable[[], Awaitable[T]]) -> T:
    """Do what needs the store, again until it answers. Raises StartError when that takes too long.

    Raises UnfitStore at once for what no waiting mends.
    """
    deadline = time.monotonic() + STORE_WAIT_S
    told = False
    while True:
        try:
            return await work()
        except StoreUnavailable as error:
            await _judge(store, error, first=not told)
            if time.monotonic() > deadline:
                raise StartError(f"The store does not answer: {error.reason}") from None
            if not told:
                log.warning("waiting for the store", reason=error.reason)
                told = True
            await asyncio.sleep(STORE_LOOK_S)


async def _judge(store: RedisStore, error: StoreUnavailable, *, first: bool) -> None:
    """Raise UnfitStore if there is no reason to wait: for one that answers and will never do (`J3`)."""
    with contextlib.suppress(StoreUnavailable):
        if is_forbidden(error) and (missing := await store.lacking_rights()):
            raise lacking(missing, store.address) from None
    if why := why_never(error, store.address):
        raise UnfitStore(why) from None
    with contextlib.suppress(StoreUnavailable):
        await store.durability()
        return
    # What speaks in another way than it is asked says nothing at all.
    if first and (why := await look(store.address)):
        raise UnfitStore(why) from None
