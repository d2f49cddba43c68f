"""Addresses of every kind, typed where one can type them: one sentence, and an end or another try."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from client import __main__ as command
from client.conversation.address import Address
from client.conversation.session import Session
from client.conversation.transport import Transport
from client.kept.identity import take_identity
from client.plain.app import run_plain
from client.start.launch import Launch
from client.terminal.app import Parlour
from client.terminal.screens.name_screen import NameScreen as TerminalNames
from client.window.network import NO_REASON
from client.window.screens.name_screen import NameScreen
from tests.client.addresses import BAD
from tests.client.conftest import server  # noqa: F401
from tests.client.scripted_server import ScriptedServer
from tests.client.terminal.conftest import quick  # noqa: F401
from tests.client.window.drawn import window_at
from tests.faults.trial.client_rows import Count, count  # noqa: F401

# ruff: noqa: F811

pytestmark = pytest.mark.faults

TYPED = [typed for typed in BAD if "\ud800" not in typed]
"""What a command line can hold."""


def unchecked(typed: str) -> Address:
    """An address that nobody has looked at: what comes next is to stand it, too."""
    return Address(f"ws://{typed}:7878/ws", "the server", typed, 7878)


@pytest.mark.parametrize("way", [["--plain", "--server"], ["--server"], ["window", "--server"], ["open"]], ids=" ".join)
def test_q21_on_the_command_line(
    way: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: Count
) -> None:
    """Q21: a sentence and a status that is not 0, before anything is drawn."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for typed in TYPED:
        given = f"--server={typed}" if way[-1] == "--server" else typed
        words = [*way[:-1], given] if way[-1] == "--server" else [*way, "--", f"{given}#key=ABCD-EFGH"]
        assert command.main(words) == 1
        told = capsys.readouterr().err
        assert told.startswith("parlour: ")
        assert told.count("\n") == 1, told
        assert told.replace("\n", "").isprintable(), ascii(told)
        count("Q21 bad address on the command line")


async def test_q21_in_the_windows_form(tmp_path: Path, server: ScriptedServer, count: Count) -> None:
    """Q21: the reason stands where one can try again."""
    async with window_at(server.address, tmp_path) as at:
        await at.to_lobby()
        at.app.screen = NameScreen("Ada")
        for typed in BAD:
            if not typed.strip():
                continue  # means the server of the command line
            at.app._connect("Ada", typed)
            assert "no address" in "".join(at.texts()) or "no way to reach" in "".join(at.texts()), ascii(typed)
            count("Q21 bad address in the form")


async def test_q21_a_transport_says_why(count: Count) -> None:
    """Q21: whatever the resolver or the library refuses, and however."""
    for typed in ("a..b", "x" * 64, f"a.{'x' * 64}.b", "host\x00", "h\u202ei", "[", "::1", "h\nost", ".", "", "%"):
        session = Session("Ada", prefix="p")
        await Transport(unchecked(typed), session, lambda: None).run()
        (offline,) = session.events()
        assert getattr(offline, "reason", "").endswith("."), ascii(typed)
        count("Q21 bad address at the socket")


class Faulty:
    """A launch whose server is looked for by code with a fault in it."""

    def __call__(self) -> Address:
        raise KeyError("nobody foresaw this")


def test_q21_a_fault_of_our_own_is_told_in_plain_lines(tmp_path: Path, count: Count) -> None:
    """Q21: the task that carries is nobody's to wait for; what ends it is told all the same, and the status says so."""
    output = io.StringIO()
    with take_identity(folder=tmp_path) as one:
        launch = Launch(prepare=Faulty(), identity=one, name="Ada")
        reading, writing = os.pipe()
        try:
            with os.fdopen(reading) as source:
                assert run_plain(launch, source, output) == 1
                os.close(writing)
        finally:
            sys.stdout.flush()
    assert "KeyError" in output.getvalue()
    count("Q21 fault in the task that carries")


async def test_q21_a_fault_of_our_own_is_told_in_the_terminal(tmp_path: Path, count: Count) -> None:
    """Q21: and the button is there to try again."""
    with take_identity(folder=tmp_path) as one:
        app = Parlour(Launch(prepare=Faulty(), identity=one, name="Ada", connects_at_once=True))
        async with app.run_test(size=(110, 30)) as pilot:
            shown: Any = ""
            for _ in range(400):
                await pilot.pause(0.01)
                strips = app.screen._compositor.render_strips()
                shown = "".join(segment.text for strip in strips for segment in strip)
                if "KeyError" in shown:
                    break
            assert "KeyError" in shown
            assert isinstance(app.screen, TerminalNames)
    count("Q21 fault in the task that carries")


async def test_q21_a_fault_of_our_own_is_told_in_the_window(
    tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, count: Count
) -> None:
    """Q21: the same in the window."""
    monkeypatch.setattr(Launch, "find", Faulty().__call__)
    async with window_at(server.address, tmp_path) as at:
        await at.until(lambda: any("KeyError" in text for text in at.texts()))
        assert NO_REASON not in at.texts()
    count("Q21 fault in the task that carries")
