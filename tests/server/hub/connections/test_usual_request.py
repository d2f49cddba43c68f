"""Requests for a WebSocket that are read in one step: which they are, and that the long way says the same of them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from protocol.codec import CODECS, JSON, MSGPACK
from server.hub.connections import connection as connections
from server.hub.connections import usual_request
from server.hub.connections.hub import Hub
from server.hub.connections.usual_request import TakenUp, take_up
from server.hub.limits.proxies import Proxies
from server.hub.limits.settings import Limits
from tests.driver import WAIT_S, Client
from tests.server.hub.connections.stand import Scenario, Service, Stand

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
ACCEPTED = b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
"""The example of RFC 6455, 1.3."""
LINES = (
    "Host: 127.0.0.1:8000", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
    f"Sec-WebSocket-Key: {KEY}", "Sec-WebSocket-Protocol: parlour.v1.msgpack",
)  # fmt: skip
BROWSER = (
    "Host: localhost:8000", "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Accept: */*", "Accept-Language: de,en-US;q=0.7,en;q=0.3", "Accept-Encoding: gzip, deflate, br, zstd",
    "Sec-WebSocket-Version: 13", "Origin: http://localhost:8000", "Sec-WebSocket-Protocol: parlour.v1.json",
    "Sec-WebSocket-Extensions: permessage-deflate", f"Sec-WebSocket-Key: {KEY}", "DNT: 1", "Sec-GPC: 1",
    "Connection: keep-alive, Upgrade", "Cookie: other=thing; more=\xe4", "Sec-Fetch-Dest: empty", "Upgrade: websocket",
)  # fmt: skip


def hub(limits: Limits | None = None, *proxies: str) -> Hub:
    return Hub(Service(), frozenset(), limits, Proxies(proxies))  # type: ignore[arg-type]


def request(*lines: str, first: str = "GET /ws HTTP/1.1") -> bytes:
    return "".join(f"{line}\r\n" for line in (first, *lines, "")).encode("latin-1")


def without(name: str) -> list[str]:
    return [line for line in LINES if not line.lower().startswith(f"{name}:")]


def test_it_is_answered_as_the_standard_has_it() -> None:
    found = take_up(request(*LINES), "192.0.2.7", hub())
    assert found == TakenUp(
        "192.0.2.7", MSGPACK.subprotocol,
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + ACCEPTED + b"Sec-WebSocket-Protocol: parlour.v1.msgpack\r\n",
    )  # fmt: skip


def test_what_browsers_send_is_usual() -> None:
    found = take_up(request(*BROWSER, first="GET /ws?v=1 HTTP/1.1"), "127.0.0.1", hub())
    assert found is not None
    assert found.subprotocol == JSON.subprotocol
    assert ACCEPTED in found.answer


def test_who_offers_nothing_of_ours_is_not_told_a_subprotocol() -> None:
    for lines in (without("sec-websocket-protocol"), [*without("sec-websocket-protocol"), "Sec-WebSocket-Protocol: x"]):
        found = take_up(request(*lines), "", hub())
        assert found is not None
        assert found.subprotocol is None
        assert b"Sec-WebSocket-Protocol" not in found.answer


def test_a_trusted_proxy_says_for_whom_it_speaks() -> None:
    lines = [*LINES, "X-Forwarded-For: 203.0.113.9"]
    trusting, doubting = (take_up(request(*lines), "192.0.2.1", hub(None, *of)) for of in (["192.0.2.1"], []))
    assert trusting is not None
    assert doubting is not None
    assert (trusting.address, doubting.address) == ("203.0.113.9", "192.0.2.1")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        request(*LINES)[:-1],
        request(*LINES) + b"\x82\x80",
        request(*LINES, first="POST /ws HTTP/1.1"),
        request(*LINES, first="GET /ws HTTP/1.0"),
        request(*LINES, first="GET http://h/ws HTTP/1.1"),
        request(*LINES, first="GET  /ws HTTP/1.1"),
        request(*LINES, first="GET /elsewhere HTTP/1.1"),
        request(*LINES).replace(b"\r\n", b"\n"),
        request(*LINES, "Folded: a", " b"),
        request(*LINES, "Blank : a"),
        request(*LINES, "No colon"),
        request(*LINES, "Control: \x07"),
        request(*LINES, "Half: a\rb"),
        request(*LINES, "Content-Length: 0"),
        request(*LINES, "Transfer-Encoding: chunked"),
        request(*LINES, "Expect: 100-continue"),
        request(*LINES, "Host: other"),
        request(*LINES, "Upgrade: websocket"),
        request(*LINES, "Connection: Upgrade"),
        request(*LINES, f"sec-websocket-key: {KEY}"),
        request(*LINES, "Sec-WebSocket-Version: 13"),
        request(*LINES, "Sec-WebSocket-Protocol: parlour.v1.json"),
        request(*LINES, "Origin: http://foreign.example"),
        request(*LINES, "Origin: http://127.0.0.1:8000", "Origin: http://127.0.0.1:8000"),
        request(*LINES, f"Long: {'x' * usual_request.MOST_BYTES}"),
        *(request(*without(name)) for name in ("host", "connection", "upgrade", "sec-websocket-version")),
        request(*without("sec-websocket-key")),
        request(*without("sec-websocket-key"), "Sec-WebSocket-Key: dG9vIHNob3J0"),
        request(*without("sec-websocket-key"), f"Sec-WebSocket-Key: {KEY[:-3]}!=="),
        request(*without("sec-websocket-version"), "Sec-WebSocket-Version: 8"),
        request(*without("upgrade"), "Upgrade: websocket, h2c"),
        request(*without("connection"), "Connection: keep-alive"),
        request(*without("connection"), "Connection: Upgrade,,"),
        request(*without("sec-websocket-protocol"), "Sec-WebSocket-Protocol: parlour.v9.msgpack"),
        request(*without("sec-websocket-protocol"), "Sec-WebSocket-Protocol: a b"),
        request(*without("host"), "Host: h/../"),
    ],
)
def test_whatever_is_not_usual_or_not_welcome_is_left_and_not_counted(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = hub()
    asked: list[str] = []
    monkeypatch.setattr(ours.service.rate_limiter, "may_connect", asked.append)
    assert take_up(data, "192.0.2.7", ours) is None
    assert not asked


def test_who_is_too_many_or_comes_to_a_hub_that_stops_is_left() -> None:
    full = hub(Limits(connections_from_address=1))
    full.addresses.add("192.0.2.7")
    assert take_up(request(*LINES), "192.0.2.7", full) is None
    assert take_up(request(*LINES), "192.0.2.8", full) is not None
    stopping = hub()
    stopping.stopping = True
    assert take_up(request(*LINES), "192.0.2.7", stopping) is None


# Both ways ------------------------------------------------------------------------------------------------------------

LINE = st.one_of(
    st.sampled_from([*LINES, *BROWSER]),
    st.builds(
        "{}{}{}".format,
        st.sampled_from(
            ["Host", "Connection", "Upgrade", "Sec-WebSocket-Key", "Sec-WebSocket-Protocol", "Origin", "X"]
        ),
        st.sampled_from([": ", ":", " : ", ":\t", ""]),
        st.sampled_from(
            ["", "h", "Upgrade", "websocket", KEY, "parlour.v1.json", "a, b", "a b", "\xe4", "\x00", "\x7f"]
        ),
    ),
)


async def answered(stand: Stand, data: bytes) -> str:
    """The status and the headers that matter of the answer to `data`."""
    reader, writer = await asyncio.open_connection("127.0.0.1", stand.port)
    try:
        writer.write(data)
        async with asyncio.timeout(WAIT_S):
            head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return ""
    finally:
        writer.transport.abort()
    told = re.findall(rb"(?im)^(HTTP/1\.1 \d+|sec-websocket-[\w-]+: [^\r]*)", head)
    return " ".join(sorted(line.decode("latin-1") for line in told))


def test_both_ways_answer_the_same(run: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Also what is refused: of that the short way says nothing."""
    seen: list[str] = []

    @settings(max_examples=60, deadline=None, database=None)
    @given(left_out=st.sampled_from([None, *range(len(LINES))]), more=st.lists(LINE, max_size=2))
    def compared(left_out: int | None, more: list[str]) -> None:
        lines = [line for place, line in enumerate(LINES) if place != left_out]
        heads.append(request(*lines, *more))

    heads: list[bytes] = [request(*LINES), request(*BROWSER)]
    compared()

    async def scenario(stand: Stand) -> None:
        for head in heads:
            with monkeypatch.context() as patched:
                short = await answered(stand, head)
                patched.setattr(connections, "take_up", lambda *_: None)
                assert await answered(stand, head) == short, head
                seen.append(short)

    run(scenario)
    assert any("101" in answer for answer in seen)
    assert any("400" in answer for answer in seen)


