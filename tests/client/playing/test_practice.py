"""Playing on against the computer from a position of a match that is over."""

from __future__ import annotations

import pytest
from msgspec import structs

from client.conversation.events import Stepped
from client.plain.intents import Practise, Said, Tell
from client.plain.words import understand
from client.playing.practice import practice
from client.shown.actions.controls import BY_ACTION
from client.shown.model import Model, update
from protocol.messages import ClockRule
from server.match.asked import Asked
from server.match.commands import Abandon
from server.match.machine import create, open_match
from server.match.views import record
from tests.client.refereed import CATALOGUE, Refereed

MOVES = ("a1-b1", "b1-c1", "a2-b2")


@pytest.fixture
def over() -> Refereed:
    game = Refereed("dots-and-boxes")
    for move in MOVES:
        game.play(move)
    game.do("ada", Abandon())
    return game


@pytest.mark.parametrize(
    ("you", "ply", "seat"),
    [((0,), 1, 0), ((1,), 2, 1), ((), 1, 1), ((), 2, 0), ((0, 1), 1, 1)],
)
def test_it_goes_on_from_there_on_ones_own_side(over: Refereed, you: tuple[int, ...], ply: int, seat: int) -> None:
    """As a saved position does; the server takes it, and the position is the one that was looked at.

    For who is to move there where no side is one's own: one watched, had both, or reviews a saved game.
    """
    shown = structs.replace(over.snapshot(), you=you, level="hard")
    begun = practice(record(over.match, str, "r"), ply, shown, "p")
    assert (begun.moves, begun.computer, begun.seat, begun.clock) == (MOVES[:ply], True, seat, ClockRule())
    assert begun.level == "hard", "as the match was played"
    event = create(
        CATALOGUE[begun.game], begun.options, "Ada", Asked("ada", "p", 1), computer=True, seat=seat, saved=begun.moves
    )
    assert open_match("n", event, CATALOGUE).moves == MOVES[:ply]


def test_it_is_there_where_one_looks_back_after_the_end(over: Refereed) -> None:
    control, model = BY_ACTION["practise"], over.model()
    assert not control.enabled(model)
    assert control.enabled(update(model, Stepped(1)))
    playing = Refereed("dots-and-boxes")
    playing.play("a1-b1")
    assert not control.enabled(update(playing.model(), Stepped(0))), "of what is played nobody learns anything"


def said(model: Model, *words: str) -> object:
    return understand(Said(words, model, lambda: "r"))


def test_plain_words_say_after_how_many_moves(over: Refereed) -> None:
    model = over.model()
    assert said(model, "practise", "2") == Practise(2)
    for wrong in ("3", "", "-1", "x"):
        assert said(model, "practise", *filter(None, [wrong])) == Tell(("Say after how many moves: from 0 to 2.",))
