"""Playing on against the computer from a position of a match that is over."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from msgspec import structs

from client.conversation.events import Stepped
from client.plain.intents import Practise, Said, Tell
from client.plain.words import understand
from client.playing.practice import practice
from client.shown.actions.controls import BY_ACTION
from client.shown.actions.when import STOPPED_SHORT
from client.shown.model import Link, Model, update
from protocol.messages import ClockRule
from server.match.asked import Asked
from server.match.commands import Abandon
from server.match.events import EndReason
from server.match.machine import create, open_match
from server.match.state import Status
from server.match.views import record
from tests.client.refereed import CATALOGUE, Refereed
from tests.driver import ROOT

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


def test_it_is_there_for_all_positions_that_can_be_played_on(over: Refereed) -> None:
    """Also for the last one of a match that ended before its game, where nobody has moved on; not of a whole game."""
    control, model = BY_ACTION["practise"], over.model()
    assert control.enabled(model)
    assert control.enabled(update(model, Stepped(1)))
    playing = Refereed("dots-and-boxes")
    playing.play("a1-b1")
    assert not control.enabled(update(playing.model(), Stepped(0))), "of what is played nobody learns anything"
    while playing.match.status is not Status.ENDED:
        playing.play()
    assert not control.enabled(playing.model())
    assert not control.enabled(update(playing.model(), Stepped(playing.match.plies)))
    assert control.enabled(update(playing.model(), Stepped(playing.match.plies - 1)))


def test_every_end_before_that_of_the_game_is_known_here_and_on_the_page() -> None:
    ends = {reason.value for reason in EndReason} - {EndReason.TASK_DONE, EndReason.TASK_MISSED}
    assert ends == STOPPED_SHORT
    table = (ROOT / "client" / "web" / "shown" / "controls.js").read_text(encoding="utf-8")
    listed = re.search(r'STOPPED_SHORT = "([a-z_ ]+)"', table)
    assert listed is not None
    assert set(listed[1].split()) == ends


def test_the_last_position_goes_on_for_who_is_to_move_there(over: Refereed) -> None:
    """Who has no side alone: of a saved game that was not played to its end, and where one watched."""
    told = record(over.match, str, "r")
    assert told.to_move == over.match.turn == 1
    begun = practice(told, len(MOVES), structs.replace(over.snapshot(), you=()), "p")
    assert (begun.moves, begun.seat) == (MOVES, 1)
    assert open_match("n", create(
        CATALOGUE[begun.game], begun.options, "Ada", Asked("ada", "p", 1), computer=True, seat=1, saved=begun.moves
    ), CATALOGUE).legal  # fmt: skip


def said(model: Model, *words: str) -> object:
    return understand(Said(words, model, lambda: "r"))


def test_plain_words_say_after_how_many_moves(over: Refereed) -> None:
    model = over.model()
    assert said(model, "practise", "2") == Practise(2)
    assert said(model, "practise", "3") == Practise(3), "where it was given up"
    assert said(update(model, Stepped(1)), "practise", "3") == Practise(3)
    for wrong in ("4", "", "-1", "x"):
        assert said(model, "practise", *filter(None, [wrong])) == Tell(("Say after how many moves: from 0 to 3.",))


@pytest.mark.parametrize("word", ["review", "practise"])
def test_plain_words_say_truly_why_a_match_that_is_over_is_not_gone_over(over: Refereed, word: str) -> None:
    fresh = Refereed("dots-and-boxes")
    assert "over" in str(said(fresh.model(), word))
    fresh.do("ada", Abandon())
    assert said(fresh.model(), word) == Tell((
        "Nobody has moved in this match: there is nothing to review, and nothing to practise from.",
    ))  # fmt: skip
    model = over.model()
    assert model.match is not None
    task = replace(model, match=structs.replace(model.match, lesson=1))
    assert said(task, word) == Tell(("Only matches are reviewed and practised from, and this is a task.",))
    unknown = replace(model, games={})
    assert "does not play" in str(said(unknown, word))
    cut = replace(model, link=Link.DOWN)
    assert "connection" in str(said(cut, word))
