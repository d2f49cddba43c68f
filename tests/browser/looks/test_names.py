"""Names of all kinds, the widest first: whole, apart and in their frames on every screen (`page-cases` P52)."""

from __future__ import annotations

import pytest

from tests.browser.boards import act, choose, hosted, seated, shows
from tests.browser.conftest import in_full
from tests.browser.people import LIMIT_MS, SMALL_PHONE, Person, Stage
from tests.browser.screens import IN_A_ROW, look
from tests.browser.truth import plays_one

pytestmark = pytest.mark.asyncio(loop_scope="session")
SIZES = ((320, 568), (360, 740), (568, 320), (740, 360), (1280, 800))


async def rows_are_free(person: Person) -> None:
    """At every size nothing in a player's row lies on anything else or out of it; no time and no number is cut."""
    for width, height in SIZES:
        await look(person, width, height, dark=False)
        assert await person.page.evaluate(IN_A_ROW) == [], (width, height)


async def test_p52_names_of_all_kinds(stage: Stage) -> None:
    """P52: the widest name and one from right to left change no place; the whole name is to be had. With two scores and
    a clock each, whoever is to move or has gone."""
    host = await stage.person("W" * 20, fragment="#friend/ultimate-dots-and-boxes", **SMALL_PHONE)
    await host.up()
    await choose(host, "@clock", "5+3")
    await host.page.click("form.form button[type=submit]")
    link = await host.page.input_value("input[name=link]", timeout=LIMIT_MS)
    guest = await stage.person("שלום 123", fragment=link[link.index("#") :], **SMALL_PHONE)
    await guest.up()
    await guest.page.click(".invitation button[type=submit]")
    for person in (host, guest):
        await person.page.wait_for_selector(".match", timeout=LIMIT_MS)
        for side in await person.page.locator(".player").all():
            box, clock = await side.bounding_box(), await side.locator(".clock").bounding_box()
            name = await side.locator(".name").bounding_box()
            assert box
            assert clock
            assert name
            assert name["x"] + name["width"] <= clock["x"]
            assert clock["x"] + clock["width"] <= box["x"] + box["width"] + 1
        assert await person.page.locator('.player .name[title="WWWWWWWWWWWWWWWWWWWW"]').count() == 1
        assert await person.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    await rows_are_free(guest)
    await plays_one(host)
    await shows(guest, 1)
    await rows_are_free(guest)
    await host.context.close()
    await guest.page.locator(".match .player .bad .time").wait_for(timeout=LIMIT_MS)
    await rows_are_free(guest)


UNUSED = """() => [...document.querySelectorAll(".match .player")].flatMap((row) => {
    const name = row.querySelector(".name"), beside = row.querySelector(".first-move");
    if (!beside || name.scrollWidth <= name.clientWidth) return [];
    const words = document.createRange();
    words.selectNodeContents(beside);
    return beside.getBoundingClientRect().width - words.getBoundingClientRect().width > 1 ? [name.textContent] : [];
})"""
"""Names that are cut while what stands beside them has more room than it fills."""


async def test_p52_a_name_has_the_room_that_words_beside_it_leave(stage: Stage) -> None:
    """P52: within how long a first move is due stands between one's own name and the clock, and is no wider than it is
    long."""
    host, _ = await seated(stage, "checkers", host_name="Wilhelmina Mummery W", clock="10+0", **SMALL_PHONE)
    await host.page.locator(".player .first-move").wait_for(timeout=LIMIT_MS)
    for width, height in SIZES:
        await look(host, width, height, dark=width % 3 == 0)
        assert await host.page.evaluate(UNUSED) == [], (width, height)
        assert await host.page.evaluate(IN_A_ROW) == [], (width, height)


OUT_OF_ITS_FRAME = """() => {
    const frames = [...document.querySelectorAll(".card, .row, .cover, .headline, .lines")];
    const out = frames.flatMap((frame) => {
        const [edge, style] = [frame.getBoundingClientRect(), getComputedStyle(frame)];
        const [left, right] = [edge.left + parseFloat(style.paddingLeft), edge.right - parseFloat(style.paddingRight)];
        return [...frame.querySelectorAll(":not(svg *)")].filter((one) => {
            const box = one.getBoundingClientRect();
            const wider = one.matches("p, h2, .button") && one.scrollWidth > one.clientWidth + 1;
            return box.width > 1 && (wider || box.right > right + 1 || box.left < left - 1);
        }).map((one) => `${one.className} out of ${frame.className}: ${one.textContent.slice(0, 30)}`);
    });
    const signs = [...document.querySelectorAll(".players, .headline, .players-line")].flatMap((line) =>
        [...line.querySelectorAll(".swatch")].map((one) => [one, line.querySelector("b") ?? one.nextElementSibling]));
    const alone = signs.filter(([sign, words]) => {
        const [at, by] = [sign.getBoundingClientRect(), words.getBoundingClientRect()];
        return at.width && (by.top > at.bottom || by.left < at.right - 1 || by.left > at.right + 12);
    }).map(([sign]) => `${sign.parentElement.className}: ${sign.parentElement.textContent}`);
    const sides = [...document.querySelectorAll(".legend > span")].map((one) => one.lastElementChild)
        .filter((one) => one.getBoundingClientRect().width);
    const touch = sides.slice(1).some((one, at) =>
        one.parentElement.getBoundingClientRect().left < sides[at].getBoundingClientRect().right + 4);
    const cover = [...document.querySelectorAll(".cover")].some((one) => one.scrollHeight > one.clientHeight + 1);
    const slit = [...document.querySelectorAll(".lines")].some((one) =>
        getComputedStyle(one).visibility === "visible" && one.clientHeight < 40);
    const wide = document.documentElement.scrollWidth > innerWidth;
    return [...out, ...alone, touch && "legend", cover && "cover", slit && "slit", wide && "page"].filter(Boolean);
}"""


