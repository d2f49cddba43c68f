"""Viewers without a connection: one for each request, and one that stays with a match from request to request.

A player by HTTP is here (`RU-M5`) while a poll is open, and for `Limits.http_here_s` after each request that shows it:
taking a seat, an update, a look for updates. The `Stay` is what the room counts. When it expires the match learns that
the player is away, as it does when a socket is lost (`E12`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from protocol.codec import MSGPACK
from protocol.errors import Code, ParlourError
from protocol.messages import Message, Watch
from server.hub.rooms.keeper import Keeper
from server.hub.service import Service
from server.hub.viewers.viewer import Viewer, form_for
from server.store.people import Guest

MAX_STAYS = 10_000
"""Matches that are followed by HTTP at one hub, by anybody."""
MAX_STAYS_EACH = 64
"""Matches that one player follows by HTTP at one hub: as many as one may have open, and some to watch."""
MAX_POLLS_EACH = 4
"""Polls that one player may have open on one match, and as many for challenges; a client needs one."""

M = TypeVar("M", bound=Message)


class Errand(Viewer):
    """One request's viewer: keeps what it is sent, for the answer. Its speed is metered by player or address."""

    waits = True

    def __init__(self, who: Guest | None, language: str, address: str) -> None:
        if who is not None:
            self.player, self.name = who.player, who.name
        self.address = address
        self.form = form_for(MSGPACK, language)
        self.received: list[Message] = []

    def send(self, message: Message) -> None:
        self.received.append(message)

    def send_shared(self, frame: bytes, source: str) -> None:
        """Events that come while the errand runs are found by the next look."""

    def last(self, kind: type[M]) -> M:
        """The newest message of a kind: the answer that a command of its own has."""
        found = self.last_or_none(kind)
        assert found is not None
        return found

    def last_or_none(self, kind: type[M]) -> M | None:
        """The newest message of a kind, if one has come."""
        return next((message for message in reversed(self.received) if isinstance(message, kind)), None)


class Woken(Viewer):
    """Somebody by HTTP: present without a connection until `until` (the loop's clock), woken by whatever comes."""

    by_http = True

    def __init__(self, who: Guest) -> None:
        self.player, self.name = who.player, who.name
        self.form = form_for(MSGPACK)
        self.polls = 0
        self.until = 0.0
        self._news = asyncio.Event()

    def send(self, message: Message) -> None:
        self._news.set()

    def send_shared(self, frame: bytes, source: str) -> None:
        self._news.set()

    def wake(self) -> None:
        """Let every poll look again."""
        self._news.set()

    def expect_news(self) -> asyncio.Event:
        """What is set when something has happened from now on."""
        if self._news.is_set():
            self._news = asyncio.Event()
        return self._news

    @contextmanager
    def polling(self, here_s: float) -> Iterator[None]:
        """A poll is open: its player is here as long, and for `here_s` after. Raises `busy` when there are too many."""
        if self.polls >= MAX_POLLS_EACH:
            raise ParlourError(Code.BUSY)
        self.polls += 1
        try:
            yield
        finally:
            self.polls -= 1
            self.until = asyncio.get_running_loop().time() + here_s


class Stay(Woken):
    """Somebody by HTTP at one match."""

    def __init__(self, who: Guest, match: str) -> None:
        super().__init__(who)
        self.match = match


class Stays:
    """All stays of this hub, by player and match."""

    def __init__(self, service: Service, keeper: Keeper, here_s: float) -> None:
        self._service = service
        self._keeper = keeper
        self.here_s = here_s
        self._stays: dict[str, dict[str, Stay]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    async def come(self, who: Guest, match: str) -> Stay:
        """`who` is at the match from now on. Raises what Watch would be refused for, or `busy`."""
        loop = asyncio.get_running_loop()
        stay = self._stays.get(who.player, {}).get(match)
        room = self._keeper.rooms.get(match)
        if stay is None or room is None or stay not in room:
            if stay is None:
                self.demand_room()
            coming = stay or Stay(who, match)
            await self._service.perform(coming, Watch(ref="stay", match=match))
            stay = self._stays.get(who.player, {}).get(match)
            if stay is None:
                # Only now, for it may take the place of another one.
                try:
                    stay = self._begin(coming)
                except ParlourError:
                    self._service.forget(coming)
                    raise
                loop.call_later(self.here_s, self._look_at, stay)
            elif stay is not coming:
                self._service.forget(coming)
        stay.until = loop.time() + self.here_s
        return stay

    def leave(self, who: Guest, match: str) -> None:
        """`who` has left the match and is here no longer."""
        stay = self._stays.get(who.player, {}).get(match)
        if stay is not None:
            self._end(stay)

    def wake_all(self) -> None:
        """Let every poll answer: the hub stops."""
        for own in self._stays.values():
            for stay in own.values():
                stay.wake()

    def demand_room(self) -> None:
        """Raise `busy` when nobody more could stay, before anything is done for one who would have to."""
        if self._count >= MAX_STAYS:
            raise ParlourError(Code.BUSY)

    async def stay_on(self, who: Guest, match: str) -> None:
        """Like `come`, for one whose command is done: its answer does not depend on it any more."""
        with suppress(ParlourError):
            await self.come(who, match)

    def _begin(self, stay: Stay) -> Stay:
        own = self._stays.get(stay.player, {})
        if len(own) >= MAX_STAYS_EACH:
            self._end(min(own.values(), key=lambda stay: (stay.polls, stay.until)))
        self.demand_room()
        self._stays.setdefault(stay.player, {})[stay.match] = stay
        self._count += 1
        return stay

    def _end(self, stay: Stay) -> None:
        own = self._stays.get(stay.player, {})
        if own.get(stay.match) is not stay:
            return
        del own[stay.match]
        if not own:
            del self._stays[stay.player]
        self._count -= 1
        stay.wake()
        self._service.forget(stay)

    def _look_at(self, stay: Stay) -> None:
        """End a stay whose time is over; else look again when it may be."""
        if self._stays.get(stay.player, {}).get(stay.match) is not stay:
            return
        loop = asyncio.get_running_loop()
        if not stay.polls and stay.until <= loop.time():
            self._end(stay)
        else:
            loop.call_at(max(stay.until, loop.time() + 1), self._look_at, stay)
