"""The rows of the form for a match: which there are, in which order, and which of them are behind "More". Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from client.playing import form_words as words
from client.playing.form import (
    CLOCK,
    DELAY,
    EACH_MOVE,
    FIRST,
    FRIEND,
    GAME,
    GRACE,
    IN_TOTAL,
    INCREMENT,
    LEVEL,
    MORE,
    MOVE_TIME,
    OPPONENT,
    PRESET,
    TOTAL,
    WATCHABLE,
    Form,
    Purpose,
)
from client.playing.new_match import (
    DELAYS,
    GRACE_S,
    GRACES_S,
    INCREMENTS_S,
    MOVE_TIMES_S,
    TOTALS_S,
    times,
)
from client.shown.words.clocks import rule_text
from client.shown.words.lobby import value_text
from protocol.messages import GameInfo, Option, OptionValue, Preset

MOST = 8
"""More numbers than these are not all in sight everywhere."""
Values = Sequence[tuple[OptionValue, str]]


@dataclass(frozen=True)
class FormRow:
    """A label, the values with how they are written, which of them is chosen, and a sentence that says what for."""

    name: str
    label: str
    values: tuple[tuple[OptionValue, str], ...]
    chosen: OptionValue
    help: str = ""
    usual: OptionValue | None = None
    """What it is unless something else is chosen; None where nothing is usual."""

    @property
    def at(self) -> int:
        """The index of the value that is chosen."""
        return next((index for index, (value, _) in enumerate(self.values) if value == self.chosen), 0)

    @property
    def written(self) -> str:
        """How the value is written that is chosen."""
        return self.values[self.at][1]

    def beside(self, step: int) -> OptionValue:
        """The value `step` further on; the ends are ends."""
        return self.values[min(max(self.at + step, 0), len(self.values) - 1)][0]


def rows(form: Form, games: Mapping[str, GameInfo]) -> list[FormRow]:
    """Those that are shown: what nearly everybody chooses, and behind "More" the rest, when that is open."""
    game = games[form.game]
    found = [_row(GAME, [(one.name, one.title) for one in games.values()], form.game, game.summary)]
    found += [*_of_the_game(form, game), *_company(form, game), *_clock(form, game)]
    behind = _behind(form, game)
    if behind:
        found.append(_more(form, game, behind))
    return found + (behind if form.more else [])


def _row(
    name: str,
    values: Values,
    chosen: OptionValue,
    sentence: str = "",
    *,
    label: str = "",
    usual: OptionValue | None = None,
) -> FormRow:
    called, says = words.ROWS[name.removeprefix("@")]
    return FormRow(name, label or called, tuple(values), chosen, sentence or says, usual)


def _of_the_game(form: Form, game: GameInfo) -> list[FormRow]:
    """Its ready sizes, and those of its options that it wants to be seen at once."""
    found = []
    if game.presets:
        labels = [preset.label for preset in game.presets]
        fitting = _preset(form, game)
        shown = labels if fitting is not None else [*labels, words.OWN_SIZE]
        found.append(_row(PRESET, _same(shown), words.OWN_SIZE if fitting is None else fitting.label))
    return found + [_option(form, option) for option in game.options if option.first]


def _company(form: Form, game: GameInfo) -> list[FormRow]:
    """Against whom, and who begins (`CK R1.3`); and of the computer, how well it plays."""
    found = []
    if form.purpose in (Purpose.HOST, Purpose.HERE):
        invited = ("somebody", FRIEND) if form.purpose is Purpose.HOST else ()
        offered = (*invited, *(("computer",) if game.computer else ()), "both")
        values = [(one, words.OPPONENTS[one][0]) for one in offered]
        found.append(_row(OPPONENT, values, form.against, words.OPPONENTS[form.against][1]))
    if form.opponent == "computer" and game.levels:
        found.append(_row(LEVEL, [(one.name, one.label) for one in game.levels], form.level))
    # Who is paired takes the seat that is free; two at one keyboard sit as they like.
    if form.purpose is not Purpose.QUICK and form.opponent != "both":
        found.append(_row(FIRST, list(enumerate(words.BEGINS[form.against])), form.seat))
    return found


def _clock(form: Form, game: GameInfo) -> list[FormRow]:
    if form.purpose is Purpose.QUICK:
        return []
    usual = f" Usual here: {rule_text(game.clock) or words.CLOCKS['none']}."
    found = [_row(CLOCK, list(words.CLOCKS.items()), form.clock, words.ROWS["clock"][1] + usual)]
    if form.clock == EACH_MOVE:
        found.append(_row(MOVE_TIME, times(MOVE_TIMES_S, form.move_ms), form.move_ms))
    if form.clock == IN_TOTAL:
        found.append(_row(TOTAL, times(TOTALS_S, form.total_ms), form.total_ms))
        found.append(_row(INCREMENT, times(INCREMENTS_S, form.increment_ms), form.increment_ms))
    return found


def _behind(form: Form, game: GameInfo) -> list[FormRow]:
    """What is seldom changed."""
    found = [_option(form, option) for option in game.options if not option.first]
    if form.purpose is not Purpose.HOST or form.opponent != "somebody":
        return found
    if form.private:
        found.append(_row(WATCHABLE, [(False, words.WATCH[0]), (True, words.WATCH[1])], form.watchable, usual=False))
    if form.watchable or not form.private:
        found.append(_row(DELAY, [(plies, words.later_text(plies)) for plies in DELAYS], form.delay_plies, usual=0))
    graces = times(GRACES_S, form.grace_s * 1000)
    found.append(_row(GRACE, graces, form.grace_s * 1000, usual=GRACE_S * 1000))
    return found


def _more(form: Form, game: GameInfo, behind: list[FormRow]) -> FormRow:
    """Shows the rest, and says of the rest what is not as usual; a ready size says by itself what it is."""
    preset = _preset(form, game)
    said = preset.options if preset is not None else {}
    changed = [row for row in behind if row.usual is not None and row.chosen != row.usual and row.name not in said]
    sentence = "; ".join(f"{row.label}: {row.written}" for row in changed) or ", ".join(row.label for row in behind)
    label = words.changed_text(len(changed))
    return _row(MORE, [(False, words.MORE[0]), (True, words.MORE[1])], form.more, f"{sentence}.", label=label)


def _preset(form: Form, game: GameInfo) -> Preset | None:
    """The ready size that the options are."""
    options = dict(form.options)
    return next((one for one in game.presets if one.options.items() <= options.items()), None)


def _option(form: Form, option: Option) -> FormRow:
    chosen = dict(form.options)[option.name]
    return FormRow(option.name, option.label, _values(option), chosen, _sentence(option), option.default)


def _sentence(option: Option) -> str:
    """What its game says, and of one with many numbers from where to where they go."""
    is_walked = not option.choices and option.high - option.low >= MOST
    span = f"From {option.low} to {option.high}." if is_walked else ""
    return " ".join(filter(None, (option.help, span)))


def _values(option: Option) -> tuple[tuple[OptionValue, str], ...]:
    if isinstance(option.default, bool):
        return ((False, value_text(False)), (True, value_text(True)))
    if option.choices:
        return tuple(_same(option.choices))
    return tuple((number, str(number)) for number in range(option.low, option.high + 1))


def _same(texts: Sequence[str]) -> list[tuple[OptionValue, str]]:
    return [(text, text) for text in texts]
