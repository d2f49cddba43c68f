"""The PROXY protocol: read to the letter, from those who are to speak it and from nobody else, in whatever pieces."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus

from server.config import parse
from server.http.proxy_protocol import MAX_HEADER, SIGNATURE, Announced, read
from server.hub.limits.proxies import UNREADABLE
from tests.driver import WAIT_S, Client
from tests.hostile.tools import House, housed

PROXY = "127.0.0.2"
"""An address of this machine that is not its own name for itself: that of the proxy."""
REQUEST = b"GET /health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
LOCAL, FOR_ANOTHER = 0x20, 0x21
BY_TCP4, BY_TCP6, BY_UNIX = 0x11, 0x21, 0x31


def first(address: str = "192.0.2.7", family: str = "TCP4") -> bytes:
    return f"PROXY {family} {address} {address} 56324 443\r\n".encode()


def second(address: str = "192.0.2.7", command: int = FOR_ANOTHER, family: int = BY_TCP4, more: bytes = b"") -> bytes:
    kind = {BY_TCP4: socket.AF_INET, BY_TCP6: socket.AF_INET6}.get(family)
    ends = socket.inet_pton(kind, address) * 2 + struct.pack("!HH", 56324, 443) if kind else b"/" * 216
    return SIGNATURE + struct.pack("!BBH", command, family, len(ends + more)) + ends + more


WELL = [
    (first(), "192.0.2.7"),
    (first("2001:db8::1", "TCP6"), "2001:db8::1"),
    (b"PROXY UNKNOWN\r\n", UNREADABLE),
    (b"PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n", UNREADABLE),
    (second(), "192.0.2.7"),
    (second("2001:db8::1", family=BY_TCP6), "2001:db8::1"),
    (second(more=b"\x20\x00\x05\x01\x00\x00\x00\x00"), "192.0.2.7"),
    (second(family=BY_UNIX), UNREADABLE),
    (SIGNATURE + b"\x21\x00\x00\x00", UNREADABLE),
    (SIGNATURE + b"\x20\x00\x00\x00", None),
    (second(command=LOCAL), None),
]
ILL = [
    REQUEST,
    b"PROXY",
    b"\r\n\r\n",
    b"PROXY \r\n",
    b"PROXY TCP4\r\n",
    b"PROXY TCP4 192.0.2.7 192.0.2.7 1\r\n",
    b"PROXY TCP4 192.0.2.7 192.0.2.7 1 2 3\r\n",
    b"PROXY TCP4 192.0.2.7 nowhere 1 2\r\n",
    b"PROXY TCP4 192.0.2.7 192.0.2.7 +1 2\r\n",
    b"PROXY TCP4 2001:db8::1 2001:db8::1 1 2\r\n",
    b"PROXY TCP6 192.0.2.7 192.0.2.7 1 2\r\n",
    b"PROXY TCP5 192.0.2.7 192.0.2.7 1 2\r\n",
    b"PROXY TCP4 192.0.2.7  192.0.2.7 1 2\r\n",
    b"proxy TCP4 192.0.2.7 192.0.2.7 1 2\r\n",
    b"PROXY UNKNOWN " + b"x" * 100,
    b"PROXY UNKNOWN " + b"x" * 100 + b"\r\n",
    SIGNATURE + b"\x11\x11\x00\x0c" + b"\0" * 12,
    SIGNATURE + b"\x22\x11\x00\x0c" + b"\0" * 12,
    SIGNATURE + b"\x21\x11\x00\x0b" + b"\0" * 11,
    SIGNATURE + b"\x21\x21\x00\x0c" + b"\0" * 12,
    SIGNATURE + struct.pack("!BBH", FOR_ANOTHER, BY_TCP4, MAX_HEADER + 1),
    SIGNATURE[:-1] + b"\r",
]


@pytest.mark.parametrize(("header", "address"), WELL)
def test_a_header_is_read_once_it_is_whole_and_not_a_byte_further(header: bytes, address: str | None) -> None:
    assert all(read(header[:end]) is None for end in range(1, len(header)))
    assert read(header) == Announced(address, b"")
    assert read(header + REQUEST) == Announced(address, REQUEST)


@pytest.mark.parametrize("data", ILL)
def test_what_is_none(data: bytes) -> None:
    if read_or_none(data) is None and len(data) < len(SIGNATURE):
        return  # a beginning, which goes on as something else
    with pytest.raises(ValueError, match=r"PROXY|address|does not appear"):
        read(data)


def read_or_none(data: bytes) -> Announced | None:
    with contextlib.suppress(ValueError):
        return read(data)
    return None


@given(st.sampled_from([header for header, _ in WELL]), st.data())
def test_a_damaged_header_is_refused_or_read_and_never_anything_else(header: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(header) - 1))
    damaged = header[:place] + data.draw(st.binary(max_size=3)) + header[place + 1 :]
    with contextlib.suppress(ValueError):
        found = read(damaged + REQUEST)
        assert found is None or damaged + REQUEST in (
            damaged + REQUEST[: -len(found.rest)] + found.rest,
            damaged + REQUEST,
        )


# A hub --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def announced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    words = ("--proxy", PROXY, "--proxy-protocol", "--inspect", "--limit", "connections_from_address=2")
    with housed(tmp_path_factory.mktemp("house"), *words) as house:
        yield house


async def answer(house: House, data: bytes, *, source: str = PROXY, pieces: int = 0) -> bytes:
    """All that is answered to `data` from that address, sent in pieces of so many bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.hub.port, local_addr=(source, 0))
    async with asyncio.timeout(WAIT_S):
        try:
            step = pieces or len(data)
            for start in range(0, len(data), step):
                writer.write(data[start : start + step])
                await writer.drain()
                await asyncio.sleep(0)
            return await reader.read()
        except ConnectionError:
            return b""
        finally:
            writer.transport.abort()


