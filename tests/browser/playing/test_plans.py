"""Moves planned for the next turn (`page-cases` P13 to P15)."""

from __future__ import annotations

import pytest

from tests.browser.boards import act, centre, click, position, seated, shows
from tests.browser.conftest import FULL, in_full
from tests.browser.people import LIMIT_MS, Person, Stage
from tests.browser.truth import CUT, at_rest
from tests.faults.trial.proxy import DOWN, Proxy

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def plan(person: Person, element: str) -> None:
    """Plan a move by a click on its line."""
    await person.page.mouse.click(*await centre(person, element))
    await person.page.wait_for_selector(".ask.plan", timeout=LIMIT_MS)


async def play(person: Person, element: str, *others: Person) -> None:
    """Play it, and wait until all have seen it."""
    plies = position(person).plies
    await person.page.mouse.click(*await centre(person, element))
    for one in (person, *others):
        await shows(one, plies + 1)


def sent(person: Person) -> list[str]:
    """The moves that this page sent."""
    return [frame["move"] for frame in person.unique("move")]


async def test_p13_what_is_seen_is_what_is_played(stage: Stage) -> None:
    """P13: a plan is marked and named; legal it is sent at once, illegal it is dropped with a word and never sent."""
    host, guest = await seated(stage, "dots-and-boxes", {"width": 4, "height": 4})
    await plan(guest, "c3-d3")
    assert "line c3 to d3" in await guest.page.inner_text(".ask.plan")
    assert await guest.page.locator(".planned-badge").count() == 1
    await host.page.mouse.click(*await centre(host, "a1-b1"))
    # What was sent is known for certain by who sent it, not by who saw it.
    for person in (host, guest):
        await shows(person, 2)
    assert sent(guest) == ["c3-d3"]
    await plan(guest, "a2-b2")
    await host.page.mouse.click(*await centre(host, "a2-b2"))
    await guest.page.wait_for_selector('.hint:has-text("not possible any more")', timeout=LIMIT_MS)
    assert await guest.page.locator(".planned-badge").count() == 0
    assert sent(guest) == ["c3-d3"]
    await at_rest(stage.hub, host, guest)


@in_full
async def test_p14_cancelled_is_never_sent(stage: Stage) -> None:
    """P14: Esc, the right button, a click beside the board or on the mark itself cancel; another one can be set."""
    host, guest = await seated(stage, "dots-and-boxes", {"width": 8, "height": 8})
    page, cancelled = guest.page, 0
    lines = sorted(position(host).legal)
    for turn in range(6 if FULL else 2):
        for how in ("escape", "right", "beside", "again"):
            wanted = lines[-1 - cancelled]
            await plan(guest, wanted)
            x, y = await centre(guest, wanted)
            if how == "escape":
                await page.keyboard.press("Escape")
            elif how == "right":
                await page.mouse.click(x, y, button="right")
            elif how == "beside":
                await page.mouse.click(4, 400)
            else:
                await page.mouse.click(x, y)
            await page.wait_for_selector(".ask.plan", state="detached", timeout=LIMIT_MS)
            cancelled += 1
        second = lines[20 + turn]
        await plan(guest, second)
        await host.page.mouse.click(*await centre(host, lines[2 * turn]))
        await shows(guest, 2 * turn + 2)
        assert sent(guest)[-1] == second
    assert cancelled >= 8, "provoked"
    assert len(sent(guest)) == position(guest).plies // 2


@in_full
async def test_p15_plans_die_with_their_position(stage: Stage) -> None:
    """P15: a takeback, a restart, a pause, a reload and the end leave no plan; the next one can be set."""
    host, guest = await seated(stage, "dots-and-boxes", {"width": 5, "height": 5})
    died = 0

    async def gone(person: Person) -> None:
        nonlocal died
        await person.page.wait_for_selector(".ask.plan", state="detached", timeout=LIMIT_MS)
        died += 1

    await play(host, "a1-b1", guest)
    await plan(host, "c1-d1")
    await act(host, "takeback")
    await guest.page.click(".offer >> text=Accept")
    await gone(host)
    await shows(host, 0)
    await play(host, "a1-b1", guest)
    await plan(host, "c1-d1")
    await act(host, "restart")
    await host.page.click(".asked .primary")
    await guest.page.click(".offer >> text=Accept")
    await gone(host)
    await shows(host, 0)
    await plan(guest, "c1-d1")
    await act(host, "pause")
    await gone(guest)
    await host.page.click(".cover .primary")
    await guest.page.wait_for_selector(".board", timeout=LIMIT_MS)
    await plan(guest, "c1-d1")
    await guest.page.reload()
    await guest.page.wait_for_selector(".match .board", timeout=LIMIT_MS)
    await gone(guest)
    await plan(guest, "c1-d1")
    await act(host, "give_up")
    await host.page.click(".asked .primary")
    await gone(guest)
    assert died == 5, "provoked"
    assert sent(guest) == []


async def test_a_touch_while_a_move_is_on_its_way_is_a_plan(stage: Stage) -> None:
    """P5, P13: nobody here knows whose turn follows, so nothing is sent that the hub would call stale; it is played on
    one's next turn."""
    async with Proxy(("127.0.0.1", stage.hub.port)) as proxy:
        host, guest = await seated(
            stage, "dots-and-boxes", {"width": 4, "height": 4}, address=f"http://127.0.0.1:{proxy.port}/"
        )
        host.expected = guest.expected = CUT
        proxy.blackhole(DOWN)
        await click(host, "a1-b1")
        await host.page.wait_for_selector(".plan .pending", state="attached", timeout=LIMIT_MS)
        await plan(host, "b2-c2")
        assert sent(host) == ["a1-b1"]
        proxy.heal()
        await shows(guest, 1)
        await click(guest, "a3-b3")
        await shows(guest, 3)
        assert sent(host) == ["a1-b1", "b2-c2"]
        assert not await host.page.locator(".news .hint.bad").count()
