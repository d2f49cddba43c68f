"""Legal moves told as changes and got back again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from protocol.legal import legal_after, legal_change
from protocol.messages import LegalChange

moves = st.frozensets(st.sampled_from([f"{column}{row}" for column in "abcdef" for row in range(1, 9)]))


@given(now=moves, last=moves, turn=moves, played=st.sampled_from(["a1", "b2", "swap"]))
def test_what_is_told_is_got_back(now: frozenset[str], last: frozenset[str], turn: frozenset[str], played: str) -> None:
    after = legal_after(legal_change(now, last, turn, played), tuple(last), tuple(turn), played)
    assert len(after) == len(set(after))
    assert set(after) == now


def test_one_line_drawn_needs_no_word() -> None:
    assert legal_change(("a", "c"), ("a", "b", "c"), (), "b") is None
    assert legal_change(("a",), ("a", "b", "c"), (), "b") == LegalChange(drop=("c",))


def test_the_own_last_turn_is_named_when_the_players_moves_are_different_ones() -> None:
    """Checkers: nothing that White could do is anything that Black can do."""
    black = tuple(f"{n}-{n + 4}" for n in range(1, 9))
    white = tuple(f"{n}-{n - 4}" for n in range(21, 32))
    assert legal_change((*black, "9-13"), white, black, "22-18") == LegalChange(add=("9-13",), base="turn")


def test_few_moves_are_told_without_the_many_that_were() -> None:
    """HexOust: only a pass is left."""
    many = tuple(f"a{n}" for n in range(50))
    assert legal_change(("pass",), many, many, "a1") == LegalChange(add=("pass",), base="none")
    assert legal_change((), many, many, "a1") == LegalChange(base="none")


def test_moves_that_stay_keep_their_order() -> None:
    assert legal_after(LegalChange(add=("z",), drop=("b",)), ("c", "b", "a", "p"), (), "p") == ("c", "a", "z")
