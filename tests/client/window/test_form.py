"""The form for a match as a value, and what is kept from run to run."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from client.kept.settings import MAX_BYTES, Settings, Theme, load_settings, save_settings
from client.playing.new_match import Choice
from client.window.host_form import (
    CLOCK,
    EACH_MOVE,
    FIRST,
    GAME,
    IN_TOTAL,
    INCREMENT,
    LEVEL,
    MOVE_TIME,
    OPPONENT,
    OWN_SIZE,
    PRESET,
    PRIVATE,
    TOTAL,
    Form,
    FormRow,
    Purpose,
    rows,
)
from protocol.messages import ClockRule, Level
from tests.client.positions import DOTS_INFO

DOTS = structs.replace(DOTS_INFO, levels=(Level("medium", "Medium"), Level("hard", "Hard")), usual_level="medium")
OTHER = structs.replace(DOTS_INFO, name="other", title="Other", presets=(), clock=ClockRule(per_move_ms=20_000))
GAMES = {"dots-and-boxes": DOTS, "other": OTHER}


def opened(purpose: Purpose = Purpose.HOST, last: Choice | None = None) -> Form:
    form = Form.opened(purpose, GAMES, last or Choice())
    assert form is not None
    return form


def row(form: Form, name: str) -> FormRow:
    return next(row for row in rows(form, GAMES) if row.name == name)


def names(form: Form) -> set[str]:
    return {row.name for row in rows(form, GAMES)}


def test_it_begins_with_the_game_and_its_own_clock() -> None:
    """CK 5.2, DB 7.3.3.3: options at their defaults; without games there is no form."""
    assert Form.opened(Purpose.HOST, {}, Choice()) is None
    form = opened()
    assert form.game == "dots-and-boxes"
    assert dict(form.options) == {"width": 8, "height": 8}
    assert row(form, PRESET).chosen == "8 x 8"
    other = form.chosen(row(form, GAME), "other", GAMES)
    assert other.choice().clock == ClockRule(per_move_ms=20_000)


def test_a_size_is_chosen_as_a_whole_or_by_its_parts() -> None:
    """DB 7.3.3.3: a preset sets the options, and other options are nobody's preset."""
    form = opened().chosen(row(opened(), PRESET), "3 x 3", GAMES)
    assert dict(form.options) == {"width": 3, "height": 3}
    form = form.chosen(row(form, "width"), 5, GAMES)
    assert row(form, PRESET).chosen == OWN_SIZE
    assert form.chosen(row(form, PRESET), OWN_SIZE, GAMES) == form


def test_only_rows_that_mean_something_are_there() -> None:
    """CK 5.2: times with the clock that has them; who may join only where somebody can."""
    form = opened()
    assert not {MOVE_TIME, TOTAL, INCREMENT} & names(form)
    assert {MOVE_TIME} == {MOVE_TIME, TOTAL, INCREMENT} & names(form.chosen(row(form, CLOCK), EACH_MOVE, GAMES))
    assert {TOTAL, INCREMENT} == {MOVE_TIME, TOTAL, INCREMENT} & names(form.chosen(row(form, CLOCK), IN_TOTAL, GAMES))
    assert PRIVATE not in names(opened(Purpose.HERE))
    assert not {PRIVATE, CLOCK} & names(opened(Purpose.QUICK))


@pytest.mark.parametrize(
    ("name", "total_ms", "more_ms"), [("3+2", 180_000, 2_000), ("5+3", 300_000, 3_000), ("10+0", 600_000, 0)]
)
def test_clocks_are_ready(name: str, total_ms: int, more_ms: int) -> None:
    """One choice and no row more; a form that begins with such a clock shows it, and from its times one goes on."""
    form = opened().chosen(row(opened(), CLOCK), name, GAMES)
    assert form.choice().clock == ClockRule(total_ms=total_ms, increment_ms=more_ms)
    assert not {MOVE_TIME, TOTAL, INCREMENT} & names(form)
    again = opened(Purpose.HOST, form.choice())
    assert row(again, CLOCK).chosen == name
    own = again.chosen(row(again, CLOCK), IN_TOTAL, GAMES)
    assert (row(own, TOTAL).chosen, row(own, INCREMENT).chosen) == (total_ms, more_ms)


def test_the_choice_is_what_the_rows_say() -> None:
    """CK 5.2: private, with a clock; at this computer nobody else is waited for (SQ2)."""
    form = opened().chosen(row(opened(), PRIVATE), True, GAMES)
    form = form.chosen(row(form, CLOCK), IN_TOTAL, GAMES)
    form = form.chosen(row(form, TOTAL), 60_000, GAMES)
    form = form.chosen(row(form, INCREMENT), 2_000, GAMES)
    choice = form.choice()
    assert choice.private
    assert choice.opponent == "somebody"
    assert choice.clock == ClockRule(total_ms=60_000, increment_ms=2_000)
    assert opened(Purpose.HERE).choice().opponent == "both"
    again = opened(Purpose.HOST, Choice("other", (), opponent="computer"))
    assert again.game == "other"
    assert again.choice().opponent == "somebody"


def test_against_the_computer_its_level_and_who_begins_are_chosen() -> None:
    """They are there against the computer alone; a game that has not the level begins with its own usual one."""
    form = opened(Purpose.HERE)
    assert not {LEVEL, FIRST} & names(form)
    form = form.chosen(FormRow(OPPONENT, "", (), ""), "computer", GAMES)
    assert row(form, LEVEL).chosen == "medium"
    form = form.chosen(row(form, LEVEL), "hard", GAMES).chosen(row(form, FIRST), 1, GAMES)
    assert (form.choice().level, form.choice().seat) == ("hard", 1)
    assert opened(Purpose.HERE, Choice("other", (), opponent="computer", level="gone")).choice().level == ""


def test_arrows_stop_at_the_ends() -> None:
    """DB 8.1: values are walked with the keys, too."""
    width = row(opened(), "width")
    assert width.beside(1) == 9
    assert width.beside(-100) == 2
    assert width.beside(100) == 15
    assert FormRow(OPPONENT, "", ((1, "a"),), 7).at == 0


def test_settings_are_kept_and_nothing_in_the_file_can_hurt(tmp_path: Path) -> None:
    """DB 8.1: light or dark, sound and motion stay as they were; a damaged or absurd file is as none."""
    path = tmp_path / "deep" / "window.json"
    assert load_settings(path) == Settings()
    save_settings(path, Settings(Theme.DARK, False, False))
    assert load_settings(path) == Settings(Theme.DARK, False, False)
    for damaged in (b"", b"{", b'{"theme": "pink"}', b"[" * MAX_BYTES * 2, b"\xff\xfe"):
        path.write_bytes(damaged)
        assert load_settings(path) == Settings()
    save_settings(tmp_path / "window.json" / "under-a-file", Settings())
