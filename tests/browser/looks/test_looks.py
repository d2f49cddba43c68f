"""What is seen: digits, motion, the end, turned boards, longer words, larger letters, notches.

`page-cases` P18, P48, P50, P51, P53, P54, P56.
"""

from __future__ import annotations

from random import Random

import pytest
from playwright.async_api import Route

from tests.browser.boards import act, click, goes_on, position, seated, shows, shows_more, surrender, whose_turn
from tests.browser.conftest import in_full
from tests.browser.people import LIMIT_MS, PHONE, SMALL_PHONE, Person, Stage
from tests.browser.playing.test_playing import GAMES
from tests.browser.screens import PARTS, look, look_as_before
from tests.browser.truth import plays_one

pytestmark = pytest.mark.asyncio(loop_scope="session")
SMALL = {"width": 3, "height": 3}
SIZES = ((360, 740), (740, 360), (768, 1024), (1280, 800), (1920, 1080))

CLIPPED = """() => [...document.querySelectorAll("button, label, h1, h2, p, legend, .name, .tab")].filter((one) => {
    const style = getComputedStyle(one);
    const box = one.getBoundingClientRect();
    const hidden = !box.width || style.visibility === "hidden" || one.closest(".hidden-text, [aria-hidden=true]");
    const wider = one.scrollWidth > one.clientWidth + 1;
    const cut = wider && style.overflowX !== "visible" && style.textOverflow !== "ellipsis";
    const out = box.right > innerWidth + 1 && !one.closest(".game-options, .doors");
    return !hidden && one.textContent.trim() && (cut || out);
}).map((one) => `${one.tagName}.${one.className}: ${one.textContent.trim().slice(0, 60)}`)"""
PSEUDO = """
const longer = (text) => `[${text}${"~".repeat(Math.ceil(text.length * 0.4))}]`;
const through = (of) => {
    for (const [key, value] of Object.entries(of)) {
        if (typeof value === "string") of[key] = longer(value);
        else if (typeof value === "function") {
            of[key] = (...given) => {
                const told = value(...given);
                return typeof told === "string" ? longer(told) : told;
            };
        } else if (value && typeof value === "object") through(value);
    }
};
through(T);
"""


UNDER_PIECES = """() => {
    const pieces = [...document.querySelectorAll(".board .piece-face.man")].map((one) => one.getBoundingClientRect());
    const frames = [...document.querySelectorAll(".board .can-go")].map((one) => {
        const box = one.getBoundingClientRect();
        return { box, inner: (parseFloat(getComputedStyle(one).strokeWidth) / 2) * (box.width / one.getBBox().width) };
    });
    return [...document.querySelectorAll(".board .cell-label")].filter((label) => {
        const box = label.getBoundingClientRect();
        const em = (Number(label.getAttribute("font-size")) * box.width) / label.getBBox().width;
        // The line of the digits, without what letters may have below it.
        const ctm = label.getScreenCTM();
        const low = ctm.f + ctm.d * Number(label.getAttribute("y"));
        const under = pieces.some((piece) => {
            const [x, y, r] = [piece.x + piece.width / 2, piece.y + piece.height / 2, piece.width / 2];
            return Math.hypot(box.right - x, low - y) < r * 0.9;
        });
        const framed = frames.some(({ box: frame, inner }) => {
            const inside = box.left > frame.left - 1 && box.left < frame.right;
            return inside && low > frame.top && low < frame.bottom && low - 0.7 * em < frame.top + inner - 0.5;
        });
        return under || framed;
    }).map((one) => one.textContent);
}"""


async def test_no_piece_and_no_frame_covers_a_number(stage: Stage) -> None:
    """CK 5.1: at the start, where most squares have a piece, all numbers can be read."""
    host, _ = await seated(stage, "checkers")
    for width, height in ((360, 740), (1280, 800)):
        await look(host, width, height, dark=False)
        assert await host.page.locator(".board .can-go").count() > 3, "provoked"
        assert await host.page.evaluate(UNDER_PIECES) == []


