"""A graceful stop: told, closed with "service restart", nothing lost, status 0 (K2)."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from protocol.messages import GoingAway, Joined
from tests.driver import Client
from tests.hostile.tools import housed, look
from tests.pace import within

STOP_S = 8.0
"""Within which a hub has stopped, whoever is connected: closing handshakes have 3 s, requests 5 s."""


async def test_everybody_is_told_and_may_come_back(tmp_path: Path) -> None:
    """Players, a spectator, one who never said hello, and one who is silent over HTTP."""
    with housed(tmp_path) as house:
        ana, bea, eve = [await Client.open(house.url, name) for name in ("Ana", "Bea", "Eve")]
        silent = await Client.connect(house.url)
        _, half = await asyncio.open_connection("127.0.0.1", house.hub.port)
        half.write(b"GET /health HTTP/1.1\r\n")
        match = (await ana.create()).match
        await bea.join(match)
        version = (await ana.expect(Joined)).version
        version = (await ana.move(match, version, "a1-b1")).version
        before = await look(eve, match)

        stopping = asyncio.create_task(asyncio.to_thread(house.hub.stop))
        for client in (ana, bea, eve, silent):
            going = await client.expect(GoingAway)
            assert going.text
            assert going.back_in_ms > 0
            await client.socket.wait_closed()
            assert client.socket.close_code == 1012, client.name
        assert await stopping == 0
        half.transport.abort()

        house.hub.start()
        eve = await Client.open(house.url, "Eve", token=eve.token)
        assert await look(eve, match) == before
        back = await Client.connect(house.url, "Ana")
        assert (await back.hello(ana.token)).matches == (match,)
        bea_back = await Client.open(house.url, "Bea", token=bea.token)
        assert (await bea_back.move(match, version, "b1-c1")).version == version + 1
        for client in (eve, back, bea_back):
            await client.close()


async def test_a_stop_does_not_wait_for_those_who_do_not_answer(tmp_path: Path) -> None:
    """One answers no closing handshake, one has not finished the opening one, one's request is half sent."""
    with housed(tmp_path) as house:
        rude = await Client.open(house.url)
        rude.socket.transport.pause_reading()
        _, opening = await asyncio.open_connection("127.0.0.1", house.hub.port)
        opening.write(b"GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\n")
        _, asking = await asyncio.open_connection("127.0.0.1", house.hub.port)
        asking.write(b"POST /health HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf")
        started = time.monotonic()
        assert await asyncio.to_thread(house.hub.stop) == 0
        within(time.monotonic() - started, STOP_S)
        rude.cut()
        for writer in (opening, asking):
            writer.transport.abort()
