"""The rows of the form that are the same for every game: opponent, who may join, clock, waiting (`SQ2`, `RU-M1`)."""

from __future__ import annotations

from client.playing.new_match import (
    BEGINS,
    CLOCKS,
    GRACES_S,
    INCREMENTS_S,
    MOVE_TIMES_S,
    TOTALS_S,
    USUAL_MOVE_MS,
    USUAL_TOTAL_MS,
    Choice,
    level_of,
    ready_clock,
    times,
)
from client.shown.clocks import rule_text
from client.terminal.choice_row import ChoiceRow, Value
from protocol.messages import ClockRule, GameInfo

OPPONENT, PRIVATE, CLOCK, GRACE = "@opponent", "@private", "@clock", "@grace"
MOVE_TIME, TOTAL, INCREMENT = "@move-time", "@total", "@increment"
LEVEL, FIRST = "@level", "@first"
CLOCK_ROWS = frozenset({CLOCK, MOVE_TIME, TOTAL, INCREMENT})
_NONE, _MOVE, _TOTAL = "none", "move", "total"


class MatchRows:
    """Makes the rows for one game, and reads them."""

    def __init__(self, game: GameInfo, last: Choice, *, local: bool, challenged: bool = False) -> None:
        clock = last.clock if last.clock is not None and last.game == game.name else game.clock
        kind = ready_clock(clock) or (_MOVE if clock.per_move_ms else _TOTAL if clock.total_ms else _NONE)
        move_ms, total_ms = clock.per_move_ms, clock.total_ms
        self._default = game.clock
        self._levels = game.levels
        opponents: list[tuple[Value, str]] = [] if local else [("somebody", "somebody")]
        # Who is challenged is the opponent, over the network.
        self._challenged = challenged
        opponents += [("computer", "the computer")] if game.computer else []
        opponents.append(("both", "both at this keyboard"))
        who: list[tuple[Value, str]] = [(False, "everybody in the lobby"), (True, "only with a key")]
        ready: list[tuple[Value, str]] = [(name, name) for name in CLOCKS]
        kinds: list[tuple[Value, str]] = [(_NONE, "none"), *ready, (_MOVE, "each move"), (_TOTAL, "in total")]
        levels: list[tuple[Value, str]] = [(level.name, level.label) for level in game.levels] or [("", "")]
        opponent = "somebody" if challenged else last.opponent if not local or last.opponent != "somebody" else "both"
        self.rows = (
            ChoiceRow(OPPONENT, "Opponent", opponents, opponent),
            ChoiceRow(LEVEL, "It plays", levels, level_of(game, last)),
            ChoiceRow(FIRST, "Who begins", list(BEGINS), last.seat),
            ChoiceRow(PRIVATE, "Who may join", who, last.private),
            ChoiceRow(CLOCK, "Clock", kinds, kind),
            ChoiceRow(MOVE_TIME, "Time for a move", times(MOVE_TIMES_S, move_ms), move_ms or USUAL_MOVE_MS),
            ChoiceRow(TOTAL, "Time for each", times(TOTALS_S, total_ms), total_ms or USUAL_TOTAL_MS),
            ChoiceRow(INCREMENT, "More each move", times(INCREMENTS_S, clock.increment_ms), clock.increment_ms),
            ChoiceRow(GRACE, "Wait when away", times(GRACES_S, last.grace_s * 1000), last.grace_s * 1000),
        )
        self.arrange()

    def _value(self, name: str) -> Value:
        return next(row.value for row in self.rows if row.name == name)

    def arrange(self) -> None:
        """Show the rows that mean something beside what is chosen in the others."""
        kind, alone = self._value(CLOCK), self._value(OPPONENT) != "somebody"
        computer = self.opponent == "computer"
        invites = not alone and not self._challenged
        hidden = {
            OPPONENT: self._challenged, LEVEL: not computer or not self._levels, FIRST: not computer,
            PRIVATE: not invites, GRACE: not invites,
            MOVE_TIME: kind != _MOVE, TOTAL: kind != _TOTAL, INCREMENT: kind != _TOTAL,
        }  # fmt: skip
        for row in self.rows:
            row.display = not hidden.get(row.name or "", False)

    @property
    def opponent(self) -> str:
        """Against whom."""
        return str(self._value(OPPONENT))

    @property
    def level(self) -> str:
        """How well the computer plays; "" where it does not."""
        return str(self._value(LEVEL)) if self.opponent == "computer" else ""

    @property
    def seat(self) -> int:
        """Where one sits oneself: seat 0 begins."""
        return int(self._value(FIRST)) if self.opponent == "computer" else 0

    @property
    def private(self) -> bool:
        """Whether a key is needed to join."""
        return self._value(PRIVATE) is True and self.opponent == "somebody"

    @property
    def grace_s(self) -> int:
        """How long a lost connection is waited for."""
        return int(self._value(GRACE)) // 1000

    @property
    def clock(self) -> ClockRule:
        """The rule that is chosen; without a time it is no clock."""
        kind = self._value(CLOCK)
        if kind in CLOCKS:
            return CLOCKS[str(kind)]
        if kind == _MOVE:
            return ClockRule(per_move_ms=int(self._value(MOVE_TIME)))
        if kind == _TOTAL:
            return ClockRule(total_ms=int(self._value(TOTAL)), increment_ms=int(self._value(INCREMENT)))
        return ClockRule()

    def explanation(self, name: str) -> str:
        """What a row is for, in one line."""
        match name:
            case "@clock" | "@move-time" | "@total" | "@increment":
                usual = f"usual here: {rule_text(self._default) or 'none'}"
                return f"{rule_text(self.clock) or 'no limit'}; {usual}. Who is out of time loses."
            case "@grace":
                return "how long somebody whose connection is lost is waited for"
            case "@opponent" if self.opponent == "somebody":
                return "whoever joins, over the network"
            case _:
                return ""
