"""A terminal client against the scripted server, driven by Textual's pilot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from math import inf
from pathlib import Path
from typing import Any

import pytest
from textual.cache import LRUCache
from textual.pilot import Pilot

from client.conversation import transport
from client.conversation.events import InStep
from client.kept.identity import Identity, take_identity
from client.shown.actions.controls import Place
from client.start.launch import Launch
from client.terminal.app import Parlour
from client.terminal.parts.board import BoardView
from client.terminal.screens.base import ParlourScreen
from protocol.messages import Accepted, GetRecord, Record, Snapshot, Watch
from tests.client.scripted_server import BOUND_S, ScriptedServer
from tests.client.settling import settle

__all__ = ["settle"]


def no_moves(asked: GetRecord, match: Snapshot) -> Record:
    """What a server says that has forgotten how a position came to be."""
    return Record(
        ref=asked.ref, match=match.match, game=match.game, options={}, names=("Ada", "Ben"), moves=(), hash="",
        created_ms=0,
    )  # fmt: skip


class Terminal:
    """The application, its pilot and its server."""

    def __init__(self, app: Parlour, pilot: Pilot[None], server: ScriptedServer) -> None:
        self.app = app
        self.pilot = pilot
        self.server = server

    async def until(self, condition: Callable[[], object]) -> None:
        """Let the application work until the condition holds; fails when it never does."""
        async with asyncio.timeout(BOUND_S):
            while not condition():
                await self.pilot.pause(0.005)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.keys_are_handed_out()

    async def keys_are_handed_out(self) -> None:
        """Wait until whatever was typed has reached what it was for."""
        arrived = asyncio.Event()
        self.app.call_later(arrived.set)
        await self.until(lambda: self.app._exit or arrived.is_set())
        await self.until(lambda: self.app._exit or (not self.app._typed and self.app._in_hand is None))
        await self.pilot.pause()

    def text(self) -> str:
        """The bare text on screen."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    def line(self, widget: str) -> str:
        """The text of a one-line widget."""
        found = self.app.screen.query_one(widget)
        return self.text().split("\n")[found.region.y].strip()

    def is_at(self, place: Place) -> bool:
        """Whether that screen is on top, and takes keys."""
        screen = self.app.screen
        return isinstance(screen, ParlourScreen) and screen.PLACE is place and screen.takes_keys

    async def opens(self, screen: type) -> None:
        """Wait until a screen or dialog of this kind is there and takes keys."""
        await self.until(lambda: isinstance(top := self.app.screen, screen) and getattr(top, "takes_keys", True))

    async def sees(self, text: str) -> None:
        """Wait until the text is on screen."""
        await self.until(lambda: text in self.text())

    @property
    def board(self) -> BoardView:
        return self.app.screen_stack[-1].query_one(BoardView)

    async def to_lobby(self) -> None:
        """Past the first screen."""
        await self.press("enter")
        await self.until(lambda: self.is_at(Place.LOBBY) and self.app.model.lobby is not None)

    async def to_match(self, snapshot: Snapshot) -> None:
        """From the first screen, by watching a match in which one may have a seat; nothing is drawn on the way."""
        await self.until(lambda: self.app.model.lobby is not None)
        assert self.app._session is not None
        self.app._send(Watch(ref=self.app._session.ref(), match=snapshot.match))
        watch = await self.server.next(Watch)
        await self.server.say(Accepted(ref=watch.ref, match=snapshot.match, version=snapshot.version), snapshot)
        await self.until(lambda: self.is_at(Place.MATCH) and self.app.screen.is_mounted)
        await self.until(lambda: (match := self.app.model.match) is not None and match.version == snapshot.version)
        await self.until(lambda: self.app.focused is self.board)
        if not self.app.model.is_log and any(isinstance(one, GetRecord) for one in self.app.model.pending):
            asked = await self.server.next(GetRecord)
            await self.server.say(no_moves(asked, snapshot))
            await self.until(lambda: not self.app.model.pending)

    async def stand(self, at_s: float, server_ms: float) -> None:
        """From before a match is shown the program's clock stands at `at_s`, and the server's at `server_ms`: what was
        asked about the real time is answered by now, and nothing more is asked, for an answer would set it going."""
        assert self.app._session is not None
        pulse = self.app._session._pulse
        await self.until(lambda: self.app.model.latency_ms is not None and pulse._open is None)
        pulse._due = inf
        self.app._clock = lambda: at_s
        self.app.take(InStep(server_ms - at_s * 1000))
        self.app.refresh_screens()

    async def click(self, element: str, **kind: Any) -> None:
        """Click an element of the board."""
        await self.pilot.click(BoardView, offset=self.at(element))
        await self.pilot.pause()

    def at(self, element: str) -> tuple[int, int]:
        """A place in the board's widget where the element is."""
        board = self.board
        size = board.size
        match = self.app.model.match
        assert match is not None
        left, top = board._offset()
        for y in range(size.height):
            for x in range(size.width):
                if board._layout.element_at(match.board, x - left, y - top) == element:
                    return x, y
        raise LookupError(element)


@pytest.fixture
def identity(tmp_path: Path) -> Iterator[Identity]:
    """Nobody yet."""
    with take_identity(folder=tmp_path) as fresh:
        yield fresh


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Come back at once after a loss."""
    monkeypatch.setattr(transport, "FIRST_S", 0.01)
    monkeypatch.setattr(transport, "TICK_S", 0.02)


@pytest.fixture(autouse=True)
def all_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """As most terminals have them; tests about fewer say so."""
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")


Start = Callable[..., Any]
PARSED: dict[tuple[tuple[str, str], ...], LRUCache[Any, Any]] = {}
"""What Textual made of the style sheet, by its variables: the same for every application, and a third of its start."""


@pytest.fixture
def terminal(server: ScriptedServer, identity: Identity) -> Start:
    """Starts the client in a window of a size; a context that gives a Terminal."""

    @asynccontextmanager
    async def start(size: tuple[int, int] = (80, 24), is_dark: bool = True, **launch: Any) -> AsyncIterator[Terminal]:
        settings: dict[str, Any] = {"prepare": lambda: server.address, "name": "Ada", "identity": identity}
        app = Parlour(Launch(**(settings | launch)), is_dark=is_dark)
        app.stylesheet._parse_cache = PARSED.setdefault(tuple(app.get_css_variables().items()), LRUCache(1024))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            yield Terminal(app, pilot, server)
            app.leave_program()
            await pilot.pause()

    return start
