"""The card of the end on the page: it takes no click that was meant for what stood there; bars tell its figures."""

from __future__ import annotations

import pytest

from tests.browser.boards import act, click, seated, shows, surrender, whose_turn
from tests.browser.people import DESK, LIMIT_MS, PHONE, SMALL_PHONE, Stage
from tests.browser.screens import IN_A_ROW
from tests.browser.truth import at_rest, plays_one

pytestmark = pytest.mark.asyncio(loop_scope="session")
DEAF_MS = 800
SETTINGS = {"desk": {"viewport": DESK}, "phone": PHONE}
LENGTHS = """() => [...document.querySelectorAll(".end .stats .figure-bar")].map((bar) => {
    const [whole, part] = [bar, bar.firstElementChild].map((one) => one.getBoundingClientRect().width);
    return part / whole;
})"""


@pytest.mark.parametrize("where", SETTINGS)
async def test_the_end_steals_no_click(stage: Stage, where: str) -> None:
    """CK 5.5: what is clicked within 800 ms was meant for what stood there before; who comes to a match that is over
    may go on at once."""
    host, guest = await seated(stage, "square", **SETTINGS[where])
    page = host.page
    await plays_one(host)
    await shows(guest, 1)
    await page.clock.install()
    await page.clock.pause_at(await page.evaluate("Date.now() + 1000"))
    await surrender(guest)
    rematch = page.locator('.end .buttons[inert] >> text="Rematch"')
    await rematch.wait_for(timeout=LIMIT_MS)
    box = await rematch.bounding_box()
    assert box is not None
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await page.mouse.click(*middle)
    await page.clock.run_for(DEAF_MS - 50)
    await page.mouse.click(*middle)
    assert host.commands("offer") == []
    # What is done after a drawing begins a moment later.
    await page.clock.run_for(250)
    await page.locator(".end .buttons:not([inert])").wait_for(timeout=LIMIT_MS)
    await page.mouse.click(*middle)
    await guest.page.locator(".offer").wait_for(timeout=LIMIT_MS)
    assert len(host.commands("offer")) == 1
    await guest.page.click(".offer >> text=Decline")
    await page.clock.resume()
    await at_rest(stage.hub, host, guest)
    await page.reload()
    await page.locator(".end .buttons").wait_for(timeout=LIMIT_MS)
    assert await page.locator(".end .buttons[inert]").count() == 0


async def test_what_a_surrender_costs_is_asked_and_stays_asked(stage: Stage) -> None:
    """`CK R4.3`, `RU-M5`: before the first move nobody would win, which holds no more with it, so the question is gone;
    later a move of the other side takes nothing from what is asked."""
    host, guest = await seated(stage, "square")
    asked = host.page.locator(".asked p")
    await act(host, "give_up")
    assert await asked.inner_text() == "Surrender? Nobody wins."
    await plays_one(host)
    await shows(guest, 1)
    await asked.wait_for(state="detached", timeout=LIMIT_MS)
    await act(host, "give_up")
    assert await asked.inner_text() == f"Surrender? {guest.name} wins."
    await plays_one(guest)
    await shows(host, 2)
    await host.page.click(".asked .primary")
    await host.page.locator(".end .stats").wait_for(timeout=LIMIT_MS)
    assert f"{guest.name} wins" in await host.page.inner_text(".ending")
    assert len(host.commands("abandon")) == 1


async def test_alone_at_both_seats_it_is_asked_of_who_is_to_move(stage: Stage) -> None:
    """`CK R4.3`, DB 1.8: with a move it would be the other who gives up, and the question is gone."""
    person = await stage.person("Ana", fragment="#here/square")
    await person.page.click("form.form button[type=submit]")
    await shows(person, 0)
    asked = person.page.locator(".asked p")
    for plies, winner in enumerate(("X", "O"), 1):
        await plays_one(person)
        await shows(person, plies)
        await asked.wait_for(state="detached", timeout=LIMIT_MS)
        await act(person, "give_up")
        assert await asked.inner_text() == f"Surrender? {winner} wins."


PLACES = """() => [...document.querySelectorAll(".end .stats li")].map((row) =>
    [...row.querySelectorAll(".digits, .figure-bar")].map((one) => one.getBoundingClientRect().x))"""


