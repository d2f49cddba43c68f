"""What a hub holds in memory for one connection, and for one match: counted in bytes of objects that it alone holds."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections import deque
from collections.abc import Callable, Iterable
from types import FunctionType, ModuleType
from typing import Any

from protocol.messages import Accepted, Ping
from server.games import load_catalogue
from server.hub.connections.connection import HubConnection
from server.hub.connections.hub import Hub
from server.match.asked import Asked
from server.match.fold import open_match
from server.match.machine import create
from server.match.record import Record
from tests.driver import Client
from tests.server.hub.connections.stand import Scenario, Stand, until

CONNECTION_BYTES = 10_000
"""Some 8,000 on Python 3.11."""
BEGUN_BYTES = 2_500
"""Some 1,950."""
SHARED = (type, ModuleType, FunctionType, Hub, asyncio.AbstractEventLoop)


def reached(roots: Iterable[Any], but: Iterable[Any] = ()) -> dict[int, Any]:
    """All objects that `roots` lead to without what is SHARED, and not by way of `but`; by id."""
    found = {id(one): one for one in but}
    ways = list(roots)
    while ways:
        one = ways.pop()
        if id(one) not in found and not isinstance(one, SHARED):
            found[id(one)] = one
            ways += gc.get_referents(one)
    return found


def held(roots: list[Any], others: list[Any]) -> list[Any]:
    """What `roots` and they alone lead to; `others` are the same for another one."""
    beside = reached(others, but=roots)
    return [*roots, *(one for key, one in reached(roots, but=others).items() if key not in beside)]


def size(objects: Iterable[Any]) -> int:
    """In bytes."""
    return sum(map(sys.getsizeof, objects))


def of(task: asyncio.Task[None]) -> HubConnection:
    """The connection that the task handles."""
    handler: Any = task.get_coro()
    connection: HubConnection = handler.cr_frame.f_locals["connection"]
    return connection


def test_a_connection_holds_little(run: Callable[[Scenario], None]) -> None:
    """It has said hello, has sent something since, and waits: object, task and all its frames."""

    async def scenario(stand: Stand) -> None:
        clients = [await Client.open(stand.url) for _ in range(2)]
        for client in clients:
            await client.ask(Ping(ref="p"), Accepted)
        first, second = stand.hub.connections
        assert isinstance(first, HubConnection)
        assert isinstance(second, HubConnection)
        tasks = {of(task): task for task in first.served.handler_tasks}
        await until(lambda: first._listens and second._listens)
        objects = held([first, tasks[first]], [second, tasks[second]])
        found.append((size(objects), [type(one) for one in objects]))
        for client in clients:
            await client.close()

    found: list[tuple[int, list[type]]] = []
    run(scenario)
    for taken, kinds in found:
        assert taken < CONNECTION_BYTES
        assert kinds.count(deque) == 1, "the queue of what came"
        assert not {set, frozenset} & {*kinds}, "nothing was missed"


def test_a_match_that_has_just_begun_holds_little() -> None:
    """No ring for events that are still to come, and no row of moves that is the same for all who have not moved."""
    catalogue = load_catalogue()

    def record(name: str) -> Record:
        created = create(catalogue["dots-and-boxes"], {}, name, Asked(name, "r", 1), seed=1)
        return Record.opened(open_match(name, created, catalogue), created, [])

    first, second = record("Ana"), record("Bob")
    assert size(held([first], [second])) < BEGUN_BYTES
    assert first.match.legal is second.match.legal
