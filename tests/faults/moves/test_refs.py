"""A ref is remembered whatever it caused: sent again, at any hub and however late, a command is answered the same.

The players are at two hubs each, so that what is sent again comes to the other one, too.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random
from typing import Any

import httpx
import pytest

from protocol.messages import (
    Abandon,
    Accepted,
    Answer,
    Cancel,
    Command,
    Continue,
    Create,
    Join,
    Leave,
    Offer,
    Pause,
    QuickMatch,
    Refused,
    Said,
    Say,
    Snapshot,
    Withdraw,
)
from tests.faults.trial import evidence
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import FULL, Stage, Trial, rounds, together
from tests.server.http.api.player import HttpPlayer, web

pytestmark = pytest.mark.faults

MORE_THAN_ARE_KEPT = 56
"""Lines after which a line that was said is not among those that are kept any more."""
STEPS = 60


class Person:
    """One player, connected to both hubs."""

    def __init__(self, tabs: list[Recorder]) -> None:
        self.tabs = tabs

    @classmethod
    async def come(cls, trial: Trial, name: str) -> Person:
        """A new guest."""
        first = await trial.open(name, 0)
        return cls([first, await trial.open("", 1, token=first.token)])

    def ref(self) -> str:
        """A new ref."""
        return self.tabs[0].ref()

    async def ask(self, command: Command, hub: int = 0) -> Accepted:
        """Send a command that is to be granted."""
        return await self.tabs[hub].ask(command, Accepted)

    async def again(self, command: Command, first: Accepted) -> None:
        """Send it again at both hubs: it is answered the same."""
        for tab in self.tabs:
            assert await tab.once_more(command) == first

    async def meet(self, other: Person, **fields: Any) -> str:
        """A new match with another player, who comes by the other hub; both know that it has begun."""
        match = await self.tabs[0].create(**fields)
        await other.tabs[1].join(match.match)
        await self.tabs[0].reach(match.match, 2)
        return match.match


async def test_q3_an_offer_that_stood_already(trial: Trial) -> None:
    """Q3: offer R1, offer R2 (nothing new), withdraw, R2 again: no new offer is made by it."""
    row = trial.fault("Q3 a command without effect sent again")
    ana, bo = await Person.come(trial, "Ana"), await Person.come(trial, "Bo")
    tries = rounds(50)
    for number in range(tries):
        match = await ana.meet(bo)
        first = Offer(ref=ana.ref(), match=match, kind="draw")
        second = Offer(ref=ana.ref(), match=match, kind="draw")
        opened = await ana.ask(first)
        told = await ana.ask(second, number % 2)
        withdrawn = number % 3 > 0
        end = (
            Withdraw(ref=ana.ref(), match=match, offer=opened.version)
            if withdrawn
            else Abandon(ref=ana.ref(), match=match)
        )
        await ana.ask(end, 1)
        before = trial.stored(match)
        await ana.again(second, told)
        row.times += 2
        assert trial.stored(match) == before
        await bo.tabs[1].reach(match, before)
        assert bo.tabs[1].views[match].offer is None
        if withdrawn:
            await ana.ask(Abandon(ref=ana.ref(), match=match))
    trial.provoked("offers without effect sent again", row.times, 2 * tries, least=2 * tries)
    await trial.check()


async def test_q3_a_leave_that_was_nothing_frees_no_seat_later(trial: Trial) -> None:
    """Q3: left while watching, joined, and the leave comes again: the seat is kept, and the following ends."""
    row = trial.fault("Q3 a leave sent again")
    ana, bo = await Person.come(trial, "Ana"), await Person.come(trial, "Bo")
    tries = rounds(50)
    for number in range(tries):
        match = (await ana.tabs[0].create()).match
        await bo.tabs[0].watch(match)
        leave = Leave(ref=bo.ref(), match=match)
        told = await bo.ask(leave, number % 2)
        await bo.tabs[1].join(match)
        await bo.again(leave, told)
        row.times += 2
        assert trial.stored(match) == 2
        assert [event["event"] for _, event in trial.log(match)] == ["created", "joined"]
        await ana.ask(Abandon(ref=ana.ref(), match=match))
    trial.provoked("leaves sent again by a guest", row.times, 2 * tries, least=2 * tries)
    await trial.check()


async def test_q3_a_quick_match_leads_to_the_same_match_when_that_is_over(trial: Trial) -> None:
    """Q3: found or opened, and over meanwhile: no other match is started by the same ref."""
    row = trial.fault("Q3 a quick match sent again")
    ana, bo = await Person.come(trial, "Ana"), await Person.come(trial, "Bo")
    tries, paired = rounds(50), 0
    for number in range(tries):
        asked = [QuickMatch(ref=one.ref(), game="square", options={}) for one in (ana, bo)]
        told = [await ana.ask(asked[0], number % 2), await bo.ask(asked[1], (number + 1) % 2)]
        paired += told[0].match == told[1].match
        for one, answer in zip((ana, bo), told, strict=True):
            if one is ana or told[0].match != told[1].match:
                end = Abandon if trial.stored(answer.match) > 1 else Cancel
                await one.ask(end(ref=one.ref(), match=answer.match))
        for one, command, first in zip((ana, bo), asked, told, strict=True):
            await one.again(command, first)
            row.times += 2
    trial.provoked("quick matches sent again after the end", row.times, 4 * tries, least=4 * tries)
    trial.provoked("of these led to the same match", paired, tries, least=tries)
    await trial.check()


async def test_q3_one_create_at_two_hubs_at_once_has_one_key(trial: Trial) -> None:
    """Q3: the same private match, with the same key; and again later."""
    row = trial.fault("Q3 one create at two hubs at once")
    ana, bo = await Person.come(trial, "Ana"), await Person.come(trial, "Bo")
    tries = rounds(200)
    for _ in range(tries):
        create = Create(ref=ana.ref(), game="square", private=True)
        first, second = await together(*(tab.ask(create, Accepted) for tab in ana.tabs))
        row.times += 1
        assert first == second
        assert first.key
        await ana.again(create, first)
        joined = await bo.ask(Join(ref=bo.ref(), key=first.key), 1)
        assert joined.match == first.match
        await ana.ask(Abandon(ref=ana.ref(), match=first.match))
        await ana.again(create, first)
    trial.provoked("private matches created at two hubs at once", row.times, tries, least=tries)
    await trial.check()


async def test_q3_a_line_is_heard_once(trial: Trial) -> None:
    """Q3: sent again after more lines than are kept it is not heard a second time."""
    row = trial.fault("Q3 a line said again")
    tries = rounds(5, 1)
    for _ in range(tries):
        ana, bo = await Person.come(trial, "Ana"), await Person.come(trial, "Bo")
        match = await ana.meet(bo)
        line = Say(ref=ana.ref(), match=match, text="only once")
        told = await ana.ask(line)
        for number in range(MORE_THAN_ARE_KEPT):
            await bo.ask(Say(ref=bo.ref(), match=match, text=f"line {number}"), 1)
        await ana.again(line, told)
        row.times += 2
        last = await bo.ask(Say(ref=bo.ref(), match=match, text="the last one"), 1)
        assert last.match == match
        lines = await lines_heard(bo.tabs[1], match, MORE_THAN_ARE_KEPT + 2)
        assert lines.count("only once") == 1
    trial.provoked("lines said again", row.times, 2 * tries, least=2 * tries)
    await trial.check()


async def lines_heard(reader: Recorder, match: str, count: int) -> list[str]:
    """What was said in the match, once so many lines have come."""

    def lines() -> list[str]:
        found: dict[int, str] = {}
        for message in reader.traffic:
            if isinstance(message, Said) and message.match == match:
                assert message.number not in found
                found[message.number] = message.text
        return list(found.values())

    await reader.until(lambda: len(lines()) >= count)
    return lines()


async def test_q3_a_join_by_key_is_answered_when_the_seat_is_anothers(trial: Trial) -> None:
    """Q3: joined by key, left, the seat taken: the same ref is no wrong key, and shows nothing that is private."""
    row = trial.fault("Q3 a join by key sent again")
    ana, bo, eve = [await Person.come(trial, name) for name in ("Ana", "Bo", "Eve")]
    tries = rounds(50)
    for number in range(tries):
        created = await ana.ask(Create(ref=ana.ref(), game="square", private=True))
        join = Join(ref=bo.ref(), key=created.key or "")
        told = await bo.ask(join, number % 2)
        await bo.ask(Leave(ref=bo.ref(), match=told.match), number % 2)
        await eve.ask(Join(ref=eve.ref(), key=created.key or ""), 1)
        for tab in bo.tabs:
            tab.forget(Snapshot)
        await bo.again(join, told)
        row.times += 2
        for tab in bo.tabs:
            # A tab may hear late of the join, but of nothing that came after it.
            shown = [notice.version for notice in tab._notices if isinstance(notice, Snapshot)]
            assert all(version <= told.version for version in shown), shown
        assert [event["event"] for _, event in trial.log(told.match)][-3:] == ["joined", "seat_freed", "joined"]
        await ana.ask(Abandon(ref=ana.ref(), match=told.match))
    trial.provoked("joins by key sent again from without", row.times, 2 * tries, least=2 * tries)
    await trial.check()


async def test_q3_whatever_was_granted_is_granted_the_same_again(trial: Trial) -> None:
    """Q3: two players do what they like, at either hub; each thing that was granted is sent again at any time later."""
    row = trial.fault("Q3 anything sent again later")
    rng, again, kinds = Random(11), 0, Counter[type[Command]]()
    for _ in range(rounds(20)):
        ana, bo = await Person.come(trial, "Ana"), await Person.come(trial, "Bo")
        granted: list[tuple[Person, Command, Accepted]] = []
        match = ""
        for _ in range(STEPS):
            one = rng.choice((ana, bo))
            command = rng.choice(wishes(one, match, rng))
            answer = await one.tabs[rng.randrange(2)].once_more(command)
            if isinstance(answer, Accepted):
                granted.append((one, command, answer))
                kinds[type(command)] += 1
                if isinstance(command, Create | QuickMatch | Join):
                    match = answer.match
            else:
                assert isinstance(answer, Refused), answer
            if granted:
                who, old, first = rng.choice(granted)
                before = {each: trial.stored(each) for each in {first.match, match} if each}
                told = await who.tabs[rng.randrange(2)].once_more(old)
                assert told == first, (old, told, first)
                assert {each: trial.stored(each) for each in before} == before
                again += 1
                row.times += 1
    print(", ".join(f"{kind.__name__} {times}" for kind, times in kinds.most_common()))
    for kind in (Answer, Withdraw):
        trial.provoked(f"{kind.__name__} that was granted", kinds[kind], kinds.total(), least=max(1, rounds(20) // 10))
    trial.provoked("commands sent again later", again, again, least=rounds(20) * STEPS // 2)
    await trial.check()


def wishes(one: Person, match: str, rng: Random) -> list[Command]:
    """What a player might ask for."""
    entering: list[Command] = [
        Create(ref=one.ref(), game="square", private=rng.random() < 0.3),
        QuickMatch(ref=one.ref(), game="square"),
    ]
    if not match:
        return entering
    inside: list[Command] = [
        *[Join(ref=one.ref(), match=match)] * 3,
        Say(ref=one.ref(), match=match, text="hello"),
        Offer(ref=one.ref(), match=match, kind="draw"),
        Offer(ref=one.ref(), match=match, kind="rematch"),
        one.tabs[0].reply(match, False),
        one.tabs[0].reply(match, rng.random() < 0.5),
        one.tabs[0].withdrawal(match),
        Pause(ref=one.ref(), match=match),
        Continue(ref=one.ref(), match=match),
    ]
    ends: list[Command] = [kind(ref=one.ref(), match=match) for kind in (Abandon, Cancel, Leave)]
    # A match lasts for a while, and is in play for most of it.
    return [*inside * 3, *ends, rng.choice(entering)]


# By HTTP --------------------------------------------------------------------------------------------------------------


async def test_q3_one_idempotency_key_makes_one_guest(trial: Trial, stage: Stage) -> None:
    """Q3: at two hubs at once and later; another key, name or wish makes another one, and a refusal none."""
    row = trial.fault("Q3 one Idempotency-Key for a guest, at two hubs at once")
    tries = rounds(100)
    async with web(stage.hubs[0]) as one, web(stage.hubs[1]) as two:

        async def come(link: httpx.AsyncClient, key: str, **body: Any) -> Any:
            answer = await link.post("/guests", json=body, headers={"idempotency-key": key})
            assert answer.status_code == 201, answer.text
            return answer.json()

        for number in range(tries):
            key, name = f"a key that nobody guesses {number}", f"Cy {number}"
            guests = await asyncio.gather(*(come(link, key, name=name) for link in (one, two, one, two)))
            row.times += 1
            assert guests == [guests[0]] * 4
            assert await come(two, key, name=name) == guests[0]
            others = [await come(one, key, name=f"Di {number}"), await come(one, f"other {number}", name=name)]
            assert len({guest["token"] for guest in (guests[0], *others)}) == 3
            # It is who it is said to be.
            assert (await HttpPlayer(two, guests[0]).create("square"))["player"] == guests[0]["player"]
        # Redis alone cannot tell the token.
        store: Any = trial.store
        stored = b" ".join(store.get(name) for name in store.scan_iter(match="parlour:once:*"))
        assert guests[0]["token"].encode() not in stored
    trial.provoked("guests asked for four times at once", row.times, tries, least=tries)
    trial.disregard(evidence.match_ids(trial.store))
    await trial.check()


@pytest.mark.parametrize("by", ["ref", "idempotency-key"])
async def test_q3_every_request_that_changes_something_counts_once(trial: Trial, stage: Stage, by: str) -> None:
    """Q3: by `ref` or by Idempotency-Key, at one hub and then at the other one."""
    row = trial.fault("Q3 every kind of request sent again")
    async with web(stage.hubs[0]) as one, web(stage.hubs[1]) as two:
        for _ in range(10 if FULL else 1):
            ana, bo = await HttpPlayer.come(one, f"Hal {by}"[:20]), await HttpPlayer.come(one, f"Ida {by}"[:20])

            async def twice(who: HttpPlayer, path: str, body: dict[str, Any], status: int) -> Any:
                key = who.ref()
                headers = {"idempotency-key": key} if by != "ref" else {}
                sent = {**body, "ref": key} if by == "ref" else body
                first = await who.post(path, sent, status, **headers)
                for link in (two, one):
                    again = await HttpPlayer(link, who.guest).post(path, sent, status, **headers)
                    row.times += 1
                    same = [(each["match"], each["version"], each.get("key")) for each in (first, again)]
                    assert same[0] == same[1]
                return first

            hosted = await twice(ana, "/matches", {"game": "square", "private": True}, 201)
            joined = await twice(bo, "/players", {"key": hosted["key"]}, 201)
            path = f"/matches/{joined['match']}/updates"
            legal = (await ana.state(joined["match"]))["legal"]
            done: dict[str, Any] = {}
            move = {"type": "move", "version": joined["version"], "move": legal[0]}
            for who, body in (
                (ana, move), (bo, {"type": "offer", "kind": "draw"}), (bo, {"type": "offer", "kind": "draw"}),
                (bo, {"type": "withdraw"}), (ana, {"type": "pause"}), (ana, {"type": "continue"}),
                (bo, {"type": "leave"}), (ana, {"type": "abandon"}), (bo, {"type": "leave"}),
            ):  # fmt: skip
                about = {"offer": done["version"]} if body["type"] == "withdraw" else {}
                done = await twice(who, path, {**body, **about}, 200)
            public = await twice(ana, "/matches", {"game": "square"}, 201)
            await twice(bo, f"/matches/{public['match']}/players", {}, 201)
            quick = await twice(ana, "/quick-matches", {"game": "checkers"}, 201)
            await twice(ana, f"/matches/{quick['match']}/updates", {"type": "cancel"}, 200)
    trial.provoked("requests sent again", row.times, row.times, least=26)
    # What was asked for by HTTP is in no client's records.
    trial.disregard(evidence.match_ids(trial.store))
    await trial.check()
