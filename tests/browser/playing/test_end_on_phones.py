"""After the end, on a phone: what is opened or asked is in sight, in place of what it is not about just now."""

from __future__ import annotations

import pytest

from tests.browser.boards import seated, shows, surrender
from tests.browser.people import LIMIT_MS, SMALL_PHONE, Person, Stage
from tests.browser.screens import look
from tests.browser.truth import plays_one

pytestmark = pytest.mark.asyncio(loop_scope="session")
SIZES = ((320, 568), (360, 740), (568, 320), (740, 360))
IN_SIGHT = """(selector) => {
    const one = document.querySelector(selector);
    const box = one?.getBoundingClientRect();
    return !!box && one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}"""


async def in_sight(person: Person, *selectors: str) -> None:
    """Nothing covers or cuts the middle of these, at any size of a phone."""
    for width, height in SIZES:
        await person.page.set_viewport_size({"width": width, "height": height})
        for selector in selectors:
            await person.page.wait_for_function(IN_SIGHT, arg=selector, timeout=LIMIT_MS)


async def test_after_the_end_a_phone_shows_what_is_opened_and_what_is_asked(stage: Stage) -> None:
    """CK 5.5: chat and moves, which had no room beside the card; the review, which began below what is seen; and an
    offer of a rematch while it is open."""
    host, guest = await seated(stage, "square", **SMALL_PHONE)
    page = host.page
    for plies, mover in enumerate((host, guest), 1):
        await plays_one(mover)
        for person in (host, guest):
            await shows(person, plies)
    await surrender(guest)
    await in_sight(host, ".end .buttons:not([inert]) .primary")
    await guest.page.click("#tab-chat")
    await guest.page.fill("[name=say]", "Good game! Another one?")
    await guest.page.keyboard.press("Enter")
    await page.click("#tab-chat")
    await page.wait_for_selector(".said-text", timeout=LIMIT_MS)
    await in_sight(host, ".ending b", ".said-text", "[name=say]")
    await page.click("#tab-moves")
    await in_sight(host, ".lines .move")
    await page.click("#tab-moves")
    await page.click('.end .buttons >> text="Review the moves"')
    await in_sight(host, ".review-head", ".curve")
    await guest.page.click("#tab-chat")
    await guest.page.click('.end .buttons >> text="Rematch"')
    await in_sight(host, '.ask[data-offer="rematch"] .primary', '.ask[data-offer="rematch"] .button:last-child')


@pytest.mark.parametrize("way", ["host", "friend"])
async def test_what_is_given_away_is_in_sight_as_soon_as_it_is_opened(stage: Stage, way: str) -> None:
    """P73: a link and the result as text, which opened below what is seen; a private match has no link for others, and
    so nothing that is called sharing."""
    host, guest = await seated(stage, "square", way=way, **SMALL_PHONE)
    await plays_one(host)
    await shows(guest, 1)
    await surrender(guest)
    page = host.page
    await page.wait_for_selector(".end .buttons:not([inert])", timeout=LIMIT_MS)
    opens, first = ("Share", "link") if way == "host" else ("Result", "text")
    assert await page.locator(f'.end .buttons >> text="{opens}"').count() == 1
    assert await page.locator('.end .buttons >> text="Share"').count() == (way == "host")
    for width, height in (*SIZES, (768, 1024), (1280, 800)):
        await look(host, width, height, dark=width % 3 == 0)
        await page.click(f'.end .buttons >> text="{opens}"')
        await page.wait_for_function(IN_SIGHT, arg=f".end [name={first}]", timeout=LIMIT_MS)
        assert await page.locator(".end [name=link]").count() == (way == "host")
        await page.click(f'.end .buttons >> text="{opens}"')
        await page.wait_for_selector(".end [name=text]", state="detached", timeout=LIMIT_MS)


WAYS_ON = """() => {
    const news = document.querySelector(".news"), told = [];
    if (news.scrollHeight > news.clientHeight + 1) told.push("the card is cut");
    // On a phone that lies one practises from the review.
    const buttons = [...document.querySelectorAll(".end .buttons .button")].filter((one) => one.offsetWidth);
    const widths = buttons.map((one) => one.getBoundingClientRect().width);
    if (Math.max(...widths) - Math.min(...widths) > 1) told.push(`as wide as ${widths}`);
    const isCut = (one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
    told.push(...buttons.filter(isCut).map((one) => `${one.innerText} is cut`));
    const bars = [...document.querySelectorAll(".end .figure-bar")].map((one) => one.getBoundingClientRect().width);
    const cut = [...document.querySelectorAll(".end .stats .name")]
        .some((one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth);
    if (cut && Math.max(...bars) > 1) told.push("a bar has the room of a name");
    return told;
}"""
"""What is amiss in the card of the end, by its own boxes."""


async def test_all_ways_on_stand_in_columns_and_in_sight(stage: Stage) -> None:
    """CK 5.5: equal columns, each word whole, also with the widest names, and with a rematch asked for above them; of
    the figures the names come before their bars."""
    one, other = "Wilhelmina Mummery A", "Wilhelmina Mummery B"
    host, guest = await seated(stage, "square", way="host", clock="5+3", host_name=one, guest_name=other)
    for plies, mover in enumerate((host, guest), 1):
        await plays_one(mover)
        for person in (host, guest):
            await shows(person, plies)
    await surrender(host)
    for asked in (False, True):
        if asked:
            await guest.page.click('.end .buttons:not([inert]) >> text="Rematch"')
            await host.page.wait_for_selector(".ask.offer", timeout=LIMIT_MS)
        await host.page.wait_for_selector(".end .buttons:not([inert])", timeout=LIMIT_MS)
        assert await host.page.locator(".end .buttons .button").count() == (6 if asked else 7)
        for width, height in (*SIZES, (768, 1024), (1280, 800), (1920, 1080)):
            await look(host, width, height, dark=width % 3 == 0)
            assert await host.page.evaluate(WAYS_ON) == [], (width, height, asked)
