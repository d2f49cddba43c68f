"""Whatever anybody writes leaves a terminal's rows whole: no control code, and every row as wide as the window."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len

from client.terminal.parts.widgets import shortened
from tests.client.nasty_talk import game_called, lobby_of
from tests.client.scripted_server import ScriptedServer
from tests.client.terminal.rows import whole
from tests.forms import FUZZ, every
from tests.nasty import LINES


@pytest.mark.fuzz
@pytest.mark.parametrize("line", every(LINES, 23, full=FUZZ), ids=ascii)
async def test_lobby_and_form_do_too(terminal: Any, server: ScriptedServer, line: str) -> None:
    """Q19: titles, options' labels and choices, presets, who waits, who is here."""
    server.games, state = (game_called(line),), lobby_of(line)
    server.lobby = state.matches
    async with terminal(size=(80, 24)) as at:
        await at.to_lobby()
        await server.say(state)
        await at.until(lambda: at.app.model.here == 3)
        await at.pilot.pause()
        whole(at)
        await at.press("n")
        await at.until(lambda: "Host a match" in at.text())
        whole(at)
        await at.press("escape", "question_mark")
        whole(at)


@pytest.mark.parametrize("line", LINES, ids=ascii)
def test_what_is_cut_is_cut_between_letters(line: str) -> None:
    """Q19."""
    for width in range(12):
        assert cell_len(shortened(line, width)) <= width
