"""Hubs that are away for long: time that we could not serve is charged to nobody, and what time brings comes all the
same."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from protocol.messages import Accepted, Answer, ClockRule, Offer, OfferKind, Pause, Watch
from tests.faults.trial.clock_rule import RETURN_MS, clocks, shown_wrongly
from tests.faults.trial.stage import FULL, Stage, Trial, eventually, rounds, staged, together
from tests.faults.trial.stubborn import Duel
from tests.forms import crossed
from tests.pace import ROOM, within

pytestmark = pytest.mark.faults

GRACE_S = 3
KNOWN_WITHIN_MS = min(1_000 * ROOM, 3_000)
TOTAL_MS = 300_000
DOWN_S = 20.0 if FULL else 4.0
KINDS: tuple[OfferKind, ...] = ("draw", "takeback", "restart")
FATES = ("accepted", "declined", "withdrawn", "moved")
HUB_LIFETIME_S, CALLED_AFTER_S = 6.0, 1.5
"""After how much silence a hub counts as dead, and how soon its players are called away then."""


@pytest.fixture
def stage(tmp_path: Path, hubs: int) -> Iterator[Stage]:
    """Hubs of this trial alone."""
    with staged(tmp_path, hubs) as stage:
        yield stage


@pytest.fixture
def up() -> asyncio.Event:
    """Set while a lost player may try to come back."""
    event = asyncio.Event()
    event.set()
    return event


async def begun(trial: Trial, up: asyncio.Event, many: int, hubs: tuple[int, int], **create: Any) -> list[Duel]:
    """So many matches, in each of which either player has moved at least once."""
    duels = [Duel(trial, up, hubs, seed) for seed in range(many)]
    await together(*(duel.come() for duel in duels))
    await together(*(duel.begin(**create) for duel in duels))
    for _ in range(2):
        await together(*(duel.move() for duel in duels))
    return duels


def over(trial: Trial, duels: list[Duel]) -> bool:
    """Whether all of them have ended."""
    return len(ends(trial, duels)) == len(duels)


def ends(trial: Trial, duels: list[Duel]) -> dict[str, dict[str, Any]]:
    """Of the matches that have ended: the last event."""
    last = {duel.match: trial.log(duel.match)[-1][1] for duel in duels}
    return {match: event for match, event in last.items() if event["event"] == "ended"}


@pytest.mark.parametrize("hubs", [1])
async def test_e8_when_both_are_gone_it_was_us(trial: Trial, up: asyncio.Event) -> None:
    """E8: a hub that is killed for longer than the grace time: nobody forfeits, and grace begins anew afterwards."""
    hub = trial.stage.hubs[0]
    row = trial.fault("E8 hub away for longer than the grace time")
    for _ in range(rounds(5)):
        duels = await begun(trial, up, 9, (0, 0), grace_s=GRACE_S)
        both, one, none = duels[:3], duels[3:6], duels[6:]
        up.clear()
        hub.kill()
        row.times += 1
        await asyncio.sleep(GRACE_S + 2)
        await asyncio.to_thread(hub.start)
        back_ms = time.time() * 1000
        # Of some matches both come back at once, of some one player only, of some nobody does.
        up.set()
        await together(*(player.come() for duel in both for player in duel.players))
        await together(*(duel.players[0].come() for duel in one))
        await together(*(duel.move() for duel in both))
        row.resumed_s.append(time.time() - back_ms / 1000)
        await eventually(partial(over, trial, one))
        for end in ends(trial, one).values():
            assert (end["reason"], end["winner"]) == ("abandoned", 0), end
            assert end["at_ms"] >= back_ms + GRACE_S * 1000, "the grace time did not begin anew"
        assert not ends(trial, both + none), "somebody forfeited"
        # Who comes back now has not been waited for.
        await together(*(player.come() for duel in none for player in duel.players))
        await together(*(duel.move() for duel in none))
        for duel in one:
            await duel.players[1].come()
    await trial.check()
    trial.provoked("outages of the hub that were longer than the grace time", row.times, row.times)


class Gone(NamedTuple):
    """A match that everybody has left, and when its time is up by its log (ms since 1970)."""

    match: str
    deadline_ms: int


@pytest.mark.parametrize("killed", [False, True], ids=["hub_lives", "hub_killed"])
async def test_d3_time_outs_without_an_audience(trial: Trial, up: asyncio.Event, killed: bool) -> None:
    """D3: both players gone, and in half the runs their hub, too: the match ends at its deadline within 1 s."""
    per_move_s, each = 3, 10 if FULL else 4
    row = trial.fault("D3 both players gone, and their hub" if killed else "D3 both players gone")
    hub = trial.stage.hubs[0]
    worst_ms = 0.0
    for _ in range(rounds(5)):
        # Both at the hub that is killed; the other one has never heard of the match.
        duels = await begun(trial, up, each, (0, 0), clock=ClockRule(per_move_ms=per_move_s * 1000))
        gone = [Gone(duel.match, trial.log(duel.match)[-1][1]["at_ms"] + per_move_s * 1000) for duel in duels]
        if killed:
            hub.kill()
        for duel in duels:
            for player in duel.players:
                await player.link.vanish()
                await trial.retire(player.link)
        row.times += 1 if killed else len(duels)
        await eventually(partial(over, trial, duels))
        for match, end in ends(trial, duels).items():
            assert end["reason"] == "time"
            late_ms = end["at_ms"] - next(one.deadline_ms for one in gone if one.match == match)
            assert late_ms >= 0, match
            within(late_ms / 1000, 1.0)
            worst_ms = max(worst_ms, late_ms)
        if killed:
            await asyncio.to_thread(hub.start)
    await trial.check()
    print(f"at most {worst_ms:.0f} ms after the deadline")
    trial.provoked("matches that nobody looked at", each * rounds(5), each * rounds(5))


async def test_d12_the_pauser_loses_the_hub(trial: Trial, up: asyncio.Event) -> None:
    """D12: whoever paused is on a hub that is killed, and does not come back: the other is free in the written time."""
    row = trial.fault("D12 the pauser's hub killed")
    duels = await begun(trial, up, 5, (0, 1), grace_s=GRACE_S)
    for duel in duels:
        pauser = duel.players[0]
        assert isinstance(await pauser.do(Pause(ref=pauser.link.ref(), match=duel.match)), Accepted)
    trial.stage.hubs[0].kill()
    row.times += 1
    killed = time.monotonic()
    for duel in duels:
        opponent = duel.players[1].link
        while opponent.views[duel.match].status != "ended":
            await opponent.reach(duel.match, opponent.views[duel.match].version + 1)
        row.resumed_s.append(time.monotonic() - killed)
        result = opponent.views[duel.match].result
        assert result is not None
        assert (result.winner, result.reason) == (1, "abandoned")
    within(max(row.resumed_s), HUB_LIFETIME_S + CALLED_AFTER_S + GRACE_S + 1)
    await asyncio.to_thread(trial.stage.hubs[0].start)
    await trial.check()
    trial.provoked("pausers whose hub was killed", len(duels), len(duels))


@pytest.mark.parametrize("broken", ["hubs", "redis"])
async def test_e1_offers_outlive_a_restart(trial: Trial, up: asyncio.Event, broken: str) -> None:
    """E1: an offer stays open when all hubs or Redis are killed, and everything can become of it afterwards."""
    row = trial.fault(f"E1 {broken} killed while an offer is open")
    cases = crossed(FATES, KINDS, full=FULL)
    for _ in range(rounds(10)):
        duels = await begun(trial, up, len(cases), (0, 1))
        for (_, kind), duel in zip(cases, duels, strict=True):
            host = duel.players[0]
            offered = await host.do(Offer(ref=host.link.ref(), match=duel.match, kind=kind))
            assert isinstance(offered, Accepted), offered
            duel.version = offered.version
        if broken == "redis":
            trial.stage.redis.kill()
            await asyncio.to_thread(trial.stage.redis.start)
        else:
            up.clear()
            for hub in trial.stage.hubs:
                hub.kill()
            await together(*(asyncio.to_thread(hub.start) for hub in trial.stage.hubs))
            up.set()
        row.times += 1
        back = time.monotonic()
        for (fate, kind), duel in zip(cases, duels, strict=True):
            host, guest = duel.players
            for player in duel.players:
                watched = await player.do(Watch(ref=player.link.ref(), match=duel.match))
                assert isinstance(watched, Accepted)
                offer = (await player.reach(duel.match, duel.version)).offer
                assert offer is not None
                assert (offer.kind, offer.seat) == (kind, 0)
            match fate:
                case "accepted":
                    done = await guest.do(
                        Answer(
                            ref=guest.link.ref(), match=duel.match, accept=True, offer=guest.link.offered(duel.match)
                        )
                    )
                case "declined":
                    done = await guest.do(
                        Answer(
                            ref=guest.link.ref(), match=duel.match, accept=False, offer=guest.link.offered(duel.match)
                        )
                    )
                case "withdrawn":
                    done = await host.do(host.link.withdrawal(duel.match))
                case _:
                    await duel.move()
                    continue
            assert isinstance(done, Accepted), done
        row.resumed_s.append(time.monotonic() - back)
    logs = await trial.check()
    fates = [event["fate"] for log in logs.values() for _, event in log if event["event"] == "offer_closed"]
    assert {fate: fates.count(fate) for fate in set(fates)} == dict.fromkeys(
        FATES, rounds(10) * len(cases) // len(FATES)
    )
    trial.provoked("offers that were open", row.times * len(cases), row.times * len(cases))


async def test_d5_who_pays_for_an_outage(trial: Trial, up: asyncio.Event) -> None:
    """D5: hubs down 20 s in one's turn, then Redis down 20 s in the other's: both clocks follow the rule within 1 s."""
    duels = await begun(trial, up, 4, (0, 1), clock=ClockRule(total_ms=TOTAL_MS), options={"width": 9, "height": 9})
    thinking_s = RETURN_MS / 1000 + 1

    async def hubs_down() -> None:
        up.clear()
        for hub in trial.stage.hubs:
            hub.kill()
        await asyncio.sleep(DOWN_S)
        await together(*(asyncio.to_thread(hub.start) for hub in trial.stage.hubs))
        up.set()

    async def redis_down() -> None:
        trial.stage.redis.kill()
        await asyncio.sleep(DOWN_S)
        await asyncio.to_thread(trial.stage.redis.start)

    for name, outage in (("D5 all hubs away in one's turn", hubs_down), ("D5 Redis away in the other's", redis_down)):
        row = trial.fault(name)
        before = {duel.match: trial.log(duel.match) for duel in duels}
        await asyncio.sleep(1)
        from_ms = time.time() * 1000
        await outage()
        until_ms = time.time() * 1000
        row.times += 1
        await asyncio.sleep(thinking_s)
        await together(*(duel.move() for duel in duels))
        row.resumed_s.append(time.time() - until_ms / 1000 - thinking_s)
        for duel in duels:
            check_turn(before[duel.match], trial.log(duel.match), from_ms, until_ms)
        for duel in duels:
            for player in duel.players:
                assert isinstance(await player.do(Watch(ref=player.link.ref(), match=duel.match)), Accepted)
    logs = await trial.check()
    wrong = [one for client in trial.clients for one in shown_wrongly(client.record(), logs, TOTAL_MS)]
    trial.provoked("clocks that were shown", len(wrong), len(wrong), least=2 * 2 * len(duels))
    assert all(abs(one.off_ms) < 50 * ROOM for one in wrong), wrong


def check_turn(before: Any, after: Any, from_ms: float, until_ms: float) -> None:
    """The player in whose turn the outage fell was charged for the rest of the turn, and the other for nothing."""
    was, now = clocks(before, TOTAL_MS), clocks(after, TOTAL_MS)
    begun_ms = before[-1][1]["at_ms"]
    moved = next(event for _, event in after[len(before) :] if event["event"] == "moved")
    seat = moved.get("seat", 0)
    due_ms = (from_ms - begun_ms) + max(0.0, moved["at_ms"] - until_ms - RETURN_MS)
    charged_ms = was.left_ms[seat] - now.left_ms[seat]
    assert abs(charged_ms - due_ms) < KNOWN_WITHIN_MS, (charged_ms, due_ms)
    assert now.left_ms[1 - seat] == was.left_ms[1 - seat]
