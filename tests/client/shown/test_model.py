"""What the user sees, event by event."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import pytest
from msgspec import structs

from client.conversation.events import Event, Latency, Left, NewGuest, Offline, Sent, Settled
from client.conversation.position import advance, seat_name
from client.shown.model import Link, Mine, Model, Notice, update
from client.shown.story import HASTE
from client.shown.words.lobby import people_text
from protocol.board import Mark, Piece
from protocol.messages import (
    Accepted,
    Cancel,
    Ended,
    GoingAway,
    Joined,
    LegalChange,
    LobbyChange,
    LobbyState,
    MatchSummary,
    Move,
    Presence,
    Refused,
    Result,
    Said,
    SeatFreed,
    SeatInfo,
    SetBack,
    Welcome,
)
from server.match import commands as c
from tests.client.positions import DARK_BLUE, DOTS_INFO, LIGHT_BLUE, moved, snapshot
from tests.client.refereed import Refereed, infos

WELCOME = Welcome(ref="h", player="id", name="Ada", games=(DOTS_INFO,))


def after(*events: Event, model: Model | None = None) -> Model:
    return reduce(update, events, model if model is not None else Model())


def row(match: str, created_ms: int = 0, **changes: object) -> MatchSummary:
    plain = MatchSummary(
        match=match,
        game="dots-and-boxes",
        options={},
        status="waiting",
        names=("Ben", None),
        created_ms=created_ms,
    )
    return structs.replace(plain, **changes)


def test_the_connection_new_up_down_and_up_again() -> None:
    """UD RF1: the result of connecting is shown; a loss counts from its first failure."""
    model = after(Offline(5.0, "Nobody answers."))
    assert (model.link, model.down_reason) == (Link.NEW, "Nobody answers.")
    model = after(WELCOME, model=model)
    assert (model.link, model.down_since, model.name) == (Link.UP, None, "Ada")
    model = after(Latency(12.0, 1.0), Offline(10.0, "lost"), Offline(12.0, "still"), model=model)
    assert (model.link, model.down_since, model.latency_ms) == (Link.DOWN, 10.0, None)
    model = after(WELCOME, model=model)
    assert model.link is Link.UP
    assert model.notice.text == "Connected again."


def test_the_lobby_is_kept_newest_first() -> None:
    model = after(LobbyState(matches=(row("a", 1), row("b", 3)), total=2))
    assert model.lobby is not None
    assert [one.match for one in model.lobby] == ["b", "a"]
    model = after(LobbyChange(put=(row("c", 2), row("a", 1, status="playing")), gone=("b", "zzz")), model=model)
    assert model.lobby is not None
    assert [(one.match, one.status) for one in model.lobby] == [("c", "waiting"), ("a", "playing")]
    assert model.lobby_total == 2


def test_who_is_here_is_known_until_told_otherwise() -> None:
    model = after(LobbyState(matches=(), people=("Ada", "bob", "Zoe"), here=12))
    model = after(LobbyChange(put=(row("a", 1),)), model=replace(model, name="Ada"))
    assert people_text(model) == "Here: bob, Zoe and 9 more"
    assert people_text(model, 21) == "Here: bob and 10 more"
    assert people_text(replace(model, link=Link.DOWN)) == "Who is here is not known now"
    assert people_text(model, 5) == "11 others are here"
    model = after(LobbyChange(people=("Ada",), here=1), model=model)
    assert people_text(model) == "Nobody else is here"


def test_a_move_changes_what_it_says_and_nothing_else() -> None:
    model = after(WELCOME, snapshot())
    event = moved(
        3, 0, "a1-b1",
        marks={"a1-b1": Mark(0, Piece.LINE), "#a1": Mark(0, Piece.BOX)},
        scores=((1,), (0,)), to_move=0, text="Player 1's turn", legal=LegalChange(add=("new",), drop=("a1-b1",)),
    )  # fmt: skip
    model = after(event, model=model)
    match = model.match
    assert match is not None
    assert match.version == 3
    assert match.marks == event.marks
    assert match.scores == ((1,), (0,))
    assert "a1-b1" not in match.legal
    assert match.legal[-1] == "new"
    assert match.last is not None
    assert match.last.move == "a1-b1"
    assert match.plies == 1
    assert model.happenings[-1].text == "Ada: a1-b1 (+1)"
    assert model.is_my_turn


def test_marks_are_taken_away() -> None:
    before = snapshot(marks={"x": Mark(1, Piece.MAN), "y": Mark(0, Piece.MAN)})
    assert advance(before, moved(3, 0, "m", marks={"x": None, "gone": None})).marks == {"y": Mark(0, Piece.MAN)}


def test_what_the_opponent_lost_is_told() -> None:
    model = after(WELCOME, snapshot(scores=((3,), (3,))), moved(3, 0, "22x15", scores=((3,), (2,))))
    assert model.happenings[-1].text == "Ada: 22x15 (Ben -1)"


def test_own_moves_are_pending_until_they_are_stored() -> None:
    first = Move(ref="1", match="m1", version=2, move="a1-b1")
    second = Move(ref="2", match="m1", version=3, move="b1-c1")
    model = after(WELCOME, snapshot(), Sent(first))
    assert model.pending_moves == ("a1-b1",)
    assert model.next_version == 3
    model = after(Sent(second), model=model)
    assert model.next_version == 4
    event_first = after(moved(3, 0, "a1-b1", to_move=0), model=model)
    assert event_first.pending_moves == ("b1-c1",)
    assert event_first.next_version == 4
    answer_first = after(Settled(first, Accepted(ref="1", match="m1", version=3)), model=model)
    assert answer_first.pending_moves == ("b1-c1",)
    done = after(Settled(first, Accepted(ref="1", match="m1", version=3)), model=event_first)
    assert done.next_version == 4


def test_a_refused_move_leaves_the_board_and_says_why() -> None:
    """DB 7.3.2.1: an error message, the turn stays."""
    command = Move(ref="1", match="m1", version=2, move="a1-b2")
    refusal = Refused(ref="1", code="diagonal", text="Never diagonally.", match="m1", version=2)
    before = after(WELCOME, snapshot())
    model = after(Sent(command), Settled(command, refusal), model=before)
    assert model.match == before.match
    assert model.pending == ()
    assert (model.notice.text, model.notice.code) == ("Never diagonally.", "diagonal")
    again = after(Sent(command), Settled(command, refusal), model=model)
    assert again.notice != model.notice
    assert after(moved(3, 0, "a1-b1"), model=again).notice.text == ""


def test_a_player_joins_leaves_and_joins() -> None:
    """UD RF5: the start is told by the one who takes the second seat."""
    waiting = snapshot(
        version=1,
        status="waiting",
        seats=(SeatInfo(style=DARK_BLUE, name="Ada", here=True), SeatInfo(style=LIGHT_BLUE)),
    )
    joined = Joined(match="m1", version=2, at_ms=0, seat=1, name="Ben", status="playing", text="Player 1's turn")
    model = after(WELCOME, waiting)
    assert not model.is_my_turn
    model = after(joined, model=model)
    assert model.match is not None
    assert (model.match.status, seat_name(model.match, 1)) == ("playing", "Ben")
    assert model.is_my_turn
    model = after(SeatFreed(match="m1", version=3, at_ms=0, seat=1, text="Ready"), model=model)
    assert model.match is not None
    assert (model.match.status, seat_name(model.match, 1)) == ("waiting", "Player 2")
    assert [line.text for line in model.happenings] == ["Ben sat down.", "Ben left."]


def test_the_end_is_final() -> None:
    """UD RF7, DB 7.2.1.3."""
    result = Result(winner=0, reason="abandoned", text="Ben surrendered. Ada wins.")
    model = after(WELCOME, snapshot(), Ended(match="m1", version=3, at_ms=0, result=result))
    assert model.match is not None
    assert (model.match.status, model.match.to_move, model.match.legal) == ("ended", None, ())
    assert model.match.text == "Ben surrendered. Ada wins."
    assert model.mine == ()
    assert not model.is_my_turn


def test_presence_is_shown_and_told() -> None:
    """Nobody is back who is not known to have been away: in a match of a challenge both come from elsewhere."""
    gone = Presence(match="m1", here=(True, False), spectators=4, where=("board", "lost"))
    model = after(WELCOME, snapshot(), gone)
    assert model.match is not None
    assert [seat.here for seat in model.match.seats] == [True, False]
    assert model.match.spectators == 4
    assert model.match.version == 2
    assert model.happenings[-1].text == "Ben lost the connection."
    back = after(Presence(match="m1", here=(True, True), spectators=4), model=model)
    assert back.happenings[-1].text == "Ben is back."
    elsewhere = after(Presence(match="m1", here=(True, False), spectators=4), model=back)
    came = after(Presence(match="m1", here=(True, True), spectators=4), model=elsewhere)
    assert came.happenings[-1].text == "Ben is here."


@pytest.mark.parametrize(
    ("status", "plies", "kept"), [("playing", 3, True), ("playing", 0, False), ("waiting", 0, False)]
)
def test_a_seat_is_kept_once_moves_were_made(status: str, plies: int, kept: bool) -> None:
    model = after(WELCOME, snapshot(status=status, plies=plies))
    assert [mine.match for mine in model.mine] == ["m1"]
    model = after(Left("m1"), model=model)
    assert model.match is None
    assert [mine.match for mine in model.mine] == (["m1"] if kept else [])


def test_matches_that_go_on_keep_what_is_known_of_them() -> None:
    model = after(WELCOME, snapshot(plies=1), Left("m1"))
    again = Welcome(ref="h", player="id", name="Ada", matches=("m1", "m7"))
    model = after(again, model=model)
    assert model.mine == (Mine("m1", "dots-and-boxes", ("Ada", "Ben")), Mine("m7"))
    command = Cancel(ref="c", match="m7")
    model = after(Sent(command), Settled(command, Accepted(ref="c", match="m7")), model=model)
    assert [mine.match for mine in model.mine] == ["m1"]


def test_a_new_match_starts_a_new_story() -> None:
    model = after(WELCOME, snapshot(), moved(3, 0, "a1-b1"))
    assert model.happenings
    assert after(snapshot(match="m2"), model=model).happenings == ()
    assert after(snapshot(version=9), model=model).happenings == model.happenings


def test_two_people_at_one_keyboard() -> None:
    """DB 1.8: either's turn is a turn from here, and the seats keep their own names."""
    model = after(WELCOME, snapshot(you=(0, 1), to_move=1))
    assert model.holds_both
    assert model.is_my_turn
    assert model.viewer_seat is None
    assert model.match is not None
    assert seat_name(model.match, 1) == "Player 2"


