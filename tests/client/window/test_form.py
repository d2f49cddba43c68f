"""The form for a match as a value, and what is kept from run to run."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from client.kept.settings import MAX_BYTES, Settings, Theme, load_settings, save_settings
from client.playing.form import (
    CLOCK,
    DELAY,
    EACH_MOVE,
    FIRST,
    FRIEND,
    GAME,
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
from client.playing.form_rows import FormRow, rows
from client.playing.form_words import OPPONENTS, OWN_SIZE
from client.playing.new_match import LABELS, Against, Choice
from client.window.drawing.lettering import width
from client.window.drawing.shapes import Disc, Picture, Text
from client.window.parts import form_view
from client.window.parts.board import LastBoard
from client.window.parts.sheet import Pointer, Sheet
from protocol.messages import ClockRule, Level
from tests.client.forms import GAMES as ALL
from tests.client.forms import forms
from tests.client.positions import DOTS_INFO, snapshot
from tests.forms import SCREENS, crossed

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
    other = form.chosen(GAME, "other", GAMES)
    assert other.choice().clock == ClockRule(per_move_ms=20_000)


def test_a_size_is_chosen_as_a_whole_or_by_its_parts() -> None:
    """DB 7.3.3.3: a preset sets the options, and other options are nobody's preset."""
    form = opened().chosen(PRESET, "3 x 3", GAMES)
    assert dict(form.options) == {"width": 3, "height": 3}
    form = form.chosen("width", 5, GAMES)
    assert row(form, PRESET).chosen == OWN_SIZE
    assert form.chosen(PRESET, OWN_SIZE, GAMES) == form


def test_only_rows_that_mean_something_are_there() -> None:
    """CK 5.2: times with the clock that has them; who may join only where somebody can."""
    form = opened()
    assert not {MOVE_TIME, TOTAL, INCREMENT} & names(form)
    assert {MOVE_TIME} == {MOVE_TIME, TOTAL, INCREMENT} & names(form.chosen(CLOCK, EACH_MOVE, GAMES))
    assert {TOTAL, INCREMENT} == {MOVE_TIME, TOTAL, INCREMENT} & names(form.chosen(CLOCK, IN_TOTAL, GAMES))
    assert OPPONENT in names(opened(Purpose.HERE))
    assert not {OPPONENT, CLOCK} & names(opened(Purpose.QUICK))


@pytest.mark.parametrize(
    ("name", "total_ms", "more_ms"), [("3+2", 180_000, 2_000), ("5+3", 300_000, 3_000), ("10+0", 600_000, 0)]
)
def test_clocks_are_ready(name: str, total_ms: int, more_ms: int) -> None:
    """One choice and no row more; a form that begins with such a clock shows it, and from its times one goes on."""
    form = opened().chosen(CLOCK, name, GAMES)
    assert form.choice().clock == ClockRule(total_ms=total_ms, increment_ms=more_ms)
    assert not {MOVE_TIME, TOTAL, INCREMENT} & names(form)
    again = opened(Purpose.HOST, form.choice())
    assert row(again, CLOCK).chosen == name
    own = again.chosen(CLOCK, IN_TOTAL, GAMES)
    assert (row(own, TOTAL).chosen, row(own, INCREMENT).chosen) == (total_ms, more_ms)


def test_the_choice_is_what_the_rows_say() -> None:
    """CK 5.2: private, with a clock; at this computer nobody else is waited for (SQ2)."""
    form = opened().chosen(OPPONENT, FRIEND, GAMES)
    form = form.chosen(CLOCK, IN_TOTAL, GAMES)
    form = form.chosen(TOTAL, 60_000, GAMES)
    form = form.chosen(INCREMENT, 2_000, GAMES)
    choice = form.choice()
    assert choice.private
    assert choice.opponent == "somebody"
    assert choice.clock == ClockRule(total_ms=60_000, increment_ms=2_000)
    assert opened(Purpose.HERE).choice().opponent == "both"
    again = opened(Purpose.HOST, Choice("other", (), opponent="computer"))
    assert again.game == "other"
    assert again.choice().opponent == "somebody"


def test_against_the_computer_its_level_and_who_begins_are_chosen() -> None:
    """Its level is there against the computer alone; a game that has not the level begins with its own usual one."""
    form = opened(Purpose.HERE)
    assert not {LEVEL, FIRST} & names(form)
    form = form.chosen(OPPONENT, "computer", GAMES)
    assert row(form, LEVEL).chosen == "medium"
    form = form.chosen(LEVEL, "hard", GAMES).chosen(FIRST, 1, GAMES)
    assert (form.choice().level, form.choice().seat) == ("hard", 1)
    assert opened(Purpose.HERE, Choice("other", (), opponent="computer", level="gone")).choice().level == ""


def test_against_people_one_chooses_who_begins_too() -> None:
    """CK R1.3: hosting for somebody or a friend, and challenging; who is paired takes the seat that is free."""
    form = opened()
    assert row(form, FIRST).values == ((0, "you"), (1, "your opponent"))
    form = form.chosen(FIRST, 1, GAMES)
    assert form.summary(GAMES).startswith("You wait for somebody from the lobby. Your opponent begins.")
    assert (form.choice().create("r").seat, form.choice().create("r", both_here=True).seat) == (1, 0)
    friend = form.chosen(OPPONENT, FRIEND, GAMES)
    assert row(friend, FIRST).written == "your friend"
    assert (friend.choice().create("r").seat, friend.choice().create("r").private) == (1, True)
    asked = Form.opened(Purpose.CHALLENGE, GAMES, form.choice(), "Ben")
    assert asked is not None
    assert row(asked, FIRST).chosen == 1
    assert asked.choice().challenge("r", "Ben").seat == 1
    assert FIRST not in names(form.chosen(OPPONENT, "both", GAMES))
    assert form.chosen(OPPONENT, "both", GAMES).choice().create("r").seat == 0
    assert FIRST not in names(opened(Purpose.QUICK, form.choice()))


