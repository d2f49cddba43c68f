"""Each kind of bad input has its own code and sentence, changes nothing, and disturbs nobody."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import msgpack
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from protocol import limits
from protocol.codec import CODECS, JSON, MSGPACK, Codec
from protocol.errors import Code
from protocol.messages import COMMANDS, Abandon, Accepted, Ended, Joined, Move, Ping, Pong, Refused, Snapshot
from tests.driver import Client
from tests.hostile.commands import plain_command
from tests.hostile.tools import Company, House, answered, look, new_ref, opened, wire

every_codec = pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)


@dataclass
class Table:
    """A match that two play and one watches, after one move each; Ana is to move."""

    ana: Client
    bea: Client
    eve: Client
    stranger: Client
    match: str
    version: int

    @property
    def people(self) -> dict[str, Client]:
        return {"ana": self.ana, "bea": self.bea, "eve": self.eve, "stranger": self.stranger}

    def move(self, move: str = "c1-d1", version: int | None = None, match: str = "") -> Move:
        return Move(
            ref=new_ref(),
            match=match or self.match,
            version=self.version if version is None else version,
            move=move,
        )


@pytest.fixture
async def table(house: House) -> AsyncIterator[Table]:
    async with opened(house.url, "Ana", "Bea", "Eve", "Stranger") as (ana, bea, eve, stranger):
        match = (await ana.create()).match
        await bea.join(match)
        version = (await ana.expect(Joined)).version
        await look(eve, match)
        version = (await ana.move(match, version, "a1-b1")).version
        version = (await bea.move(match, version, "b1-c1")).version
        yield Table(ana, bea, eve, stranger, match, version)


def bare(codec: Codec, **fields: Any) -> bytes | str:
    return wire(codec, {"type": "ping", "ref": "r", **fields})


def nest(levels: int) -> list[Any]:
    return [nest(levels - 1)] if levels > 1 else []


UNREADABLE: dict[str, tuple[Callable[[Codec], bytes | str], Code]] = {
    "not a map": (lambda codec: wire(codec, ["ping"]), Code.NOT_A_MAP),
    "truncated": (lambda codec: bare(codec)[:-1], Code.MALFORMED),
    "followed by more": (lambda codec: bare(codec) * 2, Code.MALFORMED),
    "too deep": (lambda codec: bare(codec, pad=nest(limits.MAX_DEPTH)), Code.TOO_DEEP),
    "a wrong type": (lambda codec: wire(codec, {"type": "ping", "ref": 7}), Code.BAD_FIELD),
    "a missing field": (lambda codec: wire(codec, {"type": "watch", "ref": "r"}), Code.BAD_FIELD),
    "an unknown message": (lambda codec: wire(codec, {"type": "fly", "ref": "r"}), Code.UNKNOWN_MESSAGE),
}
MOVES: dict[str, tuple[str, Callable[[Table], Move], Code]] = {
    "an unknown match": ("ana", lambda t: t.move(match="nowhere"), Code.UNKNOWN_MATCH),
    "by the opponent": ("bea", lambda t: t.move(), Code.NOT_YOUR_TURN),
    "by a spectator": ("eve", lambda t: t.move(), Code.NOT_SEATED),
    "by a stranger": ("stranger", lambda t: t.move(), Code.NOT_SEATED),
    "for an old version": ("ana", lambda t: t.move(version=t.version - 1), Code.STALE),
    "for a version to come": ("ana", lambda t: t.move(version=t.version + 1), Code.STALE),
    "not in the notation": ("ana", lambda t: t.move("knight to f3"), Code.MALFORMED_MOVE),
}


@every_codec
@pytest.mark.parametrize("kind", UNREADABLE)
async def test_unreadable(house: House, table: Table, codec: Codec, kind: str) -> None:
    """Issue 2, bad input: it is refused in words, and the connection goes on."""
    data, code = UNREADABLE[kind]
    before = await look(table.eve, table.match)
    async with opened(house.url, "Mallory", codec=codec) as (mallory,):
        refused = await answered(mallory, data(codec))
        assert refused.code == code
        assert refused.text
        await mallory.ask(Ping(ref="still here"), Pong)
    assert await look(table.eve, table.match) == before


@pytest.mark.parametrize("kind", MOVES)
async def test_moves_that_are_not_granted(table: Table, house: House, kind: str) -> None:
    """Issue 2, bad input, A9: no event, no notice to anybody, and the current version with the refusal."""
    who, move, code = MOVES[kind]
    before, log = await look(table.eve, table.match), house.stored(table.match)
    asked = move(table)
    refused = await table.people[who].ask(asked, Refused)
    assert (refused.code, refused.match) == (code, asked.match)
    assert refused.text
    if code != Code.UNKNOWN_MATCH:
        assert refused.version == table.version
    assert house.stored(table.match) == log
    assert await look(table.eve, table.match) == before
    await table.ana.move(table.match, table.version, "c1-d1")


async def test_an_illegal_move_is_told_by_the_game(table: Table) -> None:
    """A line that is drawn already, and one that goes nowhere: the game's own code and words."""
    texts = set()
    for line in ("a1-b1", "a1-c3", "a1-c1"):
        refused = await table.ana.ask(table.move(line), Refused)
        assert refused.text
        assert refused.version == table.version
        texts.add(refused.text)
    assert len(texts) > 1


