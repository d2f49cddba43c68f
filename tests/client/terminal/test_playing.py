"""A match on screen: whose turn it is, moves by keys and mouse, help, boards larger than the window."""

from __future__ import annotations

from typing import Any

import pytest

from client.shown.actions.controls import Place
from client.terminal.parts.board import BoardView
from client.terminal.parts.widgets import HelpPanel, KeyHint
from client.terminal.screens.dialogs import TypeDialog
from protocol.board import Mark, Piece
from protocol.messages import (
    Accepted,
    Cancel,
    ClockRule,
    Joined,
    Leave,
    LegalChange,
    Move,
    Presence,
    Refused,
    SeatInfo,
)
from server.match import commands as c
from tests.client.positions import LIGHT_BLUE, dots_board, hex_board, macro_board, moved, snapshot, squares_board
from tests.client.refereed import Refereed
from tests.forms import SCREENS

WAITING = snapshot(
    version=1, status="waiting", seats=(snapshot().seats[0], SeatInfo(style=LIGHT_BLUE)), text="Ready to start."
)


# Whose turn -------------------------------------------------------------------------------------------------------


async def test_who_plays_how_it_stands_and_whose_turn(terminal: Any) -> None:
    """DB 7.1.1.2, 7.3.1.2, CK 5.4.5: names, scores, symbols, presence, turn, status."""
    async with terminal() as at:
        await at.to_match(snapshot(scores=((3,), (1,)), spectators=2))
        text = at.text()
        assert "▶ ● Ada" in text
        assert "Player 1  3 boxes" in text
        assert "◇ Ben" in text
        assert "2 watching" in text
        assert at.line("#banner").startswith("▶ Your turn, Ada")
        assert at.line("#banner").endswith("Player 1's turn")
        await at.server.say(moved(3, 0, "a1-b1"))
        await at.until(lambda: "Ben is to move" in at.line("#banner"))
        assert at.line("#notice").startswith("Ada: a1-b1")
        await at.server.say(Presence(match="m1", here=(True, False), spectators=0))
        await at.until(lambda: "away" in at.text())
        assert "Ben lost the connection." in at.line("#notice")


async def test_waiting_and_the_start(terminal: Any) -> None:
    """UD RF5: told when somebody sits down; the status prompts the start (DB 7.1.1.3)."""
    async with terminal() as at:
        await at.to_match(WAITING)
        assert "Waiting for an opponent" in at.line("#banner")
        assert "Ready to start." not in at.line("#banner"), "there is no Start to click"
        await at.server.say(
            Joined(match="m1", version=2, at_ms=0, seat=1, name="Ben", status="playing", text="Player 1's turn")
        )
        await at.until(lambda: "Your turn" in at.line("#banner"))
        assert "Ben sat down." in at.line("#notice")


