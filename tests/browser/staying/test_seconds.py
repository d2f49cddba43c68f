"""Promises in seconds, on the screen of a browser: judged under `make faults`, which has the machine for itself."""

from __future__ import annotations

import time

import pytest

from tests.browser.boards import click, position, seated, shows, whose_turn
from tests.browser.people import LIMIT_MS, Stage
from tests.pace import within

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.faults, pytest.mark.timed]
EFFECT_S, REFRESH_S = 1.0, 3.0
MOVES = 6


async def test_an_effect_is_seen_within_a_second_and_a_move_and_a_refresh_within_three(stage: Stage) -> None:
    """DB C2, CK R9.1, R9.2, HX NF: a line that is clicked is drawn on both screens, the help is there, and the page
    that is loaded anew has its board again."""
    host, guest = await seated(stage, "dots-and-boxes", {"width": 3, "height": 3})
    effects, moves = [], []
    for plies in range(1, MOVES + 1):
        mover = whose_turn(host, guest)
        move = position(mover).legal[0]
        began = time.monotonic()
        await click(mover, move)
        await shows(mover, plies)
        effects.append(time.monotonic() - began)
        for person in (host, guest):
            await shows(person, plies)
        moves.append(time.monotonic() - began)
    began = time.monotonic()
    await host.page.keyboard.press("?")
    await host.page.locator(".rules").wait_for(timeout=LIMIT_MS)
    effects.append(time.monotonic() - began)
    began = time.monotonic()
    await guest.page.reload()
    await shows(guest, MOVES)
    within(max(effects), EFFECT_S)
    within(max(*moves, time.monotonic() - began), REFRESH_S)
    assert len(position(guest).marks) >= MOVES
