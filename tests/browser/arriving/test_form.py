"""The form for a match: what matters at once, the rest behind "More", and no word cut on any screen."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from tests.browser.boards import choose
from tests.browser.conftest import FULL
from tests.browser.looks.test_accessible import violations
from tests.browser.people import LIMIT_MS, Stage
from tests.browser.screens import look
from tests.client.forms import LONG

pytestmark = pytest.mark.asyncio(loop_scope="session")
SIZES = ((320, 568), (360, 740), (768, 1024), (1280, 800), (1920, 1080))
LOOKED_AT = SIZES if FULL else SIZES[::2]
WITH_LONG = f"""
const parse = JSON.parse;
JSON.parse = (text, ...more) => {{
    const told = parse(text, ...more);
    if (told?.type === "welcome" && told.games?.length) told.games.push({msgspec.json.encode(LONG).decode()});
    return told;
}};
"""
"""As if the hub had that author's game, too."""
FAULTS = """() => {
    const shown = (one) => one.checkVisibility() && one.getBoundingClientRect().width > 0;
    const of = (selector) => [...document.querySelectorAll(selector)].filter(shown);
    const told = [];
    const words = (one) => one.textContent.trim().slice(0, 50);
    const say = (what, one) => told.push(`${what}: ${one.tagName}.${one.className} ${words(one)}`);
    for (const one of of(".form-page *:not(svg *, .board-picture *)")) {
        const style = getComputedStyle(one);
        const box = one.getBoundingClientRect();
        const wider = one.clientWidth && one.scrollWidth > one.clientWidth + 1;
        if (wider && (style.overflowX !== "visible" || style.textOverflow === "ellipsis")) say("cut", one);
        if (box.right > innerWidth + 1 || box.left < -1) say("outside", one);
    }
    for (const one of of(".pick, .game-option, .form .button, .more summary, input[type=range]"))
        if (one.getBoundingClientRect().height < 40) say("small", one);
    const apart = of(`.form legend, .pick, .note, .more summary, .slider-line > *, .game-option, .seats,
        .bar-title .name`);
    const boxes = apart.map((one) => one.getBoundingClientRect());
    for (let at = 0; at < apart.length; at++)
        for (let other = 0; other < at; other++) {
            const [a, b] = [boxes[at], boxes[other]];
            if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
                say(`over ${words(apart[other])}`, apart[at]);
        }
    for (const one of of(".form fieldset"))
        if (!one.querySelector(".note, .small")?.textContent && one.querySelector("[name]")?.name !== "none")
            say("unexplained", one);
    if (document.documentElement.scrollWidth > innerWidth) told.push("the page is wider than the screen");
    for (const one of document.querySelectorAll("select")) say("a menu", one);
    return told;
}"""

MIDDLES = """(selector) => [...document.querySelectorAll(selector)].map((one) => {
    const box = one.getBoundingClientRect();
    return [one.textContent, box.top + box.height / 2];
})"""
"""What each says, and at which height its middle is."""


async def test_nothing_is_cut_in_any_form(stage: Stage) -> None:
    """CK 5.2, DB 8.1: of all games, and of an author who likes long words, on screens of 320 to 1920: labels, values
    and sentences are whole and lie beside each other; fingers have 40 px; no pull-down menus; axe finds nothing."""
    person = await stage.person("Ana", fragment="#host/long", scripts=(WITH_LONG,), expected=("404",))
    await person.up()
    page = person.page
    await page.wait_for_selector('.form:has-text("1907")', timeout=LIMIT_MS)
    faults: dict[str, Any] = {}
    for at, game in enumerate(await page.locator(".game-option span").all_inner_texts()):
        await page.click(f'.game-option:has(span:text-is("{game}"))')
        is_long = game == LONG.title
        opponents = ("Friend (link)", "Computer") if is_long or at % 2 else ("Computer", "Somebody")
        for opponent in opponents if FULL or is_long else opponents[:1]:
            await choose(person, "@opponent", opponent)
            await choose(person, "@clock", "in total" if opponent == "Computer" else "each move")
            if await page.locator(".more:not([open]) summary").count():
                await page.click(".more summary")
            for width, height in LOOKED_AT if is_long and opponent != "Computer" else SIZES[:1]:
                await look(person, width, height, dark=bool(at % 2))
                if told := await page.evaluate(FAULTS):
                    faults[f"{game} {opponent} {width}"] = told
        if is_long and (told := await violations(person, ".board-picture")):
            faults[f"{game}, axe"] = told
    assert faults == {}, json.dumps(faults, indent=1, ensure_ascii=False)
    assert at >= 5, "provoked: all games and the long one"


