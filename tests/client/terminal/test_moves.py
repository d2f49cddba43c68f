"""Beside the board in the terminal: the moves in two numbered columns that can be clicked, and the chat apart."""

from __future__ import annotations

from typing import Any

from client.shown.words.move_list import rows
from client.terminal.parts.moves_view import Moves, Tab
from client.terminal.screens.dialogs import SayDialog
from protocol.messages import GetRecord, Look, Said
from server.match.views import record
from tests.client.refereed import ENGLISH, Refereed


def played(moves: int) -> Refereed:
    match = Refereed("checkers")
    for _ in range(moves):
        match.play()
    return match


async def test_the_moves_are_whole_in_two_numbered_columns_and_lead_to_their_positions(terminal: Any) -> None:
    match = played(7)
    async with terminal(size=(80, 24)) as at:
        await at.to_lobby()
        at.app.take(match.snapshot())
        asked = await at.server.next(GetRecord)
        await at.server.say(record(match.match, ENGLISH, asked.ref))
        await at.until(lambda: len(at.app.model.moves) == 7)
        first, second, *_ = match.match.moves
        await at.sees(f"  1 {first}")
        line = next(line for line in at.text().split("\n") if f"  1 {first}" in line)
        assert f"  2 {second}" in line
        assert rows(at.app.model.moves)[-1][1] is None
        shown = at.app.screen.query_one(Moves)
        await at.pilot.click(Moves, offset=(shown.size.width - 3, 1))
        assert (await at.server.next(Look)).ply == 4
        assert at.app.model.step == 4
        await at.press("home")
        assert (await at.server.next(Look)).ply == 0
        await at.press("end")
        assert at.app.model.step is None


async def test_who_comes_back_reads_what_each_move_brought(terminal: Any) -> None:
    """Beside the board, and nobody need have seen it."""
    match = Refereed()
    for move in ("a1-b1", "a1-a2", "a2-b2", "b1-b2"):
        match.play(move)
    async with terminal(size=(80, 24)) as at:
        await at.to_lobby()
        at.app.take(match.snapshot())
        asked = await at.server.next(GetRecord)
        await at.server.say(record(match.match, ENGLISH, asked.ref))
        await at.sees("  4 b1-b2 (+1)")


async def test_talk_is_apart_and_marked_until_it_is_read(terminal: Any) -> None:
    match = played(0)
    async with terminal(size=(80, 24)) as at:
        await at.to_match(match.snapshot())
        await at.server.say(
            Said(match="m1", channel="players", number=1, at_ms=0, name="Ben", seat=1, text="Good luck!")
        )
        await at.sees("Chat ●1")
        await at.pilot.click("#chat-tab")
        await at.until(lambda: at.app.model.unread == 0 and at.text().count("Good luck!") == 2)
        await at.pilot.click("#moves-tab")
        await at.sees("No move yet.")
        assert "●1" not in at.text()
        await at.press("slash")
        await at.opens(SayDialog)
        await at.press("escape")
        await at.until(lambda: at.text().count("Good luck!") == 2)
        assert all(isinstance(tab, Tab) for tab in at.app.screen.query("#log-tabs > *"))