ONE_LINE = 40
"""Pixels of a row by which one sees whose match it is."""
ALONE_IN_A_ROW = """() => [...document.querySelectorAll(".choices, .game-options")].flatMap((group) => {
    const rows = Object.values(Object.groupBy(group.children, (one) => Math.round(one.getBoundingClientRect().top)));
    const last = rows.at(-1) ?? [];
    const fills = last.length === 1 && last[0].offsetWidth > group.offsetWidth * 0.9;
    return rows.length > 1 && last.length === 1 && !fills && rows[0].length > 1 ? [last[0].textContent] : [];
})"""


async def test_nothing_stands_alone_in_a_row_of_a_phone(stage: Stage) -> None:
    """Settings and forms: what one chooses from lies in even rows."""
    person = await stage.person("Ana", **PHONE)
    await person.up()
    for screen, ready in (("settings", ".settings"), ("host", "form.form"), ("computer", "form.form")):
        await person.page.evaluate("(hash) => { location.hash = hash; }", f"#{screen}")
        await person.page.wait_for_selector(f".page {ready}", timeout=LIMIT_MS)
        for width, height in ((360, 740), (320, 568)):
            await look(person, width, height, dark=False)
            assert await person.page.evaluate(ALONE_IN_A_ROW) == [], (screen, width)


async def test_own_matches_begin_on_the_first_screen_of_a_phone(stage: Stage) -> None:
    """They, and who is here to be challenged, do not lie below the ways into another match."""
    person = await stage.person("Ana")
    await person.up()
    await person.page.evaluate("location.hash = '#friend/checkers'")
    await person.page.click("form.form button[type=submit]")
    await person.page.wait_for_selector(".waiting", timeout=LIMIT_MS)
    await person.page.evaluate("location.hash = ''")
    await person.page.wait_for_selector(".own-matches .row", timeout=LIMIT_MS)
    for width, height in ((360, 740), (320, 568)):
        await look(person, width, height, dark=False)
        row = await person.page.locator(".own-matches .row").first.bounding_box()
        assert row is not None
        assert row["y"] + ONE_LINE <= height, (width, row)
        assert await person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


CUT = """() => [...document.querySelectorAll(".player .name")].filter((one) =>
    one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent)"""
SCROLLED = """() => [...document.querySelectorAll(".news")].some((one) => one.scrollHeight > one.clientHeight + 1)"""


async def test_a_small_phone_shows_all_of_a_match_against_the_computer(stage: Stage) -> None:
    """P50, CK 5.5: how well it plays can be read beside both clocks, and at the end all ways on are in view at once."""
    person = await stage.person("Ana", **SMALL_PHONE)
    page = person.page
    await person.up()
    await page.evaluate("(hash) => { location.hash = hash; }", "#computer/checkers")
    await page.click("form.form button[type=submit]")
    await page.wait_for_selector(".headline.mine", timeout=LIMIT_MS)
    for width, height in ((320, 568), (360, 740), (740, 360)):
        await look(person, width, height, dark=False)
        assert "(medium)" in await page.inner_text(".player.above .name"), "provoked"
        assert await page.locator(".player .clock").count() == 2, "provoked"
        assert await page.evaluate(CUT) == [], (width, height)
    before = position(person).plies
    await plays_one(person)
    await shows_more(person, before + 1)
    # A question about a position is gone with it: the answer comes first.
    await surrender(person)
    await page.wait_for_selector(".end", timeout=LIMIT_MS)
    assert await page.locator(".end .button").count() == 7, "provoked"
    for width, height in ((320, 568), (740, 360)):
        await look(person, width, height, dark=False)
        assert not await page.evaluate(SCROLLED), (width, height)
        assert await page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")


