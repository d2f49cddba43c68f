"""What hubs tell each other over pub/sub: the wire form of notices, and the one listener of a hub.

Pub/sub is not delivery (`J4`): what is sent while the subscription is down is gone. Every (re)subscription therefore
comes out as `Subscribed`, upon which the hub reads again whatever it follows; and events carry their base version, so
that a gap shows.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgpack
import msgspec
from redis.asyncio import Redis
from redis.asyncio.client import PubSub

from protocol.errors import StoreUnavailable
from server.store.aside import NOTICE, Aside
from server.store.connection.guarded import one_error
from server.store.keys import Keys
from server.store.port import (
    AnnouncementNotice,
    BeatNotice,
    ChallengeNotice,
    ChatNotice,
    DrainNotice,
    EventsNotice,
    LobbyNotice,
    Notice,
    PresenceNotice,
    Subscribed,
)

SILENCE_S = 2.0
"""After this long without a message the subscription is pinged."""
LOST_S = 5.0
"""After this long without a message or an answer to a ping the subscription is made anew."""
RETRY_S = 0.5
_SAID = b"say "
"""How the wire form of ChatNotice begins, which the script `say` writes; the others are msgpack arrays."""
DRAIN = b"drain"
"""The wire form of DrainNotice."""
_PACKED = msgspec.msgpack.Encoder()
_EVENTS = msgspec.msgpack.Decoder(tuple[str, int, list[bytes]])
_PRESENCE = msgspec.msgpack.Decoder(tuple[str])
_PRESENCE_ARRAY = b"\x91"
"""How an array of one thing begins."""


def events_notice(match: str, base: int, events: Sequence[bytes]) -> bytes:
    """The wire form of EventsNotice."""
    return _PACKED.encode((match, base, events))


def presence_notice(match: str) -> bytes:
    """The wire form of PresenceNotice."""
    packed: bytes = msgpack.packb([match])
    return packed


class Listener:
    """Subscribes to this hub's channels and those of all, for as long as `notices` is iterated."""

    def __init__(self, client: Redis, keys: Keys, hub: str, aside: Aside) -> None:
        self._client = client
        self._aside = aside
        self._lobby = keys.lobby_changes
        self._announcements = keys.announcements
        self._challenges = keys.challenges
        self._beats = keys.beat_channel(hub)
        self._hub = keys.hub_channel(hub)

    async def notices(self) -> AsyncIterator[Notice]:
        """All notices; a lost subscription is made anew, and says so by `Subscribed`."""
        while True:
            pubsub = self._client.pubsub()
            try:
                with one_error():
                    await pubsub.subscribe(self._lobby, self._announcements, self._challenges, self._beats, self._hub)
                    async for notice in self._listen(pubsub):
                        yield notice
            except StoreUnavailable:
                await asyncio.sleep(RETRY_S)
            finally:
                await _discard(pubsub)

    async def _listen(self, pubsub: PubSub) -> AsyncIterator[Notice]:
        heard = time.monotonic()
        while True:
            message = await pubsub.get_message(ignore_subscribe_messages=False, timeout=SILENCE_S)
            if message is not None:
                heard = time.monotonic()
                notice = self._readable(message)
                if notice is not None:
                    yield notice
            elif time.monotonic() - heard > LOST_S:
                return
            else:
                await pubsub.ping()

    def _readable(self, message: dict[str, Any]) -> Notice | None:
        """The notice in a message; None when there is none, whatever else there may be: anybody can publish."""
        try:
            return self._notice(message)
        except (ValueError, msgspec.MsgspecError, RecursionError) as error:
            channel = bytes(message["channel"]).decode(errors="replace")
            self._aside.note(NOTICE, channel, None, f"{type(error).__name__}: {error}", bytes(message["data"]))
            return None

    def _notice(self, message: dict[str, Any]) -> Notice | None:
        channel = message["channel"].decode() if isinstance(message["channel"], bytes) else message["channel"]
        if message["type"] == "subscribe":
            # The library subscribes again by itself after a cut; the channel named last tells that all are there.
            return Subscribed() if channel == self._hub else None
        if message["type"] != "message":
            return None
        data = bytes(message["data"])
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


async def _discard(pubsub: PubSub) -> None:
    try:
        with one_error():
            await pubsub.aclose()  # type: ignore[no-untyped-call]
    except StoreUnavailable:
        return
