"""A session carried over a real socket: reasons, coming back, closing."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random

import pytest
from websockets.asyncio.server import serve

from client.conversation import transport as transport_module
from client.conversation.address import Address, parse_address
from client.conversation.events import Event, Offline
from client.conversation.session import Session
from client.conversation.transport import FIRST_S, LONGEST_S, Backoff, Finder, NoAddress, Transport
from client.conversation.wire import MAX_BAD_FRAMES
from protocol.errors import Code
from protocol.messages import Accepted, GoingAway, Hello, Move, Refused, Sync, Watch, Welcome
from tests.client.positions import moved, snapshot
from tests.client.scripted_server import BOUND_S, ScriptedServer
from tests.pace import within


class Link:
    """A session, its transport, and everything that happened."""

    def __init__(self, address: Address | Finder) -> None:
        self.session = Session("Ada", prefix="p")
        self.happened: list[Event] = []
        self.transport = Transport(address, self.session, self._notify, rng=Random(1))
        self._news = asyncio.Event()

    def _notify(self) -> None:
        self.happened += self.session.events()
        self._news.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(BOUND_S):
            while not condition():
                self._news.clear()
                await self._news.wait()

    def offline(self) -> list[Offline]:
        return [event for event in self.happened if isinstance(event, Offline)]


@asynccontextmanager
async def linked(address: Address | Finder) -> AsyncIterator[Link]:
    link = Link(address)
    running = asyncio.create_task(link.transport.run())
    yield link
    link.transport.stop()
    await asyncio.wait_for(running, BOUND_S)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time is short here; the real spread is tested on Backoff."""
    monkeypatch.setattr(transport_module, "FIRST_S", 0.01)
    monkeypatch.setattr(transport_module, "TICK_S", 0.01)


async def test_connects_greets_and_is_welcomed(server: ScriptedServer) -> None:
    async with linked(server.address) as link:
        await link.until(lambda: link.session.is_online)
    assert server.hellos[0].name == "Ada"
    assert any(isinstance(event, Welcome) for event in link.happened)


async def test_nobody_answers() -> None:
    """UD RF1: without a connection, and never welcomed, `run` returns with the reason."""
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        address = parse_address(f"127.0.0.1:{reserved.getsockname()[1]}")
        link = Link(address)
        await asyncio.wait_for(link.transport.run(), BOUND_S)
    assert [event.reason for event in link.offline()] == [f"Nobody answers at {address.label}."]


async def test_something_else_answers() -> None:
    async def shout(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail ready\r\n")
        writer.close()

    other = await asyncio.start_server(shout, "127.0.0.1", 0)
    async with other:
        link = Link(parse_address(f"127.0.0.1:{other.sockets[0].getsockname()[1]}"))
        await asyncio.wait_for(link.transport.run(), BOUND_S)
    assert link.offline()[0].reason.endswith("is no Parlour server.")


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (b"426 Upgrade Required", "A proxy before {} does not let WebSockets through."),
        (b"429 Too Many Requests", "{} takes no more connections from your address at the moment."),
        (b"406 Not Acceptable", "{} speaks another version of the protocol: the older of the two is to be renewed."),
        (b"502 Bad Gateway", "{} cannot serve at the moment."),
        (b"503 Service Unavailable", "{} cannot serve at the moment."),
        (b"404 Not Found", "What answers at {} is no Parlour server."),
    ],
)
async def test_a_proxy_answers_for_the_server(answer: bytes, says: str) -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 " + answer + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as proxy:
        address = parse_address(f"127.0.0.1:{proxy.sockets[0].getsockname()[1]}")
        link = Link(address)
        await asyncio.wait_for(link.transport.run(), BOUND_S)
    assert [event.reason for event in link.offline()] == [says.format(address.label)]


async def test_a_server_of_another_protocol_answers() -> None:
    async with serve(lambda connection: connection.wait_closed(), "127.0.0.1", 0) as other:
        link = Link(parse_address(f"127.0.0.1:{next(iter(other.sockets)).getsockname()[1]}"))
        await asyncio.wait_for(link.transport.run(), BOUND_S)
    assert link.offline()[0].reason.endswith("is no Parlour server.")


