"""What happens around the moves, through real hubs over a real Redis: clocks, the computer, rematch, pause, saving."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from protocol.legal import legal_after
from protocol.messages import (
    Accepted,
    ClockRule,
    Continue,
    Continued,
    Ended,
    GetRecord,
    Look,
    Move,
    Moved,
    Offer,
    Offered,
    Pause,
    Paused,
    Position,
    Record,
    Refused,
    Rematched,
    Replaced,
    Snapshot,
    Sync,
    Watch,
)
from server.games import load_catalogue
from tests.driver import Client, HubProcess, RedisProcess

SMALL = {"width": 3, "height": 3}
SHORT: dict[str, Any] = {"dots-and-boxes": SMALL, "hexoust": {"side": 3}, "checkers": {"draw_after": 10}}
COMPUTER_GAMES = [name for name, game in load_catalogue().items() if game.choose is not None]


@pytest.fixture(scope="module")
def hubs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[HubProcess, HubProcess]]:
    """Two hubs over one Redis."""
    redis = RedisProcess(tmp_path_factory.mktemp("redis"))
    redis.start()
    made = [HubProcess(tmp_path_factory.mktemp("hub"), "--redis", redis.url) for _ in range(2)]
    try:
        for hub in made:
            hub.start()
        yield made[0], made[1]
        for hub in made:
            assert hub.stop() == 0
            assert "error" not in hub.log.read_text()
    finally:
        for hub in made:
            hub.kill()
        redis.stop()


class Follower:
    """A client with the legal moves of its match, kept up from what it is told."""

    def __init__(self, client: Client, shown: Snapshot) -> None:
        self.client = client
        self.take(shown)

    def take(self, shown: Snapshot) -> None:
        self.match, self.version, self.to_move = shown.match, shown.version, shown.to_move
        self.legal, self.resting, self.you = set(shown.legal), shown.resting, shown.you

    async def step(self) -> Moved | Ended:
        """The next event that is a move or the end."""
        while True:
            event = await self.client.expect(Moved | Ended, lambda e: e.version > self.version)  # type: ignore[arg-type]
            self.version = event.version
            if isinstance(event, Moved):
                before = tuple(self.legal)
                self.legal = set(legal_after(event.legal, before, self.resting, event.move))
                if event.to_move != event.seat:
                    self.resting = before
                self.to_move = event.to_move
            return event


def of(match: str) -> Callable[[Any], bool]:
    """Whether a message is about the match."""
    return lambda message: bool(message.match == match)


async def pair(hubs: tuple[HubProcess, HubProcess], **create: Any) -> tuple[Client, Client, Snapshot]:
    """Ana hosts at the first hub, Bob joins at the second; returns Bob's snapshot."""
    ana, bob = await Client.open(hubs[0].url, "Ana"), await Client.open(hubs[1].url, "Bob")
    hosted = await ana.create(**create)
    return ana, bob, await bob.join(hosted.match)


@pytest.mark.parametrize("game", COMPUTER_GAMES)
async def test_a_game_against_the_computer_is_played_to_its_end(hubs: tuple[HubProcess, HubProcess], game: str) -> None:
    """SQ2, SQ5, DB 8.3: in any game; the computer's moves come by themselves."""
    options = SHORT.get(game, {})
    ana = await Client.open(hubs[0].url, "Ana")
    at = Follower(ana, await ana.create(game, options=options, computer=True))
    while True:
        if at.to_move == 0:
            asked = Move(ref=ana.ref(), match=at.match, version=at.version, move=min(at.legal))
            await ana.send(asked)
        event = await at.step()
        while isinstance(event, Moved) and event.automatic and event.to_move == 1:
            event = await at.step()
        if isinstance(event, Ended):
            break
        if event.to_move is None:
            assert isinstance(await at.step(), Ended)
            break
    assert {event.seat for event in ana.events(at.match) if isinstance(event, Moved)} == {0, 1}
    await ana.close()


async def test_a_match_against_the_computer_survives_a_restart(tmp_path: Path) -> None:
    """The hub is killed while it is the computer's turn; started again, the computer moves."""
    redis = RedisProcess(tmp_path)
    redis.start()
    hub = HubProcess(tmp_path, "--redis", redis.url)
    try:
        hub.start()
        ana = await Client.open(hub.url, "Ana")
        shown = await ana.create("square", computer=True)
        await ana.send(Move(ref=ana.ref(), match=shown.match, version=shown.version, move=shown.legal[0]))
        await ana.moved(2)
        hub.kill()
        hub.start()
        again = await Client.open(hub.url, "Ana", token=ana.token)
        await again.send(Sync(ref=again.ref(), match=shown.match, after=2))
        assert (await again.moved(3)).seat == 1
        await again.close()
        assert hub.stop() == 0
    finally:
        hub.kill()
        redis.stop()


