"""Ports: whoever says that it listens can be reached there, and nobody else says so."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from server.listening import StartError, listen
from tests.driver import ROOT, WAIT_S
from tests.faults.stage import Trial, rounds

pytestmark = pytest.mark.faults
HUBS = 3


async def test_q17_of_hubs_that_want_one_port_one_listens(trial: Trial, tmp_path: Path) -> None:
    """Q17: three started at once on one port: one says that it listens, the others end at once, with a sentence."""
    row = trial.fault("Q17 hubs that want one port")
    for number in range(rounds(20, 3)):
        host = ("127.0.0.1", "localhost", "0.0.0.0")[number % 3]
        with listen(host, 0) as free:
            port = free.port
        running = []
        for _ in range(HUBS):
            running.append(
                await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "server",
                    "--redis",
                    trial.stage.url,
                    "--host",
                    host,
                    "--port",
                    str(port),
                    cwd=ROOT,
                    stderr=subprocess.PIPE,
                    stdin=subprocess.DEVNULL,
                    env={name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")},
                )
            )
        row.times += HUBS
        ends = [asyncio.create_task(hub.wait()) for hub in running]
        async with asyncio.timeout(WAIT_S):
            while sum(end.done() for end in ends) < HUBS - 1:
                await asyncio.wait([end for end in ends if not end.done()], return_when=asyncio.FIRST_COMPLETED)
        (left,) = [hub for hub, end in zip(running, ends, strict=True) if not end.done()]
        said = await until_said(left, b"listening")
        assert b"event='listening'" in said
        left.terminate()
        async with asyncio.timeout(WAIT_S):
            assert await left.wait() == 0
        for hub in running:
            if hub is not left:
                assert hub.stderr is not None
                words = (await hub.stderr.read()).decode()
                assert "listens there already" in words
                assert "event='listening'" not in words
                assert "Traceback" not in words
                assert hub.returncode == 1
    await trial.check()


async def until_said(hub: asyncio.subprocess.Process, word: bytes) -> bytes:
    """What a hub has said until `word` comes."""
    said = b""
    assert hub.stderr is not None
    async with asyncio.timeout(WAIT_S):
        while word not in said:
            line = await hub.stderr.readline()
            assert line, said
            said += line
    return said


def test_q17_a_port_is_taken_once_whoever_has_it() -> None:
    """Q17: also one that something else has, on one of two addresses."""
    with listen("127.0.0.1", 0) as first:
        for host in ("127.0.0.1", "0.0.0.0", "localhost"):
            with pytest.raises(StartError, match="listens there already"), listen(host, first.port):
                pass
    with (
        socket.create_server(("127.0.0.1", 0)) as other,
        pytest.raises(StartError, match="listens there already"),
        listen("localhost", other.getsockname()[1]),
    ):
        pass


def test_q17_a_port_is_free_again_when_it_is_let_go() -> None:
    with listen("127.0.0.1", 0) as first, socket.create_connection(("127.0.0.1", first.port)):
        pass
    with listen("127.0.0.1", first.port) as again:
        assert again.port == first.port


def test_q17_all_addresses_of_a_name_have_the_same_port() -> None:
    """Q17: `localhost` is reached by IPv4 and, where there is one, IPv6."""
    with listen("localhost", 0) as found:
        assert {sock.getsockname()[1] for sock in found.sockets} == {found.port}
        for sock in found.sockets:
            with socket.create_connection(sock.getsockname()[:2], timeout=WAIT_S):
                pass


@pytest.mark.parametrize("host", ["203.0.113.7", "no.such.host.invalid"])
def test_q17_an_address_that_is_not_here_is_told(host: str) -> None:
    with pytest.raises(StartError, match=f"Cannot listen on {host}"), listen(host, 0):
        pass


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6 here")
def test_q17_ipv6_alone() -> None:
    with listen("::1", 0) as found:
        with socket.create_connection(("::1", found.port), timeout=WAIT_S):
            pass
        with pytest.raises(StartError), listen("::", found.port):
            pass
