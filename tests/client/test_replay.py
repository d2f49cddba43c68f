"""Stepping through a saved game, on a private server that replays it (`RU-M8`)."""

from __future__ import annotations

import asyncio
import io
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.widgets import Static

from client.conversation.transport import Finder, NoAddress
from client.kept.saves import SavedGame, load
from client.plain.replay import replay_in_lines
from client.plain.review import review_in_lines
from client.playing.saving import OTHER_POSITION
from client.replay.positions import CannotReplay, Positions
from client.replay.stepping import Stepping, heading, understood
from client.start.hub_process import LocalServer
from client.start.launch import in_background
from client.terminal.drawing.raster import text_of
from client.terminal.parts.board import BoardView
from client.terminal.replay import Replay
from tests import upgrade
from tests.driver import WAIT_S
from tests.nasty import LINES

MOVES = ("a1-b1", "a1-a2", "b1-b2", "a2-b2")
HASH = "0" * 64
OLDER = sorted((Path(upgrade.__file__).parent / "saved").glob("*/*.json"))
"""A game of each kind, as the release of that revision saved it."""


def game(**changes: Any) -> SavedGame:
    given: dict[str, Any] = {"game": "square", "names": ("Ada", "Ben"), "moves": MOVES, "hash": HASH}
    return SavedGame(**(given | changes))


@pytest.fixture(scope="module")
def find(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Finder]:
    """A private server, as `parlour replay` starts it."""
    with LocalServer("replay", tmp_path_factory.mktemp("replay")) as server:
        server.address()
        yield in_background(server.address)


def test_steps_stay_within_the_game() -> None:
    at = Stepping(3)
    assert [at.by(1).ply, at.by(-1).ply, at.to(2).by(5).ply, at.to(-4).ply] == [1, 0, 3, 0]


@pytest.mark.parametrize(
    ("line", "ply"),
    [
        ("", 3),
        ("n\n", 3),
        ("NEXT", 3),
        ("b", 1),
        ("back", 1),
        ("start", 0),
        ("home", 0),
        ("end", 9),
        ("7", 7),
        ("99", 9),
    ],
)
def test_typed_steps(line: str, ply: int) -> None:
    assert understood(line, Stepping(9, 2)) == Stepping(9, ply)


@given(st.text(max_size=20))
def test_whatever_is_typed_stays_within_the_game(line: str) -> None:
    found = understood(line, Stepping(9, 2))
    assert found is None or 0 <= found.ply <= 9


def test_names_in_the_heading_are_harmless() -> None:
    """H16."""
    assert heading(game(names=("\x1b[2JAda", "")), None) == "square: [2JAda against nobody"


async def test_every_position_is_the_servers(find: Finder) -> None:
    positions = Positions(game(result="Ada gave up."), find)
    try:
        await positions.open()
        assert positions.game is not None
        assert positions.warning == OTHER_POSITION
        matches = [await positions.at(ply) for ply in range(5)]
        assert [len(match.marks) for match in matches] == [0, 1, 2, 3, 5]
        assert matches[4].last is not None
        assert (matches[4].last.seat, matches[4].last.move) == (1, "a2-b2")
        assert [seat.name for seat in matches[4].seats] == ["Ada", "Ben"]
        assert (matches[4].text, matches[3].text) == ("Ada gave up.", "Current Turn: O")
        assert await positions.at(2) is matches[2]
        with pytest.raises(CannotReplay):
            await positions.at(5)
    finally:
        await positions.close()


@pytest.mark.parametrize(
    ("saved", "says"),
    [
        (game(moves=("a1-b1", "a1-b1")), "move 2 cannot be played"),
        (game(moves=("x",)), "move 1 cannot be played"),
        (game(game="chess"), "chess"),
        (game(options={"width": 99}), "width"),
    ],
)
async def test_what_does_not_replay_is_refused(find: Finder, saved: SavedGame, says: str) -> None:
    positions = Positions(saved, find)
    try:
        with pytest.raises(CannotReplay, match=says):
            await positions.open()
    finally:
        await positions.close()


async def nowhere() -> Any:
    """No server is to be had."""
    raise NoAddress("No server could be started.")


def test_without_a_server_the_reason_is_told() -> None:
    output = io.StringIO()
    assert replay_in_lines(game(), nowhere, io.StringIO(""), output, "en") == 1
    assert output.getvalue() == "No server could be started.\n"


def test_in_plain_lines(find: Finder) -> None:
    output = io.StringIO()
    script = io.StringIO("b\nn\n\nwhat\nend\nn\nlist\n1\n")
    assert replay_in_lines(game(), find, script, output, "en") == 0
    lines = output.getvalue().split("\n")
    assert [line for line in lines if line and line[0] not in " 123"] == [
        "Square: Ada against Ben.",
        OTHER_POSITION,
        "Type n for the next move, b to go back, a number, start, end, list to hear the board in words, or q.",
        "The beginning, before 4 moves.",
        "Current Turn: X",
        "That is the beginning.",
        "Move 1 of 4: Ada a1-b1.",
        "Current Turn: O",
        "Move 2 of 4: Ben a1-a2.",
        "Current Turn: X",
        "Type n for the next move, b to go back, a number, start, end, list to hear the board in words, or q.",
        "Move 4 of 4: Ben a2-b2.",
        "Current Turn: X",
        "That is the end.",
        "Ada (X): nothing on the board.",
        "Ben (O), boxes, 1: a1.",
        "Nobody's, lines, 4: a1-b1, a1-a2, b1-b2, a2-b2.",
        "Lines free, 8: b1-c1, c1-c2, b2-c2, a2-a3, b2-b3, c2-c3, a3-b3, b3-c3.",
        "Move 1 of 4: Ada a1-b1.",
        "Current Turn: O",
    ]


