"""What a verdict rests on, everybody's traffic and the stored logs, and what it consists of.

It shares no code with the server: logs are read with another client and another decoder.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import msgpack
import redis

from protocol.messages import Message

PREFIX = "parlour:match:{"
COMPUTER = "computer"
"""Who moves for the computer's seat; it sends no commands."""
Log = list[tuple[int, dict[str, Any]]]
"""A stored match: version and event."""
Kind = Literal["lost", "doubled", "reordered", "other"]


class Fault(NamedTuple):
    """One thing that is wrong: of which kind, and a sentence that says what."""

    kind: Kind
    text: str


@dataclass
class Reader:
    """All that went over one connection, in order. `left` holds the matches that it no longer has to follow."""

    name: str
    player: str = ""
    traffic: list[Message] = field(default_factory=list)
    open: bool = True
    left: set[str] = field(default_factory=set)


def connect(url: str) -> redis.Redis:
    """A client of our own for the Redis at `url`."""
    return redis.Redis.from_url(url, socket_timeout=20)


def match_ids(client: redis.Redis) -> set[str]:
    """All matches that have a log."""
    found = (key.decode() for key in client.scan_iter(f"{PREFIX}*", count=1000, _type="STREAM"))
    # What is said in a match is a stream, too, beside its log.
    return {key.removeprefix(PREFIX).removesuffix("}") for key in found if key.endswith("}")}


def read_log(client: redis.Redis, match: str) -> Log:
    """The stored events of a match. AssertionError when an entry's id is not `version-0`."""
    log: Log = []
    entries: Any = client.xrange(f"{PREFIX}{match}}}")
    for entry, fields in entries:
        version, dash, rest = entry.decode().partition("-")
        assert (dash, rest) == ("-", "0"), f"{match}: entry {entry}"
        log.append((int(version), msgpack.unpackb(fields[b"e"])))
    return log


def last_version(client: redis.Redis, match: str) -> int:
    """The version of the last stored event; 0 for a match that is not there."""
    newest: Any = client.xrevrange(f"{PREFIX}{match}}}", count=1)
    return int(newest[0][0].split(b"-")[0]) if newest else 0
