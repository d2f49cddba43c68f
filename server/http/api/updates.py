"""What has happened since the version that a player knows, and waiting for it (`CK R8`)."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from starlette.requests import Request

from protocol.messages import (
    Accepted,
    Continued,
    Joined,
    MatchEvent,
    Moved,
    OfferClosed,
    Offered,
    Paused,
    SetBack,
    Snapshot,
    Sync,
)
from server.http.api.errands import Errands
from server.http.api.gone import first_of, gone
from server.http.api.types import Updates
from server.http.api.viewers import Stays
from server.store.people import Guest

LOOKS = 5
"""How often a match is looked at anew that went on while it was looked at."""


class Wish(NamedTuple):
    """What a request for updates asks: those `after` a version, held open for `wait_s`, own ones too or not."""

    match: str
    after: int
    wait_s: float
    own: bool
    epoch: str = ""


def made_by(event: MatchEvent) -> int | None:
    """The seat that did it, as far as its player knows of it already; None for what is news to both."""
    match event:
        case Moved(automatic=True):
            return None
        case Moved(seat=seat) | Offered(seat=seat) | Paused(seat=seat) | Continued(seat=seat) | Joined(seat=seat):
            return seat
        case OfferClosed(seat=seat, fate="withdrawn"):
            return seat
        case OfferClosed(seat=seat, fate="accepted" | "declined"):
            return 1 - seat
        case _:
            return None


class Watcher:
    """Answers requests for updates; those that wait are answered within the event that brings news."""

    def __init__(self, errands: Errands, stays: Stays) -> None:
        self._errands = errands
        self._stays = stays
        self.stopping = False

    async def updates(self, request: Request, who: Guest, wish: Wish) -> Updates:
        """What is new since `wish.after`; after `wish.wait_s` also nothing. Raises ParlourError."""
        stay = await self._stays.come(who, wish.match)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + wish.wait_s
        with stay.polling(self._stays.here_s):
            leaving = asyncio.create_task(gone(request))
            try:
                while True:
                    news = stay.expect_news()
                    found = await self._look(request, who, wish)
                    left_s = deadline - loop.time()
                    if found.updates or found.snapshot or left_s <= 0 or leaving.done() or self.stopping:
                        return found
                    await first_of(news, leaving, left_s)
            finally:
                leaving.cancel()

    async def _look(self, request: Request, who: Guest, wish: Wish) -> Updates:
        sync = Sync(ref="look", match=wish.match, after=wish.after, epoch=wish.epoch)
        for _ in range(LOOKS):
            async with self._errands.errand(request, who) as errand:
                accepted = await self._errands.perform(errand, sync, Accepted)
            now = self._errands.snapshot(errand, wish.match)
            if now.version == accepted.version:
                break
        events = [message for message in errand.received if isinstance(message, MatchEvent)]
        set_back = next((message.text for message in errand.received if isinstance(message, SetBack)), "")
        other = bool(set_back) or accepted.version != wish.after or wish.epoch not in ("", self._errands.epoch)
        anew = other and any(isinstance(message, Snapshot) for message in errand.received)
        return Updates(
            match=wish.match,
            version=accepted.version,
            status=now.status,
            you=now.you,
            to_move=now.to_move,
            legal=now.legal,
            text=now.text,
            updates=tuple(event for event in events if wish.own or made_by(event) not in now.you),  # type: ignore[misc]
            snapshot=now if anew else None,
            set_back=set_back,
            epoch=self._errands.epoch,
        )

    def stop(self) -> None:
        """Answer all that wait, and let nobody wait any more."""
        self.stopping = True
        self._stays.wake_all()
