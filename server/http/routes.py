"""Everything that is served over plain HTTP: the API, health, readiness, figures, and the page that plays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from http import HTTPStatus

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from server.http.api.documents import document_routes
from server.http.api.handlers import Handlers
from server.http.api.problems import plain_problem
from server.http.api.routes import PREFIX, routes
from server.http.asked import CALLER, Caller, public_of
from server.http.figures import Figures
from server.http.nothing_here import is_for_a_person, nothing_here
from server.http.page import Page
from server.hub.connections.handshake import PATH
from server.hub.metrics import TASKS

Ready = Callable[[], str | None]
"""None when the hub can serve, else what it still lacks."""
NO_UPGRADE = (
    "WebSockets are here. A client's request came without its upgrade: the proxy in between does not pass that on.\n"
)
MAX_HEADERS = 100
"""Header fields of one request (`H18`); browsers behind proxies send some 30."""


def application(
    version: str, ready: Ready, handlers: Handlers, page: Page, figures: Figures, further: Sequence[Route] = ()
) -> ASGIApp:
    """The application. `ready` is asked at each look at /ready; `further` routes are those of the boards of forms,
    and those that an option adds."""

    async def health(request: Request) -> Response:
        # Besides, how the request was seen: that is what `parlour-server admin doctor` looks at through a proxy.
        caller: Caller = request.scope[CALLER]
        return JSONResponse(
            {"status": "alive", "version": version, "url": public_of(request.scope).url, "caller": caller._asdict()}
        )

    async def readiness(request: Request) -> Response:
        lacks = ready()
        if lacks is None:
            return JSONResponse({"status": "ready"})
        return JSONResponse({"status": "not ready", "reason": lacks}, status_code=503)

    async def metrics(request: Request) -> Response:
        TASKS.set(len(asyncio.all_tasks()))
        return Response(generate_latest() + await figures.text(ready), media_type=CONTENT_TYPE_LATEST)

    async def upgrade(request: Request) -> Response:
        headers = {"upgrade": "websocket", "connection": "upgrade"}
        return PlainTextResponse(NO_UPGRADE, HTTPStatus.UPGRADE_REQUIRED, headers)

    app = Starlette(
        routes=[
            *page.routes(),
            Route(PATH, upgrade),
            Route("/health", health),
            Route("/ready", readiness),
            Route("/metrics", metrics),
            *routes(handlers),
            *document_routes(version, handlers.catalogue),
            *further,
        ],
        exception_handlers={HTTPException: _by_http},
    )
    # A path with a slash too many is another path: being sent elsewhere only hides a mistake.
    app.router.redirect_slashes = False
    return _few_headers(app)


async def _by_http(request: Request, error: Exception) -> Response:
    """Unknown paths and wrong methods: as problem details below the API, elsewhere as a line of text or a page."""
    assert isinstance(error, HTTPException)
    if request.url.path.startswith(PREFIX + "/"):
        return plain_problem(error.status_code, error.headers)
    if error.status_code == HTTPStatus.NOT_FOUND and is_for_a_person(request):
        return nothing_here(request, error.status_code)
    return PlainTextResponse(error.detail + "\n", error.status_code, error.headers)


def _few_headers(app: ASGIApp) -> ASGIApp:
    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and len(scope["headers"]) > MAX_HEADERS:
            await plain_problem(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)(scope, receive, send)
        else:
            await app(scope, receive, send)

    return guarded
