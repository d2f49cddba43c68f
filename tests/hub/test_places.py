"""Where the holders of seats are, in honest words; over two real hubs."""

from __future__ import annotations

from protocol.messages import Accepted, Away, GetMatches, Joined, Leave, Move, OwnMatches, Presence, Snapshot, Watch
from tests.driver import Client, HubProcess
from tests.hub.conftest import Open


async def sees(client: Client, match: str, where: str, *, here: bool) -> Presence:
    """Wait until the guest is told to be there."""
    return await client.expect(Presence, lambda p: p.match == match and (p.where[1], p.here[1]) == (where, here))


async def playing(ana: Client, bo: Client) -> str:
    """A match in which a move was made, so that leaving keeps the seat."""
    match = (await ana.create("square")).match
    begun = await bo.join(match)
    await ana.expect(Joined, lambda told: told.match == match)
    await ana.ask(Move(ref=ana.ref(), match=match, version=begun.version, move=begun.legal[0]), Accepted)
    return match


async def test_who_looks_at_the_lobby_is_in_the_lobby_and_nobody_waits_for_them(
    hubs: list[HubProcess], open_client: Open
) -> None:
    ana, bo = await open_client("Ana at the board"), await open_client("Bo in the lobby", url=hubs[1].url)
    match = await playing(ana, bo)
    await sees(ana, match, "board", here=True)
    await bo.ask(Leave(ref=bo.ref(), match=match), Accepted)
    await sees(ana, match, "lobby", here=True)
    await bo.ask(Watch(ref=bo.ref(), match=match), Accepted)
    await sees(ana, match, "board", here=True)
    assert not [event for event in ana.events(match) if isinstance(event, Away)]


async def test_who_closes_the_program_has_quit_and_who_is_cut_off_lost_the_connection(
    hubs: list[HubProcess], open_client: Open
) -> None:
    """And since when; one who comes back and asks for the own matches is in the lobby."""
    ana, bo = await open_client("Ana staying"), await open_client("Bo going", url=hubs[1].url)
    match = await playing(ana, bo)
    await bo.close()
    told = await sees(ana, match, "quit", here=False)
    quit_ms = told.since_ms[1] or 0
    assert quit_ms > begun_ms(ana, match)
    bo = await open_client("Bo going", url=hubs[1].url, token=bo.token)
    await bo.ask(GetMatches(ref=bo.ref()), OwnMatches)
    await sees(ana, match, "lobby", here=True)
    bo.cut()
    told = await sees(ana, match, "lost", here=False)
    assert (told.since_ms[1] or 0) >= quit_ms
    spectator = await open_client("A third")
    await spectator.ask(Watch(ref="w", match=match), Accepted)
    shown = await spectator.expect(Snapshot, lambda snapshot: snapshot.match == match)
    assert (shown.seats[1].where, shown.seats[1].since_ms) == ("lost", told.since_ms[1])


def begun_ms(client: Client, match: str) -> int:
    """When the first event came that the client heard of."""
    return min(event.at_ms for event in client.events(match))
