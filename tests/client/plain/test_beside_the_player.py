"""What stands beside the player in lines, in every game through a real hub: hint, review, practice from here."""

from __future__ import annotations

import re

import pytest

from tests.client.plain.conftest import Start
from tests.client.plain.test_real_hub import at
from tests.driver import HubProcess

BOARDS = {
    "square": "",
    "dots-and-boxes": "4x4",
    "checkers": "captures=forced",
    "hexoust": "side=4",
    "ultimate-dots-and-boxes": "",
}


@pytest.mark.parametrize("game", BOARDS)
def test_hint_review_and_practice(hub: HubProcess, start: Start, game: str) -> None:
    """By words: the move is told and can be typed as it stands; who stood better is a line of bars."""
    ana = start("ana", *at(hub, f"Ana {game[:8]}"))
    ana.hears("Connected as")
    ana.type(f"computer {game} {BOARDS[game]} beginner")
    ana.hears("Your turn.")
    ana.type("hint")
    told = re.search(r"Hint.*: (\S+?)[ .]", ana.hears("Hint: ", "Hint, found in haste: "))
    assert told is not None
    ana.type(told[1])
    ana.hears(f": {told[1]}")
    ana.hears("Computer (beginner): ")
    ana.hears("Your turn.")
    ana.type("resign")
    ana.hears("took a hint")
    ana.type("review")
    ana.hears("Review: 0 of ")
    ana.hears("Review: what cost most.", "Review: no move cost much.")
    assert re.search(r"stood, from low to high: [▁▂▃▄▅▆▇█]+$", ana.hears("stood, from low to high"))
    ana.type("practise 0")
    ana.hears("You play ")
    ana.hears("Computer (beginner)")
    ana.type("hint")
    ana.hears("Hint: ", "Hint, found in haste: ")
    ana.type("quit")
    ana.type("quit")
    assert ana.end() == 0
