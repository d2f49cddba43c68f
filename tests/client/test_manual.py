"""The manual says what the table of controls and the command line say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from client.command_line import parser as _parser
from client.shown.actions.controls import Control, Place, controls_for
from client.window.parts.words import OWN

MANUAL = (Path(__file__).resolve().parents[2] / "docs" / "manual.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("place", [Place.LOBBY, Place.MATCH])
def test_every_key_is_in_the_manual(place: Place) -> None:
    def is_told(control: Control) -> bool:
        return re.search(rf"^\| {re.escape(control.shown)}(,[^|]*)? \|", MANUAL, re.MULTILINE) is not None

    assert [control.shown for control in controls_for(place) if not is_told(control)] == []


def test_every_option_is_in_the_manual() -> None:
    options = [option for action in _parser()._actions for option in action.option_strings if option.startswith("--")]
    assert [option for option in options if option != "--help" and f"`{option}" not in MANUAL] == []


def test_the_pictures_are_there() -> None:
    folder = Path(__file__).resolve().parents[2] / "docs"
    for picture in re.findall(r"\]\((.*?\.svg)\)", MANUAL):
        assert (folder / picture).read_text(encoding="utf-8").startswith("<svg")
    for picture in re.findall(r"\]\((.*?\.png)\)", MANUAL):
        assert (folder / picture).read_bytes().startswith(b"\x89PNG")


def test_every_key_of_the_window_alone_is_in_the_manual() -> None:
    """DB 7.3.1.5: what only the window has is told there, too."""
    assert [control.shown for control in OWN if not re.search(rf"^\| {control.shown} \|", MANUAL, re.MULTILINE)] == []
