"""Moves that are carried out where their frames are read: what goes that way, and that everything keeps its order.

Whether nothing else is under way is read off the library's parser and queue; each scenario runs on both loops.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from protocol.codec import CODECS, JSON, MSGPACK
from protocol.errors import Code, Refusal
from protocol.limits import MAX_COMMAND_BYTES
from protocol.messages import Accepted, Command, Move, Ping, Refused
from server.hub.viewers.frames import Whole, is_pong, pong_for, unmasked
from tests.driver import Client
from tests.server.hub.connections.stand import Scenario, Stand, say, until

MOVE = Move(ref="m", match="match", version=1, move="a1-a2")


def frame(data: bytes, opcode: Opcode = Opcode.BINARY, *, fin: bool = True) -> bytes:
    """As a client sends it."""
    return Frame(opcode, data, fin).serialize(mask=True)


@pytest.mark.parametrize("size", [0, 1, 6, 125, 126, 127, 133, 256, 65_535])
def test_a_whole_frame_is_read_as_the_library_reads_it(size: int) -> None:
    data = bytes(number % 251 for number in range(size))
    assert unmasked(frame(data)) == Whole(data, text=False)
    assert unmasked(frame(data, Opcode.TEXT)) == Whole(data, text=True)


def test_all_else_is_left_to_the_library() -> None:
    whole = frame(b"x" * 10)
    assert unmasked(whole + whole) is None
    for cut in range(len(whole)):
        assert unmasked(whole[:cut]) is None
    assert unmasked(frame(b"x", fin=False)) is None
    assert unmasked(frame(b"x", Opcode.CONT)) is None
    assert unmasked(frame(b"", Opcode.PING)) is None
    assert unmasked(frame(b"x" * 65_536)) is None
    pong = frame(b"", Opcode.PONG)
    assert unmasked(pong) is None
    assert is_pong(pong)
    for other in (pong[:-1], pong + pong, frame(b"", Opcode.PING), frame(b"x", Opcode.PONG), frame(b"")):
        assert not is_pong(other)
    for size in range(200):
        assert unmasked(Frame(Opcode.BINARY, bytes(size)).serialize(mask=False)) is None
        assert unmasked(b"\x82\xff" + bytes(size)) is None, "a length of eight bytes"


@pytest.mark.parametrize("size", [0, 1, 4, 125])
def test_a_whole_ping_is_answered_as_the_library_answers_it(size: int) -> None:
    data = bytes(range(size))
    ping = frame(data, Opcode.PING)
    assert pong_for(ping) == Frame(Opcode.PONG, data).serialize(mask=False)
    assert unmasked(ping) is None
    for other in (ping[:-1], ping + ping, frame(data, Opcode.PONG), frame(data), b"\x89", b""):
        assert pong_for(other) is None
    assert pong_for(Frame(Opcode.PING, data).serialize(mask=False) + bytes(6)) is None
    assert pong_for(b"\x89\xfe\x00\x80" + bytes(132)) is None, "longer than a ping may be"


def test_a_ping_is_answered_past_the_library(run: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        parsed: list[bytes | bytearray] = []
        with monkeypatch.context() as patched:
            patched.setattr(stand.connection.protocol, "receive_data", parsed.append)
            answered = asyncio.ensure_future(await client.socket.ping(b"are you there?"))
            await until(lambda: answered.done() or bool(parsed))
        assert not parsed
        await client.close()

    run(scenario)


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
def test_whole_messages_go_past_the_parser_in_their_order(
    run: Callable[[Scenario], None], codec: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those that come while another one is carried out."""

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url, codec=codec)
        parsed: list[bytes | bytearray] = []
        sent: list[Command] = []
        with monkeypatch.context() as patched:
            patched.setattr(stand.connection.protocol, "receive_data", parsed.append)
            for ref in "abc":
                sent.append(Ping(ref=ref))
                await say(client.socket, codec, sent[-1])
                await until(lambda: stand.service.performed == sent or bool(parsed))
        assert not parsed
        await say(client.socket, codec, MOVE)
        await until(lambda: bool(stand.service.moves.begun))
        for ref in "def":
            await say(client.socket, codec, Ping(ref=ref))
        await until(lambda: len(stand.connection.recv_messages.frames) == 2)
        stand.service.moves.end(Accepted(ref="m"))
        await client.expect(Accepted, lambda told: told.ref == "f")
        told = [each.ref for each in client.received if isinstance(each, Accepted)]
        assert told == [*"abc", "m", *"def"]
        await client.close()

    run(scenario)


