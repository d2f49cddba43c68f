"""The positions of a saved game, asked of a private server that has replayed its moves (`RU-M8`).

The client knows no rules, so it cannot replay by itself; and a file is believed only as far as the server replays it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec import structs

from client.conversation.cleaning import cleaned_event, plain
from client.conversation.events import Answer, Event, Offline, Settled
from client.conversation.session import Session
from client.conversation.transport import Finder, Transport
from client.kept.saves import SavedGame
from client.playing.saving import OTHER_POSITION
from client.start.hub_process import START_S
from protocol.messages import (
    Analyse,
    Analysis,
    Command,
    GameInfo,
    GetRecord,
    Look,
    Position,
    Record,
    Refused,
    Snapshot,
    Welcome,
)

ANSWER_S = 60.0
"""How long the private server may take for an answer; a thought that hangs is ended there long before."""


class CannotReplay(Exception):
    """The saved game does not replay, or there is no server to do it; the text says why."""


class Positions:
    """Opened once; then `at` gives any position as a snapshot of a match in which nobody sits at this keyboard."""

    def __init__(self, saved: SavedGame, find: Finder, *, language: str = "en") -> None:
        self.saved = saved
        self.plies = len(saved.moves)
        self.game: GameInfo | None = None
        self.warning = ""
        """What the user must know about the file, once it is open."""
        self._session = Session("Replay", client="replay", language=language)
        self._transport = Transport(find, self._session, self._drain)
        self._carrying: asyncio.Task[None] | None = None
        self._start: Snapshot | None = None
        self._snapshot: asyncio.Future[Snapshot] = asyncio.get_running_loop().create_future()
        self._asked: dict[str, asyncio.Future[Position | Record | Analysis]] = {}
        self._known: dict[int, Snapshot] = {}

    async def open(self) -> None:
        """Have the moves replayed. Raises CannotReplay."""
        self._carrying = asyncio.create_task(self._transport.run())
        try:
            async with asyncio.timeout(START_S + ANSWER_S):
                self._start = await self._snapshot
        except TimeoutError:
            raise CannotReplay("The server gave no answer.") from None
        record = await self._ask(lambda ref: GetRecord(ref=ref, match=self._match))
        if isinstance(record, Record) and not self.saved.leads_to(record):
            self.warning = OTHER_POSITION

    async def at(self, ply: int) -> Snapshot:
        """The match after `ply` moves. Raises CannotReplay."""
        if ply not in self._known:
            position = await self._ask(lambda ref: Look(ref=ref, match=self._match, ply=ply))
            assert isinstance(position, Position)
            self._known[ply] = self._as_match(position)
        return self._known[ply]

    async def judged(self, ply: int) -> Analysis:
        """Who stands better after `ply` moves, and what is best there. Raises CannotReplay."""
        answer = await self._ask(lambda ref: Analyse(ref=ref, match=self._match, ply=ply))
        assert isinstance(answer, Analysis)
        return answer

    def seat_name(self, seat: int) -> str:
        """How the file calls who sat there; or the seat's own name."""
        assert self._start is not None
        return plain(self.saved.names[seat]) or self._start.seats[seat].style.name

    async def close(self) -> None:
        """Let go of the server."""
        self._transport.stop()
        if self._carrying is not None:
            await asyncio.gather(self._carrying, return_exceptions=True)

    @property
    def is_open(self) -> bool:
        """Whether the moves were replayed, so that there are positions."""
        return self._start is not None

    @property
    def _match(self) -> str:
        assert self._start is not None
        return self._start.match

    def _as_match(self, position: Position) -> Snapshot:
        """The position in the form that boards are drawn from; the names are the file's."""
        assert self._start is not None
        first, second = (
            structs.replace(seat, name=plain(name) or None, here=True)
            for seat, name in zip(self._start.seats, self.saved.names, strict=True)
        )
        ends = position.ply == self.plies and self.saved.result
        return structs.replace(
            self._start,
            version=position.ply,
            status="playing",
            seats=(first, second),
            you=(),
            marks=position.marks,
            focus=position.focus,
            scores=position.scores,
            to_move=position.to_move,
            legal=(),
            resting=(),
            text=plain(self.saved.result) if ends else position.text,
            plies=position.ply,
            last=position.last,
            result=None,
        )

    async def _ask(self, make: Callable[[str], Command]) -> Position | Record | Analysis:
        command = make(self._session.ref())
        answer: asyncio.Future[Position | Record | Analysis] = asyncio.get_running_loop().create_future()
        self._asked[command.ref] = answer
        self._session.send(command)
        self._transport.flush()
        try:
            async with asyncio.timeout(ANSWER_S):
                return await answer
        except TimeoutError:
            raise CannotReplay("The server gave no answer.") from None
        finally:
            del self._asked[command.ref]

    def _drain(self) -> None:
        for event in self._session.events():
            self._take(cleaned_event(event))

    def _take(self, event: Event) -> None:
        match event:
            case Welcome(games=games):
                self.game = next((game for game in games if game.name == self.saved.game), None)
                if self._start is None and not self._session.pending:
                    self._session.send(self.saved.review(self._session.ref()))
                    self._transport.flush()
            case Snapshot() if not self._snapshot.done():
                self._snapshot.set_result(event)
            case Settled(command, answer) if command.ref in self._asked and not self._asked[command.ref].done():
                self._answered(self._asked[command.ref], answer)
            case Settled(answer=Refused(text=text)) if not self._snapshot.done():
                self._snapshot.set_exception(CannotReplay(text))
            case Offline(reason=reason) if not self._session.welcomed and not self._snapshot.done():
                self._snapshot.set_exception(CannotReplay(reason))
            case _:
                pass

    def _answered(self, waiting: asyncio.Future[Position | Record | Analysis], answer: Answer) -> None:
        match answer:
            case Position() | Record() | Analysis():
                waiting.set_result(answer)
            case Refused(text=text):
                waiting.set_exception(CannotReplay(text))
            case _:
                pass
