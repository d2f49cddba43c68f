"""Which web pages may open a socket or change something by HTTP (`I1`): our own, and those that the operator named.

A browser says which page asks (Origin) and which address it asks (Host); a page cannot lie about either. A page is our
own when both are the same. What that alone would let in is a foreign page whose name was made to lead to a hub that
its maker cannot reach (DNS rebinding): it is its own host, too. So where a hub is asked from this machine or from
within a network of its own, it must be by an address, by a name that no stranger's name server has a say in, or by one
that the operator named. Who comes from the internet comes to a hub that is meant to be reached by all.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Collection, Sequence

_HOST = re.compile(r"([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?", re.ASCII | re.IGNORECASE)

_ORIGIN = re.compile(
    r"(?P<scheme>https?)://(?P<name>\[[\da-f:.]+\]|[^\s/?#@:\[\]\\;,*'\"%]+)(:(?P<port>[0-9]{1,5}))?/?", re.IGNORECASE
)
USUAL_PORTS = {"http": 80, "https": 443}
LAST_PORT = 65535


def may_connect(
    origins: Sequence[str], hosts: Sequence[str], named: Collection[str], *, peer: str = "", forwarded: bool = False
) -> bool:
    """Whether the page that these headers tell of may connect; a program that is no page sends no Origin.

    `named` are the origins that the operator gave, and the hub's own. `peer` is the address that the connection comes
    from, `forwarded` whether a trusted proxy says that it is not the first one (`Proxies.passed_on`).
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
    return origin == f"http://{host}" and is_own_host(host, named, peer=peer)


def canonical_origin(text: str) -> str | None:
    """An origin as browsers send it: small letters, no usual port, other alphabets as `xn--`; None for what is none."""
    found = _ORIGIN.fullmatch(text)
    if found is None:
        return None
    scheme, name, port = found["scheme"].lower(), found["name"], found["port"]
    try:
        if name.startswith("["):
            name = f"[{ipaddress.IPv6Address(name[1:-1])}]"
        else:
            name = name.encode("idna").decode().lower()
    except ValueError:
        return None
    if not _HOST.fullmatch(name) or (port is not None and not 0 < int(port) <= LAST_PORT):
        return None
    usual = port is None or int(port) == USUAL_PORTS[scheme]
    return f"{scheme}://{name}" if usual else f"{scheme}://{name}:{int(port)}"


def is_own_host(host: str, named: Collection[str], *, peer: str = "", forwarded: bool = False) -> bool:
    """Whether a hub that is asked from `peer` may be asked under this name; `named` and `forwarded` as above."""
    known = {origin.partition("://")[2].lower() for origin in named}
    return forwarded or _is_from_the_internet(peer) or is_of_this_machine(host) or host.lower() in known


def is_host(host: str) -> bool:
    """Whether a Host header is a name or an address, with a port or without."""
    return _HOST.fullmatch(host) is not None


def _is_from_the_internet(peer: str) -> bool:
    try:
        return ipaddress.ip_address(peer.partition("%")[0]).is_global
    except ValueError:
        return False


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
        return (
            "." not in name or name == own or name.endswith((".local", ".localhost", ".internal", ".lan", ".home.arpa"))
        )
    return True
