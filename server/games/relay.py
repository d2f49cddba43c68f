"""The relay: a game without rules, whose moves are what two to five students' programs tell each other.

It is never hosted by people: the DOG gateway (`server.http.dog`) opens its matches and takes entries in. An entry is
JSON, in ASCII:

    ["seats", "3f9a...", [["Ana", "153..."], ["Bea", "154..."]]]    the first: the hall, and all players in turn order
    ["move", 0, {"row": 1, "match_status": "next"}]                 what the player with that place said
    ["left", 1]                                                     that player is gone; -1: the table was closed

A move's order number is its place in the log (the seats have 0), so nobody has to hand it out. Which entries are fit to
be taken in is judged where they come from, not here: what is in the log has been said.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from protocol.board import Board, Cell, SeatStyle
from protocol.errors import Code, IllegalMove, MalformedMove
from protocol.limits import MAX_MOVES
from protocol.text import N_, Text, text
from protocol.values import Option
from server.games.game import Game, Outcome, Reason

NAME = "relay"
MAX_ENTRIES = MAX_MOVES
MAX_BYTES = 4 * 1024 * 1024
"""Of one match, all entries together: what a hub is willing to keep in memory for it."""
FINISHED = "finished"
ENDING = frozenset({FINISHED, "interrupted", "end", "finalize"})
"""Values of `match_status` that end a match. DOG's library knows the first two; students' games say the others, too."""
TITLE = 40
"""Characters of a game's own name."""
SHOWN = 80
"""Bytes of a move in one line, as lists show it; the log that stands where other games have a board has all of it."""
LONGEST_STATUS = 20


class Params(msgspec.Struct, frozen=True):
    """What the students' game is called: the table at which it is played, or the first line of its `game.id`."""

    title: str = ""


class State(msgspec.Struct, frozen=True):
    """How many entries of which size there were, whose turn it is by what was said, and what was said last."""

    names: tuple[str, ...] = ()
    entries: int = 0
    size: int = 0
    turn: int = 0
    author: int = -1
    said: str = ""
    over: str = ""


def seats_entry(hall: str, players: list[tuple[str, str]]) -> str:
    """The first entry of a match: names and ids in turn order."""
    return json.dumps(["seats", hall, players])


def move_entry(place: int, said: dict[str, Any]) -> str:
    """What the player with that place (from 0) said."""
    return json.dumps(["move", place, said], allow_nan=False)


def left_entry(place: int) -> str:
    """The player with that place is gone."""
    return json.dumps(["left", place])


def read(entry: str) -> list[Any]:
    """An entry's parts. Raises MalformedMove."""
    try:
        parts = json.loads(entry)
    except ValueError:
        raise MalformedMove(entry[:SHOWN]) from None
    match parts:
        case ["seats", str(), [[str(), str()], *_]] | ["move", int(), {}] | ["left", int()]:
            return list(parts)
    raise MalformedMove(entry[:SHOWN])


def play(state: State, entry: str) -> State:
    """The state after one more entry. Raises MalformedMove, or IllegalMove when it is over or too much."""
    kind, *rest = read(entry)
    if state.over:
        raise IllegalMove(entry[:SHOWN], code=Code.FINISHED)
    if (kind == "seats") != (not state.names):
        raise IllegalMove(entry[:SHOWN])
    size = state.size + len(entry)
    if kind == "seats":
        return State(names=tuple(name for name, _ in rest[1]), entries=1, size=size)
    if kind == "left":
        return msgspec.structs.replace(state, entries=state.entries + 1, author=rest[0], over="left")
    if state.entries >= MAX_ENTRIES or size > MAX_BYTES:
        raise IllegalMove(entry[:SHOWN], code=Code.TOO_LARGE, text=text(N_("This match has become too long.")))
    place, said = rest
    status = said.get("match_status")
    return State(
        names=state.names,
        entries=state.entries + 1,
        size=size,
        turn=(place + 1) % len(state.names) if status == "next" else state.turn,
        author=place,
        said=summary(said),
        over=status if status in ENDING else "",
    )


def summary(said: dict[str, Any]) -> str:
    """What was said, short enough for one line: the status first, for about that two programs disagree."""
    rest = {key: value for key, value in said.items() if key != "match_status"}
    status = str(said.get("match_status", "")).encode("utf-8", "replace")[: LONGEST_STATUS - 1]
    words = json.dumps(rest, ensure_ascii=False).encode("utf-8", "replace")
    cut = words if len(words) <= SHOWN else words[: SHOWN - 3] + b"..."
    return (status + b" " + cut).decode("utf-8", "ignore")


def shown(entry: str) -> str:
    """An entry for people."""
    match read(entry):
        case ["move", _, said]:
            return summary(said)
        case ["seats", _, players]:
            return ", ".join(name for name, _ in players)
        case _:
            return "-"


def told(entry: str) -> str:
    """An entry whole, without the players' ids, with which one could speak for them; ids within moves are aliases."""
    match read(entry):
        case ["seats", _, players]:
            return seats_entry("", [(name, "") for name, _ in players])
        case _:
            return entry


def to_move(state: State) -> int | None:
    """The seat whose turn it is, as the players' programs tell it; the first player has seat 0, all others seat 1."""
    return None if state.over else seat_of(state.turn)


def seat_of(place: int) -> int:
    """The seat on which the player with that place appears."""
    return 0 if place == 0 else 1


def outcome(state: State) -> Outcome | None:
    """That it is over, as far as the programs say so; who won only they know."""
    if not state.over:
        return None
    if state.over == "left":
        if not 0 <= state.author < len(state.names):
            return Outcome(None, Reason.TOLD, Text(N_("The table was closed.")))
        return Outcome(None, Reason.TOLD, text(N_("{player} left."), player=state.names[state.author]))
    sentence = text(N_("{player} says that the match is over: {said}"), player=_author(state), said=state.over)
    return Outcome(None, Reason.TOLD, sentence)


def status(state: State) -> Text:
    """The last move as a short text."""
    if over := outcome(state):
        return over.text
    if state.author < 0:
        return text(N_("{players} sit down."), players=", ".join(state.names))
    return text(N_("{player}: {said}"), player=_author(state), said=state.said)


def _author(state: State) -> str:
    return state.names[state.author] if 0 <= state.author < len(state.names) else ""


GAME = Game(
    name=NAME,
    title=N_("Students' game"),
    summary=N_("A program of its own, whose moves are passed on without being judged."),
    help=N_("The programs of the players know the rules. What they tell each other is shown here as text."),
    prompt=N_("The players sit down."),
    score_names=(),
    params=Params,
    state=State,
    options=(Option(name="title", label=N_("Name"), default="", high=TITLE, help=N_("What the match is called.")),),
    new=lambda _params: State(),
    to_move=to_move,
    legal_moves=lambda _state: (),
    play=play,
    outcome=outcome,
    board=lambda _params: Board(width=1, height=1, cells=(Cell("t", 0, 0),)),
    seats=lambda _params: (SeatStyle(N_("First"), "#c62828", "●"), SeatStyle(N_("Others"), "#1e88e5", "◇")),
    marks=lambda _state: {},
    changes=lambda _before, _after: {},
    scores=lambda _state: ((), ()),
    status=status,
    shown=shown,
    entry=told,
    offered=False,
    levels=(),
)
