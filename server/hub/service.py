"""The one way in for every command: load the match, let the machine judge, store, and only then tell.

Knows viewers, not sockets; the HTTP API and the sockets are both thin over it. What it refuses it raises as
`ParlourError`; nothing has changed then. Each command of a match is idempotent by its `ref`, because the log itself
says which refs it holds.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from protocol.errors import Code, ParlourError, Refusal
from protocol.messages import (
    Abandon,
    Accepted,
    Cancel,
    Command,
    Create,
    Hello,
    Join,
    Leave,
    Move,
    Ping,
    Pong,
    QuickMatch,
    Sync,
    Watch,
    WatchLobby,
    Welcome,
)
from server.games import Catalogue
from server.hub.identity import clean_key, login, new_id, new_key
from server.hub.index import group_of, index_change
from server.hub.keeper import Keeper
from server.hub.lobby import LobbyBook
from server.hub.locks import NamedLocks
from server.hub.rooms import Room
from server.hub.viewer import Viewer
from server.match import commands
from server.match.events import Created, encode_event
from server.match.machine import Asked, create
from server.match.state import Status
from server.store.port import Append, Appended, Store

MAX_OPEN_MATCHES = 50
"""Unfinished matches of one player; more is a script gone wild, not an evening with friends."""
PAIRING_TRIES = 20
"""How often quick match looks again when others were quicker; each time one of them is served."""
SEED_BITS = 53

Answer = Callable[[Viewer, Any], Awaitable[None]]


class Service:
    """Answers the commands of viewers over one store."""

    def __init__(self, store: Store, catalogue: Catalogue, keeper: Keeper, lobby: LobbyBook, *, version: str) -> None:
        self._store = store
        self._catalogue = catalogue
        self._keeper = keeper
        self._lobby = lobby
        self._version = version
        self._pairing = NamedLocks()
        self._answers: dict[type[Command], Answer] = {
            Hello: self._hello,
            Ping: self._ping,
            WatchLobby: self._watch_lobby,
            Create: self._create,
            Join: self._join,
            QuickMatch: self._quick_match,
            Cancel: self._cancel,
            Watch: self._watch,
            Leave: self._leave,
            Move: self._move,
            Abandon: self._abandon,
            Sync: self._sync,
        }

    async def perform(self, viewer: Viewer, command: Command) -> None:
        """Carry out one command and answer it. Raises ParlourError when it is not granted."""
        await self._answers[type(command)](viewer, command)

    def forget(self, viewer: Viewer) -> None:
        """The connection is gone."""
        self._lobby.unwatch(viewer)
        self._keeper.leave_all(viewer)

    def show_again(self, viewer: Viewer, source: str) -> None:
        """A viewer that lagged can take messages again: show it what it missed of `source`, as it is now."""
        self._keeper.show_again(viewer, source, self._lobby)

    # The connection ---------------------------------------------------------------------------------------------------

    async def _hello(self, viewer: Viewer, hello: Hello) -> None:
        who = await login(self._store, hello)
        viewer.player, viewer.name = who.player, who.name
        viewer.send(
            Welcome(
                ref=hello.ref,
                player=who.player,
                name=who.name,
                token=who.token,
                server=self._version,
                now_ms=self._store.now_ms(),
                games=tuple(game.info(viewer.translate) for game in self._catalogue.values()),
                matches=tuple(await self._store.unfinished(who.player)),
            )
        )

    async def _ping(self, viewer: Viewer, ping: Ping) -> None:
        viewer.send(Pong(ref=ping.ref, now_ms=self._store.now_ms()))

    async def _watch_lobby(self, viewer: Viewer, watch: WatchLobby) -> None:
        viewer.send(Accepted(ref=watch.ref))
        if watch.on:
            self._lobby.watch(viewer)
        else:
            self._lobby.unwatch(viewer)

    # Finding a match --------------------------------------------------------------------------------------------------

    async def _create(self, viewer: Viewer, asked: Create) -> None:
        match_id = await self._new_match_id(viewer, asked.ref)
        event = create(
            self._catalogue[asked.game], asked.options, viewer.name, self._asked(viewer, asked),
            private=asked.private, both_seats=asked.both_seats, seed=secrets.randbits(SEED_BITS),
        )  # fmt: skip
        key = None
        if asked.private and not asked.both_seats:
            key = await self._store.key_of(match_id) or new_key()
            await self._store.set_key(key, match_id)
        await self._open(match_id, event)
        await self._enter(viewer, asked.ref, match_id, key)

    async def _quick_match(self, viewer: Viewer, asked: QuickMatch) -> None:
        """Paired with whoever waits, else waits. Of two who press at once one waits and the other is paired."""
        async with self._pairing.holding(viewer.player):
            match_id = await self._found_before(viewer, asked.ref) or await self._pair(viewer, asked)
        await self._enter(viewer, asked.ref, match_id)

    async def _found_before(self, viewer: Viewer, ref: str) -> str | None:
        """The match that a quick match with this ref led to already: its log holds the ref."""
        for match_id in await self._store.unfinished(viewer.player):
            room = await self._keeper.room(match_id)
            if room.record.answer(viewer.player, ref) is not None:
                return match_id
        return None

    async def _pair(self, viewer: Viewer, asked: QuickMatch) -> str:
        match_id = await self._new_match_id(viewer, asked.ref)
        event = create(
            self._catalogue[asked.game], asked.options, viewer.name, self._asked(viewer, asked),
            private=False, both_seats=False, seed=secrets.randbits(SEED_BITS),
        )  # fmt: skip
        group = group_of(event.game, event.options)
        for _ in range(PAIRING_TRIES):
            waiting = await self._store.waiting(group)
            for found in waiting.matches:
                if await self._take_seat(viewer, asked.ref, found):
                    return found
            if await self._open(match_id, event, unless_newer=waiting.arrivals):
                return match_id
        raise ParlourError(Code.BUSY)

    async def _take_seat(self, viewer: Viewer, ref: str, match_id: str) -> bool:
        """Try to sit down at a match that waited a moment ago; one's own counts as found."""
        try:
            room = await self._keeper.room(match_id)
            if not room.match.seats_of(viewer.player):
                self._host_is_here(room)
            await self._keeper.commit(room, commands.Join(viewer.name), viewer.player, ref)
        except Refusal:
            return False
        return True

    async def _join(self, viewer: Viewer, asked: Join) -> None:
        match_id = await self._store.match_by_key(clean_key(asked.key)) if asked.key else asked.match
        if not match_id:
            raise Refusal(Code.WRONG_KEY if asked.key else Code.UNKNOWN_MATCH)
        room = await self._keeper.room(match_id)
        if not room.match.seats_of(viewer.player):
            if room.match.private and not asked.key:
                raise Refusal(Code.PRIVATE)
            if room.match.status is Status.WAITING:
                self._host_is_here(room)
        version = await self._keeper.commit(room, commands.Join(viewer.name), viewer.player, asked.ref)
        viewer.send(Accepted(ref=asked.ref, match=match_id, version=version))
        self._keeper.enter(viewer, room)

    def _host_is_here(self, room: Room) -> None:
        """Nobody is paired with a host whose connection is lost (`B3`)."""
        if room.match.status is Status.WAITING and not self._keeper.here(room)[0]:
            raise Refusal(Code.HOST_AWAY)

    async def _watch(self, viewer: Viewer, asked: Watch) -> None:
        room = await self._visible(viewer, asked.match)
        viewer.send(Accepted(ref=asked.ref, match=asked.match, version=room.match.version))
        self._keeper.enter(viewer, room)

    # In a match -------------------------------------------------------------------------------------------------------

    async def _move(self, viewer: Viewer, asked: Move) -> None:
        await self._in_match(viewer, asked, asked.match, commands.Play(asked.version, asked.move))

    async def _abandon(self, viewer: Viewer, asked: Abandon) -> None:
        await self._in_match(viewer, asked, asked.match, commands.Abandon())

    async def _cancel(self, viewer: Viewer, asked: Cancel) -> None:
        await self._in_match(viewer, asked, asked.match, commands.Cancel())

    async def _leave(self, viewer: Viewer, asked: Leave) -> None:
        """Leaving changes the match only for one who is in it; for all others it just ends the following."""
        room = await self._keeper.room(asked.match)
        self._keeper.leave(viewer, room)
        version = await self._keeper.commit(room, commands.Leave(), viewer.player, asked.ref)
        viewer.send(Accepted(ref=asked.ref, match=asked.match, version=version))

    async def _sync(self, viewer: Viewer, asked: Sync) -> None:
        room = await self._visible(viewer, asked.match)
        viewer.send(Accepted(ref=asked.ref, match=asked.match, version=room.match.version))
        self._keeper.enter(viewer, room, after=asked.after)

    async def _in_match(self, viewer: Viewer, asked: Command, match_id: str, command: commands.MatchCommand) -> None:
        room = await self._keeper.room(match_id)
        version = await self._keeper.commit(room, command, viewer.player, asked.ref)
        viewer.send(Accepted(ref=asked.ref, match=match_id, version=version))

    async def _visible(self, viewer: Viewer, match_id: str) -> Room:
        """The room of a match that `viewer` may look at. A private one is for its players alone (`F5`)."""
        room = await self._keeper.room(match_id)
        if room.match.private and not room.match.seats_of(viewer.player):
            raise Refusal(Code.PRIVATE)
        return room

    # Opening a match --------------------------------------------------------------------------------------------------

    async def _new_match_id(self, viewer: Viewer, ref: str) -> str:
        """The id that this creating command's ref stands for, however often it is sent."""
        unfinished = await self._store.unfinished(viewer.player)
        match_id = await self._store.claim_ref(viewer.player, ref, new_id())
        if len(unfinished) >= MAX_OPEN_MATCHES and match_id not in unfinished:
            raise Refusal(Code.TOO_MANY, limit=MAX_OPEN_MATCHES)
        return match_id

    async def _open(self, match_id: str, event: Created, *, unless_newer: int | None = None) -> bool:
        """Store a match's first event. False when it is not there because somebody new waits (`unless_newer`)."""
        match = self._keeper.opened(match_id, event)
        # Before anybody can find the match, so that no other hub takes its host for absent.
        await self._store.announce_presence(match_id, {"0": 1})
        outcome = await self._store.append(
            Append(
                match=match_id,
                base=0,
                events=[encode_event(event)],
                index=index_change(None, match, event.at_ms),
                unless_newer=unless_newer,
            )
        )
        return outcome is Appended.STORED or bool(await self._store.read(match_id))

    async def _enter(self, viewer: Viewer, ref: str, match_id: str, key: str | None = None) -> None:
        room = await self._keeper.room(match_id)
        version = room.record.answer(viewer.player, ref) or room.match.version
        viewer.send(Accepted(ref=ref, match=match_id, version=version, key=key))
        self._keeper.enter(viewer, room)

    def _asked(self, viewer: Viewer, command: Command) -> Asked:
        return Asked(viewer.player, command.ref, self._store.now_ms())
