"""What `server.games.game.Game` promises, for every game in the catalogue; a new game is tested by being there."""

from __future__ import annotations

import itertools
import json
import math
import re
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import limits
from protocol.board import Board, Cell, Dot, Line, Region, Shape, spell, touched
from protocol.errors import BadOption, IllegalMove, MalformedMove
from server.games.game import SEATS, Lesson, diff_marks
from server.match.fold import replay_moves
from tests.forms import generated
from tests.server.games.plays import CASES, CATALOGUE, Case, largest, random_game, random_state

BOARD_BYTES = 12_000
MOVE_BYTES = 150
"""What a game itself has to tell about a move, on average; it goes to both players and to every spectator."""
CHOOSE_SECONDS = 0.1
DRAWING = 26
"""Columns of the help of the narrowest terminal."""
LONGEST_TASK = 3
"""Moves in which each task can be done."""
TITLE, SENTENCES = 26, 160
"""Characters of a task's title and of what is said in it: a line of a card, two of a narrow screen."""
HEX_HALF_HEIGHT = 1 / math.sqrt(3)
WORD = re.compile(r"[a-z]+")
"""A move that touches no element, such as "swap"."""

every_case = pytest.mark.parametrize("case", CASES, ids=str)
every_game = pytest.mark.parametrize("case", [Case(game, {}) for game in CATALOGUE.values()], ids=str)
seeds = st.integers(min_value=0, max_value=2**32)
few = generated(full=8, short=3)
many = generated(full=60, short=15)


def packed(value: Any) -> bytes:
    data: bytes = msgpack.packb(msgspec.to_builtins(value))
    return data


def element_ids(board: Board) -> list[str]:
    kinds: tuple[tuple[Dot | Line | Cell | Region, ...], ...] = (board.dots, board.lines, board.cells, board.regions)
    return [element.id for kind in kinds for element in kind]


def assert_judged(case: Case, state: Any, move: str) -> None:
    """`play` accepts `move` when it spells a legal move, refuses it with a reason when not, and changes nothing."""
    game, legal, before = case.game, case.game.legal_moves(state), packed(state)
    try:
        after = game.play(state, move)
    except (MalformedMove, IllegalMove) as error:
        after, refused = None, error
    if after is None:
        assert move not in legal
        assert refused.code
        assert str(refused.text)
    else:
        assert game.canonical(state, move) in legal
        assert after == game.play(state, game.canonical(state, move))
    assert packed(state) == before


@every_game
def test_texts_are_there_and_can_be_translated(case: Case) -> None:
    game = case.game
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", game.name)
    for words in (game.title, game.summary, game.help, game.prompt, *game.score_names, *game.score_names_one):
        assert words.strip()
    assert "\n" not in game.summary + game.prompt
    info = game.info(lambda message: f"<{message}>")
    assert info.help == f"<{game.help}>"
    assert all(option.help == f"<{given.help}>" for option, given in zip(info.options, game.options, strict=True))
    styles = [(sides.first, sides.second) for sides in info.sides]
    assert styles[0] == tuple(
        msgspec.structs.replace(one, name=f"<{one.name}>") for one in game.seats(game.parse_options({}))
    )
    assert all(option.label == f"<{given.label}>" for option, given in zip(info.options, game.options, strict=True))
    assert packed(info)


@every_game
def test_options_have_a_field_each_and_defaults_that_fit(case: Case) -> None:
    game = case.game
    names = [option.name for option in game.options]
    assert sorted(names) == sorted(game.params.__struct_fields__)
    assert len(names) == len(set(names)) <= limits.MAX_OPTIONS
    assert game.parse_options({}) == game.parse_options({option.name: option.default for option in game.options})
    assert game.parse_options({}) == game.params()
    for option in game.options:
        assert option.label
        # A form says what each does, in the few lines that a phone has for it.
        assert re.fullmatch(r"[^\n]{10,120}[.]", option.help), option
        assert getattr(game.parse_options({}), option.name) == option.default


@every_game
def test_options_out_of_range_are_refused_with_a_sentence(case: Case) -> None:
    wrong: list[tuple[str, object]] = [("no such option", 1)]
    for option in case.game.options:
        wrong += zip(itertools.repeat(option.name), (None, -1, 10**9, "no such choice", 1.5, []))
        if not option.choices and not isinstance(option.default, bool):
            beyond = (option.low - 1, option.high + 1, True, str(option.default))
            wrong += zip(itertools.repeat(option.name), beyond)
            for number in (option.low, option.high):
                assert getattr(case.game.parse_options({option.name: number}), option.name) == number
    for name, value in wrong:
        with pytest.raises(BadOption) as refused:
            case.game.parse_options({name: value})
        assert name in str(refused.value.text)


@every_case
def test_seats_are_told_apart_by_more_than_colour(case: Case) -> None:
    first, second = case.game.seats(case.params)
    for style in (first, second):
        assert style.name
        assert re.fullmatch(r"#[0-9a-f]{6}", style.colour)
        assert len(style.symbol) == 1
    assert first.name != second.name
    assert first.colour != second.colour
    assert first.symbol != second.symbol


