"""Phones: targets that are smaller than a finger, and a keyboard over most of the screen (`page-cases` P10, P20)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.browser.boards import Finger, act, seated, shows
from tests.browser.conftest import in_full
from tests.browser.people import DESK, LIMIT_MS, PHONE, SMALL_PHONE, Person, Stage
from tests.browser.truth import plays_one

pytestmark = pytest.mark.asyncio(loop_scope="session")
KEYBOARD_PX = 300
"""What a keyboard leaves of the height."""
OVERLAID = """
const seen = new EventTarget();
Object.assign(seen, { scale: 1, offsetTop: 0, height: innerHeight });
Object.defineProperty(window, "visualViewport", { get: () => seen });
window.covered = (height) => { seen.height = height; seen.dispatchEvent(new Event("resize")); };
"""
"""A browser that lays its keyboard over the page: only what is seen gets smaller."""
OUT_OF_VIEW = """(height) => [...document.querySelectorAll(".player .clock, .headline, [name=say]")].filter((one) => {
    const box = one.getBoundingClientRect();
    return !box.width || box.top < 0 || box.bottom > height + 1 || box.left < 0 || box.right > innerWidth + 1;
}).map((one) => one.outerHTML)"""
FOCUSED = "() => document.activeElement?.getAttribute('name')"
SIZES = [(360, 740), (740, 360), (320, 568), (568, 320)]


async def talks(person: Person) -> None:
    """The chat is opened and its field tapped."""
    assert await person.page.evaluate(FOCUSED) is None, "nothing takes the focus by itself"
    await person.page.tap("#tab-chat")
    await person.page.locator("[name=say]").wait_for(timeout=LIMIT_MS)
    assert await person.page.evaluate(FOCUSED) is None
    await person.page.tap("[name=say]")


async def in_view(person: Person, height: int) -> None:
    """Both clocks, whose turn it is and the field are to be seen, and the field has the focus."""
    await person.page.wait_for_function(
        f"(height) => ({OUT_OF_VIEW})(height).length === 0", arg=height, timeout=LIMIT_MS
    )
    assert await person.page.evaluate(FOCUSED) == "say"
    assert await person.page.evaluate("() => scrollY") == 0


@in_full
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("way", ["shrinks", "lies over"])
async def test_p20_both_clocks_hand_or_not(stage: Stage, size: tuple[int, int], way: str) -> None:
    """P20: with the chat open and a keyboard over the rest, clocks and turn are in view, and the field keeps the focus
    through a move and an offer of the other side; an upright phone shows one's own time above the board, too."""
    scripts = [OVERLAID] if way == "lies over" else []
    phone: dict[str, Any] = {**PHONE, "viewport": {"width": size[0], "height": size[1]}}
    desk = {"viewport": DESK, "has_touch": False, "is_mobile": False}
    host, guest = await seated(stage, "square", clock="5+3", guest=desk, **phone)
    page = host.page
    for script in scripts:
        await host.context.add_init_script(script)
        await page.reload()
    await page.locator(".match .board [data-id]").first.wait_for(state="attached", timeout=LIMIT_MS)
    if size[0] < size[1]:
        own, board = [await page.locator(which).bounding_box() for which in (".own-time .clock", ".match .board")]
        assert own
        assert board
        assert own["y"] + own["height"] <= board["y"]
    await plays_one(host)
    for person in (host, guest):
        await shows(person, 1)
    await talks(host)
    left = min(size[1], KEYBOARD_PX)
    if scripts:
        await page.evaluate("(height) => covered(height)", left)
    else:
        await page.set_viewport_size({"width": size[0], "height": left})
    await in_view(host, left)
    await page.keyboard.type("half of it")
    await plays_one(guest)
    await shows(host, 2)
    await in_view(host, left)
    await act(guest, "draw")
    await page.locator('.ask[data-offer="draw"]').wait_for(timeout=LIMIT_MS)
    await in_view(host, left)
    assert await page.input_value("[name=say]") == "half of it"
    await page.evaluate("() => document.activeElement.blur()")
    if scripts:
        await page.evaluate("(height) => covered(height)", size[1])
    else:
        await page.set_viewport_size({"width": size[0], "height": size[1]})
    await page.locator(":root:not([data-typing]) .match .board").wait_for(timeout=LIMIT_MS)
    await plays_one(host)
    await shows(host, 3)


@in_full
async def test_p10_cramped_targets(stage: Stage) -> None:
    """P10: what is lit under a finger is what its lift plays, and is shown clear of it; off the board nothing."""
    host, guest = await seated(stage, "dots-and-boxes", {"width": 15, "height": 15}, **SMALL_PHONE)
    finger, chance = await Finger.of(host), Random(10)
    page, plies, lit_moves = host.page, 0, 0
    for _ in range(30):
        box = await page.locator(".match .board").bounding_box()
        assert box
        x = box["x"] + chance.uniform(8, box["width"] - 8)
        y = box["y"] + chance.uniform(8, box["height"] - 8)
        await finger.down(x, y)
        lens = page.locator(".lens")
        name = ""
        if await lens.count() and await lens.is_visible():
            shown = await lens.bounding_box()
            assert shown
            assert not (
                shown["x"] <= x <= shown["x"] + shown["width"] and shown["y"] <= y <= shown["y"] + shown["height"]
            ), "the lens lies clear of the finger"
            name = await lens.locator("span").inner_text()
        if chance.random() < 0.2:
            await finger.to(x, 2)
            await finger.up()
            assert len(host.commands("move")) == lit_moves, "lifted off the board"
            continue
        taken = name and await page.locator(f'[data-id][aria-label^="{name}, drawn"]').count()
        await finger.up()
        if not name or taken:
            continue
        lit_moves += 1
        plies += 1
        await shows(host, plies)
        played = host.commands("move")[-1]["move"]
        assert name == "line {} to {}".format(*played.split("-"))
        await shows(guest, plies)
        await plays_one(guest)
        plies += 1
        await shows(host, plies)
    assert lit_moves >= 10, "provoked"
    assert len(host.unique("move")) == lit_moves
