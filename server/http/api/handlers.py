"""The handlers: a request becomes a command, and what came of it the answer (`CK R5` to `R8`)."""

from __future__ import annotations

import time
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta
from starlette.requests import Request

from protocol.codec import MSGPACK
from protocol.limits import MAX_ID, MAX_MOVES, MAX_VERSION
from protocol.messages import (
    Accepted,
    Analyse,
    Analysis,
    Command,
    Create,
    GetInvitation,
    GetRecord,
    Hello,
    Hint,
    Invitation,
    Join,
    Leave,
    LobbyState,
    Look,
    Message,
    Move,
    Position,
    QuickMatch,
    Record,
    Snapshot,
    WatchLobby,
    Welcome,
)
from server.games import Catalogue
from server.http.api import claims, types
from server.http.api.challenging import Challenging
from server.http.api.errands import Errands
from server.http.api.gone import unless_gone
from server.http.api.listeners import Listeners
from server.http.api.requests import (
    convert,
    idempotency_key,
    language_of,
    match_id,
    query,
    read_body,
    ref_of,
    who_asks,
)
from server.http.api.types import Done, Entered, Games, Guest, Matches, Updates
from server.http.api.updates import Watcher, Wish
from server.http.api.viewers import Stays
from server.hub.connections.hub import Hub
from server.hub.rooms.keeper import Keeper
from server.hub.service import Service
from server.hub.viewers.viewer import form_for, language
from server.store.port import Store

_NEW_GUEST = msgspec.json.Decoder(types.NewGuest)
_NEW_MATCH = msgspec.json.Decoder(types.NewMatch)
_QUICK_MATCH = msgspec.json.Decoder(types.QuickMatch)
_NEW_PLAYER = msgspec.json.Decoder(types.NewPlayer)
_INVITATION_WISH = msgspec.json.Decoder(types.InvitationWish)
_SEAT_WISH = msgspec.json.Decoder(types.SeatWish)
_NEW_ANALYSIS = msgspec.json.Decoder(types.NewAnalysis)
_NEW_HINT = msgspec.json.Decoder(types.NewHint)
_UPDATE = msgspec.json.Decoder(types.AnyUpdate)

M = TypeVar("M", bound=Message)