@pytest.mark.parametrize("where", SETTINGS)
async def test_figures_of_both_stand_below_each_other(stage: Stage, where: str) -> None:
    """Issue 14, 9: what is compared is aligned, whoever has the longer name; and who has left is not called lost."""
    host, guest = await seated(stage, "square", guest_name="Wilhelmina Mummery W", **SETTINGS[where])
    for plies, mover in enumerate((host, guest), 1):
        await plays_one(mover)
        for person in (host, guest):
            await shows(person, plies)
    await surrender(guest)
    await host.page.locator(".end .stats").wait_for(timeout=LIMIT_MS)
    first, second = await host.page.evaluate(PLACES)
    assert len(first) == 4
    assert second == pytest.approx(first, abs=0.5)
    await guest.page.locator('.end .buttons:not([inert]) >> text="Main Menu"').click()
    seat = host.page.locator(".match .player.above")
    await seat.filter(has_text="has left").wait_for(timeout=LIMIT_MS)
    assert not await seat.locator(".bad").count()
    assert "lost the connection" not in await host.page.inner_text("main")


OVERLAPS = """() => [...document.querySelectorAll(".end .stats li")].flatMap((row) => {
    const words = [...row.querySelectorAll(".swatch, .digits")].map((one) => one.getBoundingClientRect());
    return words.filter((word, at) => at && word.top < words[at - 1].bottom && word.left < words[at - 1].right + 1);
}).length"""


CAPTURES = ("11-15", "22-18", "15x22", "25x18")
IN_THE_LIST = """() => [...document.querySelectorAll(".lines")].flatMap((list) => {
    const edge = list.getBoundingClientRect();
    const told = (one) => { const all = document.createRange(); all.selectNodeContents(one); return all; };
    return [...list.querySelectorAll(".move")].flatMap((row) => {
        const boxes = [...row.children].map((one) => told(one).getBoundingClientRect());
        const over = boxes.some((box, at) =>
            at && box.left < boxes[at - 1].right && box.top < boxes[at - 1].bottom - 2);
        const out = Math.max(row.getBoundingClientRect().right, ...boxes.map((box) => box.right)) > edge.right;
        const broken = row.querySelector(".grow").clientHeight > 30;
        return over || out || broken ? [row.textContent] : [];
    });
})"""


@pytest.mark.parametrize("size", [(568, 320), (320, 568)])
async def test_on_the_smallest_phone_no_figure_lies_on_another(stage: Stage, size: tuple[int, int]) -> None:
    """CK 5.5; upright and lying, where all ways on are in view. A surrender is asked about in one row, with answers.
    In the list of moves all of a move stands in its column."""
    width, height = size
    host, guest = await seated(stage, "checkers", **{**SMALL_PHONE, "viewport": {"width": width, "height": height}})
    for plies, move in enumerate(CAPTURES, 1):
        await click(whose_turn(host, guest), move)
        for person in (host, guest):
            await shows(person, plies)
    gains = await host.page.eval_on_selector_all(".move > .small", "(all) => all.map((one) => one.ariaLabel)")
    assert [gain.split()[0] for gain in gains] == ["Ben", "Ana"], "provoked, and heard by name"
    assert await host.page.evaluate(IN_THE_LIST) == []
    assert await host.page.locator(".match .clock").count() >= 2
    assert await host.page.evaluate(IN_A_ROW) == []
    await act(host, "give_up")
    tops = await host.page.evaluate("[...document.querySelectorAll('.asked .button')].map((one) => one.offsetTop)")
    assert len(tops) == 2
    assert len(set(tops)) == 1
    await host.page.click(".asked .primary")
    await host.page.locator(".end .stats").wait_for(timeout=LIMIT_MS)
    assert await host.page.locator(".end .stats .digits").count() == 4
    assert await host.page.evaluate(OVERLAPS) == 0
    assert await host.page.evaluate(IN_A_ROW) == []
    news = "document.querySelector('.news')"
    assert await host.page.evaluate(f"{news}.scrollHeight - {news}.clientHeight") <= 1


async def test_bars_are_as_long_as_their_figures(stage: Stage) -> None:
    """CK 5.5: moves and time of each player, the longer of the two whole; who made no move has no time."""
    host, guest = await seated(stage, "square")
    for plies, mover in enumerate((host, guest, host), 1):
        await plays_one(mover)
        for person in (host, guest):
            await shows(person, plies)
    await surrender(guest)
    await host.page.locator(".end .stats").wait_for(timeout=LIMIT_MS)
    mine, my_time, theirs, their_time = await host.page.evaluate(LENGTHS)
    assert mine == pytest.approx(1, abs=0.02)
    assert theirs == pytest.approx(0.5, abs=0.02)
    assert max(my_time, their_time) == pytest.approx(1, abs=0.02)
    told = await host.page.locator(".end .stats li").all_inner_texts()
    assert ["2 moves" in told[0], "1 move" in told[1]] == [True, True]
