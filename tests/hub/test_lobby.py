"""The lobby as players see it, over two real hubs: styles, spectators' counts, who is here (issue: lobby; C6)."""

from __future__ import annotations

import asyncio

from protocol.messages import Accepted, ClockRule, LobbyChange, LobbyState, Watch, WatchLobby
from tests.driver import Client, HubProcess
from tests.hub.conftest import Open


async def watch_lobby(client: Client) -> LobbyState:
    await client.ask(WatchLobby(ref=client.ref()), Accepted)
    return await client.expect(LobbyState)


async def test_a_row_shows_what_a_player_chooses_by(open_client: Open) -> None:
    """CK 5.3: host's name and colours, the clock, and since when it waits."""
    host, other = await open_client("Host"), await open_client("Other")
    snapshot = await host.create("checkers", clock=ClockRule(total_ms=60_000))
    row = next(row for row in (await watch_lobby(other)).matches if row.match == snapshot.match)
    assert row.names == ("Host", None)
    assert row.clock_rule == ClockRule(total_ms=60_000)
    assert row.styles == tuple(seat.style for seat in snapshot.seats)
    assert 0 <= snapshot.now_ms - row.created_ms < 60_000


async def test_spectators_are_counted_over_both_hubs(hubs: list[HubProcess], open_client: Open) -> None:
    ana, bo = await open_client("Ana"), await open_client("Bo", url=hubs[1].url)
    match = (await ana.create("square")).match
    await bo.join(match)
    for number, hub in enumerate(hubs):
        spectator = await open_client(f"Spectator {number}", url=hub.url)
        await spectator.ask(Watch(ref="w", match=match), Accepted)
    watcher = await open_client("Watcher")
    await watch_lobby(watcher)
    changed = await watcher.expect(LobbyChange, lambda c: any(r.match == match and r.spectators == 2 for r in c.put))
    assert changed.gone == ()
    await spectator.close()
    watcher.forget_unread()
    await watcher.expect(LobbyChange, lambda c: any(r.match == match and r.spectators == 1 for r in c.put))
    late = await open_client("Late")
    assert next(row for row in (await watch_lobby(late)).matches if row.match == match).spectators == 1


async def test_who_is_here_is_shown_over_both_hubs(hubs: list[HubProcess], open_client: Open) -> None:
    watcher = await open_client("Watcher of people")
    first = await watch_lobby(watcher)
    assert "Watcher of people" in first.people
    newcomer = await open_client("Newcomer", url=hubs[1].url)
    twice = await open_client("Newcomer", token=newcomer.token)
    changed = await watcher.expect(LobbyChange, lambda c: "Newcomer" in (c.people or ()))
    assert (changed.people or ()).count("Newcomer") == 1
    assert changed.here == len(changed.people or ())
    await newcomer.close()
    await twice.close()
    watcher.forget_unread()
    gone = await watcher.expect(LobbyChange, lambda c: c.people is not None and "Newcomer" not in c.people)
    assert gone.here == len(gone.people or ())


async def test_a_lone_look_at_the_lobby_is_not_stale(open_client: Open) -> None:
    """Nobody watched before, so nothing was gathered: the first one sees everybody all the same."""
    client = await open_client("Lone")
    await asyncio.sleep(0.1)
    assert "Lone" in (await watch_lobby(client)).people


async def test_c6_waiting_in_the_lobby_survives_a_blip(hubs: list[HubProcess], open_client: Open) -> None:
    """A waiting host is cut for 5 s and comes back at another hub: listed all the while, and then joined."""
    host, other = await open_client("Host"), await open_client("Other")
    match = (await host.create("square")).match
    await watch_lobby(other)
    host.cut()
    await asyncio.sleep(5.0)
    gone = [change for change in other.received if isinstance(change, LobbyChange) and match in change.gone]
    assert not gone
    assert match in [row.match for row in (await watch_lobby(other)).matches]
    again = await open_client("Host", url=hubs[1].url, token=host.token)
    await again.ask(Watch(ref="w", match=match), Accepted)
    await asyncio.sleep(0.5)  # word of the host goes from hub to hub
    assert (await other.join(match)).you == (1,)
