"""The review of a match that is over: who stood better after each move, and which moves cost most. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from protocol.limits import MAX_LEAD
from protocol.messages import Analysis, Refused

COSTLIEST = 3
LEAST = MAX_LEAD // 25
"""What a move must have cost to be called a mistake, where nothing is certain: less is within what a search errs."""
BARS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class Costly:
    """A move that cost something: the `ply`-th of the match. `exact`: nobody guesses. `still` is what the player does
    after it all the same where that is so: "wins" or "loses", and only by how much was at stake; "" elsewhere."""

    ply: int
    seat: int
    played: str
    why: str
    better: str
    better_why: str
    cost: int
    exact: bool
    still: Literal["", "wins", "loses"] = ""


@dataclass(frozen=True)
class Review:
    """As far as it has come. `goes_on` until it is whole, was broken off, or the server refused to go on with it.

    `refusal` is that of the server; None where the user broke it off.
    """

    plies: int
    judged: tuple[Analysis, ...] = ()
    goes_on: bool = True
    refusal: Refused | None = None

    @property
    def why(self) -> str:
        """Why the server ended it, in its words; "" where it did not."""
        return self.refusal.text if self.refusal is not None else ""

    @property
    def is_whole(self) -> bool:
        """Whether every position was judged, the first and the last included."""
        return len(self.judged) > self.plies

    @property
    def next_ply(self) -> int | None:
        """The position to be judged next; None when no more are."""
        return len(self.judged) if self.goes_on and not self.is_whole else None

    def with_next(self, judged: Analysis) -> Review:
        """One position more; what was not asked for, or comes twice, changes nothing."""
        return replace(self, judged=(*self.judged, judged)) if judged.ply == self.next_ply else self

    @property
    def leads(self) -> tuple[int, ...]:
        """How much better seat 0 stood at the start and after each move, as far as that is known."""
        return tuple(one.lead or 0 for one in self.judged)

    @property
    def hurried(self) -> int:
        """How many positions were thought about for less than usual."""
        return sum(one.less for one in self.judged)

    @property
    def costliest(self) -> tuple[Costly, ...]:
        """The moves that cost most, the worst first."""
        pairs = zip(self.judged, self.judged[1:], strict=False)
        costly = [one for before, after in pairs if (one := _cost(before, after)) is not None]
        return tuple(sorted(costly, key=lambda one: -one.cost)[:COSTLIEST])

    def better_after(self, ply: int) -> str:
        """What was better after so many moves, where one of the costliest came; "" otherwise."""
        return next((one.better for one in self.costliest if one.ply - 1 == ply), "")


def _cost(before: Analysis, after: Analysis) -> Costly | None:
    if before.to_move is None or before.played == before.move:
        return None
    had, left = (-(one.lead or 0) if before.to_move else one.lead or 0 for one in (before, after))
    cost = had - left
    exact = before.exact and after.exact
    if cost < (1 if exact else LEAST):
        return None
    still: Literal["", "wins", "loses"] = "" if not exact else "wins" if left > 0 else "loses" if had < 0 else ""
    return Costly(
        after.ply, before.to_move, before.played, before.played_text, before.move, before.text, cost, exact, still
    )  # fmt: skip


def looked_at_first(costliest: tuple[Costly, ...], ply: int) -> tuple[Costly, ...]:
    """The same, where not all have room: the one before or after which the position is that is shown comes first."""
    return tuple(sorted(costliest, key=lambda one: not one.ply - 1 <= ply <= one.ply))


def bars(leads: tuple[int, ...], width: int, seat: int = 0) -> str:
    """The curve as a line of at most `width` bars, high where `seat` stood better."""
    if not leads or width < 1:
        return ""
    wide = min(width, len(leads))
    shown = [leads[column * (len(leads) - 1) // max(wide - 1, 1)] for column in range(wide)]
    signed = [-lead if seat else lead for lead in shown]
    return "".join(BARS[round((lead + MAX_LEAD) / (2 * MAX_LEAD) * (len(BARS) - 1))] for lead in signed)


def costly_text(one: Costly, name: Callable[[int], str]) -> str:
    """ "12. Ana: 22x15 loses 1 piece after 18x11. Better: 9-14."

    Right is what would have held the win or the draw; where the result is the same, only the points are said to differ.
    What is said of both moves tells them not apart, and is left out.
    """
    said = ("", "") if one.why == one.better_why else (one.why, one.better_why)
    why, better_why = (f" {text}" if text else "" for text in said)
    verdict = {"wins": "Wins by more", "loses": "Loses by less"}.get(one.still, "Right" if one.exact else "Better")
    return f"{one.ply}. {name(one.seat)}: {one.played}{why}. {verdict}: {one.better}{better_why}."


def progress_text(review: Review) -> str:
    """How far it has come: "Review: 12 of 41 positions", "broken off" if it was."""
    if review.is_whole:
        found = "Review: what cost most" if review.costliest else "Review: no move cost much"
        # Many waited for the server: what it says may be further off than usual.
        return f"{found} (in haste: {review.hurried} of {review.plies + 1})" if review.hurried else found
    done = f"{len(review.judged)} of {review.plies + 1} positions"
    return f"Review: {done}" if review.goes_on else f"Review broken off: {done}"
