"""Analyses and hints by HTTP: bounded for each player and for all, within a budget, and of nothing that is played."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from random import Random

import httpx
import psutil
import pytest

from server.bots.engine_room import BUSY, MODULE, WORKERS
from server.games import load_catalogue
from tests.driver import HubProcess, RedisProcess
from tests.faults.trial.stage import eventually
from tests.server.http.api.player import HttpPlayer, Plain, two, web
from tests.stand import running_hub

QUICK: Plain = {"game": "square", "ply": 0}
SQUARE = ["a1-a2", "b1-b2"]
ANSWERED, REFUSED = 200, 503


def workers(hub: HubProcess) -> list[psutil.Process]:
    """The processes in which this hub's computer thinks."""
    return [one for one in psutil.Process(hub.pid).children() if MODULE in one.cmdline()]


def played(name: str, plies: int) -> list[str]:
    """So many moves of a game by lot, or all of them."""
    game, rng, moves = load_catalogue()[name], Random(5), list[str]()
    state = game.new(game.parse_options({}))
    while len(moves) < plies and game.outcome(state) is None:
        moves.append(rng.choice(game.legal_moves(state)))
        state = game.play(state, moves[-1])
    return moves


@pytest.fixture(scope="module")
def frugal(redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A hub that spends next to nothing on an analysis, and else has the limits that people meet."""
    with running_hub(tmp_path_factory, redis, "--limit", "analysis=0.001", "--limit", "pace=1") as hub:
        yield hub


async def test_many_that_wait_are_refused_with_a_reason_and_the_others_are_answered(
    hub: HubProcess, link: httpx.AsyncClient
) -> None:
    """Under load a question is refused as `busy`, with a time to try again; those before it are answered."""
    people = [await HttpPlayer.come(link, f"Ana {number}") for number in range(2 * (BUSY + 1) * WORKERS)]
    await asyncio.gather(*(one.post("/analyses", QUICK, ANSWERED) for one in people[:WORKERS]))
    held = workers(hub)
    assert held
    for worker in held:
        worker.suspend()
    asked = [asyncio.create_task(link.post("/analyses", json=QUICK, headers=one.auth)) for one in people]
    await eventually(lambda: any(task.done() for task in asked))
    for worker in held:
        with contextlib.suppress(psutil.NoSuchProcess):  # on a slow machine it was taken for hung, and replaced
            worker.resume()
    answers = await asyncio.gather(*asked)
    assert {answer.status_code for answer in answers} == {ANSWERED, REFUSED}
    for answer in answers:
        if answer.status_code == REFUSED:
            assert (answer.json()["code"], answer.headers["retry-after"]) == ("busy", "1")
            assert answer.json()["detail"]


async def test_one_at_a_time_for_a_player_and_the_next_one_afterwards(hub: HubProcess, link: httpx.AsyncClient) -> None:
    ana = await HttpPlayer.come(link, "Ana")
    bob = await HttpPlayer.come(link, "Bob")
    await ana.post("/analyses", QUICK, ANSWERED)
    held = workers(hub)
    for worker in held:
        worker.suspend()
    asked = [asyncio.create_task(link.post("/analyses", json=QUICK, headers=ana.auth)) for _ in range(3)]
    other = asyncio.create_task(bob.post("/analyses", QUICK, ANSWERED))
    await eventually(lambda: sum(task.done() for task in asked) == 2)
    assert {task.result().json()["code"] for task in asked if task.done()} == {"one_analysis"}
    assert {task.result().status_code for task in asked if task.done()} == {409}
    for worker in held:
        with contextlib.suppress(psutil.NoSuchProcess):
            worker.resume()
    assert sorted(answer.status_code for answer in await asyncio.gather(*asked)) == [ANSWERED, 409, 409]
    await other
    await ana.post("/analyses", QUICK, ANSWERED)


async def test_the_budget_is_the_operators(link: httpx.AsyncClient, frugal: HubProcess) -> None:
    """`analysis` of the hub's limits: what the usual budget solves, a thousandth of it guesses."""
    question: Plain = {"game": "ultimate-dots-and-boxes", "moves": played("ultimate-dots-and-boxes", 144), "ply": 144}
    ana = await HttpPlayer.come(link, "Ana")
    assert (await ana.post("/analyses", question, ANSWERED))["exact"]
    async with web(frugal) as little:
        assert not (await (await HttpPlayer.come(little, "Ana")).post("/analyses", question, ANSWERED))["exact"]


async def test_a_long_game_is_gone_over_without_a_pause(frugal: HubProcess) -> None:
    """Whoever asks one position after the other is held up by the thinking alone, however quick that is."""
    moves = played("ultimate-dots-and-boxes", 1_000)
    assert len(moves) > 150
    async with web(frugal) as link:
        ana = await HttpPlayer.come(link, "Ana")
        asked = {"ref": ana.ref(), "game": "ultimate-dots-and-boxes", "moves": moves, "review": True}
        match = (await ana.post("/matches", {**asked, "names": ["Cem", "Dan"]}, 201))["match"]
        for ply in range(len(moves) + 1):
            judged = await ana.post("/analyses", {"match": match, "ply": ply}, ANSWERED)
            assert judged["ply"] == ply


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({"game": "chess", "ply": 0}, 422, "unknown_game"),
        ({"game": "relay", "ply": 0}, 422, "no_computer"),
        ({"game": "square", "moves": SQUARE, "ply": 3}, 404, "no_such_ply"),
        ({"game": "square", "moves": ["a1-c3"], "ply": 1}, 422, "does_not_replay"),
        ({"game": "checkers", "options": {"captures": "sometimes"}, "ply": 0}, 422, "bad_option"),
        ({"match": "nowhere", "ply": 0}, 404, "unknown_match"),
        ({"game": "square", "moves": [17], "ply": 0}, 422, "bad_field"),
        ({"game": "square", "ply": -1}, 422, "bad_field"),
    ],
)
async def test_what_makes_no_sense_is_refused_and_costs_no_turn(
    link: httpx.AsyncClient, asked: Plain, status: int, code: str
) -> None:
    ana = await HttpPlayer.come(link, "Ana")
    assert (await ana.post("/analyses", asked, status))["code"] == code
    await ana.post("/analyses", QUICK, ANSWERED)


