"""The one way in for every command: load the match, let the machine judge, store, and only then tell.

Knows viewers, not sockets; the HTTP API and the sockets are both thin over it. What it refuses it raises as
`ParlourError`; nothing has changed then. Each command of a match is idempotent by its `ref`, because the log itself
says which refs it holds.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import nullcontext, suppress
from typing import Any

from protocol.errors import Code, ParlourError, Refusal
from protocol.messages import (
    Abandon,
    Accepted,
    Analyse,
    Answer,
    AnswerChallenge,
    CallDraw,
    Cancel,
    Challenge,
    Command,
    Continue,
    Create,
    Forget,
    GetInvitation,
    GetMatches,
    GetRecord,
    Hello,
    Hint,
    Join,
    Leave,
    Look,
    Message,
    Move,
    MuteChallenges,
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
    WithdrawChallenge,
)
from server.games import Catalogue
from server.hub.advice import Advice, Thinker
from server.hub.concurrency.slices import billed
from server.hub.following import Following
from server.hub.limits.rate_limiter import RateLimiter
from server.hub.limits.settings import Limits
from server.hub.matchmaking.challenges import Challenges
from server.hub.matchmaking.matchmaker import Matchmaker
from server.hub.matchmaking.no_shows import NoShows
from server.hub.moves import Moves
from server.hub.presence.arrivals import Arrivals
from server.hub.presence.identity import new_id
from server.hub.presence.live_names import LiveNames
from server.hub.presence.online import OnlinePlayers
from server.hub.presence.own_matches import OwnBook
from server.hub.presence.tracker import PresenceTracker
from server.hub.presence.translated_games import TranslatedGames
from server.hub.rooms.chat import ChatBook
from server.hub.rooms.in_doubt import InDoubt
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.lobby import LobbyBook
from server.hub.rooms.spoiling import demand_own_position
from server.hub.viewers.viewer import Viewer
from server.match import commands
from server.match.hints import demand_hint
from server.store.port import Store
from server.store.receipts import Receipt

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

ANSWERED_BEFORE = frozenset({*IN_MATCH, Hint, Join, Leave, Say} - {Move})
"""Commands in a match that may have been answered with nothing in its log to say so. A move always leaves an event; a
command that leads to a match asks for its answer first."""


class Service:
    """Answers the commands of viewers over one store."""

    def __init__(
        self,
        store: Store,
        catalogue: Catalogue,
        keeper: Keeper,
        tracker: PresenceTracker,
        lobby: LobbyBook,
        *,
        version: str,
        limits: Limits | None = None,
        chat: bool = True,
        thinker: Thinker | None = None,
    ) -> None:
        self._store = store
        self._translated_games = TranslatedGames(catalogue)
        self._keeper = keeper
        self._tracker = tracker
        limits = limits or Limits()
        self._matchmaker = Matchmaker(store, catalogue, keeper, tracker, limits)
        self._no_shows = NoShows(keeper, tracker)
        self.rate_limiter = RateLimiter(limits)
        self._in_doubt = InDoubt()
        self.moves = Moves(store, keeper, self.rate_limiter, self._no_shows, self._in_doubt, self._move_on)
        self._lobby = lobby
        self._own = OwnBook(store, keeper, tracker)
        self.chat = ChatBook(store, keeper) if chat else None
        self._following = Following(keeper, tracker, self.chat)
        self.names = LiveNames(store)
        self.online = OnlinePlayers(store, keeper, lobby, version)
        self.challenges = Challenges(store, catalogue, keeper, self._matchmaker, self.online, limits)
        self._arrivals = Arrivals(store, self.names, self.online, limits)
        self.doors = self._arrivals.doors
        self.advice = Advice(thinker, keeper, store, catalogue, limits.analysis)
        self._version = version
        self._handlers: dict[type[Command], Handler] = {
            Hello: self._hello,
            Ping: self._ping,
            WatchLobby: self._watch_lobby,
            GetMatches: self._get_matches,
            Forget: self._forget,
            Create: self._create,
            Join: self._join,
            GetInvitation: self._get_invitation,
            QuickMatch: self._quick_match,
            Watch: self._following.watch,
            Leave: self._leave,
            Sync: self._following.sync,
            Look: self._following.look,
            GetRecord: self._following.get_record,
            Hint: self._hint,
            Analyse: self._analyse,
            Challenge: self._challenge,
            AnswerChallenge: self._answer_challenge,
            WithdrawChallenge: self._withdraw_challenge,
            MuteChallenges: self._mute_challenges,
            Say: self._say,
        }

    async def perform(self, viewer: Viewer, command: Command) -> None:
        """Carry out one command and answer it.

        Raises ParlourError when it is not granted, and OutcomeUnknown when nobody knows whether it was done.
        """
        kind = type(command)
        self.rate_limiter.admit(viewer, kind)
        self._no_shows.spoke(viewer)
        with billed() as bill, self._in_doubt.about(viewer.player, command.ref):
            try:
                await self._carry_out(viewer, command)
            except Refusal:
                receipt = await self._receipt(viewer, command)
                if receipt is None:
                    raise
                answer = await self._answer_again(viewer, command, receipt)
                if answer is None:
                    raise
                viewer.send(answer)
            finally:
                self.rate_limiter.charge(viewer, bill.spent_s)

    async def _carry_out(self, viewer: Viewer, command: Command) -> None:
        kind = type(command)
        if kind in IN_MATCH:
            await self._in_match(viewer, command, IN_MATCH[kind](command))
        else:
            await self._handlers[kind](viewer, command)

    async def _receipt(self, viewer: Viewer, command: Command) -> Receipt | None:
        """What a command that is about to be refused was accepted with before, when that could be granted (`Q3`)."""
        match = getattr(command, "match", "")
        if type(command) not in ANSWERED_BEFORE or not match:
            return None
        # The log may have grown elsewhere.
        await self._keeper.read_again(match)
        room = self._keeper.rooms.get(match)
        version = room.record.answer(viewer.player, command.ref) if room is not None else None
        if version is not None:
            return Receipt(match, version)
        return await self._store.receipt(viewer.player, command.ref, match)

    async def _answer_again(self, viewer: Viewer, command: Command, receipt: Receipt) -> Message | None:
        """What is said to a command that was done before; None when its ref is another's, whose answer says nothing."""
        if isinstance(command, Hint):
            return await self.advice.told_before(viewer.player, command, receipt.version)
        return Accepted(ref=command.ref, match=receipt.match, version=receipt.version)

    def forget(self, viewer: Viewer) -> None:
        """The connection is gone."""
        self.advice.gone(viewer)
        self._lobby.unwatch(viewer)
        if self.online.go(viewer):
            self.names.go(viewer)
            self.challenges.gone(viewer)
        self._tracker.leave_all(viewer)
        self._no_shows.gone(viewer)

    def show_again(self, viewer: Viewer, source: str) -> None:
        """A viewer that lagged can take messages again: show it what it missed of `source`, as it is now."""
        self._tracker.show_again(viewer, source, self._lobby)
        if self.chat is not None:
            self.chat.show_again(viewer, source)

    # The connection ---------------------------------------------------------------------------------------------------

    async def _hello(self, viewer: Viewer, hello: Hello) -> None:
        who, matches = await self._arrivals.let_in(viewer, hello)
        games, catalogue = self._translated_games.to(viewer.form, hello.catalogue)
        viewer.send(
            Welcome(
                ref=hello.ref,
                player=who.player,
                name=who.name,
                token=who.token,
                server=self._version,
                now_ms=self._store.now_ms(),
                games=games,
                matches=matches,
                chat=self.chat is not None,
                epoch=self._keeper.epoch,
                catalogue=catalogue,
            )
        )
        if hello.token is not None and viewer.meter is not None:
            with suppress(ParlourError):
                await self.challenges.show(viewer)

    async def _ping(self, viewer: Viewer, ping: Ping) -> None:
        viewer.send(Pong(ref=ping.ref, now_ms=self._store.now_ms()))

    async def _watch_lobby(self, viewer: Viewer, watch: WatchLobby) -> None:
        if watch.on and not self._lobby.watched:
            await self.online.look()
        viewer.send(Accepted(ref=watch.ref))
        if watch.on:
            self._lobby.watch(viewer)
        else:
            self._lobby.unwatch(viewer)

    async def _get_matches(self, viewer: Viewer, asked: GetMatches) -> None:
        viewer.send(await self._own.of(viewer, asked.ref))

    async def _forget(self, viewer: Viewer, asked: Forget) -> None:
        await self._keeper.room(asked.match)
        await self._own.forget(viewer, asked.match)
        viewer.send(Accepted(ref=asked.ref, match=asked.match))

    # Coming to a match and going --------------------------------------------------------------------------------------

    async def _create(self, viewer: Viewer, asked: Create) -> None:
        with self._tracker.hosting(viewer):
            await self._following.enter(viewer, asked.ref, await self._matchmaker.create(viewer, asked))

    async def _quick_match(self, viewer: Viewer, asked: QuickMatch) -> None:
        with self._tracker.hosting(viewer):
            await self._following.enter(viewer, asked.ref, await self._matchmaker.quick_match(viewer, asked))

    async def _join(self, viewer: Viewer, asked: Join) -> None:
        receipt = await self._matchmaker.join(viewer, asked)
        await self._following.enter(viewer, asked.ref, receipt)
        if self.chat is not None:
            self.chat.show_again(viewer, receipt.match)
        self._no_shows.sat_down(viewer, receipt.match)

    async def _get_invitation(self, viewer: Viewer, asked: GetInvitation) -> None:
        viewer.send(await self._matchmaker.invitation(viewer, asked))

    async def _leave(self, viewer: Viewer, asked: Leave) -> None:
        """Leaving changes the match only for one who is in it; for all others it just ends the following."""
        room = await self._keeper.room(asked.match)
        version = await self._keeper.commit(room, commands.Leave(), viewer.player, asked.ref)
        self._tracker.leave(viewer, room)
        viewer.send(Accepted(ref=asked.ref, match=asked.match, version=version))

    # Challenges -------------------------------------------------------------------------------------------------------

    async def _challenge(self, viewer: Viewer, asked: Challenge) -> None:
        await self.challenges.challenge(viewer, asked)
        viewer.send(Accepted(ref=asked.ref))

    async def _answer_challenge(self, viewer: Viewer, asked: AnswerChallenge) -> None:
        receipt = await self.challenges.answer(viewer, asked)
        if receipt is None:
            viewer.send(Accepted(ref=asked.ref))
        else:
            await self._following.enter(viewer, asked.ref, receipt)

    async def _withdraw_challenge(self, viewer: Viewer, asked: WithdrawChallenge) -> None:
        await self.challenges.withdraw(viewer, asked)
        viewer.send(Accepted(ref=asked.ref))

    async def _mute_challenges(self, viewer: Viewer, asked: MuteChallenges) -> None:
        await self.challenges.mute(viewer, asked)
        viewer.send(Accepted(ref=asked.ref))

    # In a match -------------------------------------------------------------------------------------------------------

    async def _move_on(self, viewer: Viewer, asked: Move, received_ms: int) -> None:
        with self._in_doubt.about(viewer.player, asked.ref):
            await self._in_match(viewer, asked, IN_MATCH[Move](asked), received_ms)

    async def _in_match(
        self, viewer: Viewer, asked: Any, command: commands.MatchCommand, received_ms: int | None = None
    ) -> None:
        received_ms = received_ms or self._store.now_ms()
        room = await self._keeper.room(asked.match)
        if isinstance(command, commands.Offer) and command.kind == "revert":
            await demand_own_position(self._keeper, self._store, viewer.player, room.match, command.moves)
        version = await self._keeper.commit(room, command, viewer.player, asked.ref, received_ms)
        viewer.send(Accepted(ref=asked.ref, match=asked.match, version=version))

    async def _say(self, viewer: Viewer, asked: Say) -> None:
        if self.chat is None:
            raise Refusal(Code.CHAT_OFF)
        room = await self._following.visible(viewer, asked.match)
        version = await self.chat.say(viewer, room, asked)
        viewer.send(Accepted(ref=asked.ref, match=asked.match, version=version))

    async def _hint(self, viewer: Viewer, asked: Hint) -> None:
        room = await self._following.visible(viewer, asked.match)
        demand_hint(room.match, viewer.player, asked.version)
        await self.advice.ask(viewer, asked, room, lambda: self._in_doubt.about(viewer.player, asked.ref))

    async def _analyse(self, viewer: Viewer, asked: Analyse) -> None:
        room = await self._following.visible(viewer, asked.match) if asked.match else None
        await self.advice.ask(viewer, asked, room, nullcontext)
