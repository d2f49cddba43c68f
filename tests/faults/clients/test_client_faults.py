"""A fault of our own in what draws or handles ends one run of a client and nothing else: it is told; one comes back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from client import __main__ as command
from client.kept.identity import take_identity
from client.start.launch import Launch
from client.terminal.app import Parlour
from client.window.loop import Window
from tests.client.conftest import server  # noqa: F401
from tests.client.scripted_server import ScriptedServer
from tests.faults.trial.client_rows import Count, count  # noqa: F401

# ruff: noqa: F811, PT012

pytestmark = pytest.mark.faults


class Fault(Exception):
    """Nobody foresaw it."""


def raises(*given: Any, **named: Any) -> Any:
    """What is called has a fault."""
    raise Fault("a fault of ours")


async def runs(server: ScriptedServer, *words: str) -> int:
    """The client to its end, in a thread with an event loop of its own."""
    return await asyncio.to_thread(command.main, [*words, "--name", "Ada", f"--server={server.address.label}"])


async def test_a_fault_in_the_windows_loop(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
    count: Count,
) -> None:  # fmt: skip
    """Q20: drawing raises once one is welcomed. The reason stands in the console, what to do after it; the same guest
    comes again at the next start."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    picture = Window._show

    def show(window: Window) -> float | None:
        return raises() if window.application.model.lobby is not None else picture(window)

    monkeypatch.setattr(Window, "_show", show)
    for _ in range(2):
        assert await runs(server, "window") == 1
        told = capfd.readouterr().err
        assert "a fault of ours" in told
        assert "start again to go back to it" in told
        count("Q20 fault in a loop")
    assert [hello.token for hello in server.hellos] == [None, "secret"]


async def test_a_fault_in_the_terminals_loop(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: Count
) -> None:
    """Q20: the same for the terminal, which is given back first."""
    ended = 0
    for _ in range(2):
        with take_identity(folder=tmp_path) as one:
            app = Parlour(Launch(lambda: server.address, one, name="Ada", connects_at_once=True))
            with pytest.raises(Fault):
                async with app.run_test() as pilot:
                    while app.model.lobby is None:
                        await pilot.pause(0.01)
                    monkeypatch.setattr(app, "refresh_screens", raises)
                    app.call_later(app.refresh_screens)
                    await pilot.pause(0.1)
            ended += app.return_code == 1
        count("Q20 fault in a loop")
    assert ended == 2
    assert [hello.token for hello in server.hellos] == [None, "secret"]
