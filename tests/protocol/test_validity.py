"""What can be, and what cannot: the rules of docs/protocol.md, each broken in one place."""

from __future__ import annotations

import pytest
from msgspec import structs

from protocol.messages import Notification, Record, Welcome
from protocol.validity import Impossible, check, elements
from tests.client.impossible import EVENTS, GAMES, LOBBIES, SNAPSHOTS
from tests.client.positions import DOTS_INFO, dots_board, hex_board, macro_board, moved, snapshot, squares_board


@pytest.mark.parametrize("kind", SNAPSHOTS)
def test_a_match_that_cannot_be(kind: str) -> None:
    """Q20."""
    with pytest.raises(Impossible) as refusal:
        check(SNAPSHOTS[kind])
    assert 0 < len(str(refusal.value)) < 100


@pytest.mark.parametrize("kind", EVENTS)
def test_what_cannot_happen(kind: str) -> None:
    """Q20."""
    with pytest.raises(Impossible):
        check(EVENTS[kind], elements(snapshot()))


@pytest.mark.parametrize("kind", LOBBIES)
def test_a_lobby_that_cannot_be(kind: str) -> None:
    """Q20."""
    with pytest.raises(Impossible):
        check(LOBBIES[kind])


@pytest.mark.parametrize("kind", GAMES)
def test_games_that_cannot_be(kind: str) -> None:
    """Q20."""
    with pytest.raises(Impossible):
        check(Welcome(ref="r", player="p", name="Ada", games=GAMES[kind]))


def record(*movers: int) -> Record:
    return Record(
        ref="r", match="m", game="square", options={}, names=("Ada", "Ben"), moves=("a1-b1", "b1-c1"), hash="0" * 64,
        created_ms=1, movers=movers,
    )  # fmt: skip


@pytest.mark.parametrize("movers", [(0,), (0, 1, 0), (0, 2), (-1, 0)])
def test_a_record_that_cannot_be(movers: tuple[int, ...]) -> None:
    """Q20: one seat made each of its moves."""
    with pytest.raises(Impossible):
        check(record(*movers))


@pytest.mark.parametrize("less", [(0,), (3,), (2, 1), (1, 1)])
def test_a_record_with_moves_in_haste_that_cannot_be(less: tuple[int, ...]) -> None:
    """Q20: each is one of its moves, and told once."""
    check(structs.replace(record(), less=(1, 2)))
    with pytest.raises(Impossible):
        check(structs.replace(record(), less=less))


SQUARE = ((0,), (0,))


@pytest.mark.parametrize("scores", [(SQUARE,) * 2, (SQUARE, SQUARE, ((-1,), (0,))), (SQUARE, SQUARE, ((0, 0), (0, 0)))])
def test_a_record_with_scores_that_cannot_be(scores: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]) -> None:
    """Q20: those before its moves, and those after each."""
    with pytest.raises(Impossible):
        check(structs.replace(record(), scores=scores))


BOARDS = [dots_board(3, 3), squares_board(), hex_board(7), macro_board()]
POSSIBLE = [*map(snapshot, BOARDS), moved(3, 0, "a1-b1"), Welcome(ref="r", player="p", name="A", games=(DOTS_INFO,))]
POSSIBLE += [record(), record(0, 1), structs.replace(record(1, 1), scores=(SQUARE,) * 3)]


@pytest.mark.parametrize("message", POSSIBLE)
def test_what_can_be(message: Notification) -> None:
    check(message)
