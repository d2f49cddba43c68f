"""G3: dead connections are found by pings, and nobody else is taken for dead."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from protocol.messages import Pong
from server.hub.connections.hub import Hub
from server.hub.connections.keepalive import INTERVAL_S, LATE_S, SLOTS, TURN_S, Keepalive
from tests.driver import Client
from tests.server.hub.connections.stand import Scenario, Stand, until

NOTICED_S = 40


class Peer:
    """A connection that answers a ping or does not; `seen` are the times in which it was pinged."""

    def __init__(self, *, answers: bool = True) -> None:
        self.answers = answers
        self.pings = 0
        self.ended = False

    @property
    def is_silent(self) -> bool:
        return self.pings > 0 and not self.answers

    def probe(self) -> None:
        self.pings += 1

    def lost(self) -> None:
        self.ended = True


class Wheel:
    """A keepalive and its clock."""

    def __init__(self, peers: list[Peer]) -> None:
        self.keepalive = Keepalive()
        self.now = 1_000.0
        for peer in peers:
            self.keepalive.add(peer)

    def turns(self, number: int, pause_s: float = TURN_S) -> None:
        for _ in range(number):
            self.now += pause_s
            self.keepalive.turn(self.now)


@pytest.mark.parametrize("turned", range(0, SLOTS, 7))
def test_a_silent_one_is_lost_within_two_intervals_and_no_other(turned: int) -> None:
    """G3: wherever the wheel stands when it comes."""
    wheel = Wheel([])
    wheel.turns(turned)
    well, silent = Peer(), Peer(answers=False)
    wheel.keepalive.add(well)
    wheel.keepalive.add(silent)
    wheel.turns(SLOTS)
    assert (well.pings, silent.pings, silent.ended) == (1, 1, False)
    wheel.turns(SLOTS)
    assert (well.pings, silent.pings) == (2, 1)
    assert silent.ended
    assert not well.ended
    assert 2 * SLOTS * TURN_S < NOTICED_S
    assert SLOTS * TURN_S == INTERVAL_S


def test_who_come_together_are_not_pinged_together() -> None:
    peers = [Peer() for _ in range(10 * SLOTS)]
    wheel = Wheel(peers)
    for turn in range(1, SLOTS + 1):
        wheel.turns(1)
        assert sum(peer.pings for peer in peers) == 10 * turn


def test_who_is_gone_is_not_pinged() -> None:
    gone, there = Peer(), Peer()
    wheel = Wheel([gone, there])
    wheel.keepalive.discard(gone)
    wheel.keepalive.discard(gone)
    wheel.turns(SLOTS)
    assert (gone.pings, there.pings) == (0, 1)


def test_a_hub_that_stood_still_calls_nobody_silent_yet() -> None:
    """What came meanwhile is read after the turn: who answered in time is not to be cut for it."""
    peer = Peer(answers=False)
    wheel = Wheel([peer])
    wheel.turns(SLOTS)
    wheel.turns(1, TURN_S + LATE_S + 0.1)
    assert (peer.pings, peer.ended) == (2, False)
    wheel.turns(SLOTS)
    assert peer.ended


def round_of(hub: Hub) -> None:
    """As in one interval, at once."""
    for turn in range(SLOTS):
        hub.keepalive.turn(turn * TURN_S)


def test_a_connection_that_answers_no_ping_is_closed(run: Callable[[Scenario], None]) -> None:
    """G3: a peer that is silent and does not close is lost; one that answers stays."""

    async def scenario(stand: Stand) -> None:
        silent = await Client.open(stand.url)
        dead = stand.connection
        silent.socket.transport.pause_reading()
        well = await Client.open(stand.url, "Bo")
        (alive,) = stand.hub.connections - {dead}
        round_of(stand.hub)
        await until(lambda: not alive.is_silent)  # type: ignore[attr-defined]
        round_of(stand.hub)
        await until(lambda: stand.hub.connections == {alive})
        assert stand.service.forgotten == 1
        silent.cut()
        await well.close()

    run(scenario)


def test_who_does_not_take_what_waits_is_left_to_the_outbox(run: Callable[[Scenario], None]) -> None:
    """A ping would wait behind it: that it is not answered says nothing."""

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        client.socket.transport.pause_reading()
        connection = stand.connection

        def filled() -> bool:
            connection.viewer.send(Pong(ref="r" * 40_000, now_ms=0))
            return connection.paused

        await until(filled)
        for _ in range(3):
            round_of(stand.hub)
        assert stand.hub.connections == {connection}
        client.cut()

    run(scenario)


def test_who_is_not_read_now_is_not_silent(run: Callable[[Scenario], None]) -> None:
    """So many commands wait that the hub reads no further: the answer to the ping is behind them."""

    async def scenario(stand: Stand) -> None:
        client = await Client.open(stand.url)
        connection = stand.connection
        connection.probe()
        connection.recv_messages.paused = True
        assert not connection.is_silent
        connection.recv_messages.paused = False
        assert connection.is_silent
        await until(lambda: not connection.is_silent)
        await client.close()

    run(scenario)
