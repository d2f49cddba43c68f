"""What moves, and what is turned (`page-cases` P9, P49, P55)."""

from __future__ import annotations

from random import Random

import pytest

from tests.browser.boards import act, centre, click, position, seated, shows, shows_more
from tests.browser.conftest import FULL, in_full
from tests.browser.people import LIMIT_MS, PHONE, Stage
from tests.browser.truth import at_rest

pytestmark = pytest.mark.asyncio(loop_scope="session")

OFF_THEIR_PLACE = """() => {
    const middle = (one) => {
        const box = one.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const cells = [...document.querySelectorAll(".board .cell")].map(middle);
    return [...document.querySelectorAll(".board .layer.pieces > g > .piece-face > circle:last-of-type")].map(middle)
        .filter(([x, y]) => !cells.some(([cx, cy]) => Math.hypot(cx - x, cy - y) < 4)).length;
}"""


async def test_p49_the_truth_under_the_animation(stage: Stage) -> None:
    """P49: with everything in motion the accessible board is right, and nothing is off its place when it is over."""
    person = await stage.person(fragment="#here/checkers", reduced_motion="no-preference")
    await person.up()
    await person.page.click(".form button[type=submit]")
    await person.page.wait_for_selector(".match", timeout=LIMIT_MS)
    chance, moving = Random("P49"), 0
    turns = 16 if FULL else 8
    for turn in range(turns):
        plies = position(person).plies
        await click(person, chance.choice(sorted(position(person).legal)))
        await shows_more(person, plies)
        moving += await person.page.evaluate("() => document.getAnimations().length > 0")
        if turn in (5, 11):
            await act(person, "takeback")
            await person.page.wait_for_function(
                "(plies) => Number(document.querySelector('.match').dataset.plies) <= plies",
                arg=plies,
                timeout=LIMIT_MS,
            )
    assert moving >= 3, "provoked: seen in motion"
    await at_rest(stage.hub, person)
    await person.page.wait_for_timeout(600)
    assert await person.page.evaluate(OFF_THEIR_PLACE) == 0
    pieces = await person.page.locator(".board .layer.pieces > g").count()
    assert pieces == len(position(person).marks)


BOARDS = """() => [...document.querySelectorAll(".game .board-ground svg")].map((board) => board.outerHTML)"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_the_boards_of_the_cards_live(stage: Stage, motion: str) -> None:
    """Issue 14, 1: each moves on by itself; where nothing is to move none does."""
    person = await stage.person(reduced_motion=motion)
    await person.up()
    page = person.page
    await page.clock.install()
    await page.reload()
    await page.locator(".game .board-ground svg").nth(4).wait_for(timeout=LIMIT_MS)
    await page.clock.run_for(1_000)
    looks = [await page.evaluate(BOARDS)]
    for _ in range(4):
        await page.clock.run_for(7_000)
        looks.append(await page.evaluate(BOARDS))
    assert [len(set(board)) > 1 for board in zip(*looks, strict=True)] == [motion == "no-preference"] * 5


HOPPING = """(time) => {
    const [hop] = document.getAnimations().filter((one) => one.animationName === "hops");
    hop.pause();
    hop.currentTime = time;
    const box = hop.effect.target.querySelector(":scope > circle:last-of-type").getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""


async def test_p49_a_piece_comes_from_where_it_was(stage: Stage) -> None:
    """P49: a move is seen to begin on the cell that the piece leaves, and to end on the other."""
    person = await stage.person(fragment="#here/checkers", reduced_motion="no-preference")
    page = person.page
    await person.up()
    # So slow that it still goes on when it is looked at.
    session = await person.context.new_cdp_session(page)
    await session.send("Animation.enable")
    await session.send("Animation.setPlaybackRate", {"playbackRate": 0.01})
    await page.click(".form button[type=submit]")
    await page.wait_for_selector(".match", timeout=LIMIT_MS)
    for plies, move in enumerate(("9-13", "21-17")):
        await click(person, move)
        await shows_more(person, plies)
        for time, cell in zip((0, 219), move.split("-"), strict=True):
            x, y = await page.evaluate(HOPPING, time)
            wanted = await centre(person, cell)
            assert abs(x - wanted[0]) < 4, (move, cell)
            assert abs(y - wanted[1]) < 4, (move, cell)
        assert await page.locator(".hops").count() == 1, "the one that moved last"


async def test_p49_what_is_told_besides_breaks_no_movement_off(stage: Stage) -> None:
    """P49: more of the same position comes while a piece moves (an offer): it goes on, and the next move ends it."""
    host, guest = await seated(stage, "checkers", reduced_motion="no-preference")
    session = await host.context.new_cdp_session(host.page)
    await session.send("Animation.enable")
    await session.send("Animation.setPlaybackRate", {"playbackRate": 0.01})
    await click(host, "9-13")
    await shows(guest, 1)
    await act(guest, "draw")
    await host.page.wait_for_selector('.ask[data-offer="draw"]', timeout=LIMIT_MS)
    assert await host.page.locator(".hops").count() == 1, "it still moves"
    await click(guest, "21-17")
    await shows(host, 2)
    assert await host.page.locator(".hops").count() == 1, "the one that moved last"


@in_full
async def test_p55_p9_the_phone_is_turned_and_no_look_sticks(stage: Stage) -> None:
    """P55: turned ten times the board fills the shorter side; P9: after a tap nothing looks pointed at."""
    host, guest = await seated(stage, "dots-and-boxes", {"width": 6, "height": 6}, **PHONE)
    page = host.page
    for turn in range(10):
        wide = turn % 2 == 0
        await page.set_viewport_size({"width": 740, "height": 360} if wide else {"width": 360, "height": 740})
        await page.wait_for_timeout(100)
        box = await page.locator(".board-ground").bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 0.9 * 360
        for tab in ("#tab-chat", ".acts [data-action=draw]", ".acts [data-action=more]"):
            place = await page.locator(tab).bounding_box()
            assert place
            assert place["x"] + place["width"] <= (740 if wide else 360)
            assert place["y"] + place["height"] <= (360 if wide else 740)
        assert await page.evaluate("() => document.documentElement.scrollWidth <= innerWidth && scrollY === 0")
    await page.touchscreen.tap(*await centre(host, "a1-b1"))
    await shows(guest, 1)
    await page.wait_for_timeout(200)
    assert await page.locator(".hand > *").count() == 0
    assert await page.locator(".lens").count() == 0
    await at_rest(stage.hub, host, guest)
