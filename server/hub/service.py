"""The one way in for every command: load the match, let the machine judge, store, and only then tell.

Knows viewers, not sockets; the HTTP API and the sockets are both thin over it. What it refuses it raises as
`ParlourError`; nothing has changed then. Each command of a match is idempotent by its `ref`, because the log itself
says which refs it holds.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from protocol.errors import Code, Refusal
from protocol.messages import (
    Abandon,
    Accepted,
    Answer,
    CallDraw,
    Cancel,
    Command,
    Continue,
    Create,
    GetRecord,
    Hello,
    Join,
    Leave,
    Look,
    Move,
    Offer,
    Pause,
    Ping,
    Pong,
    QuickMatch,
    Say,
    Sync,
    WaitLonger,
    Watch,
    WatchLobby,
    Welcome,
    Withdraw,
)
from server.games import Catalogue
from server.hub.attendance import Attendance
from server.hub.chat import ChatBook
from server.hub.doubts import Doubts
from server.hub.finding import Finding
from server.hub.gates import GuestGate
from server.hub.identity import login, new_id
from server.hub.keeper import Keeper
from server.hub.limits import Limits
from server.hub.live_names import LiveNames
from server.hub.lobby import LobbyBook
from server.hub.people import People
from server.hub.rooms import Room
from server.hub.seating import Seating
from server.hub.slices import billed
from server.hub.speed import Speed
from server.hub.viewer import Viewer
from server.match import commands, views
from server.match.state import Match
from server.store.port import Store

Handler = Callable[[Viewer, Any], Awaitable[None]]
InMatch = Callable[[Any], commands.MatchCommand]

IN_MATCH: dict[type[Command], InMatch] = {
    Move: lambda asked: commands.Play(asked.version, asked.move),
    Abandon: lambda asked: commands.Abandon(asked.version),
    Cancel: lambda asked: commands.Cancel(),
    Offer: lambda asked: commands.Offer(asked.kind, asked.moves, new_id(), asked.version),
    Answer: lambda asked: commands.Answer(asked.accept, new_id(), asked.offer),
    Withdraw: lambda asked: commands.Withdraw(asked.offer),
    Pause: lambda asked: commands.Pause(),
    Continue: lambda asked: commands.Continue(),
    WaitLonger: lambda asked: commands.WaitLonger(asked.version),
    CallDraw: lambda asked: commands.CallDraw(asked.version),
}
"""Commands that the match machine judges and nothing else happens for."""


class Service:
    """Answers the commands of viewers over one store."""

    def __init__(
        self,
        store: Store,
        catalogue: Catalogue,
        keeper: Keeper,
        attendance: Attendance,
        lobby: LobbyBook,
        *,
        version: str,
        limits: Limits | None = None,
        chat: bool = True,
    ) -> None:
        self._store = store
        self._catalogue = catalogue
        self._keeper = keeper
        self._attendance = attendance
        limits = limits or Limits()
        self._finding = Finding(store, catalogue, keeper, attendance, limits)
        self._seating = Seating(keeper, attendance)
        self.speed = Speed(limits)
        self._guests = GuestGate(limits)
        self._doubts = Doubts()
        self.doors: list[Callable[[Viewer, str], None]] = []
        """Asked before a player is let in; each may raise a Refusal."""
        self._lobby = lobby
        self.chat = ChatBook(store, keeper) if chat else None
        self.names = LiveNames(store)
        self.people = People(store, keeper, lobby)
        self._version = version
        self._handlers: dict[type[Command], Handler] = {
            Hello: self._hello,
            Ping: self._ping,
            WatchLobby: self._watch_lobby,
            Create: self._create,
            Join: self._join,
            QuickMatch: self._quick_match,
            Watch: self._watch,
            Leave: self._leave,
            Sync: self._sync,
            Look: self._look,
            GetRecord: self._get_record,
            Say: self._say,
        }

    async def perform(self, viewer: Viewer, command: Command) -> None:
        """Carry out one command and answer it.

        Raises ParlourError when it is not granted, and OutcomeUnknown when nobody knows whether it was done.
        """
        kind = type(command)
        self.speed.admit(viewer, kind)
        self._seating.spoke(viewer)
        with billed() as bill, self._doubts.about(viewer.player, command.ref):
            try:
                if kind in IN_MATCH:
                    await self._in_match(viewer, command, IN_MATCH[kind](command))
                else:
                    await self._handlers[kind](viewer, command)
            finally:
                self.speed.charge(viewer, bill.spent_s)

    def forget(self, viewer: Viewer) -> None:
        """The connection is gone."""
        self._lobby.unwatch(viewer)
        if self.people.go(viewer):
            self.names.go(viewer)
        self._attendance.leave_all(viewer)
        self._seating.gone(viewer)

    def show_again(self, viewer: Viewer, source: str) -> None:
        """A viewer that lagged can take messages again: show it what it missed of `source`, as it is now."""
        self._attendance.show_again(viewer, source, self._lobby)
        if self.chat is not None:
            self.chat.show_again(viewer, source)

    # The connection ---------------------------------------------------------------------------------------------------

    async def _hello(self, viewer: Viewer, hello: Hello) -> None:
        if hello.token is None:
            self._guests.admit(viewer.address)
        # A request by HTTP takes no name from others: it is gone when it is answered.
        stays = viewer.meter is not None
        who = await login(self._store, hello, self.names, stays=stays)
        for door in self.doors:
            door(viewer, who.player)
        viewer.player, viewer.name = who.player, who.name
        if stays:
            self.people.come(viewer)
            self.names.come(viewer)
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
                chat=self.chat is not None,
                epoch=self._keeper.epoch,
            )
        )

    async def _ping(self, viewer: Viewer, ping: Ping) -> None:
        viewer.send(Pong(ref=ping.ref, now_ms=self._store.now_ms()))

    async def _watch_lobby(self, viewer: Viewer, watch: WatchLobby) -> None:
        if watch.on and not self._lobby.watched:
            await self.people.look()
        viewer.send(Accepted(ref=watch.ref))
        if watch.on:
            self._lobby.watch(viewer)
        else:
            self._lobby.unwatch(viewer)

    # Coming to a match and going --------------------------------------------------------------------------------------

    async def _create(self, viewer: Viewer, asked: Create) -> None:
        match_id, key = await self._finding.create(viewer, asked)
        await self._enter(viewer, asked.ref, match_id, key)

    async def _quick_match(self, viewer: Viewer, asked: QuickMatch) -> None:
        await self._enter(viewer, asked.ref, await self._finding.quick_match(viewer, asked))

    async def _join(self, viewer: Viewer, asked: Join) -> None:
        room, version = await self._finding.join(viewer, asked)
        viewer.send(Accepted(ref=asked.ref, match=room.match.id, version=version))
        self._attendance.enter(viewer, room)
        if self.chat is not None:
            self.chat.show_again(viewer, room.match.id)
        self._seating.sat_down(viewer, room.match.id)

    async def _enter(self, viewer: Viewer, ref: str, match_id: str, key: str | None = None) -> None:
        room = await self._keeper.room(match_id)
        version = room.record.answer(viewer.player, ref) or room.match.version
        viewer.send(Accepted(ref=ref, match=match_id, version=version, key=key))
        self._attendance.enter(viewer, room)

    async def _watch(self, viewer: Viewer, asked: Watch) -> None:
        room = await self._visible(viewer, asked.match)
        viewer.send(Accepted(ref=asked.ref, match=asked.match, version=room.seen_by(viewer.player).version))
        self._attendance.enter(viewer, room)
        await self._tell_chat(viewer, room)

    async def _sync(self, viewer: Viewer, asked: Sync) -> None:
        room = await self._visible(viewer, asked.match)
        other_epoch = asked.epoch not in ("", self._keeper.epoch)
        if other_epoch or asked.after > room.seen_by(viewer.player).version:
            # It knows of more than this hub does: who is right is in the log.
            await self._keeper.read_again(asked.match)
            room = await self._visible(viewer, asked.match)
        known = room.seen_by(viewer.player).version
        viewer.send(Accepted(ref=asked.ref, match=asked.match, version=known))
        after = None if other_epoch and asked.after <= known else asked.after
        self._attendance.enter(viewer, room, after=after)
        await self._tell_chat(viewer, room)

    async def _leave(self, viewer: Viewer, asked: Leave) -> None:
        """Leaving changes the match only for one who is in it; for all others it just ends the following."""
        room = await self._keeper.room(asked.match)
        self._attendance.leave(viewer, room)
        version = await self._keeper.commit(room, commands.Leave(), viewer.player, asked.ref)
        viewer.send(Accepted(ref=asked.ref, match=asked.match, version=version))

    # In a match -------------------------------------------------------------------------------------------------------

    async def _in_match(self, viewer: Viewer, asked: Any, command: commands.MatchCommand) -> None:
        received_ms = self._store.now_ms()
        room = await self._keeper.room(asked.match)
        version = await self._keeper.commit(room, command, viewer.player, asked.ref, received_ms)
        viewer.send(Accepted(ref=asked.ref, match=asked.match, version=version))

    async def _say(self, viewer: Viewer, asked: Say) -> None:
        if self.chat is None:
            raise Refusal(Code.CHAT_OFF)
        room = await self._visible(viewer, asked.match)
        await self.chat.say(viewer, room, asked)
        viewer.send(Accepted(ref=asked.ref, match=asked.match, version=room.seen_by(viewer.player).version))

    async def _tell_chat(self, viewer: Viewer, room: Room) -> None:
        if self.chat is not None:
            await self.chat.tell(viewer, room)

    async def _look(self, viewer: Viewer, asked: Look) -> None:
        viewer.send(views.position(await self._open(viewer, asked.match), asked.ply, viewer.translate, asked.ref))

    async def _get_record(self, viewer: Viewer, asked: GetRecord) -> None:
        match = await self._open(viewer, asked.match)
        viewer.send(await self._keeper.slices.run(views.recording(match, viewer.translate, asked.ref)))

    async def _open(self, viewer: Viewer, match_id: str) -> Match:
        """A match whose past `viewer` may look at now, as far as it may. Raises Refusal `paused`, or as `_visible`."""
        room = await self._visible(viewer, match_id)
        if views.hidden(room.match):
            raise Refusal(Code.PAUSED)
        return room.seen_by(viewer.player)

    async def _visible(self, viewer: Viewer, match_id: str) -> Room:
        """The room of a match that `viewer` may look at. A private one is for its players, unless the host opened it
        to spectators (`F5`)."""
        room = await self._keeper.room(match_id)
        if not room.match.watchable and not room.match.seats_of(viewer.player):
            raise Refusal(Code.PRIVATE)
        return room