def test_a_spectator_has_no_turn() -> None:
    model = after(WELCOME, snapshot(you=()))
    assert not model.plays
    assert not model.is_my_turn
    assert model.mine == ()


def test_news_give_way_to_what_happens_and_refusals_to_a_move() -> None:
    """A player never reads old news as if they were the newest."""
    away = Presence(match="m1", here=(True, False), spectators=0)
    news = replace(after(WELCOME, snapshot()), notice=Notice("Connected again.", "", 4))
    assert after(away, model=news).notice == Notice(number=4)
    said = Said(match="m1", channel="players", number=1, name="Ben", text="Hello", at_ms=5, seat=1)
    assert after(said, model=news).notice == Notice(number=4)
    refused = replace(news, notice=Notice("Never diagonally.", "diagonal", 4))
    assert after(away, model=refused).notice.text == "Never diagonally."
    assert after(said, model=refused).notice.text == "Never diagonally."
    assert after(moved(3, 1, "a1-b1"), model=refused).notice.text == ""


def test_news_about_the_connection_are_notices() -> None:
    assert after(GoingAway(text="Back soon.")).notice.text == "Back soon."
    assert "new guest" in after(NewGuest()).notice.text
    assert after(Refused(ref="", code="x", text="unread")).notice.text == "unread"


