"""Deadlines: the move at the last moment, one end for each flag however many hubs look, claims that time is up."""

from __future__ import annotations

import asyncio
import json
import time
from random import Random

import msgpack
import pytest

from protocol.messages import Abandon, Accepted, CallDraw, ClockRule, Command, Refused, WaitLonger
from server.hub.presence.tracker import SLACK_MS
from tests.faults.trial.play import on_one_hub_and_two, undisturbed
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import FULL, Trial, rounds, together
from tests.faults.trial.stepping import go_on, stand, step
from tests.pace import within
from tests.server.http.api.player import web

pytestmark = pytest.mark.faults

SMALL = {"width": 3, "height": 3}
NEAR_MS = 50
"""How far around the limit moves come (`D1`)."""
STEP_MS = 10
"""A player whose move came too late sends the next one so much sooner: on a busy machine all would come too late."""
SLICE_S = 0.001
"""How long a hub goes on before it is the other's turn (`D2`)."""
MOST_SLICES = 2000


async def until(at_ms: float) -> None:
    """Sleep until a wall-clock time (ms since 1970), which is the hubs' time, too: all are on one machine."""
    await asyncio.sleep(max(0.0, at_ms / 1000 - time.time()))


@on_one_hub_and_two
async def test_d1_the_move_at_the_last_moment(trial: Trial) -> None:
    """D1: a move from 50 ms before to 50 ms after the limit is in time or too late, never both; all are told alike."""
    at_once, limit_ms = 40, 400
    games = rounds(2000, 40) // at_once
    in_time, late, close = 0, 0, 0

    async def table(number: int) -> None:
        nonlocal in_time, late, close
        rng, under_way_ms = Random(number), 0
        host, guest = await trial.open("Ana", number), await trial.open("Bo", number + 1)
        for _ in range(games):
            match = await trial.meet(host, guest, options=SMALL, clock=ClockRule(per_move_ms=limit_ms))
            deadline_ms = trial.log(match)[1][1]["at_ms"] + limit_ms
            offset_ms = rng.uniform(-NEAR_MS, NEAR_MS)
            await until(deadline_ms + offset_ms - under_way_ms)
            move = host.a_move(match, "a1-b1", 2)
            await host.send(move)
            answer = await host.answer(move.ref)
            close += abs(offset_ms) < 5
            if isinstance(answer, Accepted):
                in_time += 1
                under_way_ms = max(0, under_way_ms - STEP_MS)
                assert answer.version == 3
                abandon = Abandon(ref=guest.ref(), match=match)
                await guest.send(abandon)
                given_up = await guest.answer(abandon.ref)
                # On a busy machine the guest's time may be over, too.
                assert isinstance(given_up, Accepted | Refused)
                ends = "forfeit" if isinstance(given_up, Accepted) else "time"
                assert (await host.reach(match, 4)).status == "ended"
            else:
                late += 1
                under_way_ms = min(limit_ms // 2, under_way_ms + STEP_MS)
                assert isinstance(answer, Refused)
                assert answer.code in ("too_late", "finished"), answer
                for one in (host, guest):
                    assert (await one.reach(match, 3)).status == "ended"
            log = trial.log(match)
            happened = [event["event"] for _, event in log[2:]]
            if isinstance(answer, Accepted):
                assert happened == ["moved", "ended"]
                assert log[2][1]["at_ms"] < deadline_ms
                assert log[3][1]["reason"] == ends
            else:
                assert happened == ["ended"]
                assert (log[2][1]["reason"], log[2][1]["winner"]) == ("time", 1)
                assert log[2][1]["at_ms"] >= deadline_ms

    await together(*(table(number) for number in range(at_once)))
    tried = games * at_once
    trial.provoked("moves that came in time", in_time, tried, least=tried // 10)
    trial.provoked("moves that came too late", late, tried, least=tried // 10)
    trial.provoked("moves sent to come within 5 ms of the limit", close, tried)
    await trial.check()


async def test_d2_one_time_out_one_end(trial: Trial) -> None:
    """D2: two hubs see a thousand deadlines pass at once: one end, one result, one entry in every list for each."""
    each = 40  # less than a player may have open
    tables, ahead_s = rounds(1000, 80) // each, (12.0 if FULL else 3.0) * trial.attempt
    due_ms = (time.time() + ahead_s) * 1000
    lost_before = trial.stage.counter("parlour_lost_races_total")
    matches: list[str] = []
    pairs: list[tuple[Recorder, Recorder]] = []

    async def table(number: int) -> list[str]:
        host, guest = await trial.open("Ana", number), await trial.open("Bo", number + 1)
        pairs.append((host, guest))
        opened = []
        for _ in range(each):
            clock = ClockRule(per_move_ms=max(1, round(due_ms - time.time() * 1000)))
            opened.append(await trial.meet(host, guest, options=SMALL, clock=clock))
        return opened

    for opened in await together(*(table(number) for number in range(tables))):
        matches += opened
    in_time = time.time() * 1000 < due_ms
    await until(due_ms - SLACK_MS)
    await look_by_turns(trial, matches)
    for host, guest in pairs:
        for match in opened_by(host):
            for one in (host, guest):
                await one.until(lambda one=one, match=match: one.views[match].status == "ended")  # type: ignore[misc]
    last_ms = max(trial.log(match)[-1][1]["at_ms"] for match in matches)
    print(f"the last of {len(matches)} ends came {last_ms - due_ms:.0f} ms after the deadline")
    trial.provoked("deadlines that passed at once", len(matches) if in_time else 0, len(matches), least=len(matches))
    lost = trial.stage.counter("parlour_lost_races_total") - lost_before
    trial.provoked("ends that both hubs were about to store", int(lost), len(matches))
    logs = await trial.check()
    for match in matches:
        # On a machine that is behind, word of a player may come so late that a hub misses them for a while.
        events = [event["event"] for _, event in logs[match] if event["event"] != "away"]
        assert events == ["created", "joined", "ended"]
        assert (logs[match][-1][1]["reason"], logs[match][-1][1]["winner"]) == ("time", 1)
        assert trial.store.zscore("parlour:deadlines", match) is None
        assert not trial.store.hexists("parlour:lobby", match)
    for host, guest in pairs:
        for player in (host, guest):
            again = await trial.open("", 1, token=player.token)
            assert again.welcome is not None
            assert again.welcome.matches == ()


async def look_by_turns(trial: Trial, matches: list[str]) -> None:
    """Both hubs look for deadlines at the same time, just after those of these matches have passed.

    Each looks four times a second at moments of its own, and ends all that is due in less than what lies between: left
    alone, the second mostly finds nothing to do. So both stand as the deadlines pass, and go on by turns.
    """
    hubs = trial.stage.hubs
    try:
        for hub in hubs:
            stand(hub)
        await until(max(waiting(trial, matches), default=0.0) + 2 * SLACK_MS)
        for _ in range(MOST_SLICES):
            if not waiting(trial, matches):
                return
            for hub in hubs:
                step(hub, SLICE_S)
    finally:
        for hub in hubs:
            go_on(hub)


def waiting(trial: Trial, matches: list[str]) -> list[float]:
    """The deadlines (ms since 1970) that no hub has acted on."""
    return [due_ms for due_ms in trial.store.zmscore("parlour:deadlines", matches) if due_ms is not None]


def opened_by(host: Recorder) -> list[str]:
    """The matches that a client knows of."""
    return list(host.views)


CLAIMS = ("flag", "claim_time", "time_up", "timeout", "expire", "notice", "ended", "end", "stop")
"""Words by which a client might hope to end a match, some of them the server's own."""
EARLY_MS = (10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1)


@on_one_hub_and_two
async def test_d4_claims_about_time_prove_nothing(trial: Trial, hubs: int) -> None:
    """D4: owner, opponent and spectator say from 10 s to 1 ms early that time is up, by socket and HTTP: no effect."""
    limit_ms = 10_500 if FULL else 1_200
    moments = [early for early in EARLY_MS if early < limit_ms]
    claims = 0

    async def table(number: int) -> None:
        nonlocal claims
        host, guest = await trial.open("Ana", number), await trial.open("Bo", number + 1)
        watcher = await trial.open("Eve", number + 1)
        match = await trial.meet(host, guest, options=SMALL, clock=ClockRule(per_move_ms=limit_ms))
        await watcher.watch(match)
        deadline_ms = trial.log(match)[1][1]["at_ms"] + limit_ms
        sent: list[tuple[Recorder, str]] = []
        async with web(trial.stage.hubs[number % hubs]) as http:
            for early_ms in moments:
                await until(deadline_ms - early_ms)
                for one in (host, guest, watcher):
                    sent += [(one, ref) for ref in await claim(one, match)]
                if early_ms >= 100:
                    body = {"type": "flag", "ref": guest.ref()}
                    said = {"authorization": f"Bearer {guest.token}"}
                    answer = await http.post(f"/matches/{match}/updates", json=body, headers=said)
                    assert answer.status_code == 422, answer.text
        answers = [await one.answer(ref) for one, ref in sent]
        await host.until(lambda: host.views[match].status == "ended")
        log = trial.log(match)
        undisturbed(log)
        assert all(isinstance(answer, Refused) for answer in answers), answers
        claims += len(sent)
        assert [event["event"] for _, event in log] == ["created", "joined", "ended"]
        assert (log[2][1]["reason"], log[2][1]["winner"], log[2][1].get("player", "")) == ("time", 1, "")
        assert deadline_ms <= log[2][1]["at_ms"]
        within((log[2][1]["at_ms"] - deadline_ms) / 1000, 1.0)

    await together(*(table(number) for number in range(rounds(40, 6))))
    trial.provoked("claims", claims, claims, least=len(moments) * len(CLAIMS))
    await trial.check()


async def claim(one: Recorder, match: str) -> list[str]:
    """Say by every word there might be that time is up; returns the refs."""
    known: list[Command] = [CallDraw(ref=one.ref(), match=match), WaitLonger(ref=one.ref(), match=match)]
    for command in known:
        await one.send(command)
    refs = [command.ref for command in known]
    for word in CLAIMS:
        said = {"type": word, "ref": one.ref(), "match": match, "seat": 0, "winner": 1, "reason": "time", "left_ms": 0}
        await one.socket.send(json.dumps(said) if one.codec.text else msgpack.packb(said))
        refs.append(said["ref"])  # type: ignore[arg-type]
    return refs
