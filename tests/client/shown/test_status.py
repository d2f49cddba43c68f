"""How a match stands, in words."""

from __future__ import annotations

import pytest

from client.shown.status import tells_more
from tests.client.positions import snapshot


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