def test_q9_a_match_that_was_set_back_begins_anew_on_screen() -> None:
    """Q9: what had happened is no more, one sentence says why, and lines are heard again under their old numbers."""
    said = Said(match="m1", channel="players", number=7, name="Ben", text="Hello", at_ms=5, seat=1)
    model = after(WELCOME, snapshot(), moved(3, 0, "a1-b1"), said)
    model = after(SetBack(match="m1", version=2, text="Some of it is lost."), model=model)
    assert model.notice.text == "Some of it is lost."
    assert [line.text for line in model.happenings] == ["Some of it is lost."]
    assert model.is_covered
    model = after(snapshot(version=2), model=model)
    assert not model.is_covered
    assert model.match is not None
    assert (model.match.version, model.notice.text) == (2, "Some of it is lost.")
    again = Said(match="m1", channel="players", number=1, name="Ben", text="Once more", at_ms=6, seat=1)
    assert "Once more" in after(again, model=model).happenings[-1].text


def test_q9_a_match_that_was_lost_is_left_with_a_word() -> None:
    """Q9: in the lobby the sentence stands as a notice."""
    model = after(WELCOME, snapshot(), Left("m1"), SetBack(match="m1", version=0, text="The server has lost it."))
    assert model.match is None
    assert model.notice.text == "The server has lost it."


def test_another_name_is_told_as_such() -> None:
    """Issue 14, 17: who changes the name comes anew, and has lost no connection before."""
    model = update(update(Model(), WELCOME), Offline(0.0, "bye"))
    assert update(model, WELCOME).notice.text == "Connected again."
    assert update(model, structs.replace(WELCOME, name="Adele")).notice.text == "You are Adele now."


def test_a_move_in_haste_is_told_as_one() -> None:
    """While the match goes on, and not only at its end; what a hub from before tells is as it was."""
    match = Refereed()
    model = update(Model(link=Link.UP, games=infos()), match.snapshot())
    for hurried in (True, False):
        player = "ada" if match.match.turn == 0 else "ben"
        move = min(match.match.legal)
        for event in match.do(player, c.Play(match.match.version, move, hurried)):
            model = update(model, event)
        assert model.happenings[-1].text.endswith(f": {move}{HASTE if hurried else ''}")
