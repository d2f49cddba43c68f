"""H2: every field of every command given every type, by the thousand, over live sockets."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from typing import Any

import msgpack
import pytest

from protocol.codec import JSON, MSGPACK, Codec
from protocol.errors import BadMessage, Code
from protocol.messages import COMMANDS, Accepted, Joined, Message, Ping, Pong, Refused, Welcome
from tests.driver import Client
from tests.hostile.commands import IN_A_MATCH, Plain, plain_command
from tests.hostile.tools import Company, House, look, new_ref, opened, times

VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 255, 2**31, 2**53, 2**63 - 1, 2**63, 2**64 - 1, -(2**63), 0.0, 1.0, -1.5, 1e300,
    math.nan, math.inf, -math.inf, "", " ", "x", "0", "1", "-1", "true", "null", "x" * 30, "x" * 300, "\0", "\n",
    "\x1b[2J", "é" * 50, "\u202e", "\U0001f600", "__class__", "{0.__class__}", "%s%n", "' OR 1=1", "../../x", "*",
    "parlour:match:{x}", [], [0], [None] * 20, ["x"] * 20, [[]], [[[[]]]], {}, {"x": 1}, {"x": {}}, {"type": "move"},
    {"": ""}, {str(number): number for number in range(40)}, [{"a": [{}]}], b"", b"x", msgpack.Timestamp(1),
    msgpack.ExtType(5, b"x"),
]  # fmt: skip
"""Every type, and the values of each at which programs trip."""
BATCH = 80
"""Fewer than the unreadable messages that a connection is allowed: each batch has a connection of its own."""


def spoilt_field(rng: random.Random, plain: Plain, fields: list[str]) -> Plain:
    """The command with one to three of its fields given other values, left out, or put under other names."""
    spoilt = dict(plain)
    for field in rng.sample(fields, min(len(fields), rng.choice([1, 1, 1, 2, 3]))):
        match rng.randrange(8):
            case 0:
                spoilt.pop(field, None)
            case 1:
                spoilt[field + rng.choice(["", " ", "_", "x"])] = spoilt.pop(field, None)
            case 2:
                spoilt[field] = {"x": rng.choice(VALUES)}
            case 3:
                spoilt[field] = [rng.choice(VALUES)]
            case _:
                spoilt[field] = rng.choice(VALUES)
    return spoilt


class Generator:
    """Messages that must not be granted, whoever sends them; counts which fields had which types."""

    def __init__(self, seed: int, match: str) -> None:
        self.rng = random.Random(seed)
        self.match = match
        self.tried: Counter[tuple[str, str]] = Counter()
        self.kinds: set[tuple[str, str, type]] = set()

    def next(self, codec: Codec) -> bytes | str:
        while True:
            name = self.rng.choice(list(COMMANDS))
            plain = plain_command(name, match=self.match, version=3, move="c1-d1", game="dots-and-boxes", token="x")
            fields = [*COMMANDS[name].__struct_fields__, "type"]
            spoilt = spoilt_field(self.rng, plain, fields)
            data = self._written(codec, spoilt)
            if data is None or self._might_be_granted(codec, data, name, spoilt):
                continue
            for field in fields:
                if spoilt.get(field) != plain.get(field):
                    self.tried[name, field] += 1
                    self.kinds.add((name, field, type(spoilt.get(field))))
            return data

    def _written(self, codec: Codec, spoilt: Plain) -> bytes | str | None:
        try:
            return json.dumps(spoilt) if codec is JSON else msgpack.packb(spoilt)
        except TypeError:
            return None  # JSON has no bytes

    def _might_be_granted(self, codec: Codec, data: bytes | str, name: str, spoilt: Plain) -> bool:
        """Whether it is a good command after all: not what this test is about, and it might change something."""
        try:
            codec.decode_command(data)
        except BadMessage:
            return False
        if name in IN_A_MATCH and name != "join":
            return spoilt.get("match") == self.match
        return name != "hello" and not (name == "create" and spoilt.get("game") != "dots-and-boxes")


async def batch(client: Client, generator: Generator, count: int) -> Counter[str]:
    """Send some and read all answers; every one is answered by a refusal."""
    for _ in range(count):
        await client.socket.send(generator.next(client.codec))
    codes: Counter[str] = Counter()
    for _ in range(count):
        refused = await client.expect(Message, lambda m: isinstance(m, Refused | Accepted | Welcome | Pong))
        assert isinstance(refused, Refused), refused
        assert refused.text
        codes[refused.code] += 1
    await client.ask(Ping(ref=new_ref()), Pong)
    return codes


@pytest.mark.timeout(1_800)
@pytest.mark.faults
async def test_h2_wrong_types_in_every_field(house: House, record_property: Any) -> None:
    """H2: 200,000 messages, by a player of the match, a spectator and a stranger, in both codecs: no uncaught exception
    (the fixture looks into the log), no state change, and the others play on."""
    total = times(200_000, 5_000)
    codes: Counter[str] = Counter()
    async with Company(house.url, least=20) as company, opened(house.url, "Ana", "Bea", "Eve") as (ana, bea, eve):
        match = (await ana.create()).match
        await bea.join(match)
        await ana.expect(Joined)
        before, log = await look(eve, match), house.stored(match)
        generator = Generator(2, match)
        for number in range(total // BATCH + 1):
            known = (ana, bea, eve)[number % 3]
            codec = (MSGPACK, MSGPACK, JSON)[number % 4 % 3]
            async with opened(house.url, known.name, token=known.token, codec=codec) as (client,):
                codes += await batch(client, generator, BATCH)
        assert await look(eve, match) == before
        assert house.stored(match) == log
        assert company.taken_s
    record_property("provoked", f"generated messages refused: {codes.total()} of {total}; {dict(codes)}")
    assert codes.total() >= total
    assert Code.INTERNAL not in codes
    assert {Code.BAD_FIELD, Code.NOT_A_MAP, Code.MALFORMED, Code.UNKNOWN_MESSAGE} <= set(codes)
    for name, cls in COMMANDS.items():
        for field in cls.__struct_fields__:
            assert generator.tried[name, field] >= times(20, 5), (name, field)
    assert {kind for _, _, kind in generator.kinds} >= {type(value) for value in VALUES}