class Handlers(Challenging):
    """One method for each operation; `routes.OPERATIONS` says where it is found and what it may answer."""

    def __init__(
        self,
        service: Service,
        keeper: Keeper,
        store: Store,
        catalogue: Catalogue,
        hub: Hub,
        *,
        here_s: float,
    ) -> None:
        self._store = store
        self._service = service
        self._keeper = keeper
        self.catalogue = catalogue
        self._hub = hub
        self._errands = Errands(service, keeper, store, hub.proxies)
        self._stays = Stays(service, keeper, here_s)
        self._watcher = Watcher(self._errands, self._stays)
        self._listeners = Listeners(service, here_s)

    def is_busy(self) -> None:
        """Somebody asks something: the hub is not idle."""
        self._hub.last_busy = time.monotonic()

    def stop(self) -> None:
        """The hub stops: answer whoever waits."""
        self.stopping = True
        self._watcher.stop()
        self._listeners.wake_all()

    # Who comes, and what is on offer ----------------------------------------------------------------------------------

    async def new_guest(self, request: Request) -> Guest:
        """Comes as a new player. The token in the answer says who you are from then on, and is told only here.

        Send it as `Authorization: Bearer TOKEN`. Under the same `Idempotency-Key` the same request, from the same
        address, makes one player: choose a key that nobody can guess, for it is worth as much as the token.
        """
        asked = await read_body(request, _NEW_GUEST)
        async with self._errands.errand(request) as errand:
            key = idempotency_key(request)
            errand.secret = f"{errand.address} {key}" if key else ""
            hello = Hello(ref=ref_of(request, None), name=asked.name, rename=asked.rename, client="http")
            welcome = await self._errands.perform(errand, hello, Welcome)
        return Guest(welcome.player, welcome.name, welcome.token or "")

    async def games(self, request: Request) -> Games:
        """The games on offer, with their options, and their rules as text."""
        translate = language(form_for(MSGPACK, language_of(request)).language)
        return Games(tuple(game.info(translate) for game in self.catalogue.values()))

    async def matches(self, request: Request) -> Matches:
        """The public matches that wait for somebody or are being played, newest first (`CK 5.3`)."""
        game = query(request, "game", Annotated[str, Meta(min_length=1, max_length=MAX_ID)], "")
        async with self._errands.errand(request) as errand:
            lobby = await self._errands.perform(errand, WatchLobby(ref=ref_of(request, None)), LobbyState)
        if not game:
            return Matches(lobby.matches, lobby.total)
        rows = tuple(row for row in lobby.matches if row.game == game)
        return Matches(rows, len(rows))

    # Coming to a match ------------------------------------------------------------------------------------------------

    async def new_match(self, request: Request) -> Entered:
        """Hosts a match; the host sits on `seat` (`CK R5`). A private one is joined by the key in the answer."""
        return await self._enter(request, Create, await read_body(request, _NEW_MATCH))

    async def quick_match(self, request: Request) -> Entered:
        """Pairs you with whoever waits for the same game, options and clock, else waits for the next one."""
        return await self._enter(request, QuickMatch, await read_body(request, _QUICK_MATCH))

    async def invitation(self, request: Request) -> Invitation:
        """What one would join by a `key`, or by the id of a public match, and on which `seat`; takes none.

        Refused as joining would be; a wrong key counts as one (`CK R1.6`).
        """
        asked = await read_body(request, _INVITATION_WISH)
        return await self._ask(request, self._command(request, GetInvitation, asked), Invitation)

    async def new_player(self, request: Request) -> Entered:
        """Takes the free seat of the match with this id, or of the private one with this key (`CK R1.6`, `R6`)."""
        return await self._enter(request, Join, await read_body(request, _NEW_PLAYER))

    async def join(self, request: Request) -> Entered:
        """Takes the free seat of this match (`CK R1.5`, `R6`)."""
        wanted = match_id(request)
        asked = await read_body(request, _SEAT_WISH)
        return await self._enter(request, Join, types.NewPlayer(ref=asked.ref, match=wanted, key=asked.key))

    async def _enter(self, request: Request, kind: type[Command], asked: Any) -> Entered:
        who = await who_asks(request, self._store)
        self._stays.demand_room()
        async with self._errands.errand(request, who) as errand:
            accepted = await self._errands.perform(errand, self._command(request, kind, asked), Accepted)
            # Before the errand is let go of: the player is here without a gap.
            await self._stays.stay_on(who, accepted.match)
            state = errand.last_or_none(Snapshot)
        return Entered(
            match=accepted.match, player=who.player, version=accepted.version, state=state, key=accepted.key
        )  # fmt: skip

    # In a match -------------------------------------------------------------------------------------------------------

    async def update(self, request: Request) -> Done:
        """Does something in the match: a move, giving up, an offer, an answer, a pause ... (`CK R7`).

        The lists `moved` (from, to), `captured` and `crowned` of a move need not be given; where they are, they must be
        those that the rules bring (`RU-CK7`).
        """
        match = match_id(request)
        asked: Any = await read_body(request, _UPDATE)
        who = await who_asks(request, self._store)
        kind = types.UPDATES[type(asked)]
        command = self._command(request, kind, asked, match=match)
        if kind is Move:
            room = await self._keeper.room(match)
            named = {name: getattr(asked, name) for name in claims.LISTS}
            claims.check(room.match, who.player, asked.version, asked.move, named)
        async with self._errands.errand(request, who) as errand:
            accepted = await self._errands.perform(errand, command, Accepted)
            if kind is Leave:
                self._stays.leave(who, match)
            else:
                await self._stays.stay_on(who, match)
        return Done(match, accepted.version, accepted.ref)

    async def updates(self, request: Request) -> Updates:
        """What the other player and the server did since version `after` (`CK R8`).

        With `wait` the answer comes as soon as there is something, at the latest after so many seconds. `epoch` is that
        of the answer in which version `after` came.
        """
        wish = Wish(
            match=match_id(request),
            after=query(request, "after", Annotated[int, Meta(ge=0, le=MAX_VERSION)], 0),
            wait_s=query(request, "wait", Annotated[float, Meta(ge=0, le=types.MAX_WAIT_S)], 0.0),
            own=query(request, "own", bool, False),
            epoch=query(request, "epoch", Annotated[str, Meta(max_length=MAX_ID)], ""),
        )
        return await self._watcher.updates(request, await who_asks(request, self._store), wish)

    async def state(self, request: Request) -> Snapshot:
        """The match as you may see it: board, marks, legal moves, clocks, and what you may do."""
        match = match_id(request)
        return await self._errands.look(request, await who_asks(request, self._store), match)

    async def position(self, request: Request) -> Position:
        """The position after the first `ply` moves, for stepping through."""
        match = match_id(request)
        ply = convert("ply", request.path_params["ply"], Annotated[int, Meta(ge=0, le=MAX_MOVES)])
        return await self._ask(request, Look(ref=ref_of(request, None), match=match, ply=ply), Position)

    async def record(self, request: Request) -> Record:
        """All that a saved game holds (`RU-M8`): the moves, and what they lead to.

        Of a student's game as many whole moves as fit; `after` asks for those that follow so many.
        """
        match = match_id(request)
        after = query(request, "after", Annotated[int, Meta(ge=0, le=MAX_MOVES)], 0)
        return await self._ask(request, GetRecord(ref=ref_of(request, None), match=match, after=after), Record)

    async def hint(self, request: Request) -> Analysis:
        """The move that the strongest level would make, against the computer only; it counts, and is told at the end.

        `version` is the newest that you have seen.
        """
        asked = await read_body(request, _NEW_HINT)
        return await self._ask(request, self._command(request, Hint, asked, match=match_id(request)), Analysis)

    async def analysis(self, request: Request) -> Analysis:
        """Who stands better after the first `ply` moves, and what is best there: of a match that is over.

        Or, without `match`, of a saved game: `game`, `options` and `moves`. One at a time for a player, within a
        budget, and not while a match of the same game goes on between people that you play or watch. Break the request
        off, and it is thought about no longer.
        """
        asked = await read_body(request, _NEW_ANALYSIS)
        return await unless_gone(request, self._ask(request, self._command(request, Analyse, asked), Analysis))

    async def _ask(self, request: Request, command: Command, kind: type[M]) -> M:
        who = await who_asks(request, self._store)
        async with self._errands.errand(request, who) as errand:
            return await self._errands.perform(errand, command, kind)

    def _command(self, request: Request, kind: type[Command], asked: Any, **more: Any) -> Command:
        fields = {name: getattr(asked, name) for name in kind.__struct_fields__ if hasattr(asked, name)}
        return kind(**{**fields, **more, "ref": ref_of(request, asked.ref)})
