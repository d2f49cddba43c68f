"""The documents about the API, made once, when somebody asks: for programs (OpenAPI, AsyncAPI) and for people."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import cache, lru_cache
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
from server.http.asked import public_of
from server.hub.connections.public import PublicAddress

_HEADERS = {"cache-control": "max-age=300"}
_ADDRESS_HEADERS = {"cache-control": "private, max-age=300"}
"""It names the address that was asked for: nobody else's."""
ADDRESSES_KEPT = 4
_PAGE_HEADERS = {**_HEADERS, "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}


def document_routes(version: str, games: Iterable[str]) -> list[Route]:
    """`/api/openapi.json`, `/api/asyncapi.json` and `/api/docs`."""
    offered = tuple(games)

    @cache
    def described() -> dict[str, Any]:
        return openapi(version, offered)

    @cache
    def described_socket() -> dict[str, Any]:
        return asyncapi(version)

    html = "text/html; charset=utf-8"
    return [
        Route(
            f"{PREFIX}/openapi.json",
            _made_for(lambda at: _json(described() | {"servers": [{"url": at.url.removesuffix("/")}]})),
        ),
        Route(
            f"{PREFIX}/asyncapi.json",
            _made_for(lambda at: _json(described_socket() | {"servers": {"hub": _socket_at(at)}})),
        ),
        Route(f"{PREFIX}/docs", _made_once(lambda: page(described()).encode(), html, _PAGE_HEADERS)),
    ]


def _socket_at(address: PublicAddress) -> dict[str, str]:
    told = {"host": address.host, "protocol": "wss" if address.scheme == "https" else "ws"}
    return told | ({"pathname": address.path} if address.path else {})


def _json(document: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=1)


def _made_for(make: Callable[[PublicAddress], bytes]) -> Callable[[Request], Awaitable[Response]]:
    """Made for each address under which the hub is reached, of which the last ones are kept."""
    made = lru_cache(ADDRESSES_KEPT)(make)

    async def serve(request: Request) -> Response:
        content = await asyncio.to_thread(made, public_of(request.scope))
        return Response(content, headers=_ADDRESS_HEADERS, media_type=JSON)

    return serve


def _made_once(
    make: Callable[[], bytes], media_type: str, headers: dict[str, str] = _HEADERS
) -> Callable[[Request], Awaitable[Response]]:
    """Making one takes longer than a move may wait, so the loop does not; who asks meanwhile may have it made twice."""
    content = cache(make)

    async def serve(request: Request) -> Response:
        return Response(await asyncio.to_thread(content), headers=headers, media_type=media_type)

    return serve
