"""Random games and option sets, for the tests that run over the whole catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from server.games import AnyGame, load_catalogue

MOST_PLIES = 2_000
"""No game may take longer with its default options; random checkers, the longest, stays well below."""

CATALOGUE = load_catalogue()


class Case(NamedTuple):
    """A game with some options."""

    game: AnyGame
    options: dict[str, Any]

    @property
    def params(self) -> Any:
        return self.game.parse_options(self.options)

    def __str__(self) -> str:
        return "-".join([self.game.name, *(f"{name}={value}" for name, value in self.options.items())])


def cases(game: AnyGame) -> list[Case]:
    """The default, every preset, and every other value of each switch and each choice."""
    sets: list[dict[str, Any]] = [{}, *(dict(preset.options) for preset in game.presets)]
    for option in game.options:
        others = [not option.default] if isinstance(option.default, bool) else list(option.choices)
        sets += [{option.name: value} for value in others if value != option.default]
    return [Case(game, options) for i, options in enumerate(sets) if options not in sets[:i]]


CASES = [case for game in CATALOGUE.values() for case in cases(game)]


def largest(game: AnyGame) -> Case:
    """Every number at its highest: the most work there can be."""
    return Case(game, {o.name: o.high for o in game.options if not o.choices and not isinstance(o.default, bool)})


class Step(NamedTuple):
    """One move of a game that was played."""

    before: Any
    move: str
    after: Any


def random_game(game: AnyGame, params: Any, rng: Random) -> Iterator[Step]:
    """The moves of a random game, to its end. Raises AssertionError when it does not come to one."""
    state = game.new(params)
    for _ in range(MOST_PLIES):
        if game.to_move(state) is None:
            return
        move = game.automatic(state) or rng.choice(list(game.legal_moves(state)))
        after = game.play(state, move)
        yield Step(state, move, after)
        state = after
    raise AssertionError(f"{game.name} is not over after {MOST_PLIES} plies")


def random_state(game: AnyGame, params: Any, rng: Random) -> Any:
    """A state from anywhere in a random game, the first and the last included."""
    steps = list(random_game(game, params, rng))
    states = [step.before for step in steps] + [steps[-1].after]
    return rng.choice(states)
