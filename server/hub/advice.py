"""What players are told of positions: hints while they play the computer, and analyses of what is over.

Thinking takes long, and happens elsewhere: whoever asks by a socket is answered when it is done, and goes on meanwhile.
There is one question at a time for a player; it is dropped when its asker goes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import structlog

from protocol.errors import Code, ParlourError, Refusal
from protocol.messages import Analyse, Analysis, Hint
from protocol.text import Text, Translate
from server.games import AnyGame, Catalogue
from server.hub.concurrency.cancelling import end_tasks
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.room import Room
from server.hub.rooms.spoiling import demand_no_other, demand_unplayed
from server.hub.viewers.viewer import Viewer
from server.match.commands import TakeHint
from server.match.events import HintTaken, decode_event
from server.match.fold import Work, going_to, replaying
from server.match.hints import demand_hint
from server.match.record import Record
from server.match.state import Match, Status
from server.store.port import Store

log = structlog.get_logger(__name__)


class Opinion(NamedTuple):
    """What is thought of a position: see `Analysis`. `lead` is that of seat 0; `less` if it was thought about for less
    than usual."""

    move: str
    lead: int
    exact: bool
    remark: Text | None
    of_played: Text | None
    less: bool


class Thinker(Protocol):
    """Who thinks, bounded and fair to players."""

    @property
    def is_busy(self) -> bool:
        """Whether so many questions wait that no more are taken."""

    async def judge(self, player: str, game: AnyGame, state: Any, *, played: str, share: float | None) -> Opinion:
        """The opinion of a position, with `share` of the hard level's budget, or (None) the master's.

        Raises Refusal. Cancelled, it is thought about no longer.
        """


Doubt = Callable[[], AbstractContextManager[None]]
"""What a command that may store something is carried out within (`Q5`)."""


@dataclass(eq=False)
class _Question:
    viewer: Viewer
    asked: Hint | Analyse
    task: asyncio.Task[None] | None = None


class Advice:
    """Answers the questions of players over one keeper."""

    def __init__(
        self, thinker: Thinker | None, keeper: Keeper, store: Store, catalogue: Catalogue, share: float
    ) -> None:
        self._thinker = thinker
        self._keeper = keeper
        self._store = store
        self._catalogue = catalogue
        self._share = share
        self._questions: dict[str, _Question] = {}

    async def ask(self, viewer: Viewer, asked: Hint | Analyse, room: Room | None, doubt: Doubt) -> None:
        """Answer `viewer` as soon as it is known; who does not wait for it is answered, or refused, afterwards.

        `room` is that of the match which is asked about. Raises Refusal, or `busy`.
        """
        known = self._questions.get(viewer.player)
        if known is not None and known.asked.ref == asked.ref and not viewer.waits:
            known.viewer = viewer  # sent again, over another connection perhaps: there will be one answer
            return
        if known is not None:
            raise Refusal(Code.ONE_ANALYSIS)
        if self._thinker is None:
            raise Refusal(Code.NO_COMPUTER)
        if self._thinker.is_busy:
            raise ParlourError(Code.BUSY)
        question = self._questions[viewer.player] = _Question(viewer, asked)
        if viewer.waits:
            await self._answer(self._thinker, question, room, doubt)
        else:
            question.task = asyncio.create_task(self._answer_later(self._thinker, question, room, doubt))

    async def told_before(self, player: str, asked: Hint, version: int) -> Analysis | None:
        """The hint that this question led to at `version` of its match, once more (`Q3`), but for its reason, which is
        not kept. None when its ref was of something else, such as a line of chat at that version."""
        log = (await self._store.read(asked.match))[:version]
        taken = decode_event(log[-1]) if log else None
        if not isinstance(taken, HintTaken) or (taken.player, taken.ref) != (player, asked.ref):
            return None
        match = (await self._keeper.slices.run(Record.reading(asked.match, log, self._catalogue))).match
        return Analysis(
            ref=asked.ref, match=match.id, version=version, ply=match.plies, plies=match.plies, to_move=match.turn,
            move=match.game.shown(match.hint), text="",
        )  # fmt: skip

    def gone(self, viewer: Viewer) -> None:
        """Nobody waits for an answer to `viewer` any more."""
        question = self._questions.get(viewer.player)
        if question is not None and question.viewer is viewer and question.task is not None:
            question.task.cancel()

    async def close(self) -> None:
        """Drop all questions."""
        await end_tasks([question.task for question in self._questions.values() if question.task is not None])

    async def _answer_later(self, thinker: Thinker, question: _Question, room: Room | None, doubt: Doubt) -> None:
        asked = question.asked
        try:
            await self._answer(thinker, question, room, doubt)
        except ParlourError as error:
            question.viewer.refuse(asked.ref, error, asked.match, int(error.data.get("version", 0)))
        except Exception:
            log.exception("a question failed", question=type(asked).__name__)
            question.viewer.refuse(asked.ref, ParlourError(Code.INTERNAL), asked.match)

    async def _answer(self, thinker: Thinker, question: _Question, room: Room | None, doubt: Doubt) -> None:
        viewer, asked = question.viewer, question.asked
        try:
            if isinstance(asked, Hint):
                assert room is not None
                found = await self._hint(thinker, viewer.player, asked, room, doubt)
            else:
                found = await self._analysis(thinker, viewer.player, asked, room)
            question.viewer.send(found(question.viewer.translate))
        finally:
            if self._questions.get(viewer.player) is question:
                del self._questions[viewer.player]

    # A hint -----------------------------------------------------------------------------------------------------------

    async def _hint(self, thinker: Thinker, player: str, asked: Hint, room: Room, doubt: Doubt) -> _Said:
        match = room.match
        demand_hint(match, player, asked.version)
        await demand_no_other(self._keeper, self._store, player, match, match.plies)
        told = match.hint if match.hinted == match.position else ""
        opinion = await thinker.judge(player, match.game, match.state, played=told, share=None)
        with doubt():
            version = await self._keeper.commit(room, TakeHint(asked.version, told or opinion.move), player, asked.ref)
        # Asked for twice, by two connections perhaps, it is the same move.
        told = room.match.hint if room.match.hinted == match.position else told or opinion.move
        remark = opinion.remark if told == opinion.move else opinion.of_played
        turn, plies = match.turn, match.plies
        return lambda translate: Analysis(
            ref=asked.ref, match=match.id, version=version, ply=plies, plies=plies, to_move=turn,
            move=match.game.shown(told), text=_clause(remark, translate), less=opinion.less,
        )  # fmt: skip

    # An analysis ------------------------------------------------------------------------------------------------------

    async def _analysis(self, thinker: Thinker, player: str, asked: Analyse, room: Room | None) -> _Said:
        match = room.seen_by(player) if room is not None else None
        if match is not None and match.status is not Status.ENDED:
            raise Refusal(Code.STILL_PLAYED)
        game = match.game if match is not None else self._catalogue[asked.game]
        if not game.levels:
            raise Refusal(Code.NO_COMPUTER)
        moves = match.moves if match is not None else asked.moves
        if asked.ply > len(moves):
            raise Refusal(Code.NO_SUCH_PLY, plies=len(moves))
        params = match.params if match is not None else game.parse_options(asked.options)
        if match is not None:
            await demand_no_other(self._keeper, self._store, player, match, asked.ply)
        else:
            await demand_unplayed(self._keeper, self._store, player, game, params, moves, asked.ply)
        state = await self._keeper.slices.run(_leading_to(game, match, asked))
        played = moves[asked.ply] if asked.ply < len(moves) else ""
        if played and match is None:
            _demand_legal(game, state, played, asked.ply + 1)
        opinion = await thinker.judge(player, game, state, played=played, share=self._share)
        turn: int | None = game.to_move(state)
        return lambda translate: Analysis(
            ref=asked.ref, match=asked.match, version=match.version if match is not None else 0, ply=asked.ply,
            plies=len(moves), to_move=turn, move=game.shown(opinion.move) if opinion.move else "",
            text=_clause(opinion.remark, translate), lead=opinion.lead, exact=opinion.exact,
            played=game.shown(played) if played else "", played_text=_clause(opinion.of_played, translate),
            less=opinion.less,
        )  # fmt: skip


_Said = Callable[[Translate], Analysis]
"""An answer, once it is known in which language."""


def _leading_to(game: AnyGame, match: Match | None, asked: Analyse) -> Work[Any]:
    """The state after the first `ply` moves, in steps of one. Raises Refusal, also `bad_option`."""
    if match is not None:
        return (yield from going_to(match, match.moves[: asked.ply])).state
    return (yield from replaying(game, game.parse_options(asked.options), asked.moves[: asked.ply])).state


def _demand_legal(game: AnyGame, state: Any, move: str, ply: int) -> None:
    try:
        game.play(state, move)
    except Refusal:
        raise Refusal(Code.DOES_NOT_REPLAY, ply=ply) from None


def _clause(remark: Text | None, translate: Translate) -> str:
    return remark.render(translate) if remark is not None else ""