@every_case
def test_the_board_has_unique_ids_and_all_lies_inside(case: Case) -> None:
    board = case.game.board(case.params)
    ids = element_ids(board)
    assert len(ids) == len(set(ids)) > 0
    assert all(0 < len(id_) <= limits.MAX_ID for id_ in ids)
    spans: list[tuple[float, float, float, float]] = [(dot.x, dot.y, dot.x, dot.y) for dot in board.dots]
    spans += [(line.x1, line.y1, line.x2, line.y2) for line in board.lines]
    spans += [(region.x, region.y, region.x + region.width, region.y + region.height) for region in board.regions]
    for cell in board.cells:
        left, up, right, down = (0.5, HEX_HALF_HEIGHT) * 2 if cell.shape is Shape.HEX else (0, 0, 1, 1)
        spans.append((cell.x - left, cell.y - up, cell.x + right, cell.y + down))
    for x1, y1, x2, y2 in spans:
        assert -1e-6 <= x1 <= x2 <= board.width + 1e-6
        assert -1e-6 <= y1 <= y2 <= board.height + 1e-6
    dots, cells = {dot.id for dot in board.dots}, {cell.id for cell in board.cells}
    assert {end for line in board.lines for end in (line.a, line.b) if end} <= dots
    assert {cell for region in board.regions for cell in region.cells} <= cells
    assert set(board.turned_for) <= set(SEATS)


@every_game
def test_the_first_board_is_small(case: Case) -> None:
    assert len(packed(case.game.board(case.params))) < BOARD_BYTES


@every_case
@few
@given(seed=seeds)
def test_a_game_played_to_its_end_keeps_every_promise(case: Case, seed: int) -> None:
    game, params = case.game, case.params
    start = state = game.new(params)
    board = game.board(params)
    ids, regions = set(element_ids(board)), {region.id for region in board.regions}
    shown = dict(game.marks(start))
    moves = []
    for before, move, after in random_game(game, params, Random(seed)):
        legal = list(game.legal_moves(before))
        assert game.to_move(before) in SEATS
        assert game.outcome(before) is None
        assert legal
        assert len(set(legal)) == len(legal)
        assert list(game.legal_moves(before)) == legal
        assert game.automatic(before) in (None, *legal[:1])
        assert game.automatic(before) is None or len(legal) == 1
        assert str(game.status(before))
        assert set(game.focus(before)) <= regions
        for one in legal:
            assert len(one) <= limits.MAX_MOVE
            assert WORD.fullmatch(one) or set(touched(one)) <= ids
        moves.append(game.canonical(before, move))
        changes = game.changes(before, after)
        assert changes == diff_marks(game.marks(before), game.marks(after))
        for id_, mark in changes.items():
            shown.pop(id_, None)
            shown.update({id_: mark} if mark else {})
        assert shown == game.marks(after)
        assert set(shown) <= ids
        scores = game.scores(after)
        assert [len(one) for one in scores] == [len(game.score_names)] * 2
        assert len(game.score_names_one) in (0, len(game.score_names))
        state = after
    assert game.changes(start, state) == diff_marks(game.marks(start), game.marks(state))
    assert moves, "a game has at least one move"
    over = game.outcome(state)
    assert over is not None
    assert over.winner in (*SEATS, None)
    assert str(over.text)
    assert str(game.status(state))
    assert not game.legal_moves(state)
    assert game.automatic(state) is None
    again = game.new(params)
    for move in moves:
        again = game.play(again, move)
    assert again == state


@every_case
@few
@given(seed=seeds)
def test_every_legal_move_is_accepted_in_its_own_spelling(case: Case, seed: int) -> None:
    state = random_state(case.game, case.params, Random(seed))
    before = packed(state)
    for move in case.game.legal_moves(state):
        assert case.game.canonical(state, move) == move
        assert case.game.play(state, move) != state
    assert packed(state) == before


@every_case
@few
@given(seed=seeds)
def test_whatever_two_elements_are_touched_is_judged_rightly(case: Case, seed: int) -> None:
    rng = Random(seed)
    state = random_state(case.game, case.params, rng)
    ids = element_ids(case.game.board(case.params))
    pairs = [spell(pair) for pair in itertools.product(ids, repeat=2)]
    for move in (*ids, *rng.sample(pairs, min(len(pairs), 300))):
        assert_judged(case, state, move)


@every_game
@many
@given(seed=seeds, data=st.data())
def test_whatever_is_written_is_judged_rightly(case: Case, seed: int, data: st.DataObject) -> None:
    """Free text, and the game's own moves with a letter put in, taken out, replaced or everything turned round."""
    rng = Random(seed)
    steps = list(random_game(case.game, case.params, rng))
    state = rng.choice([steps[0].before, rng.choice(steps).before, steps[-1].after])
    move = data.draw(st.sampled_from([step.move for step in steps]))
    at = data.draw(st.integers(min_value=0, max_value=len(move)))
    letter = data.draw(st.sampled_from("abcdxyz0123456789-:#., \n\0é") | st.characters())
    for written in (
        data.draw(st.text(max_size=limits.MAX_MOVE)),
        move,
        move[:at] + letter + move[at:],
        move[:at] + letter + move[at + 1 :],
        move[:at] + move[at + 1 :],
        move.upper(),
        f" {move}",
        f"{move}\n",
        "-".join(reversed(move.split("-"))),
        "",
    ):
        assert_judged(case, state, written)


