"""Health, readiness, figures, and a page that says what this is."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

Ready = Callable[[], str | None]
"""None when the hub can serve, else what it still lacks."""

_PAGE = """This is a Parlour hub, version {version}: board games for two, over the network.

Play from a terminal:    parlour --server {host}
Is it alive?             /health
Can it serve?            /ready
Figures (Prometheus):    /metrics
"""


def application(version: str, ready: Ready) -> Starlette:
    """The Starlette application. `ready` is asked at each look at /ready."""

    async def page(request: Request) -> Response:
        return PlainTextResponse(_PAGE.format(version=version, host=request.url.netloc))

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "alive", "version": version})

    async def readiness(request: Request) -> Response:
        lacks = ready()
        if lacks is None:
            return JSONResponse({"status": "ready"})
        return JSONResponse({"status": "not ready", "reason": lacks}, status_code=503)

    async def metrics(request: Request) -> Response:
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)

    return Starlette(
        routes=[
            Route("/", page),
            Route("/health", health),
            Route("/ready", readiness),
            Route("/metrics", metrics),
        ]
    )
