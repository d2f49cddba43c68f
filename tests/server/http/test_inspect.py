"""`--inspect`: what a hub has in hand, for its own machine alone, and nothing secret."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from protocol.messages import Accepted, Create
from tests.driver import Client, HubProcess, RedisProcess
from tests.hostile.tools import House


@pytest.fixture
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A hub that may be looked into."""
    redis = RedisProcess(tmp_path_factory.mktemp("redis"))
    redis.start()
    made = HubProcess(tmp_path_factory.mktemp("hub"), "--redis", redis.url, "--inspect")
    try:
        made.start()
        yield made
        assert made.stop() == 0
    finally:
        made.kill()
        redis.stop()


async def test_it_shows_tasks_rooms_and_outboxes_and_no_secret(hub: HubProcess) -> None:
    client = await Client.open(hub.url, "Ana")
    created = await client.ask(Create(ref="c", game="square", private=True), Accepted)
    status, text = hub.get("/debug")
    shown = json.loads(text)
    assert status == 200
    assert [(row["match"], row["game"], row["status"], row["followers"]) for row in shown["rooms"]] == [
        (created.match, "square", "waiting", 1)
    ]
    assert [(row["player"], row["lagging"]) for row in shown["connections"]] == [(client.player, False)]
    assert (shown["room_count"], shown["connection_count"]) == (1, 1)
    assert any("connection.py:" in row["at"] for row in shown["tasks"])
    assert created.key
    assert not any(secret in text for secret in (client.token or "?", created.key))
    await client.close()


@pytest.mark.parametrize("name", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
async def test_it_is_for_nobody_behind_a_proxy(hub: HubProcess, name: str) -> None:
    async with httpx.AsyncClient(trust_env=False) as link:
        answer = await link.get(f"http://127.0.0.1:{hub.port}/debug", headers={name: "127.0.0.1"})
    assert answer.status_code == 404


def test_without_the_option_it_is_not_there(house: House) -> None:
    assert house.hub.get("/debug")[0] == 404
