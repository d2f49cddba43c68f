"""What an operator sees at /metrics, and that what lies in deploy/ asks for nothing that is not there."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from protocol.messages import Accepted, Move, Watch
from tests.driver import ROOT, WAIT_S, Client, HubProcess, wait_for
from tests.stand import hub_over_redis
from tests.whole_match import play_out

DEPLOY = ROOT / "deploy"
ALERTS = DEPLOY / "prometheus" / "alerts.yml"
FULL = os.environ.get("PARLOUR_FAULTS") == "full"
_NAME = re.compile(r"\b(?:parlour|process)_[a-z_]+")
_LABELS = re.compile(r"\{[^}]*\}")


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with hub_over_redis(tmp_path_factory) as hub:
        yield hub


def figures(hub: HubProcess) -> dict[str, float]:
    """Each figure by its name with labels."""
    lines = [line for line in hub.get("/metrics")[1].splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def queries() -> list[str]:
    """All that the dashboard and the alerts ask for."""
    board = json.loads((DEPLOY / "grafana" / "parlour.json").read_text())
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    return asked + re.findall(r"^\s+expr: (.+)$", ALERTS.read_text(), re.MULTILINE)


async def test_players_matches_and_what_became_of_commands(hub: HubProcess) -> None:
    ana, bo, eve = [await Client.open(hub.url, name) for name in ("Ana", "Bo", "Eve")]
    match = (await ana.create("square")).match
    shown = await bo.join(match)
    await eve.ask(Watch(ref="w", match=match), Accepted)
    before = figures(hub)
    assert before["parlour_ready"] == 1
    assert before["parlour_draining"] == 0
    assert before["parlour_players"] == 3
    assert (before["parlour_seated"], before["parlour_watchers"]) == (2, 1)
    assert before['parlour_matches{game="square",status="playing"}'] == 1
    assert before['parlour_durability{level="always"}'] == 1
    move = shown.legal[0] if shown.legal else "a1"
    author = ana if shown.to_move == 0 else bo
    await author.move(match, shown.version, move)
    assert await eve.refusal(Move(ref=eve.ref(), match=match, version=1, move=move)) == "not_seated"
    after = figures(hub)
    moved = 'parlour_commands_total{outcome="done",type="Move"}'
    assert after[moved] - before.get(moved, 0) == 1
    refused = 'parlour_refusals_total{code="not_seated"}'
    assert after[refused] - before.get(refused, 0) == 1
    for name in ("parlour_stored_seconds_count", "parlour_told_seconds_count"):
        assert after[name] - before[name] >= 1, name
    assert after["parlour_store_trip_seconds_count"] > before["parlour_store_trip_seconds_count"]
    for client in (ana, bo, eve):
        await client.close()


def test_dashboard_and_alerts_ask_for_figures_that_are_there(hub: HubProcess) -> None:
    """Those that a label brings into being only once something has happened are known by their help line."""
    known = set(re.findall(r"^# TYPE (\S+) ", hub.get("/metrics")[1], re.MULTILINE))
    asked = {name for query in queries() for name in _NAME.findall(_LABELS.sub("", query))}
    stems = {re.sub(r"_(bucket|sum|count)$", "", name) for name in asked}
    assert stems <= known, stems - known
    assert len(queries()) > 30


def test_every_alert_says_what_to_do() -> None:
    text = ALERTS.read_text()
    alerts = text.count("- alert: ")
    assert alerts == text.count("runbook: ") == text.count("summary: ") == text.count("severity: ")
    assert alerts > 10


@pytest.mark.skipif(not shutil.which("promtool"), reason="no promtool here; apt has it with prometheus")
def test_promtool_has_nothing_to_say_against_them() -> None:
    for words in (
        ["check", "rules", str(ALERTS)],
        ["check", "config", str(ALERTS.with_name("prometheus.yml"))],
        ["test", "rules", str(ALERTS.with_name("alerts_test.yml"))],
    ):
        done = subprocess.run(["promtool", *words], capture_output=True, text=True, timeout=WAIT_S, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


class Prometheus:
    """A real one, with what lies in deploy/, which scrapes a hub each second."""

    def __init__(self, folder: Path, hub: HubProcess) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        config = ALERTS.with_name("prometheus.yml").read_text()
        config = config.replace("127.0.0.1:7878", f"127.0.0.1:{hub.port}").replace("15s", "1s")
        (folder / "prometheus.yml").write_text(config)
        shutil.copy(ALERTS, folder)
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
                 f"--web.listen-address=127.0.0.1:{self.port}"],
                stdout=log, stderr=log,
            )  # fmt: skip

    def answer(self, query: str) -> list[Any]:
        """What it has to say to a query, which it must understand."""
        words = urllib.parse.urlencode({"query": query.replace("$hub", ".*")})
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/query?{words}", timeout=WAIT_S) as told:
            found = json.loads(told.read())
        assert found["status"] == "success", query
        result: list[Any] = found["data"]["result"]
        return result

    def has_looked(self, times: int) -> bool:
        """Whether it has scraped the hub so often."""
        try:
            return len(self.answer("parlour_ready[1h]")[0]["values"]) >= times
        except (OSError, IndexError):
            return False


@pytest.fixture
def prometheus(hub: HubProcess, tmp_path: Path) -> Iterator[Prometheus]:
    started = Prometheus(tmp_path, hub)
    try:
        yield started
    finally:
        started.process.kill()
        started.process.wait(WAIT_S)


async def play_a_match(hub: HubProcess) -> None:
    """One of 112 moves, as fast as they are answered."""
    players = [await Client.open(hub.url, name) for name in ("Dora", "Emil")]
    await play_out(players, dots=8)
    for player in players:
        await player.close()


@pytest.mark.faults
@pytest.mark.skipif(not FULL, reason="starts a Prometheus; make faults has it")
@pytest.mark.skipif(not shutil.which("prometheus"), reason="no prometheus here")
async def test_a_real_prometheus_answers_every_query(hub: HubProcess, prometheus: Prometheus) -> None:
    """It scrapes a hub that is played at; what must have an answer then has one."""
    client = await Client.open(hub.url, "Ana")
    for _ in range(20):
        await client.create("square")
    scraped = asyncio.create_task(asyncio.to_thread(wait_for, lambda: prometheus.has_looked(4)))
    while not scraped.done():
        await play_a_match(hub)
    await scraped
    empty = [query for query in queries() if not prometheus.answer(query)]
    # An alert has none as long as all is well, and neither has what nobody did.
    told = [query for query in empty if not re.search(r"[<>=]=? |parlour_(refusals|lagging|commands)_total", query)]
    assert told == []
    assert len(empty) < len(queries()) / 2
    await client.close()
