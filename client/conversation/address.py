"""Where a server is: what a person types, and the WebSocket address that it stands for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv6Address
from urllib.parse import SplitResult, urlsplit

from client.conversation.cleaning import plain

DEFAULT_PORT = 7878
DEFAULT_HOST = "127.0.0.1"
ENDPOINT = "/ws"

_SCHEMES = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
MAX_HOST = 253
"""Characters of a host's name, as DNS has it; 63 for each label."""
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?", re.ASCII)
_PATH = re.compile(r"[!-~]*", re.ASCII)
MAX_SHOWN = 60
"""Characters of what was typed that a sentence repeats."""


class BadAddress(ValueError):
    """What was typed is no address; the text says what is expected."""


@dataclass(frozen=True)
class Address:
    """A server's address: `url` is what a socket connects to, `label` is what a person reads."""

    url: str
    label: str
    host: str
    port: int
    scheme: str = "ws"

    @property
    def is_loopback(self) -> bool:
        """Whether the server is on this machine, so that no proxy is asked."""
        return self.host in _LOOPBACK

    @property
    def page(self) -> str:
        """The address of the server's page, to be opened in a browser."""
        web = {"ws": "http", "wss": "https"}[self.scheme]
        return f"{web}{self.url.removeprefix(self.scheme).removesuffix(ENDPOINT)}/"


def parse_address(typed: str) -> Address:
    """The address in `typed`: `host`, `host:port`, or a `ws`, `wss`, `http` or `https` address.

    A bare host gets port 7878, a full address its scheme's own port; a name in other letters than DNS knows is written
    as DNS knows it. Raises BadAddress.
    """
    stripped = typed.strip()
    has_scheme = "://" in stripped
    # What is no part of a name would be taken out by urlsplit, and another host be asked.
    if not stripped.isprintable() or any(c.isspace() for c in stripped):
        raise _bad(typed)
    try:
        parts = urlsplit(stripped if has_scheme else f"ws://{_bracketed(stripped)}")
        port = parts.port
    except ValueError:
        raise _bad(typed) from None
    if parts.scheme not in _SCHEMES:
        raise BadAddress(f"“{shown(parts.scheme)}” is no way to reach a server: use ws, wss, http or https.")
    if not parts.hostname or parts.query or parts.fragment or "@" in parts.netloc or port == 0:
        raise _bad(typed)
    host = _host(parts, typed)
    scheme = _SCHEMES[parts.scheme]
    if port is None:
        port = (443 if scheme == "wss" else 80) if has_scheme else DEFAULT_PORT
    if not _PATH.fullmatch(parts.path):
        raise _bad(typed)
    bracketed = f"[{host}]" if ":" in host else host
    label = f"{bracketed}:{port}" if scheme == "ws" else f"wss://{bracketed}:{port}"
    return Address(f"{scheme}://{bracketed}:{port}{_endpoint(parts)}", label, host, port, scheme)


def shown(typed: str) -> str:
    """What was typed, for a sentence: harmless, and not too much of it."""
    harmless = plain(typed)
    return harmless if len(harmless) <= MAX_SHOWN else f"{harmless[:MAX_SHOWN]}…"


def _bad(typed: str) -> BadAddress:
    return BadAddress(f"“{shown(typed)}” is no address: write host, host:port or wss://host.")


def _bracketed(host: str) -> str:
    """An IPv6 address without brackets, which has several colons, gets them."""
    return f"[{host}]" if host.count(":") > 1 and not host.startswith("[") else host


def _host(parts: SplitResult, typed: str) -> str:
    """The host in the letters that a resolver knows. Raises BadAddress."""
    host = parts.hostname or ""
    brackets = parts.netloc.count("["), parts.netloc.count("]")
    try:
        if ":" in host:
            behind = parts.netloc.rpartition("]")[2]
            if brackets != (1, 1) or (behind and not behind.startswith(":")):
                raise _bad(typed)
            # Written into an address, the sign before a zone is %25.
            host = host.replace("%25", "%", 1)
            return str(IPv6Address(host))
        known = host.encode("idna").decode("ascii").lower()
    except ValueError:
        raise _bad(typed) from None
    labels = known.removesuffix(".").split(".")
    if brackets != (0, 0) or len(known) > MAX_HOST or not all(_LABEL.fullmatch(label) for label in labels):
        raise _bad(typed)
    return known


def _endpoint(parts: SplitResult) -> str:
    path = parts.path.rstrip("/")
    return path if path.endswith(ENDPOINT) else path + ENDPOINT
