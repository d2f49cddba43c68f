"""From a typed line to what is asked for: pure, on hand-made boards."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from client.kept.saves import SavedGame
from client.plain.intents import Intent, Invited, LeaveMatch, ListSaves, LoadFrom, Quit, RevertTo, Said, SaveAs, Tell
from client.plain.starting import NotUnderstood, at_one_keyboard, from_saved, read_clock, read_start, read_value
from client.plain.words import BY_NAME, WORDS, understand
from client.shown.model import Link, Mine, Model
from protocol.messages import (
    Abandon,
    Answer,
    CallDraw,
    Cancel,
    Challenge,
    ClockRule,
    Continue,
    Create,
    GameInfo,
    Join,
    Level,
    MatchSummary,
    Move,
    Offer,
    Pause,
    QuickMatch,
    Say,
    Snapshot,
    WaitLonger,
    Watch,
    Withdraw,
)
from tests.client import student_game
from tests.client.positions import DOTS_INFO, snapshot, squares_board

SQUARE = GameInfo(
    name="square", title="Square", summary="", help="Rules.", computer=True, levels=(Level("hard", "Hard"),)
)  # fmt: skip
SQUASH = GameInfo(name="squash", title="Squash", summary="", help="")
GAMES = {"dots-and-boxes": DOTS_INFO, "square": SQUARE, "squash": SQUASH}


def summary(match: str, status: Any = "waiting") -> MatchSummary:
    return MatchSummary(match=match, game="square", options={}, status=status, names=("Ada", None), created_ms=0)


def model(match: Snapshot | None = None, **changes: Any) -> Model:
    lobby = (summary("m1"), summary("m2", "playing"))
    return Model(link=Link.UP, name="Ada", games=GAMES, lobby=lobby, match=match, **changes)


def asked(
    line: str, match: Snapshot | None = None, *, listed: tuple[str, ...] = (), page: str = "", **changes: Any
) -> Intent:
    refs = count(1)
    return understand(
        Said(tuple(line.split()), model(match, **changes), lambda: f"r{next(refs)}", 0.0, listed, offer=7, page=page)
    )


def told(line: str, match: Snapshot | None = None, **changes: Any) -> str:
    answer = asked(line, match, **changes)
    assert isinstance(answer, Tell)
    return "\n".join(answer.lines)


# Moves ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["a1-b1", "A1-B1", "b1-a1", "a1 b1", "b1 a1", " a1,b1 ", "a1, b1"])
def test_a_line_is_typed_in_many_ways(typed: str) -> None:
    match = snapshot()
    assert asked(typed, match) == Move(ref="r1", match=match.match, version=match.version, move="a1-b1")


def test_what_is_not_legal_is_sent_for_the_server_to_refuse() -> None:
    """DB 7.3.2.1 to 7.3.2.3."""
    match = snapshot()
    for typed, move in (("a1-c3", "a1-c3"), ("a1 c3", "a1-c3"), ("z9", "z9")):
        command = asked(typed, match)
        assert isinstance(command, Move)
        assert command.move == move


def test_jumps_are_typed_square_by_square() -> None:
    match = structs.replace(snapshot(squares_board()), legal=("22x15x6", "11-16"))
    for typed in ("22x15x6", "22 15 6", "22-15-6"):
        command = asked(typed, match)
        assert isinstance(command, Move)
        assert command.move == "22x15x6"


def test_a_legal_move_comes_before_a_word() -> None:
    match = structs.replace(snapshot(), legal=("draw",))
    assert isinstance(asked("draw", match), Move)


def test_who_only_watches_plays_no_moves() -> None:
    match = structs.replace(snapshot(), you=())
    assert "no word here" in told("a1-b1", match)
    assert "no word here" in told("a1-b1")


# Words ----------------------------------------------------------------------------------------------------------------


def test_each_word_in_a_match() -> None:
    match = snapshot()
    m, v = match.match, match.version
    expected = {
        "draw": Offer(ref="r1", match=m, kind="draw", version=v),
        "accept": Answer(ref="r1", match=m, accept=True, offer=7),
        "yes": Answer(ref="r1", match=m, accept=True, offer=7),
        "decline": Answer(ref="r1", match=m, accept=False, offer=7),
        "withdraw": Withdraw(ref="r1", match=m, offer=7),
        "takeback": Offer(ref="r1", match=m, kind="takeback", version=v),
        "restart": Offer(ref="r1", match=m, kind="restart", version=v),
        "rematch": Offer(ref="r1", match=m, kind="rematch", version=v),
        "revert my game": RevertTo("my game"),
        "pause": Pause(ref="r1", match=m),
        "CONTINUE": Continue(ref="r1", match=m),
        "wait": WaitLonger(ref="r1", match=m, version=v),
        "callit": CallDraw(ref="r1", match=m, version=v),
        "surrender": Abandon(ref="r1", match=m, version=v),
        "cancel": Cancel(ref="r1", match=m),
        "say  good   luck": Say(ref="r1", match=m, text="good luck"),
        "save my game": SaveAs("my game"),
        "save my game!": SaveAs("my game", replace=True),
        "saves": ListSaves(),
        "lobby": LeaveMatch(),
        "quit": Quit(),
        "q": Quit(),
        "": Tell(()),
    }
    assert {line: asked(line, match) for line in expected} == expected


def test_each_word_in_the_lobby() -> None:
    listed = ("m1", "m2", "m3")
    expected = {
        "join 1": Join(ref="r1", match="m1"),
        "join m1": Join(ref="r1", match="m1"),
        "join 3": Watch(ref="r1", match="m3"),
        "join QWER-TYUI": Invited("QWER-TYUI", join=True),
        "join <http://127.0.0.1:7878/#key=QWER-TYUI-OPAS>.": Invited("QWER-TYUI-OPAS", join=True),
        "invitation QWER-TYUI": Invited("QWER-TYUI", join=False),
        "watch 2": Watch(ref="r1", match="m2"),
        "watch zzz": Watch(ref="r1", match="zzz"),
        "load my game": LoadFrom("my game"),
        "load my game private clock=5": LoadFrom("my game", ("private", "clock=5")),
        "load both": LoadFrom("both"),
        "quick dots 3x3": QuickMatch(ref="r1", game="dots-and-boxes", options={"width": 3, "height": 3}),
        "computer square": Create(ref="r1", game="square", computer=True),
        "computer square hard second": Create(ref="r1", game="square", computer=True, level="hard", seat=1),
        "create square level=hard": Create(ref="r1", game="square", computer=True, level="hard"),
        "load my game level=hard second": LoadFrom("my game", ("level=hard", "second")),
        "create square private clock=5+3": Create(
            ref="r1", game="square", private=True, clock=ClockRule(total_ms=300_000, increment_ms=3_000)
        ),
        "create square both": Create(ref="r1", game="square", both_seats=True),
        "host square second private": Create(ref="r1", game="square", private=True, seat=1),
        "challenge Cy square second": Challenge(ref="r1", name="Cy", game="square", seat=1),
    }
    found = {line: asked(line, listed=listed, mine=(Mine("m3", "square"),)) for line in expected}
    assert found == expected


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("join 2", "being played already"), ("join 4", "no such number"), ("join 0", "no such number"),
        ("join", "Say which one"), ("invitation", "Say the key"),
        ("create", "Say which game"), ("create chess", "no game “chess”"),
        ("create squ", "may be any of square, squash"), ("create square nonsense", "not understood"),
        ("create square clock=soon", "5+3"), ("create square clock=9999", "24 hours"), ("load", "Say the name"),
        ("say hello", "in no match"), ("save x", "in no match"), ("board", "in no match"), ("draw", "in no match"),
        ("revert x", "in no match"), ("foo", "no word here"), ("help foo", "no word here"), ("x " * 600, "too long"),
        ("clock", "in no match"), ("moves", "in no match"), ("log", "in no match"), ("rules", "in no match"),
        ("quick square second", "takes the side that is free"),
        ("who", "You are Ada, in no match."), ("rules squ", "any of"), ("rules square", "Square."),
    ],
)  # fmt: skip
def test_what_makes_no_sense_in_the_lobby(line: str, says: str) -> None:
    assert says in told(line, listed=("m1", "m2"))


@pytest.mark.parametrize("line", ["create square", "quick square", "computer square", "join 1", "watch 1", "load x"])
def test_a_match_is_left_before_another_one(line: str) -> None:
    assert told(line, snapshot(), listed=("m1",)) == "You are in a match. Type lobby first."


@pytest.mark.parametrize(
    ("line", "says"),
    [("save", "Say the name"), ("revert", "Say the name"), ("say", "Say what"), ("say " + "x" * 201, "too long")],
)
def test_what_makes_no_sense_in_a_match(line: str, says: str) -> None:
    assert says in told(line, snapshot())


def test_the_list_gives_its_numbers_their_meaning() -> None:
    answer = asked("list", mine=(Mine("m3", "square", ("Ada", "Bob")),))
    assert answer == Tell(
        (
            "1. Square, Ada and Bob: yours, join to go on.",
            "2. Square, Ada: waits for an opponent, join to play.",
            "3. Square, Ada: being played, watch to see it.",
            "Nobody else is here.",
        ),
        ("m3", "m1", "m2"),
    )
    assert asked("lobby") == asked("list")


def test_help_names_every_word_and_each_has_its_own() -> None:
    everything = told("help")
    for word in WORDS:
        assert word.usage in everything
        assert word.help in told(f"help {word.name}")
    assert sorted(BY_NAME) == sorted({name for word in WORDS for name in (word.name, *word.others)})
    assert len(BY_NAME) == sum(1 + len(word.others) for word in WORDS)


def test_reports() -> None:
    match = snapshot()
    assert "dots-and-boxes: Dots and Boxes. Join dots, close boxes." in told("games")
    assert "Option width: Dots across; 2 to 15; else 8." in told("rules", match)
    assert told("clock", match) == "This match has no clock."
    timed = structs.replace(match, clock=(300_000, 8_050), clock_rule=ClockRule(total_ms=300_000, increment_ms=3_000))
    assert told("clock", timed).split("\n") == [
        "The clock is 5 min 0 s in total and 3 seconds for each move.",
        f"{match.seats[0].name}: 5 min 0 s left.",
        f"{match.seats[1].name}: 8.1 seconds left.",
    ]
    assert told("log", match) == "Nothing has happened yet."
    assert told("moves", match).startswith(f"Legal moves, {len(match.legal)}: ")
    assert told("moves", structs.replace(match, status="ended")) == "There is nothing to play now."


@given(st.text(max_size=60), st.booleans())
def test_whatever_is_typed_has_an_answer(line: str, playing: bool) -> None:
    assert asked(line, snapshot() if playing else None) is not None


# Starting -------------------------------------------------------------------------------------------------------------


def test_clocks_are_read() -> None:
    """`RU-M1`."""
    assert read_clock("none") == ClockRule()
    assert read_clock("5+3") == ClockRule(total_ms=300_000, increment_ms=3_000)
    assert read_clock("10") == ClockRule(total_ms=600_000)
    assert read_clock("30s") == ClockRule(per_move_ms=30_000)
    for bad in ("", "5+", "-5", "5:00", "30m", "99999", "1441"):
        with pytest.raises(NotUnderstood):
            read_clock(bad)


def test_values_are_what_they_look_like() -> None:
    assert [read_value(text) for text in ("true", "false", "-5", "x", "1.5")] == [True, False, -5, "x", "1.5"]


def test_a_saved_game_keeps_its_options() -> None:
    saved = SavedGame(game="square", options={"x": 1}, names=("a", "b"), moves=("a1-b1",), hash="0" * 64)
    command = from_saved(saved, ["private"]).create("r")
    without = ClockRule()
    assert command == Create(ref="r", game="square", options={"x": 1}, moves=("a1-b1",), private=True, clock=without)
    assert from_saved(saved, ["clock=3+2"]).create("r").clock == ClockRule(total_ms=180_000, increment_ms=2_000)
    for term in ("x=2", "5x5"):
        with pytest.raises(NotUnderstood):
            from_saved(saved, [term])


def test_at_one_keyboard_nobody_else_is_waited_for() -> None:
    """DB 1.8."""
    start = read_start(["square", "private"], GAMES)
    both = Create(ref="r", game="square", both_seats=True)
    assert at_one_keyboard(start.create("r")) == at_one_keyboard(start.quick("r")) == both
    against_it = Create(ref="r", game="square", computer=True)
    assert at_one_keyboard(against_it) == against_it
    assert at_one_keyboard(Pause(ref="r", match="m")) == Pause(ref="r", match="m")


def test_t5_the_log_of_a_students_game_names_the_page_with_both_sides() -> None:
    match, log = student_game.shown(2), student_game.entries(2)
    lines = told("log", match, log=log, page="http://192.168.0.10:7878/").split("\n")
    assert lines == [
        "2 moves.", '1. Ana: match_status "next", row 1', '2. Bea: match_status "next", row 2',
        f"Both sides: http://192.168.0.10:7878/dog/log/{student_game.MATCH}",
    ]  # fmt: skip
    assert told("log torre", match, log=log) == "0 of 2 moves with “torre”."
