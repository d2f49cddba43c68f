"""T13: the example that a course can start from, in two windows on a screen without a monitor, with a real mouse."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from server.games import load_catalogue
from tests.driver import ROOT, HubProcess, RedisProcess, wait_for
from tests.faults.trial.stage import FULL, rounds

GAME = ROOT / "examples" / "dog" / "ultimate.py"
RULES = load_catalogue()["ultimate-dots-and-boxes"]
MOVES = rounds(200, 4)
"""At most; a whole game has some 100."""
FIRST, SECOND = "+0+0", "+640+0"


@pytest.fixture(scope="module")
def game() -> ModuleType:
    """The example, imported; tkinter is needed for that, and no screen."""
    pytest.importorskip("tkinter")
    spec = importlib.util.spec_from_file_location("ultimate", GAME)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_t13_it_is_short_enough_to_be_read() -> None:
    assert len(GAME.read_text().splitlines()) <= 150


@pytest.mark.parametrize("seed", range(20))
def test_t13_its_own_rules_are_those_of_the_server(game: ModuleType, seed: int) -> None:
    rng, rules, state = Random(seed), game.Rules(), RULES.new(RULES.params())
    while True:
        legal = RULES.legal_moves(state)
        assert sorted(rules.legal()) == sorted(legal)
        move = rng.choice(legal)
        before, state = state, RULES.play(state, move)
        did = rules.play(move)
        marks = RULES.changes(before, state)
        assert did["changes"] == {
            element: {"seat": mark.seat, "piece": str(mark.piece)} for element, mark in marks.items() if mark
        }
        over = RULES.outcome(state)
        assert (did["match_status"] == "finished") is (over is not None)
        if over is not None:
            return
        assert (did["match_status"] == "progress") is (RULES.to_move(state) == RULES.to_move(before))


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[dict[str, str]]:
    """What programs need in their environment to be on a screen of this test's own."""
    if not Path("/usr/bin/Xvfb").exists():
        pytest.skip("a screen without a monitor is Linux's alone")
    with (tmp_path / "display").open("w") as told:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "1300x720x24", "-nolisten", "tcp"],
            stdout=told, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    try:
        wait_for(lambda: (tmp_path / "display").read_text().endswith("\n"))
        display = f":{(tmp_path / 'display').read_text().strip()}"
        yield {"DISPLAY": display, "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    finally:
        server.terminate()
        server.wait()


class Program:
    """One window; what it says is in `said`."""

    def __init__(self, name: str, where: str, folder: Path, environment: dict[str, str], *words: str) -> None:
        self.left = int(where.split("+")[1])
        self.environment = environment
        self._log = folder / f"{name}.log"
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(GAME), "--name", name, "--geometry", where, *words],
                cwd=folder, env=environment, stdout=log, stderr=log,
            )  # fmt: skip

    @property
    def said(self) -> list[str]:
        """All its lines so far."""
        return self._log.read_text().splitlines()

    def click(self, x: float, y: float) -> None:
        """With a real mouse, at a place of its window."""
        subprocess.run(
            ["xdotool", "mousemove", str(round(self.left + x)), str(round(y)), "click", "1"],
            env=self.environment, check=True,
        )  # fmt: skip


@pytest.mark.faults
@pytest.mark.minutes(4)
@pytest.mark.parametrize("mode", ["rules", "referee"])
def test_t13_two_windows_play_in_either_mode(
    game: ModuleType, mode: str, screen: dict[str, str], tmp_path: Path
) -> None:
    redis = RedisProcess(tmp_path)
    redis.start()
    hub = HubProcess(tmp_path, "--redis", redis.url, "--dog", "--no-dog-front")
    hub.start()
    words = ["--server", f"127.0.0.1:{hub.port}", *(["--referee"] if mode == "referee" else [])]
    programs = [
        Program(name, where, tmp_path, screen, *words) for name, where in (("Ana", FIRST), ("Bea", SECOND))
    ]  # fmt: skip
    try:
        for program in programs:
            wait_for(lambda program=program: "Conectado a Dog Server" in program.said)  # type: ignore[misc]

        def begun() -> bool:
            if all(any("turn" in line for line in program.said) for program in programs):
                return True
            before = len(programs[0].said)
            programs[0].click(300, START_Y)
            wait_for(lambda: len(programs[0].said) > before)
            if mode == "referee":
                programs[1].click(300, START_Y)
                wait_for(lambda: all(any("turn" in line for line in program.said) for program in programs))
            return False

        wait_for(begun)
        state = RULES.new(RULES.params())
        first = 0 if "Your turn" in programs[0].said else 1
        rng = Random(1)
        for _ in range(MOVES):
            mover = programs[first if RULES.to_move(state) == 0 else 1 - first]
            move = rng.choice(RULES.legal_moves(state))
            x1, y1, x2, y2 = game.LINES[move]
            mover.click((x1 + x2) / 2, (y1 + y2) / 2)
            for program in programs:
                wait_for(lambda program=program, move=move: program.said[-1].startswith(f"{move}: "))  # type: ignore[misc]
            state = RULES.play(state, move)
            told = {program.said[-1].partition(": ")[2] for program in programs}
            if RULES.outcome(state) is not None:
                assert mover.said[-1].endswith("You have won")
                assert told == {"You have won", "The other has won"}
                break
            assert told == {"Your turn", "The other's turn"}
        else:
            assert not FULL
    finally:
        for program in programs:
            program.process.kill()
            program.process.wait()
        hub.stop()
        redis.stop()


START_Y = 11 * 50 + 2 * 25 + 35
"""Of the button below the board and the line of text."""
