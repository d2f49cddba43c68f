"""The decoder under whatever bytes there are: it reads, or refuses in documented words, and keeps nothing of either.

12,000 messages in `make test`, 5,000,000 in `make fuzz` (issue 5): spoilt commands and notifications, well-formed maps
of anything, and noise, in both wire formats and both directions.
"""

from __future__ import annotations

import gc
import json
import random
from collections import Counter
from typing import Any

import msgpack
import psutil
import pytest

from protocol.codec import CODECS, Codec
from protocol.errors import BadMessage, Code
from protocol.messages import COMMANDS, NOTIFICATIONS
from tests.forms import FUZZ
from tests.hostile.commands import plain_command
from tests.hostile.test_generated import VALUES, spoilt_field

MESSAGES = 5_000_000 if FUZZ else 12_000
WARM = MESSAGES // 5
"""Messages before the memory is looked at first: what is made once, here and there, is there by then."""
MOST_GROWTH_MIB = 5
REFUSALS = {Code.MALFORMED, Code.NOT_A_MAP, Code.UNKNOWN_MESSAGE, Code.BAD_FIELD, Code.TOO_DEEP}
WORDS = ["type", "ref", "match", "version", "move", "game", *COMMANDS, *NOTIFICATIONS]


class Maker:
    """Makes messages from a seed: about a third each of spoilt ones, of maps of anything, and of damaged bytes."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def next(self, codec: Codec) -> bytes | str:
        plain = self._plain()
        try:
            data = json.dumps(plain).encode() if codec.text else msgpack.packb(plain)
        except (TypeError, ValueError, OverflowError):
            return self.next(codec)  # JSON has no bytes, MessagePack no numbers beyond 64 bits
        if self.rng.random() < 0.4:
            data = self._damaged(data)
        return data.decode(errors="replace") if codec.text else data

    def _plain(self) -> Any:
        rng = self.rng
        if rng.random() < 0.5:
            name = rng.choice(list(COMMANDS))
            good = plain_command(name, match="m", version=3, move="a1-a2", game="square")
            return spoilt_field(rng, good, [*COMMANDS[name].__struct_fields__, "type"]) if rng.random() < 0.9 else good
        return {**self._map(rng.randrange(6)), "type": rng.choice(WORDS)} if rng.random() < 0.8 else self._value(0)

    def _map(self, size: int) -> dict[str, Any]:
        return {self.rng.choice(WORDS): self._value(0) for _ in range(size)}

    def _value(self, depth: int) -> Any:
        rng = self.rng
        if depth < 14 and rng.random() < 0.3:
            items = [self._value(depth + rng.choice([1, 1, 3])) for _ in range(rng.randrange(5))]
            return items if rng.random() < 0.5 else dict(zip(rng.sample(WORDS, len(items)), items, strict=True))
        return rng.choice(VALUES)

    def _damaged(self, data: bytes) -> bytes:
        """Bits flipped, a piece lost, doubled or of another message, or nothing but noise."""
        rng = self.rng
        spoilt = bytearray(data)
        at = rng.randrange(len(spoilt) + 1)
        match rng.randrange(6):
            case 0:
                return rng.randbytes(rng.randrange(60))
            case 1:
                return bytes(spoilt[:at])
            case 2:
                spoilt[at:at] = rng.randbytes(rng.randrange(1, 9))
            case 3:
                spoilt[at : at + rng.randrange(9)] = b""
            case 4:
                spoilt += spoilt[at:]
            case _:
                for _ in range(rng.randrange(1, 5)):
                    place = rng.randrange(len(spoilt))
                    spoilt[place] ^= 1 << rng.randrange(8)
        return bytes(spoilt)


@pytest.mark.fuzz
@pytest.mark.timeout(3_600)
def test_every_message_is_read_or_refused() -> None:
    """Issue 5: only documented refusals, and flat memory."""
    maker, process = Maker(5), psutil.Process()
    came: Counter[str] = Counter()
    before = 0
    for number in range(MESSAGES):
        codec = list(CODECS.values())[number % 2]
        data = maker.next(codec)
        decode = (codec.decode_command, codec.decode_notification)[number // 2 % 2]
        try:
            came[type(decode(data)).__name__] += 1
        except BadMessage as refused:
            came[refused.code] += 1
        if number == WARM:
            gc.collect()
            before = process.memory_info().rss
    gc.collect()
    grown_mib = (process.memory_info().rss - before) / 2**20
    print(f"{MESSAGES} messages; memory grew by {grown_mib:.1f} MiB; {came.most_common()}")
    assert grown_mib < MOST_GROWTH_MIB
    kinds = {cls.__name__ for cls in (*COMMANDS.values(), *NOTIFICATIONS.values())}
    assert set(came) - kinds <= REFUSALS
    # What never came was not tried.
    assert set(came) >= {*REFUSALS, *(cls.__name__ for cls in COMMANDS.values())}
