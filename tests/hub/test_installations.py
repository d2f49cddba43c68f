"""Two installations on one Redis, side by side: in two databases, or under two prefixes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator

import pytest
import redis as sync_redis

from protocol.errors import Code
from protocol.messages import Accepted, GoingAway, Join, LobbyState, WatchLobby
from tests.driver import ROOT, WAIT_S, Client, HubProcess, RedisProcess
from tests.hub.conftest import Open


@pytest.fixture(scope="module")
def hubs(redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[HubProcess]]:
    """One in database 0 as hubs of all releases are, one in database 1, one beside the first under another prefix."""
    places = [(redis.url, "parlour"), (f"{redis.url}?db=1", "parlour"), (redis.url, "club")]
    made = [
        HubProcess(tmp_path_factory.mktemp("hub"), "--redis", url, "--prefix", prefix) for url, prefix in places
    ]  # fmt: skip
    for hub in made:
        hub.start()
    yield made
    assert [hub.stop() for hub in made] == [0, 0, 0]


async def lobby(client: Client) -> LobbyState:
    await client.ask(WatchLobby(ref=client.ref()), Accepted)
    return await client.expect(LobbyState)


def announce(url: str, prefix: str, sentence: str) -> str:
    words = [sys.executable, "-m", "server", "admin", "--redis", url, "--prefix", prefix, "announce", sentence]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=WAIT_S, check=True).stdout


async def test_each_lists_its_own_matches_and_no_other(
    hubs: list[HubProcess], open_client: Open, redis: RedisProcess
) -> None:
    """Before, what one told of its lobby was heard by the other, whose own numbers then did not fit any more."""
    watchers = [await open_client(f"Watcher {place}", url=hub.url) for place, hub in enumerate(hubs)]
    for watcher in watchers:
        assert (await lobby(watcher)).matches == ()
    for _ in range(2):
        hosts = [await open_client(f"Host {place}", url=hub.url) for place, hub in enumerate(hubs)]
        matches = [(await host.create("square")).match for host in hosts]
        for place, hub in enumerate(hubs):
            # Watched again it is told whole: what a hub has taken for its lobby.
            fresh = await open_client(f"Fresh {place}", url=hub.url)
            seen = {row.match for row in (await lobby(fresh)).matches}
            assert matches[place] in seen
            assert not seen & {match for other, match in enumerate(matches) if other != place}
            foreign = matches[(place + 1) % len(hubs)]
            assert await fresh.refusal(Join(ref=fresh.ref(), match=foreign)) == Code.UNKNOWN_MATCH
    for place, watcher in enumerate(watchers):
        hosts_here = [name for name in (await lobby(watcher)).people if name.startswith("Host")]
        assert all(name.startswith(f"Host {place}") for name in hosts_here)
    for database, prefixes in ((0, ("parlour:", "club:")), (1, ("parlour:",))):
        store = sync_redis.Redis(unix_socket_path=str(redis.socket), db=database)
        assert all(key.decode().startswith(prefixes) for key in store.scan_iter())
        store.close()


async def test_each_hears_its_own_announcements(hubs: list[HubProcess], open_client: Open, redis: RedisProcess) -> None:
    listeners = [await open_client(f"Listener {place}", url=hub.url) for place, hub in enumerate(hubs)]
    said = await asyncio.to_thread(announce, f"{redis.url}?db=1", "parlour", "For the second.")
    assert said == "passed on by 1 hub\n"
    with sync_redis.Redis(unix_socket_path=str(redis.socket)) as store:
        # What others were told has come by when the last word is there, which everybody is told.
        for channel in ("parlour:announcements", "parlour@1:announcements", "club:announcements"):
            assert store.publish(channel, "The end.") == 1
    for place, listener in enumerate(listeners):
        await listener.expect(GoingAway, lambda said: said.text == "The end.")
        heard = [message.text for message in listener.received if isinstance(message, GoingAway)]
        assert heard == (["For the second.", "The end."] if place == 1 else ["The end."])