async def test_the_same_twice_is_done_once(table: Table, house: House) -> None:
    """Issue 2, bad input: the same ref gets the same answer, however often and on whatever connection."""
    move = table.move()
    first = await table.ana.ask(move, Accepted)
    assert await table.ana.ask(move, Accepted) == first
    async with opened(house.url, "Ana", token=table.ana.token) as (again,):
        assert await again.ask(move, Accepted) == first
    assert first.version == table.version + 1
    assert len(house.stored(table.match)) == first.version


async def test_after_the_end(table: Table, house: House) -> None:
    """Issue 2, bad input, A8: whoever asks."""
    await table.bea.ask(Abandon(ref=new_ref(), match=table.match), Accepted)
    await table.eve.expect(Ended)
    log, before = house.stored(table.match), await look(table.eve, table.match)
    for client in table.people.values():
        refused = await client.ask(table.move(version=before.version), Refused)
        assert refused.code == Code.FINISHED
        assert await client.refusal(Abandon(ref=new_ref(), match=table.match)) == Code.FINISHED
    assert house.stored(table.match) == log
    assert await look(table.eve, table.match) == before


async def test_before_and_after_hello(house: House) -> None:
    client = await Client.connect(house.url)
    for data in (plain_command("ping"), plain_command("create", game="square"), plain_command("watch", match="m")):
        refused = await answered(client, wire(MSGPACK, data))
        assert (refused.code, refused.ref) == (Code.HELLO_FIRST, data["ref"])
    await client.hello()
    refused = await answered(client, wire(MSGPACK, plain_command("hello", name="Other")))
    assert refused.code == Code.HELLO_TWICE
    client.cut()


async def test_too_large_is_closed(house: House, table: Table) -> None:
    """Issue 2, bad input, G10: close code 1009; it is not even read."""
    async with opened(house.url, "Mallory") as (mallory,):
        await mallory.socket.send(bytes(limits.MAX_COMMAND_BYTES + 1))
        with pytest.raises(ConnectionClosed) as caught:
            await mallory.next()
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1009
    await table.ana.move(table.match, table.version, "c1-d1")


# H1 -------------------------------------------------------------------------------------------------------------------