async def test_a_name_that_does_not_exist() -> None:
    link = Link(parse_address("no-such-host.invalid"))
    await asyncio.wait_for(link.transport.run(), BOUND_S)
    assert link.offline()[0].reason.startswith("There is no computer of this name")


async def test_a_refused_name_keeps_the_connection(server: ScriptedServer) -> None:
    def only_ben(hello: Hello) -> Refused | None:
        return None if hello.name == "Ben" else Refused(ref=hello.ref, code=Code.BAD_NAME, text="no")

    server.refuse_hello = only_ben
    async with linked(server.address) as link:
        await link.until(lambda: any(isinstance(event, Refused) for event in link.happened))
        link.session.introduce("Ben")
        link.transport.flush()
        await link.until(lambda: link.session.is_online)
    assert [hello.name for hello in server.hellos] == ["Ada", "Ben"]


async def test_comes_back_in_the_same_seat_and_resends(server: ScriptedServer) -> None:
    """C1, C2, A2: after a cut the guest, the match and the pending move are the same."""
    async with linked(server.address) as link:
        await link.until(lambda: link.session.is_online)
        link.session.send(Watch(ref="w", match="m1"))
        link.transport.flush()
        watch = await server.next(Watch)
        await server.say(Accepted(ref=watch.ref, match="m1", version=2), snapshot())
        await link.until(lambda: link.session.version == 2)
        link.session.send(Move(ref="x", match="m1", version=2, move="a1-b1"))
        link.transport.flush()
        await server.next(Move)
        server.answer_sync = lambda sync: (
            moved(3, 0, "a1-b1"),
            Accepted(ref=sync.ref, match="m1", version=3),
        )
        await server.cut()
        sync = await server.next(Sync)
        assert sync.after == 2
        again = await server.next(Move)
        assert again.ref == "x"
        await server.say(Accepted(ref="x", match="m1", version=3))
        await link.until(lambda: not link.session.pending)
    assert [hello.token for hello in server.hellos] == [None, "secret"]
    assert link.session.version == 3
    assert link.offline()[0].reason == "The connection was lost."


async def test_comes_back_when_the_server_was_away(server: ScriptedServer) -> None:
    """K1, K2: every refused try is followed by another one."""
    async with linked(server.address) as link:
        await link.until(lambda: link.session.is_online)
        await server.stop()
        await link.until(lambda: len(link.offline()) >= 3)
        await server.start()
        await link.until(lambda: link.session.is_online)
    assert len(server.hellos) == 2


@pytest.mark.parametrize("fails", [False, True], ids=["there", "not there at first"])
async def test_sent_on_it_talks_to_this_one_until_the_other_is_there(server: ScriptedServer, *, fails: bool) -> None:
    """K2: what is asked meanwhile is answered, and nothing is said of a lost connection."""
    other, found = ScriptedServer(), asyncio.Event()
    await other.start()
    ways: list[Address | None] = [server.address, *([None] if fails else []), other.address]

    async def find() -> Address:
        if len(ways) == 1:
            await found.wait()
        if (way := ways.pop(0)) is None:
            raise NoAddress("Not now.")
        return way

    async with linked(find) as link:
        await link.until(lambda: link.session.is_online)
        first = server.connection
        assert first is not None
        await server.say(GoingAway(text="Soon.", elsewhere=True))
        await link.until(lambda: link.session.moving)
        if not fails:
            link.session.send(Watch(ref="w", match="m1"))
            link.transport.flush()
            await server.say(Accepted(ref=(await server.next(Watch)).ref, match="m1", version=2), snapshot())
            await link.until(lambda: link.session.version == 2)
        found.set()
        await link.until(lambda: bool(other.hellos) and link.session.is_online)
        async with asyncio.timeout(BOUND_S):
            await first.wait_closed()
        assert (first.protocol.close_rcvd, link.offline()) == (None, [])
    assert [hello.token for hello in other.hellos] == ["secret"]
    await other.stop()


