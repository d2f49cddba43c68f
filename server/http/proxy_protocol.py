"""The PROXY protocol, versions 1 and 2: whom a proxy that does not read HTTP speaks for, said before anything else.

Specified by HAProxy (https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt). Which connections begin with it is
known beforehand and never guessed, for a client could write it as well as a proxy.
"""

from __future__ import annotations

import ipaddress
import socket
import struct
from typing import NamedTuple

from server.hub.limits.proxies import UNREADABLE

SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
"""What version 2 begins with."""
MAX_LINE = 107
"""Bytes of the longest line of version 1, with its end."""
MAX_HEADER = 4096
"""Bytes of version 2: addresses, and what proxies add about TLS; the protocol would allow 65,551."""
_HEAD = struct.Struct("!12sBBH")
_LOCAL, _PROXY = 0x20, 0x21
_BY_TCP = {0x11: (socket.AF_INET, 4), 0x21: (socket.AF_INET6, 16)}
"""Families with what their addresses take; each header has two of them, and two ports."""
_PORTS = 4


class Announced(NamedTuple):
    """Who is announced: `address` is None for the proxy itself (its look whether we live). `rest` is what follows."""

    address: str | None
    rest: bytes


def read(data: bytes) -> Announced | None:
    """What a connection begins with; None while not all of it has come. Raises ValueError when it is something else.

    Who is announced without an address that could be read counts for UNREADABLE.
    """
    if data[: len(SIGNATURE)] == SIGNATURE[: len(data)]:
        return _second(data)
    if data[:6] == b"PROXY "[: len(data)]:
        return _first(data)
    raise ValueError("a connection of this proxy begins with a PROXY header")


def _first(data: bytes) -> Announced | None:
    line, end, rest = data.partition(b"\r\n")
    if not end:
        if len(data) >= MAX_LINE:
            raise ValueError("a line of the PROXY protocol that does not end")
        return None
    if len(line) + len(end) > MAX_LINE:
        raise ValueError("a line of the PROXY protocol that is too long")
    words = line.decode("ascii", errors="replace").split(" ")
    if words[1] == "UNKNOWN":
        return Announced(UNREADABLE, rest)
    version = {"TCP4": 4, "TCP6": 6}.get(words[1])
    if version is None or len(words) != 6:
        raise ValueError("no line of the PROXY protocol")
    # The other end is only looked at: half a line is no line.
    found, _ = ipaddress.ip_address(words[2]), ipaddress.ip_address(words[3])
    if found.version != version or not all(port.isascii() and port.isdigit() for port in words[4:]):
        raise ValueError("no line of the PROXY protocol")
    return Announced(str(found), rest)


def _second(data: bytes) -> Announced | None:
    if len(data) < _HEAD.size:
        return None
    _, command, family, length = _HEAD.unpack_from(data)
    if command not in (_LOCAL, _PROXY) or length > MAX_HEADER:
        raise ValueError("no header of the PROXY protocol")
    end = _HEAD.size + length
    if len(data) < end:
        return None
    rest = data[end:]
    if command == _LOCAL:
        return Announced(None, rest)
    if family not in _BY_TCP:
        return Announced(UNREADABLE, rest)
    kind, size = _BY_TCP[family]
    if length < 2 * size + _PORTS:
        raise ValueError("a header of the PROXY protocol without its addresses")
    return Announced(socket.inet_ntop(kind, data[_HEAD.size : _HEAD.size + size]), rest)