async def test_in_the_terminal(find: Finder) -> None:
    """With the board drawn; every key has a button (`DB 8.1`)."""
    app = Replay(game(), find, "en")
    async with app.run_test(size=(80, 24)) as pilot:

        async def until(condition: Callable[[], bool]) -> None:
            async with asyncio.timeout(WAIT_S):
                while not condition():
                    await pilot.pause(0.01)

        def place() -> str:
            return str(app.query_one("#place", Static).content)

        def drawn() -> str:
            return "\n".join(text_of(app.query_one(BoardView)._canvas))

        await until(lambda: place().startswith("The beginning"))
        assert str(app.query_one("#head", Static).content) == "Square: Ada against Ben"
        assert "━" not in drawn()
        await pilot.press("right")
        await until(lambda: place() == "Move 1 of 4: Ada a1-b1")
        assert "━" in drawn()
        await pilot.press("end")
        await until(lambda: place() == "Move 4 of 4: Ben a2-b2")
        assert "O" in drawn()
        await pilot.press("left", "left", "pagedown", "home")
        await until(lambda: place().startswith("The beginning"))
        await pilot.click("#next")
        await until(lambda: place().startswith("Move 1"))
        await pilot.press("q")
    assert app.return_code == 0


async def test_what_does_not_replay_is_told_in_the_terminal(find: Finder) -> None:
    app = Replay(game(moves=("x",)), find, "en")
    async with app.run_test(size=(80, 24)) as pilot:
        async with asyncio.timeout(WAIT_S):
            while "cannot be played" not in str(app.query_one("#place", Static).content):
                await pilot.pause(0.01)
        await pilot.press("right", "q")


def test_names_of_all_kinds_in_plain_lines(find: Finder) -> None:
    """Q19: whoever wrote the file, called whatever; the output is lines of text."""
    for pair in zip(LINES[::2], LINES[1::2], strict=False):
        output = io.StringIO()
        assert replay_in_lines(game(names=pair, result=pair[0]), find, io.StringIO("end\nlist\n"), output, "en") == 0
        text = output.getvalue()
        assert not [sign for sign in text if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co") and sign != "\n"]


@pytest.mark.parametrize("pair", [("❤️", "日本語の名前"), ("\u0301", "مرحبا"), ("a\x1b[2J", "W" * 300)], ids=ascii)
async def test_names_of_all_kinds_in_the_terminal(find: Finder, pair: tuple[str, str]) -> None:
    """Q19: every row stays as wide as the window."""
    app = Replay(game(names=pair, result=pair[0]), find, "en")
    async with app.run_test(size=(80, 24)) as pilot:
        async with asyncio.timeout(WAIT_S):
            while not str(app.query_one("#place", Static).content).startswith("The beginning"):
                await pilot.pause(0.01)
        await pilot.press("end")
        await pilot.pause()
        rows = ["".join(part.text for part in strip) for strip in app.screen._compositor.render_strips()]
        assert {cell_len(row) for row in rows} == {80}
        await pilot.press("q")


def test_a_saved_game_is_reviewed_in_lines(find: Finder) -> None:
    """`parlour review FILE`, for people and scripts: every position, what cost most; status 1 where it cannot be."""
    output, errors = io.StringIO(), io.StringIO()
    assert review_in_lines(game(), find, output, errors, "en") == 0
    lines = output.getvalue().splitlines()
    assert [line for line in lines if line[0].isdigit() and ": " in line][:5] == [
        "0: -750", "1: -750", "2: -750", "3: -750", "4: -750",
    ]  # fmt: skip
    told = next(at for at, line in enumerate(lines) if line.startswith("0: "))
    assert lines[told - 1].endswith("'s lead after each move, from -1000 (lost) to 1000 (won):"), "what the figures are"
    assert "Review: no move cost much." in lines
    assert errors.getvalue() == "", "how far it is is told to somebody who sits there"
    assert review_in_lines(game(moves=("a1-b1", "a1-c3")), find, output, errors, "en") == 1
    assert "move 2 cannot be played" in errors.getvalue()


@pytest.mark.parametrize("file", OLDER, ids=lambda file: f"{file.parent.name}-{file.stem}")
async def test_a_saved_game_of_an_older_release_leads_where_it_led(find: Finder, file: Path) -> None:
    """By what both replay and review open it with."""
    positions = Positions(load(file), find)
    try:
        await positions.open()
        assert positions.warning == ""
        assert positions.plies == (await positions.judged(positions.plies)).plies > 0
    finally:
        await positions.close()
