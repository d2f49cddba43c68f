"""The doctor's look at the way to the hub, as people have it: through whatever proxies are before it."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.typing import Subprotocol

from protocol.limits import SUBPROTOCOL_MSGPACK
from server.admin.doctor.findings import Finding
from server.hub.connections.public import PublicAddress

WAIT_S = 10.0
MADE_UP = "192.0.2.77"
"""An address that nobody has (RFC 5737), which only the one who asks has written."""
MAX_BYTES = 64 * 1024


async def examine(address: PublicAddress) -> AsyncIterator[Finding]:
    """What is found at the address that people are given, one after the other."""
    try:
        health = await asyncio.to_thread(_health, address)
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        yield Finding(
            "address", False, f"No hub answers at {address.url}health ({reason}): look at the proxy's own log."
        )
        return
    seen, caller = str(health.get("url", "")), health.get("caller", {})
    if seen == address.url:
        yield Finding("address", True, f"The hub (release {health.get('version')}) knows that it is at {seen}")
    else:
        yield Finding(
            "address", False,
            f"The hub takes itself to be at {seen}: have the proxy pass on Host, X-Forwarded-Proto and, below a path,"
            f" X-Forwarded-Prefix, and name it by --proxy; or give the hub --public-url {address.url}",
        )  # fmt: skip
    yield _callers(address, caller)
    yield await _made_up(address)
    yield await _sockets(address)


def _callers(address: PublicAddress, caller: dict[str, Any]) -> Finding:
    if caller.get("named") and not caller.get("believed"):
        return Finding(
            "callers", False,
            "A proxy names whom it speaks for, and the hub does not believe it: all of them count as"
            f" {caller['address']}. Name the proxy by --proxy.",
        )  # fmt: skip
    if address.scheme == "https" and not caller.get("named"):
        return Finding(
            "callers",
            False,
            f"The proxy does not name whom it speaks for, so all count as {caller.get('address')}: have it add"
            " X-Forwarded-For.",
        )
    return Finding("callers", True, f"This request counts for {caller.get('address')}.")


async def _made_up(address: PublicAddress) -> Finding:
    health = await asyncio.to_thread(_health, address, {"X-Forwarded-For": MADE_UP})
    if health.get("caller", {}).get("address") == MADE_UP:
        return Finding(
            "claims", False,
            "Whoever writes an address into X-Forwarded-For counts for that one: have the proxy put the client's own"
            " behind it or in its place, and name nothing but proxies by --proxy.",
        )  # fmt: skip
    return Finding("claims", True, "An address that a client makes up is not believed.")


async def _sockets(address: PublicAddress) -> Finding:
    url = f"{address.url.replace('http', 'ws', 1)}ws"
    try:
        async with connect(url, subprotocols=[Subprotocol(SUBPROTOCOL_MSGPACK)], open_timeout=WAIT_S) as link:
            if link.subprotocol != SUBPROTOCOL_MSGPACK:
                return Finding("sockets", False, f"What answers at {url} is no hub.")
    except InvalidStatus as error:
        status = error.response.status_code
        why = (
            "have the proxy pass the upgrade on (Connection and Upgrade)" if status == HTTPStatus.UPGRADE_REQUIRED
            else "look at the proxy's own log"
        )  # fmt: skip
        return Finding("sockets", False, f"{url} answers {status}: {why}.")
    except (OSError, TimeoutError, WebSocketException) as error:
        return Finding("sockets", False, f"No connection to {url}: {error}.")
    return Finding("sockets", True, f"WebSockets get through to {url}")


def _health(address: PublicAddress, headers: dict[str, str] | None = None) -> dict[str, Any]:
    request = urllib.request.Request(f"{address.url}health", headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
            found = json.loads(answer.read(MAX_BYTES))
    except urllib.error.HTTPError as error:
        raise ValueError(f"status {error.code}") from None
    if not isinstance(found, dict) or found.get("status") != "alive":
        raise ValueError("something else answers")
    return found
