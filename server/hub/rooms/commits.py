"""A command's way into the log: judged, stored on the version it was judged on, told; tried again after a lost race."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from protocol.errors import Code, OutcomeUnknown, ParlourError, Refusal, StoreUnavailable
from server.hub.metrics import EVENTS_STORED, LOST_RACES, STORED_SECONDS, TOLD_SECONDS
from server.hub.rooms.heartbeat import FRESH_S
from server.hub.rooms.index import index_change
from server.hub.rooms.log_follower import LogFollower
from server.hub.rooms.room import Room
from server.match.commands import MatchCommand, Play
from server.match.events import encode_event
from server.match.machine import Asked, Step, decide, deciding
from server.match.state import Status
from server.store.port import Append, Appended
from server.store.receipts import Receipt, Ref

COMMIT_TRIES = 50
"""How often a command is judged again because another hub was quicker; each time one of them got through."""


class Judged(msgspec.Struct, frozen=True):
    """What a command causes in a room, before it is stored; `started` is when it was received, for figures."""

    room: Room
    command: str
    happened: list[Step]
    receipt: Receipt
    append: Append
    started: float
    taken: float = 0.0
    judged: float = 0.0
    """When it was begun to be judged, and judged, where that is traced."""


class Told(NamedTuple):
    """A command that changed a match, and when it was where (s, as `time.perf_counter` has it)."""

    match: str
    game: str
    command: str
    version: int
    events: int
    received_s: float
    taken_s: float
    judged_s: float
    stored_s: float
    told_s: float


class Commits(LogFollower):
    """The part of the keeper that judges and stores."""

    trace: Callable[[Told], None] | None = None
    """Told of each command that changed a match, if anybody wants to know."""

    async def commit(
        self, room: Room, command: MatchCommand, player: str = "", ref: str = "", received_ms: int | None = None
    ) -> int:
        """Judge a command, store what it causes, then tell it; returns the version that it led to.

        It counts as asked when it was received (shared clock, ms; now if not given). A ref that was answered before is
        answered the same. Raises Refusal, `busy`, StoreUnavailable when nothing was done, or OutcomeUnknown.
        """
        return (await self._commit(room, command, player, ref, received_ms)).version

    async def lead(self, room: Room, command: MatchCommand, player: str, ref: str) -> Receipt:
        """Like `commit`, for a command that did not name this match: the answer is remembered with the player, too.

        If its ref was answered before, the answer may be about another match.
        """
        return await self._commit(room, command, player, ref, with_player=True)

    async def _commit(
        self,
        room: Room,
        command: MatchCommand,
        player: str,
        ref: str,
        received_ms: int | None = None,
        *,
        with_player: bool = False,
    ) -> Receipt:
        started = time.perf_counter()
        await self._be_fresh()
        async with room.lock:
            await self._be_fresh()  # once more, for waiting may have taken long
            asked = Asked(player, ref, received_ms or self._store.now_ms(), self.outages)
            for _ in range(COMMIT_TRIES):
                if self._doubts(room):
                    await self._read_on(room)
                answered = room.record.answer(player, ref) if ref else None
                if answered is not None:
                    return Receipt(room.match.id, answered)
                receipt = await self._try(room, command, asked, with_player, started)
                if receipt is not None:
                    return receipt
                LOST_RACES.inc()
                await self._read_on(room)
        raise ParlourError(Code.BUSY)

    async def _try(
        self, room: Room, command: MatchCommand, asked: Asked, with_player: bool, started: float
    ) -> Receipt | None:
        """Judge and store once; None when another hub was quicker. `started` is when it was received, for figures."""
        version = room.match.version
        taken = time.perf_counter() if self.trace is not None else 0.0
        try:
            happened = await self.slices.begin(deciding(room.match, command, asked))
        except Refusal as refusal:
            if await self._was_behind(room):
                return None
            refusal.data["version"] = version
            raise
        judged = _judged(room, command, happened, asked, started, with_player=with_player)
        if self.trace is not None:
            judged = replace(judged, taken=taken, judged=time.perf_counter())
        receipt = judged.receipt
        if not happened and not asked.ref:
            return receipt
        try:
            outcome = await self._store.append(judged.append)
        except (OutcomeUnknown, asyncio.CancelledError):
            # It may be stored all the same: nothing is shown or judged here before the log was read.
            room.doubtful = True
            raise
        if isinstance(outcome, Receipt):
            return outcome
        if outcome is Appended.RELOADED:
            await self.beat()
        if outcome is not Appended.STORED:
            return None
        stored = _count_stored(judged)
        try:
            await self._take_over(room, happened)
        except StoreUnavailable as error:
            # It is stored, and what it obliges us to elsewhere is not: sent again it is answered when all is there.
            raise OutcomeUnknown(error.reason) from error
        self._count_told(judged, stored)
        return receipt

    # Without waiting --------------------------------------------------------------------------------------------------

    def room_at_once(self, match_id: str) -> Room | None:
        """The room of a match in which a command can be judged now, with its lock taken; None when that has to wait."""
        room = self.rooms.get(match_id)
        fresh = self.store_answers and time.monotonic() - self._beaten <= FRESH_S
        return room if room is not None and fresh and not self._doubts(room) and room.lock.take() else None

    def judge(self, room: Room, command: MatchCommand, asked: Asked) -> Judged:
        """What a command causes that owes nothing to other logs. Raises Refusal, which holds when this hub is `alone`.

        The room was had by `room_at_once`.
        """
        started = time.perf_counter()
        try:
            happened = decide(room.match, command, asked)
        except Refusal as refusal:
            refusal.data["version"] = room.match.version
            raise
        judged = _judged(room, command, happened, asked, started)
        return judged if self.trace is None else replace(judged, taken=started, judged=time.perf_counter())

    def settle(self, judged: Judged, outcome: Appended | Receipt | StoreUnavailable) -> int | None:
        """What was judged was to be stored, and this came of it: tell it. Returns the version that it led to.

        None when it has to be judged again. Raises StoreUnavailable when nothing was done, or OutcomeUnknown.
        """
        room = judged.room
        if outcome is not Appended.STORED:
            if isinstance(outcome, StoreUnavailable):
                # It may be stored all the same: nothing is shown or judged here before the log was read.
                room.doubtful = room.doubtful or isinstance(outcome, OutcomeUnknown)
                raise outcome
            if isinstance(outcome, Receipt):
                return outcome.version
            LOST_RACES.inc()
            room.doubtful = True
            return None
        stored = _count_stored(judged)
        self._tell(room, judged.happened)
        self._count_told(judged, stored)
        return judged.receipt.version

    def _count_told(self, judged: Judged, stored: float) -> None:
        told = time.perf_counter()
        TOLD_SECONDS.observe(told - judged.started)
        if self.trace is not None and judged.happened:
            self.trace(
                Told(
                    match=judged.receipt.match, game=judged.room.match.game.name, command=judged.command,
                    version=judged.receipt.version, events=len(judged.happened), received_s=judged.started,
                    taken_s=judged.taken, judged_s=judged.judged, stored_s=stored, told_s=told,
                )
            )  # fmt: skip

    @property
    def alone(self) -> bool:
        """Whether no other hub can have appended anything."""
        return self.live_hubs <= {self._store.hub}

    async def _was_behind(self, room: Room) -> bool:
        """Whether another hub has appended without our having heard yet: nobody is refused for what is over."""
        if self.alone:
            return False
        version = room.record.version
        await self._read_on(room)
        return room.record.version != version


def _judged(
    room: Room, command: MatchCommand, happened: list[Step], asked: Asked, started: float, *, with_player: bool = False
) -> Judged:
    before = room.match
    after = happened[-1].after if happened else before
    receipt = Receipt(before.id, after.version)
    # Wherever a move is accepted its event is in the log.
    may_have_receipt = with_player or not isinstance(command, Play)
    append = Append(
        match=before.id,
        base=before.version,
        events=[encode_event(step.event) for step in happened],
        index=index_change(before, after, asked.now_ms),
        epoch=room.epoch,
        over=after.status is Status.ENDED,
        refs=_refs(asked, receipt, in_log=bool(happened), with_player=with_player) if may_have_receipt else (),
    )
    return Judged(room, type(command).__name__, happened, receipt, append, started)


def _count_stored(judged: Judged) -> float:
    """Returns when that was."""
    stored = time.perf_counter()
    EVENTS_STORED.inc(len(judged.happened))
    STORED_SECONDS.observe(stored - judged.started)
    return stored


def _refs(asked: Asked, receipt: Receipt, *, in_log: bool, with_player: bool) -> tuple[Ref, ...]:
    """Where a command's ref is looked for, and where its receipt is kept: not with the match if the log has it."""
    if not asked.ref:
        return ()
    here = Ref(asked.player, asked.ref, receipt.match, None if in_log else receipt)
    return (here, Ref(asked.player, asked.ref, "", receipt)) if with_player else (here,)
