"""Every screen in every size, without colours, and with a server that means harm."""

from __future__ import annotations

import io
import re
import unicodedata
from typing import Any

import pytest
from msgspec import structs
from rich.console import Console

from client.shown.actions.controls import Place
from client.shown.words.lobby import Way
from client.terminal.drawing.plain import plain
from protocol.board import Mark, Piece, SeatStyle
from protocol.messages import (
    Accepted,
    ClockRule,
    Ended,
    GameInfo,
    MatchSummary,
    Option,
    Presence,
    Preset,
    Refused,
    Result,
    SeatInfo,
    Watch,
)
from tests.client.positions import dots_board, hex_board, macro_board, moved, snapshot, squares_board
from tests.client.scripted_server import ScriptedServer
from tests.forms import SCREENS, crossed

BOARDS = {"dots": dots_board(8, 8), "squares": squares_board(), "hexagons": hex_board(7), "macro": macro_board()}
SIZES = [(60, 20), (80, 24), (120, 40)]
EVIL = "\x1b]0;owned\x07\x1b[2J\r\b[bold red]B[/]\x9b31m\u202e\u0000x"
"""A title, a cleared screen, markup that Rich and Textual would read, C1 controls, text turned round, a NUL."""


@pytest.mark.screens
@pytest.mark.parametrize("size", SIZES if SCREENS else SIZES[:1])
async def test_every_screen_shows_its_parts(terminal: Any, server: ScriptedServer, size: tuple[int, int]) -> None:
    server.lobby = (
        MatchSummary(
            match="a", game="dots-and-boxes", options={}, status="waiting", names=("Ben", None), created_ms=1_000
        ),
    )
    async with terminal(size=size) as at:
        for expected in ("Parlour", "You are", "Lobby", "Friend (link)", "Two here", "Quit"):
            await at.sees(expected)
        await at.to_lobby()
        await at.until(lambda: "Ben" in at.text())
        keys = ("n Host", "m Quick", "h This computer", "w Watch", "k Key", "? Help", "q Quit")
        # Where the bar has no room for all, Enter and a click open a row all the same.
        for expected in ("Dots and Boxes", "waiting", *keys, *(["Enter Join"] if size != SIZES[0] else [])):
            await at.sees(expected)
        await at.press("n")
        await at.until(lambda: "Opponent" in at.text())
        for expected in ("Host a match", "Size", "Friend (link)", "Clock", "More", "Host (Enter)", "Back (Esc)"):
            await at.sees(expected)
        await at.press("escape", "k")
        await at.sees("Join a private match")
        await at.press("escape")
        await at.press("question_mark")
        await at.sees("Close this help")


@pytest.mark.screens
@pytest.mark.parametrize(("kind", "size"), crossed(list(BOARDS), SIZES, full=SCREENS))
async def test_a_match_on_every_board_in_every_size(terminal: Any, size: tuple[int, int], kind: str) -> None:
    match = snapshot(BOARDS[kind])
    async with terminal(size=size) as at:
        await at.to_match(match)
        for expected in ("Ada", "Ben", "Your turn", "a Surrender", "Esc Lobby", "? Help", "q Quit"):
            await at.sees(expected)
        await at.press("question_mark")
        await at.sees("Close this help")
        await at.sees("Ada")
        await at.press("question_mark", "a")
        await at.sees("Surrender?")


@pytest.mark.screens
@pytest.mark.parametrize("size", [(59, 20), (60, 19), (20, 5), (1, 1)] if SCREENS else [(59, 20), (1, 1)])
async def test_a_window_too_small_is_told(terminal: Any, size: tuple[int, int]) -> None:
    async with terminal(size=size) as at:
        if size[0] > 50:
            assert f"This one has {size[0]} x {size[1]}." in at.text()
        await at.pilot.resize_terminal(80, 24)
        await at.until(lambda: "You are" in at.text())
        assert "This one has" not in at.text()
        await at.to_match(snapshot())
        await at.pilot.resize_terminal(*size)
        await at.pilot.pause()
        assert "Your turn" not in at.text()
        await at.pilot.resize_terminal(80, 24)
        await at.until(lambda: "Your turn" in at.text())


@pytest.mark.parametrize("size", [(60, 20), (160, 45)])
async def test_clock_and_colours_stay_in_a_row(terminal: Any, server: ScriptedServer, size: tuple[int, int]) -> None:
    """CK 5.3: of a long name, and of long options, the end goes first."""
    server.lobby = (
        MatchSummary(
            match="a", game="a-game-whose-name-is-longer-than-its-column", options={}, status="waiting",
            names=(None, "Wilhelmina Mummery the Elder"), created_ms=1_000, clock_rule=ClockRule(total_ms=5_400_000),
            styles=(SeatStyle("Black", "#101010", "●"), SeatStyle("White", "#fafafa", "○")),
        ),
    )  # fmt: skip
    async with terminal(size=size) as at:
        await at.to_lobby()
        await at.sees("90+0 ○")