@pytest.mark.parametrize("run", ["asyncio", "uvloop"], indirect=True)
@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
def test_a_connection_that_stands_at_once_is_like_any_other(
    run: Callable[[Scenario], None], codec: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes with the answer on its way is read, and the handshake of the library is not."""

    async def no_handshake(*_: object, **__: object) -> None:
        raise AssertionError("it was read already")

    async def scenario(stand: Stand) -> None:
        assert codec in CODECS.values()
        monkeypatch.setattr(connections.HubConnection, "handshake", no_handshake)
        client = await Client.open(stand.url, codec=codec)  # type: ignore[arg-type]
        assert stand.connection.address == "127.0.0.1"
        assert stand.connection.subprotocol == client.codec.subprotocol
        assert client.socket.response is not None
        assert "Date" in client.socket.response.headers
        await client.close()

    run(scenario)


def test_a_request_in_pieces_goes_the_long_way(run: Callable[[Scenario], None]) -> None:
    async def scenario(stand: Stand) -> None:
        data = request(*LINES)
        for cut in (1, 40, len(data) - 1):
            reader, writer = await asyncio.open_connection("127.0.0.1", stand.port)
            writer.write(data[:cut])
            await asyncio.sleep(0.02)
            writer.write(data[cut:])
            async with asyncio.timeout(WAIT_S):
                head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 101 ")
            assert ACCEPTED in head
            writer.transport.abort()

    run(scenario)


def test_a_connection_that_breaks_off_before_its_handler_has_begun_is_forgotten(
    run: Callable[[Scenario], None],
) -> None:
    async def scenario(stand: Stand) -> None:
        for _ in range(20):
            async with connect(stand.url, subprotocols=[Subprotocol(MSGPACK.subprotocol)]) as client:
                client.transport.abort()
        async with asyncio.timeout(WAIT_S):
            while stand.hub.connections or stand.server.server_state.connections:  # noqa: ASYNC110
                await asyncio.sleep(0.001)
        assert not stand.hub.keepalive._of
        assert not stand.hub.addresses.full("127.0.0.1")

    run(scenario)
