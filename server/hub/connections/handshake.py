"""Who may open a WebSocket here: judged by its request alone, before anything is kept for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from http import HTTPStatus

from protocol.codec import CODECS
from server.hub.connections.hub import Hub
from server.hub.connections.origins import is_host, may_connect
from server.hub.connections.public import asked_for
from server.hub.limits.admission import is_own

PATH = "/ws"
PARLOUR = "parlour."
"""What the names of our subprotocols begin with, in every version."""


class NotWelcome(Exception):
    """The answer to a request that is not taken up: an HTTP status, and a line for whoever reads it."""

    def __init__(self, status: HTTPStatus, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = f"{text}\n"


def welcome(path: str, header: Callable[[str], Sequence[str]], peer: str, hub: Hub) -> str:
    """The address that the connection counts for. `header` has the values of one by its name in small letters.

    Raises NotWelcome, and then nothing was counted.
    """
    if path.partition("?")[0] != PATH:
        raise NotWelcome(HTTPStatus.NOT_FOUND, f"WebSockets are at {PATH}")
    origins, hosts, simple, standard = header("origin"), header("host"), header("x-forwarded-for"), header("forwarded")
    if len(hosts) != 1 or not is_host(hosts[0]):
        raise NotWelcome(HTTPStatus.BAD_REQUEST, "One Host header says which server is meant.")
    proxied = hub.proxies.passed_on(peer, simple, standard)
    asked = asked_for(hub.proxies, peer, header)
    if not may_connect(origins, [asked.host], hub.origins, peer=peer, forwarded=proxied):
        raise NotWelcome(HTTPStatus.FORBIDDEN, "This origin is not allowed here.")
    if not _speaks_ours(header("sec-websocket-protocol")):
        raise NotWelcome(HTTPStatus.NOT_ACCEPTABLE, f"This server speaks {' and '.join(CODECS)} alone.")
    if hub.stopping:
        raise NotWelcome(HTTPStatus.SERVICE_UNAVAILABLE, "The server is stopping.")
    address = hub.proxies.client(peer, simple, standard)
    if not is_own(address) and hub.addresses.full(address):
        raise NotWelcome(HTTPStatus.TOO_MANY_REQUESTS, "There are too many connections from your address.")
    if not hub.service.rate_limiter.may_connect(address):
        raise NotWelcome(HTTPStatus.TOO_MANY_REQUESTS, "Too much is asked for from your address.")
    return address


def _speaks_ours(offered: Sequence[str]) -> bool:
    """Whether one who speaks Parlour speaks a version that is known here; who names none is taken for a program."""
    names = [name.strip() for line in offered for name in line.split(",")]
    versions = [name for name in names if name.startswith(PARLOUR)]
    return not versions or any(name in CODECS for name in versions)
