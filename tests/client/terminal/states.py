"""Matches at a moment of their life, and how they come on a terminal's screen."""

from __future__ import annotations

from typing import Any

from client.terminal.parts.prompts import ActionButton
from server.match import commands as c
from tests.client.refereed import TOTAL, Refereed


def played(moves: int = 4, **created: Any) -> Refereed:
    match = Refereed(clock=TOTAL, **created)
    for _ in range(moves):
        match.now_ms += 1_500
        match.play()
    return match


def paused_by(player: str) -> Refereed:
    match = played()
    match.do(player, c.Pause())
    return match


def offered(kind: str, player: str) -> Refereed:
    match = played()
    match.do(player, c.Offer(kind))  # type: ignore[arg-type]
    return match


def away() -> Refereed:
    match = played()
    match.do("", c.Notice((True, False)))
    return match


def given_up() -> Refereed:
    match = played()
    match.do("ben", c.Abandon())
    return match


async def shown(at: Any, match: Refereed, player: str = "ada") -> None:
    """Show the match as it is, with the server's clock standing still at its time."""
    await at.stand(0.0, match.now_ms)
    await at.to_match(match.snapshot(player))
    await at.pilot.pause()


def usable(at: Any) -> set[str]:
    """The actions whose buttons are on screen, whole, and can be pressed."""
    screen = at.app.screen
    return {
        button.action
        for button in screen.query(ActionButton)
        if button.is_on_screen and not button.disabled and button.region in screen.region and button.region.width
    }
