"""Every game to its end in real browsers: by clicks against taps, and by keys alone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.browser.boards import (
    centre,
    click,
    goes_on,
    position,
    press_keys,
    seated,
    shows,
    shows_more,
    tap,
    whose_turn,
)
from tests.browser.conftest import FULL
from tests.browser.people import DESK, LIMIT_MS, PHONE, Person, Stage
from tests.browser.truth import at_rest

pytestmark = pytest.mark.asyncio(loop_scope="session")
GAMES: dict[str, dict[str, Any]] = {
    "checkers": {"draw_after": 8},
    "dots-and-boxes": {"width": 3, "height": 3},
    "hexoust": {"side": 3},
    "square": {},
    "ultimate-dots-and-boxes": {},
}
"""All games, on boards that come to an end in a browser's time."""
TAPPED = tuple(GAMES) if FULL else ("square",)
TYPED = tuple(GAMES) if FULL else ("square",)
"""In the short form the quickest game is played, here and in `test_every_client`."""
MOST = 320


async def to_the_end(host: Person, guest: Person, by_host: Any, by_guest: Any, chance: Random) -> int:
    """Legal moves by chance until the match is over; how many."""
    plies = 0
    for _ in range(MOST):
        if not await goes_on(host, guest):
            return plies
        mover = whose_turn(host, guest)
        board = position(mover)
        moves = [move for move in board.legal if move != "swap"]
        play = by_host if mover is host else by_guest
        await play(mover, chance.choice(moves))
        for person in (host, guest):
            await shows_more(person, plies)
        # HexOust passes a turn by itself where nothing can be played.
        plies = position(host).plies
        await shows(host, plies)
        await shows(guest, plies)
    raise AssertionError("a match without an end")


async def judged(host: Person, guest: Person, plies: int) -> None:
    """Both see the same end, and nothing was sent but the moves, each once."""
    for person in (host, guest):
        await person.page.wait_for_selector('.match[data-status="ended"] .end', timeout=LIMIT_MS)
        result = position(person).result
        assert result is not None
        assert result.text in await person.page.inner_text(".ending")
    sent = [frame["move"] for person in (host, guest) for frame in person.commands("move")]
    assert len(sent) <= plies
    assert len(sent) == len({frame["ref"] for person in (host, guest) for frame in person.commands("move")})
    assert await host.page.locator(".board [data-id]").count() == len(
        position(host).board.lines or position(host).board.cells
    )


@pytest.mark.parametrize("game", TAPPED)
async def test_clicks_against_taps(stage: Stage, game: str) -> None:
    """CK R11.1, UD RF4, DB 7.2.1.1, HX SR2, SQ9: a desk with a mouse against a phone, and a third who watches; once
    it is over, clicks on the board are ignored."""
    host, guest = await seated(stage, game, GAMES[game], guest=PHONE, way="host")
    spectator = await stage.person("Cleo", fragment=f"#watch={position(host).match}")
    await spectator.page.wait_for_selector(".match", timeout=LIMIT_MS)
    plies = await to_the_end(host, guest, click, tap, Random(f"taps {game}"))
    await judged(host, guest, plies)
    await shows(spectator, plies)
    await spectator.page.wait_for_selector('.match[data-status="ended"] .end', timeout=LIMIT_MS)
    assert position(spectator).marks == position(host).marks
    assert position(spectator).result == position(host).result
    assert spectator.commands("move", "offer", "abandon") == []
    asked = len(host.commands())
    drawn = position(host).board.lines or position(host).board.cells
    free = [one.id for one in drawn if one.id not in position(host).marks]
    for element in (free or [one.id for one in drawn])[:20]:
        await host.page.mouse.click(*await centre(host, element))
    await at_rest(stage.hub, host)
    assert len(host.commands()) == asked
    assert await host.page.locator(".hint.bad").count() == 0


@pytest.mark.parametrize("game", TYPED)
async def test_keys_alone(stage: Stage, game: str) -> None:
    """DB 8.1: arrows and Enter are enough."""
    host, guest = await seated(stage, game, GAMES[game], viewport=DESK)
    plies = await to_the_end(host, guest, press_keys, press_keys, Random(f"keys {game}"))
    await judged(host, guest, plies)
