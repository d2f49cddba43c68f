"""At which addresses people open a hub that listens on a host: those to tell them when it starts."""

from __future__ import annotations

import ipaddress
import socket

_ANYWHERE = ("192.0.2.1", 9)
"""An address that is nobody's (RFC 5737). Nothing is sent: connecting a datagram socket only looks up the way."""


def to_open(host: str, port: int) -> list[str]:
    """The page's addresses, that of this machine first."""
    try:
        everywhere = ipaddress.ip_address(host).is_unspecified
    except ValueError:
        everywhere = False
    hosts = [f"[{host}]" if ":" in host else host]
    if everywhere:
        hosts = ["127.0.0.1", *(found for found in [_in_network()] if found)]
    return [f"http://{name}:{port}/" for name in hosts]


def _in_network() -> str | None:
    """This machine's address in the network through which it reaches others; None without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ANYWHERE)
        except OSError:
            return None
        found: str = probe.getsockname()[0]
    return None if ipaddress.ip_address(found).is_loopback else found
