"""What is typed to start a match, as commands: the game by any clear part of its name, its options, the clock. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from msgspec import structs

from client.kept.saves import SavedGame
from client.playing import new_match
from client.playing.new_match import NoSuchGame
from protocol import limits
from protocol.messages import ClockRule, Command, Create, GameInfo, OptionValue, QuickMatch

_SIZE = re.compile(r"(\d{1,2})x(\d{1,2})")
_TOTAL = re.compile(r"(\d{1,4})(?:\+(\d{1,3}))?")
_PER_MOVE = re.compile(r"(\d{1,4})s")


class NotUnderstood(Exception):
    """What was typed makes no sense; the text says why."""


@dataclass(frozen=True)
class Start:
    """A match to start: what is played, against whom, and from which position (`CK R1.2`, `5.2`)."""

    game: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    private: bool = False
    computer: bool = False
    level: str = ""
    seat: int = 0
    both_seats: bool = False
    clock: ClockRule | None = None
    moves: tuple[str, ...] = ()

    def create(self, ref: str) -> Create:
        """Hosts it."""
        return Create(
            ref=ref,
            game=self.game,
            options=dict(self.options),
            private=self.private,
            computer=self.computer,
            level=self.level,
            seat=self.seat,
            both_seats=self.both_seats,
            clock=self.clock,
            moves=self.moves,
        )

    def quick(self, ref: str) -> QuickMatch:
        """Looks for somebody who wants the same (`UD RF2`). Raises NotUnderstood."""
        if self.seat:
            raise NotUnderstood("Who is paired takes the side that is free. Type host GAME second to choose yours.")
        return QuickMatch(ref=ref, game=self.game, options=dict(self.options), clock=self.clock)


def at_one_keyboard(command: Command) -> Command:
    """The same for two people who are both there (`DB 1.8`): nobody else is waited for."""
    match command:
        case Create(computer=False):
            return structs.replace(command, both_seats=True, private=False)
        case QuickMatch(ref=ref, game=game, options=options, clock=clock):
            return Create(ref=ref, game=game, options=options, clock=clock, both_seats=True)
        case _:
            return command


def read_start(arguments: Sequence[str], games: Mapping[str, GameInfo]) -> Start:
    """GAME, then any of 5x5, NAME=VALUE, clock=..., private, computer, a level, second, both. Raises NotUnderstood."""
    if not arguments:
        raise NotUnderstood("Say which game; games lists them.")
    info = find_game(arguments[0], games)
    return read_terms(Start(info.name), arguments[1:], info)


REVIEWED = ("review",)
"""The terms on which a saved game is not gone on with."""


def from_saved(saved: SavedGame, arguments: Sequence[str]) -> Start:
    """A match from a saved game on (`RU-M8`); its options are the game's, who plays and a clock are said anew."""
    start = Start(saved.game, dict(saved.options), moves=saved.moves, clock=ClockRule())
    return read_terms(start, arguments, None)


def read_terms(start: Start, arguments: Sequence[str], info: GameInfo | None) -> Start:
    """`start` with the terms put in; options only where `info` says that they are to be chosen."""
    levels = {level.name for level in info.levels} if info else set[str]()
    for word in arguments:
        name, equals, value = word.partition("=")
        size = _SIZE.fullmatch(word)
        match name.lower():
            case "private" if not equals:
                start = replace(start, private=True)
            case "computer" if not equals:
                start = replace(start, computer=True)
            case "level" if equals:
                start = replace(start, computer=True, level=value)
            case level if level in levels:
                start = replace(start, computer=True, level=level)
            case "second" if not equals:
                start = replace(start, seat=1)
            case "both" if not equals:
                start = replace(start, both_seats=True)
            case "clock" if equals:
                start = replace(start, clock=read_clock(value))
            case _ if info is not None and equals:
                start = replace(start, options={**start.options, name: read_value(value)})
            case _ if info is not None and size is not None:
                start = replace(start, options={**start.options, "width": int(size[1]), "height": int(size[2])})
            case _:
                raise NotUnderstood(f"“{word}” is not understood here; help create says what is.")
    return start


def find_game(text: str, games: Mapping[str, GameInfo]) -> GameInfo:
    """The game of this name, or the only one whose name begins with it. Raises NotUnderstood."""
    try:
        return new_match.find_game(text, games)
    except NoSuchGame as error:
        raise NotUnderstood(str(error)) from None


def read_value(text: str) -> OptionValue:
    """A value of an option; whole numbers, true and false are what they look like."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch(r"-?\d{1,9}", text) else text


def read_clock(text: str) -> ClockRule:
    """`none`, minutes in total and seconds for each move (`5+3`, `10`), or seconds for each move alone (`30s`)."""
    if text == "none":
        return ClockRule()
    per_move, total = _PER_MOVE.fullmatch(text), _TOTAL.fullmatch(text)
    if per_move is not None:
        rule = ClockRule(per_move_ms=int(per_move[1]) * 1000)
    elif total is not None:
        rule = ClockRule(total_ms=int(total[1]) * 60_000, increment_ms=int(total[2] or 0) * 1000)
    else:
        raise NotUnderstood("A clock is none, or as 5+3 (minutes, and seconds for each move), or as 30s for each move.")
    if max(rule.per_move_ms, rule.total_ms) > limits.MAX_CLOCK_MS:
        raise NotUnderstood("A clock has at most 24 hours.")
    return rule
