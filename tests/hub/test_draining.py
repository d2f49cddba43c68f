"""A hub that is to stop hands its players over to others (K2): nobody is told of it, and nobody sees them go."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from collections.abc import Iterator
from random import Random

import pytest

from client.conversation.address import Address, parse_address
from client.conversation.events import Event, Offline
from client.conversation.session import Session
from client.conversation.transport import Transport
from protocol.messages import Accepted, GoingAway, Ping, Pong, Snapshot, Watch, Welcome
from tests import fork_server
from tests.driver import WAIT_S, Client, HubProcess, RedisProcess
from tests.faults.trial.recorder import Lost, Recorder
from tests.pace import NotProvoked


@pytest.fixture
def drain_s() -> str:
    """The time that hubs are given."""
    return "20"


@pytest.fixture
def hubs(redis: RedisProcess, drain_s: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[HubProcess]]:
    """Two."""
    made = [
        HubProcess(tmp_path_factory.mktemp("hub"), "--redis", redis.url, "--drain", drain_s) for _ in range(2)
    ]  # fmt: skip
    try:
        for hub in made:
            hub.start()
        yield made
        assert [hub.stop() for hub in made] == [0, 0]
    finally:
        for hub in made:
            hub.kill()


class Player:
    """Our own client, which connects to the first of these hubs that still takes somebody, as a proxy would have it."""

    def __init__(self, hubs: list[HubProcess], name: str) -> None:
        self.happened: list[Event] = []
        self.session = Session(name)
        self._hubs = list(hubs)
        self._stirred = asyncio.Event()
        self._transport = Transport(self._find, self.session, self._notify, rng=Random(1))
        self._running = asyncio.create_task(self._transport.run())

    async def _find(self) -> Address:
        return parse_address(f"127.0.0.1:{self._hubs.pop(0).port}")

    def _notify(self) -> None:
        self.happened += self.session.events()
        self._stirred.set()

    async def until(self, kind: type[Event], times: int = 1) -> None:
        """Wait until so many of a kind have happened."""
        async with asyncio.timeout(WAIT_S):
            while sum(isinstance(event, kind) for event in self.happened) < times:
                self._stirred.clear()
                await self._stirred.wait()

    def watch(self, match: str) -> None:
        """Follow a match."""
        self.session.send(Watch(ref=self.session.ref(), match=match))
        self._transport.flush()

    async def quit(self) -> None:
        """End it."""
        self._transport.stop()
        await asyncio.wait_for(self._running, WAIT_S)


async def not_ready(hub: HubProcess) -> str:
    """Ask /ready until it says no; returns the reason. Over one connection, for there may be no other one by then."""
    reader, writer = await asyncio.open_connection("127.0.0.1", hub.port)
    try:
        async with asyncio.timeout(WAIT_S):
            while True:
                writer.write(b"GET /ready HTTP/1.1\r\nHost: h\r\n\r\n")
                head = await reader.readuntil(b"\r\n\r\n")
                (length,) = re.findall(rb"content-length: (\d+)", head)
                body = await reader.readexactly(int(length))
                if head.startswith(b"HTTP/1.1 503"):
                    assert b"connection: close" in head
                    return body.decode()
                await asyncio.sleep(0.01)
    finally:
        writer.transport.abort()


async def test_players_go_to_another_hub_and_nobody_is_told(hubs: list[HubProcess]) -> None:
    """Served on until each is told; then at once there, with the match on screen, and seen as here all the time."""
    first, second = hubs
    host, guest = await Recorder.open(first.url, "Host"), await Recorder.open(second.url, "Guest")
    match = (await host.create("square")).match
    await guest.join(match)
    await host.reach(match, 2)
    await guest.sees(match, (True, True))
    ours = Player(hubs, "Ours")
    await ours.until(Welcome)
    ours.watch(match)
    await ours.until(Snapshot)
    before = len(guest.here[match])

    asked = asyncio.create_task(not_ready(first))
    first.terminate()
    move = host.a_move(match, min(host.views[match].legal))
    with contextlib.suppress(Lost):
        await host.ask(move, Accepted)
    assert "another hub" in await asked
    await host.expect(GoingAway)
    try:  # until it has found its way there
        await host.ask(Ping(ref=host.ref()), Pong)
    except Lost as error:
        raise NotProvoked("the connection was closed before the question came") from error
    await host.until(lambda: host.gone)
    (told,) = [message for message in host.traffic if isinstance(message, GoingAway)]
    assert told.elsewhere
    # Nobody new is let in once players are told to go.
    with pytest.raises(OSError, match=r"refused|Connect call failed"):
        await Client.connect(first.url)
    again = await Recorder.open(second.url, "Host", token=host.token)
    await again.resume(host, match)
    moved = await again.once_more(move)
    assert isinstance(moved, Accepted)
    assert (await again.reach(match, moved.version)).version == 3
    await ours.until(Welcome, 2)
    assert await asyncio.to_thread(first.wait) == 0

    assert not [event for event in ours.happened if isinstance(event, Offline | GoingAway)]
    await guest.ask(Ping(ref=guest.ref()), Pong)
    assert all(here == (True, True) for here in guest.here[match][before:]), guest.here[match]
    await ours.quit()

    # Where no other hub is clients wait for this one, and it stops at once: there is nothing to wait for.
    second.terminate()
    await guest.until(lambda: guest.gone)
    (told,) = [message for message in guest.traffic if isinstance(message, GoingAway)]
    assert told.back_in_ms > 0
    assert not told.elsewhere
    assert await asyncio.to_thread(second.wait) == 0
    await again.close()


async def test_hubs_that_stop_at_the_same_moment_know_it_of_each_other(hubs: list[HubProcess]) -> None:
    """K2: neither sends its players to the other; both stop at once, and say when they may be back."""
    first, second = hubs
    clients = [await Client.open(hub.url, name) for hub, name in zip(hubs, ("Ana", "Bo"), strict=True)]
    for hub in hubs:
        hub.terminate()
    told = [await client.expect(GoingAway) for client in clients]
    if any(each.elsewhere for each in told):
        raise NotProvoked("the second had not begun when the first sent its players on")
    assert all(each.back_in_ms > 0 for each in told)
    assert [await asyncio.to_thread(hub.wait) for hub in (first, second)] == [0, 0]


@pytest.mark.parametrize("drain_s", ["3600"])
async def test_an_operator_asks_for_it_and_a_signal_ends_it_at_once(
    hubs: list[HubProcess], redis: RedisProcess
) -> None:
    async def operator(*words: str) -> tuple[int, str]:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PARLOUR_")}
        run = fork_server.run
        done = await asyncio.to_thread(run, ["admin", "--redis", redis.url, *words], environment, WAIT_S)
        return done.returncode, done.stdout + done.stderr

    client = await Client.open(hubs[1].url, "Ana")
    status, listed = await operator("hubs")
    ids = [
        hub.log.read_text().partition("event='listening'")[2].partition("hub='")[2].partition("'")[0] for hub in hubs
    ]
    assert status == 0
    assert sorted(line.split()[0] for line in listed.splitlines()[:-1]) == sorted(ids)
    assert listed.splitlines()[-1] == "2 hubs"
    assert await operator("drain", "nobody") == (1, "parlour-server admin: there is no hub nobody\n")
    asked = asyncio.create_task(not_ready(hubs[1]))
    ordered = asyncio.create_task(operator("drain", ids[1]))
    assert "another hub" in await asked
    hubs[1].terminate()
    told = await client.expect(GoingAway)
    assert (await ordered)[0] == 0
    assert await asyncio.to_thread(hubs[1].wait) == 0
    if told.elsewhere:
        raise NotProvoked("all were sent on before the signal came")
    assert "event='drained'" not in hubs[1].log.read_text()
