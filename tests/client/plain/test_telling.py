"""From what happens to lines: one for each thing, in order, and never twice."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from client.conversation.cleaning import cleaned_event
from client.conversation.events import Event, Left, Offline
from client.plain.telling import Hearing, Warned, calls, tell, title, warning
from client.shown.model import Link, Model, update
from client.shown.words.ending import rematch
from client.start.console import Speaker
from protocol.messages import (
    Away,
    AwayInfo,
    Chat,
    ClockRule,
    Continued,
    Ended,
    Joined,
    OfferClosed,
    Offered,
    Paused,
    Presence,
    Refused,
    Rematched,
    Replaced,
    Result,
    Said,
    SeatStats,
    Welcome,
)
from tests.client import student_game
from tests.client.positions import DOTS_INFO, moved, snapshot

WELCOME = Welcome(ref="r", player="p", name="Ada", games=(DOTS_INFO,), matches=("m9",))


def told(events: Sequence[Event], model: Model | None = None) -> list[str]:
    """All that is said; "!" stands for the bell."""
    model = model if model is not None else Model()
    lines = []
    for event in events:
        before, model = model, update(model, cleaned_event(event))
        lines += tell(before, model, event)
        if calls(before, model):
            lines.append("!")
    return lines


def playing(**changes: Any) -> Model:
    """Connected, and in the match of the hand-made positions."""
    model = Model()
    for event in (WELCOME, snapshot(**changes)):
        model = update(model, event)
    return model


def test_a_match_from_its_beginning_to_its_end() -> None:
    result = Result(winner=0, reason="score", text="Ada wins.", stats=(SeatStats(1, 1500), SeatStats(1, 400)))
    begins = snapshot(seats=(snapshot().seats[0], structs.replace(snapshot().seats[1], name=None)), status="waiting")
    events: list[Event] = [
        WELCOME,
        structs.replace(begins, version=1, text="Waiting", key="QWER-TYUI"),
        Joined(match="m1", version=2, at_ms=0, seat=1, name="Ben", status="playing", text="Player 1's turn"),
        moved(3, 0, "a1-b1"),
        moved(4, 1, "a1-a2", scores=((0,), (1,))),
        Refused(ref="", code="line_taken", text="This line is drawn already."),
        Ended(match="m1", version=5, at_ms=0, result=result, can=(("offer_rematch",), ("offer_rematch",))),
        Left("m1"),
    ]
    assert told(events) == [
        "Connected as Ada. Type help for the words, list for the matches.",
        "Matches of yours that go on: 1. They come first in the list.",
        "Dots and Boxes, 8 x 8, match m1.",
        "The key to give to your opponent: QWER-TYUI",
        "You play X and begin.",
        "At the board: Ada (X).",
        "Waiting",
        "Ben sat down.",
        "Player 1's turn",
        "Your turn.",
        "!",
        "Ada: a1-b1",
        "Player 2's turn",
        "Ben: a1-a2 (+1)",
        "Player 1's turn",
        "Your turn.",
        "!",
        "This line is drawn already.",
        "Ada wins.",
        "Ada: 0 boxes, 1 move, 1.5 s each.",
        "Ben: 1 box, 1 move, 0.4 s each.",
        "Type rematch, save NAME or lobby.",
        "You are in the lobby.",
    ]


def test_a_rematch_asked_of_who_has_left_is_told_to_be_unseen() -> None:
    """RU-M7: as in the other clients."""
    first, second = snapshot().seats
    model = playing(status="ended", seats=(first, structs.replace(second, here=False)))
    asked = Offered(match="m1", version=3, at_ms=0, seat=0, kind="rematch", can=(("withdraw",), ()))
    assert told([asked], model) == [
        "Ada asks for a rematch.", "Ben is not at this match now, and sees it on coming back.",
    ]  # fmt: skip


def test_around_the_moves() -> None:
    can = {"answer": (("answer",), ()), "stay": (("wait_longer", "call_draw"), ())}
    events: list[Event] = [
        Offered(match="m1", version=3, at_ms=0, seat=1, kind="draw", can=can["answer"]),
        OfferClosed(match="m1", version=4, at_ms=0, seat=1, kind="draw", fate="declined", can=((), ())),
        Paused(match="m1", version=5, at_ms=0, seat=0, until_ms=9, text="Ada paused.", can=(("continue",), ())),
        Continued(match="m1", version=6, at_ms=0, seat=0, text="Player 1's turn", can=((), ())),
        snapshot(version=6),
        Presence(match="m1", here=(True, False), spectators=0),
        Away(match="m1", version=7, at_ms=1_000, away=(AwayInfo(1, 31_000),), can=can["stay"]),
        Replaced(match="m1", version=8, at_ms=0, seat=0, by="restart"),
        snapshot(version=8),
    ]
    assert told(events, playing()) == [
        "Ben offers a draw.",
        "Type accept or decline.",
        "!",
        "Ada declines (draw).",
        "Ada paused the match.",
        "The board is hidden. Type continue to go on.",
        "Ada goes on.",
        "Player 1's turn",
        "Your turn.",
        "!",
        "Ben lost the connection.",
        "Your opponent is away. Without them the match ends in 30 seconds. "
        "Type wait for another minute, or callit for a draw.",
        "The match was restarted.",
        "Player 1's turn",
        "Your turn.",
        "!",
    ]


def test_a_lost_connection_is_told_once() -> None:
    lost = "The connection was lost."
    events: list[Event] = [Offline(1, lost), Offline(3, "Nobody answers."), Offline(9, "Nobody answers."), WELCOME]
    assert told(events, playing()) == [
        "The connection was lost. Coming back by itself; what you type meanwhile is sent then.",
        "Connected again.",
    ]
    assert told([Offline(0, "Nobody answers.")]) == []


def test_who_comes_late_is_told_how_it_stands() -> None:
    lines = told([WELCOME, snapshot(you=(), plies=4, clock=(1, 2), clock_rule=ClockRule(per_move_ms=30_000))])[2:]
    assert lines == [
        "Dots and Boxes, 8 x 8, match m1.",
        "You watch.",
        "At the board: Ada (X) and Ben (O).",
        "The clock is 30 seconds for each move.",
        "Moves so far: 4.",
        "Player 1's turn",
    ]


def test_two_at_one_keyboard_are_not_called() -> None:
    """DB 1.8."""
    both = playing(you=(0, 1))
    assert "!" not in told([moved(3, 0, "a1-b1")], both)
    assert title(both) == "Parlour: playing"
    assert title(playing()) == "Your turn - Parlour"
    assert title(Model()) == "Parlour"


def test_the_rematch_is_gone_on_to_once() -> None:
    """`RU-M7`."""
    before = playing(status="ended")
    after = update(before, Rematched(match="m1", version=3, at_ms=0, next="m2"))
    assert rematch(before, after) == "m2"
    assert rematch(after, update(after, Presence(match="m1", here=(True, True), spectators=1))) == ""
    assert rematch(Model(), after) == ""


def test_little_time_is_told_at_twenty_ten_and_five_seconds() -> None:
    model = replace(playing(clock=(25_000, 60_000), now_ms=100_000), server_minus_now_ms=0.0)
    warned, said = Warned(), []
    for now_s in (100, 104, 105, 106, 115, 116, 120, 121, 124.9):
        line, warned = warning(model, now_s, warned)
        said += [line] if line else []
    assert said == ["You have 20 seconds left.", "You have 10 seconds left.", "You have 5.0 seconds left."]
    assert warning(playing(), 1e6, Warned())[0] is None


def test_what_is_said_is_heard_once() -> None:
    hearing = Hearing()

    def said(number: int, match: str = "m1") -> Said:
        return Said(match=match, channel="players", number=number, name="Ben", text=f"hi {number}", at_ms=0, seat=1)

    assert hearing.take(said(1)) == ["Ben says: hi 1"]
    assert hearing.take(said(1)) == []
    assert hearing.take(Chat(match="m1", channel="players", lines=(said(1), said(2)))) == ["Ben says: hi 2"]
    assert hearing.take(said(1, "m2")) == ["Ben says: hi 1"]
    assert hearing.take(WELCOME) == []


HOSTILE = "\x1b[2J\x1b]0;x\a\r\b\x9b31m\u202eBen\u2028\0\x7f"


@pytest.mark.parametrize("is_terminal", [False, True])
def test_no_control_code_gets_out(monkeypatch: pytest.MonkeyPatch, is_terminal: bool) -> None:
    """H16: from names, texts and errors; only the bell and the title of our own, and those only at a terminal."""
    output = io.StringIO()
    monkeypatch.setattr(output, "isatty", lambda: is_terminal)
    monkeypatch.setenv("TERM", "xterm")
    speaker = Speaker(output)
    seats = tuple(structs.replace(seat, name=HOSTILE) for seat in snapshot().seats)
    events: list[Event] = [
        structs.replace(WELCOME, name=HOSTILE),
        snapshot(seats=seats, text=HOSTILE, match=HOSTILE, key=HOSTILE),
        Refused(ref="", code="x", text=HOSTILE),
        Offline(0, HOSTILE),
    ]
    speaker.say(told(events))
    speaker.say([HOSTILE])
    assert set(output.getvalue()) - {"\n"} <= {chr(code) for code in range(32, 127)} | {"“", "”"}
    output.truncate(0)
    output.seek(0)
    speaker.ring()
    speaker.title(HOSTILE)
    expected = "\a\x1b]0;[2J]0;x31mBen \a" if is_terminal else ""
    assert output.getvalue() == expected


def test_an_output_that_nobody_reads_is_noticed() -> None:
    output = io.StringIO()
    output.close()
    try:
        speaker = Speaker(io.StringIO())
        speaker._output = output
        speaker.say(["x"])
        assert speaker.is_broken
    finally:
        output.close()


def test_the_model_of_a_new_client_is_told_nothing() -> None:
    assert tell(Model(), Model(link=Link.UP), Left("m")) == ["You are in the lobby."]


def test_t5_each_move_of_a_students_game_is_said_once_and_whole() -> None:
    lines = told([student_game.shown(1), *(student_game.moved(number) for number in (2, 3))])[-2:]
    assert lines == ['2. Bea: match_status "next", row 2', '3. Ana: match_status "next", row 3']
