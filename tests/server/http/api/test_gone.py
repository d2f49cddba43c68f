"""Requests that take their time, and clients that do not."""

from __future__ import annotations

import asyncio

import pytest
from starlette.requests import ClientDisconnect, Request

from server.http.api.gone import unless_gone
from tests.driver import WAIT_S


class Asker:
    """Somebody whose request is there, and who breaks off when told to."""

    def __init__(self) -> None:
        self.leaves = asyncio.Event()
        self.request = Request({"type": "http"}, self._receive)

    async def _receive(self) -> dict[str, str]:
        await self.leaves.wait()
        return {"type": "http.disconnect"}


async def test_who_breaks_off_is_worked_for_no_longer() -> None:
    asker, begun, cancelled = Asker(), asyncio.Event(), []

    async def think() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    asked = asyncio.create_task(unless_gone(asker.request, think()))
    await asyncio.wait_for(begun.wait(), WAIT_S)
    asker.leaves.set()
    with pytest.raises(ClientDisconnect):
        await asyncio.wait_for(asked, WAIT_S)
    assert cancelled == [True]


async def test_who_waits_gets_the_answer_or_the_error() -> None:
    asker = Asker()

    async def answer() -> int:
        return 7

    async def fail() -> int:
        raise LookupError

    assert await unless_gone(asker.request, answer()) == 7
    with pytest.raises(LookupError):
        await unless_gone(asker.request, fail())
