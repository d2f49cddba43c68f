"""What is typed while the other is to move, and a question that an offer comes between."""

from __future__ import annotations

import pytest

from tests.browser.boards import act, click, seated, shows
from tests.browser.people import LIMIT_MS, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_move_that_is_typed_too_early_is_planned_or_said_to_be(stage: Stage) -> None:
    """P13: by keys as by a click; and what is no place of the board is not kept without a word."""
    host, guest = await seated(stage, "dots-and-boxes", {"width": 4, "height": 4})
    page = guest.page
    await page.fill("[name=move]", "nowhere")
    await page.keyboard.press("Enter")
    await page.wait_for_selector('.hint:has-text("It is not your turn.")', timeout=LIMIT_MS)
    assert await page.input_value("[name=move]") == "nowhere"
    await page.fill("[name=move]", "c3-d3")
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".ask.plan", timeout=LIMIT_MS)
    await click(host, "a1-b1")
    await shows(host, 2)


async def test_a_question_that_an_offer_came_between_is_asked_no_more(stage: Stage) -> None:
    """Restarting is asked about; a draw is offered meanwhile and declined: it does not come back by itself."""
    host, guest = await seated(stage, "square")
    await click(host, "a1-b1")
    await shows(guest, 1)
    await act(guest, "restart")
    await guest.page.wait_for_selector(".asked", timeout=LIMIT_MS)
    await act(host, "draw")
    await guest.page.click('.ask[data-offer="draw"] >> text="Decline"')
    await guest.page.wait_for_selector('.ask[data-offer="draw"]', state="detached", timeout=LIMIT_MS)
    await host.page.wait_for_selector(".ask.own", state="detached", timeout=LIMIT_MS)
    assert not await guest.page.locator(".asked").count()
    await act(guest, "restart")
    await guest.page.wait_for_selector(".asked", timeout=LIMIT_MS)
