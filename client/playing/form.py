"""The form for a match as a value: what is chosen, and what choosing does (`CK 5.2`, `DB 7.3.3.3`, `SQ2`). Pure.

Which rows that makes is in `form_rows`, what they say in `form_words`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from client.playing.form_words import BEGINS
from client.playing.new_match import (
    CLOCKS,
    GRACE_S,
    USUAL_MOVE_MS,
    USUAL_TOTAL_MS,
    Choice,
    Opponent,
    level_of,
    ready_clock,
)
from client.shown.words.clocks import rule_text
from client.shown.words.sides import sides
from protocol.messages import ClockRule, GameInfo, OptionValue

GAME, PRESET, OPPONENT, LEVEL, FIRST = "@game", "@preset", "@opponent", "@level", "@first"
CLOCK, MOVE_TIME, TOTAL, INCREMENT = "@clock", "@moveTime", "@total", "@increment"
WATCHABLE, DELAY, GRACE, MORE = "@watchable", "@delay", "@grace", "@more"
"""Rows of the form's own, beside those named after options: an `@`, and the name by which `form_words` has them."""
NO_CLOCK, EACH_MOVE, IN_TOTAL = "none", "move", "total"
FRIEND = "friend"
"""As opponent: somebody who is given the link, or the key."""


class Purpose(Enum):
    """What the form is for: hosting a match, being paired, playing at this computer, or challenging somebody."""

    HOST = "Host a match"
    QUICK = "Quick match"
    HERE = "This computer"
    CHALLENGE = "Challenge"


@dataclass(frozen=True)
class Form:
    """What is chosen so far."""

    purpose: Purpose
    game: str
    options: tuple[tuple[str, OptionValue], ...]
    opponent: Opponent = "somebody"
    private: bool = False
    clock: str = NO_CLOCK
    move_ms: int = USUAL_MOVE_MS
    total_ms: int = USUAL_TOTAL_MS
    increment_ms: int = 0
    grace_s: int = GRACE_S
    level: str = ""
    seat: int = 0
    watchable: bool = False
    delay_plies: int = 0
    more: bool = False
    """Whether all rows are shown."""
    challenged: str = ""
    """Who is to be challenged."""

    @classmethod
    def opened(cls, purpose: Purpose, games: Mapping[str, GameInfo], last: Choice, challenged: str = "") -> Form | None:
        """As it begins: with what was chosen last; None while the server has told of no game."""
        if not games:
            return None
        game = games.get(last.game) or next(iter(games.values()))
        known = last.game == game.name
        rule = last.clock if known and last.clock is not None else game.clock
        opponent = _against(purpose, game, last.opponent)
        given = dict(last.options) if known else {}
        form = cls(
            purpose, game.name, _options(game, given), opponent, last.private, grace_s=last.grace_s,
            level=level_of(game, last), seat=last.seat, watchable=last.watchable, delay_plies=last.delay_plies,
            challenged=challenged,
        )  # fmt: skip
        return _clocked(form, rule)

    def chosen(self, name: str, value: OptionValue, games: Mapping[str, GameInfo]) -> Form:
        """After this value was chosen in the row of that name."""
        match name, value:
            case "@game", str():
                game = games[value]
                level = level_of(game, Choice(level=self.level))
                opponent = "both" if self.opponent == "computer" and not game.computer else self.opponent
                form = replace(self, game=value, options=_options(game, {}), level=level, opponent=opponent)
                return _clocked(form, game.clock)
            case "@preset", str():
                presets = {preset.label: preset.options for preset in games[self.game].presets}
                changed = dict(self.options) | dict(presets.get(value, {}))
                return replace(self, options=tuple(changed.items()))
            case "@opponent", "friend":
                return replace(self, opponent="somebody", private=True)
            case "@opponent", "somebody" | "computer" | "both":
                return replace(self, opponent=value, private=False)
            case "@level", str():
                return replace(self, level=value)
            case "@first", int():
                return replace(self, seat=value)
            case "@watchable", bool():
                return replace(self, watchable=value)
            case "@delay", int():
                return replace(self, delay_plies=value)
            case "@clock", str():
                return self._timed(value)
            case "@moveTime", int():
                return replace(self, move_ms=value)
            case "@total", int():
                return replace(self, total_ms=value)
            case "@increment", int():
                return replace(self, increment_ms=value)
            case "@grace", int():
                return replace(self, grace_s=value // 1000)
            case "@more", bool():
                return replace(self, more=value)
            case _:
                return replace(self, options=tuple((dict(self.options) | {name: value}).items()))

    def _timed(self, clock: str) -> Form:
        """With this clock; own times begin with those of the ready one that was chosen before."""
        rule = CLOCKS.get(self.clock)
        if clock == IN_TOTAL and rule is not None:
            return replace(self, clock=clock, total_ms=rule.total_ms, increment_ms=rule.increment_ms)
        return replace(self, clock=clock)

    @property
    def against(self) -> str:
        """The opponent as the row has it: a friend, too."""
        return FRIEND if self.opponent == "somebody" and self.private else self.opponent

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
        return Choice(
            self.game, self.options, self.against == FRIEND, self.opponent,
            None if self.purpose is Purpose.QUICK else self.rule, self.grace_s, self.level, self.seat,
            self.watchable, self.delay_plies,
        )  # fmt: skip

    def summary(self, games: Mapping[str, GameInfo]) -> str:
        """What is about to begin: against whom, on which side, with which clock."""
        if self.purpose is Purpose.QUICK:
            return f"You are paired with whoever wants {games[self.game].title} with the same options."
        if self.purpose is Purpose.CHALLENGE:
            return f"{self.challenged} has a minute to accept or decline. {self._side(games)}"
        against = {
            "somebody": "You wait for somebody from the lobby.",
            "friend": "You wait for somebody who joins with the link or key.",
            "computer": "You against the computer.",
            "both": "Two people at this computer.",
        }[self.against]
        rule = rule_text(self.rule)
        return f"{against} {self._side(games)} {f'Clock {rule}: who is out of time loses.' if rule else 'No clock.'}"

    def _side(self, games: Mapping[str, GameInfo]) -> str:
        """Whose side is which, and who begins."""
        styles = sides(games[self.game], dict(self.options))
        first, second = (styles[0].name, styles[1].name) if styles is not None else ("", "")
        if self.opponent == "both":
            return f"{first or 'The first side'} begins."
        if self.seat:
            other = BEGINS[self.against][1]
            return f"You are {second}; {other} begins." if second else f"{other.capitalize()} begins."
        return f"You are {first} and begin." if first else "You begin."


def _against(purpose: Purpose, game: GameInfo, last: Opponent) -> Opponent:
    """The opponent to begin with: who hosts wants somebody; at this computer it is who it was, as far as can be."""
    if purpose is not Purpose.HERE:
        return "somebody"
    return "computer" if last == "computer" and game.computer else "both"


def _options(game: GameInfo, given: Mapping[str, OptionValue]) -> tuple[tuple[str, OptionValue], ...]:
    return tuple((option.name, given.get(option.name, option.default)) for option in game.options)


def _clocked(form: Form, rule: ClockRule) -> Form:
    """With a game's own clock, or the one used last."""
    if ready := ready_clock(rule):
        return replace(form, clock=ready, total_ms=rule.total_ms, increment_ms=rule.increment_ms)
    if rule.per_move_ms:
        return replace(form, clock=EACH_MOVE, move_ms=rule.per_move_ms)
    if rule.total_ms:
        return replace(form, clock=IN_TOTAL, total_ms=rule.total_ms, increment_ms=rule.increment_ms)
    return replace(form, clock=NO_CLOCK)
