"""Garbage for every kind of key in Redis, written by an own client, and where it stands."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import msgpack
import redis

P = "parlour:"
DUE_LOGS = 201
"""One more than a hub looks at in one go."""
GROUP = f"{P}waiting:dots-and-boxes,"
NEWER = msgpack.packb(
    {"event": "created", "format": 99, "at_ms": 1, "player": "p", "game": ["of", "a", "kind"], "name": {"first": "A"}}
)
CREATED = {
    "event": "created", "at_ms": 1, "player": "nobody", "ref": "r", "game": "dots-and-boxes", "options": {},
    "name": "Nobody",
}  # fmt: skip
GARBAGE: dict[str, bytes] = {
    "no text": b"\xff\xfe\x00\x80",
    "cut off": msgpack.packb(CREATED)[:-9],
    "another type": msgpack.packb(7),
    "a map": msgpack.packb({"what": "is", "this": [1, 2, {}]}),
    "text": b"hello",
    "empty": b"",
    "huge": b"\xdb\x00\x30\x00\x00" + b"x" * (3 * 1024 * 1024),
    "deep": b"\x91" * 5_000,
    "newer": NEWER,
}


class Target(NamedTuple):
    """Who is near: a match in play, one of its players, a hub, and the group in which quick match pairs."""

    match: str
    player: str
    hub: str
    group: str


Put = Callable[[Any, Target], int]
"""Writes garbage; returns how many values."""


def log_key(match: str) -> str:
    return f"{P}match:{{{match}}}"


def bad_logs(store: Any, target: Target) -> int:
    """Logs that do not decode, do not replay, are of another type or another release, in every list there is."""
    good = msgpack.packb(CREATED)
    logs: dict[str, list[tuple[str, dict[str, bytes]]]] = {
        f"bad-{name.replace(' ', '-')}": [("1-0", {"e": data})] for name, data in GARBAGE.items()
    }
    logs["bad-second"] = [("1-0", {"e": good}), ("2-0", {"e": GARBAGE["cut off"]})]
    logs["bad-move"] = [
        ("1-0", {"e": good}), ("2-0", {"e": msgpack.packb({"event": "moved", "at_ms": 2, "seat": 0, "move": "z9"})}),
    ]  # fmt: skip
    logs["bad-twice"] = [("1-0", {"e": good}), ("2-0", {"e": good})]
    logs["bad-seat"] = [
        ("1-0", {"e": good}),
        ("2-0", {"e": msgpack.packb({"event": "joined", "at_ms": 2, "player": "x", "seat": 77, "name": "X"})}),
        ("3-0", {"e": msgpack.packb({"event": "moved", "at_ms": 2, "seat": 55, "move": "a1-a2"})}),
    ]
    logs["bad-game"] = [("1-0", {"e": msgpack.packb({**CREATED, "game": "no such game"})})]
    logs["bad-option"] = [("1-0", {"e": msgpack.packb({**CREATED, "options": {"width": -3}})})]
    logs["bad-field"] = [("1-0", {"other": good})]
    logs["bad-number"] = [("1-0", {"e": good}), ("7-3", {"e": good})]
    for match, entries in logs.items():
        for entry, fields in entries:
            store.xadd(log_key(match), fields, id=entry)
    store.set(log_key("bad-type"), b"text")
    _list(store, target, [*logs, "bad-type"])
    return len(logs) + 1


def many_due_logs(store: Any, target: Target) -> int:
    """More logs that do not decode than a hub looks at in one go, all due, and all before the others."""
    matches = [f"due{number}" for number in range(DUE_LOGS)]
    for match in matches:
        store.xadd(log_key(match), {"e": GARBAGE["cut off"]}, id="1-0")
    _list(store, target, matches, row=False)
    return DUE_LOGS


def _list(store: Any, target: Target, matches: list[str], *, row: bool = True) -> None:
    store.zadd(f"{P}deadlines", dict.fromkeys(matches, 1))
    store.zadd(target.group, dict.fromkeys(matches, -1))
    store.sadd(f"{P}player:{target.player}:matches", *matches)
    if row:
        store.hset(f"{P}lobby", mapping=dict.fromkeys(matches, b"no row"))


def bad_rows(store: Any, target: Target) -> int:
    """Rows of the lobby, and changes of them on the channel."""
    for number, (name, data) in enumerate(GARBAGE.items()):
        store.hset(f"{P}lobby", f"row-{name.replace(' ', '-')}", data)
        change = store.incr(f"{P}lobby:change")
        store.publish(f"{P}lobby:changes", b"%d row%d %s" % (change, number, data))
    store.hset(f"{P}lobby", b"\xff\xfe", b"row")
    return 2 * len(GARBAGE) + 1


def bad_deadlines(store: Any, target: Target) -> int:
    """Deadlines of what is no match: ids that are no text, more than a hub looks at in one go; times without end."""
    store.zadd(f"{P}deadlines", {b"\xff%d" % number: 1 for number in range(DUE_LOGS)})
    store.zadd(f"{P}deadlines", {"": 1, "no such match": 1, "x" * 1_000_000: 1, "endless": "-inf", "later": "+inf"})
    return DUE_LOGS + 5


def bad_waiting(store: Any, target: Target) -> int:
    """Matches that wait: ids that are no text, and such as there are none of, before all others."""
    store.zadd(target.group, {b"\xff%d" % number: -2 for number in range(60)})
    store.zadd(target.group, {f"none{number}": -2 for number in range(60)})
    return 120


def bad_presence(store: Any, target: Target) -> int:
    """Who is connected to the match, and which hubs follow it."""
    here = f"{log_key(target.match)}:here"
    store.hset(here, mapping={b"\xff": b"1", b"hub": b"1", b"hub|w": b"many", b"hub|0": b"9" * 400, b"|": b""})
    store.sadd(f"{log_key(target.match)}:hubs", b"\xff\xfe", b"", b"x" * 100_000)
    return 8


def bad_lists_of_players(store: Any, target: Target) -> int:
    """A player's unfinished matches."""
    store.sadd(f"{P}player:{target.player}:matches", b"\xff", b"", b"no such match", b"x" * 100_000)
    return 4


