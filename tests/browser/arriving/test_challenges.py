"""Challenges on the page: whom, from the front page; told over every screen and in the title; declined, accepted."""

from __future__ import annotations

import re

import pytest

from tests.browser.boards import choose
from tests.browser.people import LIMIT_MS, PHONE, Stage
from tests.browser.staying.test_company import hide

pytestmark = pytest.mark.asyncio(loop_scope="session")


IN_SIGHT = """() => {
    const box = document.querySelector(".challenge").getBoundingClientRect();
    return document.documentElement.scrollHeight > innerHeight && box.top >= 0 && box.bottom <= innerHeight + 1;
}"""


async def test_one_asks_another_who_declines_and_accepts(stage: Stage) -> None:
    """CK R1.3: by a click on a name, with the side that was chosen: declined from a phone, while nobody looks told by
    title and icon, then accepted."""
    ana, ben = await stage.person("Ana"), await stage.person("Ben", **PHONE)
    cy = await stage.person("Cy", fragment="#settings")
    for person in (ana, ben, cy):
        await person.up()
    await ana.page.get_by_role("button", name="Challenge Ben").click(timeout=LIMIT_MS)
    await ana.page.locator("form.form").wait_for(timeout=LIMIT_MS)
    assert "Challenge Ben" in await ana.page.locator("main").inner_text()
    await ana.page.locator(".game-option", has_text="Square").click()
    await choose(ana, "@first", "your opponent")
    await ana.page.locator("form.form button[type=submit]").click()
    own = ana.page.locator(".challenge")
    await own.wait_for(timeout=LIMIT_MS)
    assert "You challenge Ben" in await own.inner_text()
    assert "Square, you are O" in await own.inner_text()
    asked = ben.page.locator(".challenge")
    await asked.wait_for(timeout=LIMIT_MS)
    assert " ".join((await asked.inner_text()).split()).startswith("Ana challenges you: Square, you are X and begin")
    assert await ben.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for person in (ana, ben):
        assert await person.page.evaluate(IN_SIGHT), "wherever the page is scrolled to"
    # A bare time beside the options looks like a clock.
    assert re.search(r"\(\d:\d\d left to answer\)", await asked.inner_text())
    await asked.get_by_role("button", name="Decline").click()
    await ana.page.locator(".challenge", has_text="Ben declined.").wait_for(timeout=LIMIT_MS)

    await hide(cy)
    await ana.page.get_by_role("button", name="Challenge Cy").click(timeout=LIMIT_MS)
    await ana.page.locator(".game-option", has_text="Dots and Boxes").first.click(timeout=LIMIT_MS)
    await choose(ana, "@preset", "4 x 4")
    await ana.page.locator("form.form button[type=submit]").click(timeout=LIMIT_MS)
    await cy.page.wait_for_function("() => document.title.includes('Ana challenges you')", timeout=LIMIT_MS)
    await hide(cy, False)
    await cy.page.locator(".challenge", has_text="4 x 4").wait_for(timeout=LIMIT_MS)
    await cy.page.locator(".challenge").get_by_role("button", name="Accept").click(timeout=LIMIT_MS)
    for person in (ana, cy):
        await person.page.locator(".match").wait_for(timeout=LIMIT_MS)
    assert [frame["accept"] for frame in ben.commands("answer_challenge")] == [False]

    # Nobody is taken away from a match that is being played without having been asked.
    await ben.page.get_by_role("button", name="Challenge Cy").click(timeout=LIMIT_MS)
    await ben.page.locator("form.form button[type=submit]").click(timeout=LIMIT_MS)
    challenge = cy.page.locator(".challenge")
    await challenge.get_by_role("button", name="Accept", exact=True).click(timeout=LIMIT_MS)
    await cy.page.locator(".challenge", has_text="Your match here goes on meanwhile.").wait_for(timeout=LIMIT_MS)
    assert len(cy.commands("answer_challenge")) == 1
    await challenge.get_by_role("button", name="Accept and go there", exact=True).click()
    await ben.page.locator(".match").wait_for(timeout=LIMIT_MS)
    assert "create" not in {frame["type"] for frame in ana.sent}


async def test_nobody_challenges_who_has_muted_that(stage: Stage) -> None:
    dan, eva = await stage.person("Dan"), await stage.person("Eva")
    for person in (dan, eva):
        await person.up()
    await eva.page.get_by_role("button", name="Mute challenges").click(timeout=LIMIT_MS)
    await eva.page.get_by_role("button", name="Be challenged again").wait_for(timeout=LIMIT_MS)
    await dan.page.get_by_role("button", name="Challenge Eva").click(timeout=LIMIT_MS)
    await dan.page.locator("form.form button[type=submit]").click(timeout=LIMIT_MS)
    await dan.page.locator("form.form .notice.bad", has_text="does not want to be challenged").wait_for(
        timeout=LIMIT_MS
    )
