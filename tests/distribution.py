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
WAITING = (
    "tests/faults/",
    "tests/hostile/",
    "tests/hub/",
    "tests/e2e/",
    "tests/server/http/api/test_presence.py",
    "tests/server/http/dog/test_adversity.py",
    "tests/browser/playing/test_webkit.py",
)
"""Where processes are killed or started, and time passes."""
ALONE = ("tests/faults/",)
"""Where each test may run in any process."""
WAITED = 0.88
"""The part of the run in which all of these have begun: at its end there is enough to compute for every process."""
USUAL_S = 0.6
SECONDS = {
    "tests/faults/hubs/test_long_life.py": 18.0,
    "tests/faults/": 1.8,
    "tests/hub/": 6.0,
    "tests/e2e/": 5.0,
    "tests/hostile/": 4.6,
    "tests/server/http/api/test_presence.py": 22.0,
    "tests/server/http/dog/test_adversity.py": 13.0,
    "tests/browser/playing/test_webkit.py": 24.0,
    "tests/browser/looks/test_accessible.py": 27.0,
    "tests/browser/arriving/test_ways.py": 19.0,
    "tests/browser/arriving/test_links.py": 12.0,
    "tests/browser/": 4.0,
    "tests/server/bots/test_strong.py": 14.0,
    "tests/protocol/test_codec.py": 13.0,
    **{f"tests/client/terminal/test_{name}.py": 12.0 for name in ("around_the_moves", "playing", "beside_the_board")},
    "tests/client/terminal/": 4.0,
    "tests/client/window/test_beside_the_player.py": 7.5,
    "tests/client/window/": 1.4,
    "tests/client/plain/": 1.6,
    "tests/traces/": 7.0,
    "tests/server/games/test_contract.py": 3.6,
    "tests/perft/": 3.3,
    "tests/examples/": 1.5,
}
"""About how long what is handed out there takes, by the first that fits, elsewhere USUAL_S: of those that wait by the
clock, beside others, and of those that compute what they take of a processor, with what they start."""


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
    begins = sorted([*_spread(computing), *_spread(waiting, WAITED)], key=lambda begin: begin[0])
    return longest + [name for _, name in begins]


def _spread(names: list[str], within: float = 1.0) -> list[tuple[float, str]]:
    """Each with the part of the run that is over when it begins: all have begun `within` such a part."""
    begins = accumulate(map(_seconds, names), initial=0.0)
    whole = sum(map(_seconds, names)) / within
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
