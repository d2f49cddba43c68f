"""What killed clients left behind is taken away later: ours, old, and nobody's any more."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from client.kept import leftovers as litter
from client.kept.leftovers import OLD_S, begin_file, folder_for_now, sweep
from tests.driver import ROOT, WAIT_S

KILLED = """
import os, signal, sys
from pathlib import Path
from client.kept import leftovers, saves
from tests.client.playing.test_saving import record
folder = leftovers.folder_for_now()
print(folder.name, flush=True)
saves.Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
saves.save(record("r"), "evening", folder=Path(sys.argv[1]))
"""


def aged(path: Path, seconds: float) -> Path:
    """The file, last written so long ago."""
    then = time.time() - seconds
    os.utime(path, (then, then))
    return path


def test_a_kill_in_the_middle_of_saving_leaves_nothing_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Q22."""
    saves = tmp_path / "saves"
    saves.mkdir()
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(saves)], cwd=ROOT, capture_output=True, text=True, timeout=WAIT_S,
        env={**os.environ, "TMPDIR": str(tmp_path)}, check=False,
    )  # fmt: skip
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (left,) = saves.iterdir()
    folder = Path(killed.stdout.strip())
    assert folder.is_dir()
    # It may be another client's that is just being written; the folder is of a process that is no more.
    assert sweep(saves, tmp_path) == 1
    assert left.exists()
    assert not folder.exists()
    assert sweep(saves, tmp_path, time.time() + OLD_S + 1) == 1
    assert list(saves.iterdir()) == []


def test_only_what_is_ours_and_old_is_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Q22."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ours, number = begin_file(tmp_path)[1], 0
    stay = [tmp_path / name for name in ("evening.json", ".new", ".x.new", ".parlour-.new", "identity.json", "a.new")]
    go = [tmp_path / name for name in (".parlour-a1_b.new", "window.77.new", "identity.new", "identity-work.new")]
    for path in (*stay, *go):
        aged(path, 2 * OLD_S) if path.write_text("x") else None
    (tmp_path / ".parlour-folder.new").mkdir()
    (tmp_path / ".parlour-link.new").symlink_to(tmp_path / "evening.json")
    (tmp_path / "parlour-x-y").mkdir()
    with folder_for_now() as mine:
        number = sweep(tmp_path, tmp_path)
        assert Path(mine).is_dir(), "it is of a process that lives"
    assert number == len(go)
    assert not any(path.exists() for path in go)
    assert all(path.exists() for path in stay)
    assert Path(ours).exists(), "it is being written"
    assert (tmp_path / ".parlour-link.new").is_symlink()
    assert (tmp_path / "parlour-x-y").is_dir()


def test_a_folder_that_is_not_there_has_none(tmp_path: Path) -> None:
    assert sweep(tmp_path / "a", tmp_path / "b") == 0
    assert litter.MAX_LOOKED_AT > 0
