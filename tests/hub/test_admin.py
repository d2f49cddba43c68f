"""What an operator does with `parlour-server admin`, as a process of its own, beside two real hubs."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import unicodedata

import pytest

from protocol.messages import Abandon, Accepted, Ended, GoingAway, Watch
from tests import fork_server
from tests.driver import ROOT, WAIT_S, HubProcess, RedisProcess
from tests.hub.conftest import Open
from tests.nasty import SCRIPTS


class Operator:
    """Somebody at a shell."""

    def __init__(self, redis: RedisProcess) -> None:
        self._redis = redis

    def run(self, *words: str, status: int = 0, **settings: str) -> str:
        """The output of a subcommand (that on standard error when it fails)."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PARLOUR_")} | settings
        done = fork_server.run(["admin", "--redis", self._redis.url, *words], environment, WAIT_S)
        assert done.returncode == status, done.stderr
        return done.stderr if status else done.stdout


@pytest.fixture
def operator(redis: RedisProcess) -> Operator:
    return Operator(redis)


async def test_matches_and_players_are_listed(hubs: list[HubProcess], open_client: Open, operator: Operator) -> None:
    ana, bo = await open_client("Ana the first"), await open_client("Bo the second", url=hubs[1].url)
    match = (await ana.create("square")).match
    await bo.join(match)
    waiting = (await ana.create("hexoust", private=True)).match
    spectator = await open_client("Spectator", url=hubs[1].url)
    await spectator.ask(Watch(ref="w", match=match), Accepted)
    lines = {line.split()[0]: line for line in operator.run("matches").splitlines()}
    assert "Ana the first - Bo the second" in lines[match]
    assert "playing" in lines[match]
    assert "(private)" in lines[waiting]
    await asyncio.sleep(2.5)
    players = operator.run("players")
    assert "Ana the first" in players
    assert "Bo the second" in players
    assert "3 connected" in players
    assert (ana.token or "?") not in players + operator.run("log", match) + operator.run("export")
    assert operator.run("matches").split(match)[1].split()[3] == "1", "one spectator"


async def test_the_log_of_a_match(open_client: Open, operator: Operator) -> None:
    ana, bo = await open_client("Ana"), await open_client("Bo")
    match = (await ana.create("square")).match
    snapshot = await bo.join(match)
    await ana.move(match, snapshot.version, snapshot.legal[0])
    lines = operator.run("log", match).splitlines()
    versions, events = zip(*((int(line.split()[0]), json.loads(line.split(None, 2)[2])) for line in lines), strict=True)
    assert versions == (1, 2, 3)
    assert [event["event"] for event in events] == ["created", "joined", "moved"]
    assert "no such match" in operator.run("log", "nowhere", status=1)


async def test_names_of_all_scripts_are_printed(open_client: Open, operator: Operator) -> None:
    """Q19: also where the terminal knows ASCII alone."""
    names = [name for name in SCRIPTS if len(name) <= 20 and name.replace(" ", "").isalpha()]
    matches = {name: (await (await open_client(name)).create("square")).match for name in names}
    listed = operator.run("matches")
    for name, match in matches.items():
        assert unicodedata.normalize("NFKC", name) in next(line for line in listed.splitlines() if match in line)
    assert "\\u65e5" in operator.run("matches", PYTHONIOENCODING="ascii")


async def test_a_match_is_ended_and_told(hubs: list[HubProcess], open_client: Open, operator: Operator) -> None:
    ana, bo = await open_client("Ana"), await open_client("Bo", url=hubs[1].url)
    match = (await ana.create("square")).match
    await bo.join(match)
    operator.run("end", match)
    for client in (ana, bo):
        ended = await client.expect(Ended)
        assert (ended.result.winner, ended.result.reason) == (None, "stopped")
    assert match not in operator.run("matches")
    assert "over" in operator.run("end", match, status=1)
    assert "no such match" in operator.run("end", "nowhere", status=1)
    assert await bo.refusal(Abandon(ref="a", match=match)) == "finished"


async def test_everybody_is_told(hubs: list[HubProcess], open_client: Open, operator: Operator) -> None:
    clients = [await open_client("Ana"), await open_client("Bo", url=hubs[1].url)]
    assert operator.run("announce", "We", "restart\x1b[2J at noon.") == "passed on by 2 hubs\n"
    for client in clients:
        assert (await client.expect(GoingAway)).text == "We restart[2J at noon."


async def test_finished_matches_are_exported(open_client: Open, operator: Operator) -> None:
    ana, bo = await open_client("Ana é"), await open_client("Bo")
    match = (await ana.create("square")).match
    snapshot = await bo.join(match)
    await ana.move(match, snapshot.version, snapshot.legal[0])
    unfinished = (await ana.create("square")).match
    await bo.ask(Abandon(ref="a", match=match), Accepted)
    exported = {line["match"]: line for line in map(json.loads, operator.run("export").splitlines())}
    assert unfinished not in exported
    row = exported[match]
    assert row["names"] == ["Ana é", "Bo"]
    assert row["moves"] == [snapshot.legal[0]]
    assert row["result"]["winner"] == 0
    assert row["result"]["reason"] == "forfeit"
    assert row["created_ms"] < row["ended_ms"]


def test_what_cannot_be_reached_is_said(tmp_path: object) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "server", "admin", "--redis", f"unix://{tmp_path}/none.sock", "matches"],
        cwd=ROOT, capture_output=True, text=True, timeout=WAIT_S, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "cannot be reached" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_subcommand_help_is_given(operator: Operator) -> None:
    assert "COMMAND" in operator.run(status=2)
    assert "announce" in operator.run("--help")
