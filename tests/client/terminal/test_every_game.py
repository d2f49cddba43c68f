"""Each game from its first move to its end between two terminal clients, watched by a third, through the real hub."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from client.conversation.address import parse_address
from client.kept.identity import take_identity
from client.start.launch import Launch
from client.terminal.app import Parlour
from client.terminal.parts.cards import Cards
from client.terminal.parts.end_card import EndCard
from protocol.messages import ClockRule, Command, Create, Join, Watch
from tests.driver import HubProcess, RedisProcess
from tests.stand import running_hub, running_redis

SHORT: dict[str, dict[str, Any]] = {
    "dots-and-boxes": {"width": 4, "height": 4},
    "square": {},
    "checkers": {"draw_after": 20},
    "hexoust": {"side": 4},
    "ultimate-dots-and-boxes": {},
}
BOUND_S = 60.0


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    """A real Redis."""
    with running_redis(tmp_path_factory) as redis:
        yield redis


@pytest.fixture(scope="module")
def hub(redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A real hub over it."""
    with running_hub(tmp_path_factory, redis) as hub:
        yield hub


async def until(condition: Any) -> None:
    async with asyncio.timeout(BOUND_S):
        while not condition():  # noqa: ASYNC110 - what three applications show has no event to wait for
            await asyncio.sleep(0.005)


def match_of(app: Parlour) -> Any:
    return app.model.match


def send(app: Parlour, kind: type[Command], **fields: Any) -> None:
    """What the lobby's keys send, without the way through its form."""
    assert app._session is not None
    app._send(kind(ref=app._session.ref(), **fields))


async def play(players: tuple[Parlour, Parlour], rng: random.Random) -> None:
    """Random legal moves, each by the client whose turn it is, until the end."""
    first = players[0]
    while match_of(first).result is None:
        at = match_of(first)
        if at.to_move is not None:
            mover = players[at.to_move]
            await until(lambda seen=at, mover=mover: match_of(mover).version >= seen.version)
            if match_of(mover).to_move == at.to_move and match_of(mover).result is None:
                mover.play(rng.choice(sorted(match_of(mover).legal)))
        await until(lambda seen=at: match_of(first).version > seen.version or match_of(first).result is not None)


@pytest.mark.faults
@pytest.mark.parametrize("game", SHORT if os.environ.get("PARLOUR_FAULTS") == "full" else ["square"])
async def test_a_whole_game_between_two_terminals_and_a_third(hub: HubProcess, tmp_path: Path, game: str) -> None:
    """UD RF1 to RF6, DB 7.3.1.3, SQ8, HX SR5: all three show the same position at the end, and how it ended."""
    address = parse_address(f"127.0.0.1:{hub.port}")
    async with AsyncExitStack() as stack:
        apps: list[Parlour] = []
        for name in ("Ana", "Bob", "Cid"):
            identity = stack.enter_context(take_identity(folder=tmp_path / name))
            who = f"{name} {game[:6]}"
            app = Parlour(Launch(prepare=lambda: address, identity=identity, name=who, connects_at_once=True))
            await stack.enter_async_context(app.run_test(size=(100, 40)))
            await until(lambda app=app: app.model.lobby is not None)
            apps.append(app)
        ana, bob, cid = apps
        send(ana, Create, game=game, options=SHORT[game])
        await until(lambda: match_of(ana) is not None)
        match = match_of(ana).match
        send(bob, Join, match=match)
        send(cid, Watch, match=match)
        await until(lambda: all(match_of(app) is not None and match_of(app).status == "playing" for app in apps))
        await play((ana, bob), random.Random(game))
        await until(lambda: all(match_of(app).result is not None for app in apps))
        assert match_of(ana).marks == match_of(bob).marks == match_of(cid).marks
        assert match_of(ana).result == match_of(bob).result == match_of(cid).result
        for app in apps:
            app.leave_program()


@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
async def test_a_game_is_learnt_from_its_card(hub: HubProcess, tmp_path: Path, size: tuple[int, int]) -> None:
    """Two keys lead to a task; all of what is to be done can be read, and what came of it; what was done is kept."""
    address = parse_address(f"127.0.0.1:{hub.port}")
    identity, learned = take_identity(folder=tmp_path / "Dot"), tmp_path / "learned.json"
    with identity:
        app = Parlour(Launch(prepare=lambda: address, identity=identity, name=f"Dot {size[0]}", learned=learned))
        async with app.run_test(size=size) as pilot:
            await until(lambda: any(cards.cards for cards in app.screen.query(Cards)))
            await pilot.press("2", "l")
            await until(lambda: match_of(app) is not None and app.screen.query(EndCard))
            await pilot.pause()
            task = match_of(app)
            assert read(app) == task.text
            app.play("a3-b3")
            await until(lambda: match_of(app).result is not None)
            await pilot.pause()
            assert read(app) == f"Not yet. {match_of(app).result.text}"
            await pilot.press("r")
            await until(lambda: match_of(app).match != task.match and match_of(app).result is None)
            app.play("b1-b2")
            await until(lambda: match_of(app).result is not None)
            await pilot.pause()
            assert read(app) == f"Done! {match_of(app).result.text}"
            await pilot.press("m")
            await until(lambda: match_of(app) is not None and match_of(app).lesson == 2)
            app.leave_program()
    assert json.loads(learned.read_text()) == {"dots-and-boxes": [1]}


def read(app: Parlour) -> str:
    """What the card beside the board, or below it, says."""
    shown = [card for card in app.screen.query(EndCard) if card.size.height and card.region]
    assert shown
    return " ".join(str(shown[0].render()).split())


async def test_clocks_stand_while_the_store_is_silent(hub: HubProcess, redis: RedisProcess, tmp_path: Path) -> None:
    """D5: a real Redis that is stopped: the line above the board says so, and the clocks stand until it is back."""
    address = parse_address(f"127.0.0.1:{hub.port}")
    with take_identity(folder=tmp_path / "Dan") as identity:
        app = Parlour(Launch(prepare=lambda: address, identity=identity, name="Dan", connects_at_once=True))
        async with app.run_test(size=(60, 20)) as pilot:
            await until(lambda: app.model.lobby is not None)
            send(app, Create, game="square", both_seats=True, clock=ClockRule(total_ms=600_000))
            await until(lambda: match_of(app) is not None)
            for plies in (1, 2):
                app.play(min(match_of(app).legal))
                await until(lambda plies=plies: match_of(app).plies == plies)
            redis.signal(signal.SIGSTOP)
            await until(lambda: app.model.outage is not None)
            # It is told up to when they count, which may be a moment away.
            await until(lambda: app.model.countdowns(app.now) == app.model.countdowns(app.now + 60))
            stood = app.model.countdowns(app.now)
            await pilot.pause()
            lines = "\n".join(strip.text for strip in app.screen._compositor.render_strips())
            assert "The server cannot store moves just now; clocks wait." in lines
            assert "moves are not stored just now" in lines
            assert lines.count("~") == 2
            redis.signal(signal.SIGCONT)

            def goes_on() -> bool:
                # What ends it may have been on its way for a while, for which they have run then.
                over = app.model.outage is None
                assert over or app.model.countdowns(app.now) == stood
                return over

            await until(goes_on)
            await pilot.pause()
            assert "~" not in "\n".join(strip.text for strip in app.screen._compositor.render_strips())
            app.leave_program()
