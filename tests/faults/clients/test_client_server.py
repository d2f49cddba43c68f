"""A server that tells what cannot be ends, hangs and fills no client: it is refused, told, asked for, and left."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from client.conversation import doubts
from client.kept.identity import take_identity
from client.plain.app import PlainClient
from client.shown.actions.controls import Place
from client.start.console import Speaker
from client.start.launch import Launch
from protocol.messages import Accepted, Leave, Notification, Watch
from tests.client.conftest import server  # noqa: F401
from tests.client.impossible import EVENTS, LOBBIES, SNAPSHOTS
from tests.client.positions import snapshot
from tests.client.scripted_server import BOUND_S, ScriptedServer
from tests.client.terminal.conftest import identity, quick, terminal  # noqa: F401
from tests.client.terminal.rows import whole
from tests.client.window.drawn import window_at
from tests.faults.trial.client_rows import Count, count  # noqa: F401
from tests.faults.trial.stage import FULL

# ruff: noqa: F811

pytestmark = pytest.mark.faults

KINDS: dict[str, Notification] = {**SNAPSHOTS, **EVENTS}
PART = 15
"""So many on one connection; after some more of them the client would try another one."""
_TOLD = list(KINDS) if FULL else list(KINDS)[::6]
in_parts = pytest.mark.parametrize("kinds", [_TOLD[at : at + PART] for at in range(0, len(_TOLD), PART)], ids=len)
"""All of them; in the short form some."""
REFUSED = "told what cannot be"
Reads = Callable[[], str]
Until = Callable[[Callable[[], object]], Awaitable[None]]


async def each_is_refused(
    server: ScriptedServer,
    reads: Reads,
    until: Until,
    count: Count,
    monkeypatch: pytest.MonkeyPatch,
    where: str,
    kinds: list[str],
) -> None:  # fmt: skip
    """In a match each kind is refused in words, and with what is true told after it, it goes on. Then it is left."""
    version, row = 10, f"Q20 impossible thing told to {where}"
    # One after the other is no flood yet.
    monkeypatch.setattr(doubts, "WITHIN_S", -1.0)
    for kind in kinds:
        await server.say(KINDS[kind])
        watch = await server.next(Watch)
        await until(lambda: REFUSED in reads())
        version += 1
        true = f"Version {version} is true"
        accepted = Accepted(ref=watch.ref, match="m1", version=version)
        await server.say(snapshot(version=version, text=true), accepted)
        await until(lambda true=true: true in reads())  # type: ignore[misc]
        count(row)
    monkeypatch.undo()
    for _ in range(3):
        await server.say(SNAPSHOTS["a wide board"])
        count(row)
    await server.next(Leave)
    await until(lambda: "is left" in reads())


@in_parts
async def test_q20_a_window_outlasts_it(
    server: ScriptedServer, tmp_path: Path, count: Count, monkeypatch: pytest.MonkeyPatch, kinds: list[str]
) -> None:
    """Q20: each kind, drawn in between."""
    async with window_at(server.address, tmp_path, (640, 480)) as at:
        await at.to_lobby()
        await at.to_match(server, snapshot())
        texts: list[str] = []

        def reads() -> str:
            texts[:] = at.texts()
            return "\n".join((*texts, at.app.model.notice.text))

        await each_is_refused(server, reads, at.until, count, monkeypatch, "the window", kinds)
        assert at.app.model.match is None


@in_parts
async def test_q20_a_terminal_outlasts_it(
    terminal: Any, server: ScriptedServer, count: Count, monkeypatch: pytest.MonkeyPatch, kinds: list[str]
) -> None:
    """Q20: the same, and its rows stay whole."""
    async with terminal(size=(110, 36)) as at:
        await at.to_match(snapshot())

        def reads() -> str:
            if at.is_at(Place.MATCH):
                whole(at)
            return f"{at.text()}\n{at.app.model.notice.text}"

        await each_is_refused(server, reads, at.until, count, monkeypatch, "the terminal", kinds)
        assert at.app.model.match is None


class Silent(io.StringIO):
    """Somebody who types nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.ends = Event()

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        self.ends.wait()
        return ""


@in_parts
async def test_q20_plain_lines_outlast_it(
    server: ScriptedServer, tmp_path: Path, count: Count, monkeypatch: pytest.MonkeyPatch, kinds: list[str]
) -> None:
    """Q20: the same as lines."""
    output, source = io.StringIO(), Silent()
    with take_identity(folder=tmp_path) as one:
        client = PlainClient(Launch(prepare=lambda: server.address, identity=one, name="Ada"), source, Speaker(output))
        running = asyncio.create_task(client.run())

        async def until(condition: Callable[[], object]) -> None:
            async with asyncio.timeout(BOUND_S):
                while not condition():
                    assert not running.done()
                    await asyncio.sleep(0.002)

        await until(lambda: client.model.lobby is not None)
        client._send(Watch(ref="w", match="m1"))
        await server.next(Watch)
        await server.say(Accepted(ref="w", match="m1", version=2), snapshot())
        await until(lambda: client.model.match is not None)

        def reads() -> str:
            return "\n".join(output.getvalue().split("\n")[-12:])

        await each_is_refused(server, reads, until, count, monkeypatch, "plain lines", kinds)
        client.stop()
        source.ends.set()
        assert await running == 0


@pytest.mark.parametrize("kind", LOBBIES)
async def test_q20_a_lobby_that_cannot_be(server: ScriptedServer, tmp_path: Path, count: Count, kind: str) -> None:
    """Q20: the last lobby that could be stays, with the reason."""
    async with window_at(server.address, tmp_path) as at:
        await at.to_lobby()
        before = at.app.model.lobby
        await server.say(LOBBIES[kind])
        await at.until(lambda: REFUSED in at.app.model.notice.text)
        assert at.look().shapes
        assert at.app.model.lobby == before
        count("Q20 impossible lobby told to the window")
