"""What a game is: the contract that every file in this folder fulfils with one value, `GAME = Game(...)`.

Rules are pure functions of frozen values: no clock, no input or output, no randomness of their own. `choose` is handed
its random numbers. A new game is one new file; nothing else in the project needs to know its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any, Generic, TypeVar

import msgspec

from protocol.board import Board, Mark, SeatStyle
from protocol.errors import BadOption
from protocol.messages import ClockRule, GameInfo, Level, Option, OptionValue, Preset, Sides
from protocol.text import N_, Text, Translate, text
from server.games.levels import LEVELS, MEDIUM

SEATS = (0, 1)
NO_CLOCK = ClockRule()


class Reason(StrEnum):
    """Why a game is over by its own rules. (A match can also end by what its players do: see `server.match`.)"""

    SCORE = "score"
    CAPTURED = "captured"
    BLOCKED = "blocked"
    LINE = "line"
    NO_PROGRESS = "no_progress"
    TOLD = "told"
    """The players' own programs say so; nobody here judged it (the relay)."""


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended by its rules: the winner's seat (None: a draw), why, and the sentence that announces it."""

    winner: int | None
    reason: Reason
    text: Text


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A task of one turn, for who learns the game: a position, and what is to be brought about in it.

    It is played on the game's own board against nobody. It is done as soon as `reached` says so, and missed when the
    turn is over, or the game, without that.
    """

    title: str
    """Two or three words, marked with N_, like all texts here: "Close the box"."""
    task: str
    """What is to be done, in a sentence or two."""
    done: str
    """What is said once it is done: what was good about it."""
    missed: str
    """What is said when it was not: what to look for. It can be tried again."""
    moves: tuple[str, ...]
    """What leads to the position from the first move on; whoever is to move there is who learns."""
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    """Those of the match; what is left out has its default."""
    reached: Callable[[Any, Any], bool]
    """Whether the state (the second) is what was to be brought about from the state at the start (the first)."""


P = TypeVar("P", bound=msgspec.Struct)
S = TypeVar("S", bound=msgspec.Struct)


@dataclass(frozen=True, kw_only=True)
class Game(Generic[P, S]):
    """One game as a value.

    `P` holds its parameters (a frozen Struct, a field for each of `options`), `S` its state (a frozen Struct that
    survives `msgspec.to_builtins` and `convert`). In all functions a seat is 0 (moves first) or 1.
    """

    name: str
    """Stable id: lower case words joined by hyphens."""
    title: str
    """Marked with N_, like all texts below."""
    summary: str
    """One line for the lobby."""
    help: str
    """The rules and what each control does, as paragraphs separated by blank lines (`DB 7.3.1.5`). One whose lines all
    begin with two spaces is a small drawing, at most 26 characters wide, and is shown as it stands."""
    prompt: str
    """The status while the match has not started (`DB 7.1.1.3`)."""
    score_names: tuple[str, ...]
    """What the scores count, for instance ("boxes",); empty for a game without scores."""
    score_names_one: tuple[str, ...] = ()
    """The same where there is one of it, ("box",); left out where that is the same word."""
    params: type[P]
    state: type[S]
    options: tuple[Option, ...]
    clock: ClockRule = NO_CLOCK
    """The clock of a match whose host asks for none in particular (`RU-M1`)."""
    presets: tuple[Preset, ...] = ()
    """Choices a menu offers first; each is a label and options."""

    new: Callable[[P], S]
    """The state before the first move."""
    to_move: Callable[[S], int | None]
    """The seat whose turn it is; None when the game is over."""
    legal_moves: Callable[[S], Sequence[str]]
    """Exactly the moves that `play` accepts in their canonical spelling, each once, in a stable order; () when over."""
    moves_only_go: bool = False
    """Both seats always have the same legal moves, and a move takes itself away and nothing else: so nobody need be
    told which moves are legal next, and nobody need work it out."""
    play: Callable[[S, str], S]
    """The state after `move`. Raises MalformedMove or IllegalMove, and then nothing has changed."""
    canonical: Callable[[S, str], str] = lambda _state, move: move
    """The one spelling under which an accepted move is stored and shown (`RU-DB2`: `b1-a1` is `a1-b1`)."""
    outcome: Callable[[S], Outcome | None]
    board: Callable[[P], Board]
    seats: Callable[[P], tuple[SeatStyle, SeatStyle]]
    marks: Callable[[S], Mapping[str, Mark]]
    """Everything that lies on the board: element id -> mark."""
    changes: Callable[[S, S], Mapping[str, Mark | None]]
    """What differs in `marks` from one state to a later one; None takes a mark away."""
    scores: Callable[[S], tuple[tuple[int, ...], tuple[int, ...]]]
    """For each seat a figure for each of `score_names`."""
    status: Callable[[S], Text]
    """Whose turn it is, or how it ended, in the documents' words (`DB 7.3.1.2`, `SQ7`)."""
    focus: Callable[[S], tuple[str, ...]] = lambda _state: ()
    """The regions in which the next move must be; () when the whole board is open."""
    automatic: Callable[[S], str | None] = lambda _state: None
    """A move that the server makes itself for the seat to move because nothing else is possible (`RU-HX3`)."""
    shown: Callable[[str], str] = lambda move: move
    """What people are told of a stored move, where its notation is more than they want to read."""
    entry: Callable[[str], str] = lambda _move: ""
    """All of a stored move that people may see, where `shown` is only a line of it; such a game has no board, and is
    shown as its log."""
    offered: bool = True
    """Whether people may host it; one that is not is opened by the server itself, and only replayed and watched."""
    levels: tuple[Level, ...] = LEVELS
    """How well the computer can be asked to play; () where it does not play at all."""
    usual_level: str = MEDIUM
    """The one of `levels` that is played if nothing else is asked for."""
    choose: Callable[[S, Random], str] | None = None
    """The computer's move at its medium level: legal, quick (under 100 ms), and the same for the same state and random
    numbers. A game that gives none is searched by playing (`server/bots/searching.py`)."""
    evaluate: Callable[[S], int] | None = None
    """How much better seat 0 stands than seat 1 in a game that is not over, in a unit of the game's own, between -10**6
    and 10**6. With it the search looks ahead; without it, it plays to the end by lot, again and again."""
    clear_lead: int = 100
    """The value of `evaluate` at which somebody stands clearly better; a review draws its curve by it."""
    remark: Callable[[S, str], Text | None] | None = None
    """Why a legal move is good or bad, as a clause that goes on from it: "closes a chain of 4". None where there is
    nothing to say. For a game that gives none it is what the scores say (`server/bots/remarks.py`)."""

    lessons: tuple[Lesson, ...] = ()
    """Tasks for who learns it, from the easiest on."""

    def parse_options(self, given: Mapping[str, Any]) -> P:
        """Parameters from what a player asked for; what is left out has its default.

        Raises BadOption for an unknown name or a value out of range.
        """
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                raise BadOption(str(name), text(N_("this game has no such option")))
        values = {name: _checked(option, given.get(name, option.default)) for name, option in known.items()}
        return msgspec.convert(values, self.params)

    def info(self, translate: Translate = str) -> GameInfo:
        """What a client needs to offer this game: texts in the language of `translate`, options and menu."""
        return GameInfo(
            name=self.name,
            title=translate(self.title),
            summary=translate(self.summary),
            help=translate(self.help),
            score_names=tuple(translate(name) for name in self.score_names),
            score_names_one=tuple(translate(name) for name in self.score_names_one),
            options=tuple(
                msgspec.structs.replace(o, label=translate(o.label), help=translate(o.help) if o.help else "")
                for o in self.options
            ),
            presets=tuple(msgspec.structs.replace(p, label=translate(p.label)) for p in self.presets),
            computer=bool(self.levels),
            levels=tuple(msgspec.structs.replace(level, label=translate(level.label)) for level in self.levels),
            usual_level=self.usual_level if self.levels else "",
            clock=self.clock,
            lessons=tuple(translate(lesson.title) for lesson in self.lessons),
            sides=self._sides(translate),
        )

    def _sides(self, translate: Translate) -> tuple[Sides, ...]:
        """The seats with all defaults, and with each choice that makes them look otherwise."""
        usual = self.seats(self.parse_options({}))
        found = [("", "", usual)]
        for option in self.options:
            for choice in option.choices:
                seats = self.seats(self.parse_options({option.name: choice}))
                found += [(option.name, choice, seats)] if seats != usual else []
        return tuple(
            Sides(
                first=msgspec.structs.replace(first, name=translate(first.name)),
                second=msgspec.structs.replace(second, name=translate(second.name)),
                option=name,
                choice=choice,
            )
            for name, choice, (first, second) in found
        )


def _checked(option: Option, value: Any) -> int | str | bool:
    """`value` if it fits `option`; raises BadOption with a sentence that names the range."""
    if isinstance(option.default, bool):
        if isinstance(value, bool):
            return value
        raise BadOption(option.name, text(N_("it is either true or false")))
    if option.choices:
        if isinstance(value, str) and value in option.choices:
            return value
        raise BadOption(option.name, text(N_("choose one of {choices}"), choices=", ".join(option.choices)))
    low, high = option.low, option.high
    if isinstance(option.default, str):
        if isinstance(value, str) and len(value) <= high:
            return value
        raise BadOption(option.name, text(N_("it is a text of at most {high} characters"), high=high))
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return value
    raise BadOption(option.name, text(N_("it is a whole number from {low} to {high}"), low=low, high=high))


def diff_marks(before: Mapping[str, Mark], after: Mapping[str, Mark]) -> dict[str, Mark | None]:
    """The general `changes`: compares all marks. Correct for every game; one that moves often has a quicker way."""
    changed: dict[str, Mark | None] = {key: None for key in before.keys() - after.keys()}
    changed.update((key, mark) for key, mark in after.items() if before.get(key) != mark)
    return changed
