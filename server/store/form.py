"""Which form what is stored has, so that no release half reads what a newer one has written.

The rule for changing it is docs/decisions/13-changing-what-is-kept.md: what an older release may pass over needs no new
form; a release that needs one writes its number here, and none starts where the number is another than its own.
"""

from __future__ import annotations

from typing import Any

from server.store.connection.guarded import guarded
from server.store.connection.unfit import UnfitStore
from server.store.keys import Keys

FORM = 1
"""The form that this release reads and writes. The first one is not written down."""
MAX_DIGITS = 9


class RedisForm:
    """A part of the Redis adapter."""

    keys: Keys
    _reader: Any

    @guarded
    async def demand_usable(self) -> None:
        """Raise UnfitStore for what another release must read, or what is not whole; or StoreUnavailable."""
        found = await self._reader.get(self.keys.form)
        if found is not None and found != b"%d" % FORM:
            told = found.decode() if found.isdigit() and len(found) <= MAX_DIGITS else "that is no number"
            raise UnfitStore(
                f"What is stored here was written by a newer release of Parlour (form {told}; this one reads {FORM}),"
                " and is left alone: start that release, or one after it."
            )
        if await self._reader.exists(self.keys.importing):
            raise UnfitStore(
                "An import into this store has not ended, and what is there is not whole. If it runs no more, import"
                " again into another data folder, database or --prefix."
            )
