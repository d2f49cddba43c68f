"""Games written out for people: the position, every move, what it changed, what is legal then, and the result.

A file in `files/` begins with what is played; `python -m tests.playthroughs` writes all that follows its first empty
line:

    about: a line that closes two boxes
    game: dots-and-boxes
    options: width=3 height=3
    play: moves a1-b1 !a1-b2 b1-c1
    draw: 1

`play` is `moves`, followed by moves (one that begins with `!` is to be refused), or `random` or `computer` with a seed.
Moves that the server makes by itself come without being named. `draw` says after how many moves the board is drawn and
the legal moves are listed again; a long game is easier to read with fewer pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from protocol.board import Mark, SeatStyle
from protocol.errors import Refusal
from server.games import AnyGame
from tests.playthroughs.drawing import draw, symbol

FILES = Path(__file__).parent / "files"
SUFFIX = ".txt"


@dataclass(frozen=True, slots=True)
class Header:
    """The first lines of a file."""

    about: str
    game: str
    options: str
    play: str
    draw: int = 1

    @staticmethod
    def read(content: str) -> Header:
        head, _, _ = content.partition("\n\n")
        fields = dict(line.split(":", 1) for line in head.splitlines())
        given = {name: value.strip() for name, value in fields.items()}
        return Header(given["about"], given["game"], given["options"], given["play"], int(given.get("draw", "1")))

    def write(self) -> str:
        lines = [
            f"about: {self.about}",
            f"game: {self.game}",
            f"options: {self.options}",
            f"play: {self.play}",
            f"draw: {self.draw}",
        ]
        return "\n".join(line.rstrip() for line in lines) + "\n"


def default_header(game: AnyGame) -> Header:
    """For a game that has no file yet: a random game with the first preset, which is the smallest by custom."""
    preset = game.presets[0].options if game.presets else {}
    options = " ".join(f"{name}={str(value).lower()}" for name, value in preset.items())
    return Header("a random game", game.name, options, "random 1", draw=8)


def write_out(header: Header, game: AnyGame) -> str:
    """The whole content of a file that begins with `header`."""
    return header.write() + "\n".join(_told(header, game)) + "\n"


def _value(written: str) -> int | str | bool:
    if written in ("true", "false"):
        return written == "true"
    return int(written) if written.lstrip("-").isdigit() else written


def _moves(game: AnyGame, play: str) -> Iterator[Any]:
    """A coroutine: sent a state, it gives the next move, or None when there is none."""
    way, _, rest = play.partition(" ")
    state = yield
    if way == "moves":
        for move in rest.split():
            state = yield move
        yield None
    rng = Random(int(rest))
    while True:
        if way == "computer":
            assert game.choose is not None, f"{game.name} has no computer player"
            state = yield game.choose(state, rng)
        else:
            state = yield rng.choice(list(game.legal_moves(state)))


def _told(header: Header, game: AnyGame) -> Iterator[str]:
    params = game.parse_options(dict(_option(pair) for pair in header.options.split()))
    board, seats = game.board(params), game.seats(params)
    state = game.new(params)
    moves: Any = _moves(game, header.play)
    next(moves)
    ply = 0
    yield from _position(game, board, state, seats)
    while (seat := game.to_move(state)) is not None:
        automatic = game.automatic(state)
        move = automatic or moves.send(state)
        if move is None:
            break
        name = f"{seats[seat].symbol} {seats[seat].name}"
        if move.startswith("!"):
            yield from ("", f"{name}: {move[1:]} is refused: {_refusal(game, state, move[1:])}")
            continue
        after = game.play(state, move)
        ply += 1
        yield from ("", f"{ply}. {name}: {game.canonical(state, move)}" + (" (by the server)" if automatic else ""))
        yield from _differences(game, state, after, seats)
        state = after
        if ply % header.draw == 0 or game.to_move(state) is None:
            yield from _position(game, board, state, seats)
    over = game.outcome(state)
    yield ""
    if over is None:
        yield f"Not over after {ply} moves."
    else:
        winner = "nobody" if over.winner is None else f"seat {over.winner}, {seats[over.winner].name}"
        yield f"Over after {ply} moves: won by {winner}, reason {over.reason}: {over.text}"


def _option(pair: str) -> tuple[str, int | str | bool]:
    name, _, written = pair.partition("=")
    return name, _value(written)


def _refusal(game: AnyGame, state: Any, move: str) -> str:
    try:
        game.play(state, move)
    except Refusal as refused:
        return f"{refused.code}, {refused.text}"
    raise AssertionError(f"{move} was to be refused")


def _position(game: AnyGame, board: Any, state: Any, seats: tuple[SeatStyle, SeatStyle]) -> Iterator[str]:
    yield from ("", draw(board, game.marks(state), seats), "")
    yield f"   status: {game.status(state)}"
    legal = game.legal_moves(state)
    yield f"   legal, {len(legal)}: {' '.join(legal)}".rstrip(" :")
    if focus := game.focus(state):
        yield f"   focus: {' '.join(focus)}"


def _differences(game: AnyGame, before: Any, after: Any, seats: tuple[SeatStyle, SeatStyle]) -> Iterator[str]:
    changes = game.changes(before, after)
    yield f"   marks: {', '.join(f'{id_} {_mark(mark, seats)}' for id_, mark in sorted(changes.items()))}"
    if game.scores(before) != game.scores(after):
        yield f"   scores: {', '.join(_scores(game, after, seat) for seat in (0, 1))}"
    if game.to_move(before) == game.to_move(after):
        yield "   the same seat moves again"
    if game.focus(before) != game.focus(after) and game.to_move(after) is not None:
        yield f"   focus: {' '.join(game.focus(after)) or 'everywhere'}"


def _scores(game: AnyGame, state: Any, seat: int) -> str:
    figures = zip(game.scores(state)[seat], game.score_names, strict=True)
    return f"seat {seat} " + " ".join(f"{figure} {name}" for figure, name in figures)


def _mark(mark: Mark | None, seats: tuple[SeatStyle, SeatStyle]) -> str:
    return f"{symbol(mark, seats)} {mark.piece}" if mark else "gone"