async def test_a_path_of_garbage_is_left_for_a_new_one(server: ScriptedServer) -> None:
    """N5."""
    async with linked(server.address) as link:
        await link.until(lambda: link.session.is_online)
        for _ in range(MAX_BAD_FRAMES):
            await server.say_bytes(b"\xc1")
        await link.until(lambda: len(server.hellos) == 2 and link.session.is_online)
    assert "no sensible answer" in link.offline()[0].reason


@pytest.mark.parametrize("direction", ["to the server", "to the client", "both"])
async def test_a_path_that_died_without_a_word_is_noticed(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, direction: str
) -> None:
    """G3, G4: packets are dropped one way or both ways, and nobody closes anything."""
    assert transport_module.PING_S + transport_module.PONG_S < 15
    monkeypatch.setattr(transport_module, "PING_S", 0.05)
    monkeypatch.setattr(transport_module, "PONG_S", 0.05)
    async with hole(server) as (address, drop), linked(address) as link:
        await link.until(lambda: link.session.is_online)
        drop.add(direction)
        await link.until(lambda: bool(link.offline()))
        drop.clear()
        await link.until(lambda: len(server.hellos) >= 2 and link.session.is_online)


@asynccontextmanager
async def hole(server: ScriptedServer) -> AsyncIterator[tuple[Address, set[str]]]:
    """A way to the server that can lose everything in the named directions."""
    drop: set[str] = set()
    jobs: set[asyncio.Task[None]] = set()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, direction: str) -> None:
        while data := await reader.read(65_536):
            if not drop & {direction, "both"}:
                writer.write(data)
        writer.close()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", server.address.port)
        jobs.add(asyncio.create_task(forward(reader, there_writer, "to the server")))
        jobs.add(asyncio.create_task(forward(there_reader, writer, "to the client")))

    listener = await asyncio.start_server(accept, "127.0.0.1", 0)
    async with listener:
        yield parse_address(f"127.0.0.1:{listener.sockets[0].getsockname()[1]}"), drop
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)


async def test_what_is_to_be_said_last_is_said_before_closing(server: ScriptedServer) -> None:
    async with linked(server.address) as link:
        await link.until(lambda: link.session.is_online)
        link.session.send(Watch(ref="w", match="m1"))
    assert (await server.next(Watch)).ref == "w"


async def test_quits_at_once_from_a_server_that_says_nothing() -> None:
    """N1: quitting takes less than a second, whatever the server does."""

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    deaf = await asyncio.start_server(silent, "127.0.0.1", 0)
    async with deaf:
        link = Link(parse_address(f"127.0.0.1:{deaf.sockets[0].getsockname()[1]}"))
        running = asyncio.create_task(link.transport.run())
        await asyncio.sleep(0)
        link.transport.stop()
        began = time.monotonic()
        await asyncio.wait([running], timeout=1.0)
        took = time.monotonic() - began
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    within(took, 1.0)


def test_the_first_try_is_spread_and_later_ones_are_bounded() -> None:
    """C12: a thousand clients do not come back in step."""
    firsts = [Backoff(Random(seed), first=FIRST_S).next() for seed in range(1_000)]
    assert min(firsts) < 0.1
    assert FIRST_S - 0.1 < max(firsts) <= FIRST_S
    backoff = Backoff(Random(1), first=FIRST_S)
    waits = [backoff.next() for _ in range(50)]
    assert all(0 <= wait <= LONGEST_S for wait in waits)
    assert min(waits[10:]) >= LONGEST_S / 2


def test_what_the_server_announced_is_waited_for() -> None:
    assert 1.5 <= Backoff(Random(1), first=FIRST_S).next(1.5) <= 1.5 + FIRST_S
    assert Backoff(Random(1), first=FIRST_S).next(3_600) == LONGEST_S
