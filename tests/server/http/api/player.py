"""A player who has nothing but HTTP: what curl would send, and the answers as plain data."""

from __future__ import annotations

import asyncio
import os
import time
from itertools import count
from typing import Any, Self

import httpx

from tests.driver import WAIT_S, HubProcess

Plain = dict[str, Any]


def web(hub: HubProcess) -> httpx.AsyncClient:
    """A client for a hub, with connections of its own.

    It speaks no TLS; reading the world's certificates for each of sixty clients held up the others' requests for longer
    than a hub waits for them.
    """
    base = f"http://127.0.0.1:{hub.port}/api"
    return httpx.AsyncClient(base_url=base, timeout=WAIT_S + 10, trust_env=False, verify=False)


class HttpPlayer:
    """One guest. Methods return the body; `expect` is the status that the answer must have."""

    def __init__(self, link: httpx.AsyncClient, guest: Plain) -> None:
        self.link = link
        self.guest = guest
        self.player: str = guest["player"]
        self.auth = {"authorization": f"Bearer {guest['token']}"}
        self._refs = count(1)
        self._prefix = os.urandom(4).hex()

    @classmethod
    async def come(cls, link: httpx.AsyncClient, name: str) -> Self:
        """A new guest (`CK R1.4`). Who had the name in the test before may be gone a moment later than its socket."""
        until = time.monotonic() + WAIT_S
        while True:
            answer = await link.post("/guests", json={"name": name})
            if answer.status_code == 201:
                return cls(link, answer.json())
            assert answer.status_code == 409, answer.text
            assert time.monotonic() < until, answer.text
            await asyncio.sleep(0.05)

    def ref(self) -> str:
        """A new ref."""
        return f"{self._prefix}-{next(self._refs)}"

    async def get(self, path: str, expect: int = 200, **query: Any) -> Plain:
        """Ask for something."""
        return self._body(await self.link.get(path, params=query or None, headers=self.auth), expect)

    async def post(self, path: str, body: Plain, expect: int, **headers: str) -> Plain:
        """Have something done."""
        return self._body(await self.link.post(path, json=body, headers={**self.auth, **headers}), expect)

    @staticmethod
    def _body(answer: httpx.Response, expect: int) -> Plain:
        assert answer.status_code == expect, answer.text
        kind = "application/json" if expect < 400 else "application/problem+json"
        assert answer.headers["content-type"] == kind
        body: Plain = answer.json()
        return body

    async def create(self, game: str = "checkers", expect: int = 201, **fields: Any) -> Plain:
        """Host a match (`CK R5`)."""
        return await self.post("/matches", {"ref": self.ref(), "game": game, **fields}, expect)

    async def join(self, match: str, expect: int = 201, **fields: Any) -> Plain:
        """Take the free seat (`CK R6`)."""
        return await self.post(f"/matches/{match}/players", {"ref": self.ref(), **fields}, expect)

    async def update(self, match: str, command: str, /, expect: int = 200, **fields: Any) -> Plain:
        """Do something in the match (`CK R7`)."""
        return await self.post(f"/matches/{match}/updates", {"ref": self.ref(), "type": command, **fields}, expect)

    async def move(self, match: str, version: int, move: str, expect: int = 200, **fields: Any) -> Plain:
        """Play a move."""
        return await self.update(match, "move", expect, version=version, move=move, **fields)

    async def updates(self, match: str, after: int, wait: float = 0, expect: int = 200, **query: Any) -> Plain:
        """What the other player did since (`CK R8`)."""
        return await self.get(f"/matches/{match}/updates", expect, after=after, wait=wait, **query)

    async def state(self, match: str, expect: int = 200) -> Plain:
        """The match as it is."""
        return await self.get(f"/matches/{match}", expect)


async def two(link: httpx.AsyncClient, **fields: Any) -> tuple[HttpPlayer, HttpPlayer, Plain]:
    """Ana hosts, Bob has joined; the last is what Bob was told."""
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    hosted = await ana.create(**fields)
    return ana, bob, await bob.join(hosted["match"], **({"key": hosted["key"]} if "key" in hosted else {}))
