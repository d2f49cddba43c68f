"""Budgets by player and by address, over all connections and HTTP, weighed by what a command costs (Q12)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.errors import Refusal
from protocol.messages import COMMANDS, Command, Create, Hello, Join, Look, Message, Move, Ping, Say, Watch, WatchLobby
from server.hub.limits.rate_limiter import CROWDED, LITTLE_MS_A_S, RateLimiter
from server.hub.limits.settings import COSTS_MS, WORK_BURST_S, Limits, Meter, rates
from server.hub.viewers.viewer import Viewer

NOW = 1_000.0
SCHOOL = "192.0.2.7"


class Somebody(Viewer):
    """A connection of a player, or (without a meter) a request by HTTP."""

    def __init__(self, player: str, address: str = SCHOOL, *, socket: bool = True) -> None:
        self.player, self.address = player, address
        self.meter = Meter(rates(Limits())) if socket else None

    def send(self, message: Message) -> None:
        raise AssertionError

    def send_shared(self, frame: bytes, source: str) -> None:
        raise AssertionError


def admitted(limiter: RateLimiter, viewer: Viewer, kind: type[Command], now: float = NOW) -> bool:
    try:
        limiter.admit(viewer, kind, now)
    except Refusal:
        return False
    return True


def test_every_command_has_a_cost() -> None:
    assert COSTS_MS.keys() == set(COMMANDS.values())
    assert min(COSTS_MS.values()) > 0


@pytest.mark.parametrize("kind", sorted(set(COMMANDS.values()) - {Hello}, key=str))
def test_twenty_connections_are_no_faster_than_one(kind: type[Command]) -> None:
    """Q12: for every kind of command, sockets and HTTP together."""
    alone, limiter = RateLimiter(Limits()), RateLimiter(Limits())
    tabs = [Somebody("eve", socket=number % 2 == 0) for number in range(20)]
    one = Somebody("eve")
    most = sum(admitted(alone, one, kind, NOW + step / 100) for step in range(1_000))
    together = sum(admitted(limiter, tab, kind, NOW + step / 100) for step in range(1_000) for tab in tabs)
    assert 10 <= together <= most


def test_who_goes_on_over_many_connections_is_shown_out_on_each() -> None:
    """G5 and Q12."""
    limiter = RateLimiter(Limits())
    tabs = [Somebody("eve") for _ in range(20)]
    for step in range(100):
        for tab in tabs:
            admitted(limiter, tab, Look, NOW + step / 1_000)
    assert all(tab.meter is not None and tab.meter.flooding for tab in tabs)


def test_what_took_long_is_charged() -> None:
    """Q12: reading long matches uses up the budget of who asked, and nobody else's."""
    limiter = RateLimiter(replace(Limits(), work=100))
    eve, bo = Somebody("eve", "127.0.0.1"), Somebody("bo", "127.0.0.1")
    assert admitted(limiter, eve, Watch, NOW)
    limiter._count(limiter._account("eve"), None, 100 * WORK_BURST_S, NOW)
    assert not admitted(limiter, eve, Watch, NOW)
    assert admitted(limiter, bo, Watch, NOW)
    assert admitted(limiter, eve, Watch, NOW + 1), "a second later a second's worth is free again"


def test_many_players_of_one_address_share_its_part_and_those_who_ask_for_little_are_served() -> None:
    """Q12: guests are free, so they count by address, too; a neighbour who plays notices nothing."""
    limiter, limits = RateLimiter(Limits()), Limits()
    crowd = [Somebody(f"guest {number}") for number in range(100)]
    ana, stranger = Somebody("ana"), Somebody("zoe", "192.0.2.8")
    granted_ms, refused = 0.0, 0
    for step in range(600):
        now = NOW + step / 10
        for guest in crowd:
            fine = admitted(limiter, guest, Watch, now)
            granted_ms += COSTS_MS[Watch] * fine
            refused += not fine
        if step % 5 == 0:
            assert admitted(limiter, ana, Move, now), "two moves a second"
            assert admitted(limiter, stranger, Move, now)
    assert refused > 10_000
    assert granted_ms <= limits.work_from_address * (60 + 2 * WORK_BURST_S)


def test_a_crowded_address_is_told_so() -> None:
    limiter = RateLimiter(Limits())
    limiter._count(None, limiter._address(SCHOOL), 3 * WORK_BURST_S * Limits().work_from_address, NOW)
    with pytest.raises(Refusal) as refused:
        limiter.admit(Somebody("ana"), Move, NOW)
    assert refused.value.code == "too_fast"
    assert refused.value.text.message == CROWDED
    assert not limiter.may_connect(SCHOOL, NOW)
    assert not limiter.may_ask(SCHOOL, NOW)
    assert limiter.may_connect("127.0.0.1", NOW)


def test_a_class_behind_one_address_meets_no_limit() -> None:
    """Q12: thirty come at once, reload twice, look at the lobby, host or join, play and talk, hastily."""
    limiter = RateLimiter(Limits())
    pupils = [Somebody(f"pupil {number}") for number in range(30)]
    for _ in range(3):
        for pupil in pupils:
            assert limiter.may_connect(SCHOOL, NOW)
            assert all(limiter.may_ask(SCHOOL, NOW) for _ in range(10)), "the page and its parts"
            nobody = Somebody("")
            assert admitted(limiter, nobody, Hello, NOW)
            assert admitted(limiter, pupil, WatchLobby, NOW)
            assert admitted(limiter, pupil, Watch, NOW)
    for number, pupil in enumerate(pupils):
        assert admitted(limiter, pupil, (Create, Join)[number % 2], NOW + 1)
    for step in range(3_000):
        now = NOW + 2 + step / 10
        for pupil in pupils:
            assert admitted(limiter, pupil, Move, now), "ten moves a second, all of them"
            if step % 5 == 0:
                assert admitted(limiter, pupil, Look, now)
            if step % 30 == 0:
                assert admitted(limiter, pupil, Say, now)
                assert admitted(limiter, pupil, Ping, now)


def test_a_school_that_comes_back_at_once_is_let_in() -> None:
    """500 connections from one address (as many as it may have) after a restart: handshake, hello, match, lobby."""
    limiter = RateLimiter(Limits())
    for number in range(500):
        assert limiter.may_connect(SCHOOL, NOW)
        assert admitted(limiter, Somebody(""), Hello, NOW)
        for kind in (Watch, WatchLobby):
            assert admitted(limiter, Somebody(f"pupil {number}"), kind, NOW)


def test_little_is_a_part_that_play_by_hand_never_uses_up() -> None:
    assert 10 * COSTS_MS[Move] <= LITTLE_MS_A_S
