"""An evening in one tab: fifty matches and more leave nothing behind (`page-cases` P75)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright

from tests.browser.boards import act, position, seated, shows, whose_turn
from tests.browser.conftest import OFFLINE_FLAGS, executable, in_full
from tests.browser.people import LIMIT_MS, Person, Stage
from tests.browser.staying.test_company import hide
from tests.browser.truth import CUT, at_rest, plays_one
from tests.driver import HubProcess
from tests.faults.trial.proxy import Proxy
from tests.pace import WAIT_S

pytestmark = pytest.mark.asyncio(loop_scope="session")
MATCHES, WARM, CUTS = 50, 5, 20
GROWTH = 1.05


async def weight(person: Person) -> dict[str, float]:
    """What the tab holds after a collection: bytes of the heap, nodes, listeners."""
    session = await person.context.new_cdp_session(person.page)
    await session.send("Performance.enable")
    for _ in range(3):
        await session.send("HeapProfiler.collectGarbage")
    told = (await session.send("Performance.getMetrics"))["metrics"]
    await session.detach()
    found = {one["name"]: one["value"] for one in told}
    return {name: found[name] for name in ("JSHeapUsedSize", "Nodes", "JSEventListeners")}


def welcomed(person: Person) -> list[str]:
    """The hub's welcomes to this tab, one for each connection."""
    return [frame["player"] for frame in person.received if frame["type"] == "welcome"]


async def reconnected(person: Person, before: int) -> None:
    """Until the tab has more welcomes than that."""
    async with asyncio.timeout(WAIT_S):
        while len(welcomed(person)) <= before:  # noqa: ASYNC110 - frames have no event to wait for
            await asyncio.sleep(0.05)
    await person.up()


async def one_match(host: Person, guest: Person, number: int) -> None:
    """Some moves, a line of chat, a look back, the end, and the rematch.

    Nothing here leaves a handle of an element with the driver, which would hold it for the tab's life.
    """
    first = position(host).match
    for plies in range(1, 4):
        await plays_one(whose_turn(host, guest))
        for person in (host, guest):
            await shows(person, plies)
    await host.page.click("#tab-chat")
    await host.page.fill("[name=say]", f"Number {number}")
    await host.page.keyboard.press("Enter")
    await host.page.locator(".said-text").first.wait_for(timeout=LIMIT_MS)
    await host.page.click("#tab-moves")
    await host.page.click(".move >> nth=0")
    await host.page.locator(".headline.back").wait_for(timeout=LIMIT_MS)
    await host.page.click(".headline.back .button")
    await act(guest, "give_up")
    await guest.page.click(".asked .primary")
    await host.page.click(".end >> text=Rematch")
    await guest.page.click(".offer >> text=Accept")
    for person in (host, guest):
        await person.page.wait_for_function(
            "(first) => !location.hash.includes(first) && document.querySelector('.match')?.dataset.plies === '0'",
            arg=first, timeout=LIMIT_MS,
        )  # fmt: skip


@pytest_asyncio.fixture(loop_scope="session")
async def stage(hub: HubProcess, tmp_path: Path) -> AsyncIterator[Stage]:
    """In a browser that makes no machine code, which would be most of what grows: the heap is what the page holds."""
    async with async_playwright() as playwright:
        flags = [*OFFLINE_FLAGS, "--js-flags=--jitless"]
        browser = await playwright.chromium.launch(executable_path=executable(), args=flags)
        stage = Stage(browser, hub, tmp_path)
        yield stage
        await stage.close()
        await browser.close()


@in_full
async def test_p75_an_evening_in_one_tab(stage: Stage) -> None:
    """P75: 50 matches with chat, rematch and looking back, 20 reconnects, ten hours hidden: at most 5 % more."""
    async with Proxy(("127.0.0.1", stage.hub.port)) as proxy:
        address = f"http://127.0.0.1:{proxy.port}/"
        host, guest = await seated(stage, "dots-and-boxes", {"width": 4, "height": 4}, address=address, expected=CUT)
        begun: dict[str, float] = {}
        for number in range(1, MATCHES + 1):
            await one_match(host, guest, number)
            if number == WARM:
                begun = await weight(host)
            if number % 2 == 0 and number // 2 <= CUTS:
                welcomes = [len(welcomed(person)) for person in (host, guest)]
                proxy.cut()
                for person, before in zip((host, guest), welcomes, strict=True):
                    await reconnected(person, before)
                await at_rest(stage.hub, host, guest)
        ended = await weight(host)
        await host.page.clock.install()
        await hide(host)
        for _ in range(10):
            await host.page.clock.fast_forward("01:00:00")
        await hide(host, False)
        await host.up()
        await at_rest(stage.hub, host, guest)
        slept = await weight(host)
        told = f"after {WARM} matches {begun}; after {MATCHES} {ended}; after ten hours hidden {slept}"
        print(told)
        assert proxy.accepted >= 2 * CUTS, "provoked: connections that were made again"
        assert [host.open_sockets, guest.open_sockets] == [1, 1]
        for name, first in begun.items():
            assert max(ended[name], slept[name]) <= GROWTH * first, f"{name}: {told}"
