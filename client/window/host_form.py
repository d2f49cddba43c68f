"""The form for a match as a value: its rows, and what choosing does (`CK 5.2`, `DB 7.3.3.3`, `SQ2`). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

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
    Opponent,
    level_of,
    ready_clock,
    times,
)
from client.shown.clocks import rule_text
from client.shown.lobby import value_text
from protocol.messages import ClockRule, GameInfo, Option, OptionValue

GAME, PRESET, OPPONENT, PRIVATE = "@game", "@preset", "@opponent", "@private"
CLOCK, MOVE_TIME, TOTAL, INCREMENT, GRACE = "@clock", "@move-time", "@total", "@increment", "@grace"
LEVEL, FIRST = "@level", "@first"
"""Rows of the form's own, beside those named after options."""
OWN_SIZE = "own choice"
NO_CLOCK, EACH_MOVE, IN_TOTAL = "none", "each move", "in total"


class Purpose(Enum):
    """What the form is for: hosting a match, being paired, playing at this computer, or challenging somebody."""

    HOST = "Host Game"
    QUICK = "Quick match"
    HERE = "This computer"
    CHALLENGE = "Challenge"


@dataclass(frozen=True)
class FormRow:
    """A label, the values with how they are written, and which of them is chosen."""

    name: str
    label: str
    values: tuple[tuple[OptionValue, str], ...]
    chosen: OptionValue

    @property
    def at(self) -> int:
        """The index of the value that is chosen."""
        return next((index for index, (value, _) in enumerate(self.values) if value == self.chosen), 0)

    def beside(self, step: int) -> OptionValue:
        """The value `step` further on; the ends are ends."""
        return self.values[min(max(self.at + step, 0), len(self.values) - 1)][0]