async def test_a_window_that_changes_keeps_the_cursor(terminal: Any) -> None:
    async with terminal(size=(120, 40)) as at:
        await at.to_match(snapshot(macro_board()))
        await at.press("down", "right")
        cursor = at.board.cursor
        await at.pilot.resize_terminal(60, 20)
        await at.pilot.pause()
        assert at.board.cursor == cursor


async def test_without_colours_nothing_is_coloured_and_all_is_told(
    terminal: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    marks = {"a1-b1": Mark(0, Piece.LINE), "a2-b2": Mark(1, Piece.LINE), "#a1": Mark(0, Piece.BOX)}
    async with terminal() as at:
        await at.to_match(snapshot(marks=marks))
        text = at.text()
        for told in ("━", "═", "●", "◇", "▶ ● Ada", "▶ Your turn"):
            assert told in text
        assert "38;2" not in printed(at)
        assert "48;2" not in printed(at)
        assert re.search(r"\x1b\[(\d+;)*7[;m]", printed(at)), "the cursor is reversed"


def printed(at: Any) -> str:
    """What goes to the terminal for the whole screen, with the application's own filters for colours."""
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=200, no_color=False)
    update = at.app.screen._compositor.render_strips()
    for strip in update:
        for style_filter in at.app._filters:
            strip = strip.apply_filter(style_filter, at.app.screen.styles.background)
        for segment in strip:
            console.print(segment.text, style=segment.style, end="", markup=False, highlight=False)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


async def test_hostile_text_reaches_no_terminal(terminal: Any, server: ScriptedServer) -> None:
    """H16: names, titles, texts, codes, keys, symbols and moves full of control codes and markup."""
    server.games = (
        GameInfo(
            name="dots-and-boxes", title=EVIL, summary=EVIL, help=f"{EVIL}\n\n{EVIL}", score_names=(EVIL,),
            options=(Option(name="o", label=EVIL, default=EVIL, choices=(EVIL, "b")),),
            presets=(Preset(EVIL, {"o": EVIL}),),
        ),
    )  # fmt: skip
    server.lobby = (
        MatchSummary(match="a", game=EVIL, options={EVIL: EVIL}, status="waiting", names=(EVIL, None), created_ms=0),
    )
    async with terminal(size=(120, 40)) as at:
        await at.to_lobby()
        await at.until(lambda: "waiting" in at.text())
        await harmless(at)
        await at.press("n")
        await at.until(lambda: "Host a match" in at.text())
        await harmless(at)
        await at.press("escape")
        style = SeatStyle(EVIL, "#123456", "\x1b")
        seats = (SeatInfo(style=style, name=EVIL, here=True), SeatInfo(style=style, name=EVIL, here=True))
        hostile = snapshot(
            seats=seats, text=EVIL, legal=("a1-b1", EVIL), key=EVIL, private=True, you=(0,),
            marks={"#a1": Mark(0, Piece.BOX), "a1-b1": Mark(1, Piece.LINE)},
        )  # fmt: skip
        at.app.open_match("m1", Way.WATCH)
        watch = await server.next(Watch)
        await server.say(Accepted(ref=watch.ref, match="m1", version=2), hostile)
        await at.until(lambda: at.is_at(Place.MATCH))
        await at.pilot.pause()
        await harmless(at)
        await server.say(
            structs.replace(moved(3, 0, "a1-a2"), move=EVIL, text=EVIL, scores=((1,), (0,))),
            Presence(match="m1", here=(True, False), spectators=1),
            Refused(ref="", code=EVIL, text=EVIL),
        )
        await at.until(lambda: "✗" in at.line("#notice"))
        await harmless(at)
        await at.press("question_mark")
        await harmless(at)
        await server.say(Ended(match="m1", version=4, at_ms=0, result=Result(winner=1, reason=EVIL, text=EVIL)))
        await at.until(lambda: "You lose" in at.line("#banner"))
        await harmless(at)


async def harmless(at: Any) -> None:
    await at.sees("[bold red]")
    text = at.text()
    assert all(unicodedata.category(character) not in ("Cc", "Cf", "Co") for character in text.replace("\n", ""))
    assert plain(EVIL) == plain(plain(EVIL))
