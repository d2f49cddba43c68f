"""The doctor's look at the store: what it is set to, what its user may do, its clock, disk and room, and the hubs."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

from protocol.errors import StoreSilent, StoreUnavailable
from server.admin.doctor.findings import Finding
from server.hub.presence.online import read_report
from server.store.connection.unfit import UnfitStore
from server.store.redis_store import RedisStore

LATE_S = 2.0
SLOW_MS = 20.0
STALLED_MS = 250.0
"""The middle and the longest of some flushes; each move waits for one."""
FULL = 0.8
LEAST_FREE = 1024**3


async def examine(store: RedisStore, folder: Path | None) -> AsyncIterator[Finding]:
    """What is found, one after the other; `folder` is an embedded store's own. Raises StoreUnavailable."""
    try:
        durability = await store.durability()
        await store.demand_usable()
    except UnfitStore as error:
        yield Finding("store", False, str(error))
        return
    yield Finding("flush", durability.level == "always" and "throw" not in durability.sentence, durability.sentence)
    yield await _rights(store)
    yield await _clock(store)
    yield await _disk(store)
    for finding in await _room(store, folder):
        yield finding
    yield await _hubs(store)
    yield await _aside(store)


async def _rights(store: RedisStore) -> Finding:
    if missing := await store.lacking_rights():
        rights = ", ".join(missing)
        return Finding("rights", False, f"This user may not do all that a hub does: {rights}. Allow each (+{rights}).")
    return Finding("rights", True, "This user may do all that a hub does.")


async def _clock(store: RedisStore) -> Finding:
    ahead_s = await store.clock_ahead_s()
    told = f"The store's clock, which all hubs go by, is {abs(ahead_s):.1f} s {'ahead of' if ahead_s > 0 else 'behind'}"
    if abs(ahead_s) > LATE_S:
        return Finding("clock", False, f"{told} this machine's: have both set theirs by NTP.")
    return Finding("clock", True, f"{told} this machine's.")


async def _disk(store: RedisStore) -> Finding:
    try:
        asked, written, longest = await store.trips()
    except StoreSilent:
        raise
    except StoreUnavailable as error:
        return Finding("disk", False, f"A write is refused, as every move is: {error.reason}")
    told = f"A question takes {asked:.1f} ms, a write {written:.1f} ms, the longest of some {longest:.1f} ms"
    if written - asked > SLOW_MS or longest - asked > STALLED_MS:
        return Finding(
            "disk", False,
            f"{told}: every move waits for that. Give the store a disk of its own, or one that flushes sooner"
            " (redis-cli latency latest names the flush).",
        )  # fmt: skip
    if asked > SLOW_MS:
        return Finding("disk", False, f"{told}: the way to the store is long. Have hubs and store in one network.")
    return Finding("disk", True, f"{told}.")


async def _room(store: RedisStore, folder: Path | None) -> list[Finding]:
    found, figures = [], await store.figures()
    used, most = int(figures.get("used_memory", 0)), int(figures.get("maxmemory", 0))
    if most and used > FULL * most:
        found.append(
            Finding("memory", False, f"{used / most:.0%} of maxmemory is used: raise it before moves are refused.")
        )
    else:
        bound = f" of {most / 1024**2:.0f}" if most else ", without a bound"
        found.append(Finding("memory", True, f"{used / 1024**2:.0f} MiB are used{bound}."))
    if figures.get("aof_last_write_status", "ok") != "ok" or figures.get("aof_last_bgrewrite_status", "ok") != "ok":
        found.append(
            Finding("file", False, "Redis could not write its append-only file: look at its disk and its log.")
        )
    if folder is not None:
        free = shutil.disk_usage(folder).free
        enough = free > LEAST_FREE
        what = "" if enough else ": make some, or the store ends at its next write"
        found.append(Finding("room", enough, f"{free / 1024**3:.1f} GiB are free for {folder}{what}."))
    return found


async def _hubs(store: RedisStore) -> Finding:
    hubs = await store.live_hubs()
    reports = await store.reports(hubs)
    read = [read_report(hub, data, store.note_unusable) for hub, data in reports.items()]
    releases = sorted({report.release or "an older one" for report in read if report is not None})
    if len(releases) > 1:
        return Finding(
            "hubs",
            False,
            f"{len(hubs)} hubs of several releases ({', '.join(releases)}): renew them one after another.",
        )
    named = f" of release {releases[0]}" if releases else ""
    return Finding("hubs", True, f"{len(hubs)} hub{'' if len(hubs) == 1 else 's'}{named}.")


async def _aside(store: RedisStore) -> Finding:
    notes = len(await store.aside.notes())
    if notes:
        return Finding("values", False, f"{notes} could not be used: `parlour-server admin aside` lists them.")
    return Finding("values", True, "All that hubs met in the store could be used.")
