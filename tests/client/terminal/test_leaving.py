"""The ways out of a match in the terminal: giving up, quitting, a lost connection, the end."""

from __future__ import annotations

from time import monotonic
from typing import Any

import pytest
from msgspec import structs

from client.shown.actions.controls import Place
from client.terminal.parts.prompts import Actions
from client.terminal.screens.dialogs import AskDialog
from protocol.messages import Abandon, Accepted, Create, Ended, Leave, Move, QuickMatch, Refused, Result, Sync
from tests.client.positions import moved, snapshot
from tests.client.scripted_server import ScriptedServer
from tests.pace import within

END = Ended(
    match="m1",
    version=3,
    at_ms=0,
    result=Result(winner=0, reason="score", text="Player 1 wins, 3 - 1"),
    can=(("offer_rematch",), ("offer_rematch",)),
)


# Giving up, quitting --------------------------------------------------------------------------------------------------


async def test_giving_up_asks_once(terminal: Any) -> None:
    """CK R4.3, 5.4.1: in turn or not."""
    async with terminal() as at:
        await at.to_match(snapshot(to_move=1, plies=3))
        await at.press("a")
        await at.opens(AskDialog)
        await at.sees("Ben wins.")
        await at.press("n")
        assert at.is_at(Place.MATCH)
        await at.press("a")
        await at.opens(AskDialog)
        await at.press("enter")
        assert at.is_at(Place.MATCH)
        await at.press("a")
        await at.opens(AskDialog)
        await at.press("y")
        assert (await at.server.next(Abandon)).match == "m1"


@pytest.mark.parametrize("key", ["q", "ctrl+c", "ctrl+q"])
async def test_quitting(terminal: Any, key: str) -> None:
    """DB 7.1.2.1: at any time, and the program is gone."""
    async with terminal() as at:
        await at.to_match(snapshot())
        await at.pilot.press(key)
        await at.until(lambda: at.app._exit)


# The connection -------------------------------------------------------------------------------------------------------


async def test_a_lost_connection_is_shown_and_found_again(terminal: Any, server: ScriptedServer) -> None:
    """C1, K1: shown since when, resumed in the same seat, with what was missed and what was pending."""
    async with terminal() as at:
        await at.to_match(snapshot())
        await server.stop()
        await at.until(lambda: "reconnecting for" in at.line("#head"))
        await at.click("a1-b1")
        await at.until(lambda: "┅" in at.text())
        server.answer_sync = lambda sync: (
            moved(3, 0, "b2-c2", to_move=0),
            Accepted(ref=sync.ref, match="m1", version=3),
        )
        await server.start()
        sync = await server.next(Sync)
        assert (sync.match, sync.after) == ("m1", 2)
        move = await server.next(Move)
        assert move.move == "a1-b1"
        await at.until(lambda: at.app.model.match.version == 3)
        assert server.hellos[-1].token == "secret"
        await server.say(Refused(ref=move.ref, code="stale", text="Look again.", match="m1", version=3))
        await at.until(lambda: "Look again." in at.line("#notice") and "┅" not in at.text())


async def test_an_unreadable_frame_is_survived(terminal: Any, server: ScriptedServer) -> None:
    """N5."""
    async with terminal() as at:
        await at.to_match(snapshot())
        await server.say_bytes(b"\xc1garbage")
        assert (await server.next(Sync)).after == 2
        await server.say(moved(3, 0, "a1-b1"))
        await at.until(lambda: "Ben is to move" in at.line("#banner"))


async def test_quitting_while_nobody_answers_is_quick(terminal: Any, server: ScriptedServer) -> None:
    """N1."""
    async with terminal() as at:
        await at.to_match(snapshot())
        await server.stop()
        await at.until(lambda: "reconnecting" in at.line("#head"))
        asked = monotonic()
        await at.pilot.press("q")
        await at.until(lambda: at.app._exit)
        within(monotonic() - asked, 1.0)


# The end --------------------------------------------------------------------------------------------------------------


async def test_the_end_is_announced_with_ways_on(terminal: Any) -> None:
    """DB 7.2.1.3, CK 5.5, UD RF6, N3; SQ9: a click on a line and the keys for one send nothing."""
    async with terminal() as at:
        await at.to_match(snapshot())
        await at.server.say(END)
        await at.until(lambda: at.line("#banner").startswith("You win!  Player 1 wins, 3 - 1"))
        await at.click("a1-b1")
        await at.press("enter", "a")
        assert at.server.received.empty()
        await at.sees("l Main Menu")
        lobby = next(one for one in at.app.screen.query("#side ActionButton") if getattr(one, "action", "") == "lobby")
        await at.until(lambda: not any(actions.is_deaf for actions in at.app.screen.query(Actions)))
        await at.pilot.click(lobby)
        await at.server.next(Leave)
        await at.until(lambda: at.is_at(Place.LOBBY))


@pytest.mark.parametrize(
    ("you", "winner", "words"),
    [((1,), 0, "You lose."), ((), 0, "Ada wins!"), ((0, 1), 1, "Player 2 wins!"), ((0,), None, "Draw, 2 - 2")],
)
async def test_the_end_is_told_to_each_in_their_own_words(
    terminal: Any, you: tuple[int, ...], winner: int | None, words: str
) -> None:
    text = "Draw, 2 - 2" if winner is None else "Told by the server"
    async with terminal() as at:
        await at.to_match(snapshot(you=you))
        await at.server.say(structs.replace(END, result=Result(winner=winner, reason="score", text=text)))
        await at.until(lambda: at.line("#banner").startswith(words))


async def test_once_more(terminal: Any) -> None:
    """UD RF3."""
    async with terminal() as at:
        await at.to_match(snapshot(options={"width": 3, "height": 3}))
        await at.server.say(END)
        await at.until(lambda: "You win!" in at.line("#banner"))
        await at.press("m")
        await at.server.next(Leave)
        assert (await at.server.next(QuickMatch)).options == {"width": 3, "height": 3}


async def test_once_more_in_private_is_a_new_private_match(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_match(snapshot(private=True))
        await at.server.say(END)
        await at.until(lambda: "You win!" in at.line("#banner"))
        await at.press("m")
        assert (await at.server.next(Create)).private
