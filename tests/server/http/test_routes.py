"""Health, readiness and figures, as an operator's machinery asks for them."""

from __future__ import annotations

import json
import signal

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from server.app import KEEP_ALIVE_S
from tests.driver import Client, wait_for
from tests.hostile.tools import House


def test_alive(house: House) -> None:
    status, body = house.hub.get("/health")
    assert status == 200
    assert json.loads(body)["status"] == "alive"


def test_ready(house: House) -> None:
    status, body = house.hub.get("/ready")
    assert (status, json.loads(body)) == (200, {"status": "ready"})


def test_a_page_says_what_this_is(house: House) -> None:
    status, body = house.hub.get("/")
    assert status == 200
    assert "Parlour" in body


def test_figures_can_be_read(house: House) -> None:
    status, body = house.hub.get("/metrics")
    assert status == 200
    families = {family.name for family in text_string_to_metric_families(body)}
    assert {"parlour_connections", "parlour_rooms", "parlour_lagging", "parlour_command_seconds"} <= families


async def test_figures_count(house: House) -> None:
    before = house.figure("parlour_connections")
    client = await Client.open(house.url)
    assert house.figure("parlour_connections") == before + 1
    assert house.figure('parlour_commands_total{outcome="done",type="Hello"}') >= 1
    await client.close()
    wait_for(lambda: house.figure("parlour_connections") == before)


def test_nothing_else_is_there(house: House) -> None:
    for path in ("/nowhere", "/health/more", "/../etc/passwd", "/%00", "/static/..%2f..%2fetc/passwd"):
        assert house.hub.get(path)[0] == 404, path


@pytest.mark.parametrize(("path", "way"), [("/lobby", "./"), ("/a/b/c", "../../")])
def test_who_mistypes_an_address_finds_the_games(house: House, path: str, way: str) -> None:
    """CK R11.1: a person's browser is shown a page whose one link leads to where the hub's own page is."""
    answer = httpx.get(f"http://127.0.0.1:{house.hub.port}{path}", headers={"accept": "text/html,*/*;q=0.8"})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert f'<a href="{way}">' in answer.text
    assert answer.url.join(way).path == "/"
    program = httpx.get(f"http://127.0.0.1:{house.hub.port}{path}")
    assert (program.status_code, program.text) == (404, "Not Found\n")


def test_a_connection_is_kept_longer_than_proxies_keep_it() -> None:
    """Whoever closes first must not be the hub: a request that is on its way then is a 502. In seconds, by default."""
    assert max({"nginx": 60, "Amazon's": 60, "Caddy": 120}.values()) < KEEP_ALIVE_S


def test_not_ready_while_redis_is_silent(house: House) -> None:
    """J5, J16: a stopped Redis is noticed, /health stays well, and the hub is ready again by itself."""
    house.redis.signal(signal.SIGSTOP)
    try:
        wait_for(lambda: house.hub.get("/ready")[0] == 503)
        assert json.loads(house.hub.get("/ready")[1])["reason"]
        assert house.hub.get("/health")[0] == 200
        assert house.hub.get("/metrics")[0] == 200
    finally:
        house.redis.signal(signal.SIGCONT)
    wait_for(lambda: house.hub.get("/ready")[0] == 200)
