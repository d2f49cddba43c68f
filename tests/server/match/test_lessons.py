"""Tasks for who learns a game: what is asked, that it was done or not yet, and that nothing else happens in them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from protocol.errors import BadOption
from protocol.messages import Ended, OfferKind, Snapshot
from server.match.asked import Asked
from server.match.commands import Abandon, Leave, Offer, Pause, Play
from server.match.events import Created, decode_event, encode_event
from server.match.lessons import begun
from server.match.machine import decide, follow_up, open_match
from server.match.state import Match, Status
from server.match.telling import notification
from server.match.views import position, snapshot
from tests.server.match.table import CATALOGUE, GUEST, HOST, START_MS, code, do, play

GAME = CATALOGUE["dots-and-boxes"]
CLOSE, CHAIN, _, DECLINE = range(1, 5)


def opened(number: int = CLOSE, game: str = "dots-and-boxes") -> Match:
    return open_match("m", begun(CATALOGUE[game], number, "Ana", Asked(HOST, "create", START_MS)), CATALOGUE)


def shown(match: Match) -> Snapshot:
    return snapshot(match, HOST, str, START_MS)


def told(match: Match) -> tuple[str, str, int | None]:
    result = shown(match).result
    assert result is not None
    return result.reason, result.text, result.winner


def test_it_begins_in_its_position_with_what_is_to_be_done() -> None:
    match, lesson = opened(CHAIN), GAME.lessons[CHAIN - 1]
    seen = shown(match)
    assert (seen.lesson, seen.text, seen.status, seen.you) == (CHAIN, lesson.task, "playing", (0, 1))
    assert (seen.private, seen.watchable, seen.clock, seen.options) == (True, False, None, {"width": 4, "height": 3})
    assert (seen.plies, seen.can) == (len(lesson.moves), (("abandon", "offer_restart"),) * 2)
    assert position(match, 0, str, "p").text == lesson.task


def test_it_is_done_in_the_middle_of_a_turn() -> None:
    """A match of a task has one end, like all others."""
    match = opened(CHAIN)
    for move in ("b1-b2", "c1-c2"):
        match = play(match, move=move)
        assert (match.status, shown(match).text) == (Status.PLAYING, GAME.lessons[CHAIN - 1].task)
    steps = decide(match, Play(match.version, "d1-d2"), Asked(HOST, "r", START_MS))
    assert [type(step.event).__name__ for step in steps] == ["MovePlayed", "MatchEnded"]
    ended = notification(steps[-1], str)
    assert isinstance(ended, Ended)
    done = ("task_done", GAME.lessons[CHAIN - 1].done, 0)
    assert (ended.result.reason, ended.result.text, ended.result.winner) == done
    assert told(steps[-1].after) == done
    assert shown(steps[-1].after).can == (("offer_rematch",),) * 2


def test_when_the_turn_is_over_it_is_told_what_to_look_for() -> None:
    assert told(play(opened(CHAIN), move="a2-a3")) == ("task_missed", GAME.lessons[CHAIN - 1].missed, None)
    part = play(play(opened(CHAIN), move="b1-b2"), move="a2-a3")
    assert told(part)[0] == "task_missed"


def test_when_the_game_is_over_without_it_it_is_missed() -> None:
    lesson = replace(GAME.lessons[0], reached=lambda start, now: False)
    match = opened()
    last = play(structs.replace(match, game=replace(GAME, lessons=(lesson,))), move="b1-b2")
    while last.status is Status.PLAYING and last.turn == 0:
        last = play(last)
    assert told(last)[0] == "task_missed"


def test_a_sacrifice_counts_only_as_it_was_asked_for() -> None:
    assert told(play(play(opened(DECLINE), move="b2-c2"), move="c3-d3"))[0] == "task_done"
    greedy = opened(DECLINE)
    for move in ("b2-c2", "c2-c3"):
        greedy = play(greedy, move=move)
    while greedy.status is Status.PLAYING:
        greedy = play(greedy)
    assert told(greedy)[0] == "task_missed"


def test_it_is_tried_again_from_its_position_during_it_and_after_it() -> None:
    lesson = GAME.lessons[CHAIN - 1]
    match = play(opened(CHAIN), move="b1-b2")
    again = do(match, Offer("restart"), HOST)
    assert (again.moves, again.turn, shown(again).text) == (lesson.moves, 0, lesson.task)
    missed = play(again, move="a2-a3")
    rematch = do(missed, Offer("rematch", next_match="n"), HOST)
    (created,) = follow_up(rematch, START_MS)
    assert isinstance(created, Created)
    assert decode_event(encode_event(created)) == created
    following = open_match("n", created, CATALOGUE)
    assert (following.lesson, following.moves, following.private) == (CHAIN, lesson.moves, True)
    assert told(play(play(play(following, move="b1-b2"), move="c1-c2"), move="d1-d2"))[0] == "task_done"


@pytest.mark.parametrize("kind", ["draw", "takeback", "revert"])
def test_nothing_else_is_offered_in_it(kind: OfferKind) -> None:
    assert code(play(opened(CHAIN), move="b1-b2"), Offer(kind), HOST) == "in_a_task"


def test_it_is_not_paused_and_is_over_when_one_goes() -> None:
    assert code(opened(), Pause(), HOST) == "in_a_task"
    for command in (Leave(), Abandon()):
        assert told(do(play(opened(CHAIN), move="b1-b2"), command, HOST)) == ("aborted", "The task was left.", None)
    assert do(opened(), Leave(), GUEST).status is Status.PLAYING


def test_a_task_that_there_is_not_is_refused() -> None:
    with pytest.raises(BadOption, match="from 1 to 4"):
        opened(5)
    with pytest.raises(BadOption, match="no tasks"):
        begun(replace(GAME, lessons=()), 1, "Ana", Asked(HOST, "create", START_MS))


def test_a_log_whose_task_is_gone_is_still_read() -> None:
    """The game's file may have changed since: the match is what its events say."""
    match = play(opened(), move="b1-b2")
    gone = structs.replace(match, game=replace(GAME, lessons=()))
    assert told(gone) == ("task_done", "The task is over.", 0)
    assert shown(gone).lesson == CLOSE