async def test_the_sides_of_a_task_have_their_names_and_signs_once(stage: Stage) -> None:
    """Whoever learns a game has both: beside a name no sign stands alone."""
    person = await stage.person("Ana")
    await person.up()
    await person.page.click('.learn[aria-label*="Dots and Boxes"] >> nth=0')
    await person.page.wait_for_selector(".headline.task", timeout=LIMIT_MS)
    assert await person.page.locator(".player .badge-seat").count() == 2
    assert await person.page.locator(".player-text").all_text_contents() == ["Player 2", "Player 1"]


@in_full
@pytest.mark.parametrize("game", GAMES)
async def test_p50_the_end_in_view(stage: Stage, game: str) -> None:
    """P50, CK 5.5: at every size and both ways up the last position lies free; result and Rematch are in view."""
    host, guest = await seated(stage, game, GAMES[game])
    await plays_one(host)
    await shows(guest, 1)
    await surrender(guest)
    await host.page.wait_for_selector(".end", timeout=LIMIT_MS)
    for width, height in (*SIZES, (320, 568)):
        await look(host, width, height, dark=False)
        covered = await host.page.evaluate(
            """() => [...document.querySelectorAll(".board [data-id]")].filter((one) => {
                const box = one.getBoundingClientRect();
                const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
                return !top?.closest(".board-ground");
            }).length"""
        )
        assert covered == 0, (width, height)
        assert not await host.page.evaluate(SCROLLED), (width, height)
        for what in (".ending", ".end .button.primary"):
            box = await host.page.locator(what).first.bounding_box()
            assert box, what
            assert box["y"] >= 0, (what, width, height)
            assert box["y"] + box["height"] <= height, (what, width, height)
        assert await host.page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")


@in_full
async def test_p51_turned_stays_turned(stage: Stage) -> None:
    """P51: through a reload, a look back and a pause; names go along; the rematch has the own side at the bottom."""
    host, guest = await seated(stage, "square")
    page = host.page
    await plays_one(host)
    await shows(guest, 1)
    below = page.locator(".player.below .name")
    assert await below.inner_text() == "Ana"
    await act(host, "turn")
    await page.wait_for_selector('.player.below:has-text("Ben")', timeout=LIMIT_MS)
    await page.reload()
    await page.wait_for_selector(".move", timeout=LIMIT_MS)
    assert await below.inner_text() == "Ben"
    await page.keyboard.press(",")
    await page.wait_for_selector(".headline.back", timeout=LIMIT_MS)
    await page.keyboard.press("End")
    await act(host, "pause")
    await page.click(".cover .primary")
    await page.wait_for_selector(".board", timeout=LIMIT_MS)
    assert await below.inner_text() == "Ben"
    await surrender(host)
    await guest.page.click(".end >> text=Rematch")
    await page.click(".offer >> text=Accept")
    await page.wait_for_selector('.match[data-status="playing"][data-plies="0"]', timeout=LIMIT_MS)
    assert await below.inner_text() == "Ana"


@in_full
async def test_p48_no_motion_means_none(stage: Stage) -> None:
    """P48: where the system or the own switch wants no motion nothing moves at a move, a dialog or the end."""
    host, guest = await seated(stage, "dots-and-boxes", SMALL, reduced_motion="reduce")
    await guest.page.emulate_media(reduced_motion="no-preference")
    await act(guest, "settings")
    await guest.page.click('dialog label:has-text("Animations")')
    await guest.page.click('dialog >> text="Done"')
    moving = "() => document.getAnimations().filter((one) => one.playState === 'running').length"
    looked = 0

    async def still() -> None:
        nonlocal looked
        for person in (host, guest):
            assert await person.page.evaluate(moving) == 0
            looked += 1

    chance = Random("P48")
    while await goes_on(host, guest):
        plies = position(host).plies
        mover = whose_turn(host, guest)
        await click(mover, chance.choice(position(mover).legal))
        await still()
        for person in (host, guest):
            await shows_more(person, plies)
        await still()
    await host.page.wait_for_selector(".end", timeout=LIMIT_MS)
    await still()
    await act(host, "save")
    await host.page.wait_for_selector("dialog", timeout=LIMIT_MS)
    await still()
    assert looked >= 40, "provoked"