@pytest.mark.parametrize(("data", "code"), [(bytes(MAX_COMMAND_BYTES + 1), 1009), (b"\xff\xfe", 1007)])
def test_a_whole_message_that_is_none_ends_the_connection_as_ever(
    run: Callable[[Scenario], None], data: bytes, code: int
) -> None:
    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url, codec=JSON)
        client.socket.transport.write(frame(data, Opcode.TEXT))
        await client.socket.wait_closed()
        assert client.socket.close_code == code
        assert not stand.service.performed

    run(scenario)


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
def test_a_move_is_begun_at_once_and_what_follows_waits(run: Callable[[Scenario], None], codec: Any) -> None:
    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url, codec=codec)
        await say(client.socket, codec, MOVE)
        await until(lambda: bool(stand.service.moves.begun))
        await say(client.socket, codec, Ping(ref="p"))
        await say(client.socket, codec, MOVE)
        await until(lambda: len(stand.connection.recv_messages.frames) == 1)
        assert not stand.service.performed
        assert len(stand.service.moves.begun) == 1
        stand.service.moves.end(Accepted(ref="m"))
        await client.expect(Accepted, lambda told: told.ref == "p")
        assert [told.ref for told in client.received if isinstance(told, Accepted)] == ["m", "p"]
        await until(lambda: len(stand.service.performed) == 2)
        assert stand.service.performed == [Ping(ref="p"), MOVE], "what has waited goes the way of all"
        await client.close()

    run(scenario)


@pytest.mark.parametrize("how", ["in two reads", "in fragments", "two at once", "with a ping", "after part of another"])
def test_what_is_not_one_whole_frame_goes_through_the_library(run: Callable[[Scenario], None], how: str) -> None:
    data = MSGPACK.encode(MOVE)
    whole = frame(data)
    first, last = frame(data[:5], fin=False), frame(data[5:], Opcode.CONT)
    pieces: dict[str, Iterable[bytes]] = {
        "in two reads": [whole[:9], whole[9:]],
        "in fragments": [first, last],
        "two at once": [whole + whole],
        "with a ping": [frame(b"", Opcode.PING) + whole],
        "after part of another": [first + frame(b"", Opcode.PING)[:3], frame(b"", Opcode.PING)[3:] + last],
    }

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        for piece in pieces[how]:
            client.socket.transport.write(piece)
            await asyncio.sleep(0.01)
        await until(lambda: len(stand.service.performed) == 1 + (how == "two at once"))
        assert set(stand.service.performed) == {MOVE}
        assert not stand.service.moves.begun
        await client.close()

    run(scenario)


def test_a_message_within_another_is_an_error_as_ever(run: Callable[[Scenario], None]) -> None:
    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        client.socket.transport.write(frame(b"\x81", fin=False))
        await until(lambda: stand.connection.protocol.current_size is not None)
        client.socket.transport.write(frame(MSGPACK.encode(MOVE)))
        await client.socket.wait_closed()
        assert client.socket.close_code == 1002
        assert not stand.service.moves.begun

    run(scenario)


def test_a_refusal_is_told_and_a_flood_closed(run: Callable[[Scenario], None]) -> None:
    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        await say(client.socket, MSGPACK, MOVE)
        await until(lambda: bool(stand.service.moves.begun))
        stand.service.moves.end(outcome=Refusal(Code.STALE))
        refused = await client.expect(Refused)
        assert (refused.ref, refused.code, refused.match) == ("m", Code.STALE, "match")
        await say(client.socket, MSGPACK, MOVE)
        await until(lambda: bool(stand.service.moves.begun))
        stand.connection.viewer.meter.flooding = True
        stand.service.moves.end(outcome=Refusal(Code.TOO_FAST))
        await client.socket.wait_closed()
        assert (client.socket.close_code, client.socket.close_reason) == (1008, "too fast")

    run(scenario)


@pytest.mark.parametrize("fails", [False, True])
def test_what_is_left_of_a_move_is_done_by_a_task(run: Callable[[Scenario], None], *, fails: bool) -> None:
    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        await say(client.socket, MSGPACK, MOVE)
        await until(lambda: bool(stand.service.moves.begun))
        goes_on = asyncio.Event()

        async def left() -> None:
            await goes_on.wait()
            if fails:
                raise ZeroDivisionError
            stand.connection.viewer.send(Accepted(ref="m"))

        stand.service.moves.end(outcome=left())
        await say(client.socket, MSGPACK, Ping(ref="p"))
        await until(lambda: bool(stand.connection._answered))
        assert not stand.service.performed
        goes_on.set()
        await client.expect(Accepted, lambda told: told.ref == "p")
        first = next(told for told in client.received if isinstance(told, Accepted | Refused))
        assert first == Accepted(ref="m") or (fails and isinstance(first, Refused) and first.code == Code.INTERNAL)
        await client.close()

    run(scenario)


def test_who_goes_is_forgotten_once_the_move_is_done(run: Callable[[Scenario], None]) -> None:
    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        await say(client.socket, MSGPACK, MOVE)
        await until(lambda: bool(stand.service.moves.begun))
        connection = stand.connection
        client.cut()
        await until(lambda: connection._answered is not None)
        assert not stand.service.forgotten
        stand.service.moves.end(Accepted(ref="m"))
        await until(lambda: stand.service.forgotten == 1)
        assert not stand.hub.connections

    run(scenario)


def test_what_is_held_back_goes_out_as_one_in_its_order(run: Callable[[Scenario], None]) -> None:
    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        connection = stand.connection
        connection.hold()
        for ref in "abc":
            connection.viewer.send(Accepted(ref=ref))
        assert connection.transport.get_write_buffer_size() == 0
        connection.release()
        await client.expect(Accepted, lambda told: told.ref == "c")
        assert [told.ref for told in client.received if isinstance(told, Accepted)] == ["a", "b", "c"]
        await client.close()
        connection.hold()
        connection.release()

    run(scenario)
