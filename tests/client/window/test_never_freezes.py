"""N1: whatever the network does, the window draws, says what is wrong, and can be left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from time import monotonic

import pygame
import pytest

from client.conversation import transport
from client.conversation.address import parse_address
from client.kept.identity import take_identity
from client.playing.new_match import Choice
from client.start.launch import Launch
from client.window.drawing.shapes import Text
from client.window.intents import Host
from client.window.loop import Window
from client.window.parts.match_view import layout
from client.window.screens.match_screen import MatchScreen
from tests.driver import WAIT_S, HubProcess
from tests.faults.trial.proxy import Proxy
from tests.pace import within

SIZE = (1000, 700)
STEPS = 40
DRAWN_S = 0.1
"""N1: how long a window may take to draw what the mouse did."""
GONE_S = 1.0
"""N1: how long quitting may take."""


@contextmanager
def proxied(port: int) -> Iterator[tuple[Proxy, asyncio.AbstractEventLoop]]:
    """A proxy to the hub, in a thread of its own: the window has this one."""
    loop, ready, end = asyncio.new_event_loop(), Flag(), asyncio.Event()
    proxy = Proxy(("127.0.0.1", port))

    async def serve() -> None:
        async with proxy:
            ready.set()
            await end.wait()

    thread = Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    assert ready.wait(WAIT_S)
    try:
        yield proxy, loop
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join(WAIT_S)
        loop.close()


class Dragging:
    """Drags in circles over a board while the server falls silent; called in each round of the window's loop."""

    def __init__(self, window: Window, proxy: Proxy, loop: asyncio.AbstractEventLoop) -> None:
        self.window, self.proxy, self.loop = window, proxy, loop
        self.steps = 0
        self.silent = False
        self.worst_s = 0.0
        self.said = False
        self.left_at = 0.0
        self._deadline = monotonic() + WAIT_S
        self._frames = 0
        self._posted_at = 0.0

    def round(self) -> None:
        """One step of the drag when the last one was drawn; afterwards, to be told of it and to leave."""
        app = self.window.application
        assert monotonic() < self._deadline, (self.steps, self.silent, bool(self._posted_at), self.said)
        if app.model.lobby is not None and app.model.match is None and not app.model.pending:
            app.carry_out(Host(Choice("dots-and-boxes", (("width", 4), ("height", 4)), opponent="both")))
        if app.model.match is None or not isinstance(app.screen, MatchScreen) or self.left_at:
            return
        if app.screen.hand.held is None:
            self._press(app.screen)
            return
        if self._posted_at and self.window.frames > self._frames:
            self.worst_s = max(self.worst_s, monotonic() - self._posted_at)
            self._posted_at = 0.0
        if not self._posted_at and self.steps < STEPS:
            self._step(app.screen)
        elif not self._posted_at:
            texts = (s.text for s in app.screen.picture(app.model, SIZE, app.now).shapes if isinstance(s, Text))
            self.said = self.said or any("reconnecting" in text for text in texts)
            if self.said:
                self.left_at = monotonic()
                pygame.event.post(pygame.event.Event(pygame.QUIT))

    def _place(self, screen: MatchScreen, right: float, down: float) -> tuple[int, int]:
        """In pixels, what lies so far from a dot in the middle of the board."""
        app = self.window.application
        assert app.model.match is not None
        dot = app.model.match.board.dots[5]
        view = layout(screen.sheet(SIZE), screen.seen(app.now), app.model).view
        x, y = view.place(dot.x + right, dot.y + down)
        return round(x), round(y)

    def _press(self, screen: MatchScreen) -> None:
        at = self._place(screen, 0, 0)
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=1, touch=False))

    def _step(self, screen: MatchScreen) -> None:
        steps = self.steps
        if steps == STEPS // 4 and not self.silent:
            self.silent = True
            self.loop.call_soon_threadsafe(self.proxy.blackhole)
        at = self._place(screen, 0.6 + steps % 7 / 20, steps % 5 / 10)
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=at, buttons=(1, 0, 0), rel=(0, 0), touch=False))
        self.steps += 1
        self._frames, self._posted_at = self.window.frames, monotonic()


@pytest.mark.timed
@pytest.mark.faults
def test_n1_a_server_that_falls_silent_in_the_middle_of_a_drag(
    hub: HubProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> None:
    """N1, DB C2: each step of the drag is drawn within 100 ms, reconnecting is said; the window is gone within 1 s."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    # A silent path is noticed after 10 s; here in a test, sooner.
    monkeypatch.setattr(transport, "PING_S", 0.3)
    monkeypatch.setattr(transport, "PONG_S", 0.3)
    with proxied(hub.port) as (proxy, loop), take_identity(folder=tmp_path / "id") as identity:
        address = parse_address(f"127.0.0.1:{proxy.port}")
        window = Window(Launch(prepare=lambda: address, identity=identity, name="Nina", connects_at_once=True), SIZE)
        dragging = Dragging(window, proxy, loop)
        window.each_round = dragging.round
        assert window.run() == 0
        gone_s = monotonic() - dragging.left_at
    assert dragging.silent
    assert dragging.steps == STEPS
    assert dragging.said
    record_property("provoked", f"worst of {STEPS} steps drawn after {dragging.worst_s * 1000:.0f} ms")
    within(dragging.worst_s, DRAWN_S)
    within(gone_s, GONE_S)
