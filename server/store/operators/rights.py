"""What a user of Redis needs to be allowed for a hub to work, and no more: its ACL."""

from __future__ import annotations

from typing import Any

from server.store.keys import Keys

SCRIPTED = (
    "del", "exists", "get", "hdel", "hget", "hgetall", "hlen", "hset", "incr", "info", "lrange", "ltrim", "pexpire",
    "pttl", "publish", "rename", "rpush", "sadd", "set", "sismember", "smembers", "srem", "time", "type", "xadd",
    "xinfo|stream", "xlen", "xrevrange", "zadd", "zrange", "zrem", "zremrangebyrank", "zremrangebyscore", "zscore",
)  # fmt: skip
"""Commands of the scripts; a user must be allowed each by itself."""
ASKED = (
    "config|get", "evalsha", "latency|latest", "ping", "scan", "script|load", "select", "subscribe", "xrange",
    "zrangebyscore",
)  # fmt: skip
"""Commands that hubs and `parlour-server admin` send besides."""
FOR_THE_OPERATOR = ("lrem", "xdel")
"""Commands of `admin aside --remove` alone; hubs do without."""
OPTIONAL = ("config|get", "latency|latest")
"""Without these the hub only says less: it does not know what an acknowledgement is worth, or how slow flushes were."""


def acl(user: str, password: str, keys: Keys, *, operator: bool = True) -> list[str]:
    """The words of `ACL SETUSER`, or of a line `user ...` in the settings of Redis."""
    allowed = sorted({*SCRIPTED, *ASKED, *(FOR_THE_OPERATOR if operator else ())})
    names = [f"~{keys.prefix}:*", "resetchannels", f"&{keys.channels}:*"]
    return [user, "on", f">{password}", *names, *(f"+{command}" for command in allowed)]


def needed(keys: Keys) -> list[str]:
    """What a hub cannot do without."""
    unused = OPTIONAL if keys.database else (*OPTIONAL, "select")
    return [command for command in (*SCRIPTED, *ASKED) if command not in unused]


def questions(keys: Keys) -> list[str]:
    """The words of the script `rights`: what is needed as Redis is asked about it, a line break between two words."""
    key, channel = f"{keys.prefix}:rights", keys.announcements
    more: dict[str, list[str]] = {
        "config|get": ["append*"], "info": [], "latency|latest": [], "ping": [], "time": [], "select": ["0"],
        "scan": ["0"],
        "script|load": ["return 1"], "evalsha": ["0", "0"], "publish": [channel, "x"], "subscribe": [channel],
        "xinfo|stream": [key], "rename": [key, key], "set": [key, "1"],
        "hset": [key, "1", "1"], "zadd": [key, "1", "1"], "xadd": [key, "*", "1", "1"], "rpush": [key, "1"],
        "pexpire": [key, "1"], "lrange": [key, "0", "1"],
        "ltrim": [key, "0", "1"], "zrange": [key, "0", "1"], "zremrangebyrank": [key, "0", "1"],
        "zremrangebyscore": [key, "0", "1"], "zrangebyscore": [key, "0", "1"], "xrange": [key, "-", "+"],
        "xrevrange": [key, "+", "-"], "hget": [key, "1"], "hdel": [key, "1"], "sadd": [key, "1"], "srem": [key, "1"],
        "sismember": [key, "1"], "zrem": [key, "1"], "zscore": [key, "1"],
    }  # fmt: skip
    return ["\n".join([*command.split("|"), *more.get(command, [key])]) for command in needed(keys)]


class RedisRights:
    """A part of the Redis adapter."""

    keys: Keys
    _pipe: Any

    async def lacking_rights(self) -> list[str]:
        """What a hub does and this user may not, by its commands. Raises StoreUnavailable."""
        refused = await self._pipe.run("rights", [self.keys.epoch], questions(self.keys))
        return [needed(self.keys)[place - 1] for place in refused]
