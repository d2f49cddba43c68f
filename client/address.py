"""Where a server is: what a person types, and the WebSocket address that it stands for."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

DEFAULT_PORT = 7878
DEFAULT_HOST = "127.0.0.1"
ENDPOINT = "/ws"

_SCHEMES = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}
_LOOPBACK = {"127.0.0.1", "localhost", "::1"}


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

    A bare host gets port 7878, a full address its scheme's own port. Raises BadAddress.
    """
    stripped = typed.strip()
    has_scheme = "://" in stripped
    try:
        parts = urlsplit(stripped if has_scheme else f"ws://{_bracketed(stripped)}")
        port = parts.port
    except ValueError:
        raise BadAddress(f"“{typed}” is no address: write host, host:port or wss://host.") from None
    if parts.scheme not in _SCHEMES:
        raise BadAddress(f"“{parts.scheme}” is no way to reach a server: use ws, wss, http or https.")
    if not parts.hostname or any(c.isspace() for c in stripped) or parts.query or parts.fragment or parts.username:
        raise BadAddress(f"“{typed}” is no address: write host, host:port or wss://host.")
    scheme = _SCHEMES[parts.scheme]
    if port is None:
        port = (443 if scheme == "wss" else 80) if has_scheme else DEFAULT_PORT
    host = parts.hostname
    shown = f"[{host}]" if ":" in host else host
    path = _endpoint(parts)
    label = f"{shown}:{port}" if scheme == "ws" else f"wss://{shown}:{port}"
    return Address(f"{scheme}://{shown}:{port}{path}", label, host, port, scheme)


def _bracketed(host: str) -> str:
    """An IPv6 address without brackets, which has several colons, gets them."""
    return f"[{host}]" if host.count(":") > 1 and not host.startswith("[") else host


def _endpoint(parts: SplitResult) -> str:
    path = parts.path.rstrip("/")
    return path if path.endswith(ENDPOINT) else path + ENDPOINT
