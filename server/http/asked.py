"""Which address a request asked for, and under which one it is answered: found out once, at the doors."""

from __future__ import annotations

from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.types import Scope

from server.hub.connections.public import PublicAddress

ASKED = "parlour.asked"
"""The name in a request's scope of the address that it asked for."""
PUBLIC = "parlour.public"
"""The name there of the hub's own, which is what the operator says, or else the same."""


CALLER = "parlour.caller"
"""The name there of whom the request counts for."""


class Caller(NamedTuple):
    """The address that it counts for; whether a header names one, and whether whoever has written that is believed."""

    address: str
    named: bool
    believed: bool


def public_of(scope: Scope) -> PublicAddress:
    """The hub's address, to be named in the answer to this request."""
    found: PublicAddress | None = scope.get(PUBLIC)
    return found or PublicAddress(scope["scheme"], Headers(scope=scope).get("host", ""))


def asked_of(scope: Scope) -> PublicAddress:
    """The address that this request asked for."""
    found: PublicAddress | None = scope.get(ASKED)
    return found or public_of(scope)