@in_full
@pytest.mark.parametrize("part", [name for name in PARTS if name not in GAMES])
async def test_p53_words_that_are_longer(stage: Stage, part: str) -> None:
    """P53: every text 40 % longer and in brackets: nothing is cut off or stands out of the page, from phone to desk."""
    found: dict[str, list[str]] = {}
    visited = 0

    async def visit(name: str, person: Person) -> None:
        nonlocal visited
        for width, height in ((320, 568), (360, 740), (768, 1024), (1280, 800)):
            await look(person, width, height, dark=False)
            # The tour goes by the usual words: they are made longer for the look alone.
            await person.page.evaluate(LENGTHEN)
            visited += 1
            if cut := await person.page.evaluate(CLIPPED):
                found[f"{name} {width}x{height}"] = cut
            await person.page.evaluate("() => { for (const [node, text] of window.shortened) node.data = text; }")
        await look_as_before(person)

    await PARTS[part](stage, visit)
    assert visited
    assert found == {}, "\n".join(f"{where}: {what}" for where, what in found.items())


LENGTHEN = """() => {
    window.shortened = [];
    const texts = document.createTreeWalker(document.querySelector("#page"), NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const text = node.data.trim();
        if (text.length < 2 || !/[a-z]/.test(text) || node.parentElement.closest("svg, option, code")) continue;
        window.shortened.push([node, node.data]);
        const more = Math.ceil(text.length * 0.4);
        node.data = `[${node.data}${" löngér".repeat(Math.ceil(more / 7)).slice(0, more)}]`;
    }
}"""


async def test_p53_all_words_come_from_one_place(stage: Stage) -> None:
    """P53: with every text of the one folder in brackets, a screen has no words of the page's own without them."""

    async def bracketed(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, body=await answer.text() + PSEUDO)

    # The modules one by one: joined, the texts are no files of their own.
    person = await stage.person(address=f"{stage.address}?modules")
    await person.context.route("**/texts/en/*.js", bracketed)
    await person.page.reload()
    await person.up()
    looked = 0
    for screen, ready in (("", ".doors"), ("settings", ".settings"), ("host", ".form"), ("saved", ".card")):
        await person.page.evaluate("(hash) => { location.hash = hash; }", screen)
        await person.page.wait_for_selector(ready, timeout=LIMIT_MS)
        bare = await person.page.evaluate(
            """() => [...document.querySelectorAll("button, h2, legend, .switch > span, .empty")]
                .filter((one) => !one.closest(`.game, .game-option, .who, .choices, .lobby-head .buttons,
                    fieldset:has(input:not([name^="@"])):not(.settings *)`) && one.textContent.trim())
                .map((one) => one.textContent.trim()).filter((text) => !/^\\[/.test(text))"""
        )
        assert bare == [], screen
        looked += 1
    assert looked == 4


@in_full
async def test_p54_large_letters(stage: Stage) -> None:
    """P54: letters twice as large as usual: the board keeps its place, and nothing stands out of the page."""
    for settings in (PHONE, {"viewport": {"width": 1280, "height": 800}}, {"viewport": {"width": 320, "height": 568}}):
        host, guest = await seated(stage, "dots-and-boxes", SMALL, **settings)
        session = await host.context.new_cdp_session(host.page)
        await session.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
        await host.page.reload()
        await host.page.wait_for_selector(".board-ground", timeout=LIMIT_MS)
        assert await host.page.evaluate("() => getComputedStyle(document.documentElement).fontSize") == "32px"
        box = await host.page.locator(".board-ground").bounding_box()
        assert box
        size = settings["viewport"]
        assert min(box["width"], box["height"]) >= 0.6 * min(size["width"], size["height"]), settings
        assert await host.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        for person in (host, guest):
            await person.context.close()


