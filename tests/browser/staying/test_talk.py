"""What is said in a match: rude lines, and lines that did not get through.

`page-cases` P61, P62.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser

from protocol import limits
from tests.browser.boards import seated, shows, surrender
from tests.browser.conftest import in_full
from tests.browser.people import LIMIT_MS, Person, Stage
from tests.browser.truth import CUT, at_rest, plays_one
from tests.driver import HubProcess, RedisProcess
from tests.faults.trial.proxy import UP, Proxy

pytestmark = pytest.mark.asyncio(loop_scope="session")


@in_full
async def test_p61_a_rude_opponent(stage: Stage) -> None:
    """P61: lines stay within theirs; one click mutes for the match, after a reload as well; one's own lines stay."""
    host, guest = await seated(stage, "square")
    page = host.page
    for person in (host, guest):
        await person.page.click("#tab-chat")

    async def says(person: Person, text: str) -> None:
        lines = await person.page.locator(".said-line").count()
        await person.page.fill("[name=say]", text)
        await person.page.keyboard.press("Enter")
        await person.page.wait_for_function(
            "(lines) => document.querySelectorAll('.said-line').length > lines", arg=lines, timeout=LIMIT_MS
        )

    await says(guest, "W" * 200)
    await says(guest, "Z" + "\u0351\u0344\u030d" * 40)
    await page.wait_for_selector(".said-line >> nth=1", timeout=LIMIT_MS)
    assert await page.evaluate(
        """() => { const list = document.querySelector("[data-list=chat]");
            const frame = list.getBoundingClientRect();
            return list.scrollWidth <= list.clientWidth + 1
                && [...list.children].every((line) => line.getBoundingClientRect().right <= frame.right + 1); }"""
    )
    await says(host, "Enough.")
    await page.click('[aria-label="Mute others"]')
    await page.wait_for_function("() => document.querySelectorAll('.said-line').length === 1", timeout=LIMIT_MS)
    await page.reload()
    await page.wait_for_selector("#tab-chat", timeout=LIMIT_MS)
    await says(guest, "And more")
    assert await page.locator(".badge").count() == 0
    await page.click("#tab-chat")
    await page.wait_for_selector(".said-line", timeout=LIMIT_MS)
    assert await page.locator(".said-text").all_inner_texts() == ["Enough."]
    await page.click('[aria-label="Read others again"]')
    await page.wait_for_function("() => document.querySelectorAll('.said-line').length === 4", timeout=LIMIT_MS)


@in_full
async def test_p62_a_message_that_was_not_sent_stays(browser: Browser, redis: RedisProcess, tmp_path: Path) -> None:
    """P62: refused by the limit, a line is back in its field with the reason, and nobody sees it as sent."""
    hub = HubProcess(tmp_path, "--redis", redis.url, "--limit", "pace=1,chat=0.4")
    hub.start()
    try:
        stage = Stage(browser, hub, tmp_path)
        host, guest = await seated(stage, "square")
        page = host.page
        for person in (host, guest):
            await person.page.click("#tab-chat")
        for number in range(8):
            answered = len(refused(host))
            await page.fill("[name=say]", f"line {number}")
            await page.keyboard.press("Enter")
            await page.wait_for_selector(f'.said-text:has-text("line {number}"), .chat .bad', timeout=LIMIT_MS)
            if len(refused(host)) > answered:
                break
        unsent = f"line {number}"
        assert refused(host), "provoked: the hub refused a line"
        assert await page.input_value("[name=say]") == unsent
        assert "This was not sent" in await page.inner_text(".chat .bad")
        await at_rest(hub, host, guest)
        assert unsent not in await guest.page.locator(".said-text").all_inner_texts()
        assert unsent not in await page.locator(".said-text").all_inner_texts()
        await stage.close()
    finally:
        hub.stop()


@in_full
async def test_p62_a_message_that_was_cut_off(stage: Stage) -> None:
    """P62: a line that was on its way when the connection broke or the match ended comes once, or is back in its field;
    what is longer than a line may be does not fit in. Never is one shown as said that the other did not get."""
    lines, sent = ("over the gap", "over the end"), 0
    async with Proxy(("127.0.0.1", stage.hub.port)) as proxy:
        host = await stage.person("Ana", fragment="#friend/square", address=f"http://127.0.0.1:{proxy.port}/")
        await host.up()
        await host.page.click("form.form button[type=submit]")
        link = await host.page.input_value("input[name=link]", timeout=LIMIT_MS)
        guest = await stage.person("Ben", fragment=link[link.index("#") :])
        await guest.up()
        await guest.page.click(".invitation button[type=submit]")
        for person in (host, guest):
            await person.page.locator(".match .board").wait_for(timeout=LIMIT_MS)
            await person.page.click("#tab-chat")
            person.expected = CUT
        page = host.page
        await plays_one(host)
        for person in (host, guest):
            await shows(person, 1)
        for line in lines:
            proxy.swallow(UP)
            await page.fill("[name=say]", line)
            await page.keyboard.press("Enter")
            await page.wait_for_function("() => document.querySelector('[name=say]').value === ''", timeout=LIMIT_MS)
            sent += 1
            if line == lines[1]:
                await surrender(guest)
            proxy.cut()
            proxy.heal()
            await host.up()
            await page.wait_for_function(
                """(line) => document.querySelector("[name=say]").value === line
                    || [...document.querySelectorAll(".said-text")].some((one) => one.textContent === line)""",
                arg=line,
                timeout=LIMIT_MS,
            )
            await at_rest(stage.hub, host, guest)
            texts = [await person.page.locator(".said-text").all_inner_texts() for person in (host, guest)]
            assert texts[0].count(line) == texts[1].count(line) <= 1
            if line not in texts[1]:
                assert await page.input_value("[name=say]") == line
                assert "This was not sent" in await page.inner_text(".chat .bad")
        assert sent == len(lines), "provoked"
        await page.fill("[name=say]", "")
        await page.click("[name=say]")
        await page.keyboard.insert_text("x" * 500)
        assert len(await page.input_value("[name=say]")) == limits.MAX_CHAT


def refused(person: Person) -> list[str]:
    """The refs of what the hub refused this tab."""
    return [frame["ref"] for frame in person.received if frame["type"] == "refused"]
