"""What is measured side by side: hubs of one revision or two, each over its own Redis, and the bare relay.

CPU is the scheduler's own count, of every process of a side with all its threads and children: on a shared machine
rates swing by a factor of two, and what a piece of work costs by about a tenth.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psutil
from redis import Redis

from tests.driver import ROOT, HubProcess, RedisProcess, wait_for

SLOW_FLUSH_MS = 1
"""From here on Redis' latency monitor takes note of a flush."""


class Processes:
    """One or more processes with all that descends from them."""

    def __init__(self, *pids: int, alone: bool = False) -> None:
        self._pids = pids
        self._alone = alone

    def cpu_s(self) -> float:
        """Seconds of CPU used so far by those that live, in user and kernel, from the scheduler."""
        return sum(_cpu_ns(process.pid) for process in self._all()) / 1e9

    def memory_kib(self) -> float:
        """Resident memory."""
        return sum(float(process.memory_info().rss) for process in self._all()) / 1024

    def as_now(self) -> Processes:
        """Those that live now: what descends from them later is not looked for, which takes longer than small work."""
        return Processes(*(process.pid for process in self._all()), alone=True)

    def _all(self) -> list[psutil.Process]:
        roots = [psutil.Process(pid) for pid in self._pids]
        if self._alone:
            return roots
        return [*roots, *(child for root in roots for child in root.children(recursive=True))]


def _cpu_ns(pid: int) -> int:
    total = 0
    for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):  # a thread that has just ended
            total += int(thread.read_text().split()[0])
    return total


class Side:
    """One server under measurement. `store` is None for the relay, which has none."""

    def __init__(self, name: str, url: str, server: Processes, store: Processes | None, redis: Any = None) -> None:
        self.name = name
        self.url = url
        self.server = server
        self.store = store
        self._redis = redis

    @property
    def relay(self) -> bool:
        """Whether this is the yardstick."""
        return self.store is None

    def forget_flushes(self) -> None:
        """Begin to look for slow flushes anew."""
        if self._redis is not None:
            self._redis.execute_command("LATENCY", "RESET")

    def worst_flush_ms(self) -> int:
        """What the slowest flush to disk took since, as Redis' latency monitor has it; 0 when all were fast."""
        if self._redis is None:
            return 0
        latest = self._redis.execute_command("LATENCY", "LATEST")
        return max((int(worst) for event, _, _, worst, *_ in latest if event == b"aof-fsync-always"), default=0)


def _hub(stack: ExitStack, name: str, root: Path) -> Side:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    redis = RedisProcess(folder)
    redis.start()
    stack.callback(redis.stop)
    client: Any = Redis(unix_socket_path=str(redis.socket))
    stack.callback(client.close)
    client.config_set("latency-monitor-threshold", SLOW_FLUSH_MS)
    hub = HubProcess(folder, "--redis", redis.url, root=root)
    hub.start()
    stack.callback(hub.stop)
    store_pid = int(client.info("server")["process_id"])
    return Side(name, hub.url, Processes(hub.pid), Processes(store_pid), client)


def _relay(stack: ExitStack) -> Side:
    port_file = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "relay"
    relay = subprocess.Popen([sys.executable, "-m", "tests.bench.relay", str(port_file)], cwd=ROOT)
    stack.callback(relay.wait)
    stack.callback(relay.kill)
    wait_for(port_file.exists)
    return Side("bare relay", f"ws://127.0.0.1:{port_file.read_text()}", Processes(relay.pid), None)


@contextmanager
def running(compare: str | None = None) -> Iterator[list[Side]]:
    """The relay, the hub of this work tree, and that of the revision `compare` if one is given; ended afterwards."""
    with ExitStack() as stack:
        sides = [_relay(stack), _hub(stack, "this hub", ROOT)]
        if compare is not None:
            tree = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "tree"
            _git("worktree", "add", "--quiet", "--detach", str(tree), compare)
            stack.callback(_git, "worktree", "remove", "--force", str(tree))
            sides.append(_hub(stack, compare, tree))
        yield sides


def _git(*words: str) -> None:
    subprocess.run(["git", *words], cwd=ROOT, check=True)
