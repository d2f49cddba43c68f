"""T12: a client starts where Python has no `fcntl`: on Windows, where students are."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType

import pytest

from client.dog.remembered import Remembered
from client.kept import leftovers
from client.kept.identity import take_identity
from client.kept.locking import FAR_BEYOND
from tests.driver import ROOT


class Windows(ModuleType):
    """What its C library does: one byte, where the open file is at, is locked until that is closed."""

    LK_NBLCK = 2

    def locking(self, descriptor: int, mode: int, count: int) -> None:
        assert (mode, count) == (self.LK_NBLCK, 1)
        assert os.lseek(descriptor, 0, os.SEEK_CUR) == FAR_BEYOND
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.fixture
def windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No `fcntl`, nothing of its kind in `os`, and `msvcrt` in its place."""
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", Windows("msvcrt"))
    for name in ("fchmod", "getuid"):
        monkeypatch.delattr(os, name)


@pytest.mark.usefixtures("windows")
def test_t12_two_clients_without_fcntl_are_two_people(tmp_path: Path) -> None:
    with take_identity(folder=tmp_path) as first, take_identity(folder=tmp_path) as second:
        first.remember("ws://a/ws", "Ada", "one")
        assert (first.label, second.label) == ("identity", "identity-2")
    with take_identity(folder=tmp_path) as again:
        assert (again.name, again.token("ws://a/ws")) == ("Ada", "one")


@pytest.mark.usefixtures("windows")
def test_t10_one_program_of_a_name_comes_back_without_fcntl(tmp_path: Path) -> None:
    first = Remembered("game", "Ana", "server", tmp_path)
    first["token"] = "secret"
    second = Remembered("game", "Ana", "server", tmp_path)
    assert second["token"] is None
    second["token"] = "another's"
    assert first["token"] == "secret"
    first.close()
    assert Remembered("game", "Ana", "server", tmp_path)["token"] == "secret"


@pytest.mark.usefixtures("windows")
def test_t12_what_was_left_behind_is_taken_away_and_no_process_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There `os.kill` with any number ends the process."""
    monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("a process was ended"))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    (tmp_path / "parlour-999999999-abc").mkdir()
    (tmp_path / "identity.new").touch()
    assert leftovers.sweep(tmp_path, tmp_path, now=2e10) == 1
    assert (tmp_path / "parlour-999999999-abc").exists()


def test_t12_the_client_starts_without_what_only_unix_has(tmp_path: Path) -> None:
    """T12: `client.dog` and the command are imported, and the command says who it is, in a process of their own."""
    done = subprocess.run(
        [
            sys.executable, "-c",
            "import sys, os, asyncio, textual.app, platformdirs, websockets\n"
            "for name in ('fcntl', 'pwd', 'grp', 'resource'): sys.modules[name] = None\n"
            "for name in ('fchmod', 'getuid', 'geteuid', 'O_NONBLOCK', 'O_CLOEXEC'): delattr(os, name)\n"
            "import client.dog\n"
            "from client.__main__ import main\n"
            "sys.exit(main(['--version']))",
        ],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert done.stdout.startswith("parlour ")
