"""A review as it comes in, position by position: its curve, its costliest moves, and how each front end shows it."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace

from client.conversation.events import Reviewed, Sent, Settled
from client.plain.intents import Review as Asks
from client.plain.intents import Said, Tell
from client.plain.telling import tell
from client.plain.words import understand
from client.shown.actions.controls import BY_ACTION
from client.shown.history import questions
from client.shown.model import Model, update
from client.shown.review import Review, bars, costly_text, looked_at_first, progress_text
from client.shown.words.ending import statistics
from client.window.drawing.shapes import Rect, Text
from client.window.parts.end_card import draw_end
from client.window.parts.sheet import Sheet
from protocol.messages import Accepted, Analyse, Analysis, Create, Forget, Hint, Position, Refused, SeatStats, Snapshot
from server.match.commands import Abandon
from tests.client.refereed import Refereed


def judged(ply: int, lead: int, *, exact: bool = False, best: str = "best", played: str = "played") -> Analysis:
    return Analysis(
        ref="r", match="m1", version=9, ply=ply, plies=3, to_move=ply % 2, move=best, text="takes 1 box", lead=lead,
        exact=exact, played=played, played_text="gives a box away",
    )  # fmt: skip


def reviewed(*leads: int, exact: bool = False, **fields: str) -> Review:
    review = Review(len(leads) - 1)
    for ply, lead in enumerate(leads):
        review = review.with_next(judged(ply, lead, exact=exact, **fields))
    return review


def position(match: Snapshot, ply: int) -> Position:
    return Position(
        ref="r", match=match.match, ply=ply, plies=3, marks={}, focus=(), scores=match.scores, to_move=ply % 2, text="",
    )  # fmt: skip


def test_it_takes_positions_in_their_order_each_once() -> None:
    review = Review(3).with_next(judged(0, 10))
    assert review.next_ply == 1
    assert review.with_next(judged(0, 20)) == review == review.with_next(judged(2, 20))


def test_who_moved_pays_for_what_was_lost() -> None:
    """Seat 0 loses what goes down, seat 1 what goes up; the worst comes first, three at most."""
    found = reviewed(0, -300, 500, 0, 100, -100).costliest
    assert [(one.ply, one.seat, one.cost) for one in found] == [(2, 1, 800), (3, 0, 500), (1, 0, 300)]


def test_what_was_better_is_marked_where_a_costly_move_came() -> None:
    """As a hint is, in the position before the move, and nowhere else."""
    table = Refereed("square")
    match = table.snapshot("ben")
    model = Model(match=match, review=reviewed(0, -300, 0, 0, best="a1-b1"))
    for step, marked in ((0, "a1-b1"), (1, "a1-b1"), (2, ""), (None, "")):
        look = None if step is None else position(match, step)
        assert dataclasses.replace(model, step=step, look=look).hinted == marked
        assert dataclasses.replace(model, step=step).hinted == "", "the position has not come yet"


def test_the_one_that_is_looked_at_comes_first_where_not_all_have_room() -> None:
    """Before the move, which is where a click on it leads, and after it; else the worst."""
    found = reviewed(0, -300, -300, -300, 500, 500, 500, 0).costliest
    assert [one.ply for one in found] == [4, 7, 1]
    for ply, first in ((1, 1), (0, 1), (7, 7), (6, 7), (2, 4)):
        assert looked_at_first(found, ply)[0].ply == first


def test_a_little_is_no_mistake_unless_it_is_certain() -> None:
    assert not reviewed(0, -20).costliest
    assert [one.exact for one in reviewed(0, -20, exact=True).costliest] == [True]
    assert not reviewed(0, -300, played="best").costliest, "the best move costs nothing, whatever a search errs"


@pytest.mark.parametrize(("leads", "verdict"), [
    ((600, 500), "Wins by more"), ((600, 0), "Right"), ((600, -500), "Right"), ((0, -500), "Right"),
    ((-600, -750), "Loses by less"), ((0, 500, 600), "Loses by less"), ((0, -600, -500), "Wins by more"),
    ((0, -600, 0), "Right"),
])  # fmt: skip
def test_right_is_only_what_would_have_changed_the_result(leads: tuple[int, ...], verdict: str) -> None:
    """Of who moves second, too, whose leads are the other way round; of a guess nothing of that kind is said."""
    names = ("Ana", "Ben").__getitem__
    one = next(one for one in reviewed(*leads, exact=True).costliest if one.ply == len(leads) - 1)
    assert (
        costly_text(one, names)
        == f"{one.ply}. {names(one.seat)}: played gives a box away. {verdict}: best takes 1 box."
    )
    guessed = dataclasses.replace(one, exact=False, still="")
    assert ". Better: best" in costly_text(guessed, names)
    if abs(leads[-2] - leads[-1]) >= 40:
        assert next(one for one in reviewed(*leads).costliest if one.ply == len(leads) - 1).still == ""


def test_the_words() -> None:
    (one,) = reviewed(0, -300, exact=True).costliest
    names = ("Ana", "Ben").__getitem__
    assert costly_text(one, names) == "1. Ana: played gives a box away. Right: best takes 1 box."
    assert costly_text(dataclasses.replace(one, better_why=one.why), names) == "1. Ana: played. Right: best."
    assert progress_text(Review(3)) == "Review: 0 of 4 positions"
    assert progress_text(reviewed(0, 0)) == "Review: no move cost much"
    hurried = Review(1).with_next(judged(0, 0)).with_next(replace(judged(1, 0), less=True))
    assert progress_text(hurried) == "Review: no move cost much (in haste: 1 of 2)"
    assert bars((0, -1000, 1000), 9) == "▅▁█"
    assert bars((0, -1000, 1000), 9, seat=1) == "▅█▁"
    assert bars(tuple(range(-1000, 1001)), 5) == "▁▃▅▆█"


@pytest.fixture
def over() -> Refereed:
    game = Refereed("dots-and-boxes")
    for move in ("a1-b1", "b1-c1", "a2-b2"):
        game.play(move)
    game.do("ada", Abandon())
    return game


def settled(model: Model, answer: Analysis | Refused) -> Model:
    ply = model.review_asks
    assert ply is not None
    return update(model, Settled(Analyse(ref="r", match="m1", ply=ply), answer))


def test_what_is_reviewed_is_not_said_to_be_unanswered(over: Refereed) -> None:
    """A position may be thought about for seconds; that the hub has not taken a command yet is said of others."""
    model = update(update(over.model(), Reviewed()), Sent(Analyse(ref="r", match="m1", ply=0)))
    assert (model.unanswered, len(model.pending)) == (0, 1)
    assert update(model, Sent(Forget(ref="f", match="m1"))).unanswered == 1


def test_a_hint_that_is_thought_about_is_not_said_to_be_unanswered(over: Refereed) -> None:
    """It is said to be thought about."""
    model = update(over.model(), Sent(Hint(ref="r", match="m1", version=over.snapshot().version)))
    assert (model.unanswered, model.awaits_hint) == (0, True)


def test_the_control_begins_breaks_off_and_puts_away(over: Refereed) -> None:
    model = over.model()
    assert BY_ACTION["review"].enabled(model)
    model = update(model, Reviewed())
    assert (model.review, model.review_asks) == (Review(3), 0)
    model = settled(model, judged(0, 0))
    broken = update(model, Reviewed())
    assert (broken.review_asks, progress_text(broken.review or Review(0))) == (
        None, "Review broken off: 1 of 4 positions",
    )  # fmt: skip
    assert update(broken, Reviewed()).review is None
    for ply in (1, 2, 3):
        model = settled(model, judged(ply, 0))
    assert model.review_asks is None
    assert update(model, Reviewed()).review is None


def test_it_says_why_the_server_broke_it_off(over: Refereed) -> None:
    """In the server's words, in each front end; of one's own breaking off there is nothing to say."""
    begun = settled(update(over.model(), Reviewed()), judged(0, 0))
    model = settled(begun, Refused(ref="r", code="busy", text="Many wait to be thought for. Try again in a minute."))
    assert model.review is not None
    assert (model.review.next_ply, model.review.why) == (None, "Many wait to be thought for. Try again in a minute.")
    assert "Many wait to be thought for. Try again in a minute." in tell(begun, model, Reviewed())
    sheet = Sheet(640, 480)
    draw_end(sheet, Rect(0, 0, 640, 480), model)
    assert any("Many wait" in shape.text for shape in sheet.picture().shapes if isinstance(shape, Text))
    broken = update(begun, Reviewed()).review
    assert broken is not None
    assert not broken.why


def test_one_that_was_opened_from_a_saved_game_begins_by_itself(over: Refereed) -> None:
    """Once it is on screen; and what was asked about another match is no part of it."""
    opened = replace(over.snapshot(), match="m2")
    model = update(over.model(), Reviewed())
    asked = Create(ref="c", game="dots-and-boxes", review=True)
    model = update(model, Settled(asked, Accepted(ref="c", match="m2", version=2)))
    assert model.review == Review(3), "that of the match that is still on screen"
    model = update(model, opened)
    assert model.review == Review(3)
    assert Analyse(ref="q", match="m2", ply=0) in questions(model, opened, lambda: "q")
    late = Analyse(ref="r", match="m1", ply=0)
    for answer in (judged(0, 500), Refused(ref="r", code="busy", text="Busy.")):
        assert update(model, Settled(late, answer)).review == Review(3)
    assert update(update(model, over.snapshot()), opened).review is None, "come back to, it is a match like others"


def test_nobody_has_moved_in_a_saved_game_that_is_gone_over(over: Refereed) -> None:
    """So no moves are counted beside its end, and no time for one."""
    labels = [one.label for one in statistics(over.model())]
    assert "moves" in labels
    ended = over.snapshot()
    assert ended.result is not None
    none = replace(ended.result, stats=(SeatStats(0, 0), SeatStats(0, 0)))
    from_a_file = update(over.model(), replace(ended, result=none))
    assert "moves" not in [one.label for one in statistics(from_a_file)]
    opened = update(over.model(), replace(over.snapshot(), review=True))
    assert "moves" not in [one.label for one in statistics(opened)]


def test_a_refusal_ends_it_and_is_told(over: Refereed) -> None:
    """It is known whose end it is: the server's, with its reason, or the user's."""
    model = update(over.model(), Reviewed())
    refusal = Refused(ref="r", code="still_played", text="Not while it goes on.")
    refused = settled(model, refusal)
    assert (refused.review_asks, refused.notice.text) == (None, "Not while it goes on.")
    assert refused.review is not None
    assert refused.review.refusal == refusal
    broken_off = update(model, Reviewed()).review
    assert broken_off is not None
    assert (broken_off.goes_on, broken_off.refusal) == (False, None)
    again = update(update(refused, Reviewed()), Reviewed()).review
    assert again == Review(3), "put away and begun again it knows no reason any more"


def test_nothing_is_reviewed_before_the_end() -> None:
    assert not BY_ACTION["review"].is_seen(Refereed("dots-and-boxes").model())
    model = Refereed("dots-and-boxes").model()
    assert isinstance(understand(Said(("review",), model, lambda: "r")), Tell)


def test_plain_lines_tell_progress_and_what_came_of_it(over: Refereed) -> None:
    before = over.model()
    assert understand(Said(("review",), before, lambda: "r")) == Asks()
    model = update(before, Reviewed())
    assert tell(before, model, Reviewed()) == ["Review: 0 of 4 positions. Type review to break it off."]
    for ply, lead in enumerate((0, -300, -300, -300)):
        before, model = model, settled(model, judged(ply, lead))
    assert tell(before, model, Reviewed()) == [
        "Review: what cost most.", "Ada stood, from low to high: ▅▃▃▃",
        "1. Ada: played gives a box away. Better: best takes 1 box.",
    ]  # fmt: skip


def test_in_the_window_every_position_can_be_clicked(over: Refereed) -> None:
    model = update(over.model(), Reviewed())
    for ply, lead in enumerate((0, -300, -300, -300)):
        model = settled(model, judged(ply, lead))
    sheet = Sheet(1280, 800)
    bottom = draw_end(sheet, Rect(0, 0, 400, 800), model)
    picture = sheet.picture()
    looks = [target for target in picture.targets if target.action == "look"]
    assert [target.value for target in looks][:4] == ["0", "1", "2", "3"]
    assert all(target.rect.bottom <= bottom for target in looks)
    assert looks[-1].value == "0", "a mistake leads to the position in which it was made"
    texts = [shape.text for shape in picture.shapes if isinstance(shape, Text)]
    assert "Review: what cost most" in texts
