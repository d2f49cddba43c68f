"""Who is there: viewers come to rooms and go, hubs tell each other, and the match learns who is away (`RU-M5`)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from protocol.errors import Refusal
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.lobby import LOBBY, LobbyBook
from server.hub.rooms.room import NOBODY, Room
from server.hub.viewers.viewer import Viewer
from server.match.commands import Notice
from server.match.state import Status
from server.store.port import Store

QUIET_S = 5.0
"""After a start or an outage of ours nobody is called away for this long: clients are just coming back."""


AWAY_AFTER_S = 1.0
"""Who is not seen for less than this is not called away: word of a player who has just come to another hub, or changes
hubs, is still on its way, and a match must not begin with somebody away."""

PUBLISH_AT_ONCE = 3
"""So many matches are told of together: word of a thousand who come at once must not take a second, or those of them at
another hub would be called away. The store's links are for players first, as in `deadlines`."""
DOUBTED_S = 60.0
"""What was sent to a Redis that fell silent is carried out, if at all, when that wakes up: so long it is looked at."""
MAX_DOUBTED = 1_000
SLACK_MS = 150
"""A deadline is looked at this much later: a move that was received in time may still be on its way to the log."""


class PresenceTracker:
    """Viewers in rooms, over one keeper."""

    def __init__(self, keeper: Keeper, store: Store) -> None:
        self._keeper = keeper
        self._store = store
        self._where: dict[Viewer, set[str]] = {}
        self._elsewhere: dict[Viewer, set[str]] = {}
        """Matches in which a viewer has a seat and at which it does not look just now."""
        self._expected: dict[str, Viewer] = {}
        """Who hosts a match by a command that is still being carried out."""
        self._dirty: set[str] = set()
        self._dead_hubs: set[str] = set()
        self._quiet_until = 0.0
        self._hubs: set[str] = set()
        self._outages: tuple[object, ...] = ()
        self._few = asyncio.Semaphore(PUBLISH_AT_ONCE)
        self._doubted: dict[str, float] = {}
        """Matches that may say of this hub what is not so, and until when that is looked at (monotonic)."""
        keeper.on_change.append(self._room_changed)

    # Coming and going -------------------------------------------------------------------------------------------------

    def enter(self, viewer: Viewer, room: Room, after: int | None = None) -> None:
        """`viewer` follows the room: gets what came after version `after`, or a snapshot, and then every event."""
        self._look_back(viewer, room)
        room.add(viewer)
        self._where.setdefault(viewer, set()).add(room.match.id)
        self._dirty.add(room.match.id)
        now = self._keeper.moment()
        if after is None:
            viewer.send(room.snapshot(viewer, now))
        else:
            room.catch_up(viewer, after, now)

    @contextmanager
    def hosting(self, viewer: Viewer) -> Iterator[None]:
        """While a command of `viewer` that may host matches is carried out; then it follows them, or does not."""
        try:
            yield
        finally:
            for match_id in [match_id for match_id, host in self._expected.items() if host is viewer]:
                del self._expected[match_id]
                if (room := self._keeper.rooms.get(match_id)) is not None:
                    room.expected = None
                    self._dirty.add(match_id)

    def expect(self, viewer: Viewer, match_id: str) -> None:
        """`viewer` hosts this match and is here before it follows: whoever looks meanwhile finds no host away.

        To be called within `hosting`, before the match is stored.
        """
        self._expected[match_id] = viewer
        if (room := self._keeper.rooms.get(match_id)) is not None:
            room.expected = viewer.player

    def leave(self, viewer: Viewer, room: Room) -> None:
        """`viewer` follows the room no longer, and stays connected."""
        self._go(viewer, room)
        self.look_away(viewer, room)

    def look_away(self, viewer: Viewer, room: Room) -> None:
        """`viewer` is connected, has a seat there, and looks at something else: that is not being away."""
        goes_on = room.match.status in (Status.PLAYING, Status.PAUSED)
        known = self._elsewhere.get(viewer, ())
        if viewer.meter is None or viewer in room or not goes_on or room.match.id in known:
            return
        if room.match.seats_of(viewer.player):
            self._elsewhere.setdefault(viewer, set()).add(room.match.id)
            room.look_away(viewer.player)
            self._dirty.add(room.match.id)

    def _look_back(self, viewer: Viewer, room: Room) -> None:
        if room.match.id in self._elsewhere.get(viewer, ()):
            self._elsewhere[viewer].discard(room.match.id)
            room.look_back(viewer.player)
            self._dirty.add(room.match.id)

    def _go(self, viewer: Viewer, room: Room) -> None:
        room.remove(viewer)
        self._where.get(viewer, set()).discard(room.match.id)
        self._dirty.add(room.match.id)
        if not len(room):
            room.empty_since = time.monotonic()

    def leave_all(self, viewer: Viewer) -> None:
        """`viewer` is gone."""
        for match_id in {*self._where.get(viewer, ()), *self._elsewhere.get(viewer, ())}:
            room = self._keeper.rooms.get(match_id)
            if room is not None:
                self._look_back(viewer, room)
                self._go(viewer, room)
                room.note_gone(viewer.player, quit=viewer.said_goodbye, now_ms=self._store.now_ms())
        self._where.pop(viewer, None)
        self._elsewhere.pop(viewer, None)

    def show_again(self, viewer: Viewer, source: str, lobby: LobbyBook) -> None:
        """Show `source` as it is now to a viewer for whom events of it were dropped."""
        room = self._keeper.rooms.get(source)
        if source == LOBBY:
            viewer.send(lobby.state())
        elif room is not None and viewer in room:
            viewer.send(room.snapshot(viewer, self._keeper.moment()))

    # Who is here ------------------------------------------------------------------------------------------------------

    def here(self, room: Room) -> tuple[bool, bool]:
        """Whether each seat's player is connected, here or at another hub that lives."""
        return room.attendance(self._keeper.live_hubs).here

    async def look_up(self, room: Room) -> tuple[bool, bool]:
        """The same, asked of the store now."""
        room.take_counts(self._store.hub, await self._store.presence(room.match.id))
        strangers = room.others.keys() - self._keeper.live_hubs - self._dead_hubs
        if strangers:
            # Left over from a hub that died, or one that has come since the last beat: its players are no absentees.
            await self._keeper.beat()
            self._dead_hubs |= strangers - self._keeper.live_hubs
        return self.here(room)

    async def perhaps_hosted(self, match_ids: Sequence[str]) -> list[str]:
        """Those of the matches whose host may be connected: by what is known here, and of all others the store is asked
        at once. `look_up` says whether it is so; who was gone from all of these is not worth that question."""
        rooms = self._keeper.rooms
        known = {
            match_id for match_id in match_ids
            if (room := rooms.get(match_id)) is not None and self.here(room)[room.match.host_seat]
        }  # fmt: skip
        unsure = [match_id for match_id in match_ids if match_id not in known]
        for match_id, hubs in zip(unsure, await self._store.presences(unsure), strict=True):
            dead = self._dead_hubs - self._keeper.live_hubs
            # Nobody but the host has a seat in a match that waits, whichever it is.
            if any(counts.get("0") or counts.get("1") for hub, counts in hubs.items() if hub not in dead):
                known.add(match_id)
        return [match_id for match_id in match_ids if match_id in known]

    async def take_presence(self, match_id: str) -> None:
        """Another hub's connections to the match changed."""
        room = self._keeper.rooms.get(match_id)
        if room is not None:
            await self.look_up(room)
            self._dirty.add(match_id)

    def quiet(self) -> None:
        """Clients are just coming back: nobody is called away for a while."""
        self._quiet_until = time.monotonic() + QUIET_S

    def look_at_hubs(self) -> None:
        """After a beat: see whether a hub came or died, or whether an outage has just ended."""
        if self._keeper.outages != self._outages:
            self._outages = self._keeper.outages
            self.quiet()
            self._dirty |= self._keeper.rooms.keys()
        if self._keeper.live_hubs != self._hubs:
            self._hubs = self._keeper.live_hubs
            self._dirty |= self._keeper.rooms.keys()

    def doubt(self, match_id: str) -> None:
        """This hub may have said that a host is here, in a match of which it does not know whether it was opened.

        Its word is taken back as soon as that can be seen, unless the host does come (`Q4`).
        """
        self._doubted[match_id] = time.monotonic() + DOUBTED_S
        if len(self._doubted) > MAX_DOUBTED:
            del self._doubted[next(iter(self._doubted))]

    async def take_back(self) -> None:
        """Look at what is doubted. Raises StoreUnavailable; what is left is looked at the next time."""
        now = time.monotonic()
        for match_id, until in list(self._doubted.items()):
            with suppress(Refusal):
                # A room knows what the store was told of this hub, and `publish` sets it right.
                await self._keeper.room(match_id)
                self._dirty.add(match_id)
            if now > until:
                self._doubted.pop(match_id, None)

    def look_again(self, match_ids: Iterable[str]) -> None:
        """These rooms want to be looked at when presence is published next."""
        self._dirty.update(match_ids)

    @property
    def has_news(self) -> bool:
        """Whether `publish` has something to tell."""
        return bool(self._dirty or self._keeper.taken_for_here)

    async def publish(self) -> None:
        """Tell store, other hubs, followers and the match itself who has come and gone since the last time.

        Raises what went wrong with one of them, once all were tried; those are tried again next time.
        """
        dirty, self._dirty = list(self._dirty | self._keeper.taken_for_here), set()
        outcomes = await asyncio.gather(*(self._publish(match_id) for match_id in dirty), return_exceptions=True)
        failed = [(each, error) for each, error in zip(dirty, outcomes, strict=True) if error is not None]
        self._dirty.update(match_id for match_id, _ in failed)
        for _, error in failed:
            raise error

    async def _publish(self, match_id: str) -> None:
        async with self._few:
            room = self._keeper.rooms.get(match_id)
            if room is None:
                if match_id in self._keeper.taken_for_here:
                    await self._store.announce_presence(match_id, NOBODY)
                    self._keeper.taken_for_here.discard(match_id)
                return
            # Loaded anew, it knows what the store was told, and what is not so is set right below.
            self._keeper.taken_for_here.discard(match_id)
            counts = room.local_counts()
            if counts != room.announced:
                room.take_counts(self._store.hub, await self._store.announce_presence(match_id, counts))
            room.tell_presence(self._keeper.live_hubs)
            await self.notice(room)

    async def notice(self, room: Room) -> None:
        """Let the match take note of who is here, of outages, and of the time."""
        if room.match.status is Status.WAITING and self.here(room)[room.match.host_seat]:
            room.missed_since[room.match.host_seat] = None
        if room.match.status not in (Status.PLAYING, Status.PAUSED):
            return
        first, second = (self._counts_as_here(room, seat, here) for seat, here in enumerate(self.here(room)))
        look = Notice((first, second), missed_ms=self._missed_ms(room), slack_ms=SLACK_MS)
        with suppress(Refusal):
            await self._keeper.commit(room, look)

    def is_host_gone(self, room: Room) -> bool:
        """Whether who hosts a match that waits is missed, and was when this was asked before.

        To be asked when its time has come, and again after `AWAY_AFTER_S`.
        """
        seat = room.match.host_seat
        return not self._counts_as_here(room, seat, self.here(room)[seat])

    def _missed_ms(self, room: Room) -> int:
        """For how long the one missed longest has been missed, without the match knowing of it."""
        since = min((each for each in room.missed_since if each is not None), default=None)
        return 0 if since is None else max(0, round((time.monotonic() - max(since, self._quiet_until)) * 1000))

    def _counts_as_here(self, room: Room, seat: int, here: bool) -> bool:
        """Whether the match is told that the seat's player is here; one who is newly missed has some time."""
        if here or room.match.absence.away[seat]:
            room.missed_since[seat] = None
            return here
        now = time.monotonic()
        since = room.missed_since[seat]
        if since is None:
            room.missed_since[seat] = since = now
        if now >= self._quiet_until and now - since >= AWAY_AFTER_S:
            return False
        self._dirty.add(room.match.id)
        return True

    def _room_changed(self, room: Room) -> None:
        """Somebody sat down or stood up: whose connection counts as whose has changed."""
        match = room.match
        if (host := self._expected.get(match.id)) is not None:
            room.expected = host.player
        if room.known_seats != match.seats:
            room.known_seats = match.seats
            room.missed_since = [None, None]
            self._dirty.add(match.id)
