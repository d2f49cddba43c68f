"""The end of a match as it is told beside the board: the verdict, the statistics, and since when. Pure (`CK 5.5`)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from client.conversation.position import seat_name
from client.shown.model import Model
from client.shown.words.clocks import average_text
from client.shown.words.lessons import is_done
from protocol.messages import Snapshot

DEAF_S = 0.8
"""For so long after the end a click on what has come beside the board does nothing: it was meant for what was there."""

REVIEWED = "reviewed"
"""The reason of the end of a saved game that was not played to its end, and is gone over."""


class Verdict(Enum):
    """How it ended for the one who reads it; OVER for who has both seats or none."""

    WON = "won"
    LOST = "lost"
    NOBODY = "nobody"
    OVER = "over"


@dataclass(frozen=True)
class Statistic:
    """One thing that was counted: for each seat the figure and its length as a bar, the longer of the two being 1."""

    label: str
    figures: tuple[str, str]
    lengths: tuple[float, float]


@dataclass(frozen=True)
class EndSeen:
    """Which match was last seen, and when it ended before the user's eyes (s of the session's clock)."""

    match: str = ""
    goes_on: bool = False
    ended_at: float | None = None

    def look(self, match: Snapshot | None, now: float) -> EndSeen:
        """What is known after a look at `match`; one that was over when it was come to has no time of its end."""
        if match is None:
            return EndSeen()
        ended = match.status == "ended"
        if match.match == self.match and ended == (not self.goes_on):
            return self
        return EndSeen(match.match, not ended, now if ended and match.match == self.match and self.goes_on else None)

    def is_deaf(self, now: float) -> bool:
        """Whether a click beside the board is not taken: it was meant for what stood there before the end."""
        return self.ended_at is not None and now < self.ended_at + DEAF_S


def verdict(match: Snapshot) -> tuple[str, Verdict]:
    """How it ended in two words, first for the one who reads it."""
    if match.lesson:
        return ("Done!", Verdict.WON) if is_done(match) else ("Not yet.", Verdict.NOBODY)
    winner = match.result.winner if match.result is not None else None
    if winner is None:
        saved = match.result is not None and match.result.reason == REVIEWED
        return ("A saved game.", Verdict.OVER) if saved else ("Nobody wins.", Verdict.NOBODY)
    if len(match.you) != 1:
        return f"{seat_name(match, winner)} wins!", Verdict.OVER
    return ("You win!", Verdict.WON) if winner in match.you else ("You lose.", Verdict.LOST)


def statistics(model: Model) -> tuple[Statistic, ...]:
    """The scores, the moves and the time that one took; () before the end, and of a task. Where nobody made a move (in
    a saved game that was over when it was opened, or is only gone over) none are counted."""
    match = model.match
    if match is None or match.result is None or match.lesson:
        return ()
    game, stats = model.games.get(match.game), match.result.stats
    names = game.score_names if game is not None else ()
    found = [
        _counted(name, (first, second))
        for name, first, second in zip(names, match.scores[0], match.scores[1], strict=False)
    ]
    if not match.review and (stats[0].moves or stats[1].moves):
        found.append(_counted("moves", (stats[0].moves, stats[1].moves)))
        times = (stats[0].average_ms, stats[1].average_ms)
        texts = tuple(average_text(one.average_ms) if one.moves else "-" for one in stats)
        found.append(Statistic("a move", (texts[0], texts[1]), _lengths(times)))
    return tuple(found)


def _counted(label: str, figures: tuple[int, int]) -> Statistic:
    return Statistic(label, (str(figures[0]), str(figures[1])), _lengths(figures))


def _lengths(figures: tuple[int, int]) -> tuple[float, float]:
    most = max(*figures, 1)
    return max(figures[0], 0) / most, max(figures[1], 0) / most


def rematch(before: Model, after: Model) -> str:
    """The match that both players have just agreed to go on with (`RU-M7`), for who watches, too; or ""."""
    was, now = before.match, after.match
    return now.rematch if was and now and was.match == now.match and not was.rematch else ""
