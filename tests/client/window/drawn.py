"""A window against the scripted server: the application and every pixel of what it shows, without a screen."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame

from client.conversation.address import Address
from client.kept.identity import take_identity
from client.kept.saves import SavedGame
from client.kept.settings import Settings, Theme
from client.start.launch import Launch
from client.window.application import Application
from client.window.drawing.canvas import Canvas
from client.window.drawing.shapes import Picture, Text
from client.window.screens.lobby_screen import LobbyScreen
from client.window.screens.match_screen import MatchScreen
from protocol.messages import Accepted, Snapshot, Watch
from tests.client.scripted_server import BOUND_S, ScriptedServer


class Drawn:
    """One person's window; each look at it draws what changed."""

    def __init__(self, app: Application, size: tuple[int, int]) -> None:
        self.app = app
        self.size = size
        self.canvas = Canvas(pygame.Surface(size), Theme.LIGHT)

    def look(self) -> Picture:
        """Take the news and draw."""
        self.app.take_news()
        self.app.listen_to_clocks()
        picture = self.app.screen.picture(self.app.model, self.size, self.app.now)
        self.canvas.show(picture, self.app.settings.theme)
        assert isinstance(self.app.title, str)
        return picture

    def texts(self) -> list[str]:
        """All that can be read."""
        return [shape.text for shape in self.look().shapes if isinstance(shape, Text)]

    async def until(self, condition: Callable[[], object]) -> None:
        """Draw until the condition holds; fails when it never does."""
        async with asyncio.timeout(BOUND_S):
            while not condition():
                self.look()
                await asyncio.sleep(0.002)

    async def to_lobby(self) -> None:
        """Past the first screen."""
        await self.until(lambda: isinstance(self.app.screen, LobbyScreen) and self.app.model.lobby is not None)

    async def to_match(self, server: ScriptedServer, match: Snapshot) -> None:
        """Into a match."""
        self.app._send(Watch(ref=self.app._ref(), match=match.match))
        watch = await server.next(Watch)
        await server.say(Accepted(ref=watch.ref, match=match.match, version=match.version), match)
        await self.until(lambda: self.app.model.match is not None)


@asynccontextmanager
async def window_at(
    address: Address, folder: Path, size: tuple[int, int] = (1120, 760), saved: SavedGame | None = None
) -> AsyncIterator[Drawn]:
    """A window that connects at once, and starts from a saved game if there is one."""
    with take_identity(folder=folder) as identity:
        launch = Launch(prepare=lambda: address, identity=identity, name="Ada", connects_at_once=True, saved=saved)
        app = Application(launch, lambda: None, MatchScreen, settings=Settings(sound=False, motion=False))
        app.start()
        try:
            yield Drawn(app, size)
        finally:
            await asyncio.to_thread(app.stop)
