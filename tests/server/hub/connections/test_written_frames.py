"""Frames that the hub writes past the library, and what bounds them, held to the installed versions.

If one of these fails after an upgrade, the adapter (`server/hub/connections/connection.py`, `server/http/guard.py`)
has to change with it. Each runs on asyncio's loop and on uvloop, because the transports differ.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from protocol.codec import CODECS, JSON, MSGPACK, Codec
from protocol.limits import MAX_COMMAND_BYTES
from protocol.messages import Pong
from server.hub.connections import connection as connections
from server.hub.connections import outboxes
from server.hub.connections.connection import HubConnection
from server.hub.viewers.frames import make_frame
from tests.driver import Client
from tests.pace import within
from tests.server.hub.connections.stand import Scenario, Stand, until


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
@pytest.mark.parametrize("size", [0, 1, 90, 125, 126, 127, 65_000, 65_535, 65_536, 200_000])
def test_our_frames_are_what_the_library_sends(codec: Codec, size: int) -> None:
    """A frame made once for many is byte for byte what the library would send to each."""
    message = Pong(ref="x" * size, now_ms=1)
    library = ServerProtocol()
    library.state = State.OPEN
    (library.send_text if codec.text else library.send_binary)(codec.encode(message))
    assert [make_frame(codec, message)] == library.data_to_send()


@pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=["json", "msgpack"])
def test_frames_written_to_the_transport_arrive_in_order_with_the_librarys(
    codec: Codec, run: Callable[[Scenario], None]
) -> None:
    """Frames of ours go past the library, straight to the transport: pings and closing frames still fit between."""

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url, codec=codec)
        connection = stand.connection
        for number in range(50):
            assert connection.write_frame(make_frame(codec, Pong(ref=str(number), now_ms=0)), 1)
            if number % 10 == 9:
                answered = await connection.ping()
                assert [(await client.expect(Pong)).ref for _ in range(10)] == [
                    str(number - 9 + place) for place in range(10)
                ]
                await answered
        await connection.close()
        await client.socket.wait_closed()
        assert client.socket.close_code == 1000
        assert connection.write_frame(b"not a frame", 1), "nothing is written to a closed connection"

    run(scenario)


def test_the_write_buffer_can_be_seen_and_bounds_the_outbox(run: Callable[[Scenario], None]) -> None:
    """G1: a reader who stalls costs the bound and no more; then is shown anew what it missed, or is cut."""

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        connection = stand.connection
        frame = make_frame(MSGPACK, Pong(ref="x" * 10_000, now_ms=0))
        client.socket.transport.pause_reading()
        sent = 0
        while connection.viewer.lagging_since is None:
            connection.viewer.send_shared(frame, "m1")
            sent += 1
        waiting = connection.transport.get_write_buffer_size()
        assert outboxes.OUTBOX_HIGH < waiting <= outboxes.OUTBOX_HIGH + len(frame)
        connection.viewer.send_shared(frame, "m2")
        assert connection.transport.get_write_buffer_size() == waiting, "what lags gets nothing more"
        assert stand.hub.lagging == {connection}

        stand.hub.relieve()
        assert stand.hub.lagging == {connection}, "nothing was taken off yet"
        client.socket.transport.resume_reading()
        reading = asyncio.create_task(client.expect(Pong, lambda pong: pong.ref == "again m2"))
        await until(lambda: connection.transport.get_write_buffer_size() <= outboxes.OUTBOX_LOW)
        stand.hub.relieve()
        assert not stand.hub.lagging
        assert connection.viewer.lagging_since is None
        await reading
        assert [m.ref for m in client.received if isinstance(m, Pong)][-2:] == ["again m1", "again m2"]
        assert len(client.received) == sent + 2, "the welcome, all but the last two frames, and both sources again"
        await client.close()

    run(scenario)


def test_who_lags_for_too_long_is_cut(run: Callable[[Scenario], None]) -> None:
    """G1: within 40 s of the stall."""
    assert connections.LAG_LIMIT_S < 38

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        connection = stand.connection
        client.socket.transport.pause_reading()
        frame = make_frame(MSGPACK, Pong(ref="x" * 10_000, now_ms=0))
        while connection.viewer.lagging_since is None:
            connection.viewer.send_shared(frame, "m")
        since = connection.viewer.lagging_since
        connection.relieve(since + connections.LAG_LIMIT_S)
        assert connection in stand.hub.connections
        connection.relieve(since + connections.LAG_LIMIT_S + 0.001)
        await until(lambda: not stand.hub.connections)
        assert not stand.hub.lagging
        client.cut()

    run(scenario)


def test_answers_alone_can_fill_the_outbox(run: Callable[[Scenario], None]) -> None:
    """G1, G3: who asks and never reads is cut as well, although no event was dropped and no ping can go out."""

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        connection = stand.connection
        client.socket.transport.pause_reading()
        await until(lambda: asked_more(connection) and connection.paused)
        assert outboxes.OUTBOX_HIGH < connection.transport.get_write_buffer_size() < outboxes.OUTBOX_CUT
        assert stand.hub.lagging == {connection}
        now = time.monotonic()
        connection.relieve(now)
        assert stand.hub.lagging == {connection}
        connection.relieve(now + connections.LAG_LIMIT_S + 1)
        await until(lambda: not stand.hub.connections)
        assert not stand.hub.lagging
        client.cut()

    def asked_more(connection: HubConnection) -> bool:
        if not connection.paused:
            connection.viewer.send(Pong(ref="x" * 50_000, now_ms=0))
        return True

    run(scenario)


def test_a_full_outbox_that_empties_is_no_lag(run: Callable[[Scenario], None]) -> None:
    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        connection = stand.connection
        client.socket.transport.pause_reading()
        sent = 0
        while not connection.paused:
            connection.viewer.send(Pong(ref="x" * 50_000, now_ms=0))
            sent += 1
            await asyncio.sleep(0)
        client.socket.transport.resume_reading()
        for _ in range(sent):
            await client.expect(Pong)
        await until(lambda: not connection.paused)
        stand.hub.relieve()
        assert not stand.hub.lagging
        connection.relieve(time.monotonic() + connections.LAG_LIMIT_S + 1)
        assert connection in stand.hub.connections
        await client.close()

    run(scenario)


def test_a_stalled_reader_does_not_hold_up_the_stop(
    run: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """K2: closing waits for a full outbox to be taken, so closing has a bound of its own."""
    monkeypatch.setattr(connections, "CLOSE_TIMEOUT_S", 0.2)

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        connection = stand.connection
        client.socket.transport.pause_reading()
        while not connection.paused:
            connection.viewer.send(Pong(ref="x" * 50_000, now_ms=0))
            await asyncio.sleep(0)
        began = time.monotonic()
        await stand.stop()
        within(time.monotonic() - began, 3)
        assert not stand.hub.connections
        client.cut()

    run(scenario)


def test_answers_that_pile_up_are_cut_too(run: Callable[[Scenario], None]) -> None:
    """Answers are not dropped, so who asks without reading meets a bound of its own."""

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        connection = stand.connection
        client.socket.transport.pause_reading()
        answer = Pong(ref="x" * 50_000, now_ms=0)
        most = 0
        while most <= outboxes.OUTBOX_CUT:
            connection.viewer.send(answer)
            most = connection.transport.get_write_buffer_size()
        connection.viewer.send(answer)
        await until(lambda: not stand.hub.connections)
        assert outboxes.OUTBOX_CUT < most < outboxes.OUTBOX_CUT + 60_000
        client.cut()

    run(scenario)


def test_a_message_beyond_the_bound_is_refused_by_the_library(run: Callable[[Scenario], None]) -> None:
    """G10: close code 1009, without reading it."""

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        await client.socket.send(b"\xc0" * (MAX_COMMAND_BYTES + 1))
        with contextlib.suppress(ConnectionClosed):
            while True:
                await client.socket.recv()
        assert client.socket.close_code == 1009

    run(scenario)


def test_a_frame_is_serialized_without_a_mask() -> None:
    frame = Frame(Opcode.BINARY, b"abc").serialize(mask=False)
    assert frame == b"\x82\x03abc"
