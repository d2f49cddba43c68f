"""A pause hides the position from everybody: two positions are paused, and nobody can tell them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import httpx
import msgspec
import pytest

from protocol.messages import (
    Accepted,
    Command,
    Continue,
    GetRecord,
    Look,
    MatchEvent,
    Message,
    Pause,
    Paused,
    Presence,
    Sync,
    Watch,
)
from tests.faults.trial.play import on_one_hub_and_two
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import Trial, rounds
from tests.server.http.api.player import web

pytestmark = pytest.mark.faults

BOARD = {"width": 4, "height": 4}
POSITIONS = (("a1-b1", "c1-d1", "a3-b3", "d3-d4"), ("b2-b3", "c3-d3", "b4-c4", "a1-a2"))
"""As many moves, no box closed, the same player to move: nothing else tells them apart."""


@on_one_hub_and_two
async def test_f2_a_pause_hides_the_board_from_everyone(trial: Trial, hubs: int) -> None:
    """F2: what players, spectators and those who come are sent in a pause is the same for two different positions."""
    tries, compared = rounds(40, 1), 0
    for number in range(tries):
        # One pair after the other, so that everybody has the same names.
        players = [await trial.open("Ana", number), await trial.open("Bo", number + 1)]
        watchers = [await trial.open("Eve", hub) for hub in range(2)]
        heard = [await heard_in_a_pause(trial, moves, players, watchers, number) for moves in POSITIONS]
        first, second = heard
        assert first.keys() == second.keys()
        for who in first:
            assert first[who], f"{who} heard nothing"
            assert first[who] == second[who], who
            compared += len(first[who])
        for one in (*players, *watchers):
            await trial.retire(one)
    trial.provoked("messages compared", compared, compared, least=100 * tries)
    await trial.check()


async def heard_in_a_pause(
    trial: Trial, moves: Sequence[str], players: Sequence[Recorder], watchers: Sequence[Recorder], number: int
) -> dict[str, list[Any]]:
    """Play `moves`, pause, and ask for everything in every way; returns what each was told, without ids and times."""
    match = await trial.meet(players[0], players[1], options=BOARD)
    for watcher in watchers:
        await watcher.watch(match)
    for ply, move in enumerate(moves):
        await players[ply % 2].reach(match, ply + 2)
        await players[ply % 2].move(match, ply + 2, move)
    pauser = players[number % 2]
    version = (await pauser.ask(Pause(ref=pauser.ref(), match=match), Accepted)).version
    for one in (*players, *watchers):
        await one.reach(match, version)
    tab = await trial.open("", number + 1, token=players[1].token)
    fresh = [await trial.open("Fay", hub) for hub in range(2)]
    everybody = {"host": players[0], "guest": players[1], "tab": tab}
    everybody |= {f"watcher {hub}": watcher for hub, watcher in enumerate(watchers)}
    everybody |= {f"fresh {hub}": one for hub, one in enumerate(fresh)}
    for one in everybody.values():
        await ask_for_everything(one, match, version)
    heard = {who: [plain(message, match) for message in since_the_pause(one, match)] for who, one in everybody.items()}
    for hub in range(2):
        async with web(trial.stage.hubs[hub]) as link:
            for who, token in (("host", players[0].token), ("guest", players[1].token), ("fresh", fresh[0].token)):
                heard[f"{who} by HTTP at {hub}"] = await by_http(link, match, token, version)
    await pauser.ask(Continue(ref=pauser.ref(), match=match), Accepted)
    for one in everybody.values():
        await one.until(lambda one=one: set(one.views[match].marks) == set(moves))  # type: ignore[misc]
    for one in (tab, *fresh):
        await trial.retire(one)
    return heard


async def ask_for_everything(one: Recorder, match: str, version: int) -> None:
    """All commands that show something."""
    await one.ask(Watch(ref=one.ref(), match=match), Accepted)
    for after in range(version + 1):
        await one.ask(Sync(ref=one.ref(), match=match, after=after), Accepted)
    for ply in range(6):
        assert await one.refusal(Look(ref=one.ref(), match=match, ply=ply)) == "paused"
    assert await one.refusal(GetRecord(ref=one.ref(), match=match)) == "paused"


def since_the_pause(one: Recorder, match: str) -> list[Message]:
    """What one connection received of a match from the pause on; all of it if it came only then."""
    received = [
        message
        for message in one.traffic
        if getattr(message, "match", "") == match and not isinstance(message, Command | Presence)
    ]
    starts = [at for at, message in enumerate(received) if isinstance(message, Paused)]
    return received[starts[-1] :] if starts else received


def plain(value: Any, match: str) -> Any:
    """A message without what differs between any two matches: the match's id, refs, times, who is connected."""
    if isinstance(value, Message):
        told = plain(msgspec.to_builtins(value), match)
        return told | {"at_ms": 0} if isinstance(value, MatchEvent) else told
    if isinstance(value, dict):
        return {
            key: 0 if key.endswith("_ms") else plain(inner, match)
            for key, inner in value.items()
            if key not in ("ref", "here", "where", "spectators")
        }
    if isinstance(value, list | tuple):
        return [plain(inner, match) for inner in value]
    return value.replace(match, "M") if isinstance(value, str) else value


async def by_http(link: httpx.AsyncClient, match: str, token: str | None, version: int) -> list[Any]:
    """Status and body of everything that can be asked by HTTP."""
    ways = [f"/matches/{match}", f"/matches/{match}/record"]
    ways += [f"/matches/{match}/updates?after={after}&own=true" for after in range(version + 1)]
    ways += [f"/matches/{match}/positions/{ply}" for ply in range(6)]
    heard = []
    for way in ways:
        answer = await link.get(way, headers={"authorization": f"Bearer {token}"})
        heard.append([plain(way, match), answer.status_code, plain(answer.json(), match)])
    assert heard[0][1] == 200
    return heard
