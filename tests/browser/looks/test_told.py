"""What the page tells in small matters of an evening: a click in vain, a row of the list, a drawing in the help."""

from __future__ import annotations

import pytest

from tests.browser.boards import centre, choose, click, position, seated, shows
from tests.browser.people import LIMIT_MS, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")
SIZES = ((320, 568), (360, 740), (768, 1024), (1280, 800))
WHOLE = """() => {
    const row = [...document.querySelectorAll(".lobby .row")].find((one) => one.textContent.includes("Wilhelmina"));
    const text = row.textContent, edge = row.getBoundingClientRect();
    const parts = [...row.querySelectorAll(".small, .swatch, .button")].map((one) => one.getBoundingClientRect());
    const details = row.querySelector(".small");
    return {
        text,
        swatches: row.querySelectorAll(".swatch").length,
        cut: details.scrollWidth > details.clientWidth + 1 && getComputedStyle(details).overflow !== "visible",
        outside: parts.filter((one) => !one.width || one.left < edge.left - 1 || one.right > edge.right + 1).length,
    };
}"""


async def test_a_square_where_nothing_begins_says_so(stage: Stage) -> None:
    """CK 6.1: a light square, an empty one, a piece of the other side; nothing is sent, and a right move goes on."""
    host, guest = await seated(stage, "checkers")
    page = host.page
    sent = len(host.commands())
    one, two = [await centre(host, square) for square in ("1", "2")]
    light = ((one[0] + two[0]) / 2, (one[1] + two[1]) / 2)
    places = ((light, "Nothing begins there"), (await centre(host, "15"), "Nothing begins there"))
    for place, told in (*places, (await centre(host, "21"), "not your piece")):
        await page.mouse.click(*place)
        await page.locator(f'.hint:has-text("{told}")').wait_for(timeout=LIMIT_MS)
        await page.mouse.click(*await centre(host, "9"))
        await page.locator(f'.hint:has-text("{told}")').wait_for(state="detached", timeout=LIMIT_MS)
        await page.mouse.click(*await centre(host, "9"))
    assert len(host.commands()) == sent
    await click(host, "9-13")
    await shows(guest, 1)


async def test_a_row_keeps_clock_and_colours_beside_long_options(stage: Stage) -> None:
    """CK 5.3: whatever else is chosen and however long the name is, from the smallest phone to a desk."""
    host = await stage.person("Wilhelmina Mummery", fragment="#host/checkers")
    await host.up()
    for row, value in (("tiles", "black-red"), ("pieces", "black-red"), ("captures", "forced"), ("@clock", "3+2")):
        await choose(host, row, value)
    await host.page.click("form.form button[type=submit]")
    await host.page.wait_for_selector("input[name=link]", timeout=LIMIT_MS)
    seer = await stage.person("Fay")
    await seer.page.locator('.lobby .row:has-text("Wilhelmina")').wait_for(timeout=LIMIT_MS)
    for width, height in SIZES:
        await seer.page.set_viewport_size({"width": width, "height": height})
        seen = await seer.page.evaluate(WHOLE)
        for words in ("3+2", "Tiles: black-red", "Pieces: black-red", "forced"):
            assert words in seen["text"], (words, width)
        assert (seen["swatches"], seen["cut"], seen["outside"]) == (1, False, 0), (width, seen)
    assert position(host).status == "waiting"


async def test_each_games_help_has_a_drawing(stage: Stage) -> None:
    """DB 7.3.1.5: of what is hardest to say in words; none is cut on a phone."""
    person = await stage.person("Gil", fragment="#help", viewport={"width": 360, "height": 740})
    page = person.page
    games = page.locator("main nav .pick")
    await games.first.wait_for(timeout=LIMIT_MS)
    assert await games.count() >= 5
    for game in await games.all():
        await game.click()
        await page.locator("main nav .pick.on", has_text=await game.inner_text()).wait_for(timeout=LIMIT_MS)
        drawing = page.locator(".rules pre")
        await drawing.first.wait_for(timeout=LIMIT_MS)
        assert await drawing.evaluate_all("(all) => all.every((one) => one.scrollWidth <= one.clientWidth + 1)")
