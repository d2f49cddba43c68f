"""A release goes on with what the one before it has kept, beside its hubs or after them."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from protocol.codec import CODECS
from tests.driver import WAIT_S, Client, HubProcess, RedisProcess
from tests.evening import Evening, goes_on, play
from tests.stand import running_redis
from tests.upgrade.revisions import hub_of, is_here

RECORDED = sorted((Path(__file__).parent / "recorded").iterdir())
BEFORE = RECORDED[-1].name
"""The release before this one: the revision of the folder that was recorded last."""


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda folder: folder.name)
async def test_a_folder_of_an_older_release_goes_on(recorded: Path, tmp_path: Path) -> None:
    """Its log's events, its keys, its lists: whatever it is, a match goes on in it, and nobody is charged."""
    shutil.copytree(recorded / "appendonlydir", tmp_path / "data" / "appendonlydir")
    evening = msgspec.json.decode((recorded / "evening.json").read_bytes(), type=Evening)
    hub = HubProcess(tmp_path, "--data", str(tmp_path / "data"))
    try:
        hub.start()
        await goes_on(hub.url, hub.url, evening)
        assert await asyncio.to_thread(hub.stop) == 0
    finally:
        hub.kill()
    told = hub.log.read_text()
    assert "cannot be used" not in told
    assert "Traceback" not in told


@pytest.fixture
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    with running_redis(tmp_path_factory) as process:
        yield process


@pytest.mark.skipif(not is_here(BEFORE), reason=f"this clone's history does not reach back to {BEFORE}")
async def test_hubs_of_two_releases_serve_one_match(redis: RedisProcess, tmp_path: Path) -> None:
    """One player at each, in both ways round; then the older one is stopped, as in an upgrade without a pause.

    Each has scripts of its own, by their hashes; notices, rows of the lobby, reports and logs are read by the other.
    """
    folders = [tmp_path / "old", tmp_path / "new"]
    for folder in folders:
        folder.mkdir()
    with hub_of(BEFORE) as root:
        old = HubProcess(folders[0], "--redis", redis.url, root=root)
        new = HubProcess(folders[1], "--redis", redis.url)
        try:
            old.start()
            new.start()
            evening = await play(old.url, new.url)
            evening = await goes_on(new.url, old.url, evening)
            evening = await goes_on(old.url, new.url, evening)
            assert await asyncio.to_thread(old.stop) == 0
            await goes_on(new.url, new.url, evening)
            assert await asyncio.to_thread(new.stop) == 0
        finally:
            old.kill()
            new.kill()
    for hub in (old, new):
        told = hub.log.read_text()
        assert "cannot be used" not in told
        assert "Traceback" not in told


async def test_a_version_of_the_protocol_that_is_not_known_is_refused(redis: RedisProcess, tmp_path: Path) -> None:
    """By the status on which clients say so; one who offers a known one besides is served by that."""
    hub = HubProcess(tmp_path, "--redis", redis.url)
    hub.start()
    try:
        with pytest.raises(InvalidStatus) as refused:
            await connect(hub.url, subprotocols=[Subprotocol("parlour.v2.msgpack")], open_timeout=WAIT_S)
        assert refused.value.response.status_code == 406
        assert refused.value.response.body.decode() == f"This server speaks {' and '.join(CODECS)} alone.\n"
        both = [Subprotocol("parlour.v2.msgpack"), Subprotocol("parlour.v1.json")]
        async with connect(hub.url, subprotocols=both, open_timeout=WAIT_S) as served:
            assert served.subprotocol == "parlour.v1.json"
        await (await Client.open(hub.url)).close()
        assert await asyncio.to_thread(hub.stop) == 0
    finally:
        hub.kill()