def bad_reports(store: Any, target: Target) -> int:
    """Words of hubs that live, and hubs whose names are none."""
    now_ms = int(time.time() * 1000)
    for number, data in enumerate(GARBAGE.values()):
        store.zadd(f"{P}hubs", {f"ghost{number}": now_ms})
        store.set(f"{P}report:ghost{number}", data)
    store.zadd(f"{P}hubs", {b"\xff\xfe": now_ms})
    store.rpush(f"{P}report:ghosts", "x")
    store.zadd(f"{P}hubs", {"ghosts": now_ms})
    return len(GARBAGE) + 2


def bad_chat(store: Any, target: Target) -> int:
    """Lines of the match's chat."""
    key = f"{log_key(target.match)}:chat:players"
    for data in GARBAGE.values():
        newest = store.xrevrange(key, count=1)
        number = int(newest[0][0].split(b"-")[0]) + 1 if newest else 1
        store.xadd(key, {"by": b"\xff", "line": data}, id=f"{number}-0")
    store.xadd(key, {"other": b"\xff"}, id=f"{number + 1}-5")
    return len(GARBAGE) + 1


def bad_outages(store: Any, target: Target) -> int:
    """Outages, and when a hub was last seen."""
    store.rpush(f"{P}outages", *GARBAGE.values(), b"1 2 3", b"x y", b"9" * 400 + b" 1")
    store.set(f"{P}beat", b"\xff")
    store.hset(f"{P}epoch", "epoch", b"\xff\xfe")
    return len(GARBAGE) + 5


def bad_notices(store: Any, target: Target) -> int:
    """Whatever anybody may publish on the channels of hubs."""
    match = target.match
    own = [
        *GARBAGE.values(), msgpack.packb([match]), msgpack.packb([match, 1]), msgpack.packb([match, "x", []]),
        msgpack.packb([match, 2, [b"\xff"]]), msgpack.packb([match, 10**9, [b"\xff"]]), msgpack.packb([5, 5, 5]),
        msgpack.packb([match, 1, [1]]), msgpack.packb([]), b"say", b"say x", b"say \xff \xff 1 x",
        f"say {match} players 7000000 ".encode() + b"\xff", f"say {match} nowhere x ".encode(), b"say a b c d",
    ]  # fmt: skip
    times = 0
    for hub in store.zrange(f"{P}hubs", 0, -1):
        for data in own:
            times += store.publish(P.encode() + b"hub:" + hub, data)
    for data in (b"", b"x", b"1", b"1 ", b"x y z", b"-5 m ", b"99999999999 \xff x", *GARBAGE.values()):
        times += store.publish(f"{P}lobby:changes", data)
    return times + int(store.publish(f"{P}announcements", b"\xff\xfe"))


def wrong_types_of_the_match(store: Any, target: Target) -> int:
    """Keys beside the log that hold something of another type."""
    keys = [f"{log_key(target.match)}{what}" for what in (":hubs", ":here", ":chat:players", ":chat:spectators")]
    keys += [f"{P}player:{target.player}:matches"]
    _replace(store, *((key, "set", b"text") for key in keys))
    return len(keys)


def _replace(store: Any, *new: tuple[str, str, bytes]) -> None:
    """Put something else under keys, by a command each, before a hub can write there."""
    together = store.pipeline(transaction=True)
    for key, command, value in new:
        together.delete(key)
        getattr(together, command)(key, value)
    together.execute()


def wrong_types_of_all(store: Any, target: Target) -> int:
    """Keys that all matches share and that hold something of another type."""
    strings = ["lobby", "deadlines", "hubs", "outages", "outbox", "outbox:aside"]
    _replace(
        store,
        *((P + name, "set", b"text") for name in strings),
        (f"{P}beat", "rpush", b"x"),
        (f"{P}epoch", "set", b"text"),
        (target.group, "set", b"text"),
        (f"{P}lobby:change", "set", b"\xff"),
        (f"{target.group}:count", "set", b"many"),
    )
    return len(strings) + 4


def bad_obligations(store: Any, target: Target) -> int:
    """What matches owe: ids that are none, of logs that are none, since times without end."""
    owed = {b"\xff": 1, "": 1, "no such match": 1, "endless": "-inf", "later": "+inf", "x" * 100_000: 1}
    store.zadd(f"{P}outbox", owed)
    return len(owed)


KINDS: list[Put] = [
    bad_obligations,
    bad_logs, many_due_logs, bad_rows, bad_deadlines, bad_waiting, bad_presence, bad_lists_of_players, bad_reports,
    bad_chat, bad_outages, bad_notices, wrong_types_of_the_match, wrong_types_of_all,
]  # fmt: skip


def cut_subscriptions(store: redis.Redis) -> None:
    """Every hub has to subscribe again, and to read everything again."""
    client: Any = store
    client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