@dataclass(frozen=True)
class Form:
    """What is chosen so far."""

    purpose: Purpose
    game: str
    options: tuple[tuple[str, OptionValue], ...]
    opponent: Opponent
    private: bool
    clock: str
    move_ms: int
    total_ms: int
    increment_ms: int
    grace_s: int
    level: str = ""
    seat: int = 0
    challenged: str = ""
    """Who is to be challenged."""

    @classmethod
    def opened(cls, purpose: Purpose, games: Mapping[str, GameInfo], last: Choice) -> Form | None:
        """As it begins: with what was chosen last; None while the server has told of no game."""
        if not games:
            return None
        game = games.get(last.game) or next(iter(games.values()))
        known = last.game == game.name
        rule = last.clock if known and last.clock is not None else game.clock
        opponent = last.opponent
        if purpose is Purpose.HERE and opponent == "somebody":
            opponent = "both"
        elif purpose is not Purpose.HERE:
            opponent = "somebody"
        given = dict(last.options) if known else {}
        form = cls(
            purpose, game.name, _options(game, given), opponent, last.private, NO_CLOCK, USUAL_MOVE_MS,
            USUAL_TOTAL_MS, 0, last.grace_s, level_of(game, last), last.seat,
        )  # fmt: skip
        return _clocked(form, rule)

    def chosen(self, row: FormRow, value: OptionValue, games: Mapping[str, GameInfo]) -> Form:
        """After this value was chosen in the row."""
        match row.name, value:
            case "@game", str():
                game = games[value]
                level = level_of(game, Choice(level=self.level))
                return _clocked(replace(self, game=value, options=_options(game, {}), level=level), game.clock)
            case "@preset", str():
                presets = {preset.label: preset.options for preset in games[self.game].presets}
                changed = dict(self.options) | dict(presets.get(value, {}))
                return replace(self, options=tuple(changed.items()))
            case "@opponent", "somebody" | "computer" | "both":
                return replace(self, opponent=value)
            case "@level", str():
                return replace(self, level=value)
            case "@first", int():
                return replace(self, seat=value)
            case "@private", bool():
                return replace(self, private=value)
            case "@clock", str():
                return replace(self, clock=value)
            case "@move-time", int():
                return replace(self, move_ms=value)
            case "@total", int():
                return replace(self, total_ms=value)
            case "@increment", int():
                return replace(self, increment_ms=value)
            case "@grace", int():
                return replace(self, grace_s=value // 1000)
            case name, _:
                return replace(self, options=tuple((dict(self.options) | {name: value}).items()))

    @property
    def rule(self) -> ClockRule:
        """The clock that is chosen."""
        if self.clock in CLOCKS:
            return CLOCKS[self.clock]
        if self.clock == EACH_MOVE:
            return ClockRule(per_move_ms=self.move_ms)
        if self.clock == IN_TOTAL:
            return ClockRule(total_ms=self.total_ms, increment_ms=self.increment_ms)
        return ClockRule()

    def choice(self) -> Choice:
        """What is asked of the server."""
        if self.purpose is Purpose.QUICK:
            return Choice(self.game, self.options)
        private = self.private and self.opponent == "somebody"
        return Choice(
            self.game, self.options, private, self.opponent, self.rule, self.grace_s, self.level, self.seat
        )  # fmt: skip

    def summary(self, games: Mapping[str, GameInfo]) -> str:
        """What is about to begin, in one line."""
        if self.purpose is Purpose.QUICK:
            return f"You are paired with whoever wants {games[self.game].title} of the same size."
        if self.purpose is Purpose.CHALLENGE:
            return f"{self.challenged} has a minute to accept or decline."
        against = {
            "somebody": "You wait for somebody who joins with the key." if self.private
            else "You wait for somebody from the lobby.",
            "computer": "You against the computer.",
            "both": "Two people at this computer.",
        }[self.opponent]  # fmt: skip
        rule = rule_text(self.rule)
        return f"{against} {f'Clock {rule}: who is out of time loses.' if rule else 'No clock.'}"


def rows(form: Form, games: Mapping[str, GameInfo]) -> list[FormRow]:
    """The rows that mean something beside what is chosen in the others."""
    game = games[form.game]
    options = dict(form.options)
    found = [FormRow(GAME, "Game", tuple((one.name, one.title) for one in games.values()), form.game)]
    if game.presets:
        fitting = (
            preset.label
            for preset in game.presets
            if all(options.get(name) == value for name, value in preset.options.items())
        )
        labels = [*(preset.label for preset in game.presets), OWN_SIZE]
        found.append(FormRow(PRESET, "Size", tuple((label, label) for label in labels), next(fitting, OWN_SIZE)))
    found += [FormRow(option.name, option.label, _values(option), options[option.name]) for option in game.options]
    if form.purpose is Purpose.QUICK:
        return found
    if form.purpose is Purpose.HOST:
        who: tuple[tuple[OptionValue, str], ...] = ((False, "everybody in the lobby"), (True, "only with a key"))
        found.append(FormRow(PRIVATE, "Who may join", who, form.private))
    if form.opponent == "computer":
        if game.levels:
            found.append(FormRow(LEVEL, "It plays", tuple((one.name, one.label) for one in game.levels), form.level))
        found.append(FormRow(FIRST, "Who begins", BEGINS, form.seat))
    kinds: tuple[tuple[OptionValue, str], ...] = tuple(
        (kind, kind) for kind in (NO_CLOCK, *CLOCKS, EACH_MOVE, IN_TOTAL)
    )
    found.append(FormRow(CLOCK, "Clock", kinds, form.clock))
    if form.clock == EACH_MOVE:
        found.append(FormRow(MOVE_TIME, "Time for a move", tuple(times(MOVE_TIMES_S, form.move_ms)), form.move_ms))
    if form.clock == IN_TOTAL:
        found.append(FormRow(TOTAL, "Time for each", tuple(times(TOTALS_S, form.total_ms)), form.total_ms))
        more = tuple(times(INCREMENTS_S, form.increment_ms))
        found.append(FormRow(INCREMENT, "More each move", more, form.increment_ms))
    if form.purpose is Purpose.HOST:
        graces = tuple(times(GRACES_S, form.grace_s * 1000))
        found.append(FormRow(GRACE, "Wait when away", graces, form.grace_s * 1000))
    return found


def _options(game: GameInfo, given: Mapping[str, OptionValue]) -> tuple[tuple[str, OptionValue], ...]:
    return tuple((option.name, given.get(option.name, option.default)) for option in game.options)


def _values(option: Option) -> tuple[tuple[OptionValue, str], ...]:
    if isinstance(option.default, bool):
        return ((False, value_text(False)), (True, value_text(True)))
    if option.choices:
        return tuple((choice, choice) for choice in option.choices)
    return tuple((number, str(number)) for number in range(option.low, option.high + 1))


def _clocked(form: Form, rule: ClockRule) -> Form:
    """With a game's own clock, or the one used last."""
    if ready := ready_clock(rule):
        return replace(form, clock=ready, total_ms=rule.total_ms, increment_ms=rule.increment_ms)
    if rule.per_move_ms:
        return replace(form, clock=EACH_MOVE, move_ms=rule.per_move_ms)
    if rule.total_ms:
        return replace(form, clock=IN_TOTAL, total_ms=rule.total_ms, increment_ms=rule.increment_ms)
    return replace(form, clock=NO_CLOCK)
