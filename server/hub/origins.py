"""Which web pages may open a socket (`I1`): our own, wherever a hub is reached, and those that the operator named.

A browser says which page a socket is opened by (Origin) and which address it connects to (Host); a page cannot lie
about either. A page is our own when both are the same. What that alone would let in is a foreign page whose name
was made to lead to this machine (DNS rebinding): it is its own host, too. So a socket that comes straight from this
machine must be for a name that only this machine can mean; one that comes by a proxy or over a network reaches a hub
that is meant to be reached.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Collection, Sequence

from server.hub.gates import is_own

_HOST = re.compile(r"([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?", re.ASCII | re.IGNORECASE)


def may_connect(
    origins: Sequence[str], hosts: Sequence[str], named: Collection[str], *, peer: str = "", forwarded: bool = False
) -> bool:
    """Whether the page that these headers tell of may connect; a program that is no page sends no Origin.

    `named` are the origins that the operator gave, and the hub's own. `peer` is the address that the connection comes
    from, `forwarded` whether a proxy says that it is not the first one.
    """
    if not origins:
        return True
    if len(origins) > 1 or len(hosts) != 1:
        return False
    origin, host = origins[0], hosts[0].lower()
    if origin in named:
        return True
    if not _HOST.fullmatch(host):
        return False
    if forwarded:
        return origin in (f"http://{host}", f"https://{host}")
    # TLS ends at a proxy, so without one no page of ours came by https.
    return origin == f"http://{host}" and (not is_own(peer) or is_of_this_machine(host))


def is_of_this_machine(host: str) -> bool:
    """Whether a Host header names this machine in a way that no stranger's name server can have a say in."""
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    name = found[1].strip("[]").lower()
    try:
        ipaddress.ip_address(name)
    except ValueError:
        # Names without a dot, and these endings, are never asked for outside of one's own network.
        own = socket.gethostname().lower()
        return "." not in name or name == own or name.endswith((".local", ".localhost", ".lan", ".home.arpa"))
    return True
