"""How fast this machine is, and what that means for waits and for promises about time.

A test waits for what must come, however long that takes, and judges order and content. A bound is there so that a hang
fails: it is a multiple of one unit, measured when the run starts. What is promised about time is a figure of `make
faults`, which has the machine for itself; on a busy machine it would be a figure of the neighbours.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

FULL = os.environ.get("PARLOUR_FAULTS") == "full"
QUIET_S = 0.01
"""What the work below takes on a machine with nothing else to do."""
MOST = 10.0
"""A machine that is slower than this is taken for one that hangs."""


def slowness() -> float:
    """How many times as long as on a quiet machine it takes to start a program and to count a little; 1 to MOST."""
    started = time.monotonic()
    for _ in range(3):
        subprocess.run([sys.executable, "-S", "-E", "-c", "sum(range(100_000))"], check=True)
    return min(MOST, max(1.0, (time.monotonic() - started) / 3 / QUIET_S))


TOGETHER = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
"""How many tests run at a time."""
ON_A_CORE = max(1.0, TOGETHER / (os.cpu_count() or 1))
ROOM = ON_A_CORE if FULL else 10
"""How far beyond its promise, in multiples, a figure may be where other work may run beside the tests."""
WAIT_S = 30.0 * slowness()
"""The bound of every wait in the tests: far more than anything takes, so that only a hang meets it."""


class NotProvoked(AssertionError):
    """A trial did not bring about what it tries, so it counts as not run: it is run again, a few times at most.

    `pyproject.toml` has the bound; the summary counts such runs as reruns.
    """


figures: dict[float, tuple[float, str]] = {}
"""By promise (s): what the test that runs has measured at worst, and how it is told. `tests/conftest.py` takes it."""


def within(took_s: float, limit_s: float) -> None:
    """Judge a promise about time, in full runs alone; the load of the machine is told beside it.

    It is judged to the letter where a trial has the machine for itself, as those marked `timed` have; where several
    share a core, it may take so many times as long, and the figure says so.
    """
    together = f", {TOGETHER} together" if TOGETHER > 1 else ""
    said = f"took {took_s:.2f} s where {limit_s:.2f} s are promised, load {os.getloadavg()[0]:.1f}{together}"
    figures[limit_s] = max(figures.get(limit_s, (0.0, "")), (took_s, said))
    if FULL:
        assert took_s < limit_s * ROOM, said
    elif took_s >= limit_s:
        print(said)
