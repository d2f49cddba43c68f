"""What may be asked of a match. Who asks is never in a command: it is an argument of `machine.decide`."""

from __future__ import annotations

import msgspec


class MatchCommand(msgspec.Struct, frozen=True):
    """Base of all commands to a match."""


class Join(MatchCommand, frozen=True):
    """Take the free seat under `name` (`CK R1.5`, `R1.6`)."""

    name: str


class Leave(MatchCommand, frozen=True):
    """Go away without giving up: frees a guest's seat before the first move, cancels a host's waiting match."""


class Cancel(MatchCommand, frozen=True):
    """The host takes back a waiting match."""


class Play(MatchCommand, frozen=True):
    """Play `move` in the position of `version`."""

    version: int
    move: str


class Abandon(MatchCommand, frozen=True):
    """Give up, in turn or not (`CK R4.3`)."""


class Expire(MatchCommand, frozen=True):
    """The server's own: nobody holds the waiting match open any longer."""
