"""Starts hubs, and the operator's commands, by forking a process that has read the server's modules already.

To read them costs half a second of a core, and a run of the tests starts hundreds of hubs. What is forked is a hub all
the same: a process of its own session, which runs `python -m server` from its first line on. Faults, fuzz and browsers
in full, coverage and what is started `within` another program start the program itself, and so does a system where
forking is not safe.

This is the fork server itself (`python -m tests.fork_server`, one for each process that runs tests; it ends with its
standard input), and what its owner has of it.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

ROOT = Path(__file__).parent.parent
IN_FULL = ("PARLOUR_FAULTS", "PARLOUR_FUZZ", "PARLOUR_BROWSERS")
MEASURED = ("COVERAGE_RUN", "COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG")
"""What coverage sets: it begins with a program."""
USED = (
    sys.platform == "linux"
    and "PYTEST_VERSION" in os.environ
    and not any(os.environ.get(name) == "full" for name in IN_FULL)
    and not any(name in os.environ for name in MEASURED)
)
MODULES = (
    "server.app",
    "server.admin.cli",
    "server.config",
    "server.logs",
    "uvloop",
    "uvicorn.lifespan.off",
    "uvicorn.loops.auto",
)
LOOK_S = 0.005


class Forked:
    """One process that was forked, with what is used of subprocess.Popen."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._status: int | None = None

    def poll(self) -> int | None:
        """Its exit status once it has ended, negative for a signal."""
        if self._status is None:
            self._status = _owner().ask("poll", self.pid)
        return self._status

    def wait(self, timeout: float) -> int:
        """Its exit status; subprocess.TimeoutExpired after so many seconds."""
        deadline = time.monotonic() + timeout
        while (status := self.poll()) is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("a forked hub", timeout)
            time.sleep(LOOK_S)
        return status

    def send_signal(self, number: int) -> None:
        """Nothing happens to one that has ended: its number is not given away before its end was asked for."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """SIGKILL."""
        self.send_signal(signal.SIGKILL)


def start(words: Sequence[str], environment: Mapping[str, str], log: Path) -> Forked:
    """A hub with these words on its command line, which writes to `log`."""
    return Forked(_owner().ask("fork", [list(words), dict(environment), str(log), str(log)]))


def run(words: Sequence[str], environment: Mapping[str, str], limit_s: float) -> subprocess.CompletedProcess[str]:
    """What comes of `python -m server` with these words, for commands that end by themselves.

    subprocess.TimeoutExpired after so many seconds.
    """
    if not USED:
        return subprocess.run(
            [sys.executable, "-m", "server", *words],
            cwd=ROOT, env=environment, capture_output=True, text=True, timeout=limit_s, check=False,
        )  # fmt: skip
    with TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        forked = Forked(_owner().ask("fork", [list(words), dict(environment), str(out), str(err)]))
        try:
            status = forked.wait(limit_s)
        finally:
            forked.kill()
        return subprocess.CompletedProcess(list(words), status, out.read_text(), err.read_text())


# What the tests have ----------------------------------------------------------------------------------------------


class _Owner:
    """The way to the fork server; several threads may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # In a session of its own: the Ctrl-C that ends a run leaves it for the fixtures, which end their hubs by it.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.fork_server"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip

    def ask(self, what: str, about: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(json.dumps([what, about]).encode() + b"\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())

    def end(self) -> None:
        with self._lock:
            self._process.communicate()


_owners: list[_Owner] = []
_starting = threading.Lock()


def _owner() -> _Owner:
    with _starting:
        if not _owners:
            _owners.append(_Owner())
    return _owners[0]


def end() -> None:
    """End the fork server, if there is one; hubs that still run go on."""
    while _owners:
        _owners.pop().end()


# The fork server itself -------------------------------------------------------------------------------------------


def main() -> None:
    """Answer until nobody can ask any more. In a hub that was forked this raises what ends it, SystemExit."""
    for name in MODULES:
        __import__(name)
    # What is forked would search all of that for garbage as it ends: three quarters of what a short command costs.
    gc.freeze()
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    while line := questions.readline():
        what, about = json.loads(line)
        if what == "fork":
            answer: int | None = os.fork()
            if not answer:
                _become_server(*about)
        else:
            pid, status = os.waitpid(about, os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if pid else None
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()


def _become_server(words: list[str], environment: dict[str, str], out: str, err: str) -> None:
    os.setsid()
    with open(os.devnull, "rb") as nothing, open(out, "ab") as told, open(err, "ab") as complained:
        for number, file in enumerate((nothing, told, complained)):
            os.dup2(file.fileno(), number)
    os.environ.clear()
    os.environ.update(environment)
    if encoding := environment.get("PYTHONIOENCODING"):
        for stream in (sys.stdout, sys.stderr):
            cast("TextIOWrapper", stream).reconfigure(encoding=encoding)  # as the interpreter does at its start
    sys.argv[1:] = words
    runpy.run_module("server", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
