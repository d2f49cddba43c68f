"""A hub that is to stop hands its players over to others (K2): nobody is told of it, and nobody sees them go."""

from __future__ import annotations

import asyncio
import os
import signal
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
from tests.faults.recorder import Recorder

DRAIN_S = "2"


@pytest.fixture
def hubs(redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[HubProcess]]:
    """Two, of which the first is to be stopped."""
    made = [
        HubProcess(tmp_path_factory.mktemp("hub"), "--redis", redis.url, "--drain", DRAIN_S) for _ in range(2)
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


async def until_not_ready(hub: HubProcess) -> str:
    """Wait until the hub says that it is not; returns the reason."""
    async with asyncio.timeout(WAIT_S):
        while True:
            status, body = await asyncio.to_thread(hub.get, "/ready")
            if status == 503:
                return body
            await asyncio.sleep(0.01)


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

    first.terminate()
    assert "another hub" in await until_not_ready(first)
    moved = await host.ask(host.a_move(match, min(host.views[match].legal)), Accepted)
    await host.until(lambda: host.gone)
    (told,) = [message for message in host.traffic if isinstance(message, GoingAway)]
    assert told.elsewhere
    again = await Recorder.open(second.url, "Host", token=host.token)
    await again.resume(host, match)
    await ours.until(Welcome, 2)
    assert await asyncio.to_thread(first.wait) == 0

    assert again.views[match].version == moved.version
    assert not [event for event in ours.happened if isinstance(event, Offline | GoingAway)]
    await guest.ask(Ping(ref=guest.ref()), Pong)
    assert all(here == (True, True) for here in guest.here[match][before:]), guest.here[match]
    await ours.quit()
    for client in (again, guest):
        await client.close()


async def test_nobody_new_is_let_in_once_players_are_told_to_go(hubs: list[HubProcess]) -> None:
    clients = [await Client.open(hubs[0].url, f"Guest {number}") for number in range(4)]
    hubs[0].terminate()
    await clients[0].expect(GoingAway)
    with pytest.raises(OSError, match=r"refused|Connect call failed"):
        await Client.connect(hubs[0].url)
    for client in clients[1:]:
        assert (await client.expect(GoingAway)).elsewhere
    assert await asyncio.to_thread(hubs[0].wait) == 0


async def test_an_operator_asks_for_it(hubs: list[HubProcess], redis: RedisProcess) -> None:
    async def operator(*words: str) -> tuple[int, str]:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PARLOUR_")}
        done = await asyncio.to_thread(
            fork_server.run, ["admin", "--redis", redis.url, *words], environment, WAIT_S
        )  # fmt: skip
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
    assert (await operator("drain", ids[1]))[0] == 0
    assert (await client.expect(GoingAway)).elsewhere
    assert await asyncio.to_thread(hubs[1].wait) == 0


async def test_where_no_other_hub_is_clients_wait_for_this_one(
    redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """And it stops at once: there is nothing to wait for."""
    hub = HubProcess(tmp_path_factory.mktemp("hub"), "--redis", redis.url, "--drain", "3600")
    try:
        hub.start()
        client = await Client.open(hub.url, "Ana")
        hub.terminate()
        told = await client.expect(GoingAway)
        assert told.back_in_ms > 0
        assert not told.elsewhere
        assert await asyncio.to_thread(hub.wait) == 0
    finally:
        hub.kill()


async def test_a_second_signal_stops_at_once(redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> None:
    made = [
        HubProcess(tmp_path_factory.mktemp("hub"), "--redis", redis.url, "--drain", "3600") for _ in range(2)
    ]  # fmt: skip
    try:
        for hub in made:
            hub.start()
        client = await Client.open(made[0].url, "Ana")
        made[0].terminate()
        await until_not_ready(made[0])
        os.kill(made[0].pid, signal.SIGTERM)
        assert not (await client.expect(GoingAway)).elsewhere
        assert await asyncio.to_thread(made[0].wait) == 0
        assert await asyncio.to_thread(made[1].stop) == 0
    finally:
        for hub in made:
            hub.kill()
