"""What a class sees on a bad day: a hub that is killed, a store that is away, players who go. And who watches."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.messages import (
    Accepted,
    Create,
    Ended,
    GetRecord,
    LobbyChange,
    LobbyState,
    Look,
    Moved,
    Position,
    Record,
    Snapshot,
    Watch,
    WatchLobby,
)
from tests.driver import Client, HubProcess, RedisProcess, wait_for
from tests.server.http.dog.conftest import Sit
from tests.server.http.dog.library import Library
from tests.server.http.dog.test_matches import NEXT, begin

FULL = os.environ.get("PARLOUR_FAULTS") == "full"
SILENCE_S = 10.0 if FULL else 3.0
"""Longer than the store's own timeouts, so that the gateway learns that it is away."""
RESTARTS = 10 if FULL else 2


@pytest.fixture
def frail(tmp_path: Path) -> Iterator[tuple[HubProcess, RedisProcess]]:
    """A hub and a Redis of its own, for a test that does harm to them."""
    redis = RedisProcess(tmp_path)
    redis.start()
    hub = HubProcess(tmp_path, "--redis", redis.url, "--dog", "--no-dog-front", "--dog-grace", "20")
    hub.start()
    yield hub, redis
    redis.signal(signal.SIGCONT)
    hub.stop()
    redis.stop()
    assert "Traceback" not in hub.log.read_text(), hub.log.read_text()


def at(hub: HubProcess) -> str:
    return f"http://127.0.0.1:{hub.port}/dog/"


@pytest.mark.faults
def test_a_killed_hub_costs_nobody_the_match(frail: tuple[HubProcess, RedisProcess], sit: Sit) -> None:
    """K1: clients that keep polling go on; what was not served yet is served by the hub that comes."""
    hub, _ = frail
    ana, bea = (sit(name, url=at(hub), steadfast=True) for name in ("Ana", "Bea"))
    begin(ana, bea)
    said = 0
    for _ in range(RESTARTS):
        ana.send_move({"n": said, "match_status": "progress"})
        bea.await_moves(said + 1)
        bea.hold.set()
        time.sleep(0.1)  # a call that is held already may still take the next move
        ana.send_move({"n": said + 1, "match_status": "progress"})
        ana.send_move({"n": said + 2, "match_status": "progress"})
        hub.kill()
        hub.start()
        bea.hold.clear()
        bea.await_moves(said + 3)
        said += 3
    bea.send_move({"n": said, **NEXT})
    assert ana.await_moves(1)[0]["order"] == said + 1
    assert bea.rows() == list(range(said))
    bea.send_move({"n": 0, "match_status": "finished"})
    ana.await_moves(2)
    hub.kill()
    hub.start()
    wait_for(lambda: ana.start_match(2).code == "2")


