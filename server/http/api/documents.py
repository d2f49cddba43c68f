"""The documents about the API, made once: for programs (OpenAPI, AsyncAPI) and for people."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
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
    described = openapi(version, games)
    return [
        Route(f"{PREFIX}/openapi.json", _fixed(_json(described), JSON)),
        Route(f"{PREFIX}/asyncapi.json", _fixed(_json(asyncapi(version)), JSON)),
        Route(f"{PREFIX}/docs", _fixed(page(described).encode(), "text/html; charset=utf-8", _PAGE_HEADERS)),
    ]


def _json(document: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=1)


def _fixed(
    content: bytes, media_type: str, headers: dict[str, str] = _HEADERS
) -> Callable[[Request], Awaitable[Response]]:
    async def serve(request: Request) -> Response:
        return Response(content, headers=headers, media_type=media_type)

    return serve
