"""Everything that a server can tell, with one line in every place that takes words."""

from __future__ import annotations

from msgspec import structs

from protocol.board import Board, Cell, Mark, Piece, Region, SeatStyle, Tone
from protocol.messages import (
    Ended,
    GameInfo,
    GoingAway,
    LobbyState,
    MatchSummary,
    Notification,
    Offered,
    Option,
    Preset,
    Refused,
    Result,
    Said,
    SeatInfo,
    Snapshot,
)
from tests.client.positions import dots_board, snapshot


def game_called(line: str) -> GameInfo:
    """A game whose words are all this line."""
    return GameInfo(
        name="dots-and-boxes", title=line, summary=line, help=f"{line}\n\n{line}", score_names=(line,),
        options=(
            Option(name="o", label=line, default=line, choices=(line, f"{line}b")),
            Option(name="n", label=line, default=3, low=2, high=9),
            Option(name="s", label=line, default=True),
        ),
        presets=(Preset(line, {"o": line}),), computer=True,
    )  # fmt: skip


def lobby_of(line: str) -> LobbyState:
    """A lobby full of it."""
    row = MatchSummary(
        match="a", game="dots-and-boxes", options={"o": line}, status="waiting", names=(line, None), created_ms=1
    )
    playing = structs.replace(row, match="b", status="playing", names=(line, line), game=line[:20] or "?")
    return LobbyState(matches=(row, playing), total=2, people=("Ada", line), here=3)


def board_of(line: str) -> Board:
    """Dots, labelled cells and a labelled region."""
    board = dots_board(3, 3)
    cells = (*board.cells, Cell("x", 0, 0, tone=Tone.DARK, label=line), Cell("y", 1, 0, tone=Tone.LIGHT, label=line))
    return structs.replace(board, cells=cells, regions=(Region("r", 0, 0, 2, 2, label=line),))


def match_of(line: str, version: int) -> Snapshot:
    """A match in which all are called so, in a board that is labelled so."""
    seats = tuple(
        SeatInfo(style=SeatStyle(line, colour, line), name=line, here=True) for colour in ("#00008b", "#4aa3df")
    )
    marks = {"#a1": Mark(0, Piece.BOX), "a1-b1": Mark(1, Piece.LINE), "x": Mark(1, Piece.KING), "r": Mark(0, Piece.WON)}
    board = board_of(line)
    return snapshot(
        board, version=version, seats=seats, text=line, marks=marks, legal=("a1-b1", "a1-a2"), scores=((1,), (0,))
    )


def told(line: str, number: int) -> list[Notification]:
    """One match full of the line, and what happens in it; versions and lines are numbered from `number` * 10 on."""
    version = number * 10 + 10
    return [
        match_of(line, version),
        Said(match="m1", name=line, text=line, channel="players", number=number + 1, at_ms=0, seat=1),
        Offered(match="m1", version=version + 1, at_ms=0, seat=1, kind="draw", text=line),
        Refused(ref="", code="no", text=line, data={line: line}),
        GoingAway(text=line, back_in_ms=0),
    ]


def ended(line: str, version: int) -> Ended:
    """The end of it."""
    return Ended(match="m1", version=version, at_ms=0, result=Result(winner=1, reason=line, text=line))
