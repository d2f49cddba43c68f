"""How long Redis keeps what nobody touches any more."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

DAY_S = 24 * 3600.0


@dataclass(frozen=True)
class Lifetimes:
    """All in seconds, each since something was last done to it. Set by `--lifetime NAME=VALUE`; see docs/hosting.md.

    `match` is for a match that goes on, which hubs renew while anybody follows it, and `finished` for one that is over;
    moves renew these exact to a hundredth.
    `guest` is a player's identity, `chat` what was said in a match, `document` a gateway's memory. For as long as `ref`
    a command is answered the same when it is sent again, also where no event tells of it.
    """

    match: float = 30 * DAY_S
    finished: float = 30 * DAY_S
    guest: float = 180 * DAY_S
    ref: float = DAY_S
    chat: float = 7 * DAY_S
    document: float = 7 * DAY_S

    def ms(self, name: str) -> int:
        """One of them in milliseconds, at least one."""
        return self._ms[name]

    @cached_property
    def _ms(self) -> dict[str, int]:
        return {field.name: max(1, round(getattr(self, field.name) * 1000)) for field in fields(self)}
