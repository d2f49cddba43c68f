"""What is delivered: wheel and sdist, each in an environment of its own with nothing of this checkout on the path."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.conversation.address import DEFAULT_PORT
from tests.pace import WAIT_S

ROOT = Path(__file__).parent.parent
PLAY = """
import asyncio, sys
from client.conversation.address import parse_address
from client.bot import play
from protocol.player import Player

class Eager(Player):
    def receive_start(self, snapshot):
        self.mine, self.match = snapshot.you[0], snapshot.match
        self.turn(snapshot.version, snapshot.to_move, snapshot.legal)
        self.legal = list(snapshot.legal)
    def receive_move(self, moved):
        self.legal = [move for move in self.legal if move != moved.move]
        self.turn(moved.version, moved.to_move, self.legal)
    def turn(self, version, to_move, legal):
        if to_move == self.mine:
            self.move(self.match, version, legal[0])
    def receive_abandonment(self, ended): print("left", ended.result)
    def receive_end(self, ended): print("end", ended.result.text)

async def main():
    address = parse_address(sys.argv[1])
    await asyncio.gather(*(play(address, name, Eager, game="square") for name in ("Ana", "Bo")))

asyncio.run(main())
"""
PLAY_DOG = """
import pathlib, sys, threading
from client.dog import DogActor, DogPlayerInterface

class Game(DogPlayerInterface):
    def __init__(self, name, server):
        super().__init__()
        self.dog, self.begun, self.over = DogActor(server), threading.Event(), threading.Event()
        self.said = self.dog.initialize(name, self)
    def receive_start(self, status):
        self.begun.set()
        if status.players[0][2] == "1":
            self.turn(status.legal)
    def receive_move(self, move):
        if move["match_status"] == "finished":
            self.end(move)
        elif move["match_status"] == "next":
            self.turn(move["legal"])
    def turn(self, legal):
        did = self.dog.send_move({"move": legal[0], "match_status": "next"})
        if did["match_status"] == "finished":
            self.end(did)
        elif did["match_status"] == "progress":
            self.turn(did["legal"])
    def end(self, move):
        print("end", move["text"])
        self.over.set()

pathlib.Path("game.id").write_text("square")
games = [Game(name, sys.argv[1]) for name in ("Ana", "Bo")]
for game in games:
    status = game.dog.start_match(2)
    if status.code == "2":
        game.receive_start(status)
for game in games:
    game.over.wait(60)
"""

GONE = ("client/web/shown/gone.js", "server/games/gone.py")
"""What an earlier release had: the page would not be served with the one, and the other would be on offer."""


class Place:
    """An environment of its own, in which one archive of ours was installed with what that needs."""

    def __init__(self, folder: Path, archive: str) -> None:
        self.folder = folder
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        self.environment |= {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_STATE_HOME": str(folder)}
        # Without a display that would be the first thing to be told.
        self.environment["SDL_VIDEODRIVER"] = "dummy"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True)
        # Bytecode takes as long as all the rest, and most of it is never run here.
        subprocess.run(
            [
                sys.executable, "-m", "pip", "--python", folder / "env",
                "install", "--quiet", "--disable-pip-version-check", "--no-compile", archive,
            ],
            cwd=folder, env=self.environment, check=True,
        )  # fmt: skip

    def command(self, program: str, *words: str) -> list[str]:
        """How to start an installed program."""
        return [str(self.folder / "env" / "bin" / program), *words]

    def run(self, program: str, *words: str, status: int = 0) -> str:
        """What an installed program says until it ends with `status`."""
        done = subprocess.run(
            self.command(program, *words), cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=4 * WAIT_S, check=False,
        )  # fmt: skip
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheel and the sdist of this checkout, made as an index would get them, where an older build has been."""
    folder = tmp_path_factory.mktemp("archives")
    make = "import sys, setuptools.build_meta as backend; getattr(backend, sys.argv[1])(sys.argv[2])"
    # From a copy, for setuptools leaves its traces where it builds.
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    source = folder / "source"
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file() and not name.startswith(("tests/", "docs/")):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    for name in GONE:
        (source / "build" / "lib" / name).parent.mkdir(parents=True, exist_ok=True)
        (source / "build" / "lib" / name).touch()
    for what in ("build_wheel", "build_sdist"):
        subprocess.run([sys.executable, "-c", make, what, folder], cwd=source, check=True, capture_output=True)
    return {path.suffix: path for path in folder.iterdir() if path.is_file()}


