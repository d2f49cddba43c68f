"""Tasks for who learns a game, as far as a client knows of them."""

from __future__ import annotations

import pytest

from client.kept.learned import Learned
from client.playing.new_match import Against, AtOnce, NoSuchGame, ways
from client.shown.actions.controls import BY_ACTION, IN_A_TASK, Place, Shelf, on_shelf
from client.shown.board.scene import is_turned
from client.shown.model import Link, Model
from client.shown.story import happening
from client.shown.words.ending import Verdict, statistics, verdict
from client.shown.words.lessons import first_undone, next_task, progress_text, task_title
from client.shown.words.status import headline, lower_seat
from protocol.messages import Create, Rematched, Snapshot
from server.match.asked import Asked
from server.match.commands import Play
from server.match.lessons import begun
from server.match.machine import decide, open_match
from server.match.views import snapshot
from tests.client.refereed import CATALOGUE, infos

GAMES = infos()
GAME = GAMES["dots-and-boxes"]


def task(number: int, *moves: str, game: str = "dots-and-boxes") -> Model:
    """The task with these moves made in it."""
    match = open_match("m", begun(CATALOGUE[game], number, "Ana", Asked("ana", "c", 1)), CATALOGUE)
    for move in moves:
        match = decide(match, Play(match.version, move), Asked("ana", "r", 2))[-1].after
    return Model(link=Link.UP, name="Ana", games=GAMES, lobby=(), match=snapshot(match, "ana", str, 2))


def shown(model: Model) -> Snapshot:
    assert model.match is not None
    return model.match


def usable(model: Model) -> dict[str, str]:
    """What can be done to it, and what that is called."""
    return {
        control.action: control.called(model)
        for control in on_shelf(Place.MATCH, Shelf.ACTIONS)
        if control.is_seen(model)
    }


def test_which_task_it_is_and_what_can_be_done_in_it() -> None:
    """There is nobody to offer anything to, nor to talk to, and nothing to save."""
    model = task(2)
    assert not any(BY_ACTION[action].enabled(model) for action in ("save", "say", "mute"))
    again = happening(shown(model), shown(model), Rematched(match="m", version=3, at_ms=1, next="n"), GAME)
    assert again is not None
    assert again.text == "The task begins anew."
    assert task_title(model) == "Task 2 of 4: Take a whole chain"
    assert headline(model) == (task_title(model), "mine")
    assert usable(model) == {"restart": "Restart"}
    assert task_title(Model()) == ""


def test_the_end_of_a_task_has_its_own_words_and_ways() -> None:
    done, missed, last = task(1, "b1-b2"), task(2, "a2-a3"), task(4, "a1-b1")
    assert verdict(shown(done)) == ("Done!", Verdict.WON)
    assert verdict(shown(missed)) == ("Not yet.", Verdict.NOBODY)
    for model in (done, missed):
        assert statistics(model) == ()
        assert usable(model) == {"rematch": IN_A_TASK["rematch"], "again": IN_A_TASK["again"]}
    assert (next_task(done), next_task(missed), next_task(last)) == (2, 3, 0)
    assert usable(last) == {"rematch": "Try again"}
    assert headline(done)[0].startswith("Done!  The box is yours.")


def test_who_learns_sits_below() -> None:
    """CK 5.1: Black's side, too."""
    black = shown(task(1, game="checkers"))
    assert (black.you, is_turned(black), lower_seat(black)) == ((0, 1), True, 0)
    assert not is_turned(shown(task(1)))


def test_the_next_task_is_the_first_that_was_not_done() -> None:
    learned = Learned()
    assert (first_undone(GAME, ()), progress_text(GAME, ())) == (1, "")
    for number in (1, 3):
        learned.mark(GAME.name, number)
    assert progress_text(GAME, learned.done(GAME.name)) == "2/4"
    asked = AtOnce("dots", Against.LEARN).begun(learned, GAMES)
    assert asked.command("r") == Create(ref="r", game=GAME.name, lesson=2)
    assert AtOnce("dots", Against.LEARN, lesson=4).begun(learned, GAMES).lesson == 4
    assert first_undone(GAME, (1, 2, 3, 4)) == 1


def test_what_there_is_not_is_said() -> None:
    bare = {**GAMES, "bare": type(GAME)(name="bare", title="Bare", summary="", help="")}
    for asked, words in (
        (AtOnce("dots", Against.LEARN, lesson=5), "no task 5"),
        (AtOnce("dots", Against.LEARN, lesson=-1), "no task -1"),
        (AtOnce("bare", Against.LEARN), "no tasks"),
    ):
        with pytest.raises(NoSuchGame, match=words):
            asked.begun(Learned(), bare)
    assert Against.LEARN not in ways(bare["bare"])
    assert Against.LEARN in ways(GAME)
