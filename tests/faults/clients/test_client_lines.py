"""Whatever anybody writes ends no client: one list of lines, in every place that takes words, in every front end."""

from __future__ import annotations

import io
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from client.conversation import transport
from client.conversation.cleaning import cleaned_event
from client.plain.telling import tell
from client.shown.model import Model, update
from client.start.console import Speaker
from client.window.hands.inputs import Key
from protocol.messages import Chat, Said, Snapshot, Welcome
from tests.client.conftest import server  # noqa: F401
from tests.client.nasty_talk import ended, game_called, lobby_of, match_of, told
from tests.client.scripted_server import ScriptedServer
from tests.client.terminal.conftest import identity, quick, terminal  # noqa: F401
from tests.client.terminal.rows import FORBIDDEN, whole
from tests.client.window.drawn import Drawn, window_at
from tests.faults.trial.client_rows import Count, count  # noqa: F401
from tests.faults.trial.stage import FULL
from tests.forms import every
from tests.nasty import LINES
from tests.pace import WAIT_S

# ruff: noqa: F811

pytestmark = pytest.mark.faults

TOLD = every(LINES, 6, full=FULL)
"""In the short form some of each kind."""
SMALL, LARGE = (640, 480), (1120, 760)


async def say_all(at: Drawn, server: ScriptedServer, count: Count) -> None:
    """Each line in each place of a match; between them the user types the line."""
    for number, line in enumerate(TOLD):
        await server.say(*told(line, number))
        await at.until(lambda number=number: at.app.model.said == number + 1)  # type: ignore[misc]
        at.app.take_input(Key("slash", "/"), at.size)
        for sign in line:
            at.app.take_input(Key(sign, sign), at.size)
        at.look()
        at.app.take_input(Key("escape"), at.size)
        count("Q19 nasty line in the window")


@pytest.mark.parametrize("size", [SMALL, LARGE] if FULL else [SMALL])
async def test_q19_a_window_outlasts_them(
    server: ScriptedServer, tmp_path: Path, size: tuple[int, int], count: Count, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Q19: as names, symbols, labels, chat, refusal, announcement and result, every pixel drawn; and heard again."""
    # The server has the window's loop, which is drawing: that it is silent so long says nothing of it.
    monkeypatch.setattr(transport, "PONG_S", WAIT_S)
    async with window_at(server.address, tmp_path, size) as at:
        await at.to_lobby()
        await at.to_match(server, match_of("Ada", 2))
        await say_all(at, server, count)
        lines = tuple(
            Said(match="m1", name=line[:20], text=line, channel="players", number=1000 + i, at_ms=0, seat=1)
            for i, line in enumerate(TOLD)
        )
        await server.say(Chat(match="m1", channel="players", lines=lines))
        await at.until(lambda: at.app.model.said == 999 + len(TOLD))
        count("Q19 nasty line in the window", len(TOLD))
        await server.say(ended("\u2764\ufe0f", 10 * len(TOLD) + 2))
        await at.until(lambda: at.app.model.match is not None and at.app.model.match.result is not None)
        assert at.look().shapes


@pytest.mark.parametrize("size", [(60, 20), (110, 36)] if FULL else [(60, 20)])
async def test_q19_a_terminal_outlasts_them(
    terminal: Any, server: ScriptedServer, size: tuple[int, int], count: Count
) -> None:
    """Q19: the same, and every row stays whole."""
    async with terminal(size=size) as at:
        await at.to_match(match_of("Ada", 2))
        for number, line in enumerate(TOLD):
            await server.say(*told(line, number))
            await at.until(lambda number=number: at.app.model.said == number + 1)
            await at.pilot.pause()
            whole(at)
            count("Q19 nasty line in the terminal")
        await server.say(ended("\u2764\ufe0f", 10 * len(TOLD) + 2))
        await at.until(lambda: at.app.model.match.result is not None)
        await at.pilot.pause()
        whole(at)


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_q19_plain_lines_outlast_them(encoding: str, count: Count) -> None:
    """Q19: each is a line of text and nothing else, also where the output knows ASCII alone."""
    for line in TOLD:
        bytes_ = io.BytesIO()
        speaker = Speaker(io.TextIOWrapper(bytes_, encoding=encoding, errors="replace", newline="\n"))
        model = Model()
        welcome = Welcome(ref="r", player="p", name="Ada", games=(game_called(line),))
        for event in (welcome, lobby_of(line), *told(line, 1), ended(line, 22)):
            clean = cleaned_event(event)
            before, model = model, update(model, clean)
            speaker.say(tell(before, model, clean))
            speaker.title(line)
        count("Q19 nasty line in plain lines")
        assert not speaker.is_broken
        assert isinstance(model.match, Snapshot)
        assert model.match.result is not None
        text = bytes_.getvalue().decode(encoding)
        assert not [sign for sign in text if unicodedata.category(sign) in FORBIDDEN and sign != "\n"]
