"""Garbage in Redis beside matches that are well: one bad value harms one match, and the operator is told once."""

from __future__ import annotations

import asyncio
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from protocol.messages import Accepted, ClockRule, QuickMatch, Refused, Said, Say, Watch, WatchLobby
from tests import fork_server
from tests.driver import WAIT_S
from tests.faults.trial import evidence, garbage
from tests.faults.trial.garbage import KINDS, Put, Target
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import FULL, Stage, Trial, eventually, staged
from tests.forms import every

pytestmark = pytest.mark.faults

MOST_ASIDE = 5_000
AT_ONCE = 200
TRIES = 5
NOTED_WITHIN = 20
SMALL = {"width": 3, "height": 3}
TOLD = re.compile(r"a stored value cannot be used.*kind='?([\w ]+)'? key='?(\S+?)'? member=(\S+) ")
EACH = [pytest.param([put], id=put.__name__) for put in KINDS]
ALL = pytest.param(KINDS, id="all_together")


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Hubs and a Redis of this trial alone."""
    with staged(tmp_path) as stage:
        yield stage


class Healthy:
    """A match in play, two players at two hubs, and what must work beside any garbage."""

    def __init__(self, trial: Trial, match: str, seats: Sequence[Recorder]) -> None:
        self.trial = trial
        self.match = match
        self.seats = seats
        self.lines = 0

    @classmethod
    async def begin(cls, trial: Trial) -> Healthy:
        match, host, guest = await trial.pair(options={"width": 8, "height": 8}, clock=ClockRule(total_ms=600_000))
        return cls(trial, match, (host, guest))

    @property
    def target(self) -> Target:
        """Where the garbage goes."""
        host = self.seats[0].welcome
        assert host is not None
        store: Any = self.trial.store
        hub = store.zrange("parlour:hubs", 0, -1)[0].decode()
        counts = [key.decode() for key in store.scan_iter("parlour:waiting:*:count")]
        return Target(self.match, host.player, hub, counts[0].removesuffix(":count"))

    async def move(self) -> None:
        """One move, which both are shown."""
        version = max(seat.views[self.match].version for seat in self.seats)
        view = await self.seats[0].reach(self.match, version)
        assert view.to_move is not None
        mover = self.seats[view.to_move]
        await mover.reach(self.match, version)
        made = await mover.move(self.match, version, min(view.legal))
        for seat in self.seats:
            await seat.reach(self.match, made.version)

    async def talk(self) -> None:
        """What one says at one hub is heard at the other."""
        self.lines += 1
        said = f"line {self.lines}"
        await self.seats[0].ask(Say(ref=self.seats[0].ref(), match=self.match, text=said), Accepted)
        heard = self.seats[1]
        await heard.until(lambda: any(isinstance(m, Said) and m.text == said for m in heard.traffic))

    async def flag(self) -> str:
        """A match of two others is ended by its clock, with nobody looking."""
        host, guest = await self.trial.open("Flo", 0), await self.trial.open("Gus", 1)
        match = await self.trial.meet(host, guest, options=SMALL, clock=ClockRule(per_move_ms=500))
        await host.until(lambda: host.views[match].status == "ended")
        await guest.until(lambda: guest.views[match].status == "ended")
        return match

    async def pair(self, number: int) -> None:
        """Two who look for anybody at two hubs find each other, and the lobby shows it."""
        watcher = await self.trial.open("Wim", number)
        await watcher.ask(WatchLobby(ref=watcher.ref(), on=True), Accepted)
        first, second = await self.trial.open("Hal", number), await self.trial.open("Ida", number + 1)
        waits = await first.ask(QuickMatch(ref=first.ref(), game="dots-and-boxes"), Accepted)
        await watcher.until(lambda: waits.match in watcher.lobby)
        found = await second.ask(QuickMatch(ref=second.ref(), game="dots-and-boxes"), Accepted)
        assert found.match == waits.match
        await first.reach(found.match, 2)
        await second.reach(found.match, 2)

    async def all_is_well(self, number: int) -> None:
        """Everything of the above, at hubs that are ready."""
        for hub in self.trial.stage.hubs:
            await eventually(lambda hub=hub: hub.get("/ready")[0] == 200)  # type: ignore[misc]
        for _ in range(3):
            await self.move()
        await self.talk()
        await self.flag()
        await self.pair(number)


async def admin(stage: Stage, *words: str, status: int = 0) -> str:
    """What the operator is told, who tries again when the machine has no time to spare; the others go on meanwhile."""
    command = ["admin", "--redis", stage.url, *words]
    for _ in range(TRIES):
        done = await asyncio.to_thread(fork_server.run, command, os.environ, WAIT_S)
        if "cannot be reached" not in done.stderr:
            break
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if not status else done.stderr


async def clear_away(stage: Stage) -> int:
    """The operator takes away whatever was set aside; returns how much that was."""
    taken = 0
    while ids := [line.split()[0] for line in (await admin(stage, "aside")).splitlines()[:-1] if line[:1] != " "]:
        assert taken < MOST_ASIDE
        for some in range(0, len(ids), AT_ONCE):
            await admin(stage, "aside", "--remove", *ids[some : some + AT_ONCE])
        taken += len(ids)
    return taken


def told(stage: Stage, hub: int, after: int = 0) -> Counter[tuple[str, ...]]:
    """How often a hub told of each bad value, in its log after so many characters."""
    return Counter(TOLD.findall(stage.hubs[hub].log.read_text()[after:]))


@pytest.mark.parametrize("kinds", [*EACH, ALL] if FULL else [ALL])
async def test_q10_garbage_beside_matches_that_are_well(trial: Trial, kinds: Sequence[Put]) -> None:
    """Q10: garbage of every kind in every kind of key: the others play, flag, talk, pair and are listed, at hubs that
    stay ready, also when they subscribe anew or start again; each value is told once, and can be taken away."""
    stage = trial.stage
    healthy = await Healthy.begin(trial)
    await healthy.pair(0)
    row = trial.fault("Q10 garbage in Redis")
    target = healthy.target
    for put in kinds:
        row.times += put(trial.store, target)
    await healthy.all_is_well(0)
    garbage.cut_subscriptions(trial.store)
    await healthy.all_is_well(1)
    assert healthy.match in await admin(stage, "matches")
    await admin(stage, "export")
    await admin(stage, "log", healthy.match)
    for number, hub in enumerate(stage.hubs):
        assert not (twice := {what: times for what, times in told(stage, number).items() if times > 1}), twice
        assert hub.stop() == 0
    lengths = [len(hub.log.read_text()) for hub in stage.hubs]
    for hub in stage.hubs:
        hub.start()
    healthy.seats = [
        await trial.open("Ana", 0, token=healthy.seats[0].token),
        await trial.open("Bo", 1, token=healthy.seats[1].token),
    ]
    for seat in healthy.seats:
        await seat.ask(Watch(ref=seat.ref(), match=healthy.match), Accepted)
        await seat.reach(healthy.match, trial.stored(healthy.match))
    await healthy.all_is_well(0)
    for number in range(len(stage.hubs)):
        again = told(stage, number, lengths[number])
        assert not (twice := {what: times for what, times in again.items() if times > 1}), twice
    trial.disregard({match for match in evidence.match_ids(trial.store) if match.startswith(("bad-", "due"))})
    trial.provoked("values set aside and taken away", await clear_away(stage), row.times, least=0)
    await healthy.all_is_well(1)
    await trial.check()


async def test_q10_a_match_that_turns_bad_while_it_is_played(trial: Trial) -> None:
    """Q10: what a broken disk or a newer release adds to a log: whoever is in the match is told so in true words, at
    whichever hub; those beside it go on, and the operator sees which it was."""
    healthy = await Healthy.begin(trial)
    row = trial.fault("Q10 a log turns bad")
    for number, data in enumerate(every(tuple(garbage.GARBAGE.values()), 4, full=FULL)):
        match, host, guest = await strangers(trial, number)
        trial.store.xadd(garbage.log_key(match), {"e": data}, id="3-0")
        row.times += 1
        for player in (host, guest):
            await player.send(player.a_move(match, "a1-a2", 2))
            await player.until(lambda player=player, match=match: codes(player, match))  # type: ignore[misc]
        fresh = (await strangers(trial, number + 1))[1]
        refused = await fresh.ask(Watch(ref=fresh.ref(), match=match), Refused)
        assert {refused.code, *codes(host, match), *codes(guest, match)} == {"damaged"}
        assert "cannot be read" in refused.text
        for _ in range(NOTED_WITHIN):
            # Hubs write their notes once a second.
            await asyncio.sleep(0.5)
            if match in (noted := await admin(trial.stage, "aside")):
                break
        assert match in noted
        if number % 4 == 0 or not FULL:
            assert "not an event" in await admin(trial.stage, "log", match)
            assert "cannot be read" in await admin(trial.stage, "end", match, status=1)
        await healthy.move()
    _, host, _ = await strangers(trial, 0)
    trial.store.xadd(garbage.log_key("newer"), {"e": garbage.NEWER}, id="1-0")
    refused = await host.ask(Watch(ref=host.ref(), match="newer"), Refused)
    assert refused.code == "newer_format"
    assert "newer version" in refused.text
    assert healthy.match not in await admin(trial.stage, "aside")
    trial.disregard(evidence.match_ids(trial.store) - {healthy.match})
    await healthy.all_is_well(0)
    await trial.check()


async def strangers(trial: Trial, number: int) -> tuple[str, Recorder, Recorder]:
    """A match of two whose traffic is not judged: what happens to it here happens to no match by rights."""
    hubs = trial.stage.hubs
    host = await Recorder.open(hubs[number % 2].url, "Cy")
    guest = await Recorder.open(hubs[(number + 1) % 2].url, "Di")
    trial.strangers += [host, guest]
    return await trial.meet(host, guest), host, guest


def codes(player: Recorder, match: str) -> list[str]:
    """The codes with which a player was refused anything in a match."""
    return [message.code for message in player.traffic if isinstance(message, Refused) and message.match == match]
