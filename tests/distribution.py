"""How `make test` shares the tests out among processes.

Most tests that take long wait: for a process to start, a deadline to come, a lost connection to be noticed. So there
are more processes than cores. A file stays in one process, for its tests share a hub; trials that share nothing but the
hubs of their process go one by one. What takes longest begins first, or all would wait for it at the end.
"""

from __future__ import annotations

import os
from typing import Any

from xdist.scheduler import LoadScopeScheduling

PROCESSES_PER_CORE = 2
MOST_PROCESSES = 12
"""Each has a browser, hubs and stores of its own."""
LONGEST = ("tests/server/http/api/test_schemathesis.py", "tests/test_packages.py")
"""Those that take longest of all."""
LONG = ("tests/browser/", "tests/faults/", "tests/hostile/", "tests/e2e/", "tests/client/terminal/test_every_game.py")
"""Where processes are started, killed and waited for."""
ALONE = ("tests/faults/",)
"""Where each test may run in any process."""


def processes() -> int:
    """How many processes `-n auto` means."""
    return min(MOST_PROCESSES, PROCESSES_PER_CORE * (os.cpu_count() or 1))


def order(nodeid: str) -> int:
    """What runs before what: those with a lower number first, and otherwise as they are found."""
    if nodeid.startswith(LONGEST):
        return 0
    return 1 if nodeid.startswith(LONG) else 2


def scope(nodeid: str) -> str:
    """What must run in one process has one scope."""
    return nodeid if nodeid.startswith(ALONE) else nodeid.partition("::")[0]


class Distribution(LoadScopeScheduling):
    """Hand the scopes out one by one, in the order of the collection."""

    def __init__(self, config: Any, log: Any = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        return scope(nodeid)
