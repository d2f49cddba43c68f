"""Messages that are too large, promise to be, or fail again and again: an exact limit, no memory, no time."""

from __future__ import annotations

import gc
import random
import struct
import time
from importlib.metadata import version
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from protocol.codec import CODECS, JSON, MSGPACK, Codec
from protocol.errors import BadMessage, Code
from protocol.limits import MAX_COMMAND_BYTES, MAX_ITEMS
from protocol.messages import COMMANDS, Ping, Pong
from tests.driver import Client
from tests.hostile.commands import plain_command
from tests.hostile.tools import MIB, Company, House, answered, new_ref, opened, process_memory, times, wire

every_codec = pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
linux = pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="reads memory from /proc")


def ping_of(codec: Codec, size: int) -> bytes | str:
    """A ping of exactly `size` bytes, by an unknown field."""
    return next(
        data
        for pad in range(size, 0, -1)
        if len(data := wire(codec, {"type": "ping", "ref": "big", "pad": "x" * pad})) == size
    )


def packed(data: bytes | str) -> bytes:
    return data.encode() if isinstance(data, str) else data


async def close_code(client: Client) -> int | None:
    """The code with which the hub closes the connection."""
    with pytest.raises(ConnectionClosed) as caught:
        await client.next()
    return caught.value.rcvd.code if caught.value.rcvd else None


# G10 ------------------------------------------------------------------------------------------------------------------


@every_codec
@pytest.mark.parametrize("less", [1, 0])
async def test_g10_up_to_the_limit_is_read(house: House, codec: Codec, less: int) -> None:
    """G10: limit minus 1, limit."""
    async with opened(house.url, "Ana", codec=codec) as (client,):
        await client.socket.send(ping_of(codec, MAX_COMMAND_BYTES - less))
        assert (await client.expect(Pong)).ref == "big"


@linux
@every_codec
@pytest.mark.parametrize("size", [MAX_COMMAND_BYTES + 1, MIB])
async def test_g10_beyond_the_limit_is_closed(house: House, codec: Codec, size: int) -> None:
    """G10: limit plus 1, 1 MiB: code 1009, and no memory for it; the others play on."""
    async with Company(house.url), opened(house.url, "Mallory", codec=codec) as (mallory,):
        house.forget_peak()
        before = house.memory()
        # 1 MiB costs a search for the exact size; what counts is that it is far too much.
        await mallory.socket.send(ping_of(codec, size) if size < MIB else wire(codec, {"type": "x" * size}))
        assert await close_code(mallory) == 1009
        assert house.peak() - before < 2 * MIB


@linux
@pytest.mark.parametrize("declared", [MAX_COMMAND_BYTES + 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1])
async def test_g10_a_declared_length_is_believed_at_once(house: House, declared: int) -> None:
    """G10: a frame that says it is 2^63 bytes long is closed by its header, before anything of it is there."""
    async with opened(house.url, "Mallory") as (mallory,):
        house.forget_peak()
        before = house.memory()
        mallory.socket.transport.write(b"\x82\xff" + struct.pack("!Q", declared) + b"\0\0\0\0" + b"x" * 100)
        assert await close_code(mallory) == 1009
        assert house.peak() - before < 2 * MIB


async def test_g10_the_limit_holds_for_all_parts_of_a_message(house: House) -> None:
    """G10: in fragments, each small: the sum counts."""
    whole = packed(ping_of(MSGPACK, MAX_COMMAND_BYTES))
    third = len(whole) // 3
    parts = [whole[:third], whole[third : 2 * third], whole[2 * third :]]

    def frames(parts: list[bytes]) -> bytes:
        return b"".join(
            Frame(Opcode.CONT if number else Opcode.BINARY, part, fin=number == len(parts) - 1).serialize(mask=True)
            for number, part in enumerate(parts)
        )

    async with opened(house.url, "Mallory") as (mallory,):
        mallory.socket.transport.write(frames(parts))
        assert (await mallory.expect(Pong)).ref == "big"
        mallory.socket.transport.write(frames([*parts, b"x"]))
        assert await close_code(mallory) == 1009


# H7 -------------------------------------------------------------------------------------------------------------------

