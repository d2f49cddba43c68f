"""What browsers refuse, and what outlives a reload: storage, clipboards, matches at one screen (P30, P68, P69, P72)."""

from __future__ import annotations

import time

import pytest

from tests.browser.boards import act, goes_on, position, seated, shows, shows_more
from tests.browser.conftest import FULL, in_full
from tests.browser.people import LIMIT_MS, Stage
from tests.browser.truth import at_rest, plays_one

pytestmark = pytest.mark.asyncio(loop_scope="session")
FORBIDDEN = """
for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
}
"""
FULL_STORE = """
Storage.prototype.setItem = function () { throw new DOMException("full", "QuotaExceededError"); };
"""
CLIPBOARDS = {
    "missing": ("Object.defineProperty(navigator, 'clipboard', { value: undefined });", True),
    "refusing": (
        "navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));",
        True,
    ),
    "hanging": ("navigator.clipboard.writeText = () => new Promise(() => {});", True),
    "of no kind": (
        "Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.execCommand = () => false;",
        False,
    ),
}
"""What the browser has, and whether the old way of copying works there."""


@pytest.mark.parametrize("script", [FORBIDDEN, pytest.param(FULL_STORE, marks=in_full)], ids=["forbidden", "full"])
async def test_nothing_may_be_stored(stage: Stage, script: str) -> None:
    """P68: a match can be played all the same, and it is said what a reload costs."""
    person = await stage.person(fragment="#computer/dots-and-boxes", scripts=[script])
    await person.up()
    await person.page.wait_for_selector('.kept-not:has-text("loses your seat")', timeout=LIMIT_MS)
    await person.page.click("form.form button[type=submit]")
    await person.page.wait_for_selector(".match", timeout=LIMIT_MS)
    await person.page.click(".kept-not button")
    assert await person.page.evaluate(
        "() => { try { localStorage.setItem('a', 'b'); return false; } catch { return true; } }"
    ), "provoked: nothing may be stored"
    for _ in range(3):
        before = int(await person.page.get_attribute(".match", "data-plies") or 0)
        await person.page.wait_for_function("() => document.querySelector('.player.below.to-move')", timeout=LIMIT_MS)
        await plays_one(person)
        await person.page.wait_for_function(
            "(plies) => Number(document.querySelector('.match').dataset.plies) > plies", arg=before, timeout=LIMIT_MS
        )


@pytest.mark.parametrize("kind", CLIPBOARDS if FULL else list(CLIPBOARDS)[:1])
async def test_copying_says_the_truth(stage: Stage, kind: str) -> None:
    """P69: "copied" only when it is; else the link is selected in its field."""
    script, works = CLIPBOARDS[kind]
    person = await stage.person("Ana", fragment="#friend/dots-and-boxes", scripts=[script])
    await person.up()
    await person.page.click("form.form button[type=submit]")
    await person.page.wait_for_selector("input[name=link]", timeout=LIMIT_MS)
    link = await person.page.input_value("input[name=link]")
    await person.page.locator(".share .button.primary").click()
    said = person.page.locator(".share .said")
    await person.page.wait_for_function("() => document.querySelector('.share .said').textContent", timeout=LIMIT_MS)
    assert ("Copied" in await said.inner_text()) is works
    if not works:
        assert await person.page.evaluate("() => getSelection().toString()") == link


@in_full
async def test_a_match_without_a_reload_to_lose(stage: Stage) -> None:
    """P23: with storage as it should be, a page that is closed and opened anew has the same seat, unasked."""
    host, guest = await seated(stage, "dots-and-boxes", {"width": 3, "height": 3})
    await plays_one(host)
    address = host.page.url
    await host.page.close()
    again = await stage.tab(host.context, "Ana", address=address)
    await shows(again, 1)
    assert not again.commands("join", "create")
    await at_rest(stage.hub, again, guest)


@pytest.mark.parametrize("way", ["here", "computer"] if FULL else ["computer"])
async def test_a_match_at_one_screen_survives_reloads(stage: Stage, way: str) -> None:
    """P30: reloaded after each move, also while the computer thinks: the same match, with every move."""
    person = await stage.person(fragment=f"#{way}/dots-and-boxes")
    await person.up()
    await person.page.click("form.form button[type=submit]")
    await person.page.wait_for_selector(".match .board", timeout=LIMIT_MS)
    match, reloads = position(person).match, 0
    for _ in range(20 if FULL else 3):
        if not await goes_on(person):
            break
        await person.page.wait_for_selector(".headline.mine, .end", timeout=LIMIT_MS)
        plies = position(person).plies
        await plays_one(person)
        await shows_more(person, plies)
        # Against the computer it is its turn now, or its answer is on its way.
        await person.page.reload()
        reloads += 1
        await shows_more(person, plies)
        assert position(person).match == match
    assert reloads >= 3, "provoked"
    await at_rest(stage.hub, person)
    assert len(person.unique("create")) == 1


ZONES = ("Pacific/Kiritimati", "America/St_Johns", "Europe/London")


@in_full
@pytest.mark.parametrize("zone", ZONES)
async def test_p72_other_time_zones(stage: Stage, zone: str) -> None:
    """P72: a saved game shows the local day and the file holds UTC; languages with other digits do not change that."""
    host = await stage.person("Ana", fragment="#here/square", timezone_id=zone, locale="ar-EG")
    await host.up()
    await host.page.click("form.form button[type=submit]")
    await host.page.locator(".match .board [data-id]").first.wait_for(state="attached", timeout=LIMIT_MS)
    await plays_one(host)
    await shows(host, 1)
    await act(host, "save")
    await host.page.fill("dialog [name=save]", "zones")
    await host.page.click("dialog .primary")
    await host.page.locator("dialog [role=status]").wait_for(timeout=LIMIT_MS)
    created, local, utc = await host.page.evaluate(
        """() => {
            const text = Object.values(localStorage).find((one) => one.includes("parlour-match"));
            const ms = Number(text.match(/created_ms\\W+(\\d+)/)?.[1] ?? 0);
            const day = (timeZone) => new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone }).format(ms);
            return [ms, day(undefined), day("UTC")];
        }"""
    )
    assert abs(created - time.time() * 1000) < 3_600_000, "the file counts from 1970 in UTC, whatever the zone"
    assert utc
    await host.page.evaluate("() => { location.hash = 'saved'; }")
    await host.page.locator(f'.page .card:has-text("{local}")').first.wait_for(timeout=LIMIT_MS)
