"""Folders in which nothing can be kept: one sentence, never a traceback; and play without, where that is possible."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.driver import ROOT, WAIT_S, HubProcess, RedisProcess
from tests.faults.trial.client_rows import Count, count  # noqa: F401
from tests.pace import FULL

# ruff: noqa: F811

pytestmark = pytest.mark.faults

FOLDERS = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")


def a_file(folder: Path) -> Path:
    """What should be a folder is a file."""
    (folder / "file").write_text("")
    return folder / "file"


def nowhere(folder: Path) -> Path:
    """A place where nobody can make a folder, not even the system's administrator."""
    return Path("/proc/nowhere")


def read_only(folder: Path) -> Path:
    """A home that may be read alone. (Root writes in it all the same.)"""
    (folder / "home").mkdir()
    (folder / "home").chmod(0o500)
    return folder / "home"


HOMES: list[Callable[[Path], Path]] = [a_file, nowhere, *([read_only] if os.geteuid() else [])]
homes = pytest.mark.parametrize("home", HOMES if FULL else HOMES[:1], ids=lambda home: home.__name__)


def run(home: Path, *words: str, typed: str = "", full_disk: bool = False) -> subprocess.CompletedProcess[str]:
    """A program of ours in such a home; with a full disk no file can have a byte more."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PARLOUR_")}
    environment |= {name: str(home / name.lower()) for name in FOLDERS} | {"HOME": str(home)}
    environment |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYTHONDONTWRITEBYTECODE": "1"}

    def no_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    return subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, env=environment, input=typed, text=True, capture_output=True,
        timeout=3 * WAIT_S, check=False, preexec_fn=no_room if full_disk else None,
    )  # fmt: skip


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    """What it says before it ends: no traceback, and why."""
    said = done.stdout + done.stderr
    assert "Traceback" not in said, said
    assert done.returncode not in (0, None), said
    return said


@homes
@pytest.mark.parametrize("words", [["server", "--port", "0"], ["server", "admin", "matches"]], ids=" ".join)
def test_q21_a_server_says_where_it_cannot_keep(
    tmp_path: Path, home: Callable[[Path], Path], words: list[str], count: Count
) -> None:
    """Q21: a server without its store is of no use."""
    place = home(tmp_path)
    said = one_sentence(run(place, *words))
    assert str(place) in said
    count("Q21 folder that cannot be written")


@homes
def test_q21_a_client_that_starts_its_own_hub_says_so(
    tmp_path: Path, home: Callable[[Path], Path], count: Count
) -> None:
    """Q21: the hub would keep matches; without a place for them there is none."""
    said = one_sentence(run(home(tmp_path), "client", "--plain", "--name", "Ada", "--server", "127.0.0.1:1"))
    assert "cannot be kept" in said
    assert "Nobody answers" in said
    count("Q21 folder that cannot be written")


@homes
def test_q21_playing_on_a_server_goes_on_without_an_identity(
    tmp_path: Path, home: Callable[[Path], Path], count: Count, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Q21: one comes as a new guest, is told, and plays; a game cannot be saved, which is told when it is tried."""
    redis = RedisProcess(tmp_path_factory.mktemp("redis"))
    redis.start()
    hub = HubProcess(tmp_path_factory.mktemp("hub"), "--redis", redis.url)
    try:
        hub.start()
        typed = "create square computer\nsave evening\nload evening\nquit\n"
        server = f"--server=127.0.0.1:{hub.port}"
        done = run(home(tmp_path), "client", "--plain", "--name", "Ada", server, typed=typed)
    finally:
        hub.kill()
        redis.stop()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert "Your identity cannot be kept" in done.stdout
    assert "Connected as Ada" in done.stdout
    assert "The game cannot be saved" in done.stdout
    count("Q21 folder that cannot be written")


@homes
def test_q21_two_at_one_keyboard_play_without(tmp_path: Path, home: Callable[[Path], Path], count: Count) -> None:
    """Q21: in a folder that is gone afterwards, and that is told."""
    done = run(home(tmp_path), "client", "local", "square", "--plain", typed="a1-b1\nquit\n")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "This match is gone when you quit." in done.stdout
    assert "Square, match" in done.stdout
    count("Q21 folder that cannot be written")


@homes
def test_q21_a_replay_needs_no_home(tmp_path: Path, home: Callable[[Path], Path], count: Count) -> None:
    """Q21."""
    file = tmp_path / "game.json"
    head = '{"format": "parlour-match", "version": 1, "game": "square", "names": ["Ada", "Ben"], '
    file.write_text(head + '"moves": ["a1-b1"], "hash": "' + "0" * 64 + '"}')
    done = run(home(tmp_path), "client", "replay", str(file), "--plain", typed="end\nq\n")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Move 1 of 1: Ada a1-b1." in done.stdout
    count("Q21 folder that cannot be written")


@pytest.mark.parametrize(
    "words",
    [
        ["server", "--port", "0"],
        ["client", "local", "square", "--plain"],
        ["client", "--plain", "--name", "Ada", "--server", "127.0.0.1:1"],
    ],
    ids=" ".join,
)
def test_q21_a_full_disk_is_a_sentence(tmp_path: Path, words: list[str], count: Count) -> None:
    """Q21."""
    one_sentence(run(tmp_path, *words, full_disk=True))
    count("Q21 full disk")
