"""Whose connection it is that comes through proxies: what they write of it, in all the forms that they use.

Each proxy adds at the right whom it speaks for, and anybody can write what stands further to the left. So it is read
from the right, for as long as trusted proxies vouch for what stands there.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence

from server.hub.limits.admission import home

UNREADABLE = "unreadable"
"""For whom all count together of whom a trusted proxy says nothing that can be read: limited like one address."""
UNIX = "unix"
"""Stands for whoever comes by a Unix socket, who has no address: the peer ""."""
MAX_HOPS = 100
"""More are nobody's chain of proxies."""
_BRACKETS = re.compile(r"\[([^\[\]]+)\](?::[\w.-]+)?", re.ASCII)
_WITH_PORT = re.compile(r"([\d.]+):[\w.-]+", re.ASCII)
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Proxies:
    """The proxies whose word is believed, by address or network, or UNIX: the one list of them.

    Raises ValueError for what is neither.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        named = list(texts)
        self._by_unix = UNIX in named
        self._networks: tuple[Network, ...] = tuple(
            ipaddress.ip_network(text, strict=False) for text in named if text != UNIX
        )

    def __contains__(self, address: object) -> bool:
        if address == "":
            return self._by_unix
        found = _parsed(str(address)) if self._networks else None
        return found is not None and any(found in network for network in self._networks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Proxies) and self._all() == other._all()

    def __hash__(self) -> int:
        return hash(self._all())

    def _all(self) -> tuple[bool, frozenset[Network]]:
        return self._by_unix, frozenset(self._networks)

    def client(self, peer: str, x_forwarded_for: Sequence[str], forwarded: Sequence[str] = ()) -> str:
        """What the connection from `peer` counts for: the address that trusted proxies name, or the peer's own.

        The last two are the values of the headers `X-Forwarded-For` and `Forwarded`. A proxy that writes one passes on
        what a client has written into the other: where they differ, neither is believed.
        """
        if peer not in self:
            return home(peer)
        found = {self._named(hops) for hops in (_simple(x_forwarded_for), _standard(forwarded)) if hops is not None}
        return home(peer) if not found else found.pop() if len(found) == 1 else UNREADABLE

    def passed_on(self, peer: str, x_forwarded_for: Sequence[str], forwarded: Sequence[str] = ()) -> bool:
        """Whether a trusted proxy says that what comes from `peer` has come from elsewhere.

        Anybody can write these headers, a page that was made its own host among them: from others they say nothing.
        """
        return bool(x_forwarded_for or forwarded) and peer in self

    def spoken(self, forwarded: Sequence[str]) -> dict[str, str]:
        """What the outermost trusted proxy says in `Forwarded` of what it was asked (`host`, `proto`); {} without."""
        said: dict[str, str] = {}
        for element in _elements(forwarded)[: -MAX_HOPS - 1 : -1]:
            said = element
            address = address_of(element.get("for", ""))
            if address is None or address not in self:
                break
        return said

    def _named(self, hops: Sequence[str]) -> str:
        address = UNREADABLE
        for hop in list(reversed(hops))[:MAX_HOPS]:
            named = address_of(hop)
            if named is None:
                return UNREADABLE
            address = home(named)
            if named not in self:
                return address
        return address


def address_of(text: str) -> str | None:
    """The address in what a proxy writes, without brackets and port; None for `unknown`, `_hidden` and nonsense.

    >>> address_of("[2001:db8::1]:4711"), address_of("192.0.2.1:_p"), address_of("unknown")
    ('2001:db8::1', '192.0.2.1', None)
    """
    text = text.strip()
    found = _BRACKETS.fullmatch(text) or _WITH_PORT.fullmatch(text)
    address = found[1] if found else text
    return address if _parsed(address) is not None else None


def _parsed(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _simple(values: Sequence[str]) -> list[str] | None:
    """The hops of X-Forwarded-For; None without one."""
    return ",".join(values).split(",") if values else None


def _standard(values: Sequence[str]) -> list[str] | None:
    """The hops of Forwarded (RFC 7239), "" for those that cannot be read; None without one."""
    return [element.get("for", "") for element in _elements(values)] if values else None


def _elements(values: Sequence[str]) -> list[dict[str, str]]:
    """What each proxy has written into Forwarded; what one says twice it does not say."""
    return [_pairs(element) for element in _split(",".join(values), ",")] if values else []


def _pairs(element: str) -> dict[str, str]:
    pairs = [pair.partition("=") for pair in _split(element, ";")]
    names = [name.strip().lower() for name, _, _ in pairs]
    return {
        name: _unquoted(value.strip())
        for name, (_, _, value) in zip(names, pairs, strict=True)
        if names.count(name) == 1
    }


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] == '"'
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if quoted else value


def _split(text: str, mark: str) -> list[str]:
    """The parts between marks that are not quoted; a quotation that does not end leaves nothing readable."""
    parts, start, quoted, escaped = [], 0, False, False
    for place, character in enumerate(text):
        if escaped:
            escaped = False
        elif quoted and character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif character == mark and not quoted:
            parts.append(text[start:place])
            start = place + 1
    return [""] if quoted else [*parts, text[start:]]
