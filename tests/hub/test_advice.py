"""Hints and analyses at real hubs: who is told what, and who is refused."""

from __future__ import annotations

import httpx
import msgspec
import pytest

from protocol.messages import (
    Abandon,
    Accepted,
    Analyse,
    Analysis,
    Create,
    Ended,
    Hint,
    Hinted,
    Joined,
    Moved,
    Offer,
    Ping,
    Say,
    Snapshot,
    Watch,
)
from tests.driver import Client, HubProcess
from tests.hub.conftest import Open
from tests.pace import WAIT_S

SQUARE = ("a1-a2", "b1-b2")


async def against_the_computer(client: Client) -> Snapshot:
    created = await client.ask(Create(ref=client.ref(), game="square", computer=True), Accepted)
    return await client.expect(Snapshot, lambda snapshot: snapshot.match == created.match)


async def test_a_hint_is_told_to_its_asker_and_counted_for_all(hubs: list[HubProcess], open_client: Open) -> None:
    ana, other = await open_client("Ana"), await open_client("Bo", url=hubs[1].url)
    match = await against_the_computer(ana)
    await other.ask(Watch(ref="w", match=match.match), Accepted)
    await other.expect(Snapshot)
    hint = await ana.ask(Hint(ref="h", match=match.match, version=match.version), Analysis)
    assert hint.move in match.legal
    assert (hint.ply, hint.to_move, hint.lead, hint.less) == (0, 0, None, False)
    for client in (ana, other):
        told = await client.expect(Hinted)
        assert (told.seat, told.version) == (0, match.version + 1)
    assert not [message for message in other.received if isinstance(message, Analysis)]
    # Sent again it is the same; asked for again in the same position it counts once.
    again = await ana.ask(Hint(ref="h", match=match.match, version=match.version), Analysis)
    assert again == hint
    assert (await ana.ask(Hint(ref="i", match=match.match, version=match.version), Analysis)).move == hint.move
    await ana.ask(Say(ref="s", match=match.match, text="Thank you!"), Accepted)
    # The move that was chosen before it stands.
    await ana.move(match.match, match.version, hint.move)
    await ana.expect(Moved, lambda moved: moved.seat == 1)
    assert await ana.refusal(Hint(ref="j", match=match.match, version=match.version)) == "stale"
    # Sent again it is still the same, but for its reason.
    late = await ana.ask(Hint(ref="h", match=match.match, version=match.version), Analysis)
    assert late == msgspec.structs.replace(hint, text="", less=False)
    # The ref of what was said then, or of a hint in another match, gives none.
    assert await ana.refusal(Hint(ref="s", match=match.match, version=match.version)) == "stale"
    second = await against_the_computer(ana)
    assert await ana.refusal(Hint(ref="h", match=second.match, version=0)) == "stale"
    assert await other.refusal(Hint(ref="k", match=match.match, version=match.version)) == "not_seated"
    await ana.ask(Abandon(ref="x", match=match.match), Accepted)
    assert (await other.expect(Ended)).result.text.endswith("(Ana took a hint.)")


async def test_what_is_played_is_not_analysed_and_what_is_over_is(hubs: list[HubProcess], open_client: Open) -> None:
    """No verdict is shown to anybody while a match goes on, whatever the position is said to be of."""
    ana, bo = await open_client("Ana"), await open_client("Bo", url=hubs[1].url)
    cal = await open_client("Cal", url=hubs[1].url)
    match = await ana.create("square")
    begun = await bo.join(match.match)
    await cal.ask(Watch(ref="w", match=match.match), Accepted)
    await ana.expect(Joined)
    await ana.move(match.match, begun.version, SQUARE[0])
    for client in (ana, bo, cal):
        assert await client.refusal(Analyse(ref="a", match=match.match, ply=0)) == "still_played"
        assert await client.refusal(Analyse(ref="b", game="square", moves=SQUARE, ply=1)) == "still_played"
    dan = await open_client("Dan")
    assert await dan.refusal(Analyse(ref="c", match=match.match, ply=0)) == "still_played"
    # From another game, and against the computer, one may ask meanwhile; but not for hints in the same game.
    assert (
        await ana.ask(Analyse(ref="d", game="dots-and-boxes", options={"width": 2, "height": 2}, ply=0), Analysis)
    ).exact
    own = await against_the_computer(bo)
    assert await bo.refusal(Hint(ref="h", match=own.match, version=own.version)) == "still_played"
    assert await bo.refusal(Analyse(ref="e", match=own.match, ply=0)) == "still_played"
    await bo.ask(Abandon(ref="x", match=match.match), Accepted)
    for client in (ana, cal):
        await client.expect(Ended)
    shown = await cal.ask(Analyse(ref="f", match=match.match, ply=0), Analysis)
    assert (shown.plies, shown.played, shown.to_move, shown.exact) == (1, SQUARE[0], 0, True)
    assert (shown.lead or 0) < 0, "O, who moves second, wins with perfect play"


