"""One guest who asks for as much as it can over many connections, and comes back as soon as it is shown out."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Self

from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed, InvalidStatus

from protocol.messages import Accepted, Command, Create, Refused
from tests.driver import Client

UNANSWERED = 30
"""Commands that each connection sends before it waits for the answer to the first."""
AGAIN_S = 0.2


class Greedy:
    """`told` counts what became of the commands: "" granted, else the code of the refusal; "closed" shown out."""

    def __init__(self, url: str, command: Command, *, host: Create | None = None) -> None:
        """With `host` it asks about a match that it hosts itself, opened so."""
        self._url = url
        self._command = command
        self._host = host
        self._token: str | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self.told: Counter[str] = Counter()
        self.sent = 0

    async def begin(self, connections: int) -> Self:
        """Come as a new guest, and ask over so many connections from now on."""
        first = await Client.open(self._url, "Greedy")
        self._token = first.token
        if self._host is not None:
            match = (await first.ask(self._host, Accepted)).match
            self._command = replace(self._command, match=match)
        first.cut()
        self._tasks = [asyncio.create_task(self._ask()) for _ in range(connections)]
        return self

    async def end(self) -> None:
        """Ask no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _ask(self) -> None:
        while True:
            try:
                client = await Client.connect(self._url, "")
            except InvalidStatus as refused:
                self.told[str(refused.response.status_code)] += 1
                await asyncio.sleep(AGAIN_S)
                continue
            try:
                await client.hello(self._token)
                await self._ask_on(client)
            except (ConnectionClosed, AssertionError):
                self.told["closed"] += 1
                await asyncio.sleep(AGAIN_S)
            finally:
                client.cut()

    async def _ask_on(self, client: Client) -> None:
        waited: list[str] = []
        while True:
            while len(waited) < UNANSWERED:
                command = replace(self._command, ref=client.ref())
                await client.send(command)
                self.sent += 1
                waited.append(command.ref)
            answer = await client.answer(waited.pop(0))
            self.told[answer.code if isinstance(answer, Refused) else ""] += 1
            client.received.clear()
