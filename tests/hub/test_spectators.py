"""Spectators over two real hubs: private matches, and a delay in moves made by the server (F5)."""

from __future__ import annotations

import asyncio

import pytest

from protocol.messages import (
    Abandon,
    Accepted,
    Create,
    Ended,
    GetRecord,
    LobbyState,
    Look,
    Moved,
    Offer,
    Pause,
    Position,
    Record,
    Refused,
    Snapshot,
    Sync,
    Watch,
    WatchLobby,
)
from tests.driver import Client, HubProcess
from tests.hub.conftest import Open


async def watch(client: Client, match: str) -> Snapshot:
    await client.ask(Watch(ref=client.ref(), match=match), Accepted)
    return await client.expect(Snapshot, lambda snapshot: snapshot.match == match)


async def begin(hubs: list[HubProcess], open_client: Open, **fields: object) -> tuple[str, list[Client], Snapshot]:
    players = [await open_client("Ana"), await open_client("Bo", url=hubs[1].url)]
    created = await players[0].ask(Create(ref="c", game="dots-and-boxes", **fields), Accepted)  # type: ignore[arg-type]
    snapshot = await players[1].join(created.match if not created.key else "", created.key or "")
    return created.match, players, snapshot


async def play(players: list[Client], snapshot: Snapshot, count: int, start: int = 0) -> None:
    """Moves along the top lines, none of which closes a box, so that the players alternate."""
    lines = [line for line in snapshot.legal if line[1] == line[-1]]
    for number in range(start, start + count):
        await players[number % 2].move(snapshot.match, snapshot.version + number, lines[number])
        for player in players:
            await player.moved(snapshot.version + number + 1)


async def test_f5_private_means_unwatched(hubs: list[HubProcess], open_client: Open) -> None:
    """By id, old link or guessed id, also for one who lost the race for the seat, nothing of the state is told."""
    match, players, _ = await begin(hubs, open_client, private=True)
    for hub in hubs:
        stranger = await open_client("Stranger", url=hub.url)
        for command in (
            Watch(ref="1", match=match), Sync(ref="2", match=match, after=0), Look(ref="3", match=match, ply=0),
            GetRecord(ref="4", match=match),
        ):  # fmt: skip
            refused = await stranger.ask(command, Refused)
            assert refused.code == "private"
            assert refused.data == {}
        assert not [message for message in stranger.received if getattr(message, "board", None)]
    assert not (await watch(players[1], match)).watchable


async def test_a_private_match_that_the_host_opened_is_watched(hubs: list[HubProcess], open_client: Open) -> None:
    match, _, _ = await begin(hubs, open_client, private=True, spectators=True)
    spectator = await open_client("Spectator")
    snapshot = await watch(spectator, match)
    assert (snapshot.you, snapshot.private, snapshot.watchable, snapshot.key) == ((), True, True, None)
    lobby = await open_client("Lobby")
    await lobby.ask(WatchLobby(ref="l"), Accepted)
    assert match not in [row.match for row in (await lobby.expect(LobbyState)).matches]


@pytest.mark.parametrize("delay", [3])
async def test_spectators_are_behind(hubs: list[HubProcess], open_client: Open, delay: int) -> None:
    """Snapshot, events, catching up, looking back, record and end: nothing tells of the last moves."""
    match, players, start = await begin(hubs, open_client, delay_plies=delay)
    early = await open_client("Early", url=hubs[1].url)
    assert (await watch(early, match)).delay_plies == delay
    await play(players, start, 5)
    await early.expect(Moved, lambda moved: moved.version == start.version + 2)
    late = await open_client("Late")
    snapshot = await watch(late, match)
    assert (snapshot.plies, snapshot.version, len(snapshot.marks)) == (2, start.version + 2, 2)
    assert [event.version for event in early.events(match)] == [start.version + 1, start.version + 2]
    # Looking back, records, catching up.
    assert (await late.ask(Look(ref="l", match=match, ply=2), Position)).plies == 2
    assert await late.refusal(Look(ref="m", match=match, ply=3)) == "no_such_ply"
    assert len((await late.ask(GetRecord(ref="r", match=match), Record)).moves) == 2
    again = await open_client("Early", token=early.token)
    accepted = await again.ask(Sync(ref="s", match=match, after=start.version), Accepted)
    assert accepted.version == start.version + 2
    assert [(await again.expect(Moved)).version for _ in range(2)] == [start.version + 1, start.version + 2]
    # A player sees everything, on every connection.
    tab = await open_client("Ana", token=players[0].token, url=hubs[1].url)
    assert (await watch(tab, match)).plies == 5
    # One more move releases one more, and an offer after it waits for the moves before it.
    await play(players, start, 1, start=5)
    await players[0].ask(Offer(ref="o", match=match, kind="draw"), Accepted)
    for spectator in (early, late, again):
        await spectator.expect(Moved, lambda moved: moved.version == start.version + 3)
    await asyncio.sleep(0.3)
    assert all(spectator.events(match)[-1].version == start.version + 3 for spectator in (early, late, again))
    # The end tells everything, in order.
    await players[1].ask(Abandon(ref="x", match=match), Accepted)
    for spectator in (early, late, again):
        await spectator.expect(Ended)
        versions = [event.version for event in spectator.events(match)]
        assert versions == list(range(versions[0], versions[-1] + 1))
    assert (await watch(late, match)).plies == 6


async def test_a_pause_hides_old_positions_too(hubs: list[HubProcess], open_client: Open) -> None:
    """F2: while players cannot see the board, nobody can show them even an earlier one."""
    match, players, start = await begin(hubs, open_client, delay_plies=1)
    await play(players, start, 3)
    await players[0].ask(Pause(ref="p", match=match), Accepted)
    spectator = await open_client("Spectator")
    snapshot = await watch(spectator, match)
    assert (snapshot.marks, snapshot.legal, snapshot.last) == ({}, (), None)
    assert await spectator.refusal(Look(ref="l", match=match, ply=1)) == "paused"
    assert await spectator.refusal(GetRecord(ref="r", match=match)) == "paused"


async def test_a_hub_that_reads_the_log_anew_tells_no_more(hubs: list[HubProcess], open_client: Open) -> None:
    """The other hub loads the match when its first spectator comes."""
    players = [await open_client("Ana"), await open_client("Bo")]
    match = (await players[0].create("dots-and-boxes", delay_plies=2)).match
    start = await players[1].join(match)
    await play(players, start, 4)
    spectator = await open_client("Spectator", url=hubs[1].url)
    assert (await watch(spectator, match)).plies == 2
    await play(players, start, 1, start=4)
    assert (await spectator.expect(Moved)).version == start.version + 3
