"""The units in deploy/systemd: known to systemd, closed in, and with options that there are."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from server.config import parse
from tests.driver import ROOT, WAIT_S

UNITS = ROOT / "deploy" / "systemd"
EXPOSURE = 20
"""Of 100 by `systemd-analyze security`; what is over 50 it calls exposed, a service without any hardening is at 96."""


def hub_unit() -> str:
    return (UNITS / "parlour@.service").read_text()


def test_the_hub_takes_its_options() -> None:
    (command,) = re.findall(r"^ExecStart=(\S+) (.+)$", hub_unit(), re.MULTILINE)
    words = shlex.split(command[1].replace("%i", "7878").replace("%S", "/var/lib"))
    given = dict(re.findall(r"^Environment=(PARLOUR_\w+)=(\S+)$", hub_unit(), re.MULTILINE))
    config = parse(words, given)
    assert (config.port, str(config.data)) == (7878, "/var/lib/parlour/7878")
    assert config.strangers == ()
    (stop_s,) = re.findall(r"^TimeoutStopSec=(\d+)$", hub_unit(), re.MULTILINE)
    assert int(stop_s) >= config.drain_s + 10


@pytest.fixture
def placed(tmp_path: Path) -> Path:
    """The folder of an instance, with a program that is here."""
    for kind in ("service", "socket"):
        text = (UNITS / f"parlour@.{kind}").read_text().replace("/opt/parlour/bin/parlour-server", sys.executable)
        (tmp_path / f"parlour@7878.{kind}").write_text(text)
    return tmp_path


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze here")
def test_systemd_understands_them(placed: Path) -> None:
    names = [str(placed / f"parlour@7878.{kind}") for kind in ("service", "socket")]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *names],
        capture_output=True, text=True, timeout=WAIT_S, check=False,
    )  # fmt: skip
    own = [line for line in done.stderr.splitlines() if "parlour" in line]
    assert own == []
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze here")
def test_the_hub_is_closed_in(placed: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSURE}", "--no-pager",
         str(placed / "parlour@7878.service")],
        capture_output=True, text=True, timeout=WAIT_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
