"""`make play` as somebody runs it who has just cloned the repository: what it says while it sets up, line by line."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.driver import ROOT
from tests.pace import WAIT_S

NEEDED = (
    "LICENSE", "Makefile", "README.md", "client", "protocol", "pyproject.toml", "requirements.lock", "scripts",
    "server", "setup.py",
)  # fmt: skip
WRAPPER = """\
#!/bin/sh
# An interpreter whose environments find the packages of this run: none is fetched, though pip looks at each.
case "$*" in
    *"-m venv"*)
        "{python}" "$@" --without-pip || exit
        for folder in .venv/lib/python*/site-packages; do echo "{packages}" > "$folder/fetched.pth"; done ;;
    *) exec "{python}" "$@" ;;
esac
"""
LINES = (
    r"Setting up \.venv to play\. This is needed once and takes a minute\.",
    r"  1 of 3: an environment of its own \(\.venv\) with \S+python \(\d+ s\)",
    r"  2 of 3: \d+ packages by requirements\.lock, each known by its hash \(\d+ s\)",
    r"  3 of 3: this checkout \(\d+ s\)",
    r"  Done \(\d+ s\)",
    r"parlour \S+",
)
"""What is read from the first on; the last is what was asked for."""


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository's files in another folder, where nothing is set up at first."""
    folder = tmp_path_factory.mktemp("set_up") / "clone"
    folder.mkdir()
    for name in NEEDED:
        one = ROOT / name
        if one.is_dir():
            shutil.copytree(one, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy2(one, folder / name)
    return folder


def play(clone: Path, *arguments: str) -> tuple[list[str], int]:
    """The lines of `make play`, with nothing at its other end but a pipe, and its status."""
    python = clone.parent / "python"
    if not python.exists():
        packages = sysconfig.get_path("purelib")
        python.write_text(WRAPPER.format(python=Path(sys.executable).resolve(), packages=packages))
        python.chmod(0o755)
    kept = {name: str(clone.parent / name) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "HOME")}
    done = subprocess.run(
        ["make", "--no-print-directory", "play", f"ARGS={' '.join(arguments)}"],
        cwd=clone, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=10 * WAIT_S,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHON": str(python), "PIP_NO_INDEX": "1", **kept},
    )  # fmt: skip
    return done.stdout.splitlines(), done.returncode


def test_make_play_says_what_it_does_while_it_sets_up(clone: Path) -> None:
    """Issue 14, 2: a line a step; once all is there nothing is said and nothing is done."""
    told, status = play(clone, "--version")
    assert status == 0, told
    assert len(told) == len(LINES), told
    for line, pattern in zip(told, LINES, strict=True):
        assert re.fullmatch(pattern, line), told
    made = (clone / ".venv" / ".play").stat().st_mtime_ns
    again, status = play(clone, "--version")
    assert (again, status) == (told[-1:], 0)
    assert (clone / ".venv" / ".play").stat().st_mtime_ns == made


def test_make_play_without_a_terminal_names_the_way_that_works(clone: Path) -> None:
    """Issue 14, 2: no hang, one sentence, and a status that is not 0."""
    told, status = play(clone)
    assert status != 0
    assert any("--plain" in line for line in told), told


def test_a_step_that_cannot_be_done_ends_it_there(clone: Path) -> None:
    """Issue 14, 2: and one reads why."""
    (clone / "requirements.lock").write_text("nowhere-to-be-had==1.0 --hash=sha256:" + "0" * 64 + "\n")
    told, status = play(clone)
    assert status != 0
    assert any(line.startswith("  2 of 3: ") for line in told), told
    assert not any(line.startswith("  3 of 3: ") for line in told)
    assert any("nowhere-to-be-had" in line for line in told)
