"""A service of systemd: sockets that are handed over, and being heard from the start to the end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from server.listening import StartError
from server.systemd import FIRST, Systemd, by_systemd, handed_over, tell
from tests.driver import ROOT, WAIT_S, RedisProcess
from tests.stand import running_redis

START = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3, inheritable=True); own = str(os.getpid());"
    "os.environ.update(LISTEN_PID=own, WATCHDOG_PID=own);"
    "os.execv(sys.executable, [sys.executable, '-m', 'server', *sys.argv[2:]])"
)
"""What systemd does between fork and exec: the socket gets its number, and the process its own name."""


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({}, Systemd()),
        ({"LISTEN_FDS": "2", "LISTEN_PID": "7"}, Systemd(2)),
        ({"LISTEN_FDS": "2", "LISTEN_PID": "8"}, Systemd()),
        ({"LISTEN_FDS": "2"}, Systemd()),
        ({"LISTEN_FDS": "many", "LISTEN_PID": "7"}, Systemd()),
        ({"NOTIFY_SOCKET": "@x", "WATCHDOG_USEC": "30000000"}, Systemd(0, "@x", 30.0)),
        ({"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"}, Systemd(0, "/x")),
    ],
)
def test_what_the_environment_says(environment: dict[str, str], told: Systemd) -> None:
    assert by_systemd(environment, 7) == told


def test_what_was_handed_over_must_be_a_socket_that_listens(tmp_path: Path) -> None:
    script = (
        "import os, socket; from server.systemd import handed_over\n"
        "from server.listening import StartError\n"
        "for made in (lambda: os.open('/dev/null', os.O_RDONLY), lambda: socket.socket().detach()):\n"
        "    os.dup2(made(), 3)\n"
        "    try:\n"
        "        with handed_over(1): print('taken')\n"
        "    except StartError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=WAIT_S, check=True, cwd=ROOT
    )
    first, second = done.stdout.splitlines()
    assert "is no socket" in first
    assert "does not listen" in second
    assert FIRST == 3
    with pytest.raises(StartError, match="no socket"), handed_over(65_000):
        pass


def test_nobody_who_listens_is_no_trouble(tmp_path: Path) -> None:
    tell(str(tmp_path / "nothing"), "READY=1")
    tell("", "READY=1")


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    with running_redis(tmp_path_factory) as redis:
        yield redis


def test_a_service_from_its_start_to_its_end(redis: RedisProcess, tmp_path: Path) -> None:
    """Connections wait at the socket from before the hub is there; it says that it is ready, lives, and stops."""
    with (
        socket.create_server(("127.0.0.1", 0)) as waiting,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told,
        (tmp_path / "log").open("wb") as log,
    ):
        told.bind(str(tmp_path / "notify"))
        told.settimeout(WAIT_S)
        waiting.set_inheritable(True)
        port = waiting.getsockname()[1]
        early = socket.create_connection(("127.0.0.1", port), timeout=WAIT_S)
        early.sendall(b"GET /health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PARLOUR_")}
        environment |= {"LISTEN_FDS": "1", "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "900000"}
        hub = subprocess.Popen(
            [sys.executable, "-S", "-c", START, str(waiting.fileno()), "--redis", redis.url],
            cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stderr=log, pass_fds=(waiting.fileno(),),
        )  # fmt: skip
        try:
            heard = [told.recv(100).decode() for _ in range(4)]
            assert "READY=1" in heard
            assert heard.count("WATCHDOG=1") >= 2
            assert early.recv(100).startswith(b"HTTP/1.1 200")
            assert httpx.get(f"http://127.0.0.1:{port}/ready", trust_env=False).status_code == 200
            hub.send_signal(signal.SIGTERM)
            while "STOPPING=1" not in heard:
                heard.append(told.recv(100).decode())
            assert hub.wait(WAIT_S) == 0
            late = socket.create_connection(("127.0.0.1", port), timeout=WAIT_S)
            late.close()
        finally:
            hub.kill()
            hub.wait(WAIT_S)
            early.close()
    assert f"address='http://127.0.0.1:{port}'" in (tmp_path / "log").read_text()
