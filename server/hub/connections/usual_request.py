"""The usual request for a WebSocket, read and judged in one step where it comes whole (RFC 6455, 4.1 and 4.2).

The parser of HTTP and the library's handshake read every request, one after the other, in some 200 calls of Python. A
client's own has no body, one line for each header that counts, and nothing in it that could be read in two ways:
`take_up` does what both of them come to. Whatever is not like that, or would be refused, is left to them, and what they
say holds; nothing was counted or answered by then.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from websockets.utils import accept_key

from protocol.codec import CODECS
from server.hub.connections.handshake import NotWelcome, welcome
from server.hub.connections.hub import Hub

MOST_BYTES = 4_096
"""Browsers' requests have some 600, and more with cookies of others who share the name."""
_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_LIST = re.compile(rf"{_TOKEN}(?:, ?{_TOKEN})*")
_LINE = rf"{_TOKEN}: [\t -~\x80-\xff]*\r\n"
_REQUEST = re.compile(rf"GET (/[!-~]*) HTTP/1\.1\r\n((?:{_LINE})+)\r\n")
_HEADER = re.compile(r"([^:\r]+): ([^\r]*)\r\n")
_KEY = re.compile(r"[A-Za-z0-9+/]{22}==")
"""Sixteen bytes in base 64."""
_OF_A_BODY = ("content-length", "transfer-encoding", "expect")

Headers = dict[str, list[str]]


class TakenUp(NamedTuple):
    """A request that is granted: the address that the connection counts for, the subprotocol, the head to answer with.

    The answer ends within its headers: whatever else it is to have comes behind, and an empty line.
    """

    address: str
    subprotocol: str | None
    answer: bytes


def take_up(data: bytes, peer: str, hub: Hub) -> TakenUp | None:
    """What `data` asks for, if it is such a request and nothing else, and welcome; it is counted then."""
    found = _REQUEST.fullmatch(data.decode("latin-1")) if len(data) <= MOST_BYTES else None
    if found is None:
        return None
    headers: Headers = {}
    for name, value in _HEADER.findall(found[2]):
        headers.setdefault(name.lower(), []).append(value.strip(" \t"))
    offered = _alone(headers, "sec-websocket-protocol") if "sec-websocket-protocol" in headers else ""
    if not _asks_for_a_websocket(headers) or (offered and not _LIST.fullmatch(offered)):
        return None
    try:
        address = welcome(found[1], lambda name: headers.get(name, ()), peer, hub)
    except NotWelcome:
        return None
    subprotocol = next((name for name in offered.replace(" ", "").split(",") if name in CODECS), None)
    return TakenUp(address, subprotocol, _answer(headers["sec-websocket-key"][0], subprotocol))


def _alone(headers: Headers, name: str) -> str:
    """The value of a header that is there once; what is no value of any that counts if it is not."""
    values = headers.get(name, ())
    return values[0] if len(values) == 1 else "?"


def _asks_for_a_websocket(headers: Headers) -> bool:
    connection = _alone(headers, "connection").lower()
    return (
        _alone(headers, "upgrade").lower() == "websocket"
        and _alone(headers, "sec-websocket-version") == "13"
        and _KEY.fullmatch(_alone(headers, "sec-websocket-key")) is not None
        and _LIST.fullmatch(connection) is not None
        and "upgrade" in connection.replace(" ", "").split(",")
        and not any(name in headers for name in _OF_A_BODY)
    )


def _answer(key: str, subprotocol: str | None) -> bytes:
    chosen = f"Sec-WebSocket-Protocol: {subprotocol}\r\n" if subprotocol else ""
    return (
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Accept: {accept_key(key)}\r\n{chosen}"
    ).encode()
