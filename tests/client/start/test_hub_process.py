"""Starting a server as a user would: what answers, what is started, and how failures are told."""

from __future__ import annotations

import http.server
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from client.start import hub_process
from client.start.hub_process import CannotStart, Hub, LocalServer, is_ready

FAKE_SERVER = """
import http.server, sys, threading
arguments = sys.argv[1:]
def value(name, default=None):
    return arguments[arguments.index(name) + 1] if name in arguments else default
class Ready(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
    def log_message(self, *ignored):
        pass
server = http.server.HTTPServer(("127.0.0.1", int(value("--port"))), Ready)
open(value("--port-file"), "w").write(str(server.server_port))
if "--until-eof" in arguments:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
else:
    server.serve_forever()
"""


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Logs and data of this test alone; short waits."""
    monkeypatch.setattr(hub_process, "user_log_path", lambda *given, **named: tmp_path / "log")
    monkeypatch.setattr(hub_process, "user_data_path", lambda *given, **named: tmp_path / "data")
    monkeypatch.setattr(hub_process, "ASK_S", 0.3)
    return tmp_path


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[Any]]:
    """Instead of `python -m server`, runs the script FAKE_SERVER (or what the test writes); ends all in the end."""
    script = tmp_path / "fake.py"
    script.write_text(FAKE_SERVER)
    processes: list[Any] = []
    real = subprocess.Popen

    def popen(command: list[str], **options: Any) -> Any:
        assert command[:4] == [sys.executable, "-P", "-m", "server"]
        processes.append(real([sys.executable, str(script), *command[4:]], **options))
        processes[-1].arguments = command[4:]
        processes[-1].options = options
        return processes[-1]

    monkeypatch.setattr(subprocess, "Popen", popen)
    yield processes
    for process in processes:
        process.kill()
        process.wait()


@pytest.fixture
def port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        number: int = found.getsockname()[1]
        return number


def test_who_answers(port: int) -> None:
    assert is_ready("127.0.0.1", port) is None
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", port))
        deaf.listen()
        assert is_ready("127.0.0.1", port) is False


def test_a_hub_is_started_when_nobody_answers(started: list[Any], port: int) -> None:
    hub = Hub(port=port)
    assert hub.address().port == port
    (process,) = started
    assert process.arguments[:6] == ["--host", "127.0.0.1", "--port", str(port), "--idle-exit", "600"]
    assert process.options["start_new_session"]
    assert process.options["stdin"] == subprocess.DEVNULL
    assert hub.address().port == port
    assert Hub(port=port).address().port == port
    assert len(started) == 1


def test_a_hub_that_was_killed_is_started_again(started: list[Any], port: int) -> None:
    hub = Hub(port=port)
    hub.address()
    started[0].kill()
    started[0].wait()
    hub.address()
    assert len(started) == 2
    assert is_ready("127.0.0.1", port)


def test_a_hub_of_a_client_that_is_gone_is_started_again_by_another(started: list[Any], port: int) -> None:
    """Whoever is left on this machine cares for it, and one of them alone: the others find the new one."""
    Hub(port=port).address()
    left, also_left = Hub(port=port), Hub(port=port)
    assert left.address() == also_left.address()
    assert len(started) == 1
    started[0].kill()
    started[0].wait()
    left.address()
    also_left.address()
    assert len(started) == 2
    assert is_ready("127.0.0.1", port)


def test_a_hub_that_ended_by_itself_or_is_somebody_elses_is_let_be(
    started: list[Any], port: int, folders: Path
) -> None:
    """What a server does that ends by itself is to take its port file with it; of another's there was no word."""
    Hub(port=port).address()
    left = Hub(port=port)
    left.address()
    (folders / "data" / f"hub-{port}.port").unlink()
    started[0].kill()
    started[0].wait()
    left.address()
    assert len(started) == 1


def test_a_port_used_by_something_else_is_told(started: list[Any]) -> None:
    class NotOurs(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(404)
            self.end_headers()

        def log_message(self, *given: Any) -> None:
            pass

    other = http.server.HTTPServer(("127.0.0.1", 0), NotOurs)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    with pytest.raises(CannotStart, match=f"Port {other.server_port} is used by something else."):
        Hub(port=other.server_port).address()
    other.shutdown()
    other.server_close()
    assert started == []


def test_a_hub_that_ends_at_once_is_told_with_its_log(started: list[Any], port: int, tmp_path: Path) -> None:
    (tmp_path / "fake.py").write_text("raise SystemExit('no')")
    with pytest.raises(CannotStart, match=r"ended at once.*hub\.log"):
        Hub(port=port).address()
    assert "no" in (tmp_path / "log" / "hub.log").read_text()


def test_the_last_words_of_one_are_told_whose_log_goes_with_the_run(started: list[Any], tmp_path: Path) -> None:
    (tmp_path / "fake.py").write_text("raise SystemExit('no disk')")
    with pytest.raises(CannotStart, match=r"ended at once. The last that it said: no disk$"):
        LocalServer("review", tmp_path / "now").address()


def test_a_hub_that_is_never_ready_is_told(
    started: list[Any], port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_process, "START_S", 0.3)
    (tmp_path / "fake.py").write_text("import time\ntime.sleep(60)")
    with pytest.raises(CannotStart, match="was not ready within"):
        Hub(port=port).address()


def test_a_local_server_lives_as_long_as_its_client(started: list[Any], tmp_path: Path) -> None:
    """DB 1.8: on a port of its own; it stops when its input ends."""
    with LocalServer() as local:
        address = local.address()
        assert is_ready("127.0.0.1", address.port)
        assert local.address() == address
        assert str(tmp_path / "data" / "local") in started[0].arguments
    assert started[0].wait(timeout=5) == 0
    assert len(started) == 1


def test_settings_for_another_server_do_not_reach_a_local_one(
    started: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever runs a hub on this machine may have its Redis in the environment; other variables stay."""
    monkeypatch.setenv("PARLOUR_REDIS", "redis://elsewhere")
    monkeypatch.setenv("OTHER", "kept")
    with LocalServer() as local:
        local.address()
    environment = started[0].options["env"]
    assert "PARLOUR_REDIS" not in environment
    assert environment["OTHER"] == "kept"


def test_a_local_server_that_cannot_start_is_told(started: list[Any], tmp_path: Path) -> None:
    (tmp_path / "fake.py").write_text("raise SystemExit('no')")
    with LocalServer() as local, pytest.raises(CannotStart, match=r"ended at once.*local\.log"):
        local.address()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, port: int) -> None:
    (tmp_path / "log").write_text("a file")
    with pytest.raises(CannotStart, match="cannot be made"):
        Hub(port=port).address()
