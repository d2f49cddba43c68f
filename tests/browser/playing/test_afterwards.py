"""After the end, beside another match: what goes on is told by its game and opponent, and in few lines."""

from __future__ import annotations

import pytest

from tests.browser.boards import position, seated, shows, surrender
from tests.browser.people import LIMIT_MS, PHONE, Stage
from tests.browser.truth import plays_one

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_over_a_match_that_is_over_it_is_told_which_other_one_goes_on(stage: Stage) -> None:
    """What goes on is named, for over a match that was just lost the bare sentence told the opposite. A page that
    was opened anew asks for what it does not know. On a phone the end beside the board stays in sight."""
    host, guest = await seated(stage, "square", **PHONE)
    lost = position(host).match
    for plies, mover in enumerate((host, guest), 1):
        await plays_one(mover)
        for person in (host, guest):
            await shows(person, plies)
    await host.page.evaluate("() => { location.hash = 'computer/hexoust'; }")
    await host.page.click(".form button[type=submit]")
    await host.page.wait_for_selector('.match[data-status=playing][data-plies="0"]', timeout=LIMIT_MS)
    await host.page.evaluate("(match) => { location.hash = `watch=${match}`; }", lost)
    await host.page.wait_for_selector('.match[data-plies="2"]', timeout=LIMIT_MS)
    await surrender(host)
    for _ in range(2):
        told = host.page.locator(".own-match")
        await told.get_by_text("Your other match goes on").wait_for(timeout=LIMIT_MS)
        await told.get_by_text("HexOust against Computer (medium)").wait_for(timeout=LIMIT_MS)
        box = await told.bounding_box()
        assert box
        assert box["height"] <= 64, "as much as the button needs"
        name = told.locator(".name")
        assert await name.evaluate("(one) => one.scrollHeight <= one.clientHeight + 1"), "all of it is read"
        assert await name.evaluate("(one) => one.scrollWidth <= one.clientWidth + 1")
        await host.page.reload()
        await host.page.wait_for_selector(".end", timeout=LIMIT_MS)


async def test_a_rematch_asked_of_who_has_left_is_told_to_be_unseen(stage: Stage) -> None:
    """RU-M7: the other one waits for somebody else by now; whoever asks is told, and no longer once they look."""
    host, guest = await seated(stage, "square", **PHONE)
    over = position(host).match
    await surrender(host)
    await guest.page.click('.end .buttons:not([inert]) >> text="Another opponent"')
    await guest.page.wait_for_selector(".waiting", timeout=LIMIT_MS)
    await host.page.locator(".player", has_text="has left").wait_for(timeout=LIMIT_MS)
    await host.page.click('.end .buttons:not([inert]) >> text="Rematch"')
    asked = host.page.locator(".offer.own")
    await asked.get_by_text("Ben is not at this match now, and sees it on coming back.").wait_for(timeout=LIMIT_MS)
    await guest.page.evaluate("(match) => { location.hash = `watch=${match}`; }", over)
    await guest.page.locator('.offer[data-offer="rematch"]', has_text="Ana asks").wait_for(timeout=LIMIT_MS)
    await asked.get_by_text("You ask for a rematch.", exact=True).wait_for(timeout=LIMIT_MS)
