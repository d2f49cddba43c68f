"""What the rules of each game cost, on default options: `python -m tests.bench.rules`.

Random games are drawn once from fixed seeds and then played again, in CPU time, best of several rounds: first by `play`
alone, then with `changes`, then with `legal_moves` too, as the server does for every move. The differences are what
each function costs in the course of a game, with whatever a state hands on to the next. Bytes are those of the
MessagePack messages that the real match machine causes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from protocol.codec import MSGPACK
from protocol.messages import Moved
from server.games import AnyGame, Catalogue, load_catalogue
from server.match import machine, telling, views
from server.match.commands import Join, Play
from server.match.machine import Asked

GAMES = 30
ROUNDS = 7
NOW_MS = 1_800_000_000_000
MATCH_ID = "kX3pQ9vTz0A"

HIGHEST_US = {"checkers": 60, "hexoust": 120}
HIGHEST_US_OTHERWISE = 25
MOVED_BYTES, BOARD_BYTES = 200, 12_000
"""What issue 3 asks for."""


class Costs(NamedTuple):
    """A row of the table."""

    game: str
    plies: float
    play_us: float
    changes_us: float
    legal_us: float
    games_a_second: float
    moved_bytes: float
    board_bytes: int

    @property
    def sum_us(self) -> float:
        return self.play_us + self.changes_us + self.legal_us


def recorded(game: AnyGame, params: Any, seed: int) -> list[str]:
    """The moves of a random game."""
    rng, state, moves = Random(seed), game.new(params), []
    while legal := game.legal_moves(state):
        moves.append(rng.choice(legal))
        state = game.play(state, moves[-1])
    return moves


def cpu(work: Callable[[], object]) -> float:
    """Seconds of CPU time, best of several rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def moved(game: AnyGame, catalogue: Catalogue, moves: list[str]) -> Iterator[Moved]:
    """What spectators of a match with these moves are told; those that the server makes itself come by themselves."""
    host, guest = Asked("host", "1", NOW_MS), Asked("guest", "1", NOW_MS)
    created = machine.create(game, {}, "Ada", host, private=False, both_seats=False, seed=1)
    match = machine.open_match(MATCH_ID, created, catalogue)
    match = machine.decide(match, Join("Bo"), guest)[-1].after
    for move in moves:
        if match.last is not None and match.last.automatic and move == match.last.move:
            continue
        by = guest if match.turn else host
        for step in machine.decide(match, Play(match.version, move), by):
            told = telling.notification(step, str)
            match = step.after
            if isinstance(told, Moved):
                yield told


def measure(game: AnyGame, catalogue: Catalogue) -> Costs:
    """Everything about one game."""
    params = game.parse_options({})
    games = [recorded(game, params, seed) for seed in range(GAMES)]

    def plays() -> None:
        for moves in games:
            state = game.new(params)
            for move in moves:
                state = game.play(state, move)

    def plays_and_changes() -> None:
        for moves in games:
            state = game.new(params)
            for move in moves:
                before, state = state, game.play(state, move)
                game.changes(before, state)

    def all_three() -> None:
        for moves in games:
            state = game.new(params)
            for move in moves:
                before, state = state, game.play(state, move)
                game.changes(before, state)
                game.legal_moves(state)

    def random_games() -> None:
        for seed in range(GAMES):
            recorded(game, params, seed)

    plies = sum(map(len, games))
    play, with_changes, whole = (cpu(work) / plies * 1e6 for work in (plays, plays_and_changes, all_three))
    sizes = [len(MSGPACK.encode(told)) for moves in games for told in moved(game, catalogue, moves)]
    waiting = machine.create(game, {}, "Ada", Asked("host", "1", NOW_MS), private=False, both_seats=False, seed=1)
    snapshot = views.snapshot(machine.open_match(MATCH_ID, waiting, catalogue), "host", str, NOW_MS)
    return Costs(
        game=game.name,
        plies=plies / GAMES,
        play_us=play,
        changes_us=max(0.0, with_changes - play),
        legal_us=max(0.0, whole - with_changes),
        games_a_second=GAMES / cpu(random_games),
        moved_bytes=sum(sizes) / len(sizes),
        board_bytes=len(MSGPACK.encode(snapshot)),
    )


def too_much(costs: Costs) -> list[str]:
    """What is above its figure."""
    us = HIGHEST_US.get(costs.game, HIGHEST_US_OTHERWISE)
    found = [f"{costs.sum_us:.0f} us a move, to reach {us}"] if costs.sum_us > us else []
    if costs.moved_bytes >= MOVED_BYTES:
        found.append(f"{costs.moved_bytes:.0f} bytes a move, to reach {MOVED_BYTES}")
    if costs.board_bytes >= BOARD_BYTES:
        found.append(f"{costs.board_bytes} bytes at the start, to reach {BOARD_BYTES}")
    return found


def main() -> int:
    """Prints the table; 1 when a figure is not reached."""
    catalogue = load_catalogue()
    print(f"{'game':24}{'plies':>7}{'play':>8}{'changes':>9}{'legal':>8}{'sum us':>8}", end="")
    print(f"{'games/s':>9}{'moved B':>9}{'start B':>9}")
    missed = 0
    for game in catalogue.values():
        row = measure(game, catalogue)
        print(f"{row.game:24}{row.plies:7.1f}{row.play_us:8.1f}{row.changes_us:9.1f}{row.legal_us:8.1f}", end="")
        print(f"{row.sum_us:8.1f}{row.games_a_second:9.0f}{row.moved_bytes:9.0f}{row.board_bytes:9}")
        for complaint in too_much(row):
            missed = 1
            print(f"  ! {complaint}")
    return missed


if __name__ == "__main__":
    raise SystemExit(main())