@pytest.mark.faults
def test_q9_a_match_that_the_store_has_lost_some_of_is_interrupted(
    frail: tuple[HubProcess, RedisProcess], sit: Sit, tmp_path: Path
) -> None:
    """Q9: no program can unlearn a move that it was told, so all are told that the match was interrupted."""
    hub, redis = frail
    ana, bea = (sit(name, url=at(hub)) for name in ("Ana", "Bea"))
    begin(ana, bea)
    ana.send_move({"n": 0, **NEXT})
    bea.await_moves(1)
    shutil.copytree(redis.folder / "appendonlydir", tmp_path / "copy")
    for number in (1, 3):
        bea.send_move({"n": number, **NEXT})
        ana.await_moves((number + 1) // 2)
        ana.send_move({"n": number + 1, **NEXT})
        bea.await_moves((number + 3) // 2)
    redis.kill()
    shutil.rmtree(redis.folder / "appendonlydir")
    shutil.copytree(tmp_path / "copy", redis.folder / "appendonlydir")
    redis.start()
    wait_for(lambda: ana.withdrawals == bea.withdrawals == 1)


@pytest.mark.faults
def test_a_store_that_is_away_silences_nobody_and_loses_nothing(
    frail: tuple[HubProcess, RedisProcess], sit: Sit
) -> None:
    """J5: moves are late, not lost; polls find nothing; a start is told as offline."""
    hub, redis = frail
    ana, bea = (sit(name, url=at(hub)) for name in ("Ana", "Bea"))
    begin(ana, bea)
    # Whoever polls may be paired: this one sits down when those two are.
    idle = sit("Cau", url=at(hub))
    ana.send_move({"n": 0, **NEXT})
    bea.await_moves(1)
    redis.signal(signal.SIGSTOP)
    away = time.monotonic()
    sending = threading.Thread(target=bea.send_move, args=({"n": 1, **NEXT},))
    sending.start()
    codes = []
    while time.monotonic() - away < SILENCE_S:
        codes.append(idle.start_match(2).code)
    redis.signal(signal.SIGCONT)
    assert set(codes) == {"0"}
    assert ana.await_moves(1)[0]["n"] == 1
    sending.join()
    ana.send_move({"n": 2, **NEXT})
    bea.await_moves(2)
    assert (ana.rows(), bea.rows()) == ([1], [0, 2])
    wait_for(lambda: idle.start_match(2).code == "1")
    assert [player.silenced for player in (ana, bea, idle)] == [None, None, None]
    assert (ana.withdrawals, bea.withdrawals) == (0, 0)


@pytest.mark.faults
def test_players_at_two_hubs_play_together_and_go_on_at_the_other(
    frail: tuple[HubProcess, RedisProcess], tmp_path: Path, sit: Sit
) -> None:
    """K4: any hub serves anybody; one that is killed is not missed by who comes to the other."""
    first, redis = frail
    (tmp_path / "second").mkdir()
    second = HubProcess(tmp_path / "second", "--redis", redis.url, "--dog", "--no-dog-front", "--dog-grace", "20")
    second.start()
    try:
        ana, bea = sit("Ana", url=at(first), steadfast=True), sit("Bea", url=at(second))
        wait_for(lambda: ana.start_match(2).code == "2")
        wait_for(lambda: bool(bea.starts))
        for number in range(10):
            players = (ana, bea) if number % 2 == 0 else (bea, ana)
            players[0].send_move({"n": number, **NEXT})
            players[1].await_moves(number // 2 + 1)
        first.kill()
        ana.move_to(at(second))
        ana.send_move({"n": 10, **NEXT})
        bea.send_move({"n": 11, **NEXT})
        ana.await_moves(6)
        bea.await_moves(6)
        assert bea.rows() == [0, 2, 4, 6, 8, 10]
        assert ana.rows() == [1, 3, 5, 7, 9, 11]
    finally:
        bea.stop()
        second.stop()


@pytest.mark.parametrize("gone", [0, 1])
def test_who_is_silent_for_the_grace_time_is_abandoned(sit: Sit, gone: int) -> None:
    """UD RF7, T2: the other is told once, and the silent one when it asks again; it can play again."""
    players = [sit("Ana"), sit("Bea")]
    begin(*players)
    silent, other = players[gone], players[1 - gone]
    silent.hold.set()
    other.send_move({"n": 1, **NEXT})  # with which a call that is held is answered
    time.sleep(0.5)
    assert other.withdrawals == 0
    wait_for(lambda: other.withdrawals == 1)
    silent.hold.clear()
    wait_for(lambda: silent.withdrawals == 1)
    wait_for(lambda: silent.start_match(2).code == "2")
    assert (silent.withdrawals, other.withdrawals) == (1, 1)


async def test_a_match_is_listed_and_watched_as_text(sit: Sit, hub: HubProcess) -> None:
    """The lobby lists it as being played; each move is a short text, also when one looks back; nobody can interfere."""
    ana, bea, cau = sit("Ana"), sit("Bea"), sit("Cau")
    begin(ana, bea, cau)
    ana.send_move({"column": 3, **NEXT})
    watcher = await Client.open(hub.url, "Watcher")
    await watcher.ask(WatchLobby(ref=watcher.ref()), Accepted)
    listed = await watcher.expect(LobbyState, lambda state: any("Ana" in row.names for row in state.matches))
    row = next(row for row in listed.matches if row.names[0] == "Ana")
    # Behind the requester they sit as their questions came.
    assert sorted((row.names[1] or "").split(", ")) == ["Bea", "Cau"]
    assert (row.game, row.status) == ("relay", "playing")
    assert row.options == {"title": ana._game_id.strip()}
    await watcher.ask(Watch(ref=watcher.ref(), match=row.match), Accepted)
    shown = await watcher.expect(Snapshot)
    assert (shown.text, shown.to_move, shown.legal) == ('Ana: next {"column": 3}', 1, ())
    assert shown.last is not None
    assert shown.last.move == 'next {"column": 3}'
    cau.send_move({"column": "ção", "match_status": "progress"})
    moved = await watcher.expect(Moved)
    assert (moved.seat, moved.text, moved.move) == (1, 'Cau: progress {"column": "ção"}', 'progress {"column": "ção"}')
    assert json.loads(moved.entry) == ["move", 2, {"column": "ção", "match_status": "progress"}]
    record = await watcher.ask(GetRecord(ref=watcher.ref(), match=row.match), Record)
    assert [json.loads(entry)[0] for entry in record.moves] == ["seats", "move", "move"]
    assert not any(player.id in entry for player in (ana, bea, cau) for entry in record.moves)
    await watcher.send(Look(ref=watcher.ref(), match=row.match, ply=2))
    assert (await watcher.expect(Position)).text == 'Ana: next {"column": 3}'
    bea.send_move({"match_status": "finished"})
    assert (await watcher.expect(Ended)).result.winner is None
    await watcher.close()


async def test_the_relay_is_not_on_offer(hub: HubProcess) -> None:
    """Only the gateway opens such matches; no client offers them in a form."""
    client = await Client.connect(hub.url, "Ana")
    welcome = await client.hello()
    assert "relay" not in {game.name for game in welcome.games}
    assert await client.refusal(Create(ref=client.ref(), game="relay")) == "unknown_game"
    await client.close()


@pytest.mark.faults
async def test_a_match_that_nobody_comes_back_to_ends(tmp_path: Path, redis: RedisProcess, sit: Sit) -> None:
    """A hub that comes after a kill finds matches whose players are gone, and ends them."""
    hub = HubProcess(tmp_path, "--redis", redis.url, "--dog", "--no-dog-front", "--dog-grace", "1")
    hub.start()
    try:
        ana, bea = sit("Nobody", url=at(hub)), sit("Else", url=at(hub))
        begin(ana, bea)
        hub.kill()
        wait_for(lambda: ana.silenced is not None and bea.silenced is not None)
        hub.start()
        client = await Client.open(hub.url, "Watcher")
        await client.ask(WatchLobby(ref=client.ref()), Accepted)
        listed = (await client.expect(LobbyState)).matches
        if left := [row.match for row in listed if "Nobody" in row.names]:
            await client.expect(LobbyChange, lambda change: left[0] in change.gone)
        await client.close()
    finally:
        hub.stop()


def page_at(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
        return str(answer.read().decode())


def test_a_port_of_its_own_serves_the_gateway_alone(tmp_path: Path, redis: RedisProcess, sit: Sit) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    hub = HubProcess(tmp_path, "--redis", redis.url, "--dog-port", str(port), "--no-dog-front")
    hub.start()
    try:
        players: list[Library] = [
            sit("Ana", url=f"http://127.0.0.1:{port}/"),
            sit("Bea", url=f"http://127.0.0.1:{port}/dog/"),
            sit("Cau", url=at(hub)),
        ]
        assert f"self.url = &quot;http://127.0.0.1:{port}/&quot;" in page_at(port)
        begin(*players)
        assert json.loads(hub.get("/health")[1])["status"] == "alive"
    finally:
        for player in players:
            player.stop()
        assert hub.stop() == 0