async def test_a_saved_game_is_opened_to_be_gone_over(hubs: list[HubProcess], open_client: Open) -> None:
    """It is over at once and its opener's alone; but not while it is a match of one's own that goes on, at any hub."""
    ana, bo = await open_client("Ana"), await open_client("Bo", url=hubs[1].url)
    asked = Create(ref="r", game="square", moves=SQUARE, review=True, names=("Cem", "Dan"))
    created = await ana.ask(asked, Accepted)
    shown = await ana.expect(Snapshot)
    assert (shown.status, shown.result and shown.result.reason, shown.can) == ("ended", "reviewed", ((), ()))
    assert [seat.name for seat in shown.seats] == ["Cem", "Dan"]
    assert (await ana.ask(Analyse(ref="a", match=created.match, ply=1), Analysis)).played == SQUARE[1]
    assert await bo.refusal(Watch(ref="w", match=created.match)) == "private"
    # Alone one may go over other games meanwhile, but not over what the own match has come to.
    own = await bo.ask(Create(ref="c", game="square", both_seats=True, moves=SQUARE), Accepted)
    other = await open_client("Bo", token=bo.token)
    longer, turned = (*SQUARE, "a1-b1"), SQUARE[::-1]
    cases = ((SQUARE, "still_played"), (SQUARE[:1], "still_played"), (longer, "still_played"), (turned, "still_played"))
    for moves, code in (*cases, (("b1-b2",), "")):
        for question in (
            Create(ref=other.ref(), game="square", moves=moves, review=True),
            Analyse(ref=other.ref(), game="square", moves=moves, ply=1),
        ):
            if code:
                assert await other.refusal(question) == code
            else:
                await other.ask(question, Accepted if isinstance(question, Create) else Analysis)
    # What comes later in the moves than the one that is asked about keeps nothing from being said.
    assert (await other.ask(Analyse(ref="before", game="square", moves=turned, ply=0), Analysis)).played == turned[0]
    # Nor in what was opened before, nor by a hint that is counted elsewhere.
    whole = await other.ask(Create(ref="e", game="square", moves=("b1-b2", "a1-b1"), review=True), Accepted)
    await bo.ask(Analyse(ref="f", match=whole.match, ply=1), Analysis)
    twin = await other.ask(Create(ref="t", game="square", computer=True, moves=turned), Accepted)
    opened = await other.expect(Snapshot, lambda snapshot: snapshot.match == twin.match)
    assert await other.refusal(Hint(ref="u", match=twin.match, version=opened.version)) == "still_played"
    await other.ask(Abandon(ref="v", match=twin.match), Accepted)
    await bo.ask(Abandon(ref="x", match=own.match), Accepted)
    own = await bo.ask(Create(ref="g", game="square", both_seats=True, moves=("b1-b2",)), Accepted)
    for ply in (0, 1):
        assert await other.refusal(Analyse(ref=other.ref(), match=whole.match, ply=ply)) == "still_played"
    await bo.ask(Abandon(ref="y", match=own.match), Accepted)
    await other.ask(Create(ref="again", game="square", moves=SQUARE, review=True), Accepted)
    # Between people no game of that kind is opened.
    match = await ana.create("square")
    await bo.join(match.match)
    await ana.expect(Joined)
    assert await ana.refusal(Create(ref="s", game="square", moves=("b1-b2",), review=True)) == "still_played"
    # Nor is the computer asked for its move in one; it may be played from the start, and by two at one screen.
    for client in (ana, bo):
        position = Create(ref="z", game="square", moves=("b1-b2",), computer=True, level="master")
        assert await client.refusal(position) == "still_played"
        for other_way in (
            msgspec.structs.replace(position, moves=()),
            msgspec.structs.replace(position, computer=False, level="", both_seats=True),
        ):
            begun = await client.ask(msgspec.structs.replace(other_way, ref=client.ref()), Accepted)
            back = Offer(ref=client.ref(), match=begun.match, kind="revert", moves=SQUARE)
            if other_way.computer:
                # Nor may it be led there from the start; back to where it was itself it may.
                assert await client.refusal(back) == "still_played"
                at = await client.expect(Snapshot, lambda shown, match=begun.match: shown.match == match)  # type: ignore[misc]
                await client.move(begun.match, at.version, SQUARE[0])
                back = msgspec.structs.replace(back, ref=client.ref(), moves=SQUARE[:1])
            await client.ask(back, Accepted)
            await client.ask(Abandon(ref=client.ref(), match=begun.match), Accepted)
    assert (await ana.ask(asked, Accepted)).match == created.match, "sent again it is what it was"