async def test_a_waiting_match_can_be_taken_back(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_match(WAITING)
        await at.press("c")
        assert (await at.server.next(Cancel)).match == "m1"
        await at.until(lambda: at.is_at(Place.LOBBY))


# Moves ------------------------------------------------------------------------------------------------------------


async def test_a_move_by_keys_is_pending_until_it_is_stored(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_match(snapshot())
        start = at.board.cursor
        await at.press("up", "up")
        assert at.board.cursor != start
        await at.press("enter")
        move = await at.server.next(Move)
        assert (move.version, move.move) == (2, at.board.cursor)
        await at.until(lambda: "┅" in at.text() or "┇" in at.text())
        assert "sending" in at.line("#head")
        assert "━" not in at.text()
        await at.server.say(Accepted(ref=move.ref, match="m1", version=3), moved(3, 0, move.move))
        await at.until(lambda: "━" in at.text() or "┃" in at.text())
        assert "sending" not in at.line("#head")
        assert "confirmed" not in at.line("#head"), "a number of a version says nothing to who plays"


async def test_two_at_one_screen_count_their_own_pending_moves(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_match(snapshot(you=(0, 1)))
        at.app.play("a1-b1")
        at.app.play("b1-c1")
        first, second = await at.server.next(Move), await at.server.next(Move)
        assert (first.version, second.version) == (2, 3)


async def test_a_line_is_clicked(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_match(snapshot())
        await at.click("b2-c2")
        assert (await at.server.next(Move)).move == "b2-c2"


async def test_two_dots_are_clicked_one_after_the_other(terminal: Any) -> None:
    """DB 7.2.1.1."""
    async with terminal() as at:
        await at.to_match(snapshot())
        await at.click("b2")
        assert at.board.picked == ("b2",)
        assert "b2 → …" in at.line("#notice")
        await at.click("b1")
        assert (await at.server.next(Move)).move == "b1-b2"
        assert at.board.picked == ()


async def test_a_dot_is_dragged_to_another(terminal: Any) -> None:
    """UD RF4."""
    async with terminal() as at:
        await at.to_match(snapshot())
        await at.pilot.mouse_down(BoardView, offset=at.at("a1"))
        await at.pilot.hover(BoardView, offset=at.at("a2"))
        await at.pilot.mouse_up(BoardView, offset=at.at("a2"))
        assert (await at.server.next(Move)).move == "a1-a2"


async def test_a_refused_move_is_told_beside_the_board(terminal: Any) -> None:
    """DB 7.3.2.1: an error message, the turn stays, and the message goes with the next move."""
    async with terminal() as at:
        await at.to_match(snapshot())
        before = at.board._canvas
        await at.click("a1")
        await at.click("b2")
        move = await at.server.next(Move)
        assert move.move == "a1-b2"
        await at.server.say(Refused(ref=move.ref, code="diagonal", text="Never diagonally.", match="m1", version=2))
        await at.until(lambda: "✗ Never diagonally." in at.line("#notice"))
        assert "Your turn" in at.line("#banner")
        assert [[glyph.text for glyph in row] for row in at.board._canvas] == [[g.text for g in row] for row in before]
        await at.press("enter")
        await at.server.next(Move)
        await at.until(lambda: "Never" not in at.line("#notice"))


async def test_escape_lets_go_first_and_leaves_then(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_match(snapshot())
        await at.click("a1")
        await at.press("escape")
        assert at.board.picked == ()
        assert at.is_at(Place.MATCH)
        await at.press("escape")
        assert (await at.server.next(Leave)).match == "m1"
        await at.until(lambda: at.is_at(Place.LOBBY))


async def test_jumps_go_hop_by_hop_with_the_keyboard(terminal: Any) -> None:
    """RU-CK2: the next squares are offered; Enter on the last one again ends the chain."""
    board = squares_board()
    marks = {"11": Mark(1, Piece.MAN), "15": Mark(0, Piece.MAN)}
    chain = snapshot(board, you=(1,), to_move=1, legal=("11x18", "11x18x25"), marks=marks)
    async with terminal() as at:
        await at.to_match(chain)
        assert at.board.cursor == "18" or at.board.cursor is not None
        await at.click("11")
        assert at.board.picked == ("11",)
        await at.click("18")
        assert at.board.picked == ("11", "18")
        await at.press("enter")
        assert (await at.server.next(Move)).move == "11x18"


async def test_a_stone_is_placed_by_a_click_and_an_invalid_cell_is_asked_about(terminal: Any) -> None:
    """HX SR2, SR4.1."""
    async with terminal() as at:
        await at.to_match(snapshot(hex_board(3), legal=("a1", "swap")))
        await at.pilot.hover(BoardView, offset=at.at("c3"))
        await at.until(lambda: "✗" in at.text())
        await at.click("c3")
        move = await at.server.next(Move)
        assert move.move == "c3"
        await at.server.say(Refused(ref=move.ref, code="invalid_cell", text="Invalid Cell Placement", match="m1"))
        await at.until(lambda: "✗ Invalid Cell Placement" in at.line("#notice"))
        await at.click("a1")
        assert (await at.server.next(Move)).move == "a1"


async def test_a_move_that_is_a_word_is_a_button(terminal: Any) -> None:
    """RU-HX5."""
    async with terminal() as at:
        await at.to_match(snapshot(hex_board(3), legal=("a1", "swap")))
        await at.until(lambda: len(at.app.screen.query(".word")) == 1)
        await at.pilot.pause()
        await at.pilot.click(".word")
        assert (await at.server.next(Move)).move == "swap"
        await at.server.say(moved(3, 0, "swap", marks={}, legal=LegalChange(drop=("swap",))))
        await at.until(lambda: not at.app.screen.query_one("#words").display)


async def test_who_watches_cannot_move(terminal: Any) -> None:
    """F1."""
    async with terminal() as at:
        await at.to_match(snapshot(you=()))
        assert "you are watching" in at.line("#head")
        await at.click("a1-b1")
        await at.press("enter", "a")
        assert at.is_at(Place.MATCH)
        await at.server.say(moved(3, 0, "a1-b1"))
        await at.until(lambda: "Ben is to move" in at.line("#banner"))
        assert at.server.received.empty()


async def test_two_people_at_one_keyboard_are_both_addressed(terminal: Any) -> None:
    """DB 1.8."""
    async with terminal() as at:
        await at.to_match(snapshot(you=(0, 1)))
        assert "● Player 1, it is your turn" in at.line("#banner")
        await at.server.say(moved(3, 0, "a1-b1"))
        await at.until(lambda: "◇ Player 2, it is your turn" in at.line("#banner"))
        await at.click("a1-a2")
        assert (await at.server.next(Move)).version == 3


# Help and keys ----------------------------------------------------------------------------------------------------


async def test_help_is_beside_the_game_which_goes_on(terminal: Any) -> None:
    """DB 7.3.1.5 to 7.3.1.7."""
    async with terminal(size=(100, 30)) as at:
        await at.to_match(snapshot())
        await at.press("question_mark")
        panel = at.app.screen.query_one(HelpPanel)
        assert panel.display
        await at.sees("Two players draw lines.")
        await at.server.say(moved(3, 0, "a1-b1"))
        await at.until(lambda: "Ben is to move" in at.line("#banner"))
        await at.server.say(moved(4, 1, "b1-c1"))
        await at.until(lambda: "Your turn" in at.line("#banner"))
        await at.click("a1-a2")
        assert (await at.server.next(Move)).move == "a1-a2"
        await at.press("pagedown")
        assert panel.scroll_offset.y > 0
        await at.press("pageup")
        await at.pilot.click("#help KeyHint")
        await at.until(lambda: not panel.display)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (160, 45)])
async def test_the_help_covers_neither_clocks_nor_offers(terminal: Any, size: tuple[int, int]) -> None:
    """Issue 14, 8: both players, their times and what waits for an answer are read beside it."""
    async with terminal(size=size) as at:
        match = Refereed("checkers", clock=ClockRule(total_ms=600_000))
        for _ in range(2):
            match.play()
        await at.stand(0.0, match.now_ms)
        await at.to_match(match.snapshot())
        await at.press("question_mark")
        assert at.app.screen.query_one(HelpPanel).display
        for event in match.do("ben", c.Offer("draw")):
            await at.server.say(event)
        await at.sees("Ben offers a draw")
        text = at.text()
        assert all(word in text for word in ("y Accept", "n Decline", "Ada", "Ben")), text
        assert text.count("10:00") == 2, text


async def test_the_bar_of_keys_can_be_clicked(terminal: Any) -> None:
    """DB 8.1: the mouse alone will do."""
    async with terminal() as at:
        await at.to_match(snapshot())
        hint = next(found for found in at.app.screen.query("#keys KeyHint") if getattr(found, "action", "") == "quit")
        await at.pilot.click(hint)
        await at.until(lambda: at.app._exit)


# Boards larger than the window ------------------------------------------------------------------------------------


@pytest.mark.screens
@pytest.mark.parametrize("board", [dots_board(15, 15), macro_board()] if SCREENS else [dots_board(15, 15)])
async def test_a_board_larger_than_the_window_scrolls_with_the_cursor(terminal: Any, board: Any) -> None:
    async with terminal(size=(60, 20)) as at:
        await at.to_match(snapshot(board))
        await at.press(*["down"] * 16)
        assert at.board.scroll_offset.y > 0
        assert at.at(at.board.cursor)
        await at.press(*["up"] * 32)
        assert at.board.scroll_offset.y == 0
        assert at.at(at.board.cursor)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (160, 45)])
async def test_the_bar_tells_how_a_move_is_typed(terminal: Any, size: tuple[int, int]) -> None:
    async with terminal(size=size) as at:
        await at.to_match(snapshot(to_move=0, plies=3))
        await at.sees(": Type")
        assert "q Quit" in at.text()
        await at.pilot.click(next(hint for hint in at.app.screen.query(KeyHint) if hint.action == "type"))
        await at.opens(TypeDialog)
