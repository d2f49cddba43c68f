"""The speed of every command, on whatever way it came: by connection, or by player where there is no connection.

Actions in matches count for all connections of a player together, too.
"""

from __future__ import annotations

import time
from collections import OrderedDict

from protocol.errors import Code, Refusal
from protocol.messages import Command
from server.hub.limits import RATES, Limits, Meter, Verdict, rates
from server.hub.viewer import Viewer

REMEMBERED = 10_000
"""Meters kept for those without a connection; the one used longest ago is forgotten first."""


class Speed:
    """Meters for a service."""

    def __init__(self, limits: Limits) -> None:
        self._rates = rates(limits)
        self._meters: OrderedDict[str, Meter] = OrderedDict()

    def admit(self, viewer: Viewer, kind: type[Command]) -> None:
        """Let a command pass. Raises Refusal `too_fast`; `viewer.meter.flooding` says when warnings are of no use."""
        now = time.monotonic()
        meter = viewer.meter or self._meter(viewer.player or viewer.address)
        if meter.admit(kind, now) is not Verdict.FINE:
            raise Refusal(Code.TOO_FAST)
        # The opponent is told of each action: who connects again and again annoys nobody faster (`E4`).
        tells = viewer.meter is not None and RATES[kind] == "actions"
        if tells and self._meter(viewer.player).admit(kind, now) is not Verdict.FINE:
            raise Refusal(Code.TOO_FAST)

    def _meter(self, name: str) -> Meter:
        meter = self._meters.get(name)
        if meter is None:
            meter = self._meters[name] = Meter(self._rates)
            if len(self._meters) > REMEMBERED:
                self._meters.popitem(last=False)
        self._meters.move_to_end(name)
        return meter
