"""Taking a port: on all addresses of the host, exclusively and at once, so that what is said afterwards is true."""

from __future__ import annotations

import errno
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

BACKLOG = 1024
FREE_PORT_TRIES = 20
"""How often another free port is looked for, when the one that one address has got is taken at the next."""
LET_GO_TRIES, LET_GO_S = 10, 0.05
"""How often, and after how long each time, a port is tried again that is taken: a hub that was killed as it started a
process has left it to that process, until it has become another program."""
NOT_HERE = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT)
"""This machine has no such address: `localhost` may name ::1 where there is no IPv6."""


class StartError(Exception):
    """The hub cannot start; the text says why."""


class Listening(NamedTuple):
    """Sockets that listen, all on the same port, which is 0 for those without one. `at` names them in words."""

    sockets: tuple[socket.socket, ...]
    port: int
    at: str


class Address(NamedTuple):
    """One of a host's addresses, as the system writes it, without a port."""

    family: int
    name: str
    rest: tuple[Any, ...]


@contextmanager
def listen(host: str, port: int, wait: Callable[[float], None] = time.sleep) -> Iterator[Listening]:
    """Listen on every address of `host`; port 0 stands for one that is free on all of them.

    One that is taken is tried again for half a second; `wait` (s) is called in between.

    Raises StartError, with a sentence, when it cannot be had on one of them: two hubs never share a port, for it is
    taken by listening, not by its name alone.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise _refused(host, port, error) from None
    addresses = list(dict.fromkeys(Address(family, str(at[0]), at[2:]) for family, _, _, _, at in found))
    with ExitStack() as opened:
        yield _take(opened, host, port, addresses, wait)


def _take(
    opened: ExitStack, host: str, port: int, addresses: list[Address], wait: Callable[[float], None]
) -> Listening:
    tries = LET_GO_TRIES if port else FREE_PORT_TRIES
    while True:
        with ExitStack() as attempt:
            try:
                sockets = _try(attempt, port, addresses)
            except OSError as error:
                tries -= 1
                if error.errno != errno.EADDRINUSE or (port and not tries):
                    raise _refused(host, port, error) from None
                if not tries:
                    raise StartError(f"Cannot find a port that is free on all addresses of {host}") from None
            else:
                opened.push(attempt.pop_all())
                found = sockets[0].getsockname()[1]
                return Listening(tuple(sockets), found, f"http://{host}:{found}")
        if port:
            wait(LET_GO_S)


def _try(attempt: ExitStack, port: int, addresses: list[Address]) -> list[socket.socket]:
    sockets: list[socket.socket] = []
    missing = OSError(errno.EADDRNOTAVAIL, "there is no such address here")
    for address in addresses:
        try:
            number = sockets[0].getsockname()[1] if sockets else port
            sockets.append(_one(attempt, address, number, alone=len(addresses) == 1))
        except OSError as error:
            if error.errno not in NOT_HERE:
                raise
            missing = error
    if not sockets:
        raise missing
    return sockets


def _one(attempt: ExitStack, address: Address, port: int, *, alone: bool) -> socket.socket:
    listener = attempt.enter_context(socket.socket(address.family, socket.SOCK_STREAM))
    # So that a hub can start again while connections of the one before it are being forgotten.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if address.family == socket.AF_INET6:
        # `::` alone means everybody; beside an IPv4 address each has a socket of its own.
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0 if alone and address.name == "::" else 1)
    listener.bind((address.name, port, *address.rest))
    listener.listen(BACKLOG)
    listener.setblocking(False)
    return listener


def _refused(host: str, port: int, error: OSError) -> StartError:
    if error.errno == errno.EADDRINUSE:
        return StartError(
            f"Cannot listen on {host} port {port}: something else, perhaps another hub, listens there already."
            " Give another port: --port"
        )
    return StartError(f"Cannot listen on {host} port {port}: {error.strerror or error}")
