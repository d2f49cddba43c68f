"""A match that is brought to its bounds at a real hub (Q12): what it refuses then, what it shows, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgpack
import pytest

from protocol.limits import MAX_COMMAND_BYTES
from protocol.messages import Accepted, Create, Message, Move, Offer, OfferKind, Pause, Refused, Snapshot, Watch
from server.match.bounds import MOST_PLIES
from server.match.state import ROOM_BYTES
from tests.driver import Client
from tests.faults.load.test_fairness import long_game
from tests.faults.trial.play import play
from tests.faults.trial.stage import FULL, Stage, Trial, staged
from tests.server.http.api.player import HttpPlayer, web

pytestmark = [pytest.mark.faults, pytest.mark.timeout(400)]

LEFT = 3
"""Moves that are left to play when the match is full."""
MOST_TIMES = 200
KINDS: tuple[OfferKind, ...] = ("restart", "revert", "takeback")


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Hubs that are started again."""
    with staged(tmp_path) as stage:
        yield stage


async def seen(one: Client, match: str) -> Snapshot:
    """The match as it is shown now."""
    one.forget_unread()
    await one.ask(Watch(ref=one.ref(), match=match), Accepted)
    return await one.expect(Snapshot, lambda shown: shown.match == match)


async def filled(one: Client, match: str, back: tuple[str, ...]) -> int:
    """Begin anew and go back to these moves until that is refused; returns how often it was granted."""
    for times in range(MOST_TIMES):
        restart = await one.ask(Offer(ref=one.ref(), match=match, kind="restart"), Message) if times else None
        if isinstance(restart, Refused):
            assert restart.code == "match_full"
            return times
        await one.ask(Offer(ref=one.ref(), match=match, kind="revert", moves=back), Accepted)
    raise AssertionError("the match was never full")


async def restarted(trial: Trial) -> None:
    """Both hubs end and start again: what they show then is what is stored."""
    for hub in trial.stage.hubs:
        assert hub.stop() == 0
        hub.start()


@pytest.mark.skipif(not FULL, reason="takes eight seconds of a core: make faults; tests/server/match/test_bounds.py")
async def test_q12_a_match_at_its_bounds(trial: Trial) -> None:
    """Q12: one alone goes back and on again until the match is full, and then plays to the last move there is. What is
    refused is refused in words, by HTTP as a conflict, and not shown as something that can be done; all that is the
    same at another hub, and after both were started again."""
    hubs, moves = trial.stage.hubs, long_game()
    host = await Client.open(hubs[0].url, "Long")
    create = Create(ref=host.ref(), game="checkers", options={"draw_after": 0}, both_seats=True)
    match = (await host.ask(create, Accepted)).match
    back = moves[: MOST_PLIES - LEFT]
    times = await filled(host, match, back)
    await host.close()
    trial.fault("Q12 a match filled by going back", times=times)
    trial.provoked("times gone back until the match was full", times, MOST_TIMES, least=50)
    size = sum(len(msgpack.packb(event)) for _, event in trial.log(match))
    assert ROOM_BYTES <= size <= ROOM_BYTES + 2 * MAX_COMMAND_BYTES

    refused = 0
    for again, number in ((False, 0), (False, 1), (True, 0), (False, 1)):
        if again:
            await restarted(trial)
        one = await Client.open(hubs[number].url, "Long", token=host.token)
        shown = await seen(one, match)
        assert (shown.status, shown.plies) == ("playing", len(back))
        for can in shown.can:
            assert set(can) == {"abandon", "offer_draw"}
        for kind in KINDS:
            assert await one.refusal(Offer(ref=one.ref(), match=match, kind=kind)) == "match_full"
            refused += 1
        assert await one.refusal(Pause(ref=one.ref(), match=match)) == "match_full"
        async with web(hubs[number]) as link:
            by_http = HttpPlayer(link, {"player": one.player, "token": host.token})
            told = await by_http.update(match, "pause", expect=409)
        assert told["code"] == "match_full"
        assert (await seen(one, match)).version == shown.version
        refused += 2
        await one.close()
    trial.fault("Q12 what a full match refuses", times=refused)

    one = await Client.open(hubs[0].url, "Long", token=host.token)
    version = (await seen(one, match)).version
    for move in moves[-LEFT:]:
        version = (await one.move(match, version, move)).version
    for again in (False, True):
        if again:
            await one.close()
            await restarted(trial)
            one = await Client.open(hubs[1].url, "Long", token=host.token)
        shown = await seen(one, match)
        assert shown.result is not None
        assert (shown.plies, shown.result.reason, shown.result.winner) == (MOST_PLIES, "too_long", None)
        assert await one.refusal(Move(ref=one.ref(), match=match, version=shown.version, move=moves[0])) == "finished"
    await one.close()
    trial.disregard([match])
    judged, *pair = await trial.pair()
    await play(pair, judged, Random(1))
    await trial.check()
