"""The menu beside the board: all of it in sight at once on every screen, and nothing goes for it that has room."""

from __future__ import annotations

import pytest

from tests.browser.boards import seated
from tests.browser.people import LIMIT_MS, Stage
from tests.browser.screens import look

pytestmark = pytest.mark.asyncio(loop_scope="session")
SIZES = ((320, 568), (360, 740), (568, 320), (740, 360), (768, 1024), (1280, 800), (1920, 1080))
CUT = """() => {
    const menu = document.querySelector(".menu"), own = menu.getBoundingClientRect();
    const told = (one) => { const all = document.createRange(); all.selectNodeContents(one); return all; };
    const out = [...menu.querySelectorAll(".entry")].filter((one) => {
        const box = told(one).getBoundingClientRect();
        return box.top < own.top || box.bottom > own.bottom || box.left < own.left || box.right > own.right;
    }).map((one) => one.innerText);
    const more = document.querySelector(".acts [data-action=more]"), style = getComputedStyle(more);
    const edge = more.getBoundingClientRect().left - parseFloat(style.outlineOffset) - parseFloat(style.outlineWidth);
    const under = [...document.querySelectorAll(".acts .cell")].slice(0, -1)
        .filter((one) => told(one).getBoundingClientRect().right > edge).map((one) => `below ${one.innerText}`);
    const bar = document.querySelector(".match > .bar").getBoundingClientRect().height;
    return [...out, ...under, bar < 20 && "no bar", style.outlineStyle === "none" && "no focus"].filter(Boolean);
}"""
"""What of the menu is cut, and what goes or is covered for it. More, which opened it, has the focus."""


async def test_all_of_the_menu_is_in_sight_and_takes_nothing_away(stage: Stage) -> None:
    """CK 5.4: of who plays against somebody, who has most of it. The title stays, and the frame of what was pressed
    covers no word beside it."""
    host, _ = await seated(stage, "dots-and-boxes")
    page = host.page
    for width, height in SIZES:
        await look(host, width, height, dark=width % 3 == 0)
        await page.keyboard.press("-")
        await page.wait_for_selector(".menu .entry", timeout=LIMIT_MS)
        await page.focus(".acts [data-action=more]")
        assert await page.evaluate(CUT) == [], (width, height)
        await page.keyboard.press("Escape")
        await page.wait_for_selector(".menu", state="detached", timeout=LIMIT_MS)
