"""The time of both seats as a value: what is left, whose runs, and what each move took. It reads no clock itself.

A seat's time starts with its first move (`RU-M2`): that move is not charged, but must come within the same time, of
which nothing is given back by whatever comes in between (`Q7`).
Time in which no hub could serve is taken out afterwards by `excuse` (`D5`), with what is given for coming back: a move
made meanwhile is charged what was thought before, and whose turn is next has the rest of it, too.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from protocol.messages import ClockRule, SeatStats, TimeLeft

Pair = tuple[int, int]


def with_seat(pair: Pair, seat: int, value: int) -> Pair:
    """`pair` with another value for one seat."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


class Clock(msgspec.Struct, frozen=True, gc=False):
    """Both seats' time under one rule. All in ms; `since_ms` may lie ahead, when an outage was excused."""

    rule: ClockRule
    left_ms: Pair
    running: int | None = None
    since_ms: int = 0
    spent_ms: Pair = (0, 0)
    moves: Pair = (0, 0)
    waited_ms: Pair = (0, 0)
    """What a seat has used up of the time for its first move."""
    turn_ms: Pair = (0, 0)
    """What the turn has taken that no move was made in yet. It is spent with that move, or by nobody."""
    excused_until_ms: int = 0
    """Until when the running seat's time stands, for it was excused."""

    @property
    def timed(self) -> bool:
        """Whether time is limited at all."""
        return bool(self.rule.per_move_ms or self.rule.total_ms)

    @property
    def deadline_ms(self) -> int | None:
        """When the running seat's time is up; None while nothing runs out."""
        if not self.timed or self.running is None:
            return None
        return self.since_ms + self.left_ms[self.running] - self.waited_ms[self.running]

    def flagged(self, now_ms: int) -> bool:
        """Whether the running seat's time is up."""
        deadline_ms = self.deadline_ms
        return deadline_ms is not None and now_ms >= deadline_ms

    def run(self, seat: int | None, now_ms: int) -> Clock:
        """The time of `seat` (None: of nobody) goes from now on; what ran before is settled."""
        return replace(self._counted(now_ms), running=seat, since_ms=self._next_from_ms(now_ms), excused_until_ms=0)

    def press(self, seat: int, following: int | None, now_ms: int) -> Clock:
        """`seat` has moved and `following` is to move: the same seat again gets no time back (`RU-M1`, `D7`)."""
        moves = with_seat(self.moves, seat, self.moves[seat] + 1)
        if not self.timed and seat == self.running:
            turn_ms = self.turn_ms[seat] + self._gone_ms(now_ms)
            spent_ms = with_seat(self.spent_ms, seat, self.spent_ms[seat] + turn_ms)
            return Clock(self.rule, self.left_ms, following, self._next_from_ms(now_ms), spent_ms, moves)
        counted = self._counted(now_ms)
        left_ms = counted.left_ms
        if following != seat and self.timed:
            full_ms = self.rule.per_move_ms or left_ms[seat] + self.rule.increment_ms
            left_ms = with_seat(left_ms, seat, full_ms)
        spent_ms = with_seat(counted.spent_ms, seat, counted.spent_ms[seat] + counted.turn_ms[seat])
        return Clock(
            self.rule, left_ms, following, self._next_from_ms(now_ms), spent_ms, moves,
            with_seat(counted.waited_ms, seat, 0),
        )  # fmt: skip

    def excuse(self, from_ms: int, until_ms: int) -> Clock:
        """Take out what of the outage the running seat was charged with. None runs before its end."""
        if until_ms <= self.since_ms:
            return self
        if self.running is None:
            return replace(self, since_ms=until_ms)
        since_ms = self.since_ms + until_ms - max(from_ms, self.since_ms)
        return replace(self, since_ms=since_ms, excused_until_ms=until_ms)

    def without(self, outages: Iterable[tuple[int, int]], excused_ms: int) -> Clock:
        """The clock as it will be when these are excused (from, until; in order); up to `excused_ms` they were."""
        clock = self
        if self.running is None:
            return clock
        for from_ms, until_ms in outages:
            if until_ms > excused_ms:
                clock = clock.excuse(max(from_ms, excused_ms), until_ms)
                excused_ms = until_ms
        return clock

    def left(self, now_ms: int) -> TimeLeft | None:
        """What each seat has left at `now_ms`, to count down from; None without a limit.

        Excused time that has not passed yet counts as left, too: counting down from it comes out right.
        """
        if not self.timed:
            return None
        # The first move is not charged, but it must come within the same time: what is shown goes down all the same.
        first, second = (max(0, left - waited) for left, waited in zip(self.left_ms, self.waited_ms, strict=True))
        seat = self.running
        if seat is None:
            return first, second
        return with_seat((first, second), seat, max(0, (first, second)[seat] - (now_ms - self.since_ms)))

    def counts_from_ms(self, now_ms: int) -> int:
        """From when on the running seat's time goes down, where that lies ahead; 0 where it does so by now.

        Until then it stands at what it has left then.
        """
        from_ms = max(self.since_ms, self.excused_until_ms)
        return from_ms if self.timed and self.running is not None and from_ms > now_ms else 0

    @property
    def uncharged(self) -> tuple[int, ...]:
        """The seats whose next move is their first."""
        return tuple(seat for seat in (0, 1) if self.timed and not self.moves[seat])

    def stats(self) -> tuple[SeatStats, SeatStats]:
        """Each seat's moves and average time for one; a turn that was not moved in is no part of it (`CK 5.5`)."""
        first, second = (
            SeatStats(moves, spent_ms // moves if moves else 0)
            for moves, spent_ms in zip(self.moves, self.spent_ms, strict=True)
        )
        return first, second

    def _next_from_ms(self, now_ms: int) -> int:
        """From when on the time of the seat goes that is to move next."""
        return max(now_ms, self.since_ms, self.excused_until_ms)

    def _gone_ms(self, now_ms: int) -> int:
        """How long the running seat's time has gone until `now_ms`."""
        return max(0, max(now_ms, self.excused_until_ms) - self.since_ms)

    def _counted(self, now_ms: int) -> Clock:
        """The clock with what has run until `now_ms`: charged, unless it is of the seat's first move."""
        seat = self.running
        if seat is None:
            return self
        gone_ms = self._gone_ms(now_ms)
        left_ms, waited_ms = self.left_ms, self.waited_ms
        if self.timed and self.moves[seat]:
            left_ms = with_seat(left_ms, seat, max(0, left_ms[seat] - gone_ms))
        elif self.timed:
            waited_ms = with_seat(waited_ms, seat, waited_ms[seat] + gone_ms)
        turn_ms = with_seat((0, 0), seat, self.turn_ms[seat] + gone_ms)
        return replace(self, left_ms=left_ms, turn_ms=turn_ms, waited_ms=waited_ms)


def new_clock(rule: ClockRule) -> Clock:
    """Both seats' time before the start."""
    full_ms = rule.per_move_ms or rule.total_ms
    return Clock(rule, (full_ms, full_ms))
