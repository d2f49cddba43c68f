"""On which ground the terminal client begins: the terminal's own, where it or its environment says so."""

from __future__ import annotations

import os
import pty
import select
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from client.kept.settings import Ground, load_settings
from client.terminal.drawing import ground
from client.terminal.screens.settings_dialog import ROWS, SettingsDialog
from tests.client.scripted_server import BOUND_S

DEVICE = b"\x1b[?62;22c"


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    """A terminal, and the end that a program has of it."""
    outer, inner = pty.openpty()
    yield outer, inner
    os.close(outer)
    os.close(inner)


def answered(ends: tuple[int, int], answer: bytes, environment: dict[str, str] | None = None) -> bool:
    """What is found on a terminal that answers this as soon as it was asked."""
    outer, inner = ends

    def answer_it() -> None:
        asked = b""
        while not asked.endswith(ground.QUESTION[-3:]) and select.select([outer], [], [], BOUND_S)[0]:
            asked += os.read(outer, 100)
        os.write(outer, answer)

    terminal = Thread(target=answer_it)
    terminal.start()
    found = ground.is_dark(environment or {}, inner, inner)
    terminal.join()
    return found


@pytest.mark.parametrize(
    ("answer", "dark"),
    [
        (b"\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\" + DEVICE, True),
        (b"\x1b]11;rgb:ffff/ffff/ffff\x07" + DEVICE, False),
        (b"\x1b]11;rgb:fd/f6/e3\x1b\\" + DEVICE, False),
        (b"\x1b]11;rgba:0000/0000/0000/ffff\x1b\\" + DEVICE, True),
    ],
)
def test_the_terminal_is_asked(
    monkeypatch: pytest.MonkeyPatch, ends: tuple[int, int], answer: bytes, dark: bool
) -> None:
    monkeypatch.setattr(ground, "WAIT_S", BOUND_S)
    assert answered(ends, answer, {"COLORFGBG": "0;15" if dark else "15;0"}) is dark


@pytest.mark.parametrize(("said", "dark"), [("0;15", False), ("15;0", True), ("0;default;15", False), ("", True)])
def test_where_it_does_not_know_its_environment_is_asked(
    monkeypatch: pytest.MonkeyPatch, ends: tuple[int, int], said: str, dark: bool
) -> None:
    """It answers only what every terminal answers: nobody waits any longer."""
    monkeypatch.setattr(ground, "WAIT_S", BOUND_S)
    assert answered(ends, DEVICE, {"COLORFGBG": said}) is dark


def test_one_that_says_nothing_is_not_waited_for_long(monkeypatch: pytest.MonkeyPatch, ends: tuple[int, int]) -> None:
    monkeypatch.setattr(ground, "WAIT_S", 0.0)
    assert answered(ends, b"", {"COLORFGBG": "0;15"}) is False


def test_what_is_no_terminal_is_not_asked() -> None:
    reader, writer = os.pipe()
    assert ground.is_dark({"COLORFGBG": "0;15"}, reader, writer) is False
    os.write(writer, b"x")
    assert os.read(reader, 9) == b"x"
    os.close(reader)
    os.close(writer)


async def test_it_is_worn_until_another_is_chosen(terminal: Any, tmp_path: Path) -> None:
    async with terminal(is_dark=False) as at:
        at.app._settings_path = tmp_path / "terminal.json"
        assert at.app.theme == "parlour-light"
        await at.to_lobby()
        await at.press("equals_sign")
        await at.opens(SettingsDialog)
        await at.sees("the terminal's")
        await at.press(*["down"] * [name for name, *_ in ROWS].index("ground"), "right")
        assert at.app.theme == "parlour-dark"
        assert load_settings(tmp_path / "terminal.json").ground is Ground.DARK
        await at.press("right")
        assert at.app.theme == "parlour-light"
