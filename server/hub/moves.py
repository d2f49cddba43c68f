"""The short way of a move: judged where its frame is read, told where the store's answer is read, and no task between.

It is the way of nearly all moves. What it asks for is what has to be waited for otherwise: a room that is loaded, not
in doubt and not taken, and a fresh beat. Everything else goes the way of all commands (`Service.perform`), and what
turns out on the way to need that (a lost race) goes on there. The order is the same on both: judge, store, take over,
tell, answer; the room's lock is held until all are told.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from protocol.errors import Refusal, StoreUnavailable
from protocol.messages import Accepted, Move
from server.hub.limits.rate_limiter import RateLimiter
from server.hub.matchmaking.no_shows import NoShows
from server.hub.rooms.commits import Judged
from server.hub.rooms.in_doubt import InDoubt
from server.hub.rooms.keeper import Keeper
from server.hub.viewers.viewer import Viewer
from server.match.asked import Asked
from server.match.commands import Play
from server.store.port import Appended, Store
from server.store.receipts import Receipt

Outcome = BaseException | Coroutine[Any, Any, None] | None
"""What came of a move: None when it is answered, what it is refused with, or what is left to be done for it."""
LongWay = Callable[[Viewer, Move, int], Coroutine[Any, Any, None]]
"""Carries out a move that was admitted, and received at that time (shared clock, ms)."""


class Moves:
    """Carries out moves without a task, where that can be."""

    def __init__(
        self,
        store: Store,
        keeper: Keeper,
        rate_limiter: RateLimiter,
        no_shows: NoShows,
        in_doubt: InDoubt,
        long_way: LongWay,
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._rate_limiter = rate_limiter
        self._no_shows = no_shows
        self._in_doubt = in_doubt
        self._long_way = long_way

    def play(self, viewer: Viewer, move: Move, done: Callable[[Outcome], None]) -> bool:
        """Carry out a move; `done` is called once with what came of it. False, and nothing is done, if that must wait.

        `done` must not raise.
        """
        room = self._keeper.room_at_once(move.match)
        if room is None:
            return False
        received_ms = self._store.now_ms()
        try:
            self._rate_limiter.admit(viewer, Move)
            self._no_shows.spoke(viewer)
            answered = room.record.answer(viewer.player, move.ref)
            if answered is None:
                asked = Asked(viewer.player, move.ref, received_ms, self._keeper.outages)
                judged = self._keeper.judge(room, Play(move.version, move.move), asked)
                self._store.append_then(
                    judged.append, lambda said: self._stored(viewer, move, received_ms, judged, said, done)
                )
                return True
            self._answer(viewer, move, answered)
        except Exception as error:
            room.lock.release()
            if isinstance(error, Refusal) and "version" in error.data and not self._keeper.alone:
                done(self._long_way(viewer, move, received_ms))  # another hub may have moved on
            else:
                done(self._in_doubt.told(viewer.player, move.ref, error))
        else:
            room.lock.release()
            done(None)
        return True

    def _stored(
        self,
        viewer: Viewer,
        move: Move,
        received_ms: int,
        judged: Judged,
        said: Appended | Receipt | StoreUnavailable,
        done: Callable[[Outcome], None],
    ) -> None:
        outcome: Outcome = None
        viewer.begin_write()
        try:
            version = self._keeper.settle(judged, said)
            if version is None:
                outcome = self._long_way(viewer, move, received_ms)
            else:
                self._answer(viewer, move, version)
        except Exception as error:
            outcome = self._in_doubt.told(viewer.player, move.ref, error)
        finally:
            viewer.end_write()
            judged.room.lock.release()
        done(outcome)

    def _answer(self, viewer: Viewer, move: Move, version: int) -> None:
        self._in_doubt.settled(viewer.player, move.ref)
        viewer.send(Accepted(ref=move.ref, match=move.match, version=version))
