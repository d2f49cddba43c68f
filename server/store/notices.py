"""What hubs tell each other over pub/sub: the wire form of notices, and the one listener of a hub.

Pub/sub is not delivery (`J4`): what is sent while the subscription is down is gone. Every (re)subscription therefore
comes out as `Subscribed`, upon which the hub reads again whatever it follows; and events carry their base version, so
that a gap shows. That it is down comes out as `Unsubscribed`: a hub that hears nothing is not ready, and says so.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import Any

import hiredis
import msgpack
import msgspec
from redis.asyncio import Redis
from redis.exceptions import RedisError

from protocol.errors import StoreSilent, StoreUnavailable
from server.store.aside import NOTICE, Aside
from server.store.connection.bare_link import BareLink
from server.store.connection.guarded import one_error
from server.store.keys import Keys
from server.store.port import (
    AnnouncementNotice,
    AtOnce,
    BeatNotice,
    ChallengeNotice,
    ChatNotice,
    DrainNotice,
    EventsNotice,
    LobbyNotice,
    Notice,
    PresenceNotice,
    Subscribed,
    Unsubscribed,
)

SILENCE_S = 2.0
"""After this long without a message the subscription is pinged."""
LOST_S = 5.0
"""After this long without a message or an answer to a ping the subscription is made anew."""
RETRY_S = 0.5
MAX_UNREAD = 20_000
"""Notices that wait to be followed. A hub that is further behind begins anew: to read all again is less then."""
_MESSAGE, _SUBSCRIBED = b"message", b"subscribe"
_WORDS = 3
"""What Redis pushes to a subscriber has a kind, a channel, and a message or a number."""
_SAID = b"say "
"""How the wire form of ChatNotice begins, which the script `say` writes; the others are msgpack arrays."""
DRAIN = b"drain"
"""The wire form of DrainNotice."""
_PACKED = msgspec.msgpack.Encoder()
_EVENTS = msgspec.msgpack.Decoder(tuple[str, int, list[bytes]])
_PRESENCE = msgspec.msgpack.Decoder(tuple[str])
_PRESENCE_ARRAY = b"\x91"
"""How an array of one thing begins."""
_pack: Callable[[tuple[Any, ...]], bytes] = hiredis.pack_command  # its annotation has tuples of one


def events_notice(match: str, base: int, events: Sequence[bytes]) -> bytes:
    """The wire form of EventsNotice."""
    return _PACKED.encode((match, base, events))


def presence_notice(match: str) -> bytes:
    """The wire form of PresenceNotice."""
    packed: bytes = msgpack.packb([match])
    return packed


class Listener:
    """Subscribes to this hub's channels and those of all, for as long as `notices` is iterated."""

    def __init__(self, client: Redis, keys: Keys, hub: str, aside: Aside, at_once: AtOnce) -> None:
        self._pool: Any = client.connection_pool
        self._aside = aside
        self._at_once = at_once
        self._lobby = keys.lobby_changes
        self._announcements = keys.announcements
        self._challenges = keys.challenges
        self._beats = keys.beat_channel(hub)
        self._hub = keys.hub_channel(hub)

    async def notices(self) -> AsyncIterator[Notice]:
        """All notices; a lost subscription is made anew, and says so by `Subscribed`."""
        channels = self._lobby, self._announcements, self._challenges, self._beats, self._hub
        while True:
            subscription = _Subscription(self._pool, self._readable, self._at_once)
            heard = False
            try:
                await subscription.begin(channels)
                while True:
                    notice = await subscription.next()
                    heard = True
                    if notice is not None:
                        yield notice
            except StoreUnavailable as error:
                why = error.reason
            finally:
                await subscription.end()
            if heard:
                yield Unsubscribed(why)
            else:
                await asyncio.sleep(RETRY_S)

    def _readable(self, push: list[Any]) -> Notice | None:
        """The notice in what was pushed; None when there is none, whatever else there may be: anybody can publish."""
        if len(push) != _WORDS or push[0] not in (_MESSAGE, _SUBSCRIBED):
            return None
        kind, channel, data = push
        try:
            return self._notice(kind, channel.decode(), data)
        except (ValueError, msgspec.MsgspecError, RecursionError) as error:
            name = channel.decode(errors="replace")
            self._aside.note(NOTICE, name, None, f"{type(error).__name__}: {error}", bytes(data))
            return None

    def _notice(self, kind: bytes, channel: str, data: bytes) -> Notice | None:
        if kind == _SUBSCRIBED:
            # The channel named last tells that all are there.
            return Subscribed() if channel == self._hub else None
        if channel == self._lobby:
            change, match, row = data.split(b" ", 2)
            return LobbyNotice(int(change), match.decode(), row or None)
        if channel == self._challenges:
            challenge, by, to = data.decode().split(" ")
            return ChallengeNotice(challenge, (by, to))
        if channel == self._beats:
            return BeatNotice(int(data))
        if channel == self._announcements:
            return AnnouncementNotice(data.decode())
        if data == DRAIN:
            return DrainNotice()
        if data.startswith(_SAID):
            _, name, room, number, line = data.split(b" ", 4)
            return ChatNotice(name.decode(), room.decode(), int(number), line)
        if data.startswith(_PRESENCE_ARRAY):
            return PresenceNotice(*_PRESENCE.decode(data))
        return EventsNotice(*_EVENTS.decode(data))


