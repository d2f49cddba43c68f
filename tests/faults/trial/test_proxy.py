"""The instrument itself: a proxy that ends leaves no connection open, at whatever moment somebody comes."""

from __future__ import annotations

import asyncio
import gc
import socket
import sys
import warnings

import pytest

from tests.faults.trial.proxy import Proxy

COME, TURNS = 20, 8
"""How many come at once, and at which turns of the loop after that the proxy ends."""


async def _end_while_they_come(turns: int) -> int:
    links = []
    async with Proxy(("127.0.0.1", 1)) as proxy:
        for _ in range(COME):
            link = socket.socket()
            link.setblocking(False)
            link.connect_ex(("127.0.0.1", proxy.port))
            links.append(link)
        for _ in range(turns):
            await asyncio.sleep(0)
    for link in links:
        link.close()
    return proxy.accepted


def test_who_is_being_let_in_is_shut_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """asyncio forgets, without closing it, a connection that is accepted and has not begun when its server is closed
    (Python 3.11)."""
    left: list[str] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: left.append(str(told.exc_value)))
    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        came = [asyncio.run(_end_while_they_come(turns)) for turns in range(TURNS)]
        gc.collect()
    assert set(came) == {0, COME}
    assert not left
