"""How a match stands, in words."""

from __future__ import annotations

import pytest
from msgspec import structs

from client.shown.model import Model
from client.shown.status import score_text, tells_more
from client.shown.story import score_name
from tests.client.positions import DOTS_INFO, snapshot


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("Player 1's turn", False),
        ("Player 1 to move", False),
        ("Player 2's turn", True),
        ("Player 1's turn, in any open micro game", True),
        ("The match is over.", True),
    ],
)
def test_whose_turn_it_is_is_not_said_twice(text: str, more: bool) -> None:
    """CK 5.4: a headline names the side to move; the server's sentence stands beside it if it says more than that."""
    assert tells_more(snapshot(text=text, to_move=0)) is more


@pytest.mark.parametrize(("count", "name"), [(0, "boxes"), (1, "box"), (2, "boxes"), (21, "boxes")])
def test_one_of_something_has_a_word_of_its_own(count: int, name: str) -> None:
    """CK 5.4: "1 box"; where a game names no single one, as of a hub from before, the usual word stands."""
    assert score_name(DOTS_INFO, 0, count) == name
    assert score_name(structs.replace(DOTS_INFO, score_names_one=()), 0, count) == "boxes"
    assert score_name(DOTS_INFO, 1, count) == score_name(None, 0, count) == ""
    model = Model(games={DOTS_INFO.name: DOTS_INFO}, match=snapshot(scores=((count,), (0,))))
    assert score_text(model, 0) == f"{count} {name}"
