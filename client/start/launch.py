"""What the terminal client is asked to do, and how it finds its server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import TypeVar, cast

from client.conversation.address import Address
from client.conversation.transport import Finder, NoAddress
from client.kept.identity import Identity
from client.kept.saves import SavedGame
from client.playing.new_match import AtOnce
from client.start.hub_process import CannotStart
from protocol.messages import Command, Join, OptionValue, Watch

R = TypeVar("R")


@dataclass(frozen=True)
class LocalGame:
    """Two people at one keyboard (`DB 1.8`): what to play at once."""

    game: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Launch:
    """The settings of one run. `prepare` says where the server is, before each try; it may take time to start one."""

    prepare: Callable[[], Address]
    identity: Identity
    name: str = ""
    connects_at_once: bool = False
    watch: str | None = None
    join: str | None = None
    key: str | None = None
    """The match to watch or to join at once, or the key of a private one: as a link says it (`client.kept.links`)."""
    learned: Path | None = None
    """Where it is kept which tasks the user has done; None: nowhere."""
    at_once: AtOnce | None = None
    """A match to begin at once (`parlour play`)."""
    local: LocalGame | None = None
    saved: SavedGame | None = None
    """A saved game to start from at once (`RU-M8`): at this keyboard with `local`, else as a match that waits."""
    server: str = ""
    """The server that was named, as a person would type it; "" for the one on this machine."""
    server_key: str | None = None
    """Under what to keep the token when the address changes from run to run."""
    language: str = "en"
    warning: str = ""
    """What the user is to know at the start: that nothing can be kept here, and why."""

    @property
    def shows_cards(self) -> bool:
        """Whether the first screen offers the games: nothing else was asked for."""
        asked = (self.watch, self.join, self.key, self.at_once, self.local, self.saved)
        return all(one is None for one in asked)

    @property
    def first_name(self) -> str:
        """The name to begin with, which can still be changed: the one that was given or used last, or a made-up one."""
        return self.name or self.identity.named()

    def first_command(self, ref: str) -> Command | None:
        """What leads into the match that was asked for; None without one."""
        if self.watch:
            return Watch(ref=ref, match=self.watch)
        if self.join or self.key:
            return Join(ref=ref, match=self.join or "", key=self.key or "")
        return None

    async def find(self) -> Address:
        """Where the server is now. Raises NoAddress."""
        return await in_background(self.prepare)()


def in_background(prepare: Callable[[], Address]) -> Finder:
    """A finder that has `prepare` say where the server is, which may take its time. It raises NoAddress."""

    async def find() -> Address:
        try:
            return await done_aside(prepare)
        except CannotStart as error:
            raise NoAddress(str(error)) from None

    return find


async def done_aside(work: Callable[[], R]) -> R:
    """The result of `work`, done in a thread of its own that never keeps the program from ending (`N1`)."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[R] = loop.create_future()

    def settle(found: R | None, error: Exception | None) -> None:
        if result.done():
            return
        if error is not None:
            result.set_exception(error)
        else:
            result.set_result(cast("R", found))

    def run() -> None:
        found, error = None, None
        try:
            found = work()
        except Exception as raised:  # told to whoever waits, whatever it is
            error = raised
        with suppress(RuntimeError):  # the program has ended meanwhile
            loop.call_soon_threadsafe(settle, found, error)

    Thread(target=run, daemon=True, name="beside").start()
    return await result
