"""Opening the page: from nothing to a welcome, in a real browser."""

from __future__ import annotations

import asyncio
import json

import pytest
from playwright.async_api import Route

from tests.browser.people import LIMIT_MS, SMALL_PHONE, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")
STYLED_A_LAYOUT = 10
"""About one and a half is usual: once for what has changed, and sometimes for what was measured."""


async def test_the_address_of_a_hub_is_all_that_is_needed(stage: Stage) -> None:
    """CK R11.1: the page opens, connects by itself, and nobody is asked for anything before it is needed."""
    person = await stage.person()
    await person.up()
    assert [frame["type"] for frame in person.sent][:1] == ["hello"]
    assert all(url.startswith(stage.address) for url in person.requests)


async def test_what_is_shown_is_not_styled_anew_in_every_pass_of_a_layout(stage: Stage) -> None:
    """The small boards of the front page: 7 layouts once styled them 1,080 times, half a second of a processor."""
    person = await stage.person()
    await person.up()
    counting = await person.context.new_cdp_session(person.page)
    await counting.send("Performance.enable")
    await person.page.reload()
    await person.page.locator(".game .board-ground svg").nth(4).wait_for(timeout=LIMIT_MS)
    told = await counting.send("Performance.getMetrics")
    count = {each["name"]: each["value"] for each in told["metrics"]}
    assert 0 < count["RecalcStyleCount"] <= STYLED_A_LAYOUT * count["LayoutCount"]


SHIFTS = """window.shifts = [];
new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts.push(one.value);
}).observe({ type: "layout-shift", buffered: true });"""
MOST_SHIFTED = 0.1
"""What is called good of the measure that browsers have for it."""


async def test_nothing_moves_when_the_font_comes(stage: Stage) -> None:
    """On the smallest phone, with a font that comes last: nobody presses what was elsewhere a moment before."""
    shown = asyncio.Event()

    async def late(route: Route) -> None:
        await shown.wait()
        await route.continue_()

    person = await stage.person(**SMALL_PHONE, scripts=(SHIFTS,))
    await person.up()
    await person.context.route("**/*.woff2", late)
    await person.page.reload(wait_until="commit")
    await person.page.locator(".game .board-ground svg").nth(4).wait_for(timeout=LIMIT_MS)
    shown.set()
    await person.page.wait_for_function("() => document.fonts.check('16px Inter')", timeout=LIMIT_MS)
    shifts = await person.page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(window.shifts), 100)))"
    )
    assert sum(shifts) < MOST_SHIFTED, shifts


async def test_the_token_is_kept_and_shown_nowhere(stage: Stage) -> None:
    """I2: who one is survives a reload; the secret is in no address."""
    person = await stage.person("Ada")
    await person.up()
    first = next(frame for frame in person.received if frame["type"] == "welcome")
    await person.page.reload()
    await person.up()
    hellos = [frame for frame in person.sent if frame["type"] == "hello"]
    welcomes = [frame for frame in person.received if frame["type"] == "welcome"]
    assert hellos[-1]["token"] == first["token"]
    assert {welcome["player"] for welcome in welcomes} == {first["player"]}
    assert welcomes[-1]["name"] == "Ada"
    assert first["token"] not in json.dumps(person.requests)


async def test_a_name_with_a_wide_address(stage: Stage) -> None:
    """I1: the page works at every address by which a hub is reached, here one of a network."""
    person = await stage.person(address=f"http://localhost:{stage.hub.port}/")
    await person.up()
