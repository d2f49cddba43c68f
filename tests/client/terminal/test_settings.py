"""What the user chooses about the terminal client, and how moves are planned and confirmed in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from client.kept.settings import Settings, load_settings
from client.start.launch import Launch
from client.terminal.app import Parlour
from client.terminal.screens.settings_dialog import ROWS, SettingsDialog
from client.window.screens.settings_screen import SWITCHES
from protocol.board import Mark, Piece
from protocol.messages import Move, Moved
from tests.client.positions import snapshot
from tests.driver import ROOT


def ben_moved(version: int) -> Moved:
    marks: dict[str, Mark | None] = {"a1-b1": Mark(1, Piece.LINE)}
    return Moved(match="m1", version=version, at_ms=0, text="", seat=1, move="a1-b1", marks=marks, to_move=0)


async def test_a_move_is_planned_while_the_other_side_is_to_move(terminal: Any) -> None:
    async with terminal() as at:
        match = snapshot(to_move=1)
        await at.to_match(match)
        await at.click("b2-b3")
        await at.sees("Planned for your next turn:")
        await at.sees("b2-b3.")
        await at.sees("Let go")
        assert "→" in at.text()
        await at.server.say(ben_moved(match.version + 1))
        assert (await at.server.next(Move)).move == "b2-b3"
        await at.until(lambda: "Planned for" not in at.text())


async def test_escape_lets_go_of_a_plan_before_it_leaves(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_match(snapshot(to_move=1))
        await at.click("b2-b3")
        await at.sees("Planned for")
        await at.press("escape")
        await at.until(lambda: "Planned for" not in at.text())
        assert at.app.model.match is not None


async def test_moves_are_confirmed_once_that_was_chosen(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_match(snapshot())
        await at.press("equals_sign")
        await at.opens(SettingsDialog)
        await at.press("left", "escape")
        await at.until(lambda: at.app.model.confirms)
        await at.click("b2-b3")
        await at.sees("Play b2-b3?")
        await at.press("escape")
        await at.until(lambda: "Play b2-b3?" not in at.text())
        await at.click("a1-b1")
        await at.sees("Play a1-b1?")
        await at.press("enter")
        assert (await at.server.next(Move)).move == "a1-b1"


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (160, 45)])
async def test_everything_can_be_chosen_at_every_size(terminal: Any, size: tuple[int, int]) -> None:
    """Issue 14, 15: each row is in sight, and the arrows choose each of its values, which hold at once."""
    async with terminal(size=size) as at:
        await at.to_match(snapshot())
        await at.press("equals_sign")
        await at.opens(SettingsDialog)
        for name, label, values in ROWS:
            await at.sees(label)
            await at.press(*["right"] * len(values))
            for value, _ in reversed(values):
                chosen = getattr(at.app.settings, name)
                assert getattr(chosen, "value", chosen) == value, name
                await at.press("left")
            await at.press("down")


def test_settings_have_the_same_words_in_terminal_window_and_page() -> None:
    """Issue 14, 17: the terminal has the beginning of each, for its rows are narrow."""
    page = (ROOT / "client" / "web" / "texts" / "en" / "later.js").read_text().partition("\n  settings: {")[2]
    in_window = dict(SWITCHES)
    labels = {name: label for name, label, _ in ROWS}
    for name in ("motion", "confirm", "premove"):
        assert f'{name}: "{in_window[name]}"' in page
        assert in_window[name].startswith(labels[name])
    assert f'board: "{labels["board"]}"' in page


def test_what_was_chosen_is_kept(tmp_path: Path, server: Any, identity: Any) -> None:
    path = tmp_path / "terminal.json"
    app = Parlour(launch_of(server, identity), settings_path=path)
    app.change_settings(confirm=True, sound=False)
    assert load_settings(path) == Settings(confirm=True, sound=False)
    again = Parlour(launch_of(server, identity), settings_path=path)
    assert again.model.confirms
    assert again.model.premoves


def launch_of(server: Any, identity: Any) -> Any:
    return Launch(prepare=lambda: server.address, name="Ada", identity=identity)
