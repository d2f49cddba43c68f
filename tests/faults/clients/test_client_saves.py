"""Saved games under kills and forgeries: nothing is left for ever, and every client tells what was not saved so."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from client.conversation.address import parse_address
from client.kept import saves
from client.kept.identity import take_identity
from client.kept.leftovers import OLD_S, sweep
from client.kept.saves import SavedGame
from client.plain.replay import replay_in_lines
from client.playing.saving import OTHER_POSITION
from client.start.hub_process import LocalServer
from client.start.launch import Launch, in_background
from client.terminal.app import Parlour
from client.terminal.replay import Replay
from tests.client.window.drawn import window_at
from tests.driver import ROOT, WAIT_S, HubProcess
from tests.faults.trial.client_rows import Count, count  # noqa: F401
from tests.faults.trial.stage import FULL
from tests.server.http.api.player import HttpPlayer, web
from tests.stand import hub_over_redis

# ruff: noqa: F811

pytestmark = pytest.mark.faults

FORGED = SavedGame(game="square", names=("Ada", "Ben"), moves=("a1-b1", "a1-a2"), hash="0" * 64)
"""Its moves can be played, and lead to another position than the one that it says."""
KILLS = 20 if FULL else 4
SAVING = """
import sys
from pathlib import Path
from client.kept import saves
from tests.client.playing.test_saving import record
print("saving", flush=True)
while True:
    saves.save(record("r"), "evening", folder=Path(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A real hub over a real Redis."""
    with hub_over_redis(tmp_path_factory) as hub:
        yield hub


def test_q22_kills_in_the_middle_of_saving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: Count) -> None:
    """Q22: the game is there, whole, after each kill; what was begun is taken away at a later start."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder, left = tmp_path / "saves", 0
    for number in range(KILLS):
        saving = subprocess.Popen([sys.executable, "-c", SAVING, str(folder)], cwd=ROOT, stdout=subprocess.PIPE)
        assert saving.stdout is not None
        saving.stdout.readline()
        time.sleep(0.05 + 0.013 * number)
        saving.send_signal(signal.SIGKILL)
        saving.wait(WAIT_S)
        saving.stdout.close()
        if (folder / "evening.json").exists():
            assert saves.load("evening", folder=folder).moves == ("a1-b1",)
        left = max(left, len(list(folder.glob(".*"))) if folder.exists() else 0)
        count("Q22 kill while a game is saved")
    swept = sweep(folder, tmp_path, time.time() + OLD_S + 1)
    assert swept == left
    assert [path.name for path in folder.iterdir()] == ["evening.json"]


@pytest.fixture
def forged(tmp_path: Path) -> Path:
    """The forged game as a file."""
    path = tmp_path / "forged.json"
    path.write_text(
        '{"format": "parlour-match", "version": 1, "game": "square", "names": ["Ada", "Ben"],'
        f' "moves": ["a1-b1", "a1-a2"], "hash": "{FORGED.hash}"}}'
    )
    return path


def test_q22_plain_lines_tell_a_wrong_hash(hub: HubProcess, tmp_path: Path, forged: Path, count: Count) -> None:
    """Q22: at a start, and after going back."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PARLOUR_")}
    home = {name: str(tmp_path / name) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    words = ["--plain", "--name", "Ada", f"--server=127.0.0.1:{hub.port}"]
    for typed, more in (
        ("who\nwho\nquit\n", ["--from", str(forged)]),
        (f"create square both\nrevert {forged}\nwho\nquit\n", []),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "client", *words, *more], cwd=ROOT, env=environment | home, input=typed, text=True,
            capture_output=True, timeout=3 * WAIT_S, check=False,
        )  # fmt: skip
        assert OTHER_POSITION in done.stdout, done.stdout + done.stderr
        count("Q22 wrong hash")


async def test_q22_the_terminal_tells_a_wrong_hash(hub: HubProcess, tmp_path: Path, count: Count) -> None:
    """Q22."""
    address = parse_address(f"127.0.0.1:{hub.port}")
    with take_identity(folder=tmp_path) as one:
        app = Parlour(Launch(lambda: address, one, name="Tess", connects_at_once=True, saved=FORGED))
        async with app.run_test(size=(110, 30)) as pilot:
            deadline = time.monotonic() + WAIT_S
            while app.model.notice.text != OTHER_POSITION:
                assert time.monotonic() < deadline, app.model.notice
                await pilot.pause(0.02)
            app.leave_program()
            await pilot.pause()
    count("Q22 wrong hash")


async def test_q22_the_window_tells_a_wrong_hash(hub: HubProcess, tmp_path: Path, count: Count) -> None:
    """Q22: and it can be read."""
    async with window_at(parse_address(f"127.0.0.1:{hub.port}"), tmp_path, saved=FORGED) as at:
        await at.until(lambda: at.app.model.notice.text == OTHER_POSITION)
        assert any("not the position that was saved" in text for text in at.texts())
    count("Q22 wrong hash")


async def test_q22_a_replay_tells_a_wrong_hash(tmp_path: Path, count: Count) -> None:
    """Q22: in lines and drawn."""
    with LocalServer("replay", tmp_path) as server:
        await in_background(server.address)()
        find = in_background(server.address)
        app = Replay(FORGED, find, "en")
        async with app.run_test(size=(90, 24)) as pilot:
            deadline = time.monotonic() + WAIT_S
            while OTHER_POSITION not in [note.message for note in app._notifications]:
                assert time.monotonic() < deadline
                await pilot.pause(0.02)
            await pilot.press("q")
        output = io.StringIO()
        await in_thread(lambda: replay_in_lines(FORGED, find, io.StringIO("q\n"), output, "en"))
        assert OTHER_POSITION in output.getvalue()
    count("Q22 wrong hash", 2)


async def in_thread(work: Any) -> None:
    """Do what has an event loop of its own beside this one."""
    await asyncio.to_thread(work)


async def test_q22_over_http_the_record_tells_a_wrong_hash(hub: HubProcess, count: Count) -> None:
    """Q22: docs/http-api.md: the record of the match that was made from the moves has the hash that they lead to."""
    async with web(hub) as link:
        player = await HttpPlayer.come(link, "Hugo")
        fields = {"ref": player.ref(), "game": "square", "moves": list(FORGED.moves), "both_seats": True}
        made = await player.post("/matches", fields, 201)
        record = await player.get(f"/matches/{made['match']}/record")
        assert record["moves"] == list(FORGED.moves)
        assert record["hash"] != FORGED.hash
    count("Q22 wrong hash")