M, J = MSGPACK, JSON
WHOLE = msgpack.packb({"type": "ping", "ref": "r"})
BUNCHES: list[tuple[Codec, str, list[bytes | str]]] = [
        (M, "malformed", [
            b"", b"\xc1", b"\x80\x80", WHOLE[:1], WHOLE[:2], WHOLE[:5], WHOLE[:-1], WHOLE + b"\x00", WHOLE + WHOLE,
            b"\x81", b"\xde", b"\xde\x00\x05", b"\xdf\xff\xff\xff\xff", b"\xdc", b"\xdd\xff\xff\xff\xff", b"\xd9",
            b"\xda\xff\xff", b"\xdb\xff\xff\xff\xff", b"\xc4\x01x", b"\xc7\x01\x05x", b"\xd4\x01x", b"\xca\x00",
            b"\x81\x01\x02", b"\x81\xc0\xc0", b"\x81\xa1\xff\xc0", b"\x82\xa4type\xa4ping\xa3ref", b"\x81\x90\x90",
            "{}", "ping", '{"type":"ping","ref":"r"}', "",
        ]),
        (M, "not_a_map", [
            b"\x80", b"\x90", b"\xc0", b"\xc2", b"\xc3", b"\x00", b"\xff", b"\xcb" + b"\x00" * 8, b"\xa0", b"\xa4ping",
            b"\xcf" + b"\xff" * 8, b"\x91" + WHOLE, b"\x81\xa4type\xc0", b"\x81\xa4type\x01", b"\x81\xa3ref\xa1r",
        ]),
        (J, "malformed", [
            "", " ", "{", '{"type":"ping","ref":"r"', '{"type":"ping","ref":"r"}{}', "{'type':'ping'}", "nul", "NaN",
            '{"type":"ping","ref":"\\ud800"}', "\ufeff{}", WHOLE, b'{"type":"ping","ref":"r"}',
        ]),
        (J, "not_a_map", ["null", "[]", "1", '"ping"', "true", "{}", '{"type":null}', '[{"type":"ping","ref":"r"}]']),
]  # fmt: skip
NOT_A_MESSAGE = [(codec, data, Code(code)) for codec, code, frames in BUNCHES for data in frames]


async def test_h1_not_a_map(house: House) -> None:
    """H1: 60 messages that are none; each gets an error on its connection, and everybody else plays on."""
    assert len(NOT_A_MESSAGE) >= 60
    async with Company(house.url, least=10) as company:
        for codec, data, code in NOT_A_MESSAGE:
            async with opened(house.url, "Mallory", codec=codec) as (mallory,):
                refused = await answered(mallory, data)
                assert refused.code == code, data
                assert refused.ref == ""
                await mallory.ask(Ping(ref="still here"), Pong)
        assert company.taken_s


FRAMES = {
    "without a mask": (Frame(Opcode.BINARY, WHOLE).serialize(mask=False), {1002}),
    "with an unknown opcode": (b"\x83\x80\x00\x00\x00\x00", {1002}),
    "with reserved bits": (b"\xf2\x80\x00\x00\x00\x00", {1002}),
    "a continuation of nothing": (Frame(Opcode.CONT, b"x").serialize(mask=True), {1002}),
    "a long ping": (b"\x89\xfe\x00\x7e\x00\x00\x00\x00" + bytes(126), {1002}),
    "a ping in two parts": (b"\x09\x81\x00\x00\x00\x00x", {1002}),
    "text that is no UTF-8": (Frame(Opcode.TEXT, b"\xff\xfe").serialize(mask=True), {1007}),
    "a close frame of one byte": (Frame(Opcode.CLOSE, b"x").serialize(mask=True), {1002}),
    "a reserved close code": (Frame(Opcode.CLOSE, b"\x03\xed").serialize(mask=True), {1002}),
    "a second message inside the first": (
        b"\x02\x81\x00\x00\x00\x00x" + Frame(Opcode.BINARY, b"x").serialize(mask=True),
        {1002},
    ),
}


async def test_h1_frames_that_are_none(house: House) -> None:
    """H1, one layer down: what is no WebSocket frame closes that connection, with a code that says why."""
    async with Company(house.url, least=5):
        for name, (data, codes) in FRAMES.items():
            async with opened(house.url, "Mallory") as (mallory,):
                mallory.socket.transport.write(data)
                with pytest.raises(ConnectionClosed) as caught:
                    await mallory.next()
                assert caught.value.rcvd is not None, name
                assert caught.value.rcvd.code in codes, name


