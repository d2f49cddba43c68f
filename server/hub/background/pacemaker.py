"""Everything the hub does by itself: listening to other hubs, and the regular work, each at its own pace (`wheel`).

A piece of work that fails, for want of the store or of a value that it can use, is tried again at its next turn; it
keeps no other from being done, and the same failure is told once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import structlog

from protocol.errors import ParlourError, StoreUnavailable, UnreadableMatch
from protocol.messages import GoingAway
from server.garbage import Sweeper
from server.hub.background.deadlines import Deadlines
from server.hub.background.obligations import Obligations
from server.hub.background.outages import OutageTeller
from server.hub.background.upkeep import Upkeep
from server.hub.background.wheel import Regular, Trouble, Wheel
from server.hub.concurrency.cancelling import end_tasks
from server.hub.connections.hub import Hub
from server.hub.connections.keepalive import TURN_S
from server.hub.presence.live_names import RENEW_S
from server.hub.presence.online import EXCHANGE_S
from server.hub.presence.tracker import PresenceTracker
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.lobby import LobbyBook
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
    Store,
    Subscribed,
    Unsubscribed,
)

BEAT_S = 0.5
"""What an outage takes is known as exactly as this, and to 0.75 s while nobody is here (`D5`: within 1 s)."""
PRESENCE_S = 0.25
LOBBY_S = 0.25
"""Watchers of the lobby get at most four updates a second."""
RELIEVE_S = 0.25
DUE_S = 0.25
KEEP_WAITING_S = 5.0
WRITE_ASIDE_S = 1.0
DATE_S = 1.0
"""How old the date in an answer's head may be; half a second more while nobody is here."""
REBUILD_S = 2.0
LISTEN_S = 3.0
DROP_EMPTY_S = 5.0
OWED_S = 0.25
RELOAD_S = 0.25
RETRY_S = 0.5

log = structlog.get_logger(__name__)