@pytest.mark.parametrize("pieces", [0, 1])
@pytest.mark.parametrize("header", [first(), second(), second(command=LOCAL)], ids=["1", "2", "local"])
async def test_what_follows_is_served(announced: House, header: bytes, pieces: int) -> None:
    assert (await answer(announced, header + REQUEST, pieces=pieces)).startswith(b"HTTP/1.1 200")


async def test_a_proxy_that_announces_nobody_is_not_served(announced: House) -> None:
    """It is not set up as we are: every client of its would be taken for the proxy, or could announce anybody."""
    assert await answer(announced, REQUEST) == b""
    assert await answer(announced, b"PROXY TCP4 nonsense\r\n" + REQUEST) == b""


async def test_anybody_else_who_announces_somebody_is_not_believed(announced: House) -> None:
    assert (await answer(announced, REQUEST, source="127.0.0.3")).startswith(b"HTTP/1.1 200")
    for header in (first(), second()):
        assert (await answer(announced, header + REQUEST, source="127.0.0.3")).startswith(b"HTTP/1.1 400")


async def test_the_address_that_was_announced_is_what_counts(announced: House) -> None:
    """For limits, for what this machine alone may see, and for whose forwarded headers are believed."""
    debug = REQUEST.replace(b"/health", b"/debug")
    assert (await answer(announced, first() + debug)).startswith(b"HTTP/1.1 404")
    assert (await answer(announced, b"PROXY UNKNOWN\r\n" + debug)).startswith(b"HTTP/1.1 404")
    assert (await answer(announced, first("127.0.0.1") + debug)).startswith(b"HTTP/1.1 200")
    claims = REQUEST.replace(b"Host: h", b"Host: h\r\nX-Forwarded-For: 198.51.100.1")
    held = [await hold(announced, first()) for _ in range(2)]
    assert (await answer(announced, first() + claims)).startswith(b"HTTP/1.1 429")
    assert (await answer(announced, first("192.0.2.8") + claims)).startswith(b"HTTP/1.1 200")
    for writer in held:
        writer.transport.abort()


async def hold(house: House, header: bytes) -> asyncio.StreamWriter:
    """A connection that asks once and stays."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.hub.port, local_addr=(PROXY, 0))
    writer.write(header + b"GET /health HTTP/1.1\r\nHost: h\r\n\r\n")
    await reader.readuntil(b"\r\n\r\n")
    return writer


async def test_sockets_count_for_the_announced_address(announced: House) -> None:
    async def opened(header: bytes) -> Client:
        link = socket.create_connection(("127.0.0.1", announced.hub.port), source_address=(PROXY, 0))
        link.sendall(header)
        link.setblocking(False)
        return await Client.open(announced.url, "Ana", sock=link)

    one, two = await opened(first("203.0.113.1")), await opened(second("203.0.113.1"))
    with pytest.raises(InvalidStatus, match="429"):
        await opened(second("203.0.113.1"))
    three = await opened(second("203.0.113.2"))
    for client in (one, two, three):
        await client.close()


# The option ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--proxy-protocol"], "--proxy ADDRESS"),
        (["--proxy-protocol", "--proxy", "127.0.0.0/8", "--dog"], "--no-dog-front"),
    ],
)
def test_what_cannot_be(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(words, {})
    assert says in capsys.readouterr().err


def test_what_can() -> None:
    assert parse(["--proxy-protocol", "--proxy", "10.0.0.1", "--dog"], {}).proxy_protocol
    assert parse(["--proxy-protocol", "--proxy", "127.0.0.1", "--dog", "--no-dog-front"], {}).proxy_protocol
    assert not parse(["--proxy", "10.0.0.1"], {}).proxy_protocol
