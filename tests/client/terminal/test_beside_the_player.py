"""What stands beside the player in the terminal, in every game through a real hub: hint, review, practice from here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from client.conversation.address import parse_address
from client.kept.identity import take_identity
from client.shown.board.scene import Hints, scene
from client.shown.review import BARS
from client.start.launch import Launch
from client.terminal.app import Parlour
from client.terminal.parts.board import BoardView
from client.terminal.parts.end_card import EndCard
from protocol.messages import Abandon, Create
from tests.client.terminal.test_every_game import SHORT, hub, match_of, read, redis, send, until
from tests.driver import HubProcess
from tests.forms import SCREENS

__all__ = ["hub", "redis"]
PLIES = 2
QUICK = ("square", "checkers", "hexoust")
"""Those that `make test` plays; `make screens` plays all."""


@pytest.mark.screens
@pytest.mark.parametrize("game", SHORT if SCREENS else QUICK)
async def test_hint_review_and_practice(hub: HubProcess, tmp_path: Path, game: str) -> None:
    """The move is told and marked; the review has its bars, of which each is a position; from one of them play goes
    on."""
    address = parse_address(f"127.0.0.1:{hub.port}")
    with take_identity(folder=tmp_path / "Ana") as identity:
        app = Parlour(Launch(prepare=lambda: address, identity=identity, name=f"Ana {game[:8]}", connects_at_once=True))
        async with app.run_test(size=(100, 40)) as pilot:
            await until(lambda: app.model.lobby is not None)
            send(app, Create, game=game, options=SHORT[game], computer=True, level="beginner")
            await until(lambda: app.model.is_my_turn and isinstance(app.focused, BoardView))
            await pilot.press("h")
            await until(lambda: app.model.hinted)
            move = app.model.hinted
            assert move in match_of(app).legal
            assert f": {move}" in app.model.notice.text
            board = app.screen.query_one(BoardView)
            marked = [one.id for one in scene(match_of(app), board._layout.view, Hints(advised=move)) if one.advised]
            assert marked
            await to_play(app, move)
            send(app, Abandon, match=match_of(app).match)
            await until(lambda: match_of(app).result is not None)
            await pilot.press("j")
            await until(lambda: app.model.review is not None and app.model.review.is_whole)
            await pilot.pause()
            assert "took a hint" in match_of(app).result.text
            told = read(app)
            assert "Review:" in told
            assert any(bar in told for bar in BARS)
            before = match_of(app).match
            await look_at_the_start(app, pilot)
            await pilot.press("o")
            await until(lambda: match_of(app) is not None and match_of(app).match != before)
            assert (match_of(app).status, match_of(app).level) == ("playing", "beginner")
            app.leave_program()


async def to_play(app: Parlour, move: str) -> None:
    """The hinted move, and others until some were made by both."""
    while match_of(app).plies < PLIES and match_of(app).result is None:
        plies = match_of(app).plies
        app.play(move)
        await until(lambda plies=plies: match_of(app).plies > plies)
        assert app.model.hinted == "", "it was that position's"
        await until(lambda: app.model.is_my_turn or match_of(app).result is not None)
        move = min(match_of(app).legal, default="")


async def look_at_the_start(app: Parlour, pilot: Any) -> None:
    """By a click on the first bar of the curve."""
    card = next(card for card in app.screen.query(EndCard) if card.is_on_screen and card.size.height)
    row = next(y for y in range(card.size.height) if card.render_line(y).text.strip()[:1] in tuple(BARS))
    await pilot.click(card, offset=(0, row))
    await until(lambda: app.model.step == 0)
