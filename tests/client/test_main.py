"""The command line: what is given is what the client is asked to do; nothing is started."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from client import __main__ as command
from client.command_line import GAMES
from client.kept import identity
from client.playing.new_match import Against, AtOnce
from client.start.launch import Launch, LocalGame
from client.start.surroundings import no_terminal
from tests.client.refereed import CATALOGUE
from tests.driver import ROOT, WAIT_S


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Launch]:
    """The launches that would have run."""
    launches: list[Launch] = []

    class Stub:
        return_code = 0

        def __init__(self, launch: Launch, *, settings_path: Path, **looks: bool) -> None:
            launches.append(launch)

        def run(self) -> None:
            pass

    monkeypatch.setattr("client.terminal.app.Parlour", Stub)
    monkeypatch.setattr(command, "no_terminal", lambda *streams: "")
    monkeypatch.setattr(identity, "user_config_path", lambda *given, **named: tmp_path)
    return launches


def test_a_server_is_named(asked: list[Launch]) -> None:
    assert command.main(["--server", "games.example:99", "--name", "Ada", "--watch", "m1"]) == 0
    (launch,) = asked
    assert launch.prepare().url == "ws://games.example:99/ws"
    assert (launch.name, launch.watch, launch.connects_at_once, launch.local) == ("Ada", "m1", True, None)


def test_without_a_name_it_is_asked_for(asked: list[Launch]) -> None:
    command.main(["--server", "games.example"])
    assert not asked[0].connects_at_once


def test_local_play(asked: list[Launch]) -> None:
    """DB 1.8."""
    assert command.main(["local"]) == 0
    assert command.main(["local", "checkers", "-o", "captures=forced", "-o", "draw_after=40", "-o", "x=true"]) == 0
    assert command.main(["local", "--size", "5x4"]) == 0
    assert [launch.local for launch in asked] == [
        LocalGame("dots-and-boxes", {}),
        LocalGame("checkers", {"captures": "forced", "draw_after": 40, "x": True}),
        LocalGame("dots-and-boxes", {"width": 5, "height": 4}),
    ]
    assert all(launch.connects_at_once and launch.server_key == "local" for launch in asked)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["play", "square", "--computer"], AtOnce("square", Against.COMPUTER)),
        (["play", "square"], AtOnce("square", Against.COMPUTER)),
        (["play", "checkers", "--friend"], AtOnce("checkers", Against.FRIEND)),
        (["play", "--somebody"], AtOnce("dots-and-boxes", Against.SOMEBODY)),
        (["play", "ultimate", "--here"], AtOnce("ultimate", Against.HERE)),
        (
            ["play", "checkers", "-o", "captures=forced", "--level", "hard"],
            AtOnce("checkers", Against.COMPUTER, (("captures", "forced"),), "hard"),
        ),
    ],
)
def test_a_match_is_begun_at_once(asked: list[Launch], words: list[str], meant: AtOnce) -> None:
    """Under the name used last, or under one that is made up once and kept."""
    for _ in range(2):
        assert command.main(["--server", "x", *words]) == 0
    assert [launch.at_once for launch in asked] == [meant, meant]
    assert len({launch.name for launch in asked} - {""}) == 1
    assert all(launch.connects_at_once and not launch.shows_cards for launch in asked)


def test_a_first_screen_with_cards_is_for_who_asked_for_nothing_else(asked: list[Launch]) -> None:
    for words in ([], ["--server", "x"], ["--watch", "m1"], ["open", "http://x/#key=ABCD"], ["local"]):
        command.main(words)
    assert [launch.shows_cards for launch in asked] == [True, True, False, False, False]


def test_the_help_names_the_games_and_groups_what_one_may_want(capsys: pytest.CaptureFixture[str]) -> None:
    """The games are those that every hub has."""
    assert {game.name: game.title for game in CATALOGUE.values()} == GAMES
    with pytest.raises(SystemExit):
        command.main(["--help"])
    said = capsys.readouterr().out
    assert all(name in said and title in said for name, title in GAMES.items())
    groups = ("who you are:", "how it looks:", "where, and whom to watch:", "commands:", "about parlour itself:")
    assert all(f"\n{group}\n" in said for group in groups)
    assert max(map(len, said.splitlines())) <= 80
    with pytest.raises(SystemExit):
        command.main(["play", "--help"])
    said = capsys.readouterr().out
    assert all(name in said for name in ("--computer", "--friend", "--somebody", "--here", *GAMES))


@pytest.fixture
def asked_plainly(asked: list[Launch], monkeypatch: pytest.MonkeyPatch) -> list[Launch]:
    """The launches that would have run in plain lines."""
    launches: list[Launch] = []

    def run(launch: Launch, source: Any, output: Any) -> int:
        launches.append(launch)
        return 0

    monkeypatch.setattr(command, "run_plain", run)
    return launches


def test_plain_lines_are_asked_for_before_or_after_the_command(
    asked: list[Launch], asked_plainly: list[Launch]
) -> None:
    assert command.main(["--plain", "--server", "x", "--name", "Ada"]) == 0
    assert command.main(["--plain", "local", "square"]) == 0
    assert command.main(["local", "square", "--plain"]) == 0
    assert [launch.local for launch in asked_plainly] == [None, LocalGame("square", {}), LocalGame("square", {})]
    assert asked == []


SAVED = """{"format": "parlour-match", "version": 1, "game": "square", "options": {"x": 1}, "names": ["a", "b"],
    "moves": ["a1-b1"], "hash": "HASH"}""".replace("HASH", "0" * 64)


def test_a_saved_game_is_started_from(asked: list[Launch], tmp_path: Path) -> None:
    """`RU-M8`: hosted, or at one keyboard."""
    file = tmp_path / "x.json"
    file.write_text(SAVED)
    assert command.main(["--server", "x", "--from", str(file)]) == 0
    assert command.main(["local", "--from", str(file)]) == 0
    assert command.main(["--from", str(file), "local"]) == 0
    assert [launch.saved.moves for launch in asked if launch.saved is not None] == [("a1-b1",)] * 3
    assert [launch.local for launch in asked] == [None, *[LocalGame("square", {"x": 1})] * 2]


def test_a_saved_game_has_its_own_game(asked: list[Launch], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.json"
    file.write_text(SAVED)
    for more in (["square"], ["--size", "5x5"], ["-o", "x=2"]):
        with pytest.raises(SystemExit):
            command.main(["local", "--from", str(file), *more])
        assert "has its own game and options" in capsys.readouterr().err
    assert asked == []


def test_a_replay_is_run_in_lines_or_drawn(
    asked: list[Launch], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = []

    class Stub:
        def __init__(self, saved: Any, find: Any, language: str, **looks: bool) -> None:
            runs.append(("drawn", saved.moves))

        def run(self) -> int:
            return 0

    def in_lines(saved: Any, *more: Any) -> int:
        runs.append(("lines", saved.moves))
        return 0

    monkeypatch.setattr("client.terminal.replay.Replay", Stub)
    monkeypatch.setattr(command, "replay_in_lines", in_lines)
    file = tmp_path / "x.json"
    file.write_text(SAVED)
    assert command.main(["replay", str(file)]) == 0
    assert command.main(["replay", str(file), "--plain"]) == 0
    assert command.main(["--plain", "replay", str(file)]) == 0
    assert runs == [("drawn", ("a1-b1",)), ("lines", ("a1-b1",)), ("lines", ("a1-b1",))]


@pytest.mark.parametrize(
    "arguments",
    [
        ["replay"],
        ["local", "--size", "big"],
        ["local", "-o", "nothing"],
        ["nonsense"],
        ["play", "square", "--here", "--friend"],
        ["play", "square", "--here", "--level", "hard"],
        ["play", "square", "-o", "nothing"],
        ["--from", "x", "play", "square"],
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_run(
    asked: list[Launch], capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(arguments)
    assert ended.value.code == 2
    assert "error:" in capsys.readouterr().err
    assert asked == []


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--from", "/nowhere/x.json"], "/nowhere/x.json"),
        (["local", "--from", "/nowhere/x.json"], "/nowhere/x.json"),
        (["replay", "/nowhere/x.json"], "/nowhere/x.json"),
        (["--server", "a b"], "a b"),
        (["--server", "ftp://x"], "ftp://x"),
        (["--server", "games.example:99999"], "99999"),
        (["--server", "games.example:x", "--plain"], "games.example:x"),
        (["window", "--server", "a b"], "a b"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_and_status_1(
    asked: list[Launch], capsys: pytest.CaptureFixture[str], arguments: list[str], named: str
) -> None:
    assert command.main(arguments) == 1
    said = capsys.readouterr().err
    assert said.startswith("parlour: ")
    assert len(said.splitlines()) == 1
    assert asked == []


WAYS = ("parlour --plain", "make serve")


@pytest.mark.parametrize(
    ("words", "environment"),
    [
        ([], {"TERM": "xterm-256color"}),
        (["local"], {"TERM": "xterm-256color"}),
        (["window"], {}),
    ],
)
def test_without_what_it_draws_on_it_ends_at_once_and_names_what_works(
    tmp_path: Path, words: list[str], environment: dict[str, str]
) -> None:
    """In- and output are pipes, and there is no display: one sentence, status 1, and nothing was started."""
    kept = {name: os.environ[name] for name in ("PATH",)} | {"HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "client", *words], cwd=tmp_path, env=kept | environment, input="", timeout=WAIT_S,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert all(way in done.stderr for way in WAYS)


class Terminal(io.StringIO):
    """Somebody sits there."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("term", "works"), [("xterm-256color", True), ("dumb", False), ("", False), ("vt100", True)])