GIGABYTES = {
    "array": b"\xdd\xff\xff\xff\xff",
    "map": b"\xdf\xff\xff\xff\xff",
    "string": b"\xdb\xff\xff\xff\xff",
    "binary": b"\xc6\xff\xff\xff\xff",
    "extension": b"\xc9\xff\xff\xff\xff\x05",
    "array of 64 Ki": b"\xdc\xff\xff",
    "map of 64 Ki": b"\xde\xff\xff",
    "string of 64 Ki": b"\xda\xff\xff",
    "arrays within arrays": (b"\xdc" + struct.pack("!H", MAX_ITEMS)) * (MAX_COMMAND_BYTES // 3 - 40),
    "maps within maps": (b"\xde" + struct.pack("!H", MAX_ITEMS) + b"\xa1k") * (MAX_COMMAND_BYTES // 5 - 40),
}
PLACES = {
    "alone": b"%s",
    "as a field": b"\x83\xa4type\xa4ping\xa3ref\xa1r\xa3pad%s",
    "as the ref": b"\x82\xa4type\xa4ping\xa3ref%s",
    "as a key": b"\x83\xa4type\xa4ping\xa3ref\xa1r%s\x00",
    "before the rest": b"\x82%s\x00\xa4type\xa4ping",
}
PROMISES = {(place, what): PLACES[place].replace(b"%s", GIGABYTES[what]) for place in PLACES for what in GIGABYTES}


@linux
def test_h7_headers_that_promise_gigabytes() -> None:
    """H7: refused within 10 ms of CPU, without memory (not even asked for): what is promised is not believed."""
    for data in PROMISES.values():
        with pytest.raises(BadMessage):
            MSGPACK.decode_command(data)  # once before, so that what stays is not counted
    gc.collect()
    before = process_memory(0, "VmPeak"), process_memory(0, "VmHWM")
    for (place, what), data in PROMISES.items():
        assert len(data) <= MAX_COMMAND_BYTES, (place, what)
        took = []
        for _ in range(3):
            started = time.thread_time()
            with pytest.raises(BadMessage) as caught:
                MSGPACK.decode_command(data)
            took.append(time.thread_time() - started)
        assert caught.value.code in (Code.MALFORMED, Code.TOO_DEEP), (place, what)
        assert min(took) < 0.010, (place, what)
    after = process_memory(0, "VmPeak"), process_memory(0, "VmHWM")
    assert after[0] - before[0] < 8 * MIB
    assert after[1] - before[1] < 8 * MIB


@linux
async def test_h7_over_a_live_socket(house: House) -> None:
    """H7: the same to a hub: each is refused, its memory stays, others play on."""
    async with Company(house.url, least=10), opened(house.url, "Mallory") as (mallory,):
        await answered(mallory, next(iter(PROMISES.values())))
        house.forget_peak()
        before, cpu = house.memory(), house.cpu_s()
        for data in PROMISES.values():
            assert (await answered(mallory, data)).code in (Code.MALFORMED, Code.TOO_DEEP)
        assert house.peak() - before < 8 * MIB
        assert house.cpu_s() - cpu < 0.010 * len(PROMISES) + 1  # the company's moves and a coarse clock
        await mallory.ask(Ping(ref=new_ref()), Pong)


# H8 -------------------------------------------------------------------------------------------------------------------


def spoilt(rng: random.Random, codec: Codec) -> bytes | str:
    """A command in which something was changed, cut, doubled or put in: almost never a message any more."""
    data = bytearray(packed(wire(codec, plain_command(rng.choice(list(COMMANDS)), match="m", game="g"))))
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(data)) if data else 0
        match rng.randrange(5):
            case 0:
                data[place : place + 1] = bytes([rng.randrange(256)])
            case 1:
                del data[place:]
            case 2:
                data[place:place] = rng.choice(
                    [b"\xdd\xff\xff\xff\xff", b"\x91" * 60, b"\xc4\x01x", b'{"', b"[[", b"\0"]
                )
            case 3:
                data += data[:place]
            case 4:
                del data[place : place + rng.randint(1, 4)]
    return bytes(data) if codec is MSGPACK else data.decode("latin-1")


def test_h8_the_unpacker_is_new_enough() -> None:
    """H8: earlier ones crashed when used again after a failure."""
    assert tuple(int(part) for part in version("msgpack").split(".")[:3]) >= (1, 2, 1)


@pytest.mark.faults
@linux
def test_h8_after_a_failed_unpack() -> None:
    """H8: a million messages that cannot be read: no crash, memory flat within 5 MiB."""
    rng = random.Random(8)
    spoils = [(codec, spoilt(rng, codec)) for codec in (MSGPACK, JSON) for _ in range(5_000)]
    spoils += [(MSGPACK, data) for data in PROMISES.values()]
    good = MSGPACK.encode(Ping(ref="r"))

    def feed(count: int) -> int:
        refused = 0
        for number in range(count):
            codec, data = spoils[number % len(spoils)]
            try:
                codec.decode_command(data)
            except BadMessage:
                refused += 1
            if number % 1_000 == 0:
                assert MSGPACK.decode_command(good) == Ping(ref="r")
        return refused

    feed(2 * len(spoils))  # the allocator's own room
    gc.collect()
    before = process_memory(0, "VmRSS")
    count = times(1_000_000)
    refused = feed(count)
    gc.collect()
    assert refused > 0.8 * count, "almost none of them was unreadable"
    assert process_memory(0, "VmRSS") - before < 5 * MIB


@pytest.mark.faults
@linux
async def test_h8_connections_that_alternate(house: House) -> None:
    """H8: some connections send valid and invalid messages in turn: every valid one is answered."""
    rng = random.Random(88)
    data = [data for data in (spoilt(rng, MSGPACK) for _ in range(400)) if _is_unreadable(data)]
    async with Company(house.url, least=10), opened(house.url, *["Mallory"] * 5) as mallories:
        rounds, done, before = times(200_000, 10_000) // 50, 0, 0
        while done < rounds:
            for mallory in mallories:
                pings = [Ping(ref=new_ref()) for _ in range(50)]
                for ping in pings:
                    await mallory.socket.send(rng.choice(data))
                    await mallory.send(ping)
                for ping in pings:
                    await mallory.expect(Pong, lambda m, ref=ping.ref: m.ref == ref)  # type: ignore[misc]
                mallory.received.clear()
                mallory.sent.clear()
                mallory._unread.clear()
                done += 1
            if not before:
                before = house.memory()
        assert house.memory() - before < 5 * MIB


def _is_unreadable(data: bytes | str) -> bool:
    try:
        MSGPACK.decode_command(data)
    except BadMessage:
        return True
    return False
