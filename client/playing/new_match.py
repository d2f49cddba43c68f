"""What was chosen in the form for a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Literal

from client.kept.learned import Learned
from client.shown.words.clocks import span_text
from client.shown.words.lessons import first_undone
from protocol.messages import Challenge, ClockRule, Command, Create, GameInfo, OptionValue, QuickMatch

MOVE_TIMES_S = (5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600)
TOTALS_S = (30, 60, 120, 180, 300, 600, 900, 1200, 1800, 2700, 3600, 5400)
INCREMENTS_S = (0, 1, 2, 3, 5, 8, 10, 15, 20, 30, 60)
GRACES_S = (0, 10, 30, 60, 120, 300)
"""Times to choose from (`RU-M1`)."""
GRACE_S = 30
"""The usual one of them."""
DELAYS = (0, 1, 2, 3, 5, 10, 20)
"""Moves by which those who watch may be behind."""
USUAL_MOVE_MS, USUAL_TOTAL_MS = 30_000, 600_000
CLOCKS = {
    "none": ClockRule(),
    "3+2": ClockRule(total_ms=180_000, increment_ms=2_000),
    "5+3": ClockRule(total_ms=300_000, increment_ms=3_000),
    "10+0": ClockRule(total_ms=600_000),
}
"""Clocks that are ready in every form: minutes for each, and seconds more for each move."""

Opponent = Literal["somebody", "computer", "both"]


@dataclass(frozen=True)
class Choice:
    """For this time, and as what the next form begins with."""

    game: str = ""
    options: tuple[tuple[str, OptionValue], ...] = ()
    private: bool = False
    opponent: Opponent = "somebody"
    clock: ClockRule | None = None
    """None: the game's own."""
    grace_s: int = GRACE_S
    level: str = ""
    """How well the computer is to play; "" is the game's usual level."""
    seat: int = 0
    """Where one sits oneself, unless both sit here, or one is paired. Seat 0 begins."""
    watchable: bool = False
    """Of a private match: whether those may watch who know its address."""
    delay_plies: int = 0
    """By how many moves those who watch are behind."""

    def create(self, ref: str, *, both_here: bool = False) -> Create:
        """Hosts it (`CK R1.2`): against somebody, the computer (`SQ2`), or both at this keyboard (`DB 1.8`).

        `both_here`: nobody else is ever waited for.
        """
        computer = self.opponent == "computer"
        invites = self.opponent == "somebody" and not both_here
        return Create(
            ref=ref,
            game=self.game,
            options=dict(self.options),
            private=self.private and invites,
            both_seats=not computer and not invites,
            computer=computer,
            level=self.level if computer else "",
            seat=self.seat if computer or invites else 0,
            clock=self.clock,
            grace_s=self.grace_s,
            spectators=invites and self.private and self.watchable,
            delay_plies=self.delay_plies if invites and (self.watchable or not self.private) else 0,
        )

    def challenge(self, ref: str, name: str) -> Challenge:
        """Asks the player of that name for it."""
        return Challenge(
            ref=ref, name=name, game=self.game, options=dict(self.options), clock=self.clock, seat=self.seat
        )  # fmt: skip

    def quick(self, ref: str) -> QuickMatch:
        """Has one paired with somebody who wants the same (`UD RF2`)."""
        return QuickMatch(ref=ref, game=self.game, options=dict(self.options), clock=self.clock)


class NoSuchGame(Exception):
    """No game is called so, or several are; the text says which there are."""


def find_game(text: str, games: Mapping[str, GameInfo]) -> GameInfo:
    """The game of this name, or the only one whose name begins with it. Raises NoSuchGame."""
    wanted = text.lower()
    found = [games[wanted]] if wanted in games else [game for name, game in games.items() if name.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(game.name for game in found or games.values())
    raise NoSuchGame(f"“{text}” may be any of {names}." if found else f"There is no game “{text}”, but: {names}.")


class Against(Enum):
    """The ways from nothing to a board: each asks for the game alone."""

    COMPUTER = "computer"
    FRIEND = "friend"
    SOMEBODY = "somebody"
    HERE = "here"
    LEARN = "learn"


LABELS = {
    Against.COMPUTER: "Computer",
    Against.FRIEND: "Friend (link)",
    Against.SOMEBODY: "Somebody",
    Against.HERE: "Two here",
    Against.LEARN: "Learn",
}
"""What the ways are called on a game's card."""


def ways(game: GameInfo) -> tuple[Against, ...]:
    """Those that this game has."""
    missing = {Against.COMPUTER: not game.computer, Against.LEARN: not game.lessons}
    return tuple(against for against in Against if not missing.get(against))


@dataclass(frozen=True)
class AtOnce:
    """A match with all that is usual: which game, against whom, and what else was said."""

    game: str
    against: Against
    options: tuple[tuple[str, OptionValue], ...] = ()
    level: str = ""
    lesson: int = 0
    """Which task is to be done, to learn the game; 0: the first that was not done yet."""

    @property
    def choice(self) -> Choice:
        """The same as what a form would have chosen."""
        opponents: dict[Against, Opponent] = {Against.COMPUTER: "computer", Against.HERE: "both"}
        opponent = opponents.get(self.against, "somebody")
        return Choice(
            self.game, self.options, private=self.against is Against.FRIEND, opponent=opponent, level=self.level
        )

    def on(self, games: Mapping[str, GameInfo]) -> AtOnce:
        """The same with the game's whole name, and that it can be played so. Raises NoSuchGame."""
        game = find_game(self.game, games)
        if self.against is Against.COMPUTER and not game.computer:
            raise NoSuchGame(f"The computer does not play {game.title}.")
        if self.against is Against.LEARN and not 0 <= self.lesson <= len(game.lessons):
            raise NoSuchGame(f"{game.title} has no task {self.lesson}: they go up to {len(game.lessons)}.")
        if self.against is Against.LEARN and not game.lessons:
            raise NoSuchGame(f"{game.title} has no tasks to learn it by.")
        return replace(self, game=game.name)

    def begun(self, learned: Learned, games: Mapping[str, GameInfo]) -> AtOnce:
        """As `on`, and with the task that is next for who learns it. Raises NoSuchGame."""
        found = self.on(games)
        if found.against is not Against.LEARN or found.lesson:
            return found
        return replace(found, lesson=first_undone(games[found.game], learned.done(found.game)))

    def command(self, ref: str) -> Command:
        """What asks the server for it."""
        if self.against is Against.LEARN:
            return Create(ref=ref, game=self.game, lesson=self.lesson or 1)
        return self.choice.quick(ref) if self.against is Against.SOMEBODY else self.choice.create(ref)


def level_of(game: GameInfo, choice: Choice) -> str:
    """The level that a form begins with: the one chosen last, if this game has it."""
    return choice.level if choice.level in {level.name for level in game.levels} else game.usual_level


def ready_clock(rule: ClockRule) -> str:
    """The name of the ready clock that this is; "" for none of them."""
    return next((name for name, ready in CLOCKS.items() if ready == rule), "")


def times(seconds: tuple[int, ...], own_ms: int) -> list[tuple[OptionValue, str]]:
    """Ready times, and the one that is set already: ms, and how it is written."""
    times_ms = sorted({second * 1000 for second in seconds} | ({own_ms} if own_ms else set()))
    return [(ms, span_text(ms)) for ms in times_ms]