class Pacemaker:
    """The hub's own tasks. `lacks` says what the hub still needs before it can serve; None when it is ready."""

    def __init__(
        self,
        store: Store,
        keeper: Keeper,
        tracker: PresenceTracker,
        deadlines: Deadlines,
        lobby: LobbyBook,
        hub: Hub,
        upkeep: Upkeep,
        obligations: Obligations,
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._tracker = tracker
        self._deadlines = deadlines
        self._lobby = lobby
        self._hub = hub
        self._upkeep = upkeep
        self._obligations = obligations
        self._outages = OutageTeller(keeper, hub)
        self._sweeper = Sweeper()
        self._wheel = Wheel(self._works(), lambda: not (hub.connections or keeper.rooms))
        hub.on_come = self._wheel.wake
        keeper.on_change.append(lambda _: self._wheel.wake())
        self._tasks: list[asyncio.Task[None]] = []
        self._subscribed = False
        self._because = ""
        self._epoch = ""
        """The epoch of the store's data in which everything was read last."""
        self.drain: Callable[[], None] = lambda: None
        """What is done when the operator asks this hub to be drained."""
        self.renew_date: Callable[[], Awaitable[None]] | None = None
        """What brings the date in the heads of answers up to date."""
        self.ready = asyncio.Event()
        """Set once the hub could serve for the first time."""

    def lacks(self, trouble: str | None = None) -> str | None:
        """Why the hub is not ready to serve, in words; None when it is. `trouble` is what is known of the store."""
        if not self._keeper.store_answers:
            return trouble or "the store does not answer"
        if self._subscribed:
            return None
        return "not subscribed to the other hubs" + (f": {self._because}" if self._because else "")

    async def start(self) -> None:
        """Take the shared time, excuse the outage if this is the first hub, do what is owed, then start all work.

        Raises StoreUnavailable when the store cannot be reached.
        """
        await self._keeper.beat()
        self._tracker.quiet()
        self._epoch = self._keeper.epoch
        if self._keeper.live_hubs <= {self._store.hub}:
            await self._deadlines.excuse_outage()
        await self._obligations.settle_all()
        self._sweeper.begin(time.monotonic(), time.thread_time())
        self._wheel.start()
        self._tasks = [asyncio.create_task(self._listen())]

    def _works(self) -> list[Regular]:
        online, names = self._hub.service.online, self._hub.service.names

        def has_rooms() -> bool:
            return bool(self._keeper.rooms)

        return [
            Regular(self._beat, BEAT_S),
            Regular(self._tracker.publish, PRESENCE_S, lambda: self._tracker.has_news),
            Regular(self._follow_load, RELOAD_S, lambda: self._has_loaded),
            Regular(self._lobby.flush, LOBBY_S),
            Regular(online.exchange, EXCHANGE_S),
            Regular(names.renew, RENEW_S),
            Regular(self._hub.relieve, RELIEVE_S),
            Regular(self._outages.look, TURN_S),
            Regular(self._ping, TURN_S),
            Regular(self._sweep, TURN_S),
            Regular(self._deadlines.look, DUE_S, lambda: self._deadlines.has_any),
            Regular(self._obligations.look, OWED_S, lambda: self._obligations.has_any),
            Regular(self._deadlines.keep_waiting, KEEP_WAITING_S, has_rooms),
            Regular(self._keeper.follow_unheard, LISTEN_S, has_rooms),
            Regular(self._keeper.drop_empty, DROP_EMPTY_S, has_rooms),
            Regular(self._upkeep.renew, self._upkeep.pause_s),
            Regular(self._upkeep.sweep, self._upkeep.pause_s),
            Regular(self._upkeep.rebuild, REBUILD_S),
            Regular(self._store.write_aside, WRITE_ASIDE_S),
            Regular(self._date, DATE_S),
        ]

    async def stop(self) -> None:
        """End all work."""
        await self._wheel.stop()
        await end_tasks(self._tasks)

    async def _beat(self) -> None:
        await self._keeper.beat()
        self._tracker.look_at_hubs()
        await self._keeper.read_doubtful()
        await self._tracker.take_back()
        if self._hub.service.chat is not None:
            await self._hub.service.chat.catch_up()

    async def _follow_load(self) -> None:
        """The store has loaded its data anew, and may hold less than it did: read again what is kept here (`Q9`)."""
        epoch, chat = self._keeper.epoch, self._hub.service.chat
        if epoch != self._epoch:
            await self._hub.service.names.renew()
            await self._read_all()
            self._epoch = epoch
        if chat is not None:
            await chat.tell_anew()

    @property
    def _has_loaded(self) -> bool:
        chat = self._hub.service.chat
        return self._keeper.epoch != self._epoch or (chat is not None and chat.is_set_back)

    def _ping(self) -> None:
        self._hub.keepalive.turn(time.monotonic())

    def _date(self) -> Awaitable[None] | None:
        return self.renew_date() if self.renew_date is not None else None

    def _sweep(self) -> None:
        self._sweeper.turn(time.monotonic(), time.thread_time())

    async def _listen(self) -> None:
        while True:
            try:
                async for notice in self._store.notices(self._keeper.take_at_once):
                    await self._follow(notice)
            except Exception as error:
                # Without hearing the others this hub is of no use: begin anew, and read everything again.
                self._subscribed, self._because = False, f"{type(error).__name__}: {error}"
                log.exception("listening to the other hubs failed")
                await asyncio.sleep(RETRY_S)

    async def _follow(self, notice: Notice) -> None:
        try:
            await self._take(notice)
        except StoreUnavailable as error:
            log.warning("a notice could not be followed: all is read again", reason=error.reason)
            await self._subscribe_again()
        except UnreadableMatch as error:
            log.info("a notice is of a match that cannot be followed", notice=type(notice).__name__, why=error.reason)
        except ParlourError as error:
            log.warning("a notice could not be followed", notice=type(notice).__name__, error=str(error))
        except Exception:
            log.exception("a notice failed", notice=type(notice).__name__)

    async def _take(self, notice: Notice) -> None:
        match notice:
            case EventsNotice():
                await self._keeper.take(notice)
            case BeatNotice(at_ms=at_ms):
                self._keeper.hear_beat(at_ms)
            case PresenceNotice(match=match_id):
                await self._tracker.take_presence(match_id)
            case LobbyNotice():
                if not self._lobby.apply(notice):
                    self._lobby.load(await self._store.lobby())
            case ChatNotice():
                if self._hub.service.chat is not None:
                    await self._hub.service.chat.take(notice)
            case ChallengeNotice():
                await self._hub.service.challenges.take(notice)
            case AnnouncementNotice(text=sentence):
                self._hub.announce(GoingAway(text=sentence))
            case DrainNotice():
                self.drain()
            case Unsubscribed(why=why):
                self._subscribed, self._because = False, why
            case Subscribed():
                await self._subscribe_again()

    async def _subscribe_again(self) -> None:
        """Everything may have changed unheard: read it all again, until that succeeds."""
        self._subscribed = False
        trouble = Trouble("reading everything again")
        while True:
            try:
                await self._read_all()
            except Exception as error:
                self._because = trouble.met(error)
                await asyncio.sleep(RETRY_S)
            else:
                self._subscribed, self._because = True, ""
                self.ready.set()
                return

    async def _read_all(self) -> None:
        self._lobby.load(await self._store.lobby())
        await self._keeper.follow_again()
        if self._hub.service.chat is not None:
            await self._hub.service.chat.read_again()
        await self._hub.service.challenges.read_again()
        self._tracker.look_again(self._keeper.rooms)
