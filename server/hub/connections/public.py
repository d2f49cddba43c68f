"""Under which address people reach the hub: what the operator says, else a trusted proxy, else what was asked for.

It goes into all that names addresses: the page's policy, the API's documents, where a new match is found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from server.hub.connections.origins import USUAL_PORTS, canonical_origin, is_host
from server.hub.limits.proxies import Proxies

_URL = re.compile(r"(?P<origin>https?://[^/?#]+)(?P<path>(?:/[\w.~%-]+)*)/?", re.IGNORECASE | re.ASCII)
_PATH = re.compile(r"(?:/[\w.~%-]+)*/?", re.ASCII)
LONGEST = 2_000
"""Characters of a path; browsers take no longer addresses."""


class PublicAddress(NamedTuple):
    """`path` begins with a slash and does not end with one; "" at the top."""

    scheme: str
    host: str
    path: str = ""

    @property
    def origin(self) -> str:
        """What a browser sends as the Origin of the page there."""
        return f"{self.scheme}://{self.host}"

    @property
    def url(self) -> str:
        """Where the page is, with a slash at the end."""
        return f"{self.origin}{self.path}/"


def read_public(text: str) -> PublicAddress | None:
    """The address in `https://games.example/parlour/`; None for what is none."""
    found = _URL.fullmatch(text)
    origin = canonical_origin(found["origin"]) if found is not None else None
    if found is None or origin is None or len(text) > LONGEST:
        return None
    scheme, _, host = origin.partition("://")
    return PublicAddress(scheme, host, found["path"])


def asked_for(
    proxies: Proxies, peer: str, header: Callable[[str], Sequence[str]], scheme: str = "http"
) -> PublicAddress:
    """The address that was asked for, as far as the request from `peer` tells. `header` has the values of one by name.

    A trusted proxy says it in `X-Forwarded-Proto`, `-Host` and `-Prefix`, or in `Forwarded`. What is no such thing, or
    is said twice and differently, is not believed, and neither is anybody else.
    """
    asked = PublicAddress(scheme, next(iter(header("host")), ""))
    if peer not in proxies:
        return asked
    spoken = proxies.spoken(header("forwarded"))
    told_scheme = _one(header("x-forwarded-proto"), spoken.get("proto")).lower()
    told_host = _one(header("x-forwarded-host"), spoken.get("host"))
    told_path = _one(header("x-forwarded-prefix"), None)
    return PublicAddress(
        told_scheme if told_scheme in USUAL_PORTS else asked.scheme,
        told_host if is_host(told_host) else asked.host,
        told_path.rstrip("/") if _PATH.fullmatch(told_path) and len(told_path) <= LONGEST else "",
    )


def _one(values: Sequence[str], other: str | None) -> str:
    """What all of them say; "" when they differ, or there is none."""
    said = {value.strip() for value in values} | ({other} if other else set())
    return said.pop() if len(said) == 1 else ""
