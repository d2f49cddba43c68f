"""Hubs that stand and go on a little at a time: what passes in a millisecond is looked at, or met by another hub."""

from __future__ import annotations

import os
import signal
import time

from tests.driver import HubProcess


def stand(hub: HubProcess) -> None:
    """It does nothing until it is let go on."""
    os.kill(hub.pid, signal.SIGSTOP)


def go_on(hub: HubProcess) -> None:
    """It goes on for good."""
    os.kill(hub.pid, signal.SIGCONT)


def step(hub: HubProcess, for_s: float) -> None:
    """It goes on for about so long: under a fifth of a millisecond it may not come to anything."""
    go_on(hub)
    time.sleep(for_s)
    stand(hub)
