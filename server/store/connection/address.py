"""Where the store is: what an operator writes, read strictly, so that a slip never leads to another database."""

from __future__ import annotations

import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

SCHEMES = {"redis": "redis", "rediss": "rediss", "valkey": "redis", "valkeys": "rediss", "unix": "unix"}
"""What an address may begin with, and what the client library calls it."""
FORMS = "redis://host:6379/0, rediss://host:6379/0 (with TLS) or unix:///path?db=0"
DEFAULT_PREFIX = "parlour"
DEFAULT_PORT = 6379
MAX_PREFIX = 32
_PREFIX = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class AddressError(ValueError):
    """This is no address of a store; the text says what is wrong with it, and never has the password in it."""


@dataclass(frozen=True)
class Certificates:
    """Files for a store that is asked by TLS: whom to trust beside nobody else, and what to show of oneself."""

    authority: Path | None = None
    own: Path | None = None
    key: Path | None = None


@dataclass(frozen=True)
class StoreAddress:
    """An address that can be used: `url` and `options` as the client library takes them."""

    url: str
    database: int
    shown: str
    """For people: without a password."""
    host: str = ""
    port: int = 0
    """Where it is in the network; nowhere for a Unix socket."""
    options: Mapping[str, Any] = field(default_factory=dict)


def read_address(text: str, certificates: Certificates | None = None) -> StoreAddress:
    """The address in `text`. Raises AddressError with a sentence."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise AddressError(
            "The address of the store cannot be read: its port is no number."
            " Characters of a password that mean something in an address are written as %XX."
        ) from None
    scheme = SCHEMES.get(parts.scheme.lower())
    if scheme is None:
        raise AddressError(_of_another_kind(parts.scheme.lower()))
    if scheme != "unix" and not parts.hostname:
        raise AddressError(f"The address of the store names no host: it is written as {FORMS}.")
    if scheme == "unix" and (not parts.path or parts.hostname):
        raise AddressError("A Unix socket is named by its whole path: unix:///path, with three slashes.")
    if parts.fragment:
        raise AddressError("The address of the store has a # in it; in a password it is written as %23.")
    database = _database(parts, scheme)
    path = parts.path if scheme == "unix" else ""
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    shown = f"{parts.scheme.lower()}://{host}{f':{port}' if port is not None else ''}{path}"
    return StoreAddress(
        url=f"{scheme}://{parts.netloc}{path}",
        database=database,
        shown=f"{shown}?db={database}" if scheme == "unix" else f"{shown}/{database}",
        host=parts.hostname or "",
        port=DEFAULT_PORT if port is None else port,
        options={"db": database, **_tls(scheme, certificates or Certificates())},
    )


def read_prefix(text: str) -> str:
    """What all keys and channels of an installation begin with. Raises AddressError for what could be mistaken."""
    if not _PREFIX.fullmatch(text) or len(text) > MAX_PREFIX:
        raise AddressError(f"A prefix has 1 to {MAX_PREFIX} letters, digits, dots, - and _, a letter or digit first.")
    return text


def _of_another_kind(scheme: str) -> str:
    if "sentinel" in scheme or "cluster" in scheme:
        return f"Parlour speaks to one Redis, no Sentinel and no cluster: give its address as {FORMS}."
    return f"The address of the store is written as {FORMS}; valkey:// and valkeys:// mean the same."


def _database(parts: SplitResult, scheme: str) -> int:
    try:
        asked = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        asked = {"": ""}
    if set(asked) - {"db"}:
        raise AddressError("The address of the store says more than a database: behind the ? there may be db=NUMBER.")
    named = [unquote(parts.path[1:])] if scheme != "unix" and parts.path not in ("", "/") else []
    named += asked.values()
    if any(not re.fullmatch(r"\d{1,9}", name, re.ASCII) for name in named):
        raise AddressError("The database of the store is a number, as in redis://host:6379/0.")
    numbers = {int(name) for name in named} or {0}
    if len(numbers) > 1:
        raise AddressError("The address of the store names two databases.")
    return numbers.pop()


def _tls(scheme: str, files: Certificates) -> dict[str, Any]:
    if files == Certificates():
        return {}
    if scheme != "rediss":
        raise AddressError("Certificates are for a store that is asked by TLS: rediss://host:6379/0.")
    if files.key is not None and files.own is None:
        raise AddressError("A key without its certificate is of no use: --redis-cert names that.")
    context = ssl.create_default_context()
    try:
        if files.authority is not None:
            context.load_verify_locations(files.authority)
        if files.own is not None:
            context.load_cert_chain(files.own, files.key)
    except (OSError, ValueError) as error:
        raise AddressError(f"The certificates for the store cannot be used: {error}.") from None
    named = {"ssl_ca_certs": files.authority, "ssl_certfile": files.own, "ssl_keyfile": files.key}
    return {name: str(path) for name, path in named.items() if path is not None}
