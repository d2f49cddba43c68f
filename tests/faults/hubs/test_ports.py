"""Ports: whoever says that it listens can be reached there, and nobody else says so."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from server.listening import StartError, listen
from tests.driver import WAIT_S, HubProcess, wait_for
from tests.faults.trial.stage import Trial, rounds

pytestmark = pytest.mark.faults


async def test_q17_of_hubs_that_want_one_port_one_listens(trial: Trial, tmp_path: Path) -> None:
    """Q17: three started at once on one port: one says that it listens, the others end, with a sentence."""
    row = trial.fault("Q17 hubs that want one port")
    for number in range(rounds(20, 3)):
        host = ("127.0.0.1", "localhost", "0.0.0.0")[number % 3]
        with listen(host, 0) as free:
            port = free.port
        hubs = []
        for name in "abc":
            home = tmp_path / f"{number}{name}"
            home.mkdir()
            hubs.append(HubProcess(home, "--redis", trial.stage.url, "--host", host, port=port))
        row.times += len(hubs)
        starts = [asyncio.to_thread(hub.start) for hub in hubs]
        ended = [isinstance(came, AssertionError) for came in await asyncio.gather(*starts, return_exceptions=True)]
        (left,) = [hub for hub, end in zip(hubs, ended, strict=True) if not end]
        assert not left.ended
        await asyncio.to_thread(wait_for, lambda left=left: "event='listening'" in left.log.read_text())  # type: ignore[misc]
        assert await asyncio.to_thread(left.stop) == 0
        for hub in hubs:
            if hub is not left:
                words = hub.log.read_text()
                assert "listens there already" in words
                assert "event='listening'" not in words
                assert "Traceback" not in words
                assert hub.wait() == 1
    await trial.check()


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


def test_q17_who_is_started_again_waits_a_moment_for_the_port() -> None:
    """Q17, A3: a hub was killed between the fork and the exec of a worker, which has its sockets until then."""
    waits: list[float] = []

    def wait(for_s: float) -> None:
        waits.append(for_s)
        if len(waits) == 3:
            held.close()

    with listen("127.0.0.1", 0) as first:
        held = first.sockets[0].dup()
    with held, listen("127.0.0.1", first.port, wait) as again:
        assert again.port == first.port
    assert len(waits) == 3
    assert sum(waits) < 1


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
