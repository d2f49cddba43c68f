"""What hubs tell and learn by beating: who lives, the shared time, outages, whether the data was loaded anew, and
whether there is anything to do."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import Any

from server.store.aside import MAX_DIGITS, Aside, fitting
from server.store.connection.guarded import guarded
from server.store.connection.pipe import ScriptPipe, Words
from server.store.deadlines import FirstDeadline
from server.store.keys import Keys
from server.store.port import Beat

HUB_LIFETIME_MS = 6_000
"""A hub that was silent for this long is taken for dead; hubs beat twice a second, and every 0.75 s where nobody is."""
OUTAGE_MS = 2_000
"""When all hubs were silent for longer than this, nobody is charged for that time (`D5`)."""
RETURN_MS = 3_000
"""After an outage clients need a moment to come back; it counts as part of it."""
EPOCH_BYTES = 6


def _new_epoch() -> str:
    return secrets.token_hex(EPOCH_BYTES)


class RedisBeats:
    """The part of the Redis adapter."""

    hub: str
    keys: Keys
    _reader: Any
    _pipe: ScriptPipe
    _offset_ms: float
    _latest_ms: int
    _first_deadline: FirstDeadline
    aside: Aside
    _texts: Callable[[str, str, Iterable[bytes]], Iterable[str]]

    def _start_clock(self) -> None:
        """Begin with this machine's time; the first beat corrects it."""
        self._offset_ms = time.time() * 1000 - time.monotonic() * 1000
        self._latest_ms = 0
        self._first_deadline = FirstDeadline()
        self.first_owed_ms = inf

    def _epoch(self) -> tuple[str, Sequence[str], Words]:
        """The script that says which epoch it is, and begins another one after a load (`Q9`)."""
        return "epoch", [self.keys.epoch], [_new_epoch()]

    @fitting(
        lambda keys, *_: keys.hubs,
        lambda keys, *_: keys.beat,
        lambda keys, *_: keys.outages,
        lambda keys, *_: keys.deadlines,
        lambda keys, *_: keys.outbox,
    )
    async def beat(self, outage_from_ms: int = 0) -> Beat:
        names = self.keys
        keys = [names.hubs, names.beat, names.outages, names.epoch, names.deadlines, names.outbox]
        words: list[str | bytes | int] = [
            self.hub, HUB_LIFETIME_MS, OUTAGE_MS, RETURN_MS, outage_from_ms, names.beat_channel(""), _new_epoch(),
        ]  # fmt: skip
        asked_ms = time.monotonic() * 1000
        self._first_deadline.asked()
        shared_ms, hubs, outages, last_ms, epoch, deadline_ms, owed_ms = await self._pipe.run("beat", keys, words)
        self._first_deadline.told(float(deadline_ms or inf))
        self.first_owed_ms = float(owed_ms or inf)
        self._offset_ms = int(shared_ms) - (asked_ms + time.monotonic() * 1000) / 2
        times = tuple(filter(None, map(self._outage, outages)))
        return Beat(self._hubs(hubs), times, bytes(epoch).decode(), int(shared_ms), int(last_ms))

    def _hubs(self, members: Iterable[bytes]) -> set[str]:
        return set(self._texts("hub", self.keys.hubs, members))

    def _outage(self, outage: bytes) -> tuple[int, int] | None:
        times = outage.split()
        if len(times) == 2 and all(time.isdigit() and len(time) < MAX_DIGITS for time in times):
            return int(times[0]), int(times[1])
        self.aside.note("outage", self.keys.outages, outage, "not two times", outage)
        return None

    @guarded
    async def take_time(self) -> None:
        """Take the shared time without counting as a hub."""
        asked_ms = time.monotonic() * 1000
        seconds, micros = await self._reader.time()
        self._offset_ms = seconds * 1000 + micros / 1000 - (asked_ms + time.monotonic() * 1000) / 2

    @fitting(lambda keys: keys.draining)
    @guarded
    async def retreat(self) -> set[str]:
        pipe = self._reader.pipeline(transaction=False)
        pipe.zadd(self.keys.draining, {self.hub: self.now_ms()})
        pipe.zrange(self.keys.draining, 0, -1)
        pipe.zrange(self.keys.hubs, 0, -1)
        _, said, lives = await pipe.execute()
        if dead := set(said) - set(lives):
            # One that was killed while it was drained; one that lives and was only silent says so again.
            await self._reader.zrem(self.keys.draining, *dead)
        return set(self._texts("hub", self.keys.draining, said))

    @guarded
    async def farewell(self) -> set[str]:
        """This hub stops: returns the hubs that live on."""
        pipe = self._reader.pipeline(transaction=False)
        pipe.zrem(self.keys.draining, self.hub)
        pipe.zrem(self.keys.hubs, self.hub)
        pipe.zrange(self.keys.hubs, 0, -1)
        return self._hubs((await pipe.execute())[2])

    def now_ms(self) -> int:
        """The shared clock: never goes back."""
        now_ms = int(time.monotonic() * 1000 + self._offset_ms)
        if now_ms > self._latest_ms:
            self._latest_ms = now_ms
        return self._latest_ms
