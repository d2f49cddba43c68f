"""The front as a process, with hubs that come and go behind it."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from server.dog_front import launch
from server.listening import StartError
from tests.driver import ROOT, HubProcess, RedisProcess, wait_for
from tests.server.http.dog.library import CONNECTED, Library
from tests.server.http.dog.test_matches import begin

_IDS = count(157_000_000_000)


def free_port() -> int:
    """A port that nobody has just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    process = RedisProcess(tmp_path_factory.mktemp("redis"))
    process.start()
    yield process
    process.stop()


@pytest.fixture
def port() -> Iterator[int]:
    """A port for a front; whatever front is there afterwards is ended."""
    taken = free_port()
    yield taken
    launch.ask(taken, "stop")


@pytest.fixture
def hub(tmp_path: Path, redis: RedisProcess, port: int) -> Iterator[HubProcess]:
    """A hub that has a front on that port."""
    process = HubProcess(tmp_path, "--redis", redis.url, "--dog-port", str(port))
    process.start()
    yield process
    process.stop()
    assert "Traceback" not in process.log.read_text(), process.log.read_text()


def program(port: int, name: str, game: str) -> Library:
    """A program as it is: a connection that breaks off silences it for good."""
    made = Library(f"http://127.0.0.1:{port}/", name, str(next(_IDS)), game_id=game)
    assert made.initialize() == CONNECTED
    return made


def test_t3_a_killed_hub_silences_nobody_and_loses_nothing(hub: HubProcess, port: int) -> None:
    """T3: kill -9 while both programs' calls are held and a move is on its way; then a clean restart."""
    ana, bea = program(port, "Ana", "killed"), program(port, "Bea", "killed")
    begin(ana, bea)
    said = 0
    for end in (hub.kill, hub.kill, hub.stop):
        ana.send_move({"n": said, "match_status": "progress"})
        bea.await_moves(said + 1)
        end()
        sending = threading.Thread(target=ana.send_move, args=({"n": said + 1, "match_status": "progress"},))
        sending.start()
        hub.start()
        sending.join()
        bea.await_moves(said + 2)
        said += 2
    bea.send_move({"n": said, "match_status": "finished"})
    ana.await_moves(1)
    assert bea.rows() == list(range(said))
    assert bea.rows("order") == list(range(1, said + 1))
    wait_for(lambda: ana.start_match(2).code == "2")
    wait_for(lambda: len(bea.starts) == 2)
    assert (ana.silenced, bea.silenced, ana.withdrawals, bea.withdrawals) == (None, None, 0, 0)
    for player in (ana, bea):
        player.stop()


def test_t3_what_is_asked_while_the_hub_is_away_is_answered_when_it_is_back(hub: HubProcess, port: int) -> None:
    """T3: registering, too, though the hub may have stored it before it died."""
    hub.kill()
    answers: list[str] = []
    late = Library(f"http://127.0.0.1:{port}/", "Late", str(next(_IDS)), game_id="late")
    asking = threading.Thread(target=lambda: answers.append(late.initialize()))
    asking.start()
    hub.start()
    asking.join()
    assert answers == [CONNECTED]
    form = f"player_id={late.id}&game_id=late&player_name=Late&ref=a"
    other = form.replace(late.id, str(next(_IDS)))
    assert [post(port, "player/", body) for body in (form, other, other)] == [409, 200, 200]
    late.stop()


def post(port: int, path: str, body: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    try:
        connection.request("POST", f"/{path}", body)
        return connection.getresponse().status
    finally:
        connection.close()


def test_t3_a_window_that_is_closed_is_noticed_through_the_front(port: int) -> None:
    """T3: the hub tells by the connection that closes that nobody waits for the answer any more."""
    with socket.create_server(("127.0.0.1", 0)) as hub:
        assert launch.have_front("127.0.0.1", port, hub.getsockname()[1]) == port
        with socket.create_connection(("127.0.0.1", port)) as program:
            program.sendall(b"POST /match/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na")
            while True:
                held, _ = hub.accept()
                if b"POST /dog/match/ HTTP/1.1" in held.recv(1000):
                    break
                held.close()  # the front only looks whether a hub is there
        assert held.recv(1000) == b""
        held.close()


def test_t3_two_hubs_do_not_take_each_others_front(
    hub: HubProcess, port: int, redis: RedisProcess, tmp_path: Path
) -> None:
    with pytest.raises(StartError) as refused:
        launch.have_front("127.0.0.1", port, free_port())
    assert "another hub" in str(refused.value)
    hub.stop()
    other = free_port()
    assert launch.have_front("127.0.0.1", port, other) == port
    found = launch.ask(port)
    assert found is not None
    assert found["hub"] == f"127.0.0.1:{other}"


def test_t3_a_front_without_a_hub_ends_by_itself() -> None:
    """T3: a class is over; nothing of it stays behind."""
    ran = subprocess.run(
        [
            sys.executable, "-m", "server.dog_front",
            "--port", "0", "--hub", f"127.0.0.1:{free_port()}", "--alone", "0.5",
        ],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stdout.strip().isdigit()


def test_t3_a_hub_that_cannot_start_leaves_no_front(tmp_path: Path, port: int) -> None:
    hub = HubProcess(
        tmp_path, "--redis", "redis://127.0.0.1:1/0", "--dog-port", str(port), "--games", str(tmp_path / "x")
    )
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "bad.py").write_text("this is no game")
    with pytest.raises(AssertionError):
        hub.start()
    assert launch.ask(port) is None


def test_the_front_refuses_what_is_no_call(hub: HubProcess, port: int) -> None:
    for sent, status in (
        (b"rubbish\r\n\r\n", b"400"),
        (b"POST /move/ HTTP/1.1\r\nContent-Length: 999999\r\n\r\n", b"400"),
    ):
        with socket.create_connection(("127.0.0.1", port)) as link:
            link.sendall(sent)
            assert link.recv(100).split(b" ")[1] == status