def test_a_terminal_that_cannot_be_drawn_on_is_told_from_others(term: str, works: bool) -> None:
    why = no_terminal(Terminal(), Terminal(), {"TERM": term} if term else {})
    assert (why == "") is works
    assert works or all(way in why for way in WAYS)
    assert no_terminal(io.StringIO(), Terminal(), {"TERM": "xterm"})
    assert no_terminal(Terminal(), io.StringIO(), {"TERM": "xterm"})


def test_a_display_that_takes_no_window_is_told(tmp_path: Path) -> None:
    """The name of a display at which nothing is; and no line of pygame's or of ALSA's."""
    kept = {name: os.environ[name] for name in ("PATH",)} | {"HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "client", "window"], cwd=tmp_path, timeout=WAIT_S, check=False, input="",
        env=kept | {"DISPLAY": ":987", "SDL_VIDEODRIVER": "x11"}, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert all(way in done.stderr for way in WAYS)


def test_a_window_says_nothing_on_the_console_about_sound(tmp_path: Path) -> None:
    code = "from client.window.sounds import Sounds\nprint(Sounds().can_be_heard)"
    kept = {name: os.environ[name] for name in ("PATH",)} | {"HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, timeout=WAIT_S, capture_output=True, text=True, check=True,
        env=kept | {"SDL_AUDIODRIVER": "alsa"},
    )  # fmt: skip
    assert (done.stdout in ("True\n", "False\n"), done.stderr) == (True, "")


def test_ctrl_c_while_modules_are_read_is_silent(tmp_path: Path) -> None:
    """Sent from within, in the middle of the imports: no traceback, and the status of an interrupted program."""
    (tmp_path / "platformdirs.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    done = subprocess.run(
        [sys.executable, "-m", "client", "--version"], cwd=tmp_path, timeout=WAIT_S, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_a_profile_in_use_is_told(asked: list[Launch], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with identity.take_identity("work", tmp_path):
        assert command.main(["--server", "x", "--profile", "work"]) == 1
    assert "in use in another terminal" in capsys.readouterr().err


def test_the_version_is_told(capsys: Any) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("parlour ")


@pytest.mark.parametrize(
    ("name", "language"), [("pt_BR", "pt-BR"), ("en_GB", "en-GB"), ("C", "en"), (None, "en"), ("x" * 30, "en")]
)
def test_the_language_of_the_terminal_is_asked_for(
    asked: list[Launch], monkeypatch: pytest.MonkeyPatch, name: str | None, language: str
) -> None:
    monkeypatch.setattr("locale.getlocale", lambda: (name, "UTF-8"))
    command.main(["--server", "x"])
    assert asked[0].language == language


@pytest.mark.parametrize("module", ["client", "server"])
def test_a_shell_can_be_taught_to_complete(module: str) -> None:
    """Bash takes the script that is printed, and then knows the options."""

    def said(words: list[str], typed: str = "") -> str:
        return subprocess.run(words, cwd=ROOT, input=typed, capture_output=True, text=True, check=True).stdout

    script = said([sys.executable, "-m", module, "--print-completion", "bash"])
    assert {"client": "parlour", "server": "parlour-server"}[module] in said(
        ["bash", "-e"], f"{script}\ncomplete -p"
    ).split()
    assert {"client": "--profile", "server": "--redis"}[module] in script
    if module == "client":
        tried = "COMP_WORDS=(parlour play sq) COMP_CWORD=2; _shtab_parlour parlour sq play; echo ${COMPREPLY[@]}"
        assert said(["bash"], f"{script}\n{tried}").strip() == "square"
