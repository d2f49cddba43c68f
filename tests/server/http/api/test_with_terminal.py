"""A whole game between somebody with nothing but HTTP and somebody at the terminal client, and a third who watches."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import httpx
import pytest

from client.conversation.address import parse_address
from client.kept.identity import take_identity
from client.start.launch import Launch
from client.terminal.app import Parlour
from protocol.messages import Join
from server.games import checkers
from tests.client.terminal.test_every_game import match_of, send, until
from tests.driver import HubProcess
from tests.forms import SCREENS
from tests.server.http.api.player import HttpPlayer
from tests.server.http.api.test_together import play_by_http

FEW_PLIES = 20
LAST_PLIES = 14
"""Of a game that goes on from a record: those are played here where `make screens` plays all of it."""


@pytest.fixture(scope="module")
def limits() -> list[str]:
    """Programs play faster than people, and a busy machine is slow to draw who is here."""
    return ["--limit", "pace=1000,http_here_s=600"]


def whole_game(rng: Random) -> list[str]:
    """Random legal moves from the start to an end."""
    state, moves = checkers.GAME.new(checkers.Params(draw_after=FEW_PLIES)), []
    while legal := checkers.GAME.legal_moves(state):
        moves.append(rng.choice(legal))
        state = checkers.GAME.play(state, moves[-1])
    return moves


async def play_at_the_terminal(app: Parlour, moves: Sequence[str]) -> None:
    """The moves of a game from its start, each whenever it is this client's turn, until the end."""
    while match_of(app).result is None:
        version = match_of(app).version
        if app.model.is_my_turn and not app.model.pending_moves:
            app.play(moves[match_of(app).plies])
        await until(lambda seen=version: match_of(app).version > seen)


def words_on(app: Parlour) -> str:
    """All that can be read on the screen."""
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


@pytest.mark.screens
async def test_checkers_by_http_against_the_terminal_client(
    hub: HubProcess, link: httpx.AsyncClient, tmp_path: Path
) -> None:
    """Issue 5, CK R5 to R8: both and the spectator see the same game, how it ended, and that one reads by HTTP."""
    carl = await HttpPlayer.come(link, "Carl")
    moves = whole_game(Random(3))
    given = 0 if SCREENS else (len(moves) - LAST_PLIES) // 2 * 2
    hosted = await carl.create("checkers", options={"draw_after": FEW_PLIES}, moves=moves[:given])
    match = hosted["match"]
    turns = iter(moves[given::2])
    address = parse_address(f"127.0.0.1:{hub.port}")
    async with AsyncExitStack() as stack:
        apps: list[Parlour] = []
        for name, watch in (("Tess", None), ("Wim", match)):
            identity = stack.enter_context(take_identity(folder=tmp_path / name))
            launch = Launch(
                prepare=lambda: address, identity=identity, name=name, connects_at_once=True, watch=watch
            )  # fmt: skip
            app = Parlour(launch)
            await stack.enter_async_context(app.run_test(size=(100, 40)))
            await until(lambda app=app: app.model.lobby is not None)
            apps.append(app)
        terminal, spectator = apps
        await until(lambda: match_of(spectator) is not None)
        send(terminal, Join, match=match)
        await until(lambda: match_of(terminal) is not None and match_of(terminal).status == "playing")
        # Who has taken a seat by HTTP is here, and reads: so it stands on both screens, in words.
        for app in apps:
            await until(lambda app=app: "reads by HTTP" in words_on(app))
        _, told = await asyncio.gather(
            play_at_the_terminal(terminal, moves), play_by_http(carl, hosted, lambda _: next(turns))
        )
        await until(lambda: match_of(spectator).result is not None)
        record = await carl.get(f"/matches/{match}/record")
        assert match_of(terminal).marks == match_of(spectator).marks
        assert record["moves"] == moves
        assert match_of(terminal).plies == match_of(spectator).plies == len(moves)
        assert [event["move"] for event in told if event["type"] == "moved"] == moves[given + 1 :: 2]
        reasons = {match_of(app).result.reason for app in apps} | {record["result"]["reason"]}
        assert len(reasons) == 1
        assert reasons <= {"captured", "blocked", "no_progress"}
        for app in apps:
            app.leave_program()
