"""One's own matches, whatever has become of them, on every device; over two real hubs."""

from __future__ import annotations

from protocol.messages import (
    Abandon,
    Accepted,
    Cancel,
    ClockRule,
    Forget,
    GetMatches,
    Joined,
    Move,
    OwnMatch,
    OwnMatches,
)
from tests.driver import Client, HubProcess
from tests.hub.conftest import Open


async def own(client: Client) -> dict[str, OwnMatch]:
    """The rows by match, in their order."""
    told = await client.ask(GetMatches(ref=client.ref()), OwnMatches)
    return {row.match: row for row in told.matches}


async def test_waiting_running_and_finished_ones_are_told_on_every_device(
    hubs: list[HubProcess], open_client: Open
) -> None:
    ana, bo = await open_client("Ana"), await open_client("Bo", url=hubs[1].url)
    running = await ana.create("square", private=True, clock=ClockRule(total_ms=60_000))
    joined = await bo.join(key=running.key or "")
    await ana.expect(Joined, lambda told: told.match == running.match)
    await ana.ask(Move(ref=ana.ref(), match=running.match, version=joined.version, move=joined.legal[0]), Accepted)
    over = (await ana.create("dots-and-boxes")).match
    begun = await bo.join(over)
    await ana.expect(Joined, lambda told: told.match == over)
    await ana.ask(Move(ref=ana.ref(), match=over, version=begun.version, move=begun.legal[0]), Accepted)
    await bo.ask(Abandon(ref=bo.ref(), match=over), Accepted)
    waiting = (await ana.create("checkers")).match

    phone = await open_client("Ana", url=hubs[1].url, token=ana.token)
    rows = await own(phone)
    assert list(rows) == [waiting, running.match, over]
    assert (rows[waiting].status, rows[waiting].you, rows[waiting].seats[1].name) == ("waiting", (0,), None)
    row = rows[running.match]
    assert (row.status, row.private, row.plies, row.you) == ("playing", True, 1, (0,))
    assert (row.to_move, row.seats[1].name, row.seats[1].here) == (1, "Bo", True)
    assert row.clock is not None
    assert row.clock[0] == 60_000
    assert 0 < row.clock[1] <= 60_000
    ended = rows[over]
    assert ended.result is not None
    assert (ended.status, ended.result.winner, ended.result.reason) == ("ended", 0, "forfeit")
    assert ended.ended_ms is not None
    assert ended.ended_ms >= ended.created_ms
    assert list(await own(bo)) == [running.match, over]


async def test_what_was_never_played_is_in_no_list_of_what_is_over(open_client: Open) -> None:
    ana = await open_client("Ana taking back")
    match = (await ana.create("square")).match
    await ana.ask(Cancel(ref=ana.ref(), match=match), Accepted)
    assert await own(ana) == {}


async def test_one_that_is_over_can_be_taken_out_of_the_list_by_each_for_oneself(open_client: Open) -> None:
    ana, bo = await open_client("Ana forgetting"), await open_client("Bo keeping")
    match = (await ana.create("square")).match
    begun = await bo.join(match)
    await ana.ask(Move(ref=ana.ref(), match=match, version=begun.version, move=begun.legal[0]), Accepted)
    await ana.ask(Forget(ref=ana.ref(), match=match), Accepted)
    assert list(await own(ana)) == [match], "one that goes on stays"
    await bo.ask(Abandon(ref=bo.ref(), match=match), Accepted)
    assert list(await own(ana)) == [match]
    await ana.ask(Forget(ref=ana.ref(), match=match), Accepted)
    assert await own(ana) == {}
    assert list(await own(bo)) == [match]
