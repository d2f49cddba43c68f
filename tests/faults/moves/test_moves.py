"""Moves: two for one version, sent twice, in a burst, in a chain, from the past and future, illegal, too early."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from protocol.codec import JSON, MSGPACK
from protocol.messages import Accepted, Message, Move, Refused
from tests.driver import HubProcess
from tests.faults.trial.play import build_ladder, in_match_commands, on_one_hub_and_two, play, rungs, undisturbed
from tests.faults.trial.proxy import DOWN, Proxy
from tests.faults.trial.recorder import PASSING, Recorder
from tests.faults.trial.stage import TROUBLE, Trial, rounds
from tests.pace import NotProvoked

pytestmark = pytest.mark.faults


def codes(answers: list[Message]) -> list[str]:
    """The answers in short: "accepted", or the code of the refusal."""
    return [answer.code if isinstance(answer, Refused) else type(answer).__name__.lower() for answer in answers]


@on_one_hub_and_two
async def test_a1_one_version_one_move(trial: Trial) -> None:
    """A1: of two legal moves of one player for one version, sent at once from two tabs, one counts."""
    rng = Random(1)
    seats = [await trial.open("Ana", 0), await trial.open("Bo", 1)]
    tabs = [await trial.open("", 1 - hub, token=seat.token) for hub, seat in enumerate(seats)]
    lost_before = trial.stage.counter("parlour_lost_races_total")
    tried, overlapped, version, match = 0, 0, 0, ""
    while tried < rounds(1000):
        if not match or seats[0].views[match].status == "ended":
            match = await trial.meet(*seats)
            for tab in tabs:
                await tab.watch(match)
            version = 2
        view = await seats[0].reach(match, version)
        if view.to_move is None:  # the end of the last one has come only now
            continue
        pair = seats[view.to_move], tabs[view.to_move]
        for one in pair:
            await one.reach(match, version)
        if len(view.legal) < 2:
            version = (await pair[0].move(match, version, *view.legal)).version
            continue
        moves = rng.sample(sorted(view.legal), 2)
        sent = [one.a_move(match, move) for one, move in zip(pair, moves, strict=True)]
        for one, command in zip(pair, sent, strict=True):
            await one.send(command)
        overlapped += not any(one.answers[command.ref] for one, command in zip(pair, sent, strict=True))
        answers = [await one.answer(command.ref) for one, command in zip(pair, sent, strict=True)]
        assert sorted(codes(answers)) == ["accepted", "stale"], answers
        tried += 1
        version = next(answer.version for answer in answers if isinstance(answer, Accepted))
        assert {answer.version for answer in answers if isinstance(answer, Refused)} == {version}
        assert trial.stored(match) == version
    trial.provoked("both were under way", overlapped, tried, least=tried // 2)
    if len({one.socket.remote_address for one in seats}) > 1:
        lost = trial.stage.counter("parlour_lost_races_total") - lost_before
        trial.provoked("judged again by the hub that came second", int(lost), tried)
    await trial.check()


@on_one_hub_and_two
async def test_a2_sent_again_after_a_lost_ack(trial: Trial, hubs: int) -> None:
    """A2: the answer is swallowed after the move was stored; sent again (there or to the other hub) it counts once."""
    rng = Random(2)
    tries, stored_unheard = rounds(1000), 0
    row = trial.fault("A2 answer swallowed, then cut")
    guest = await trial.open("Bo", 1)
    async with Proxy(("127.0.0.1", trial.stage.hubs[0].port)) as proxy:
        behind = f"ws://127.0.0.1:{proxy.port}/ws"
        host = await trial.open("Ana", url=behind)
        match = ""
        for number in range(tries):
            while not match or host.views[match].status == "ended" or host.views[match].to_move != 0:
                if not match or host.views[match].status == "ended":
                    match = await trial.meet(host, guest)
                else:
                    await play([host, guest], match, rng, 1)
            command = host.a_move(match, rng.choice(sorted(host.views[match].legal)))
            proxy.swallow(DOWN)
            await host.send(command)
            await proxy.until_swallowed(command.ref.encode())
            stored = [event for _, event in trial.log(match) if event.get("ref") == command.ref]
            stored_unheard += bool(stored) and not host.answers[command.ref]
            proxy.cut()
            row.times, row.hits, cut = row.times + 1, stored_unheard, time.monotonic()
            await host.close()
            proxy.heal()
            proxy.swallowed.clear()
            url = behind if hubs == 1 or number % 2 else trial.url(1)
            again = await trial.open("", url=url, token=host.token)
            first, second = await again.ask(command, Accepted), await again.ask(command, Accepted)
            row.resumed_s.append(time.monotonic() - cut)
            assert first == second
            assert [event for _, event in trial.log(match) if event.get("ref") == command.ref] == stored
            if url != behind:
                await again.close()
                again = await trial.open("", url=behind, token=host.token)
            await again.resume(host, match)
            await again.reach(match, first.version)
            host = again
        trial.provoked("stored and the answer swallowed", stored_unheard, tries, least=tries)
        await trial.check()


async def test_a5_a_burst_in_one_turn(trial: Trial) -> None:
    """A5: of 50 moves in one segment only those count that the rules give this turn, and all are answered in order."""
    whole = 0
    tries = rounds(40)
    for number in range(tries):
        codec = (MSGPACK, JSON)[number % 2]
        host, guest = await trial.open("Ana", 0), await trial.open("Bo", 1, codec=codec)
        match = await trial.meet(host, guest, options={"width": 12, "height": 2})
        await build_ladder([host, guest], match, 11)
        view = guest.views[match]
        climb = rungs(11)
        # Three that close a box, one that closes none and so ends the turn, and what is not ours any more.
        moves = [*climb[1:4], climb[8], *climb[4:8], *climb[9:]]
        moves += [moves[at % len(moves)] for at in range(50 - len(moves))]
        same_version = number % 4 >= 2
        burst = [guest.a_move(match, move, view.version + (0 if same_version else at)) for at, move in enumerate(moves)]
        guest.send_at_once(burst)
        whole += not any(guest.answers[command.ref] for command in burst)
        answers = [await guest.answer(command.ref) for command in burst]
        if same_version:
            assert codes(answers) == ["accepted"] + ["stale"] * 49
        else:
            assert codes(answers) == ["accepted"] * 4 + ["not_your_turn"] + ["stale"] * 45
        refs = {command.ref for command in burst}
        order = [m.ref for m in guest.traffic if isinstance(m, Accepted | Refused) and m.ref in refs]
        assert order == [command.ref for command in burst]
        accepted = [move for move, answer in zip(moves, answers, strict=True) if isinstance(answer, Accepted)]
        assert [event["move"] for _, event in trial.log(match) if event.get("ref") in refs] == accepted
    trial.provoked("all 50 were under way before the first answer", whole, tries, least=tries)
    await trial.check()


@pytest.fixture
async def slow_way(trial: Trial, tmp_path: Path) -> AsyncIterator[tuple[Proxy, HubProcess]]:
    """A further hub over the same Redis, with a proxy between them."""
    async with Proxy(trial.stage.redis.socket) as proxy:
        hub = HubProcess(tmp_path, "--redis", f"redis://127.0.0.1:{proxy.port}")
        try:
            # In threads: the hub needs the proxy, which runs in this loop.
            await asyncio.to_thread(hub.start)
            yield proxy, hub
            proxy.heal()
            proxy.delay_s = None
            assert await asyncio.to_thread(hub.stop) == 0
            assert not TROUBLE.search(hub.log.read_text()), hub.log.read_text()
        finally:
            hub.kill()


async def test_a6_one_client_one_order(trial: Trial, slow_way: tuple[Proxy, HubProcess]) -> None:
    """A6: ten closing lines sent without waiting, over a late Redis: stored in the order they were sent."""
    proxy, hub = slow_way
    rng = Random(6)
    chains, overlapped = rounds(500, 8), 0
    in_parallel = min(chains, 25)
    url = hub.url
    seats = [(await trial.open("Ana", 1), await trial.open("Bo", url=url)) for _ in range(in_parallel)]
    for done in range(0, chains, in_parallel):
        proxy.delay_s = None
        climbing: list[tuple[str, Recorder, list[Move]]] = []
        for host, guest in seats[: chains - done]:
            match = await trial.meet(host, guest, options={"width": 13, "height": 2})
            await build_ladder([host, guest], match, 12)
            version = guest.views[match].version
            chain = [guest.a_move(match, move, version + at) for at, move in enumerate(rungs(12)[1:11])]
            climbing.append((match, guest, chain))
        proxy.delay_s = lambda: rng.uniform(0, 0.05)
        for _, guest, chain in climbing:
            for command in chain:
                await guest.send(command)
        overlapped += sum(not guest.answers[chain[-1].ref] for _, guest, chain in climbing)
        for match, guest, chain in climbing:
            for command in chain:
                answer = await guest.answer(command.ref)
                if isinstance(answer, Refused) and answer.code in PASSING:
                    raise NotProvoked(f"a busy machine made the late store too late: {answer.code}")
                if isinstance(answer, Refused) and answer.code == "stale":
                    undisturbed(trial.log(match))
                assert isinstance(answer, Accepted), (answer, trial.log(match)[-3:])
            refs = [event.get("ref") for _, event in trial.log(match)]
            at = [refs.index(command.ref) for command in chain]
            assert all(later == earlier + 1 for earlier, later in pairwise(at)), at
    proxy.delay_s = None
    trial.provoked("the whole chain was under way before its last answer", overlapped, chains, least=chains)
    await trial.check()


@on_one_hub_and_two
async def test_a9_moves_from_the_past_and_the_future(trial: Trial) -> None:
    """A9: for another version than the newest, or by the other player: refused, with the current version, no trace."""
    rng = Random(9)
    tries = rounds(10_000)
    match, host, guest = await trial.pair()
    seats = [host, guest]
    await play(seats, match, rng, 10)
    done = 0
    while done < tries:
        view = host.views[match]
        assert view.to_move is not None
        await guest.reach(match, view.version)
        mover, other = seats[view.to_move], seats[1 - view.to_move]
        before, log_before = view.digest(), trial.log(match)
        asked: list[tuple[Recorder, Move, str]] = []
        for _ in range(min(100, tries - done)):
            move = rng.choice(sorted(view.legal))
            version = rng.choice([view.version - 1, view.version + 1, 0, 2**63, view.version])
            wrong = {view.version: "not_your_turn", 2**63: "bad_field"}.get(version, "stale")
            by = other if version == view.version else mover
            asked.append((by, by.a_move(match, move, version), wrong))
        for by, command, _ in asked:
            await by.send(command)
        for by, command, wrong in asked:
            answer = await by.answer(command.ref)
            assert isinstance(answer, Refused)
            # What cannot even be read is refused before anybody knows of which match it speaks.
            assert (answer.code, answer.version) == (wrong, 0 if wrong == "bad_field" else view.version), answer
        done += len(asked)
        assert trial.log(match) == log_before
        assert (await host.watch(match)).digest() == before
        if len(view.legal) > 20:
            await play(seats, match, rng, 1)
    trial.provoked("moves for another version or by the other player", done, tries, least=tries)
    await trial.check()


async def test_a10_a_refused_move_leaves_no_trace(trial: Trial) -> None:
    """A10: diagonals, lines drawn already, lines off the board, nonsense: version, state and turn stay as they were."""
    rng = Random(10)
    tries = rounds(1000)
    match, host, guest = await trial.pair()
    await play([host, guest], match, rng, 20)
    view = host.views[match]
    assert view.to_move is not None
    mover = (host, guest)[view.to_move]
    await mover.reach(match, view.version)
    before, log_before = view.digest(), trial.log(match)
    drawn = sorted({line.id for line in view.board.lines} - view.legal)
    for number in range(tries):
        move = rng.choice(
            [rng.choice(drawn), "a1-b2", "a1-a3", "h8-i8", "a0-a1", "a1-a1", "a1", "-", "\x00", "x" * 120, "\uff411-b1"]
        )
        answer = await mover.ask(mover.a_move(match, move), Refused)
        assert answer.version == view.version
        if number % 20 == 0:
            fresh = await trial.open("Watcher", number % 2)
            assert (await fresh.watch(match)).digest() == before
            await fresh.close()
    assert trial.log(match) == log_before
    trial.provoked("illegal moves", tries, tries)
    await trial.check()


async def test_a12_moving_before_there_is_an_opponent(trial: Trial) -> None:
    """A12: what belongs into a match is refused with a reason while the host still waits; then the match starts."""
    refused = 0
    for private in (False, True):
        host, guest = await trial.open("Ana", 0), await trial.open("Bo", 1)
        shown = await host.create(private=private)
        match = shown.match
        for _ in range(rounds(20)):
            for command in [host.a_move(match, "a1-b1"), *in_match_commands(host, match)]:
                assert await host.refusal(command) == "waiting", command
                refused += 1
        assert trial.stored(match) == 1
        await guest.join(**({"key": shown.key or ""} if private else {"match": match}))
        await host.reach(match, 2)
        await play([host, guest], match, Random(12))
    trial.provoked("commands before the start", refused, refused)
    await trial.check()
