"""Plain HTTP from people who mean no good: silent, half, endless, too large (G9, H18)."""

from __future__ import annotations

import asyncio
import contextlib
import time

import pytest

from server.http.guard import MAX_HEAD_BYTES, REQUEST_TIMEOUT_S
from tests.driver import WAIT_S
from tests.hostile.tools import House
from tests.pace import within

SILENT = {
    "says nothing": b"",
    "one byte": b"G",
    "half a line": b"GET /health",
    "half a head": b"GET /health HTTP/1.1\r\nHost: h\r\nX-Half",
    "all but the last line end": b"GET /health HTTP/1.1\r\nHost: h\r\n",
    "half a body": b"POST /health HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf",
    "half a chunk": b"POST /health HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nhalf",
    "a second request, half": b"GET /health HTTP/1.1\r\nHost: h\r\n\r\nGET /hea",
    "half an upgrade": b"GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n",
}
"""What is sent before the silence."""


async def connected(house: House) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", house.hub.port)


async def exchange(house: House, data: bytes, *, in_pieces_of: int = 0) -> bytes:
    """All that is answered to `data` until the connection is closed."""
    reader, writer = await connected(house)
    async with asyncio.timeout(WAIT_S):
        try:
            for start in range(0, len(data), in_pieces_of or len(data)):
                writer.write(data[start : start + (in_pieces_of or len(data))])
                await writer.drain()
                if in_pieces_of:
                    await asyncio.sleep(0)
            return await reader.read()
        except ConnectionError:
            return b""
        finally:
            writer.transport.abort()


def status(answer: bytes) -> int:
    """The first answer's status."""
    return int(answer.split(b" ", 2)[1])


async def closed_after_s(house: House, data: bytes) -> float:
    """How long a connection is left open on which only `data` comes."""
    reader, writer = await connected(house)
    started = time.monotonic()
    writer.write(data)
    try:
        async with asyncio.timeout(WAIT_S):
            await reader.read()
        return time.monotonic() - started
    except ConnectionError:
        return time.monotonic() - started
    finally:
        writer.transport.abort()


async def trickled_s(house: House) -> float:
    """How long a head may go on that comes byte by byte."""
    reader, writer = await connected(house)
    started = time.monotonic()
    head = b"GET /health HTTP/1.1\r\nHost: h\r\n" + b"X: y\r\n" * 1_000
    for byte in head:
        writer.write(bytes([byte]))
        await asyncio.sleep(0.01)  # slower than anybody, and far too slow for the deadline
        if reader.at_eof() or reader.exception() or time.monotonic() - started > WAIT_S:
            break
    writer.transport.abort()
    return time.monotonic() - started


async def test_what_does_not_go_on_is_closed_at_its_deadline(house: House) -> None:
    """G9: whatever was sent before, all at the same time; and bytes that trickle in win no time."""
    trickled, *took = await asyncio.gather(
        trickled_s(house), *(closed_after_s(house, data) for data in SILENT.values())
    )
    for name, seconds in zip(SILENT, took, strict=True):
        within(seconds, REQUEST_TIMEOUT_S + 3)
        if name not in ("half a body", "half a chunk", "a second request, half"):
            # (Those were answered at once; what is left open is a connection kept alive.)
            assert seconds > REQUEST_TIMEOUT_S - 1, name
    assert trickled > REQUEST_TIMEOUT_S - 1
    within(trickled, REQUEST_TIMEOUT_S + 3)


@pytest.mark.parametrize("size", [MAX_HEAD_BYTES + 1, 1024 * 1024])
@pytest.mark.parametrize("pieces", [0, 1_000], ids=["at once", "in pieces"])
async def test_large_heads_are_refused(house: House, size: int, pieces: int) -> None:
    """431, read no further."""
    if size > 100_000 and pieces:
        pieces = 60_000
    head = b"GET /health HTTP/1.1\r\nHost: h\r\nX-Large: " + b"x" * size + b"\r\n\r\n"
    answer = await exchange(house, head, in_pieces_of=pieces)
    # Who goes on sending after the refusal may be reset before reading it.
    assert answer == b"" or status(answer) == 431
    if size < 100_000:
        assert status(answer) == 431


async def test_a_large_head_that_is_no_line_at_all(house: House) -> None:
    answer = await exchange(house, b"GET /" + b"x" * (MAX_HEAD_BYTES + 1))
    assert status(answer) == 431


async def test_a_head_within_the_bound_is_read(house: House) -> None:
    head = b"GET /health HTTP/1.1\r\nHost: h\r\nConnection: close\r\nX-Large: " + b"x" * (MAX_HEAD_BYTES - 200)
    assert status(await exchange(house, head + b"\r\n\r\n")) == 200


