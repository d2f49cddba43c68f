"""What an acknowledgement is worth: read from Redis' own settings, and said plainly."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import cast

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from server.store.connection.unfit import UnfitStore
from server.store.port import Durability, Flush

OLDEST = (7, 0)
"""Scripts with flags and SET with NX and GET together need this version of Redis."""

FLUSH = b"aof-fsync-always"
"""What Redis calls a flush that took longer than its `latency-monitor-threshold`, where every write is flushed."""


async def judge(client: Redis) -> Durability:
    """Ask Redis for its version, role and persistence. Raises UnfitStore for one that is too old or a replica."""
    info = await client.info()
    version = str(info.get("redis_version", "0"))
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        raise UnfitStore(f"This Redis has version {version}; version 7.0 or later is needed.")
    mode = str(info.get("redis_mode", "standalone"))
    if mode != "standalone":
        what = {"sentinel": "a Sentinel", "cluster": "part of a cluster"}.get(mode, mode)
        raise UnfitStore(f"What answers there is {what}, and that was not asked for: give the address of one Redis.")
    if info.get("role") != "master":
        raise UnfitStore("This Redis is a replica and takes no writes; give the address of the master.")
    try:
        settings = await cast("Awaitable[dict[str, str]]", client.config_get("append*", "maxmemory*"))
    except ResponseError:
        return Durability("unknown", "This Redis does not tell how it keeps data, so no durability is promised.")
    values = {_text(key): _text(value) for key, value in settings.items()}
    return _verdict(values)


async def slow_flushes(client: Redis) -> Flush | None:
    """What Redis' latency monitor has of its flushes; None where none was slow, or this user may not ask."""
    try:
        events = await cast("Awaitable[list[list[bytes | int]]]", client.execute_command("LATENCY", "LATEST"))  # type: ignore[no-untyped-call]
    except ResponseError:
        return None
    for event, _, last_ms, worst_ms, *_ in events:
        if event == FLUSH:
            return Flush(int(last_ms), int(worst_ms))
    return None


def _verdict(values: dict[str, str]) -> Durability:
    evicts = values.get("maxmemory", "0") != "0" and values.get("maxmemory-policy", "noeviction") != "noeviction"
    warning = (
        f" It may throw matches away when memory is short (maxmemory-policy {values['maxmemory-policy']}):"
        " set noeviction."
        if evicts
        else ""
    )
    if values.get("appendonly") != "yes":
        return Durability(
            "none",
            "This Redis keeps no append-only file: what is acknowledged is lost when it stops."
            " Set appendonly yes and appendfsync always." + warning,
        )
    match values.get("appendfsync"):
        case "always":
            return Durability("always", "Every acknowledged command is on disk (appendfsync always)." + warning)
        case "everysec":
            return Durability(
                "everysec",
                "An acknowledged command survives a crash of the processes, but the last second may be lost when the"
                " machine fails (appendfsync everysec). Set appendfsync always." + warning,
            )
        case other:
            return Durability(
                "none",
                f"The operating system decides when acknowledged commands reach the disk (appendfsync {other})."
                " Set appendfsync always." + warning,
            )


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
