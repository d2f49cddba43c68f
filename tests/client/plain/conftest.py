"""Plain clients for tests: as processes over pipes, as a user's script would run them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic

import pytest

from tests.driver import ROOT, WAIT_S, HubProcess
from tests.stand import hub_over_redis


class PlainProcess:
    """`parlour ... --plain` with pipes for output and input, or one types at a terminal; its files lie in `home`."""

    def __init__(self, home: Path, *arguments: str, at_a_terminal: bool = False) -> None:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PARLOUR_")}
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            environment[name] = str(home / name)
        keyboard, terminal = os.openpty() if at_a_terminal else (None, None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "client", *arguments],
            cwd=ROOT, env={**environment, "HOME": str(home), "PYTHONIOENCODING": "utf-8"}, text=True,
            encoding="utf-8", stdin=subprocess.PIPE if terminal is None else terminal, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )  # fmt: skip
        if keyboard is not None and terminal is not None:
            os.close(terminal)
            self.process.stdin = os.fdopen(keyboard, "w", encoding="utf-8")
        self.lines: list[str] = []
        self._read = 0
        self._arriving: Queue[str] = Queue()
        Thread(target=self._collect, daemon=True).start()

    def _collect(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._arriving.put(line.rstrip("\n"))

    def type(self, line: str) -> None:
        """Type a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hears(self, *texts: str) -> str:
        """Wait until a new line contains one of the texts; returns that line."""
        # Coming back takes several tries, each of which waits; on a busy machine a new hub is slow as well.
        deadline = monotonic() + 2 * WAIT_S
        while True:
            while self._read < len(self.lines):
                self._read += 1
                if any(text in self.lines[self._read - 1] for text in texts):
                    return self.lines[self._read - 1]
            try:
                self.lines.append(self._arriving.get(timeout=max(deadline - monotonic(), 0)))
            except Empty:
                raise AssertionError(f"waited for {texts} in vain after {self.lines}") from None

    def end(self) -> int:
        """Wait until it ends; returns its exit status. All its lines are in `lines` then."""
        status = self.process.wait(WAIT_S)
        while True:
            try:
                self.lines.append(self._arriving.get(timeout=0.2))
            except Empty:
                return status

    def kill(self) -> None:
        """End it without notice."""
        self.process.kill()
        self.process.wait(WAIT_S)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()


Start = Callable[..., PlainProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts plain clients, which are ended afterwards."""
    started: list[PlainProcess] = []

    def begin(home: str, *arguments: str, at_a_terminal: bool = False) -> PlainProcess:
        started.append(PlainProcess(tmp_path / home, *arguments, at_a_terminal=at_a_terminal))
        return started[-1]

    yield begin
    for client in started:
        client.kill()


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A real hub over a real Redis."""
    with hub_over_redis(tmp_path_factory) as hub:
        yield hub