@every_case
@few
@given(seed=seeds)
def test_a_state_survives_being_written_and_read(case: Case, seed: int) -> None:
    game = case.game
    state = random_state(game, case.params, Random(seed))
    assert type(state) is game.state
    assert type(state).__struct_config__.frozen
    plain = msgspec.to_builtins(state)
    for read in (msgpack.unpackb(msgpack.packb(plain)), json.loads(json.dumps(plain))):
        again = msgspec.convert(read, game.state)
        assert again == state
        assert list(game.legal_moves(again)) == list(game.legal_moves(state))
        assert game.marks(again) == game.marks(state)
    params = case.params
    assert msgspec.convert(json.loads(json.dumps(msgspec.to_builtins(params))), game.params) == params


@every_game
def test_a_move_is_told_in_few_bytes(case: Case) -> None:
    game, sizes = case.game, []
    for seed in range(5):
        for before, move, after in random_game(game, case.params, Random(seed)):
            old, new = game.legal_moves(before), game.legal_moves(after)
            scores, focus = game.scores(after), game.focus(after)
            told = [
                move,
                game.changes(before, after),
                sorted(set(new) - set(old)),
                sorted(set(old) - set(new)),
                str(game.status(after)),
                scores if scores != game.scores(before) else None,
                focus if focus != game.focus(before) else None,
            ]
            sizes.append(len(packed(told)))
    assert sum(sizes) / len(sizes) < MOVE_BYTES


@pytest.mark.parametrize("game", [game for game in CATALOGUE.values() if game.choose], ids=lambda game: game.name)
def test_the_computer_is_legal_repeatable_and_quick(game: Any) -> None:
    for case in (Case(game, {}), largest(game)):
        steps = list(random_game(game, case.params, Random(5)))
        for step in steps[:: max(1, len(steps) // 12)]:
            started = time.process_time()
            move = game.choose(step.before, Random(9))
            assert time.process_time() - started < CHOOSE_SECONDS
            assert move in game.legal_moves(step.before)
            assert move == game.choose(step.before, Random(9))


@every_case
@few
@given(seed=seeds)
def test_where_moves_only_go_a_move_takes_away_itself_and_nothing_else(case: Case, seed: int) -> None:
    """What is left out of a move's notification for such a game is so in every position."""
    if not case.game.moves_only_go:
        return
    state, rng = case.game.new(case.params), Random(seed)
    legal = set(case.game.legal_moves(state))
    while legal:
        move = rng.choice(sorted(legal))
        state = case.game.play(state, move)
        legal.discard(move)
        assert set(case.game.legal_moves(state)) == legal


def test_moves_only_go_in_two_games_at_least() -> None:
    assert {"dots-and-boxes", "square"} <= {name for name, game in CATALOGUE.items() if game.moves_only_go}


@every_game
def test_the_help_has_a_drawing_that_fits_everywhere(case: Case) -> None:
    """DB 7.3.1.5: of letters that each client has, as narrow as the narrowest help."""
    paragraphs = case.game.help.split("\n\n")
    drawn = [paragraph.split("\n") for paragraph in paragraphs if paragraph.startswith("  ")]
    assert drawn
    for lines in drawn:
        assert all(line.startswith("  ") and len(line) <= DRAWING and line.isascii() for line in lines)
    assert not [line for one in paragraphs if not one.startswith("  ") for line in one.split("\n") if line[:1] == " "]


def turns(game: Any, lesson: Lesson) -> Iterator[tuple[Any, bool]]:
    """The ends of all ways to play the turn of a task, some moves long, and whether each is what was asked for."""
    start = replay_moves(game, game.parse_options(lesson.options), lesson.moves).state
    seat, ways = game.to_move(start), [(start, 0)]
    assert seat is not None
    assert not lesson.reached(start, start)
    while ways:
        state, moves = ways.pop()
        for move in game.legal_moves(state):
            after = game.play(state, move)
            done = lesson.reached(start, after)
            if done or game.to_move(after) != seat:
                yield after, done
            elif moves < LONGEST_TASK - 1:
                ways.append((after, moves + 1))


@every_game
def test_tasks_begin_in_a_position_of_the_game_and_can_be_done_and_missed(case: Case) -> None:
    """Every game has three to five; each is done in a few moves, and not by whatever one plays."""
    game = case.game
    assert 3 <= len(game.lessons) <= 5
    assert len({lesson.title for lesson in game.lessons}) == len(game.lessons)
    for lesson in game.lessons:
        assert lesson.title.strip()
        assert len(lesson.title) <= TITLE
        assert all(words.strip() and len(words) <= SENTENCES for words in (lesson.task, lesson.done, lesson.missed))
        assert {done for _, done in turns(game, lesson)} == {True, False}, lesson.title
    assert game.info(lambda message: f"<{message}>").lessons == tuple(f"<{lesson.title}>" for lesson in game.lessons)