class _Subscription:
    """What Redis pushes over one connection, until that ends, or falls silent."""

    def __init__(self, pool: Any, read: Callable[[list[Any]], Notice | None], at_once: AtOnce) -> None:
        self._pool = pool
        self._read = read
        self._at_once = at_once
        self._is_waited_for = False
        """Whether all that was pushed is followed, and the next is waited for."""
        self._pushed: asyncio.Queue[Notice | StoreUnavailable | None] = asyncio.Queue()
        self._link: BareLink | None = None
        self._heard = 0.0
        self._timer: asyncio.TimerHandle | None = None

    async def begin(self, channels: Sequence[str]) -> None:
        """Subscribe; that it is done is pushed like all else. Raises StoreUnavailable."""
        with one_error():
            self._link = await BareLink.borrow(self._pool, self._answered, self._ended, self._take)
        self._link.write(_pack(("SUBSCRIBE", *channels)))
        self._heard = time.monotonic()
        self._timer = asyncio.get_running_loop().call_later(SILENCE_S, self._look)

    async def next(self) -> Notice | None:
        """What was pushed next; None for what is no notice. Raises StoreUnavailable when no more will come."""
        self._is_waited_for = True
        try:
            pushed = await self._pushed.get()
        finally:
            self._is_waited_for = False
        if isinstance(pushed, StoreUnavailable):
            raise pushed
        return pushed

    async def end(self) -> None:
        """Give the connection back."""
        if self._timer is not None:
            self._timer.cancel()
        if self._link is not None:
            with suppress(StoreUnavailable), one_error():
                await self._link.give_back()

    def _answered(self, answer: Any) -> None:
        self._heard = time.monotonic()
        if isinstance(answer, RedisError):
            raise answer  # there is no subscription

    def _take(self, push: list[Any]) -> None:
        self._heard = time.monotonic()
        notice = self._read(push)
        if isinstance(notice, EventsNotice) and self._is_waited_for and self._pushed.empty() and self._at_once(notice):
            return
        self._pushed.put_nowait(notice)
        if self._pushed.qsize() > MAX_UNREAD and self._link is not None:
            # All is read again after that, so nothing of it is needed.
            self._pushed = asyncio.Queue()
            self._link.end(StoreSilent("too many notices wait"))

    def _ended(self, link: BareLink, error: StoreUnavailable) -> None:
        self._pushed.put_nowait(error)

    def _look(self) -> None:
        """Whether it is silent for too long; it is pinged before that."""
        assert self._link is not None
        silent_s = time.monotonic() - self._heard
        if silent_s > LOST_S:
            self._link.end(StoreSilent("no answer"))
            return
        if silent_s >= SILENCE_S:
            self._link.write(_pack(("PING",)))
        self._timer = asyncio.get_running_loop().call_later(SILENCE_S, self._look)