@pytest.fixture(scope="module")
def plain(archives: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Place:
    """The wheel without extras."""
    return Place(tmp_path_factory.mktemp("plain"), str(archives[".whl"]))


@pytest.fixture(scope="module")
def server(archives: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Place:
    """The sdist with the extra `server`."""
    return Place(tmp_path_factory.mktemp("server"), f"{archives['.gz']}[server]")


@pytest.fixture
def address(server: Place, tmp_path: Path) -> Iterator[str]:
    """A hub of the installed server, with a store of its own."""
    port = tmp_path / "port"
    words = ("--port", "0", "--port-file", str(port), "--until-eof", "--data", str(tmp_path / "data"))
    command = server.command("parlour-server", *words)
    with subprocess.Popen(command, cwd=tmp_path, env=server.environment, stdin=subprocess.PIPE) as hub:
        try:
            while not (port.exists() and port.read_text().strip()):
                assert hub.poll() is None
                with pytest.raises(subprocess.TimeoutExpired):
                    hub.wait(0.05)
            yield f"127.0.0.1:{port.read_text().strip()}"
        finally:
            assert hub.stdin is not None
            hub.stdin.close()
            assert hub.wait(WAIT_S) == 0


def test_what_is_delivered_is_small(archives: dict[str, Path]) -> None:
    """HX NF: at most 10 MB, as a wheel and as an sdist."""
    assert set(archives) == {".whl", ".gz"}
    assert max(path.stat().st_size for path in archives.values()) <= 10_000_000


def test_both_archives_have_all_that_the_checkout_ships_and_nothing_that_it_once_did(archives: dict[str, Path]) -> None:
    shipped = {
        str(path.relative_to(ROOT))
        for top in ("protocol", "server", "client")
        for path in (ROOT / top).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(archives[".whl"]) as wheel:
        packed = set(wheel.namelist())
    assert shipped <= packed
    assert not packed & set(GONE)
    with tarfile.open(archives[".gz"]) as sdist:
        assert shipped <= {name.partition("/")[2] for name in sdist.getnames()}


@pytest.mark.slow
def test_two_of_the_plain_install_play_at_a_hub_of_the_other(plain: Place, address: str) -> None:
    """UD RF1, RF2: what is installed without an extra plays; nothing of the server's is there or missed."""
    (plain.folder / "play.py").write_text(PLAY)
    said = plain.run("python", "play.py", address)
    assert said.count("end ") == 2, said
    assert said.splitlines()[0] == said.splitlines()[1]


@pytest.mark.slow
def test_t12_a_students_game_needs_the_plain_install_alone(plain: Place, address: str) -> None:
    """T12: `client.dog` from the wheel, in an environment with nothing else; the rules are the server's."""
    (plain.folder / "play_dog.py").write_text(PLAY_DOG)
    said = plain.run("python", "play_dog.py", address).splitlines()
    assert len(said) == 2, said
    assert said[0] == said[1]
    assert said[0].startswith("end ")


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=WAIT_S):
        return True
    return False


@pytest.mark.slow
def test_what_an_extra_brings_is_named_where_it_is_missed(plain: Place) -> None:
    assert plain.run("parlour", "--version").startswith("parlour ")
    assert "--watch" in plain.run("parlour", "--print-completion", "bash")
    for program, words, extra in (
        ("parlour-server", ("--help",), "server"),
        ("parlour-server", ("admin", "status"), "server"),
        ("parlour", ("--plain", "--name", "Ana"), "server"),
        ("parlour", ("window",), "window"),
    ):
        if "--plain" in words and _answers(DEFAULT_PORT):
            continue  # Somebody plays on this machine: with that hub nothing is missed.
        said = plain.run(program, *words, status=1)
        assert f"parlour[{extra}]" in said, said
        assert "Traceback" not in said
