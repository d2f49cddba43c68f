"""A store that falls silent while clocks run: clients are told, and what passes is neither charged nor counted down."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis as sync_redis

from client.conversation.events import InStep
from client.conversation.position import advance, time_left
from client.shown.model import Model, update
from client.shown.words.held import update_at
from protocol.messages import ClockRule, Excused, MatchEvent, Message, Moved, Notification, Outage, Snapshot, Watch
from tests.driver import Client, HubProcess, RedisProcess, wait_for

TOTAL = ClockRule(total_ms=300_000)
RETURN_MS = 3_000


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisProcess]:
    """One of this test alone, for it is stopped."""
    process = RedisProcess(tmp_path)
    process.start()
    yield process
    process.signal(signal.SIGCONT)
    process.stop()


@pytest.fixture
def hub(redis: RedisProcess, tmp_path: Path) -> Iterator[HubProcess]:
    """The only one over it."""
    process = HubProcess(tmp_path, "--redis", redis.url)
    process.start()
    yield process
    redis.signal(signal.SIGCONT)
    assert process.stop() == 0


def left(match: Snapshot, at_ms: float) -> tuple[int, int]:
    """What a client shows at a time of the server's."""
    found = time_left(match, at_ms)
    assert found is not None
    return found


async def begun(host: Client, guest: Client, moves: int) -> Snapshot:
    """A timed match of theirs in which so many moves were made, as the host knows it."""
    match = (await host.create("dots-and-boxes", clock=TOTAL)).match
    shown = await guest.join(match)
    for _ in range(moves):
        mover = (host, guest)[shown.to_move or 0]
        await mover.move(match, shown.version, min(shown.legal))
        moved = await guest.expect(Moved, lambda event, version=shown.version: event.version > version)  # type: ignore[misc]
        shown = advance(shown, moved)
    host.forget_unread()
    return shown


class Face:
    """The clocks on the screen of who follows a match. All times are the machine's, which is the store's, too."""

    def __init__(self, match: Snapshot) -> None:
        self.model = update(update(Model(), InStep(0.0)), match)
        self.told_back, self.shown_back = 0, 0

    def take(self, message: Message) -> None:
        """It comes now: whose time does the server tell to be more than it was, and is more of it shown?"""
        before, now = self.model, time.time()
        assert isinstance(message, Notification)
        self.model = update_at(before, message, now)
        self.told_back += rises(before.time_told(now), self.model.time_told(now))
        self.shown_back += rises(before.time_left(now), self.model.time_left(now))


def rises(before: tuple[int, int] | None, after: tuple[int, int] | None) -> bool:
    """Whether somebody has more than before."""
    assert before is not None
    assert after is not None
    return after[0] > before[0] or after[1] > before[1]


def beaten_since(redis: RedisProcess, at_ms: int) -> None:
    """Wait until the hub has beaten at this time of the shared clock or later."""
    with sync_redis.Redis.from_url(redis.url) as control:
        (key,) = control.keys("*:beat")
        wait_for(lambda: int(control.get(key)) >= at_ms)


async def test_d5_clocks_stand_while_the_store_is_silent(hub: HubProcess, redis: RedisProcess) -> None:
    """D5: told from the last beat on; events and the first snapshot afterwards have it excused, in a first move, too.
    It is told to be over after the matches were told. Clocks on a screen, which were counted down, do not go back."""
    people = [await Client.open(hub.url, name) for name in ("Ana", "Bo", "Cleo")]
    ana, bo, cleo = people
    late, early = await begun(ana, bo, 2), await begun(ana, bo, 0)
    faces = [Face(late), Face(early)]
    beaten_since(redis, early.now_ms)
    redis.signal(signal.SIGSTOP)
    away = await ana.expect(Outage)
    for face in faces:
        face.take(away)
        assert (face.told_back, face.shown_back) == (1, 0)
    assert away.on
    assert away.text == "The server cannot store moves just now; clocks wait."
    stood = [left(match, away.since_ms) for match in (late, early)]
    assert await bo.expect(Outage) == away
    redis.signal(signal.SIGCONT)
    over = await ana.expect(Outage)
    assert over == Outage(on=False, since_ms=away.since_ms)
    told = ana.received[: ana.received.index(over)]
    for message in ana.received[ana.received.index(away) + 1 : ana.received.index(over) + 1]:
        for face in faces:
            face.take(message)
    assert [face.shown_back for face in faces] == [0, 0]
    for match, clocks in zip((late, early), stood, strict=True):
        (excused,) = (event for event in told if isinstance(event, Excused) and event.match == match.match)
        assert excused.clock_from_ms == away.since_ms + excused.outage_ms
        assert excused.clock_from_ms - RETURN_MS > away.since_ms
        after = match
        for event in told:
            if isinstance(event, MatchEvent) and event.match == match.match and event.version > match.version:
                after = advance(after, event)
        ref = cleo.ref()
        await cleo.send(Watch(ref=ref, match=match.match))
        fresh = await cleo.expect(Snapshot)
        for shown in (after, fresh):
            assert left(shown, excused.at_ms) == left(shown, excused.clock_from_ms) == clocks
            one, other = left(shown, excused.clock_from_ms + 5_000), left(shown, excused.clock_from_ms)
            assert sum(other) - sum(one) == 5_000
            assert shown.uncharged == ((0, 1) if match is early else ())
    for one_of_them in people:
        await one_of_them.close()
