"""Boards that are whole on a terminal of the usual size, with all that belongs to a match beside them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from client.playing.actions import FORGOTTEN_S
from client.shown.board.picking import NOTHING_THERE
from client.terminal.parts.seats import SeatCard
from protocol.board import Tone
from protocol.messages import ClockRule, Refused
from tests.client.refereed import CATALOGUE, Refereed, infos


def played(game: str) -> Refereed:
    match = Refereed(game, clock=ClockRule(total_ms=600_000))
    for _ in range(4):
        match.now_ms += 1_500
        match.play()
    return match


@pytest.mark.parametrize("game", [game for game in CATALOGUE if game != "relay"])
async def test_at_80_by_24_no_board_scrolls(terminal: Any, game: str) -> None:
    """Every line, dot and cell can be clicked; both clocks, whose turn it is and the keys are seen."""
    match = played(game)
    async with terminal(size=(80, 24)) as at:
        await at.to_match(match.snapshot())
        at.app.model = replace(at.app.model, games=infos())
        at.app.refresh_screens()
        board = at.board
        await at.until(lambda: (board.max_scroll_x, board.max_scroll_y) == (0, 0))
        left, top = board._offset()
        places = ((x - left, y - top) for x in range(board.size.width) for y in range(board.size.height))
        under = {board._layout.element_at(board._match.board, *place) for place in places}
        lattice = board._match.board
        assert under - {None} == {one.id for one in (*lattice.lines, *lattice.dots, *lattice.cells)} - (
            {cell.id for cell in lattice.cells} if lattice.lines else set()
        )
        for expected in (
            infos()[game].title,
            "Ada",
            "Ben",
            "Your turn",
            "a Surrender",
            "Esc Lobby",
            "? Help",
            "q Quit",
            "/ Say",
            "9:5",
        ):
            await at.sees(expected)
        shown = [card for card in at.app.screen.query(SeatCard) if card.display and card.is_on_screen]
        assert [card._place for card in sorted(shown, key=lambda card: card.region.y)] == ["above", "below"]
        await at.press("question_mark")
        await at.sees("Close this help")
        await at.press("question_mark")
        assert (board.max_scroll_x, board.max_scroll_y) == (0, 0)


async def test_beside_a_board_of_all_rows_a_refusal_is_read_whole(terminal: Any) -> None:
    match = played("ultimate-dots-and-boxes")
    async with terminal(size=(80, 24)) as at:
        await at.to_match(match.snapshot())
        at.app.model = replace(at.app.model, games=infos())
        at.app.refresh_screens()
        at.app.take(Refused(ref="", code="taken", text="That line is drawn already, as everybody sees."))
        at.app.refresh_screens()
        await at.sees("✗ That line is drawn already,")
        await at.sees("everybody sees.")


async def test_a_square_where_nothing_begins_says_so_for_a_while(terminal: Any) -> None:
    """A light square of Checkers: no move is sent, and what is said about it does not stay."""
    async with terminal() as at:
        times = [0.0]
        at.app._clock = lambda: times[0]
        await at.to_match(Refereed("checkers").snapshot())
        light = next(cell.id for cell in at.app.model.match.board.cells if cell.tone is Tone.LIGHT)
        await at.click(light)
        await at.sees(NOTHING_THERE)
        times[0] += FORGOTTEN_S - 1
        at.app.forget()
        assert at.app.model.notice.text == NOTHING_THERE
        times[0] += 2
        await at.until(lambda: NOTHING_THERE not in at.text())


@pytest.mark.parametrize("size", [(80, 24), (160, 45)])
async def test_board_controls_status_and_scores_are_on_one_screen(terminal: Any, size: tuple[int, int]) -> None:
    """DB 7.1.1.2: 8 x 8 dots and the lines between them, quit, restart and help, whose turn it is, both scores."""
    match = Refereed("dots-and-boxes", options={"width": 8, "height": 8})
    async with terminal(size=size) as at:
        await at.to_match(match.snapshot())
        for words in ("q Quit", "b Restart", "? Help", "Your turn", "Player 1  0 boxes", "Player 2  0 boxes"):
            await at.sees(words)
        assert at.text().count("•") == 64
        assert at.text().count("┈") >= 56
