"""What is told above a screen or beside a board has a column of its own: aligned, and in whole lines."""

from __future__ import annotations

import pytest

from tests.browser.boards import seated, shows
from tests.browser.people import LIMIT_MS, Stage
from tests.browser.screens import look
from tests.browser.truth import plays_one

pytestmark = pytest.mark.asyncio(loop_scope="session")
SIZES = ((320, 568), (360, 740), (568, 320), (768, 1024), (1280, 800), (1920, 1080))
BESIDE_ITS_COLUMN = """() => {
    const told = document.querySelector(".own-match").getBoundingClientRect();
    const page = document.querySelector("#page > .page"), style = getComputedStyle(page);
    const box = page.getBoundingClientRect();
    const left = box.left + parseFloat(style.paddingLeft), right = box.right - parseFloat(style.paddingRight);
    return [told.left - left, right - told.right, innerWidth - told.right - told.left].map(Math.round);
}"""


async def test_the_way_back_to_a_match_stands_in_the_column_of_what_is_below_it(stage: Stage) -> None:
    """P25: above saved games, the help, the settings and a form."""
    person = await stage.person("Ana", fragment="#here/square")
    await person.up()
    await person.page.click(".form button[type=submit]")
    await person.page.wait_for_selector(".match", timeout=LIMIT_MS)
    for screen, ready in (("saved", ".card"), ("settings", ".settings"), ("help", ".rules"), ("computer", ".form")):
        await person.page.evaluate("(screen) => { location.hash = screen; }", screen)
        await person.page.wait_for_selector(f"#page > .page {ready}", timeout=LIMIT_MS)
        await person.page.wait_for_selector("#page > .own-match", timeout=LIMIT_MS)
        for width, height in SIZES:
            await look(person, width, height, dark=width % 3 == 0)
            aside = await person.page.evaluate(BESIDE_ITS_COLUMN)
            assert max(map(abs, aside[:2])) <= 1, (screen, width, height)


async def test_what_is_on_its_way_or_not_there_keeps_the_column(stage: Stage) -> None:
    """P23: head and words stand where those of other screens do, and not in the middle of an empty page."""
    person = await stage.person("Ana", fragment="#watch=nobody-knows-it")
    await person.up()
    await person.page.wait_for_selector("#page > .page .sorry", timeout=LIMIT_MS)
    for width, height in SIZES:
        await look(person, width, height, dark=width % 3 == 0)
        page = await person.page.locator("#page > .page").bounding_box()
        assert page
        rem = await person.page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
        assert page["width"] == min(width, 42 * rem)
        assert abs(page["x"] - (width - page["width"]) / 2) <= 1


async def test_who_is_away_is_told_in_whole_lines(stage: Stage) -> None:
    """RU-M5: with a name of twenty letters in three lines at most, and both answers whole in one row below them."""
    host, guest = await seated(stage, "square", guest_name="Wilhelmina Mummery B")
    await plays_one(host)
    await shows(guest, 1)
    await guest.context.close()
    told = host.page.locator(".ask.away")
    await told.wait_for(timeout=LIMIT_MS)
    assert "left to come back" in await told.inner_text()
    for width, height in SIZES:
        await look(host, width, height, dark=width % 3 == 0)
        lines, tops, cut = await told.evaluate(
            """(one) => {
                const words = one.querySelector("p"), buttons = [...one.querySelectorAll(".button")];
                return [
                    words.clientHeight / parseFloat(getComputedStyle(words).lineHeight),
                    new Set(buttons.map((button) => button.offsetTop)).size,
                    buttons.some((button) => button.scrollWidth > button.clientWidth + 1),
                ];
            }"""
        )
        news = "document.querySelector('.news')"
        assert await host.page.evaluate(f"{news}.scrollHeight - {news}.clientHeight") <= 1, (width, height)
        assert lines < 3.1, (width, height)
        assert tops == 1, (width, height)
        assert not cut, (width, height)
