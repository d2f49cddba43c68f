"""A store that falls silent while clocks run: clients are told, and what passes is neither charged nor counted down."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import redis as sync_redis

from client.conversation.events import InStep
from client.conversation.position import advance, time_left
from client.shown.model import Model, update
from client.shown.words.held import update_at
from protocol.messages import (
    ClockRule,
    Excused,
    Joined,
    MatchEvent,
    Message,
    Moved,
    Outage,
    Ping,
    Pong,
    Snapshot,
    Watch,
)
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
    # At another hub the host hears of it a moment later, and either of a move.
    await host.expect(Joined)
    for _ in range(moves):
        mover = (host, guest)[shown.to_move or 0]
        await mover.move(match, shown.version, min(shown.legal))
        for client in (host, guest):
            moved = await client.expect(Moved, lambda event, version=shown.version: event.version > version)  # type: ignore[misc]
        shown = advance(shown, moved)
    host.forget_unread()
    return shown


class Face:
    """What a client shows of a match that is followed. All times are the machine's, which is the store's, too."""

    def __init__(self, match: Snapshot) -> None:
        self.model = update(update(Model(), InStep(0.0)), match)
        self.told_back, self.shown_back = 0, 0

    @property
    def match(self) -> Snapshot:
        """As it is known by now."""
        assert self.model.match is not None
        return self.model.match

    def take(self, message: Message) -> None:
        """It comes now: whose time does the server tell to be more than it was, and is more of it shown?

        What the match as it is known has in it already is passed over, as a session does.
        """
        before, now = self.model, time.time()
        if isinstance(message, Outage) or (isinstance(message, MatchEvent) and message.version > self.match.version):
            self.model = update_at(before, message, now)
        self.told_back += rises(before.time_told(now), self.model.time_told(now))
        self.shown_back += rises(before.time_left(now), self.model.time_left(now))


def rises(before: tuple[int, int] | None, after: tuple[int, int] | None) -> bool:
    """Whether somebody has more than before."""
    assert before is not None
    assert after is not None
    return after[0] > before[0] or after[1] > before[1]


def settled(redis: RedisProcess, faces: Sequence[Face]) -> None:
    """Wait until all clocks run, and the hubs have beaten since: nothing of an earlier outage, by a busy machine, is
    left."""
    from_ms = max(max(face.match.clock_from_ms, face.match.now_ms) for face in faces)
    with sync_redis.Redis.from_url(redis.url) as control:
        (key,) = control.keys("*:beat")
        wait_for(lambda: int(control.get(key)) > from_ms)
        # What was published with it has gone out with an answer that comes later.
        control.ping()


async def outage_of(client: Client, redis: RedisProcess, faces: Sequence[Face]) -> Outage:
    """The word that the store, which is stopped here, is away; the faces have what came before it, and it."""
    await client.ask(Ping(ref=client.ref()), Pong)
    came = list(client.received)
    settled(redis, faces)
    client.forget_unread()
    redis.signal(signal.SIGSTOP)
    away = await client.expect(Outage, lambda word: word.on)
    came += client.received[len(came) : client.received.index(away, len(came)) + 1]
    for message in came:
        for face in faces:
            face.take(message)
    return away


async def test_d5_clocks_stand_while_the_store_is_silent(hub: HubProcess, redis: RedisProcess) -> None:
    """D5: told from the last beat on; events and the first snapshot afterwards have it excused, in a first move, too.
    It is told to be over after the matches were told. Clocks on a screen, which were counted down, do not go back."""
    people = [await Client.open(hub.url, name) for name in ("Ana", "Bo", "Cleo")]
    ana, bo, cleo = people
    faces = [Face(await begun(ana, bo, moves)) for moves in (2, 0)]
    away = await outage_of(ana, redis, faces)
    assert away.text == "The server cannot store moves just now; clocks wait."
    assert away.counted_ms == away.since_ms + 2_000
    known, before = ana.received.index(away), [face.match for face in faces]
    stood = [left(match, away.since_ms) for match in before]
    assert await bo.expect(Outage, lambda word: word == away) == away
    redis.signal(signal.SIGCONT)
    over = await ana.expect(Outage, lambda word: not word.on)
    assert over == Outage(on=False, since_ms=away.since_ms)
    told = ana.received[known + 1 : ana.received.index(over, known) + 1]
    for message in told:
        for face in faces:
            face.take(message)
    assert [face.shown_back for face in faces] == [0, 0]
    for face, match, clocks in zip(faces, before, stood, strict=True):
        assert face.told_back
        (excused,) = (event for event in told if isinstance(event, Excused) and event.match == match.match)
        assert excused.clock_from_ms == away.since_ms + excused.outage_ms
        assert excused.clock_from_ms - RETURN_MS > away.since_ms
        ref = cleo.ref()
        await cleo.send(Watch(ref=ref, match=match.match))
        fresh = await cleo.expect(Snapshot)
        for shown in (face.match, fresh):
            assert left(shown, excused.at_ms) == left(shown, excused.clock_from_ms) == clocks
            one, other = left(shown, excused.clock_from_ms + 5_000), left(shown, excused.clock_from_ms)
            assert sum(other) - sum(one) == 5_000
            assert shown.uncharged == ((0, 1) if match.plies == 0 else ())
    for one_of_them in people:
        await one_of_them.close()


async def test_d5_the_clients_of_two_hubs_are_told_of_the_same_outage(
    hub: HubProcess, redis: RedisProcess, tmp_path: Path
) -> None:
    """D5: both hubs know when either beat last, so that whatever is counted down stands at the same moment."""
    (tmp_path / "second").mkdir()
    second = HubProcess(tmp_path / "second", "--redis", redis.url)
    second.start()
    ana, bo = await Client.open(hub.url, "Ana"), await Client.open(second.url, "Bo")
    faces = [Face(await begun(ana, bo, 2))]
    for _ in range(2):
        away = await outage_of(ana, redis, faces)
        told = await bo.expect(Outage, lambda word, away=away: word.on and word.since_ms >= away.since_ms)  # type: ignore[misc]
        redis.signal(signal.SIGCONT)
        assert (told.since_ms, told.counted_ms) == (away.since_ms, away.counted_ms)
        await ana.expect(Outage, lambda word: not word.on)
    for client in (ana, bo):
        await client.close()
    assert second.stop() == 0