async def test_a_match_without_a_move_keeps_no_other_from_being_gone_over(open_client: Open) -> None:
    """Play again against the computer, go back, and review what was played: the start of a game is nobody's own."""
    ana = await open_client("Ana")
    first = await against_the_computer(ana)
    await ana.move(first.match, first.version, SQUARE[0])
    await ana.expect(Moved, lambda moved: moved.seat == 1)
    await ana.ask(Abandon(ref="x", match=first.match), Accepted)
    await against_the_computer(ana)
    for ply in (0, 1):
        assert (await ana.ask(Analyse(ref=ana.ref(), match=first.match, ply=ply), Analysis)).ply == ply
    assert (await ana.ask(Analyse(ref=ana.ref(), game="square", moves=SQUARE, ply=0), Analysis)).exact
    # Nor is a hint refused at the first move of another one.
    second = await against_the_computer(ana)
    hint = await ana.ask(Hint(ref="h", match=second.match, version=second.version), Analysis)
    assert hint.move in second.legal


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({"game": "square", "moves": SQUARE, "ply": 3}, "no_such_ply"),
        ({"game": "square", "moves": ("a1-c3", "a1-a2"), "ply": 1}, "does_not_replay"),
        ({"game": "square", "moves": ("a1-c3",), "ply": 0}, "does_not_replay"),
        ({"game": "checkers", "options": {"captures": "sometimes"}}, "bad_option"),
        ({"match": "nowhere"}, "unknown_match"),
    ],
)
async def test_what_makes_no_sense_is_refused(open_client: Open, fields: dict[str, object], code: str) -> None:
    ana = await open_client("Ana")
    assert await ana.refusal(Analyse(ref="a", **{"ply": 0, **fields})) == code  # type: ignore[arg-type]
    # And the next question is taken.
    assert (await ana.ask(Analyse(ref="b", game="square", ply=0), Analysis)).exact


async def test_one_at_a_time_for_a_player_who_goes_on_meanwhile(hubs: list[HubProcess], open_client: Open) -> None:
    """Whoever asks is not held up: what is sent behind the question is answered before it."""
    ana = await open_client("Ana")
    for ref in ("a", "b"):
        await ana.send(Analyse(ref=ref, game="checkers", ply=0))
    await ana.send(Ping(ref="p"))
    await ana.answer("p")
    refused = await ana.answer("b")
    assert getattr(refused, "code", "") == "one_analysis"
    found = await ana.answer("a")
    assert isinstance(found, Analysis)
    assert not found.exact
    order = [ref for message in ana.received if (ref := getattr(message, "ref", "")) in ("a", "b", "p")]
    assert order == ["b", "p", "a"]


async def test_who_goes_is_thought_for_no_longer(hubs: list[HubProcess], open_client: Open) -> None:
    """The place is free at once for another connection of the same player."""
    ana = await open_client("Ana")
    await ana.send(Analyse(ref="a", game="checkers", ply=0))
    await ana.send(Ping(ref="p"))
    await ana.answer("p")
    tab = await open_client("Ana", token=ana.token)
    await ana.close()
    while True:
        await tab.send(Analyse(ref=(ref := tab.ref()), game="square", ply=0))
        answer = await tab.answer(ref)
        if isinstance(answer, Analysis):
            break
        assert getattr(answer, "code", "") == "one_analysis"
    assert answer.exact


async def test_by_http(hubs: list[HubProcess], open_client: Open) -> None:
    ana = await open_client("Ana")
    match = await against_the_computer(ana)
    headers = {"Authorization": f"Bearer {ana.token}"}
    base = f"{hubs[0].url.replace('ws', 'http', 1).removesuffix('/ws')}/api"
    async with httpx.AsyncClient(trust_env=False, headers=headers, base_url=base, timeout=WAIT_S) as link:
        hint = await link.post(f"/matches/{match.match}/hints", json={"version": match.version})
        assert (hint.status_code, hint.json()["move"] in match.legal) == (200, True)
        found = await link.post("/analyses", json={"game": "square", "moves": SQUARE, "ply": 1})
        assert (found.status_code, found.json()["played"], found.json()["exact"]) == (200, SQUARE[1], True)
        problem = await link.post("/analyses", json={"match": match.match, "ply": 0})
        assert (problem.status_code, problem.json()["code"]) == (409, "still_played")
        with pytest.raises(httpx.TimeoutException):  # broken off, it is not thought about any more
            await link.post("/analyses", json={"game": "ultimate-dots-and-boxes", "ply": 0}, timeout=0.001)
        while (
            found := await link.post("/analyses", json={"game": "square", "moves": SQUARE, "ply": 1})
        ).status_code != 200:
            assert found.json()["code"] in ("one_analysis", "too_fast")
    assert (await ana.expect(Hinted)).seat == 0
