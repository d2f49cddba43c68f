"""A Redis that is not what it should be, and one that stops being it (J3, J11)."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
import redis as sync_redis

from protocol.errors import StoreUnavailable
from protocol.messages import Accepted, Move, Refused
from server.store.connection.unfit import UnfitStore
from server.store.operators.durability import judge
from tests.driver import Client, HubProcess, RedisProcess
from tests.pace import within


@pytest.mark.parametrize(
    ("settings", "says", "level"),
    [
        (("--appendonly", "no"), "keeps no append-only file", "none"),
        (("--appendfsync", "everysec"), "the last second may be lost", "everysec"),
        (("--appendfsync", "no"), "The operating system decides", "none"),
        (("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"), "set noeviction", "always"),
        (("--rename-command", "CONFIG", ""), "no durability is promised", "unknown"),
        ((), "Every acknowledged command is on disk", "always"),
    ],
)
def test_j3_the_hub_says_what_its_redis_is_worth(
    tmp_path: Path, settings: tuple[str, ...], says: str, level: str
) -> None:
    redis = RedisProcess(tmp_path, *settings)
    redis.start()
    hub = HubProcess(tmp_path, "--redis", redis.url)
    try:
        hub.start()
        log = hub.log.read_text()
        assert says in log
        assert f"durability='{level}'" in log
        assert hub.stop() == 0
    finally:
        hub.kill()
        redis.stop()


def test_j3_a_replica_is_refused(tmp_path: Path) -> None:
    redis = RedisProcess(tmp_path, "--replicaof", "127.0.0.1 1")
    redis.start()
    hub = HubProcess(tmp_path, "--redis", redis.url)
    try:
        with pytest.raises(AssertionError, match="is a replica and takes no writes"):
            hub.start()
        assert hub.stop() == 1
    finally:
        hub.kill()
        redis.stop()


@pytest.mark.parametrize("version", ["6.2.14", "5.0.7", "0"])
async def test_j3_an_old_redis_is_refused(version: str) -> None:
    class Old:
        async def info(self) -> dict[str, str]:
            return {"redis_version": version, "role": "master"}

    with pytest.raises(UnfitStore, match=r"version 7\.0 or later is needed"):
        await judge(Old())  # type: ignore[arg-type]


@pytest.mark.faults
async def test_j11_a_replica_instead_of_the_master(tmp_path: Path) -> None:
    """The server becomes a replica in play and a master again: clear refusals, then play goes on within 10 s."""
    redis = RedisProcess(tmp_path)
    redis.start()
    hub = HubProcess(tmp_path, "--redis", redis.url)
    hub.start()
    control = sync_redis.Redis(unix_socket_path=str(redis.socket))
    try:
        ana, bo = await Client.open(hub.url, "Ana"), await Client.open(hub.url, "Bo")
        match = (await ana.create("dots-and-boxes")).match
        snapshot = await bo.join(match)
        control.replicaof("127.0.0.1", "1")
        move = Move(ref="one", match=match, version=snapshot.version, move=snapshot.legal[0])
        refused = await ana.ask(move, Refused)
        assert refused.code == StoreUnavailable().code
        await asyncio.sleep(1.5)
        assert hub.get("/ready")[0] == 503
        control.replicaof("NO", "ONE")
        back = time.monotonic()
        while not isinstance(await _try(ana, move), Accepted):
            within(time.monotonic() - back, 10.0)
            await asyncio.sleep(0.2)
        moved = await bo.moved(snapshot.version + 1)
        assert moved.move == snapshot.legal[0]
        while hub.get("/ready")[0] != 200:
            within(time.monotonic() - back, 10.0)
            await asyncio.sleep(0.2)
        third = await Client.open(hub.url, "Cid")
        assert (await third.create("square")).status == "waiting"
        for client in (ana, bo, third):
            await client.close()
        assert hub.stop() == 0
    finally:
        hub.kill()
        control.close()
        redis.stop()
    assert "Traceback" not in hub.log.read_text()


async def _try(client: Client, move: Move) -> object:
    await client.send(move)
    return await client.answer(move.ref)
