"""T5: a student's game in a browser: its log where boards are, and the page on which both programs' sides are read."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser.conftest import in_full
from tests.browser.people import DESK, LIMIT_MS, PHONE, Stage
from tests.driver import HubProcess, RedisProcess
from tests.server.http.dog.library import Library
from tests.server.http.dog.test_matches import begin
from tests.stand import running_hub

pytestmark = pytest.mark.asyncio(loop_scope="session")
MOVES = 16
ONE_LINE = """() => [...document.querySelectorAll("dd")].filter((dd) => dd.textContent === '"next"')
    .every((dd) => dd.clientHeight < 2 * parseFloat(getComputedStyle(dd).lineHeight))"""
"""A short value is not broken."""
GROWS = """() => {
    const list = document.querySelector(".match-log ol");
    window.scrolled = 0;
    addEventListener("scroll", () => { window.scrolled += 1; }, { capture: true });
    new MutationObserver((_, watching) => {
        watching.disconnect();
        const more = document.createElement("li");
        more.className = "more";
        more.style.height = "300px";
        list.append(more);
    }).observe(list, { childList: true });
}"""
"""A high entry comes with the next one, in one frame; what is scrolled is counted."""
_IDS = count(156_000_000_000)
_TABLES = count(1)


@pytest.fixture(scope="module")
def hub(redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """One that students' programs reach."""
    with running_hub(tmp_path_factory, redis, "--dog", "--no-dog-front") as hub:
        yield hub


@pytest.fixture
def table() -> str:
    """One that nobody else sits at."""
    return f"mesa-{next(_TABLES)}"


@pytest.fixture
def programs(hub: HubProcess, table: str) -> Iterator[list[Library]]:
    """Two that play there."""
    url = f"http://127.0.0.1:{hub.port}/dog/{table}/"
    made = [Library(url, name, str(next(_IDS))) for name in ("Ana", "Bea")]
    for program in made:
        assert program.initialize() == "Conectado a Dog Server"
    yield made
    for program in made:
        program.stop()


async def play(programs: list[Library], number: int, **fields: object) -> None:
    """The move with that number, fetched by the other."""
    mover, other = programs[(number + 1) % 2], programs[number % 2]
    move = {"number": number, **fields, "match_status": "next"}
    await asyncio.to_thread(mover.send_move, move)
    await asyncio.to_thread(other.await_moves, (number + 1) // 2)


async def watched(stage: Stage, table: str, **screen: Any) -> Page:
    """The match at that table as somebody watches it who came from the lobby."""
    watcher = await stage.person("Olga", **screen)
    await watcher.up()
    await watcher.page.click(f'.lobby .row:has-text("{table}") >> text=Watch')
    await watcher.page.wait_for_selector(".match-log", timeout=LIMIT_MS)
    return watcher.page


async def last_said(page: Page, text: str) -> None:
    """Wait until the newest entry has that text, and is in view."""
    await page.locator(".match-log li").last.filter(has_text=text).wait_for()
    await at_the_end(page)


async def at_the_end(page: Page) -> None:
    """Wait until the log is at its end."""
    await page.wait_for_function(
        """() => { const log = document.querySelector(".match-log .lines");
            const [frame, last] = [log, log.querySelector("li:last-child")].map((one) => one.getBoundingClientRect());
            return log.scrollHeight > log.clientHeight && last.bottom <= frame.bottom && last.bottom > frame.top; }""",
        timeout=LIMIT_MS,
    )


@pytest.mark.parametrize("screen", [{"viewport": DESK}, pytest.param(PHONE, marks=in_full)], ids=["desk", "phone"])
async def test_t5_a_students_game_is_read_in_the_browser(
    stage: Stage, table: str, programs: list[Library], screen: dict[str, Any]
) -> None:
    """T5: every move whole, newest below, with a search; what one sent stands beside when the other fetched it."""
    await asyncio.to_thread(begin, *programs)
    for number in range(1, MOVES):
        await play(programs, number)
    page = await watched(stage, table, **screen)
    assert await page.locator(".steps").count() == 0  # there is no board to step back on
    await play(programs, MOVES, board=[["x"] * 60, None], text="<b>" + "long " * 90 + "end</b>")
    await last_said(page, "end</b>")
    newest = page.locator(".match-log li").last
    assert (await newest.inner_text()).startswith(f"{MOVES}. Bea")
    assert await newest.locator("dd").all_inner_texts() == [
        '"next"', str(MOVES), '[["' + '","'.join("x" * 60) + '"],null]', '"<b>' + "long " * 90 + 'end</b>"',
    ]  # fmt: skip
    assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    await page.fill("input[name=find]", "LONG")
    await page.locator(f"text=1 of {MOVES} moves with “LONG”").wait_for()
    assert await page.locator(".match-log li").count() == 1
    await page.fill("input[name=find]", "")
    async with page.context.expect_page() as opened:
        await page.click("text=Both sides")
    sides = await opened.value
    row = sides.locator("tr", has_text="end</b>")
    await row.wait_for()
    cells = await row.locator("td").all_inner_texts()
    assert cells[0] == str(MOVES)
    assert re.fullmatch(r"[\d:.]+", cells[1].split()[-1]), cells
    assert "match_status" in cells[2]
    assert await sides.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert await sides.evaluate(ONE_LINE)
    await sides.close()


async def test_p60_what_comes_at_once_is_followed(stage: Stage, table: str, programs: list[Library]) -> None:
    """P60: nobody has scrolled up, so nothing keeps the log from its end; it is there without being scrolled."""
    await asyncio.to_thread(begin, *programs)
    for number in range(1, MOVES):
        await play(programs, number)
    page = await watched(stage, table)
    await last_said(page, f"{MOVES - 1}. Ana")
    await page.evaluate(GROWS)
    await play(programs, MOVES)
    await page.wait_for_selector(".more", timeout=LIMIT_MS)
    await at_the_end(page)
    assert await page.locator(".new-lines").count() == 0
    assert await page.evaluate("() => window.scrolled") == 0
