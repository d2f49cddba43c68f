"""What stands beside the player in the window, in every game through a real hub: hint, review, practice from here."""

from __future__ import annotations

import pytest

from client.playing.new_match import Choice
from client.shown.board.scene import Hints, fit, scene
from client.window.intents import Host, Play
from tests.client.window.conftest import Sit
from tests.client.window.test_every_game import SHORT
from tests.forms import SCREENS


@pytest.mark.screens
@pytest.mark.parametrize("game", SHORT if SCREENS else ["checkers"])
def test_hint_review_and_practice(sit: Sit, game: str) -> None:
    """By buttons alone: the move is told and marked; every bar of the curve is a position; from one of them play goes
    on."""
    ana = sit(f"Ana {game[:8]}")
    ana.enter_lobby()
    ana.app.carry_out(Host(Choice(game, tuple(SHORT[game].items()), opponent="computer", level="beginner")))
    ana.plays(game, "playing")
    ana.until(lambda: ana.app.model.is_my_turn, "one's turn")
    ana.click("hint")
    ana.until(lambda: ana.app.model.hinted, "a hint")
    move = ana.app.model.hinted
    ana.sees(f": {move}")
    match = ana.plays()
    assert [one for one in scene(match, fit(match.board, 600, 600), Hints(advised=move)) if one.advised]
    ana.app.carry_out(Play(move))
    ana.until(lambda: ana.plays().plies >= 2 and ana.app.model.is_my_turn, "the answer")
    assert ana.app.model.hinted == ""
    ana.click("give_up")
    ana.press("enter")
    ana.sees("took a hint")
    ana.click("review")
    ana.until(lambda: ana.app.model.review is not None and ana.app.model.review.is_whole, "a whole review")
    ana.sees("Review: ")
    ended = ana.plays()
    places = [target.value for target in ana.picture().targets if target.action == "look"]
    assert places[: ended.plies + 1] == [str(ply) for ply in range(ended.plies + 1)]
    ana.click("look", "0")
    ana.until(lambda: ana.app.model.step == 0, "the start")
    ana.click("practise")
    ana.until(lambda: ana.plays().match != ended.match, "another match")
    assert (ana.plays().status, ana.plays().level, ana.plays().you) == ("playing", "beginner", ended.you)