async def test_nobody_is_helped_in_a_match_that_goes_on(link: httpx.AsyncClient) -> None:
    """Not its players by its id, nor as a saved game, nor by a hint in another one; nor who is asked by them."""
    ana, bob, joined = await two(link, game="square")
    match = joined["match"]
    version = (await ana.move(match, joined["version"], SQUARE[0]))["version"]
    eve = await HttpPlayer.come(link, "Eve")
    for player in (ana, bob, eve):
        assert (await player.post("/analyses", {"match": match, "ply": 1}, 409))["code"] == "still_played"
    for player in (ana, bob):
        saved = {"game": "square", "moves": SQUARE, "ply": 1}
        assert (await player.post("/analyses", saved, 409))["code"] == "still_played"
        own = await player.create("square", computer=True)
        hint = {"version": own["version"]}
        assert (await player.post(f"/matches/{own['match']}/hints", hint, 409))["code"] == "still_played"
        assert (await player.post(f"/matches/{match}/hints", {"version": version}, 409))["code"] == "no_hints"
    await bob.update(match, "abandon")
    for player in (ana, bob, eve):
        assert (await player.post("/analyses", {"match": match, "ply": 1}, ANSWERED))["exact"]


async def test_a_hint_asked_for_again_is_answered_whatever_happened_since(link: httpx.AsyncClient) -> None:
    """`Q3`, `Q5`: whoever did not hear the answer asks again, and is told the same; also when one's move came first."""
    ana = await HttpPlayer.come(link, "Ana")
    made = await ana.create("square", computer=True)
    match, legal = made["match"], made["state"]["legal"]
    hint = {"ref": ana.ref(), "version": made["version"]}
    told = await ana.post(f"/matches/{match}/hints", hint, ANSWERED)
    assert told["move"] in legal
    await ana.move(match, told["version"], told["move"])
    again = await ana.post(f"/matches/{match}/hints", hint, ANSWERED)
    assert (again["move"], again["version"], again["ply"]) == (told["move"], told["version"], 0)
    assert (await ana.state(match))["hints"] == [1, 0]


async def test_the_ref_of_another_command_gives_no_hint(link: httpx.AsyncClient) -> None:
    """It is refused for what it is, and not with 500, as a ref that was used before once was."""
    ana = await HttpPlayer.come(link, "Ana")
    made = await ana.create("square", computer=True)
    ref = ana.ref()
    await ana.move(made["match"], made["version"], made["state"]["legal"][0], ref=ref)
    for used in (ref, None):
        refused = await ana.post(f"/matches/{made['match']}/hints", {"ref": used or ana.ref(), "version": 0}, 409)
        assert refused["code"] == "stale"
    waiting = await ana.create("square")
    refused = await ana.post(f"/matches/{waiting['match']}/hints", {"ref": ref, "version": 1}, 409)
    assert refused["code"] == "waiting"