async def test_colours_are_chosen_with_the_keys_and_what_was_changed_is_seen_later(stage: Stage) -> None:
    """CK R1.3, R1.1: tiles and pieces black and red, at once in sight; a rule behind More is told of when the form is
    opened anew."""
    person = await stage.person("Ana", fragment="#host/checkers")
    await person.up()
    page = person.page
    first = page.locator(".form > .fields > .choice [name]")
    await first.first.wait_for(state="attached", timeout=LIMIT_MS)
    names = [await first.nth(at).get_attribute("name") for at in range(await first.count())]
    assert list(dict.fromkeys(names)) == ["tiles", "pieces", "@opponent", "@first", "@clock"]
    for row in ("tiles", "pieces"):
        await page.focus(f'[name="{row}"]:checked')
        await page.keyboard.press("ArrowRight")
    await page.focus(".more summary")
    await page.keyboard.press("Enter")
    await page.focus('[name="captures"]:checked')
    await page.keyboard.press("ArrowRight")
    await choose(person, "@opponent", "Computer")
    await choose(person, "@first", "the computer")
    await page.wait_for_selector('.seats:has-text("You are Red; the computer begins.")', timeout=LIMIT_MS)
    await page.focus('[name="captures"]:checked')
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".match .board", timeout=LIMIT_MS)
    created = person.commands("create")[-1]
    assert created["options"] == {"captures": "forced", "draw_after": 80, "tiles": "black-red", "pieces": "black-red"}
    seats = next(frame for frame in person.received if frame["type"] == "snapshot")["seats"]
    assert [seat["style"]["name"] for seat in seats] == ["Black", "Red"]
    await page.evaluate("() => { location.hash = '#host/checkers'; }")
    await page.wait_for_selector('.more:not([open]) summary:has-text("More (1 changed)")', timeout=LIMIT_MS)
    assert "Captures: forced." in await page.inner_text(".more summary")


async def test_the_board_is_there_before_start_and_deaf_to_clicks(stage: Stage) -> None:
    """SQ2, SQ6, HX SR1, SR1.1, UD RF1, DB 7.1.1.3: option buttons, Start and the status in one row on top, and the
    board of the options that are chosen, with whose turn is first. A click on it does nothing before Start."""
    person = await stage.person("Ana", fragment="#here/square")
    await person.up()
    page = person.page
    await page.wait_for_selector('.opening:has-text("X has the first turn.") svg', timeout=LIMIT_MS)
    tops = await page.evaluate(MIDDLES, ".top-row :is(.pick, button, .status)")
    assert [text for text, _ in tops] == [
        "2 Player",
        "Play Against the Computer",
        "Start",
        "Click Start to begin Game.",
    ]
    assert max(at for _, at in tops) - min(at for _, at in tops) < 3, "in one row"
    before = await page.inner_html(".opening svg")
    asked = len(person.commands())
    box = await page.locator(".opening svg").bounding_box()
    assert box is not None
    for right, down in ((0.5, 0.33), (0.33, 0.16), (0.5, 0.5), (0.33, 0.33)):
        await page.mouse.click(box["x"] + right * box["width"], box["y"] + down * box["height"])
    await page.wait_for_selector('.top-row .again:has-text("Click Start to begin Game.")', timeout=LIMIT_MS)
    assert await page.inner_html(".opening svg") == before
    for game, places, first in (("HexOust", 127, "RED"), ("Ultimate Dots and Boxes", 216, "Player 1")):
        await page.click(f'.game-option:has(span:text-is("{game}"))')
        await page.wait_for_selector(f'.opening figcaption:has-text("{first} has the first turn.") i', timeout=LIMIT_MS)
        assert await page.locator(".opening :is(.cell, .line)").count() >= places
    await page.click('.game-option:has(span:text-is("HexOust"))')
    await choose(person, "side", "3")
    await page.wait_for_function("() => document.querySelectorAll('.opening .cell').length === 19", timeout=LIMIT_MS)
    assert len(person.commands()) == asked
    await page.click('.game-option:has(span:text-is("Square"))')
    await page.click('.pick:has-text("Play Against the Computer")')
    await page.click(".top-row button")
    await page.wait_for_selector(".match .board", timeout=LIMIT_MS)
    assert await page.locator("text=Click Start").count() == 0
    created = person.commands("create")[-1]
    assert (created["game"], created["computer"]) == ("square", True)


async def test_what_stays_in_sight_is_one_row_at_most(stage: Stage) -> None:
    """SQ2 on every screen: Start stays in sight and takes one row of it; what stands in that row is seen wholly, and
    what does not fit into it goes with the form. A click on the board is answered by Start there."""
    person = await stage.person("Ana", fragment="#computer/checkers")
    await person.up()
    await person.page.wait_for_selector(".form .opening svg", timeout=LIMIT_MS)
    for width, height in (*SIZES, (568, 320)):
        await look(person, width, height, dark=width % 3 == 0)
        stays = await person.page.evaluate(
            """() => {
                const last = [...document.querySelectorAll(".form .more")].at(-1);
                last.scrollIntoView({ block: "center" });
                const seen = [...document.querySelectorAll(".top-row :is(.pick, button, .status)")]
                    .map((one) => [one.innerText, one.getBoundingClientRect()])
                    .filter(([, box]) => box.bottom > 0 && box.top < innerHeight);
                const tops = seen.map(([, box]) => box.top), bottoms = seen.map(([, box]) => box.bottom);
                return [seen.map(([text]) => text), Math.min(...tops), Math.max(...bottoms), scrollY];
            }"""
        )
        words, top, bottom, scrolled = stays
        assert words in (["Start"], ["2 Player", "Play Against the Computer", "Start", "Click Start to begin Game."])
        assert 0 <= top < bottom <= height, (width, height)
        assert bottom - top < 72, (width, height, words)
        assert scrolled > 0 or height > 1000, "provoked"
    await look(person, *SIZES[0], dark=False)
    await person.page.locator(".opening").scroll_into_view_if_needed()
    await person.page.click(".opening svg")
    await person.page.wait_for_selector(".form-end.again button", timeout=LIMIT_MS)