async def test_nothing_but_nonsense_is_shown_out(house: House) -> None:
    """Who speaks something else is closed with the policy code after a while, not answered for ever."""
    async with opened(house.url, "Mallory") as (mallory,), Company(house.url):
        answers = 0
        with pytest.raises(ConnectionClosed) as caught:  # noqa: PT012
            for _ in range(10_000):
                await answered(mallory, b"\xc1")
                answers += 1
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1008
        assert answers >= 50


# H9 -------------------------------------------------------------------------------------------------------------------

STRANGE = {
    "bytes": b"\xc4\x01x",
    "bytes of 16 bits": b"\xc5\x00\x01x",
    "bytes of 32 bits": b"\xc6\x00\x00\x00\x01x",
    "no bytes": b"\xc4\x00",
    "an extension of one byte": b"\xd4\x05x",
    "an extension of eight": b"\xd7\x05xxxxxxxx",
    "an extension of no bytes": b"\xc7\x00\x05",
    "an extension of some length": b"\xc7\x03\x05xxx",
    "a timestamp": b"\xd6\xff\x00\x00\x00\x01",
    "a timestamp with nanoseconds": b"\xd7\xff\x00\x00\x00\x01\x00\x00\x00\x01",
    "a timestamp of twelve bytes": b"\xc7\x0c\xff" + bytes(12),
    "text that is no UTF-8": b"\xa1\xff",
    "text cut within a character": b"\xa1\xc3",
    "an overlong NUL": b"\xa2\xc0\x80",
    "half a surrogate pair": b"\xa3\xed\xa0\x80",
    "beyond Unicode": b"\xa4\xf4\x90\x80\x80",
    "never used": b"\xc1",
}


def with_raw(values: dict[str, Any], field: str, raw: bytes, as_key: bool) -> bytes:
    """A packed map in which the value (or the name) of one field is `raw`."""
    data = msgpack.Packer().pack_map_header(len(values))
    for key, value in values.items():
        data += raw if as_key and key == field else msgpack.packb(key)
        data += raw if not as_key and key == field else msgpack.packb(value)
    return data


@pytest.mark.parametrize("strange", STRANGE)
async def test_h9_bytes_extensions_timestamps_and_bad_text(house: House, table: Table, strange: str) -> None:
    """H9: each in each field of each command, as its value and as its name: refused, and nothing changes."""
    before = await look(table.eve, table.match)
    tried = 0
    everything = {"match": table.match, "version": table.version, "move": "c1-d1", "name": "x", "game": "square"}
    for name in COMMANDS:
        plain = plain_command(name, **everything)
        async with opened(house.url, "Ana", token=table.ana.token) as (ana,):
            for field in plain:
                for as_key in (False, True):
                    refused = await answered(ana, with_raw(plain, field, STRANGE[strange], as_key))
                    # Without a type that can be read it is no message to begin with.
                    codes = {Code.MALFORMED, Code.NOT_A_MAP} if field == "type" else {Code.MALFORMED}
                    assert refused.code in codes, (name, field, as_key)
                    tried += 1
    assert tried > 2 * len(COMMANDS)
    assert await look(table.eve, table.match) == before


async def test_h9_nested_where_anything_may_stand(house: House, table: Table) -> None:
    """H9: inside unknown fields and options as well."""
    for raw in STRANGE.values():
        async with opened(house.url, "Mallory") as (mallory,):
            for around in (b"\x91", b"\x81\xa1k", b"\x91\x81\xa1k", b"\x81" + raw):
                data = with_raw({"type": "ping", "ref": "r", "pad": 0}, "pad", around + raw, as_key=False)
                assert (await answered(mallory, data)).code == Code.MALFORMED
            options = {"type": "create", "ref": "r", "game": "square", "options": 0}
            data = with_raw(options, "options", b"\x81\xa1k" + raw, as_key=False)
            assert (await answered(mallory, data)).code == Code.MALFORMED
            await mallory.ask(Ping(ref=new_ref()), Pong)
    assert isinstance(await look(table.ana, table.match), Snapshot)