def test_arrows_stop_at_the_ends() -> None:
    """DB 8.1: values are walked with the keys, too."""
    width = row(opened().chosen(MORE, True, GAMES), "width")
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


BEGINS = (snapshot(), LastBoard())
SIZES = ((640, 480), (600, 900), (1024, 720), (1120, 760), (1920, 1080), (3840, 2160))


def drawn(form: Form, size: tuple[int, int], focus: str = GAME) -> tuple[Picture, int, int]:
    sheet = Sheet(*size, Pointer(focus=(form_view.ROW, focus)))
    first, room = form_view.draw_form(
        sheet, sheet.rect.inset(2 * sheet.gap), form, ALL, 0, "W" * 20, focus, True, BEGINS
    )
    return sheet.picture(), first, room


@pytest.mark.screens
@pytest.mark.parametrize(("game", "size"), crossed([*ALL][::-1], SIZES, full=SCREENS))
def test_nothing_is_cut_in_any_form(game: str, size: tuple[int, int]) -> None:
    """CK 5.2, DB 8.1: of all games, and of an author who likes long words, by every way in: each text has room, no
    button lies on another, and each row comes into sight."""
    for form in forms(game):
        shown = form_view.form_rows(form, ALL)
        for one in shown:
            picture, first, room = drawn(form, size, one.name)
            assert first <= shown.index(one) < first + room
            for text in (shape for shape in picture.shapes if isinstance(shape, Text)):
                assert width(text.text, text.size, text.face) <= text.rect.width + 1, text
            where = [target.rect for target in picture.targets if target.action != form_view.ROW]
            for at, rect in enumerate(where):
                assert rect.right <= size[0]
                assert rect.bottom <= size[1]
                assert not any(
                    rect.x < o.right and o.x < rect.right and rect.y < o.bottom and o.y < rect.bottom
                    for o in where[:at]
                )
            if room < len(shown) and size[0] < 1920:
                continue
            said = "".join(shape.text for shape in picture.shapes if isinstance(shape, Text)).replace(" ", "")
            assert one.label.replace(" ", "") in said
            assert one.help.replace(" ", "") in said


@pytest.mark.parametrize("size", [SIZES[0], SIZES[3]])
def test_what_matters_is_seen_and_the_rest_is_behind_more(size: tuple[int, int]) -> None:
    """CK R1.3: game, colours, opponent, clock at once, and on whose side one is; what was changed of the rest is said
    of it when the form is opened anew."""
    form = Form.opened(Purpose.HOST, ALL, Choice())
    assert form is not None
    assert [one.name for one in rows(form, ALL)] == [GAME, "tiles", "pieces", OPPONENT, FIRST, CLOCK, MORE]
    form = form.chosen("pieces", "black-red", ALL).chosen("tiles", "black-red", ALL).chosen(OPPONENT, "computer", ALL)
    form = form.chosen(FIRST, 1, ALL).chosen("captures", "forced", ALL)
    assert "You are Red; the computer begins." in form.summary(ALL)
    for against in ("computer", "somebody"):
        picture = drawn(form.chosen(OPPONENT, against, ALL), size)[0]
        assert [shape for shape in picture.shapes if isinstance(shape, Disc) and shape.fill == "#d62828"], against
    choice = form.choice()
    assert dict(choice.options) == {"captures": "forced", "draw_after": 80, "tiles": "black-red", "pieces": "black-red"}
    again = Form.opened(Purpose.HERE, ALL, choice)
    assert again is not None
    said = [shape.text for shape in drawn(again, size, MORE)[0].shapes if isinstance(shape, Text)]
    assert "More (1 changed)" in " ".join(said)
    assert "Captures: forced." in said
    assert "Captures" not in said


def test_the_opponents_are_called_as_on_the_cards() -> None:
    """One way in has one word."""
    called = {"somebody": Against.SOMEBODY, FRIEND: Against.FRIEND, "computer": Against.COMPUTER, "both": Against.HERE}
    assert {name: label for name, (label, _) in OPPONENTS.items()} == {
        name: LABELS[way] for name, way in called.items()
    }


def test_who_watches_is_chosen_and_asked_for() -> None:
    """A match by link is watched by nobody unless it is said; who watches can be kept behind."""
    form = opened().chosen(DELAY, 5, GAMES)
    assert form.choice().create("r").delay_plies == 5
    form = form.chosen(OPPONENT, FRIEND, GAMES).chosen(MORE, True, GAMES)
    assert (form.choice().create("r").spectators, form.choice().create("r").delay_plies) == (False, 0)
    assert DELAY not in names(form)
    form = form.chosen(WATCHABLE, True, GAMES)
    assert (form.choice().create("r").spectators, form.choice().create("r").delay_plies) == (True, 5)
    assert DELAY in names(form)
