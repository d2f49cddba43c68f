"""Challenges over two real hubs: by name, answered, withdrawn, run out, muted; who comes back knows how it went."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import redis as sync_redis

from protocol.messages import (
    Accepted,
    AnswerChallenge,
    Cancel,
    Challenge,
    Challenged,
    ChallengeOver,
    ChallengesMuted,
    ClockRule,
    Ended,
    Join,
    Leave,
    LobbyState,
    MuteChallenges,
    QuickMatch,
    Refused,
    SeatFreed,
    Snapshot,
    Sync,
    WatchLobby,
    Welcome,
    Withdraw,
    WithdrawChallenge,
)
from tests.driver import Client, HubProcess, RedisProcess
from tests.hub.conftest import Open

CLOCK = ClockRule(total_ms=180_000, increment_ms=2_000)


@pytest.fixture(scope="module")
def arguments() -> tuple[str, ...]:
    """Trials ask faster than people do, and come to the end of what may be open sooner."""
    return ("--limit", "challenges=100,open_challenges=2")


@pytest.fixture
def straight(redis: RedisProcess) -> Iterator[Any]:
    """A straight way to look into the store."""
    with sync_redis.Redis(unix_socket_path=str(redis.socket)) as client:
        yield client


def stored(straight: Any) -> set[bytes]:
    """The ids of all matches in the store; of an older one, who has just gone may still be written down."""
    return {key.partition(b"{")[2].partition(b"}")[0] for key in straight.keys("*:match:*")}


async def pair(open_client: Open, hubs: list[HubProcess]) -> tuple[Client, Client]:
    """Two at different hubs."""
    ana = await open_client("Ana")
    return ana, await open_client("Bo", url=hubs[1].url)


async def challenge(by: Client, to: Client, typed: str = "", **more: Any) -> Challenged:
    """One challenges the other, by name or by what was typed for it, who hears of it."""
    name = to_name(to)
    await by.ask(Challenge(ref=by.ref(), name=typed or name, game="square", **more), Accepted)
    own = await by.expect(Challenged, lambda told: told.to == name)
    heard = await to.expect(Challenged, lambda told: told.challenge == own.challenge)
    assert (own.mine, heard.mine) == (True, False)
    return heard


def to_name(client: Client) -> str:
    """The name that a client was let in under."""
    return next(message.name for message in client.received if isinstance(message, Welcome))


async def over(client: Client, told: Challenged) -> ChallengeOver:
    """How that challenge went."""
    return await client.expect(ChallengeOver, lambda over: over.challenge == told.challenge)


async def answer(client: Client, told: Challenged, *, accept: bool) -> Accepted:
    """An answer that is granted."""
    return await client.ask(AnswerChallenge(ref=client.ref(), challenge=told.challenge, accept=accept), Accepted)


async def test_a_name_is_told_as_it_is_borne(hubs: list[HubProcess], open_client: Open) -> None:
    """Whatever was typed for it: at each hub, in each word of a challenge, and in refusals."""
    ana, bo = await pair(open_client, hubs)
    name = to_name(bo)
    typed = f"  {name.swapcase().replace(' ', '   ')} "
    told = await challenge(ana, bo, typed)
    assert (told.by, told.to) == (to_name(ana), name)
    await answer(bo, told, accept=False)
    ended = await over(ana, told)
    assert (ended.to, ended.text) == (name, f"{name} declined.")
    await bo.ask(MuteChallenges(ref=bo.ref(), on=True), Accepted)
    refused = await ana.ask(Challenge(ref=ana.ref(), name=typed, game="square"), Refused)
    assert (refused.code, refused.data["name"]) == ("muted", name)
    assert f" {name} " in refused.text


@pytest.mark.parametrize("seat", [0, 1])
async def test_a_challenge_is_accepted_at_another_hub(hubs: list[HubProcess], open_client: Open, seat: int) -> None:
    """CK R1.3: who challenges chooses the side, and who is challenged is told of it before answering."""
    ana, bo = await pair(open_client, hubs)
    told = await challenge(ana, bo, clock=CLOCK, seat=seat)
    assert (told.by, told.title, told.clock, told.seat) == (to_name(ana), "Square", CLOCK, seat)
    assert 0 < told.until_ms - told.now_ms < 65_000
    accepted = await answer(bo, told, accept=True)
    assert accepted.match == told.challenge
    snapshot = await bo.expect(Snapshot)
    assert (snapshot.match, snapshot.you, snapshot.status, snapshot.clock_rule) == (
        accepted.match,
        (1 - seat,),
        "playing",
        CLOCK,
    )
    heard = await over(ana, told)
    assert (heard.fate, heard.mine) == ("accepted", True)
    # It is there when one is told of it.
    await ana.ask(Sync(ref=ana.ref(), match=told.challenge), Accepted)
    there = await ana.expect(Snapshot)
    assert there.you == (seat,)
    assert (there.seats[seat].name, there.seats[1 - seat].name) == (to_name(ana), to_name(bo))


async def test_a_challenge_that_is_declined_leaves_no_match(
    hubs: list[HubProcess], open_client: Open, straight: Any
) -> None:
    ana, bo = await pair(open_client, hubs)
    matches = stored(straight)
    told = await challenge(ana, bo)
    await answer(bo, told, accept=False)
    assert (await over(ana, told)).fate == "declined"
    assert (await over(bo, told)).text == "You declined."
    assert stored(straight) == matches
    keys = [*straight.keys("*:challenge:*"), *straight.keys("*:challenges"), *straight.keys("*:challenged:*")]
    assert len(keys) >= 4
    assert all(straight.pttl(key) > 0 for key in keys)
    assert await bo.refusal(AnswerChallenge(ref="late", challenge=told.challenge, accept=True)) == "no_challenge"
    # No second one within the minute.
    assert await ana.refusal(Challenge(ref="again", name=to_name(bo), game="square")) == "challenged_lately"


async def test_a_challenge_is_withdrawn_by_its_own_alone(hubs: list[HubProcess], open_client: Open) -> None:
    ana, bo = await pair(open_client, hubs)
    cy = await open_client("Cy")
    told = await challenge(ana, bo)
    for other in (bo, cy):
        assert await other.refusal(WithdrawChallenge(ref="w", challenge=told.challenge)) == "no_challenge"
    assert await cy.refusal(AnswerChallenge(ref="a", challenge=told.challenge, accept=True)) == "no_challenge"
    assert await ana.refusal(AnswerChallenge(ref="a", challenge=told.challenge, accept=True)) == "no_challenge"
    for _ in range(2):
        await ana.ask(WithdrawChallenge(ref="mine", challenge=told.challenge), Accepted)
    assert (await over(bo, told)).text == f"{to_name(ana)} took the challenge back."


async def test_the_same_command_sent_again_counts_once(hubs: list[HubProcess], open_client: Open) -> None:
    ana, bo = await pair(open_client, hubs)
    for url in (hubs[0].url, hubs[1].url):
        again = await open_client(to_name(ana), url=url, token=ana.token)
        await again.ask(Challenge(ref="once", name=to_name(bo), game="square"), Accepted)
    told = await bo.expect(Challenged)
    accept = AnswerChallenge(ref="yes", challenge=told.challenge, accept=True)
    other = await open_client(to_name(bo), token=bo.token)
    answers = [await each.ask(accept, Accepted) for each in (bo, other)]
    assert answers[0] == answers[1]
    assert len([message for message in bo.received if isinstance(message, Challenged)]) == 1


async def test_who_comes_back_finds_what_stands_and_how_it_went(hubs: list[HubProcess], open_client: Open) -> None:
    ana, bo = await pair(open_client, hubs)
    told = await challenge(ana, bo)
    bo.cut()
    again = await open_client(to_name(bo), url=hubs[0].url, token=bo.token)
    stands = await again.expect(Challenged)
    assert stands.challenge == told.challenge
    ana.cut()
    await answer(again, told, accept=True)
    back = await open_client(to_name(ana), url=hubs[1].url, token=ana.token)
    assert (await over(back, told)).fate == "accepted"
    await back.ask(Sync(ref="s", match=told.challenge), Accepted)


async def test_its_time_decides_before_anybody(hubs: list[HubProcess], open_client: Open, straight: Any) -> None:
    ana, bo = await pair(open_client, hubs)
    told = await challenge(ana, bo)
    (key,) = straight.keys(f"*:challenge:{told.challenge}")
    straight.hset(key, "until", 1)
    assert await bo.refusal(AnswerChallenge(ref="late", challenge=told.challenge, accept=True)) == "no_challenge"
    assert (await over(ana, told)).text == f"{to_name(bo)} did not answer within the time."
    assert (await over(bo, told)).fate == "expired"


async def test_who_is_challenged_and_leaves_is_told(hubs: list[HubProcess], open_client: Open) -> None:
    ana, bo = await pair(open_client, hubs)
    told = await challenge(ana, bo)
    await bo.close()
    heard = await over(ana, told)
    assert (heard.fate, heard.text) == ("left", f"{to_name(bo)} has gone.")


async def test_challenges_can_be_muted(hubs: list[HubProcess], open_client: Open) -> None:
    ana, bo = await pair(open_client, hubs)
    tab = await open_client(to_name(bo), url=hubs[0].url, token=bo.token)
    await bo.ask(MuteChallenges(ref=bo.ref()), Accepted)
    assert (await tab.expect(ChallengesMuted)).on
    assert await ana.refusal(Challenge(ref="m", name=to_name(bo), game="square")) == "muted"
    late = await open_client(to_name(bo), token=bo.token)
    assert (await late.expect(ChallengesMuted)).on
    await late.ask(MuteChallenges(ref=late.ref(), on=False), Accepted)
    assert not (await bo.expect(ChallengesMuted, lambda told: not told.on)).on
    await challenge(ana, bo)


async def test_what_cannot_be_asked_is_refused(hubs: list[HubProcess], open_client: Open) -> None:
    ana, bo = await pair(open_client, hubs)
    assert await ana.refusal(Challenge(ref="1", name="Nobody here", game="square")) == "not_here"
    assert await ana.refusal(Challenge(ref="2", name=to_name(ana), game="square")) == "not_yourself"
    assert await ana.refusal(Challenge(ref="3", name=to_name(bo), game="go")) == "unknown_game"
    wrong = Challenge(ref="4", name=to_name(bo), game="square", options={"width": 99})
    assert await ana.refusal(wrong) == "bad_option"
    await challenge(ana, await open_client("Cy"))
    await ana.ask(Challenge(ref="5", name=to_name(await open_client("Di")), game="square"), Accepted)
    assert await ana.refusal(Challenge(ref="5", name=to_name(bo), game="go")) == "unknown_game", (
        "also by a ref that was"
    )
    assert await ana.refusal(Challenge(ref="6", name=to_name(bo), game="square")) == "too_many_challenges"


async def test_the_seat_of_a_rematch_is_kept_for_the_other(hubs: list[HubProcess], open_client: Open) -> None:
    """Who agreed to play again, or accepted a challenge, and goes away for a moment finds the seat free."""
    ana, bo = await pair(open_client, hubs)
    cy = await open_client("Cy")
    told = await challenge(ana, bo)
    match = (await answer(bo, told, accept=True)).match
    await ana.ask(Sync(ref="s", match=match), Accepted)
    await bo.ask(Leave(ref="l", match=match), Accepted)
    await ana.expect(SeatFreed)
    assert await cy.refusal(Join(ref="j", match=match)) == "reserved"
    await cy.ask(WatchLobby(ref="lobby"), Accepted)
    assert match not in [row.match for row in (await cy.expect(LobbyState)).matches]
    paired = await cy.ask(QuickMatch(ref="q", game="square", options=told.options, clock=told.clock), Accepted)
    assert paired.match != match
    await cy.ask(Cancel(ref="c", match=paired.match), Accepted)
    await bo.join(match)
    await ana.ask(Leave(ref="host leaves", match=match), Accepted)
    await bo.ask(Leave(ref="l2", match=match), Accepted)
    await ana.ask(Cancel(ref="cancel", match=match), Accepted)
    assert not isinstance(ana.received[-1], Ended | Withdraw)
