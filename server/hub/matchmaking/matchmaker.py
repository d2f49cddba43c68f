"""Finding a match: hosting, joining, and being paired with whoever waits."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import TypeVar

from protocol.errors import Code, OutcomeUnknown, ParlourError, Refusal
from protocol.messages import ClockRule, Command, Create, GetInvitation, Invitation, Join, OptionValue, QuickMatch
from server.games import Catalogue
from server.hub.concurrency.locks import NamedLocks
from server.hub.limits.admission import KeyGate
from server.hub.limits.settings import Limits
from server.hub.matchmaking.pairing import Pairing
from server.hub.presence.identity import clean_key, new_id, new_key
from server.hub.presence.tracker import PresenceTracker
from server.hub.rooms.index import group_of
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.room import Room
from server.hub.rooms.spoiling import demand_none_between_people, demand_unplayed
from server.hub.viewers.viewer import Viewer
from server.match import commands, lessons, reviews
from server.match.events import AnyEvent, Created
from server.match.fold import open_match, opening
from server.match.machine import Asked, create, decide, over_at_once
from server.match.state import Match, Status
from server.match.views import summary
from server.store.port import Aim, Store
from server.store.receipts import Receipt, Ref

T = TypeVar("T")
SEED_BITS = 53
NO_LONGER_OPEN = frozenset({Code.UNKNOWN_MATCH, Code.FULL, Code.STARTED, Code.FINISHED, Code.PAUSED})
"""Refusals from which a guesser could tell a key that once was right from one that never was."""


class Matchmaker:
    """Leads players to matches; what it returns is the receipt: the match to enter, and a private key for its host."""

    def __init__(
        self, store: Store, catalogue: Catalogue, keeper: Keeper, tracker: PresenceTracker, limits: Limits
    ) -> None:
        self._store = store
        self._catalogue = catalogue
        self._keeper = keeper
        self._tracker = tracker
        self._keys = KeyGate(limits)
        self._open_matches = limits.open_matches
        self._pairing = NamedLocks()

    async def create(self, viewer: Viewer, asked: Create) -> Receipt:
        """A new match hosted by `viewer` (`CK R1.2`), and the key of a private one; sent again, the same one."""
        event = self._first(viewer, asked)
        try:
            return await self._host(viewer, asked, event)
        except Refusal:
            # A match that is there says so when it is to be stored. What would not be granted twice does not get there.
            known = await self._store.receipt(viewer.player, asked.ref)
            if known is None:
                raise
            return known

    async def _host(self, viewer: Viewer, asked: Create, event: Created) -> Receipt:
        if event.moves or event.review:
            # To play them again is work, which is not begun in vain.
            await self.demand_room(viewer)
            await self._demand_unspoilt(viewer, event)
        opened = await self._keeper.slices.run(opening(new_id(), event, self._catalogue))
        key = new_key() if event.private and not (event.both_seats or event.computer) else None
        receipt = await self._open(viewer, asked.ref, opened, event, key=key, most_unfinished=self._open_matches)
        if receipt is None:
            # So many are listed; what of these is forgotten by now is found out here.
            await self.demand_room(viewer)
            receipt = await self._open(viewer, asked.ref, opened, event, key=key, most_unfinished=self._open_matches)
        if receipt is None:
            raise Refusal(Code.TOO_MANY, limit=self._open_matches)
        return receipt

    async def _demand_unspoilt(self, viewer: Viewer, event: Created) -> None:
        """Raises Refusal `still_played` for a position that is not to be judged, nor to be played by the computer."""
        game = self._catalogue[event.game]
        params = game.parse_options(event.options)
        if event.review:
            await demand_unplayed(self._keeper, self._store, viewer.player, game, params, event.moves)
        elif event.computer:
            await demand_none_between_people(self._keeper, self._store, viewer.player, game, params)

    async def quick_match(self, viewer: Viewer, asked: QuickMatch) -> Receipt:
        """Paired with whoever waits, else waits. Of two who press at once one waits and the other is paired.

        Pressed again by the same player, here or at another hub, it leads to the same match until that has begun.
        """
        event = self._created(viewer, asked, asked.game, asked.options, asked.clock)
        async with self._pairing.holding(viewer.player):
            known = await self._store.receipt(viewer.player, asked.ref)
            if known is not None:
                return known
            return await self._pair(viewer, asked, event, await self.demand_room(viewer))

    async def join(self, viewer: Viewer, asked: Join) -> Receipt:
        """The free seat of a public match, or of the one with the key."""
        if asked.key:
            return await self._join_by_key(viewer, asked)
        room = await self._open_to(viewer, asked.match)
        until_ms = await self._host_until_ms(viewer, room)
        version = await self._keeper.commit(room, commands.Join(viewer.name, until_ms), viewer.player, asked.ref)
        return Receipt(room.match.id, version)

    async def _join_by_key(self, viewer: Viewer, asked: Join) -> Receipt:
        """A key that is wrong, or whose match is full or over, is answered alike, and slowly (`I4`)."""
        known = await self._store.receipt(viewer.player, asked.ref)
        if known is not None:
            return known
        return await self._at_the_door(viewer, asked.key, lambda room: self._sit_down(viewer, asked.ref, room))

    async def _at_the_door(self, viewer: Viewer, key: str, then: Callable[[Room], Awaitable[T]]) -> T:
        """What `then` makes of the match with this key, if it can be joined by `viewer`. Raises Refusal `wrong_key`."""
        self._keys.admit(viewer.player, viewer.address)
        match_id = await self._store.match_by_key(clean_key(key))
        try:
            room = await self._keeper.room(match_id or "")
            if room.match.status is Status.WAITING or room.match.seats_of(viewer.player):
                return await then(room)
        except Refusal as refusal:
            if refusal.code not in NO_LONGER_OPEN:
                raise
        self._keys.wrong(viewer.player, viewer.address)
        raise Refusal(Code.WRONG_KEY)

    async def invitation(self, viewer: Viewer, asked: GetInvitation) -> Invitation:
        """What is joined by a key, or by the id of a public match; refused as joining would be (`I4`, too)."""
        if asked.key:
            return await self._at_the_door(viewer, asked.key, lambda room: self._invited(viewer, asked.ref, room))
        return await self._invited(viewer, asked.ref, await self._open_to(viewer, asked.match))

    async def _invited(self, viewer: Viewer, ref: str, room: Room) -> Invitation:
        # Another hub may have seated somebody just now, and whoever only asks runs into no race that would tell.
        await self._keeper.read_again(room.match.id)
        match = room.match
        own = match.seats_of(viewer.player)
        joining = commands.Join(viewer.name, await self._host_until_ms(viewer, room))
        decide(match, joining, Asked(viewer.player, ref, self._store.now_ms()))
        return Invitation(ref=ref, summary=summary(match), seat=own[0] if own else match.seats.index(None))

    async def _open_to(self, viewer: Viewer, match_id: str) -> Room:
        """A public match, or one of one's own. Raises Refusal `unknown_match` or `private`."""
        if not match_id:
            raise Refusal(Code.UNKNOWN_MATCH)
        room = await self._keeper.room(match_id)
        if room.match.private and not room.match.seats_of(viewer.player):
            raise Refusal(Code.PRIVATE)
        return room

    async def _sit_down(self, viewer: Viewer, ref: str, room: Room) -> Receipt:
        until_ms = await self._host_until_ms(viewer, room)
        return await self._keeper.lead(room, commands.Join(viewer.name, until_ms), viewer.player, ref)

    async def _host_until_ms(self, viewer: Viewer, room: Room) -> int | None:
        """Until when the host is waited for who is away; None for one who is here. Raises Refusal `host_away`."""
        if room.match.seats_of(viewer.player) or await self._host_is_here(room):
            return None
        until_ms = await self._store.deadline(room.match.id)
        if until_ms is not None and until_ms <= self._store.now_ms():
            raise Refusal(Code.HOST_AWAY)
        return until_ms

    async def _pair(self, viewer: Viewer, asked: QuickMatch, event: Created, unfinished: list[str]) -> Receipt:
        async def open_(match_id: str, arrivals: int, aim: Aim) -> Receipt | None:
            opened = open_match(match_id, event, self._catalogue)
            return await self._open(
                viewer, asked.ref, opened, event, unless_newer=arrivals, aim=aim, most_unfinished=self._open_matches
            )

        pairing = Pairing(
            self._store, self._keeper, viewer, asked.ref, group_of(event.game, event.options, event.clock), new_id(),
            host_is_here=self._host_is_here, perhaps_hosted=self._tracker.perhaps_hosted, sit_down=self._sit_down,
            open_match=open_,
        )  # fmt: skip
        try:
            return await pairing.lead(unfinished)
        except ParlourError as error:
            if error.code == Code.BUSY:
                # Perhaps no one was quicker, but the player's matches have become too many meanwhile.
                await self.demand_room(viewer)
            raise

    async def _host_is_here(self, room: Room) -> bool:
        """Whether the host of a match that waits is connected anywhere: nobody is paired with one who is not (`B3`).

        Who joins that very match may do so, and is told how long the host is waited for (`C6`).
        """
        host = room.match.host_seat
        if room.match.status is not Status.WAITING or self._tracker.here(room)[host]:
            return True
        # The last word has the store: the host may have come to another hub just now.
        return (await self._tracker.look_up(room))[host]

    async def demand_room(self, viewer: Viewer) -> list[str]:
        """The player's unfinished matches. Raises Refusal `too_many` when that are as many as one may have."""
        unfinished = await self._store.unfinished(viewer.player)
        if len(unfinished) >= self._open_matches:
            raise Refusal(Code.TOO_MANY, limit=self._open_matches)
        return unfinished

    def _first(self, viewer: Viewer, asked: Create) -> Created:
        by, game = Asked(viewer.player, asked.ref, self._store.now_ms()), self._catalogue[asked.game]
        if asked.lesson:
            return lessons.begun(game, asked.lesson, viewer.name, by)
        if asked.review:
            return reviews.begun(game, asked.options, asked.moves, asked.names, by)
        return self._created(
            viewer, asked, asked.game, asked.options, asked.clock, private=asked.private, grace_s=asked.grace_s,
            both_seats=asked.both_seats, computer=asked.computer, level=asked.level, seat=asked.seat, saved=asked.moves,
            spectators=asked.spectators, delay_plies=asked.delay_plies,
        )  # fmt: skip

    def _created(
        self,
        viewer: Viewer,
        asked: Command,
        game: str,
        options: dict[str, OptionValue],
        clock: ClockRule | None,
        *,
        private: bool = False,
        both_seats: bool = False,
        computer: bool = False,
        level: str = "",
        seat: int = 0,
        grace_s: int = 30,
        saved: tuple[str, ...] = (),
        spectators: bool = False,
        delay_plies: int = 0,
    ) -> Created:
        by = Asked(viewer.player, asked.ref, self._store.now_ms())
        return create(
            self._catalogue[game], options, viewer.name, by, private=private, both_seats=both_seats,
            computer=computer, level=level, seat=seat, seed=secrets.randbits(SEED_BITS), clock=clock,
            grace_ms=grace_s * 1000, saved=saved, spectators=spectators, delay_plies=delay_plies,
        )  # fmt: skip

    async def _open(
        self,
        viewer: Viewer,
        ref: str,
        opened: Match,
        event: Created,
        *,
        key: str | None = None,
        unless_newer: int | None = None,
        aim: Aim | None = None,
        most_unfinished: int | None = None,
    ) -> Receipt | None:
        events: list[AnyEvent] = [event, *over_at_once(opened)]
        self._tracker.expect(viewer, opened.id)
        try:
            return await self._keeper.host(
                opened, events, Ref(viewer.player, ref), key=key, unless_newer=unless_newer, aim=aim,
                most_unfinished=most_unfinished,
            )  # fmt: skip
        except (OutcomeUnknown, asyncio.CancelledError):
            # It may be there, and says that its host is here: unless the same comes again that is not so.
            self._tracker.doubt(opened.id)
            raise