@pytest.mark.parametrize("pieces", [0, 10_000], ids=["at once", "in pieces"])
async def test_a_large_body_is_no_large_head(house: House, pieces: int) -> None:
    """A body that comes in one piece with its head does not count as head."""
    body = b"x" * 5 * MAX_HEAD_BYTES
    data = b"POST /health HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    data += b"GET /health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
    answers = await exchange(house, data, in_pieces_of=pieces)
    assert status(answers) == 405
    assert b"HTTP/1.1 200 OK" in answers
    assert b" 431 " not in answers


async def test_many_requests_on_one_connection_add_up_to_no_large_head(house: House) -> None:
    reader, writer = await connected(house)
    request = b"GET /health HTTP/1.1\r\nHost: h\r\nX-Some: " + b"x" * 1_000 + b"\r\n\r\n"
    for _ in range(2 * MAX_HEAD_BYTES // len(request)):
        writer.write(request)
        async with asyncio.timeout(WAIT_S):
            head = await reader.readuntil(b"\r\n\r\n")
            assert status(head) == 200
            length = next(
                int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.startswith(b"content-length")
            )
            await reader.readexactly(length)
    writer.close()


ODD = {
    "not http": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "a redis command": b"*1\r\n$4\r\nPING\r\n",
    "two different lengths": b"POST /health HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "length and chunks": (
        b"POST /health HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    ),
    "a length below zero": b"POST /health HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n",
    "a wrong method": b"POST /health HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    "an unknown method": b"BREW /health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    "an encoded NUL": b"GET /health%00 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    "dots": b"GET /../../etc/passwd HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
}


@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
async def test_odd_requests(house: House, data: bytes) -> None:
    """H18: 4xx or closed within a second, and no trace in the next request."""
    started = time.monotonic()
    answer = await exchange(house, data)
    assert answer == b"" or 400 <= status(answer) < 500
    within(time.monotonic() - started, 3)
    assert house.hub.get("/health")[0] == 200


async def test_a_body_of_a_gigabyte_is_not_kept(house: House) -> None:
    """H18: refused at its head; what comes of it goes nowhere, until the deadline ends it."""
    before = house.memory()
    reader, writer = await connected(house)
    writer.write(b"POST /health HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000000\r\n\r\n")
    async with asyncio.timeout(WAIT_S):
        assert status(await reader.readuntil(b"\r\n\r\n")) == 405
        with contextlib.suppress(ConnectionError):
            for _ in range(64 * 16):
                writer.write(b"x" * 65_536)
                await writer.drain()
    assert house.memory() - before < 8 * 1024 * 1024
    assert house.hub.get("/health")[0] == 200
    writer.transport.abort()


UPGRADE = (
    b"GET %s HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.mark.parametrize("path", [b"/", b"/health", b"/ws/", b"/ws2", b"/WS", b"/nowhere"])
async def test_an_upgrade_on_another_path_is_not_there(house: House, path: bytes) -> None:
    answer = await exchange(house, UPGRADE % path)
    assert status(answer) == 404
    assert b"/ws" in answer


async def test_an_upgrade_with_a_query_is_taken(house: House) -> None:
    reader, writer = await connected(house)
    writer.write(UPGRADE % b"/ws?from=a-page")
    async with asyncio.timeout(WAIT_S):
        assert status(await reader.readuntil(b"\r\n\r\n")) == 101
    writer.transport.abort()


async def test_a_socket_address_without_an_upgrade(house: House) -> None:
    """What a client's request is when a proxy does not pass the upgrade on; one that only looks is told the same."""
    answer = await exchange(house, b"GET /ws HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
    assert status(answer) == 426
    assert b"\r\nupgrade: websocket\r\n" in answer.lower()
    assert b"the proxy in between does not pass that on" in answer


BAD_UPGRADES = {
    "no key": UPGRADE.replace(b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n", b"") % b"/ws",
    "a short key": UPGRADE.replace(b"AAAAAAAAAAAAAAAAAAAAAA==", b"AAAA") % b"/ws",
    "another version": UPGRADE.replace(b"Version: 13", b"Version: 7") % b"/ws",
    "with POST": UPGRADE.replace(b"GET", b"POST") % b"/ws",
    "to something else": UPGRADE.replace(b"Upgrade: websocket", b"Upgrade: h2c") % b"/ws",
}


@pytest.mark.parametrize("data", BAD_UPGRADES.values(), ids=BAD_UPGRADES)
async def test_upgrades_that_are_none(house: House, data: bytes) -> None:
    reader, writer = await connected(house)
    writer.write(data)
    async with asyncio.timeout(WAIT_S):
        assert 400 <= status(await reader.readuntil(b"\r\n\r\n")) < 500
    writer.transport.abort()
    assert house.hub.get("/health")[0] == 200
