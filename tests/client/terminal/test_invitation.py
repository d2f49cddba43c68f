"""The link to a match that waits, where who made it looks: whole, with its key, and how to copy it (`CK R1.5`)."""

from __future__ import annotations

from typing import Any

import pytest
from textual.widgets import Static

from client.conversation.address import parse_address
from client.shown.actions.controls import BY_ACTION, Place
from client.terminal.parts.widgets import KeyHint
from tests.client.positions import snapshot

KEY = "KEY0-1234-5678"
SIZES = [(60, 20), (80, 24), (160, 45)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("host", ["192.168.100.123:7878", "127.0.0.1:7878"])
async def test_link_key_and_how_to_copy_are_in_sight(terminal: Any, size: tuple[int, int], host: str) -> None:
    """A friend elsewhere, or where only this computer reaches the server somebody at it, which is said."""
    async with terminal(size=size) as at:
        await at.to_lobby()
        at.app.take(snapshot(status="waiting", version=1, key=KEY, private=True, plies=0))
        await at.until(lambda: at.is_at(Place.MATCH))
        at.app._address = parse_address(host)
        at.app.refresh_screens()
        link = f"http://{host}/#key={KEY}"
        await at.sees(link)
        assert KEY in at.line("#banner")
        assert "y copies" in at.line("#banner")
        assert "y Copy link" in at.line("#keys")
        is_here = any(words in at.line("#notice") for words in ("Only here", "at this computer"))
        assert is_here == host.startswith("127")
        await at.press("y")
        assert at.app.clipboard == link
        await at.sees("copied")
        assert link in at.text()


async def test_nothing_is_copied_of_a_match_that_is_played(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_match(snapshot())
        assert "Copy link" not in at.text()
        await at.press("y")
        assert not at.app.clipboard
        assert "copies" not in at.text()


@pytest.mark.parametrize("size", SIZES)
async def test_the_bar_and_the_help_tell_of_it(terminal: Any, size: tuple[int, int]) -> None:
    """DB 8.1: who does not look at the link finds the key in the help, and a click in the bar does it."""
    async with terminal(size=size) as at:
        await at.to_lobby()
        at.app.take(snapshot(status="waiting", version=1, key=KEY, private=True, plies=0))
        await at.until(lambda: at.is_at(Place.MATCH))
        hint = next(one for one in at.app.screen.query("KeyBar KeyHint").results(KeyHint) if one.action == "copy")
        await at.until(lambda: hint.display)
        await at.pilot.click(hint)
        assert KEY in at.app.clipboard
        await at.press("question_mark")
        told = at.app.screen.query_one("#help-text", Static).content
        assert BY_ACTION["copy"].help in str(told)
