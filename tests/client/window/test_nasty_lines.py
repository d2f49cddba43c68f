"""Whatever anybody writes is drawn, as something that can be told from something else (`H16`)."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.conversation.cleaning import plain
from client.shown.words.graphemes import clusters
from client.window.drawing import lettering
from client.window.drawing.faces import face_of
from client.window.drawing.ordering import Stretch, in_sight
from client.window.drawing.theme import Face
from client.window.hands.field import Field
from client.window.hands.inputs import Key
from tests.client.nasty_talk import game_called, lobby_of
from tests.client.scripted_server import ScriptedServer
from tests.client.window.drawn import window_at
from tests.forms import FUZZ, every
from tests.nasty import LINES, SCRIPTS

SIZES = (6, 8, 11, 13, 15, 19, 28, 61)
ROOMS = (0, 1, 9, 70, 300)
BLACK = (0, 0, 0)


def drawn(text: str, size: int = 15) -> list[bytes]:
    """The pixels of a text, run by run."""
    found = []
    for run in lettering.runs(Face.PLAIN, text):
        surface = lettering.draw(run, size, BLACK)
        found.append(pygame.image.tobytes(surface, "RGBA"))
    return found


def check(text: str, size: int) -> None:
    """It can be measured, cut, broken into lines and drawn, and what is cut fits."""
    wide = lettering.width(text, size)
    assert wide == sum(lettering.draw(run, size, BLACK).get_width() for run in lettering.runs(Face.PLAIN, text))
    for room in ROOMS:
        assert lettering.width(lettering.fitted(text, room, size), size) <= room or wide <= room
        lines = lettering.wrapped(text, room, size)
        letters = max((lettering.width(letter, size) for letter in clusters(text)), default=0)
        # What is joined may be a little wider than its parts.
        assert all(lettering.width(line, size) <= max(room, letters * 1.5 + 2) for line in lines)


@pytest.mark.parametrize("line", LINES, ids=ascii)
def test_every_line_is_measured_cut_and_drawn(line: str) -> None:
    """Q19."""
    for size in SIZES:
        check(line, size)
        check(plain(line), size)


@given(st.text(alphabet=st.characters(), max_size=40), st.sampled_from(SIZES))
def test_any_text_is(text: str, size: int) -> None:
    """Q19: all of Unicode, surrogates and unassigned numbers too."""
    check(text, size)


@pytest.mark.parametrize("name", SCRIPTS)
def test_names_of_all_scripts_are_seen(name: str) -> None:
    """Q19: every letter has a font among those that come with the program; none is an empty box."""
    for letter in clusters(plain(name)):
        assert all(face_of(Face.PLAIN, character) is not None for character in letter), letter


def test_different_letters_look_different() -> None:
    """Q19: also those that no font has: their numbers are drawn."""
    pairs = (("日本", "日木"), ("한", "글"), ("م", "ن"), ("😀", "👍"), ("𠀀", "𠮷"), ("🫨", "🪿"), ("❤", "❥"))
    for one, other in pairs:
        assert drawn(one) != drawn(other)
        assert any(any(picture) for picture in drawn(one))


def test_marks_stay_with_their_letters() -> None:
    """Q19: cut between letters alone; a mark without a letter gets a circle to stand on."""
    assert [run.text for run in lettering.runs(Face.PLAIN, "e\u0301x")] == ["éx"]
    assert lettering.fitted("W\u0335" * 9, lettering.width("W\u0335", 15) * 3, 15).count("\u0335") == 2
    assert plain("\u0301") == "\u25cc\u0301"
    assert plain("a" + "\u0300" * 60) == "a" + "\u0300" * 4


def test_arabic_and_hebrew_go_from_the_right_to_the_left() -> None:
    """Q19: as UAX #9 has it for a line that begins at the left; numbers keep their own way."""
    assert in_sight("Ada") == [Stretch("Ada")]
    assert in_sight("a مرحبا بالعالم b") == [Stretch("a "), Stretch("مرحبا بالعالم", "Arab"), Stretch(" b")]
    assert in_sight("שלום 12.5 א") == [Stretch(" א", "Hebr"), Stretch("12.5"), Stretch("שלום ", "Hebr")]
    joined, apart = lettering.width("مرحبا", 40), sum(lettering.width(letter, 40) for letter in "مرحبا")
    assert joined < apart


def test_what_is_typed_is_drawn_too() -> None:
    """Q19: a heart in the field for chat, before anything cleaned it."""
    field = Field().typed("I ❤️ you 👩‍👩‍👧 \u0301")
    assert lettering.width(field.text[: field.at], 15) > 0


@pytest.mark.fuzz
@pytest.mark.parametrize("line", every(LINES, 16, full=FUZZ), ids=ascii)
async def test_lobby_and_form_do_too(server: ScriptedServer, tmp_path: Path, line: str) -> None:
    """Q19: titles, options' labels and choices, presets, who waits, who is here."""
    server.games, state = (game_called(line),), lobby_of(line)
    server.lobby = state.matches
    async with window_at(server.address, tmp_path, (640, 480)) as at:
        await at.to_lobby()
        await server.say(state)
        await at.until(lambda: at.app.model.here == 3)
        at.app.take_input(Key("n", "n"), at.size)
        assert at.look().shapes
