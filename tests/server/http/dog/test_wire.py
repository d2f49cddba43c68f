"""Forms, moves and literals, without a hub."""

from __future__ import annotations

import ast
import json
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.http.dog import wire
from server.http.dog.wire import BadForm
from tests.forms import generated

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip
MOVES = st.dictionaries(st.text(), PLAIN, max_size=6).map(lambda said: {**said, "match_status": "next"})


@given(said=MOVES)
@generated(full=5_000, short=60)
def test_a_move_comes_out_as_a_literal_of_the_same_value(said: dict[str, Any]) -> None:
    """I8: whatever was said, the text is a literal, and evaluates to what was said with the server's two values."""
    form = wire.fields(urlencode({"move": json.dumps(said)}).encode())
    decoded = wire.move(form)
    assert decoded == said
    told = wire.told(decoded, "author", 7).body["1"]
    assert ast.literal_eval(told) == {**said, "player": "author", "order": 7}
    assert type(ast.parse(told, mode="eval").body) is ast.Dict
    json.dumps(told)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**63, (1,), {1: 2}, object(), b"", {1}, 1j])
def test_what_is_not_plain_is_never_written(value: Any) -> None:
    with pytest.raises(BadForm):
        wire.literal({"a": [value]})


def test_subclasses_are_not_plain() -> None:
    class Loud(str):
        def __repr__(self) -> str:
            return "shutdown()"

    with pytest.raises(BadForm):
        wire.literal({"a": Loud("x")})


@pytest.mark.parametrize("depth", [15, 16])
def test_depth_is_bounded(depth: int) -> None:
    inner: Any = 1
    for _ in range(depth):
        inner = [inner]
    if depth < wire.MAX_DEPTH:
        assert wire.literal({"a": inner})
    else:
        with pytest.raises(BadForm):
            wire.literal({"a": inner})


def test_everybody_sees_itself_first_and_by_the_own_name() -> None:
    players = [("Ana", "1"), ("Ana", "2"), ("Ana 2", "3")]
    assert wire.seen_by(players, "123", 0) == [["Ana", "1", "1"], ["Ana 2", "2", "2"], ["Ana 2 2", "3", "3"]]
    assert wire.seen_by(players, "123", 2) == [["Ana 2", "3", "3"], ["Ana", "1", "1"], ["Ana 3", "2", "2"]]
    for place in range(3):
        rows = wire.seen_by(players, "123", place)
        assert rows[0][0] == players[place][0]
        assert len({row[0] for row in rows}) == 3


def test_game_ids_are_taken_as_they_stand() -> None:
    one = wire.who({"player_id": "1", "game_id": "game\n"})
    assert one != wire.who({"player_id": "1", "game_id": "game"})
    assert one == wire.who({"player_id": "1", "game_id": "game\n"})
