"""What a server may send by its form, and none can mean: each kind in one place (docs/protocol.md, "What can be")."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from protocol.board import Cell, Dot, Line, Mark, Piece, Region, SeatStyle, Tone
from protocol.messages import (
    Away,
    AwayInfo,
    Chat,
    Continued,
    Ended,
    Excused,
    GameInfo,
    Joined,
    LastMove,
    LegalChange,
    LobbyChange,
    LobbyState,
    MatchSummary,
    Notification,
    OfferClosed,
    Offered,
    OfferInfo,
    Option,
    Paused,
    PauseInfo,
    Preset,
    Rematched,
    Replaced,
    Result,
    Said,
    SeatFreed,
    SeatInfo,
    SeatStats,
    Sides,
    Snapshot,
)
from tests.client.positions import DOTS_INFO, dots_board, moved, snapshot

NAN, INFINITE = float("nan"), float("inf")
FAR = 2**62
BOARD = dots_board(3, 3)


def board(**changes: Any) -> Snapshot:
    """A match on a board that is wrong in one place."""
    return snapshot(structs.replace(BOARD, **changes), version=9)


def with_dot(x: float, y: float) -> Snapshot:
    return board(dots=(*BOARD.dots[1:], Dot("a1", x, y)))


def match(**changes: Any) -> Snapshot:
    """A match that is wrong in one place."""
    return snapshot(version=9, **({"can": ((), ())} | changes))


def seats(style: SeatStyle) -> Any:
    return (SeatInfo(style=style, name="Ada", here=True), SeatInfo(style=style, name="Ben", here=True))


NEGATIVE = Result(winner=0, reason="x", text="x", stats=(SeatStats(-1, 0), SeatStats(0, 0)))
SNAPSHOTS: dict[str, Snapshot] = {
    "a dot at NaN": with_dot(NAN, 0),
    "a dot at infinity": with_dot(0, INFINITE),
    "a dot off the board": with_dot(3, 0),
    "a dot left of the board": with_dot(-1, 0),
    "a line at NaN": board(lines=(*BOARD.lines, Line("z", 0, 0, NAN, 0))),
    "a line to minus infinity": board(lines=(*BOARD.lines, Line("z", 0, -INFINITE, 1, 0))),
    "a line from no dot": board(lines=(*BOARD.lines, Line("z", 0, 0, 1, 0, "a1", "z9"))),
    "a cell off the board": board(cells=(*BOARD.cells, Cell("z", 2, 2))),
    "a cell at NaN": board(cells=(*BOARD.cells, Cell("z", NAN, NAN))),
    "a region that is huge": board(regions=(Region("r", 0, 0, 1e300, 1),)),
    "a region of negative width": board(regions=(Region("r", 1, 1, -1, 1),)),
    "a region of no cell": board(regions=(Region("r", 0, 0, 1, 1, ("z9",)),)),
    "a wide board": board(width=20_000.0),
    "a high board": board(height=1e300),
    "an infinite board": board(width=INFINITE),
    "a board that is no number": board(width=NAN, height=NAN),
    "a board of no width": board(width=0.0),
    "a negative board": board(height=-2.0),
    "the same dot twice": board(dots=(*BOARD.dots, Dot("a1", 1, 1))),
    "a line called like a dot": board(lines=(*BOARD.lines, Line("a1", 0, 0, 1, 0))),
    "an element without id": board(dots=(*BOARD.dots, Dot("", 1, 1))),
    "an element with a long id": board(dots=(*BOARD.dots, Dot("z" * 41, 1, 1))),
    "very many dots": board(dots=tuple(Dot(f"d{i}", 1, 1) for i in range(5_000)), lines=(), cells=()),
    "turned for seat 9": board(turned_for=(9,)),
    "a tone that is no colour": board(tones={Tone.DARK: "very dark"}),
    "a long label": board(cells=(*BOARD.cells, Cell("z", 0, 0, label="W" * 3_000))),
    "seat 9 is yours": match(you=(9,)),
    "seat -1 is yours": match(you=(-1,)),
    "seat 0 is yours twice": match(you=(0, 0)),
    "three seats are yours": match(you=(0, 1, 2)),
    "seat 9 is to move": match(to_move=9),
    "seat -1 is to move": match(to_move=-1),
    "a mark of seat 7": match(marks={"a1-b1": Mark(7, Piece.LINE)}),
    "a mark on nothing": match(marks={"z9": Mark(0, Piece.LINE)}),
    "focus on nothing": match(focus=("z9",)),
    "a last move by seat 2": match(last=LastMove(2, "a1-b1")),
    "an offer by seat 5": match(offer=OfferInfo("draw", 5)),
    "a pause by seat 5": match(pause=PauseInfo(5, 1)),
    "a pause for ever": match(pause=PauseInfo(0, FAR)),
    "a pause before time": match(pause=PauseInfo(0, -FAR)),
    "seat 4 is away": match(away=(AwayInfo(4, 1),)),
    "seat 0 is away twice": match(away=(AwayInfo(0, 1), AwayInfo(0, None))),
    "seat 8 has won": match(status="ended", result=Result(winner=8, reason="x", text="x")),
    "a negative number of moves": match(status="ended", result=NEGATIVE),
    "a score for one alone": match(scores=((1, 2), (1,))),
    "a huge score": match(scores=((FAR,), (0,))),
    "a negative score": match(scores=((-1,), (0,))),
    "very many scores": match(scores=((0,) * 99, (0,) * 99)),
    "a clock of ages": match(clock=(FAR, FAR)),
    "a time of ages": match(now_ms=FAR),
    "made before time": match(created_ms=-FAR),
    "very many moves": match(legal=tuple(f"m{i}" for i in range(5_000))),
    "a long move": match(legal=("x" * 200,)),
    "an empty move": match(legal=("",)),
    "plies below nothing": match(plies=-1),
    "spectators below nothing": match(spectators=-5),
    "a version below nothing": structs.replace(match(), version=-3),
    "a colour that is none": match(seats=seats(SeatStyle("Ada", "rot", "x"))),
    "a colour that is long": match(seats=seats(SeatStyle("Ada", "#" + "0" * 99, "x"))),
    "a long name": match(seats=seats(SeatStyle("A" * 3_000, "#000000", "x"))),
    "a long sentence": match(text="W" * 3_000),
    "very many actions": match(can=(tuple(f"a{i}" for i in range(99)), ())),
    "very many options": match(options={f"o{i}": i for i in range(99)}),
}  # fmt: skip
"""Snapshots of the match m1."""


def event(what: type[Any], **fields: Any) -> Any:
    return what(match="m1", version=3, at_ms=0, **fields)


EVENTS: dict[str, Notification] = {
    "a move by seat 9": moved(3, 9, "a1-b1", to_move=0, marks={}),
    "then seat 9 is to move": moved(3, 0, "a1-b1", to_move=9),
    "a move marks nothing": moved(3, 0, "a1-b1", marks={"z9": Mark(0, Piece.LINE)}),
    "a move marks for seat 3": moved(3, 0, "a1-b1", marks={"a1-b1": Mark(3, Piece.LINE)}),
    "a move focuses on nothing": moved(3, 0, "a1-b1", focus=("z9",)),
    "a move scores without end": moved(3, 0, "a1-b1", scores=((FAR,), (0,))),
    "a move scores for one": moved(3, 0, "a1-b1", scores=((1,), ())),
    "a move without name": structs.replace(moved(3, 0, "a1-b1"), move=""),
    "a move opens very many": moved(3, 0, "a1-b1", legal=LegalChange(add=tuple(f"m{i}" for i in range(5_000)))),
    "seat 5 is taken": event(Joined, seat=5, name="Ben", status="playing"),
    "seat 5 is freed": event(SeatFreed, seat=5),
    "seat 5 offers": event(Offered, seat=5, kind="draw"),
    "seat 5's offer is closed": event(OfferClosed, seat=5, kind="draw", fate="declined"),
    "seat 5 goes back": event(Replaced, seat=5, by="restart"),
    "seat 5 pauses": event(Paused, seat=5, until_ms=1),
    "a pause for ever": event(Paused, seat=0, until_ms=FAR),
    "seat 5 goes on": event(Continued, seat=5),
    "seat 5 is away": event(Away, away=(AwayInfo(5, 1),)),
    "seat 5 wins": event(Ended, result=Result(winner=5, reason="x", text="x")),
    "an outage below nothing": event(Excused, outage_ms=-FAR),
    "an outage of ages": event(Excused, outage_ms=FAR),
    "a rematch that is none": event(Rematched, next=""),
    "a clock of ages": moved(3, 0, "a1-b1", clock=(FAR, 0)),
    "at no time": structs.replace(moved(3, 0, "a1-b1"), at_ms=FAR),
    "said by seat 9": Said(match="m1", channel="players", number=1, name="Ben", text="x", at_ms=0, seat=9),
    "said at great length": Said(match="m1", channel="players", number=1, name="Ben", text="W" * 3_000, at_ms=0),
    "a line below nothing": Said(match="m1", channel="players", number=-1, name="Ben", text="x", at_ms=0),
    "very much was said": Chat(
        match="m1", channel="players",
        lines=tuple(Said(match="m1", channel="players", number=i, name="B", text="x", at_ms=0) for i in range(600)),
    ),
}  # fmt: skip
"""What happens in that match at version 3."""

ROW = MatchSummary(match="a", game="square", options={}, status="waiting", names=("Ben", None), created_ms=1)
LOBBIES: dict[str, Notification] = {
    "a match twice": LobbyState(matches=(ROW, ROW)),
    "very many matches": LobbyState(matches=tuple(structs.replace(ROW, match=f"m{i}") for i in range(600))),
    "made before time": LobbyState(matches=(structs.replace(ROW, created_ms=-FAR),)),
    "people below nothing": LobbyState(matches=(), here=-1),
    "very many people": LobbyState(matches=(), people=("x",) * 500),
    "a long name": LobbyChange(put=(structs.replace(ROW, names=("A" * 3_000, None)),)),
    "a host without colour": LobbyChange(put=(structs.replace(ROW, styles=(SeatStyle("A", "", "x"),) * 2),)),
    "spectators without end": LobbyChange(put=(structs.replace(ROW, spectators=FAR),)),
    "an id too long": LobbyChange(gone=("x" * 99,)),
}


LONG_STYLE = SeatStyle("W" * 50_000, "#123456", "X")


def game(**changes: Any) -> GameInfo:
    return structs.replace(DOTS_INFO, **changes)


GAMES: dict[str, tuple[GameInfo, ...]] = {
    "a game twice": (DOTS_INFO, DOTS_INFO),
    "a game without name": (game(name=""),),
    "very many games": tuple(game(name=f"g{i}") for i in range(300)),
    "an option of a thousand million numbers": (game(options=(Option(name="o", label="o", default=0, high=10**9),)),),
    "an option out of its range": (game(options=(Option(name="o", label="o", default=9, low=1, high=3),)),),
    "a choice that is none": (game(options=(Option(name="o", label="o", default="z", choices=("a", "b")),)),),
    "an option twice": (game(options=(Option(name="o", label="o", default=True),) * 2),),
    "sides with a name that nobody can read": (game(sides=(Sides(first=LONG_STYLE, second=LONG_STYLE),)),),
    "very long rules": (game(help="W" * 50_000),),
    "a preset without end": (game(presets=(Preset("p", {"width": FAR}),)),),
}
"""What a server welcomes with."""
