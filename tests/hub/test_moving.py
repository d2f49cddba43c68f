"""`parlour-server admin export` and `import`: everything is taken from one store to another, and play goes on."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import redis as sync_redis

from tests import fork_server
from tests.driver import WAIT_S, HubProcess, RedisProcess
from tests.evening import Evening, goes_on, play
from tests.stand import running_redis


def admin(*words: str | Path, status: int = 0) -> str:
    """What an operator is told."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PARLOUR_")}
    done: subprocess.CompletedProcess[str] = fork_server.run(["admin", *map(str, words)], environment, WAIT_S)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stderr if status else done.stdout


class Place:
    """A store, and the hub on it."""

    def __init__(self, folder: Path, *store: str | Path) -> None:
        self.store = store
        self.hub = HubProcess(folder, *map(str, store))

    async def evening(self, work: Callable[..., object], *found: Evening) -> Evening:
        """Have it at a hub that is started for it, and stopped behind it."""
        self.hub.start()
        try:
            evening = await work(self.hub.url, self.hub.url, *found)  # type: ignore[misc]
            assert await asyncio.to_thread(self.hub.stop) == 0
        finally:
            self.hub.kill()
        assert isinstance(evening, Evening)
        return evening


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    with running_redis(tmp_path_factory) as process:
        yield process


async def test_all_goes_on_in_a_redis_and_then_in_a_folder_again(redis: RedisProcess, tmp_path: Path) -> None:
    """From the embedded store to Redis, under a prefix of its own, and back."""
    places = [
        Place(tmp_path, "--data", tmp_path / "old"),
        Place(tmp_path, "--redis", redis.url, "--prefix", "moved"),
        Place(tmp_path, "--data", tmp_path / "new"),
    ]
    evening = await places[0].evening(play)
    for number, (source, target) in enumerate(pairwise(places)):
        file = tmp_path / f"backup-{number}"
        players = 2 + number
        told = await asyncio.to_thread(admin, *source.store, "export", file)
        assert told == f"6 matches and {players} players are in {file}\n"
        assert file.stat().st_mode & 0o777 == 0o600
        told = await asyncio.to_thread(admin, *target.store, "import", file)
        assert told == f"6 matches and {players} players are in the store\n"
        evening = await target.evening(goes_on, evening)
    with sync_redis.Redis(unix_socket_path=str(redis.socket)) as look:
        assert all(key.startswith(b"moved:") for key in look.scan_iter())
        lives = {key: look.ttl(key) for key in look.scan_iter("moved:token:*")}
        assert all(lives.values())
    assert not [name for name in os.listdir(tmp_path) if "partial" in name]


# What is refused ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def backup(redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One of an evening, still in `redis` under the prefix `parlour`."""
    folder = tmp_path_factory.mktemp("evening")
    asyncio.run(Place(folder, "--redis", redis.url).evening(play))
    admin("--redis", redis.url, "export", folder / "backup")
    return folder / "backup"


def test_nothing_is_overwritten_and_no_hub_surprised(backup: Path, redis: RedisProcess, tmp_path: Path) -> None:
    """A store in which anything is, on which a hub runs, or whose clock is behind."""
    assert "is not empty" in admin("--redis", redis.url, "import", backup, status=1)
    hub = HubProcess(tmp_path, "--redis", redis.url, "--prefix", "busy")
    hub.start()
    try:
        assert "A hub runs on this store" in admin("--redis", redis.url, "--prefix", "busy", "import", backup, status=1)
        assert hub.stop() == 0
    finally:
        hub.kill()
    assert "6 matches" in admin("--redis", redis.url, "--prefix", "busy", "import", backup)
    *lines, end = backup.read_bytes().splitlines(keepends=True)
    lines[0] = lines[0].replace(b'"at_ms":1', b'"at_ms":2')
    whole = hashlib.sha256(b"".join(lines)).hexdigest()
    (tmp_path / "ahead").write_bytes(b"".join(lines) + json.dumps({**json.loads(end), "sha256": whole}).encode())
    told = admin("--redis", redis.url, "--prefix", "late", "import", tmp_path / "ahead", status=1)
    assert "behind the time of the backup" in told


def test_no_hub_starts_on_half_an_import_or_on_what_a_newer_release_wrote(redis: RedisProcess, tmp_path: Path) -> None:
    """Neither does an operator read in it; both are told in one sentence."""
    with sync_redis.Redis(unix_socket_path=str(redis.socket)) as look:
        look.set("half:importing", "1")
        look.set("newer:form", "2")
    told = admin("--redis", redis.url, "--prefix", "half", "matches", status=1)
    assert "An import into this store has not ended" in told
    hub = HubProcess(tmp_path, "--redis", redis.url, "--prefix", "newer")
    with pytest.raises(AssertionError, match="parlour-server"):
        hub.start()
    says = "written by a newer release of Parlour (form 2; this one reads 1)"
    assert says in hub.log.read_text()
    assert "Traceback" not in hub.log.read_text()
    assert says in admin("--redis", redis.url, "--prefix", "newer", "export", tmp_path / "backup", status=1)
    assert not (tmp_path / "backup").exists()
