"""The plain client's way to its server: finds it, carries the session, remembers who one is there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from client.conversation.address import Address
from client.conversation.carrying import carried
from client.conversation.session import Session
from client.conversation.transport import NoAddress, Transport
from client.start.launch import Launch

CLOSE_S = 0.8
"""How long quitting may wait for the connection to close (`N1`)."""


class Over(Protocol):
    """Told once when there is no connection any more and none to come; `reason` is "" for one that was lost."""

    def __call__(self, reason: str = "", *, failed: bool = False) -> None: ...


class Connection:
    """One session and what carries it; `news` is called whenever there is something to look at."""

    def __init__(self, launch: Launch, clock: Callable[[], float], news: Callable[[], None], over: Over) -> None:
        self._launch = launch
        self._clock = clock
        self._news = news
        self._over = over
        self._transport: Transport | None = None
        self._carrying: asyncio.Task[None] | None = None
        self._server_key = ""
        self.session: Session | None = None
        self.address: Address | None = None

    def connect(self, name: str) -> None:
        """Come under that name, for the first time or after another one was refused."""
        if self.session is not None:
            self.session.introduce(name)
            self.flush()
        else:
            self._carrying = asyncio.create_task(carried(self._carry(name), self._failed))

    async def _carry(self, name: str) -> None:
        """Find the server and stay connected. A server that was never there ends the program, with the reason."""
        try:
            address = await self._launch.find()
        except NoAddress as error:
            self._over(str(error))
            return
        self.address = address
        self._server_key = self._launch.server_key or address.url
        token = self._launch.identity.token(self._server_key)
        identity = self._launch.identity
        self.session = Session(
            name, token, client="plain", language=self._launch.language,
            rename=identity.is_made_up and name == identity.name,
        )  # fmt: skip
        self._transport = Transport(self._launch.find, self.session, self._news, clock=self._clock)
        await self._transport.run()
        self._over()

    def _failed(self, reason: str) -> None:
        self._over(reason, failed=True)

    def remember(self, token: str | None) -> None:
        """Who one is to this server from now on. Raises IdentityUnavailable."""
        assert self.session is not None
        self._launch.identity.remember(self._server_key, self.session.name, token)

    def flush(self) -> None:
        """What was said goes out now."""
        if self._transport is not None:
            self._transport.flush()

    async def close(self) -> None:
        """The end, in a bounded time."""
        if self._transport is not None:
            self._transport.stop()
        if self._carrying is not None:
            await asyncio.wait([self._carrying], timeout=CLOSE_S)
            self._carrying.cancel()
            await asyncio.gather(self._carrying, return_exceptions=True)
