"""The documents about the API, made once, when somebody asks: for programs (OpenAPI, AsyncAPI) and for people."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from protocol.schema_asyncapi import asyncapi
from server.http.api.page import page
from server.http.api.requests import JSON
from server.http.api.routes import PREFIX
from server.http.api.schema import openapi

_HEADERS = {"cache-control": "max-age=300"}
_PAGE_HEADERS = {**_HEADERS, "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}


def document_routes(version: str, games: Iterable[str]) -> list[Route]:
    """`/api/openapi.json`, `/api/asyncapi.json` and `/api/docs`."""
    offered = tuple(games)

    @cache
    def described() -> dict[str, Any]:
        return openapi(version, offered)

    html = "text/html; charset=utf-8"
    return [
        Route(f"{PREFIX}/openapi.json", _made_once(lambda: _json(described()), JSON)),
        Route(f"{PREFIX}/asyncapi.json", _made_once(lambda: _json(asyncapi(version)), JSON)),
        Route(f"{PREFIX}/docs", _made_once(lambda: page(described()).encode(), html, _PAGE_HEADERS)),
    ]


def _json(document: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=1)


def _made_once(
    make: Callable[[], bytes], media_type: str, headers: dict[str, str] = _HEADERS
) -> Callable[[Request], Awaitable[Response]]:
    """Making one takes longer than a move may wait, so the loop does not; who asks meanwhile may have it made twice."""
    content = cache(make)

    async def serve(request: Request) -> Response:
        return Response(await asyncio.to_thread(content), headers=headers, media_type=media_type)

    return serve