async def test_a_flag_falls_once_and_is_told_alike(hubs: tuple[HubProcess, HubProcess]) -> None:
    """CK R2.3, D2, D3: by the server alone, at both hubs, also when nobody is there to see it."""
    ana, bob, shown = await pair(hubs, clock=ClockRule(per_move_ms=1_000), options=SMALL)
    await ana.move(shown.match, shown.version, "a1-b1")
    ends = [await client.expect(Ended) for client in (ana, bob)]
    assert ends[0] == ends[1]
    assert (ends[0].result.winner, ends[0].result.reason) == (0, "time")
    alone = await ana.create(clock=ClockRule(per_move_ms=1_000), both_seats=True)
    await ana.close()
    later = await Client.open(hubs[1].url, "Ana", token=ana.token)
    await later.send(Watch(ref=later.ref(), match=alone.match))
    seen = await later.expect(Snapshot)
    if seen.result is None:
        await later.expect(Ended)
    await asyncio.gather(bob.close(), later.close())


async def test_both_press_rematch_at_once(hubs: tuple[HubProcess, HubProcess]) -> None:
    """E11, E3, RU-M7: through two hubs, 30 rounds: one next match, seats swapped."""
    ana, bob, shown = await pair(hubs, options={"width": 2, "height": 2})
    crossed = 0
    for _ in range(30):
        match, version = shown.match, shown.version
        seats = {shown.you[0]: bob, 1 - shown.you[0]: ana}
        for seat, move in ((0, "a1-b1"), (1, "a1-a2"), (0, "b1-b2"), (1, "a2-b2")):
            version = (await seats[seat].move(match, version, move)).version
        for client in (ana, bob):
            await client.expect(Ended, of(match))
        await asyncio.gather(*(c.send(Offer(ref=c.ref(), match=match, kind="rematch")) for c in (ana, bob)))
        following = [await c.expect(Rematched, of(match)) for c in (ana, bob)]
        assert following[0].next == following[1].next
        offers = [e for e in ana.events(match) if isinstance(e, Offered)]
        assert len(offers) == 1
        crossed += 1
        snapshots = []
        for client in (ana, bob):
            await client.send(Watch(ref=client.ref(), match=following[0].next))
            snapshots.append(await client.expect(Snapshot, of(following[0].next)))
        assert {s.you for s in snapshots} == {(0,), (1,)}
        assert snapshots[1].you != shown.you
        shown = snapshots[1]
    assert crossed == 30
    await asyncio.gather(ana.close(), bob.close())


async def test_a_pause_hides_the_position_from_everybody(hubs: tuple[HubProcess, HubProcess]) -> None:
    """CK 5.4.3, F2: no byte after the pause, to players, spectators or those who come, names a line of the board."""
    ana, bob, shown = await pair(hubs)
    await ana.move(shown.match, shown.version, "a1-b1")
    moved = await bob.moved(shown.version + 1)
    paused = await bob.ask(Pause(ref=bob.ref(), match=shown.match), Accepted)
    await ana.expect(Paused)
    cid = await Client.open(hubs[0].url, "Cid")
    await cid.send(Watch(ref=cid.ref(), match=shown.match))
    seen = await cid.expect(Snapshot)
    assert (seen.marks, seen.legal, seen.last) == ({}, (), None)
    for client in (ana, cid):
        for asked in (
            Look(ref=client.ref(), match=shown.match, ply=1),
            GetRecord(ref=client.ref(), match=shown.match),
            Move(ref=client.ref(), match=shown.match, version=moved.version, move="c1-d1"),
        ):
            refused = await client.ask(asked, Refused)
            assert refused.code in ("paused", "not_seated")
    await ana.send(Sync(ref=ana.ref(), match=shown.match, after=1))
    assert (await ana.expect(Snapshot, lambda s: s.version == paused.version)).marks == {}
    assert (await ana.ask(Continue(ref=ana.ref(), match=shown.match), Refused)).code == "not_your_pause"
    await bob.ask(Continue(ref=bob.ref(), match=shown.match), Accepted)
    for client in (ana, bob, cid):
        await client.expect(Continued)
        assert "a1-b1" in (await client.expect(Snapshot, lambda s: bool(s.marks))).marks
    await asyncio.gather(*(client.close() for client in (ana, bob, cid)))


async def test_a_record_starts_a_new_match_and_is_gone_back_to(hubs: tuple[HubProcess, HubProcess]) -> None:
    """DB 7.3.3.1, 7.3.3.2, RU-M8: what is written down replays to the same position, looked at ply by ply."""
    ana, bob, shown = await pair(hubs, options=SMALL)
    version = shown.version
    for seat, move in ((0, "a1-b1"), (1, "a1-a2"), (0, "c1-c2")):
        version = (await (ana, bob)[seat].move(shown.match, version, move)).version
    record = await ana.ask(GetRecord(ref=ana.ref(), match=shown.match), Record)
    assert record.moves == ("a1-b1", "a1-a2", "c1-c2")
    await bob.moved(version)
    for ply in range(4):
        there = await bob.ask(Look(ref=bob.ref(), match=shown.match, ply=ply), Position)
        assert set(there.marks) == set(record.moves[:ply])
    again = await ana.create(options=record.options, moves=list(record.moves), both_seats=True)
    assert set(again.marks) == set(record.moves)
    await bob.ask(Offer(ref=bob.ref(), match=shown.match, kind="revert", moves=record.moves[:1]), Accepted)
    await ana.expect(Offered)
    await ana.ask(ana.reply(shown.match, True), Accepted)
    await bob.expect(Replaced)
    assert set((await bob.expect(Snapshot, lambda s: s.version > version)).marks) == {"a1-b1"}
    await asyncio.gather(ana.close(), bob.close())
