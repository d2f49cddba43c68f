"""The five paths over ASGI, below any prefix: a game's base URL can be whatever its constant says.

Whatever happens behind, each path answers well-formed: a client that reads anything else falls silent for good. And a
caller who goes while its answer is held is noticed, so that what it was to be told is kept for its next call.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

import structlog
from starlette.types import ASGIApp, Receive, Scope, Send

from protocol.errors import OutcomeUnknown, ParlourError
from server.http.asked import asked_of
from server.http.dog import page, record, wire
from server.http.dog.gateway import Gateway
from server.http.dog.holding import Answer
from server.http.dog.record import Record
from server.http.dog.wire import BadForm, Reply

Path = Callable[[dict[str, str], asyncio.Event], Awaitable[Answer]]

_EMPTY_WHEN_DOWN = {"match": wire.NOTHING}
"""What a path says that must not say anything else when the hub cannot know: a poll during a match finds nothing."""

log = structlog.get_logger(__name__)


class _Broken(Exception):
    """The caller has gone before its form was whole."""


class Routes:
    """The gateway as an ASGI application."""

    def __init__(
        self,
        gateway: Gateway,
        render: Callable[[str, str], bytes],
        record: Callable[[str], Awaitable[Record]],
    ) -> None:
        self._render = render
        self._record = record
        self._paths: dict[str, Path] = {
            "player": gateway.player,
            "start": gateway.start,
            "started": gateway.started,
            "move": gateway.move,
            "match": gateway.match,
            "again": gateway.again,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["path"].rstrip("/").rpartition("/")[2]
        gone = asyncio.Event()
        try:
            body = await _body(receive)
        except _Broken:
            return
        except BadForm as problem:
            await _send(send, wire.problem(413, str(problem)), gone)
            return
        if name not in self._paths and scope["method"] in ("GET", "HEAD"):
            await self._page(scope, send)
            return
        if name not in self._paths or scope["method"] != "POST":
            await _send(send, wire.problem(404 if name not in self._paths else 405, "this is the DOG gateway"), gone)
            return
        watching = asyncio.create_task(_watch(receive, gone))
        try:
            answer = await self._answer(name, scope["path"], body, gone)
            if not gone.is_set():
                await _send(send, answer.reply, gone)
                await self._finish(answer)
        finally:
            watching.cancel()

    async def _answer(self, name: str, path: str, body: bytes, gone: asyncio.Event) -> Answer:
        try:
            return await self._paths[name]({**wire.fields(body), wire.TABLE: wire.table(path)}, gone)
        except BadForm as problem:
            return Answer(_EMPTY_WHEN_DOWN.get(name) or wire.problem(400, str(problem)))
        except ParlourError as error:
            status = 504 if isinstance(error, OutcomeUnknown) else 503
            return Answer(_EMPTY_WHEN_DOWN.get(name) or wire.problem(status, str(error.text)))
        except Exception:
            log.exception("the DOG gateway failed", path=name)
            return Answer(_EMPTY_WHEN_DOWN.get(name) or wire.problem(500, "something went wrong"))

    async def _page(self, scope: Scope, send: Send) -> None:
        below = wire.MOUNT if scope["path"].startswith(f"{wire.MOUNT}/") else ""
        try:
            table = wire.table(scope["path"])
            folder, _, name = table.rpartition("/")
            if folder == record.LOG:
                await self._log(name, send)
                return
        except (BadForm, ParlourError) as problem:
            await _send(send, wire.problem(404, str(problem)), asyncio.Event())
            return
        body = self._render(f"{asked_of(scope).url.removesuffix('/')}{below}/", table)
        headers = [*page.HEADERS, (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

    async def _log(self, name: str, send: Send) -> None:
        """A match whole: as a page, or as the file that `parlour dog-replay` takes."""
        found = await self._record(name.removesuffix(record.FILE))
        if name.endswith(record.FILE):
            body, headers = record.to_file(found), [(b"content-type", b"application/json"), (b"connection", b"close")]
        else:
            body, headers = page.log(found), [*page.HEADERS]
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [*headers, (b"content-length", b"%d" % len(body))],
            }
        )
        await send({"type": "http.response.body", "body": body})

    async def _finish(self, answer: Answer) -> None:
        try:
            await answer.after()
        except ParlourError as error:
            # What was served is served; that it is done is seen again at the next call.
            log.warning("the DOG gateway could not note what it served", error=str(error))


class Ports:
    """Leads to the gateway what comes to its own port, or below /dog/ to the hub's; all else to the hub's own pages."""

    def __init__(self, routes: ASGIApp, others: ASGIApp, port: int | None) -> None:
        self._routes = routes
        self._others = others
        self._port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        server = scope.get("server") or ("", None)
        ours = server[1] == self._port if self._port is not None else False
        if scope["type"] == "http" and (ours or scope["path"].startswith("/dog/")):
            await self._routes(scope, receive, send)
        else:
            await self._others(scope, receive, send)


async def _body(receive: Receive) -> bytes:
    """The request's body. Raises BadForm when it is larger than any form may be; the rest is not kept."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Broken
        part = message.get("body", b"")
        size += len(part)
        if size <= wire.MAX_FORM_BYTES:
            parts.append(part)
        if not message.get("more_body"):
            break
    if size > wire.MAX_FORM_BYTES:
        raise BadForm(f"a form has at most {wire.MAX_FORM_BYTES} bytes")
    return b"".join(parts)


async def _watch(receive: Receive, gone: asyncio.Event) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    gone.set()


async def _send(send: Send, reply: Reply, gone: asyncio.Event) -> None:
    body = json.dumps(reply.body, allow_nan=False).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        # Clients make a new connection for each call anyway.
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
