"""`--inspect`: what this hub has in hand, at `/debug`, for who develops it or looks after it on its own machine.

It shows no secret (no token, no key, no position), and nobody sees it from elsewhere: a request must come from this
machine's own address and not through a proxy, which has an own address, too, and others behind it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from server.hub.connections.hub import Hub
from server.hub.limits.admission import is_own
from server.hub.rooms.keeper import Keeper

FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
MAX_ROWS = 500
"""Rooms and connections that are listed; how many there are is told beside them."""


def inspection(keeper: Keeper, hub: Hub) -> Route:
    """The one route."""

    async def debug(request: Request) -> Response:
        peer = request.client.host if request.client else ""
        if not is_own(peer) or any(name in request.headers for name in FORWARDED):
            return PlainTextResponse("Not Found\n", 404)
        return JSONResponse({"tasks": _tasks(), **_rooms(keeper), **_connections(hub)})

    return Route("/debug", debug)


def _tasks() -> list[dict[str, Any]]:
    """What the event loop has under way: how many tasks are at which line, the most frequent first."""
    return [{"at": at, "tasks": many} for at, many in Counter(map(_place, asyncio.all_tasks())).most_common()]


def _place(task: asyncio.Task[Any]) -> str:
    """Where a task waits: its own function, and the line of ours that it has come to."""
    coroutine: Any = task.get_coro()
    name = getattr(coroutine, "__qualname__", type(coroutine).__name__)
    lines = []
    while coroutine is not None:
        frame = getattr(coroutine, "cr_frame", None)
        if frame is not None:
            lines.append(f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}")
        coroutine = getattr(coroutine, "cr_await", None)
    return " ".join((name, *lines))


def _rooms(keeper: Keeper) -> dict[str, Any]:
    rooms = [
        {
            "match": room.match.id,
            "game": room.match.game.name,
            "status": room.match.status,
            "version": room.record.version,
            "followers": len(room),
            "busy": room.lock.locked(),
            "doubtful": room.doubtful,
        }
        for room in islice(keeper.rooms.values(), MAX_ROWS)
    ]
    return {"room_count": len(keeper.rooms), "rooms": rooms}


def _connections(hub: Hub) -> dict[str, Any]:
    connections: list[dict[str, Any]] = [
        {
            "player": connection.viewer.player,
            "address": connection.address,
            "outbox_bytes": connection.due_bytes,
            "lagging": connection.viewer.lagging_since is not None,
        }
        for connection in hub.connections
    ]
    connections.sort(key=lambda row: -row["outbox_bytes"])
    return {"connection_count": len(connections), "connections": connections[:MAX_ROWS]}