@in_full
async def test_p56_notch_and_home_bar(stage: Stage) -> None:
    """P56: no text and no target inside of an inset, upright and lying."""
    host, _ = await seated(stage, "dots-and-boxes", {"width": 6, "height": 6}, **PHONE)
    session = await host.context.new_cdp_session(host.page)
    for insets, size in (
        ({"top": 47, "bottom": 34, "left": 0, "right": 0}, (360, 740)),
        ({"top": 0, "bottom": 21, "left": 47, "right": 47}, (740, 360)),
    ):
        await host.page.set_viewport_size({"width": size[0], "height": size[1]})
        await session.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
        await host.page.wait_for_timeout(200)
        inside = await host.page.evaluate(
            """(insets) => [...document.querySelectorAll("button, input, .name, .clock, h1")].filter((one) => {
                const box = one.getBoundingClientRect();
                if (!box.width || one.closest("[aria-hidden=true], .hidden-text")) return false;
                if (getComputedStyle(one).visibility === "hidden") return false;
                return box.top < insets.top - 1 || box.left < insets.left - 1
                    || box.bottom > innerHeight - insets.bottom + 1 || box.right > innerWidth - insets.right + 1;
            }).map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 20)}`)""",
            insets,
        )
        assert inside == []
        assert await host.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


HURRIED = """
const { parse, stringify } = JSON;
window.ahead = 0;
window.asked = "";
window.questions = 0;
JSON.stringify = (value, ...given) => {
    if (value?.type === "ping") {
        window.asked = value.ref;
        window.questions += 1;
    }
    return stringify(value, ...given);
};
JSON.parse = (text, ...given) => {
    const found = parse(text, ...given);
    if (found?.type === "pong") {
        found.now_ms += window.ahead;
        if (found.ref === window.asked) window.asked = "";
    }
    return found;
};
"""
"""The hub's time with the page's clock, which goes ahead of it (else each pong sets the page right again), and the
question by which the page sees whether the hub is there, until it is answered."""


@in_full
@pytest.mark.parametrize("font", ["own", "fallback"])
async def test_p18_digits_that_do_not_dance(stage: Stage, font: str) -> None:
    """P18: the clock's box and its neighbours keep their places through every digit, also with the fallback font."""
    host, guest = await seated(stage, "square", clock="5+3", scripts=(HURRIED,), **SMALL_PHONE)
    if font == "fallback":
        await host.context.route("**/*.woff2", lambda route: route.abort())
        host.expected = ("Failed to load resource", "net::ERR")
    await plays_one(host)
    await shows(guest, 1)
    await plays_one(guest)
    await shows(host, 2)
    page = host.page
    await page.reload()
    await page.wait_for_selector(".clock.runs", timeout=LIMIT_MS)
    await page.clock.install()
    # The next question waits for a timer from before that, which goes by the machine's clock.
    before = await page.evaluate("() => window.questions")
    await page.wait_for_function("(before) => window.questions > before", arg=before, timeout=LIMIT_MS)
    await page.evaluate("() => { window.ahead = 220_000; }")
    places: dict[int, set[str]] = {}
    texts = set()
    for _ in range(400):
        text, left, place = await page.evaluate(
            """() => { const clock = document.querySelector(".player .clock.runs");
                const box = clock.getBoundingClientRect();
                const beside = [...clock.closest(".player").children].map((one) => one.getBoundingClientRect().x);
                return [clock.textContent, Number(clock.dataset.left),
                    [box.x, box.width, ...beside].map((place) => place.toFixed(1)).join(" ")]; }"""
        )
        if left <= 100:
            break
        texts.add(text)
        places.setdefault(len(text), set()).add(place)
        step = 1_370 if left > 12_000 else 170
        await page.evaluate("(step) => { window.ahead += step; }", step)
        await page.clock.run_for(step)
        # Seconds pass for the page that pass for nobody else: it is not to take a question for unanswered.
        while await page.evaluate("() => window.asked"):
            await page.wait_for_timeout(10)
    assert places.keys() == {len("01:00"), len("9.9")}, "provoked"
    # A busy machine lets real time go by between two looks as well, so that fewer are had.
    assert len(texts) >= 20, "provoked"
    assert all(len(found) == 1 for found in places.values()), places
