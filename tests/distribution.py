"""How `make test` shares the tests out among processes.

Some tests compute all the time, and some wait most of the time: for a process to start, a deadline to come, a lost
connection to be noticed. So there are more processes than cores, and the two kinds take turns from the first test to
the last: where only such as wait were left, cores would be idle. A file stays in one process, for its tests share a
hub; trials that share nothing but the hubs of their process go one by one. What takes longest begins first, or all
would wait for it at the end.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import accumulate
from typing import Any

from xdist.scheduler import LoadScopeScheduling

PROCESSES_PER_CORE = 3
MOST_PROCESSES = 12
"""Each has a browser, hubs and stores of its own."""
LONGEST = (
    "tests/server/http/api/test_schemathesis.py",
    "tests/test_packages.py",
    "tests/client/kept/test_saves.py",
    "tests/test_stalls.py",
)
"""Those that take longest of all: two compute, one writes through to the disk hundreds of times, one only waits."""
WAITING = ("tests/faults/", "tests/hostile/", "tests/hub/", "tests/e2e/")
"""Where processes are killed, and time passes."""
ALONE = ("tests/faults/",)
"""Where each test may run in any process."""
USUAL_S = 1.0
SECONDS = {
    "tests/faults/hubs/test_long_life.py": 20.0,
    "tests/faults/": 2.0,
    **{f"tests/client/terminal/test_{name}.py": 25.0 for name in ("entering", "playing", "around_the_moves")},
    **{f"tests/client/terminal/test_{name}.py": 18.0 for name in ("every_screen", "first_screen", "saving")},
    "tests/client/terminal/": 8.0,
    "tests/protocol/test_codec.py": 12.0,
    "tests/server/games/test_contract.py": 10.0,
    "tests/server/match/test_names.py": 8.0,
    "tests/browser/": 10.0,
    "tests/traces/": 10.0,
    "tests/hub/": 9.0,
    "tests/e2e/": 8.0,
    "tests/hostile/": 7.0,
    "tests/client/dog/": 8.0,
    "tests/perft/": 8.0,
    "tests/client/test_": 7.0,
    "tests/client/conversation/": 6.0,
    "tests/client/plain/": 6.0,
    "tests/client/web/": 6.0,
    "tests/examples/": 6.0,
    "tests/client/window/": 4.0,
    "tests/server/http/": 4.0,
    "tests/server/hub/": 4.0,
    "tests/server/store/": 3.0,
    "tests/protocol/": 3.0,
}
"""About how long what is handed out there takes beside others, by the first that fits; elsewhere USUAL_S."""


def processes() -> int:
    """How many processes `-n auto` means."""
    return min(MOST_PROCESSES, PROCESSES_PER_CORE * (os.cpu_count() or 1))


def scope(nodeid: str) -> str:
    """What must run in one process has one scope."""
    return nodeid if nodeid.startswith(ALONE) else nodeid.partition("::")[0]


def in_order(scopes: Iterable[str]) -> list[str]:
    """What runs before what: the longest, then by turns those that compute, the longest first, and those that wait.

    These are as they are found, long ones among quick ones, for several that only wait leave a core with nothing to do.
    """
    longest: list[str] = []
    waiting: list[str] = []
    computing: list[str] = []
    for name in scopes:
        (longest if name.startswith(LONGEST) else waiting if name.startswith(WAITING) else computing).append(name)
    computing.sort(key=_seconds, reverse=True)
    begins = sorted([*_spread(computing), *_spread(waiting)], key=lambda begin: begin[0])
    return longest + [name for _, name in begins]


def _spread(names: list[str]) -> list[tuple[float, str]]:
    """Each with the part of its kind's time that is over when it begins."""
    begins = accumulate(map(_seconds, names), initial=0.0)
    whole = sum(map(_seconds, names))
    return [(begin / whole, name) for begin, name in zip(begins, names, strict=False)]


def _seconds(name: str) -> float:
    return next((seconds for folder, seconds in SECONDS.items() if name.startswith(folder)), USUAL_S)


class Distribution(LoadScopeScheduling):
    """Hand the scopes out one by one, in the order of the collection."""

    def __init__(self, config: Any, log: Any = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        return scope(nodeid)
