"""What matches leave in the memory of a tab: after many moves, and after many matches.

The goal is 5 %, and what is judged by it is what the page itself holds, as a part of the whole heap. Beside that
stands what V8 has made for itself meanwhile: what it has compiled (bytecode of what ran for the first time, machine
code of what ran often), which grows with use and not with the match, and of which it drops what is unused for long;
and its tables, of which that of numbers as text alone comes to its 65 kB when some hundred numbers were written. A heap
snapshot tells them apart. Nodes of the document, with their styles and layout, lie outside this heap, some kB a row of
the list of moves.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import msgspec
from playwright.async_api import Browser, CDPSession, Page

from protocol.messages import Abandon, Accepted
from tests.bench.page_moves import LARGEST, Table, metrics, tab, there
from tests.driver import Client, HubProcess

MOVES = 200
MATCHES = 50
FIRST_MATCHES = 15
"""After so many matches a tab has loaded and compiled all that it will, and growth is counted from there."""


@dataclass(frozen=True)
class Heap:
    """What a tab holds, in MB: in all, how much of it is code that the engine has compiled, and how much its tables."""

    used: float
    code: float
    tables: float

    def grown(self, later: Heap) -> str:
        """What it has grown to."""
        code, tables = (later.code - self.code) / self.used, (later.tables - self.tables) / self.used
        whole = later.used / self.used - 1
        return (
            f"{self.used:.2f} MB, then {later.used:.2f} ({100 * whole:+.1f} %: compiled code {100 * code:+.1f},"
            f" the engine's tables {100 * tables:+.1f}, what the page holds {100 * (whole - code - tables):+.1f})"
        )


async def _heap(page: Page, session: CDPSession) -> Heap:
    """What is used once all that is garbage is gone: what animations hold goes a while after they end."""
    await asyncio.sleep(1)
    for _ in range(2):
        await session.send("HeapProfiler.collectGarbage")
    used = (await metrics(session))["JSHeapUsedSize"] / 1e6
    parts: list[str] = []

    def came(event: dict[str, Any]) -> None:
        parts.append(event["chunk"])

    session.on("HeapProfiler.addHeapSnapshotChunk", came)
    await session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    session.remove_listener("HeapProfiler.addHeapSnapshotChunk", came)
    heap = json.loads("".join(parts))
    return Heap(used, _code(heap) / 1e6, _tables(heap) / 1e6)


def _code(heap: dict[str, Any]) -> int:
    """Bytes of compiled code in a heap snapshot: nodes of the type that is called so."""
    meta, nodes = heap["snapshot"]["meta"], heap["nodes"]
    fields = meta["node_fields"]
    kind, size, width = fields.index("type"), fields.index("self_size"), len(fields)
    code = meta["node_types"][kind].index("code")
    return sum(nodes[at + size] for at in range(0, len(nodes), width) if nodes[at + kind] == code)


def _tables(heap: dict[str, Any]) -> int:
    """Bytes of the tables that the engine itself holds, and no page: lists in its list of roots."""
    meta, nodes, edges = heap["snapshot"]["meta"], heap["nodes"], heap["edges"]
    fields, width, step = meta["node_fields"], len(meta["node_fields"]), len(meta["edge_fields"])
    kind, name, size, count = (fields.index(one) for one in ("type", "name", "self_size", "edge_count"))
    to, array = meta["edge_fields"].index("to_node"), meta["node_types"][kind].index("array")
    first = 0
    for at in range(0, len(nodes), width):
        after = first + step * nodes[at + count]
        if heap["strings"][nodes[at + name]] == "(Strong root list)":
            held = {edges[edge + to] for edge in range(first, after, step)}
            return sum(nodes[one + size] for one in held if nodes[one + kind] == array)
        first = after
    raise LookupError("a heap snapshot without the engine's roots")


async def memory(browser: Browser, hub: HubProcess) -> None:
    """Print what a tab holds after many moves, and after many matches."""
    table = await Table.open(hub, "dots-and-boxes", LARGEST["dots-and-boxes"])
    async with tab(browser, hub, table.players[0].token or "", f"#watch={table.match.match}") as (page, session):
        await there(page, ".match .board [data-id]")
        heaps = {}
        for number in range(MOVES + 1):
            if number in (MOVES // 10, MOVES):
                await there(page, f'.match[data-plies="{number}"]')
                heaps[number] = await _heap(page, session)
            await table.move()
        print(f"heap of a tab after {MOVES // 10} and {MOVES} moves: {heaps[MOVES // 10].grown(heaps[MOVES])}")
    await table.close()
    host = await Client.open(hub.url, "Ana")
    async with tab(browser, hub, host.token or "", "") as (page, session):
        for number in range(1, MATCHES + 1):
            match = await host.create("dots-and-boxes", both_seats=True)
            await page.evaluate("(hash) => { location.hash = hash; }", f"watch={match.match}")
            for _ in range(2):
                await host.move(match.match, match.version, match.legal[0])
                match = msgspec.structs.replace(match, version=match.version + 1, legal=match.legal[1:])
            await there(page, '.match[data-plies="2"] .board')
            await host.ask(Abandon(ref=host.ref(), match=match.match, version=match.version), Accepted)
            await there(page, '.match[data-status="ended"]')
            if number in (FIRST_MATCHES, MATCHES):
                heaps[number] = await _heap(page, session)
    print(f"heap of a tab after {FIRST_MATCHES} and {MATCHES} matches: {heaps[FIRST_MATCHES].grown(heaps[MATCHES])}")
    await host.close()