async def test_p52_wide_names_stay_in_their_frames(stage: Stage) -> None:
    """P52: in an invitation, the lobby, the featured match, beside the board and in a pause nothing stands out of its
    frame, and a side's sign stands beside its name; what moves there are is a list of whole rows, or none."""

    async def stays(person: Person, screen: str) -> None:
        for width, height in SIZES:
            await look(person, width, height, dark=False)
            assert await person.page.evaluate(OUT_OF_ITS_FRAME) == [], (screen, width, height)

    host, link = await hosted(stage, "square", way="host", name="W" * 20)
    guest = await stage.person("M" * 20, fragment=link)
    await guest.up()
    await guest.page.locator(".invitation h2", has_text="WWW").wait_for(timeout=LIMIT_MS)
    await stays(guest, "invitation")
    await guest.page.click(".invitation button[type=submit]")
    for plies, mover in enumerate((host, guest), 1):
        await mover.page.wait_for_selector(".match", timeout=LIMIT_MS)
        await plays_one(mover)
        for person in (host, guest):
            await shows(person, plies)
    await stays(guest, "match")
    await look(host, 1280, 800, dark=False)
    await act(host, "pause")
    await guest.page.wait_for_selector(".cover h2", timeout=LIMIT_MS)
    await stays(guest, "pause")
    await guest.page.evaluate("location.hash = ''")
    await guest.page.wait_for_selector(".own-matches .row", timeout=LIMIT_MS)
    await host.page.click(".cover .primary")
    seer = await stage.person("Ida")
    await seer.up()
    await seer.page.wait_for_selector(".featured .board", timeout=LIMIT_MS)
    await seer.page.get_by_role("button", name=f"Challenge {'M' * 20}").wait_for(timeout=LIMIT_MS)
    for person in (guest, seer):
        await stays(person, "front")


ALIKE = ("Wilhelmina Mummery 1", "Wilhelmina Mummery 2")
PAIRS = {
    "wide and narrow": ("W" * 20, "i" * 20),
    "from right to left": ("محمد علي", "שלום 123"),
    "one letter": ("A", "Б"),
    "alike but for the last": ALIKE,
}
OVERLAPS = """() => {
    const boxes = (within, which) => [...within.querySelectorAll(which)]
        .map((one) => [one, one.getBoundingClientRect()])
        .filter(([one, box]) => box.width && getComputedStyle(one).visibility !== "hidden");
    const found = [];
    for (const row of document.querySelectorAll(".player, .stats li, .legend > span, .lobby .row, .said-line")) {
        const parts = boxes(row, ".name, .clock, .scores, .badge-seat, .button, .you, .digits");
        for (const [one, a] of parts) for (const [other, b] of parts) {
            if (one === other || one.contains(other) || other.contains(one)) continue;
            const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left),
                Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
            if (wide > 1 && high > 1) found.push(`${row.className}: ${one.className} and ${other.className}`);
        }
        for (const [one, box] of parts)
            if (box.right > innerWidth + 1 || box.left < -1) found.push(`${row.className}: ${one.className} outside`);
    }
    return found;
}"""


@in_full
@pytest.mark.parametrize("pair", PAIRS)
async def test_p52_names_of_all_kinds_on_every_screen(stage: Stage, pair: str) -> None:
    """P52: nothing overlaps in the lobby, the match, the chat and the end; clocks go from left to right; a shortened
    name is to be had in full, and two that differ in their last letter are seen to."""
    first, second = PAIRS[pair]
    host = await stage.person(first, fragment="#host/square", **SMALL_PHONE)
    await host.up()
    await choose(host, "@clock", "5+3")
    await host.page.click("form.form button[type=submit]")
    await host.page.wait_for_selector(".waiting", timeout=LIMIT_MS)
    guest = await stage.person(second, **SMALL_PHONE)
    await guest.up()
    row = guest.page.locator(f'.lobby .row:has-text("{first}")')
    await row.first.wait_for(timeout=LIMIT_MS)
    assert await guest.page.evaluate(OVERLAPS) == []
    await row.first.locator(".primary").click()
    for person in (host, guest):
        await person.page.wait_for_selector(".match", timeout=LIMIT_MS)
    await plays_one(host)
    for person in (host, guest):
        await shows(person, 1)
        assert await person.page.evaluate(OVERLAPS) == []
        for name in (first, second):
            assert await person.page.locator(f'.player .name[title="{name}"]').count() == 1
        directions = "() => [...document.querySelectorAll('.clock')].map((one) => getComputedStyle(one).direction)"
        assert set(await person.page.evaluate(directions)) == {"ltr"}
        if (first, second) == ALIKE:
            ends = person.page.locator(".player .name > :last-child")
            assert sorted(text[-1] for text in await ends.all_inner_texts()) == ["1", "2"]
            assert await ends.evaluate_all(
                "(all) => all.every((one) => one.scrollWidth <= one.clientWidth + 1 && one.clientWidth > 8)"
            )
        await person.page.click("#tab-chat")
        await person.page.fill("[name=say]", "hello")
        await person.page.keyboard.press("Enter")
        await person.page.locator(".said-line").first.wait_for(timeout=LIMIT_MS)
        assert await person.page.evaluate(OVERLAPS) == []
        assert await person.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    await act(host, "give_up")
    await host.page.click(".asked .primary")
    for person in (host, guest):
        await person.page.locator(".end").wait_for(timeout=LIMIT_MS)
        assert await person.page.evaluate(OVERLAPS) == []
