"""A log that cannot be written harms nobody: no start, no connection, no command; what is lost is counted and told."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from protocol.messages import Ping, Pong
from server.logs import LINES_LOST, LOOK_AGAIN_S, Log
from tests.driver import WAIT_S, Client, HubProcess, RedisProcess, wait_for

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full, a disk without room")


def lost() -> float:
    return LINES_LOST._value.get()


@needs_full
def test_lines_for_which_there_is_no_room_are_counted_and_told_of_later(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.symlink_to(FULL)
    log, before = Log(path), lost()
    for number in range(3):
        assert log.write(f"line {number}\n") == 7
    assert lost() - before == 3
    path.unlink()
    log.reopen()
    log.write("line 3\n")
    log.write("line 4\n")
    assert path.read_text() == "3 lines of the log could not be written\nline 3\nline 4\n"


def test_a_pipe_that_nobody_reads_any_more(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    log, before = Log(path), lost()
    log.write("heard\n")
    assert os.read(reader, 100) == b"heard\n"
    os.close(reader)
    log.write("not heard\n")
    assert lost() - before == 1


def full_pipe(path: Path) -> int:
    """A pipe with that name, in which there is room for nothing more; returns the end from which it is read."""
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, b"x" * 4096)
    os.close(writer)
    return reader


def emptied(reader: int) -> bytes:
    found = b""
    with contextlib.suppress(BlockingIOError):
        while more := os.read(reader, 65536):
            found += more
    return found


def test_a_pipe_that_is_open_and_not_read_waits_for_nobody(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    reader = full_pipe(path)
    log, before = Log(path), lost()
    for _ in range(3):
        log.write("not heard\n")
    assert lost() - before == 3
    emptied(reader)
    log.write("heard\n")
    log.write("again\n" + "y" * 10_000 + "\n")
    assert emptied(reader) == b"3 lines of the log could not be written\nheard\nagain\n" + b"y" * 10_000 + b"\n"
    os.close(reader)


def test_a_pipe_that_nobody_has_opened_yet(tmp_path: Path) -> None:
    """Opening it would wait as well."""
    path, now = tmp_path / "pipe", 0.0
    os.mkfifo(path)
    log = Log(path, lambda: now)
    log.write("nobody is there\n")
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    now = LOOK_AGAIN_S
    log.write("somebody is\n")
    assert os.read(reader, 100) == b"1 lines of the log could not be written\nsomebody is\n"
    os.close(reader)


@pytest.mark.parametrize("kind", ["pipe", "socket", "terminal"])
def test_standard_error_that_nobody_reads(kind: str) -> None:
    """It belongs to others as well, whose flags are left as they are: they may rely on waiting."""
    script = (
        "import os, sys; from server.logs import Log, LINES_LOST, complain\n"
        "log = Log(None)\n"
        "while not LINES_LOST._value.get(): log.write('x' * 999 + '\\n')\n"
        "complain('nobody hears this')\n"
        "print(os.get_blocking(2))"
    )
    if kind == "socket":
        ends = tuple(end.detach() for end in socket.socketpair())
    else:
        ends = os.pipe() if kind == "pipe" else os.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-c", script],
            stdout=subprocess.PIPE,
            stderr=ends[1],
            timeout=WAIT_S,
            check=True,
            text=True,
        )
    finally:
        for end in ends:
            os.close(end)
    assert done.stdout == "True\n"


async def test_a_hub_whose_log_nobody_reads_serves(tmp_path: Path) -> None:
    """Before, it stood still at the line for which the pipe had no room, with all its players."""
    redis = RedisProcess(tmp_path)
    redis.start()
    pipe = tmp_path / "pipe"
    reader = full_pipe(pipe)
    hub = HubProcess(tmp_path, "--redis", redis.url, "--log-level", "debug")
    hub.log = pipe
    try:
        hub.start()
        ana = await Client.open(hub.url, "Ana")
        await ana.ask(Ping(ref="p"), Pong)
        assert hub.get("/ready")[0] == 200
        assert float(hub.get("/metrics")[1].partition("\nparlour_log_lines_lost_total ")[2].split()[0]) > 0
        await ana.close()
        assert hub.stop() == 0
    finally:
        hub.kill()
        redis.stop()
        os.close(reader)


def test_half_a_line_does_not_spoil_the_next_one(tmp_path: Path) -> None:
    """A disk may have room for the beginning alone; here it is the size that files of this process may have."""
    path = tmp_path / "log"
    log = Log(path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4, hard))
        log.write("first line\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    log.write("second line\n")
    assert path.read_text() == "firs\n1 lines of the log could not be written\nsecond line\n"


def test_no_descriptor_is_left_for_the_log(tmp_path: Path) -> None:
    """It starts all the same, and looks again after a while."""
    now = 0.0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.open(os.devnull, os.O_RDONLY)
    os.close(free)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))
        log = Log(tmp_path / "log", lambda: now)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    log.write("lost\n")
    assert not (tmp_path / "log").exists()
    now = LOOK_AGAIN_S
    log.write("kept\n")
    assert (tmp_path / "log").read_text() == "1 lines of the log could not be written\nkept\n"


def test_a_name_that_can_be_no_file_is_told_at_once(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere" / "log", Path(os.devnull) / "log"):
        with pytest.raises(OSError, match="directory"):
            Log(path)


@needs_full
async def test_a_hub_whose_log_is_full_serves(tmp_path: Path) -> None:
    """Before, each connection was closed at its first word to the log, while /ready said 200."""
    redis = RedisProcess(tmp_path)
    redis.start()
    hub = HubProcess(tmp_path, "--redis", redis.url, "--log", str(FULL), "--log-level", "debug")
    try:
        hub.start()
        ana = await Client.open(hub.url, "Ana")
        await ana.ask(Ping(ref="p"), Pong)
        assert (await ana.create("square")).match
        assert hub.get("/ready")[0] == 200
        assert float(hub.get("/metrics")[1].partition("\nparlour_log_lines_lost_total ")[2].split()[0]) > 0
        await ana.close()
        assert hub.stop() == 0
    finally:
        hub.kill()
        redis.stop()


def test_a_log_that_was_moved_away_is_opened_anew_and_each_line_is_json(tmp_path: Path) -> None:
    redis = RedisProcess(tmp_path)
    redis.start()
    path, away = tmp_path / "log.json", tmp_path / "log.json.1"
    hub = HubProcess(tmp_path, "--redis", redis.url, "--log", str(path), "--log-format", "json", "--log-level", "debug")
    try:
        hub.start()
        path.rename(away)
        os.kill(hub.pid, signal.SIGHUP)
        wait_for(path.exists)
        assert hub.get("/health")[0] == 200
        assert hub.stop() == 0
    finally:
        hub.kill()
        redis.stop()
    first, second = ([json.loads(line) for line in file.read_text().splitlines()] for file in (away, path))
    assert "listening" in [line["event"] for line in first]
    assert any("GET /health" in line["event"] for line in second), "what the libraries say, too"
    assert second[-1]["event"] == "stopped"
    assert all({"timestamp", "level"} <= line.keys() for line in (*first, *second))
