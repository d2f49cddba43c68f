"""Each game to its end between a page and the other clients, watched at another page: one hub for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from time import monotonic

import pygame
import pytest

from client.conversation.address import parse_address
from client.kept.identity import take_identity
from client.start.launch import Launch
from client.terminal.app import Parlour
from protocol.messages import Create, Snapshot
from tests.browser.boards import click, goes_on, hosted, position, press_keys, shows, tap
from tests.browser.conftest import FULL, in_full
from tests.browser.people import LIMIT_MS, PHONE, Person, Stage
from tests.browser.playing.test_playing import GAMES
from tests.client.terminal.test_every_game import match_of, send, until
from tests.client.window.test_every_game import SIZE, Player, opened
from tests.driver import WAIT_S

pytestmark = pytest.mark.asyncio(loop_scope="session")


@asynccontextmanager
async def terminal(stage: Stage, folder: Path, name: str) -> AsyncIterator[Parlour]:
    """A terminal client in the lobby of the hub."""
    address = parse_address(f"127.0.0.1:{stage.hub.port}")
    with take_identity(folder=folder) as identity:
        app = Parlour(Launch(prepare=lambda: address, identity=identity, name=name, connects_at_once=True))
        async with app.run_test(size=(100, 40)):
            await until(lambda: app.model.lobby is not None)
            yield app
            app.leave_program()


def window_joins(address: str, folder: Path, name: str, host: str, chance: Random) -> tuple[Snapshot, set[str]]:
    """A window that joins the match of `host` by its row in the lobby and plays to the end; how it saw that end.

    It runs its own loop, so it is called in a thread of its own.
    """
    with opened(address, folder, name) as window:
        player, app = Player(window, chance), window.application
        deadline = monotonic() + 4 * WAIT_S
        joined = False

        def in_each_round() -> None:
            nonlocal joined
            row = next((row for row in app.model.lobby or () if host in row.names), None)
            if row is not None and not joined and app.model.match is None:
                joined = True
                targets = app.screen.picture(app.model, SIZE, app.now).targets
                player._click(next(target for target in targets if target.value == row.match).rect.centre)
                pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0))
            player.turn()
            over = app.model.match is not None and app.model.match.result is not None
            if over or monotonic() > deadline:
                pygame.event.post(pygame.event.Event(pygame.QUIT))

        window.each_round = in_each_round
        assert window.run() == 0
        assert app.model.match is not None
        return app.model.match, player.ways


async def watched(stage: Stage, match: str) -> Person:
    """Somebody who watches the match at a page."""
    spectator = await stage.person("Cleo", fragment=f"#watch={match}")
    await spectator.page.wait_for_selector(".match", timeout=LIMIT_MS)
    return spectator


async def seen_alike(known: Snapshot, *people: Person) -> None:
    """Every page shows the end as the other client saw it."""
    assert known.result is not None
    for person in people:
        await shows(person, known.plies)
        await person.page.wait_for_selector('.match[data-status="ended"] .end', timeout=LIMIT_MS)
        assert position(person).marks == known.marks
        assert position(person).result == known.result
        assert known.result.text in await person.page.inner_text(".ending")


@pytest.mark.parametrize("game", GAMES if FULL else ["square"])
async def test_a_phone_against_a_terminal(stage: Stage, tmp_path: Path, game: str) -> None:
    """CK R11.1, 5.3, UD RF1: joined by the list with a finger and played by taps; a page at a desk watches."""
    chance = Random(f"terminal {game}")
    async with terminal(stage, tmp_path / "terminal", f"Tess {game[:6]}") as app:
        send(app, Create, game=game, options=GAMES[game])
        await until(lambda: match_of(app) is not None)
        person = await stage.person("Ana", **PHONE)
        await person.up()
        await person.page.tap(f'.lobby .row:has-text("Tess {game[:6]}") .primary')
        await person.page.wait_for_selector(".match .board", timeout=LIMIT_MS)
        spectator = await watched(stage, match_of(app).match)
        while True:
            # A move that ends a match is told before its end.
            await until(lambda: match_of(app).result is not None or match_of(app).to_move is not None)
            if (at := match_of(app)).result is not None:
                break
            if app.model.is_my_turn:
                app.play(chance.choice(sorted(at.legal)))
            else:
                await shows(person, at.plies)
                await tap(person, chance.choice(sorted(move for move in position(person).legal if move != "swap")))
            await until(lambda seen=at: match_of(app).version > seen.version)
        await seen_alike(match_of(app), person, spectator)
    assert len(person.commands("move")) == len(person.unique("move")) > 0


@in_full
@pytest.mark.parametrize("game", GAMES)
async def test_a_desk_against_a_window(
    stage: Stage, tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CK R11.1, 5.2, DB 8.1: hosted at a page, by turns with the mouse and with keys alone; another page watches."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    chance = Random(f"window {game}")
    name = f"Hana {game[:6]}"
    host, _ = await hosted(stage, game, GAMES[game], way="host", name=name)
    address, hands = f"127.0.0.1:{stage.hub.port}", Random(f"hands {game}")
    other = asyncio.create_task(
        asyncio.to_thread(window_joins, address, tmp_path / "window", "Winnie", name, hands),
    )
    await host.page.wait_for_selector(".match .board", timeout=4 * LIMIT_MS)
    spectator = await watched(stage, position(host).match)
    while await goes_on(host):
        at = position(host)
        if at.to_move in at.you:
            await shows(host, at.plies)
            move = chance.choice(sorted(move for move in at.legal if move != "swap"))
            await (click, press_keys)[at.plies // 2 % 2](host, move)
        await host.page.wait_for_function(
            "(version) => Number(document.querySelector('.match').dataset.version) > version",
            arg=at.version, timeout=LIMIT_MS,
        )  # fmt: skip
    known, ways = await other
    await seen_alike(known, host, spectator)
    assert ways, "provoked: the window's hand played"
    assert len(host.commands("move")) == len(host.unique("move")) > 0
