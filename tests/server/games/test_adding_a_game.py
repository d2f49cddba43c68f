"""The example of `docs/adding-a-game.md` is a game as it stands: one file, and nothing else is changed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import msgpack
import msgspec
import pytest

from protocol.errors import IllegalMove, MalformedMove, Refusal
from server.games import AnyGame, load_catalogue
from server.games.game import diff_marks
from server.match import machine
from server.match.commands import Join, Play
from server.match.lessons import begun
from server.match.machine import Asked
from server.match.state import Status
from tests.server.games.plays import random_game

PAGE = Path(__file__).parents[3] / "docs" / "adding-a-game.md"
GAME = "tic-tac-toe"


def example() -> str:
    """The page's one Python block."""
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return str(code)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tic_tac_toe.py").write_text(example(), "utf-8")
    (tmp_path / "_helper.py").write_text("raise AssertionError('not a game')", "utf-8")
    return tmp_path


@pytest.fixture
def game(folder: Path) -> AnyGame:
    return load_catalogue(folder)[GAME]


def test_the_file_is_in_the_catalogue_beside_the_others(folder: Path) -> None:
    assert set(load_catalogue(folder)) == {*load_catalogue(), GAME}
    with pytest.raises(Refusal):
        load_catalogue()[GAME]


def test_two_games_of_one_name_are_refused(folder: Path) -> None:
    (folder / "again.py").write_text(example(), "utf-8")
    with pytest.raises(ValueError, match="two games are called"):
        load_catalogue(folder)


@pytest.mark.parametrize("seed", range(50))
def test_a_game_of_it_keeps_the_contract(game: AnyGame, seed: int) -> None:
    params = game.parse_options({})
    ids = {cell.id for cell in game.board(params).cells}
    shown = dict(game.marks(game.new(params)))
    state = game.new(params)
    for before, move, after in random_game(game, params, Random(seed)):
        assert game.outcome(before) is None
        assert game.to_move(before) in (0, 1)
        for one in ids:
            if one not in game.legal_moves(before):
                with pytest.raises(IllegalMove):
                    game.play(before, one)
        with pytest.raises(MalformedMove):
            game.play(before, "d4")
        assert game.changes(before, after) == diff_marks(game.marks(before), game.marks(after))
        shown.update({id_: mark for id_, mark in game.changes(before, after).items() if mark})
        assert shown == game.marks(after)
        plain = msgspec.to_builtins(after)
        for read in (msgpack.unpackb(msgpack.packb(plain)), json.loads(json.dumps(plain))):
            assert msgspec.convert(read, game.state) == after
        assert game.choose is not None
        assert game.choose(before, Random(seed)) in game.legal_moves(before)
        assert move in game.legal_moves(before)
        state = after
    over = game.outcome(state)
    assert over is not None
    assert str(game.status(state)) == str(over.text)
    assert game.legal_moves(state) == ()


def test_its_tasks_can_be_done_and_missed(game: AnyGame) -> None:
    """By the game's file alone: whoever hosts it has them in all clients."""
    assert game.info().lessons == ("Win at once", "Keep them from it", "Make two threats")
    for number, _ in enumerate(game.lessons, 1):
        catalogue = {GAME: game}
        reasons = {}
        for move in ("c1", "c2", "b3", "c3"):
            match = machine.open_match("m", begun(game, number, "Ana", Asked("a", "c", 1)), catalogue)  # type: ignore[arg-type]
            if move in match.legal:
                (*_, last) = machine.decide(match, Play(match.version, move), Asked("a", "p", 2))
                assert last.after.ending is not None
                reasons[move] = last.after.ending.reason
        assert sorted(set(reasons.values())) == ["task_done", "task_missed"]


@pytest.mark.parametrize(
    ("moves", "winner", "words"),
    [("a1 b1 a2 b2 a3", 0, "Crosses win"), ("a1 b2 c3 c1 b1 a3", 1, "Noughts win"),
     ("a1 b1 c1 b2 a2 c2 b3 a3 c3", None, "Draw: no cell is free")],
)  # fmt: skip
def test_a_match_of_it_is_played_to_its_end(folder: Path, moves: str, winner: int | None, words: str) -> None:
    catalogue = load_catalogue(folder)
    host, guest = Asked("host", "1", 0), Asked("guest", "1", 0)
    created = machine.create(catalogue[GAME], {}, "Ada", host, private=False, both_seats=False, seed=1)
    match = machine.open_match("m", created, catalogue)
    match = machine.decide(match, Join("Bo"), guest)[-1].after
    for move in moves.split():
        match = machine.decide(match, Play(match.version, move), guest if match.turn else host)[-1].after
    assert match.status is Status.ENDED
    assert match.ending is not None
    assert match.ending.winner == winner
    assert str(match.game.status(match.state)) == words
