"""What systemd hands to a service and wants to hear from it: sockets that listen already, and how it is.

Both are documented in sd_listen_fds(3) and sd_notify(3). Elsewhere none of the variables is there, and nothing is done.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import NamedTuple

from server.listening import Listening, StartError

FIRST = 3
"""The first descriptor that is handed over; the others follow."""
ABSTRACT = "@"


class Systemd(NamedTuple):
    """`sockets` is how many are handed over, `notify` where to tell how we are, `watchdog_s` in which time again."""

    sockets: int = 0
    notify: str = ""
    watchdog_s: float = 0.0


def by_systemd(environment: Mapping[str, str], pid: int) -> Systemd:
    """What the environment of the process with this id says; what was meant for another process counts for nothing."""

    def number(name: str) -> int:
        value = environment.get(name, "")
        return int(value) if value.isascii() and value.isdigit() else 0

    sockets = number("LISTEN_FDS") if number("LISTEN_PID") == pid else 0
    watched = environment.get("WATCHDOG_PID", str(pid)) == str(pid)
    return Systemd(sockets, environment.get("NOTIFY_SOCKET", ""), number("WATCHDOG_USEC") / 1e6 if watched else 0.0)


def forget_systemd(environment: MutableMapping[str, str]) -> None:
    """So that no process that we start takes what was for us for its own."""
    for name in ("LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"):
        environment.pop(name, None)


@contextmanager
def handed_over(count: int) -> Iterator[Listening]:
    """The sockets that were handed over. Raises StartError when one is none that listens."""
    with contextlib.ExitStack() as opened:
        sockets = tuple(opened.enter_context(_taken(FIRST + place)) for place in range(count))
        ports = [one.getsockname()[1] for one in sockets if one.family in (socket.AF_INET, socket.AF_INET6)]
        yield Listening(sockets, ports[0] if ports else 0, " and ".join(_name(one) for one in sockets))


def _taken(descriptor: int) -> socket.socket:
    try:
        os.set_inheritable(descriptor, False)
        one = socket.socket(fileno=descriptor)
        listens = one.type == socket.SOCK_STREAM and one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    except OSError as error:
        raise StartError(f"Descriptor {descriptor}, which was handed over, is no socket: {error.strerror}") from None
    if not listens:
        one.close()
        raise StartError(f"Descriptor {descriptor}, which was handed over, does not listen for connections")
    one.setblocking(False)
    return one


def _name(one: socket.socket) -> str:
    name = one.getsockname()
    if isinstance(name, tuple):
        return f"http://{f'[{name[0]}]' if ':' in name[0] else name[0]}:{name[1]}"
    return f"unix:{name}"


def tell(where: str, words: str) -> None:
    """Tell systemd, if it wants to be told: READY=1, STOPPING=1, WATCHDOG=1. Nothing depends on its hearing it."""
    if where:
        address = f"\0{where[1:]}" if where.startswith(ABSTRACT) else where
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
            link.setblocking(False)
            link.sendto(words.encode(), address)


async def keep_telling(told: Systemd) -> None:
    """Be heard in time, from the loop that serves: one that stands still is heard no more, and started anew."""
    while told.watchdog_s:
        tell(told.notify, "WATCHDOG=1")
        await asyncio.sleep(told.watchdog_s / 3)
