"""What is to be seen of a match without colours, on a page that is darkened from outside, on paper and after a reload,
and letters of any layout (`page-cases` P46, P47, P58, P73)."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pygame
import pytest

from tests.browser.boards import click, position, seated, shows, surrender, whose_turn
from tests.browser.conftest import in_full
from tests.browser.people import LIMIT_MS, PHONE, Person, Stage
from tests.browser.playing.test_playing import GAMES
from tests.browser.screens import play_some

pytestmark = pytest.mark.asyncio(loop_scope="session")
SIGHTS = ("none", "achromatopsia", "protanopia", "deuteranopia", "tritanopia")
"""Kinds of sight that the browser can show, as CDP names them."""
MARKS = ".last-edge, .last-glow, .last-to, .last-from, .last-ring, .last-taken"
HIDDEN = """([which, hidden]) => {
    for (const one of document.querySelectorAll(which)) one.style.visibility = hidden ? "hidden" : "";
}"""
DARKENED = {
    "turned": "document.documentElement.style.filter = 'invert(1) hue-rotate(180deg)'",
    "forced": """for (const one of document.querySelectorAll("body, main, section, p, .board-ground")) {
        one.style.setProperty("background", "#181a1b", "important");
        one.style.setProperty("color", "#e8e6e3", "important");
    }""",
}


def brightness(red: int, green: int, blue: int) -> float:
    """Relative luminance, as WCAG has it."""
    parts = [part / 255 for part in (red, green, blue)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrasting(one: bytes, other: bytes, least: float) -> int:
    """In how many pixels of two pictures the contrast between them is at least this."""
    first, second = (pygame.image.tobytes(pygame.image.load(BytesIO(png)), "RGB") for png in (one, other))
    assert len(first) == len(second)
    found = 0
    for at in range(0, len(first), 3):
        if first[at : at + 3] != second[at : at + 3]:
            light, dark = sorted((brightness(*first[at : at + 3]), brightness(*second[at : at + 3])), reverse=True)
            found += (light + 0.05) / (dark + 0.05) >= least
    return found


async def without(person: Person, which: str) -> tuple[bytes, bytes]:
    """Pictures of the board with these nodes and without them."""
    board = person.page.locator(".match .board-ground")
    whole = await board.screenshot()
    await person.page.evaluate(HIDDEN, [which, True])
    bare = await board.screenshot()
    await person.page.evaluate(HIDDEN, [which, False])
    return whole, bare


async def wear(person: Person, theme: str) -> None:
    """The theme that the person chose."""
    await person.page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)


@in_full
@pytest.mark.parametrize("game", GAMES)
async def test_p46_the_last_move_without_colours(stage: Stage, game: str) -> None:
    """P46: in both themes and for every kind of sight the mark stands out, or differs in form; after a reload, to who
    watches, and looking back, too. Where a move goes from cell to cell its ends differ in form."""
    people = await seated(stage, game, GAMES[game], way="host", **PHONE)
    await play_some(people, 4, Random(game))
    host = people[0]
    seer = await stage.person("Cleo", fragment=f"#watch={position(host).match}", **PHONE)
    await host.page.reload()
    for person in (host, seer):
        await person.page.locator(".match .board [data-id]").first.wait_for(state="attached", timeout=LIMIT_MS)
        assert await person.page.locator(MARKS).count() > 0
    last = position(host).last
    assert last
    if "-" in last.move and game == "checkers":
        dashes = "(which) => getComputedStyle(document.querySelector(which)).strokeDasharray"
        assert await host.page.evaluate(dashes, ".last-from") != await host.page.evaluate(dashes, ".last-to")
    session = await host.context.new_cdp_session(host.page)
    for theme in ("light", "dark"):
        await wear(host, theme)
        for sight in SIGHTS:
            await session.send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
            seen = contrasting(*await without(host, MARKS), 3)
            # Three to one, or a form of its own: edges and rings are drawn where there is nothing else.
            formed = contrasting(*await without(host, MARKS), 1.2)
            assert seen >= 12 or formed >= 60, (theme, sight, seen, formed)
    await host.page.keyboard.press(",")
    await host.page.locator(".headline.back").wait_for(timeout=LIMIT_MS)
    assert await host.page.locator(MARKS).count() > 0


@in_full
@pytest.mark.parametrize("way", DARKENED)
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_p47_dark_twice(stage: Stage, theme: str, way: str) -> None:
    """P47: what darkens the page from outside leaves the sides apart by form: signs in boxes, the core of a line."""
    people = await seated(stage, "dots-and-boxes", {"width": 3, "height": 3}, **PHONE)
    host = people[0]
    for plies, move in enumerate(("a1-b1", "a2-b2", "a1-a2", "b1-b2", "b1-c1"), 1):
        await click(whose_turn(*people), move)
        for person in people:
            await shows(person, plies)
    assert await host.page.locator('meta[name="color-scheme"]').get_attribute("content") == "light dark"
    await wear(host, theme)
    await host.page.evaluate(f"() => {{ {DARKENED[way]} }}")
    assert await host.page.evaluate("() => getComputedStyle(document.documentElement).colorScheme") == theme
    for which, what in ((".layer.boxes > g > :last-child", "sign"), (".core", "core"), (".line.free", "free line")):
        assert await host.page.locator(which).count() > 0, what
        assert contrasting(*await without(host, which), 1.3) >= 12, what
    drawn, free = [
        float(await host.page.locator(which).first.get_attribute("stroke-width") or 0)
        for which in (".line.drawn", ".line.free")
    ]
    assert drawn > 2 * free
    assert (await host.page.inner_text(".headline .swatch")).strip(), "whose turn it is has a sign"


LAYOUTS = {
    "French": (",", "KeyM"),
    "German": (".", "Period"),
    "Russian": (".", "Slash"),
    "Greek": (",", "Comma"),
    "Arabic": (",", "KeyK"),
}
"""What prints a character on each: the code is that of another key than on an English one."""
PRESS = """([key, code, modified]) => (document.activeElement ?? document.body).dispatchEvent(
    new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true, ...modified }))"""


@in_full
async def test_p58_any_layout(stage: Stage) -> None:
    """P58: letters work by what is printed, whatever key that is; without them there is a button; nothing else acts."""
    people = await seated(stage, "dots-and-boxes", {"width": 3, "height": 3})
    await play_some(people, 2, Random(58))
    page = people[0].page
    await page.evaluate("() => document.activeElement?.blur()")
    sent = len(people[0].commands())
    for character, code in LAYOUTS.values():
        await page.evaluate(PRESS, [",", code, {}])
        await page.locator(".headline.back").wait_for(timeout=LIMIT_MS)
        await page.evaluate(PRESS, ["End", "End", {}])
        await page.locator(".headline.back").wait_for(state="detached", timeout=LIMIT_MS)
        if character == ".":
            await page.click('[aria-label="One move back"]')
            await page.locator(".headline.back").wait_for(timeout=LIMIT_MS)
            await page.evaluate(PRESS, [".", code, {}])
            await page.locator(".headline.back").wait_for(state="detached", timeout=LIMIT_MS)
    # The keys that print them in English print something else, hold a modifier, or wait for a letter.
    for key, code, modified in (
        ("\u0431", "Comma", {}), ("\u044e", "Period", {}), ("\u0648", "Comma", {}), ("Dead", "Comma", {}),
        (";", "Comma", {}),
        (",", "Comma", {"ctrlKey": True}), (",", "Comma", {"altKey": True}), ("A", "KeyA", {"modifierCapsLock": True}),
    ):  # fmt: skip
        await page.evaluate(PRESS, [key, code, modified])
        assert await page.locator(".headline.back").count() == 0, (key, code)
    for label in ("One move back", "One move forward"):
        assert await page.locator(f'[aria-label="{label}"]').count() == 1
    for tab in ("chat", "help"):
        assert await page.locator(f"#tab-{tab}").count() == 1
    assert len(people[0].commands()) == sent


@in_full
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_p73_on_paper(stage: Stage, theme: str) -> None:
    """P73: names, result, board and moves, dark on white, no buttons, on two pages at most; as text without a key."""
    people = await seated(stage, "dots-and-boxes", {"width": 6, "height": 6}, color_scheme=theme)
    await play_some(people, 12, Random(73))
    host = people[0]
    await surrender(host)
    await host.page.locator(".end").wait_for(timeout=LIMIT_MS)
    await host.page.click(".end >> text=Result")
    text = await host.page.input_value("[name=text]")
    assert all(part in text for part in ("Dots and Boxes", "Ana", "Ben", "Ben wins"))
    assert "#" not in text
    assert "http" not in text
    await host.page.emulate_media(media="print")
    ink = await host.page.evaluate(
        """() => {
            const seen = (which) => [...document.querySelectorAll(which)].filter((one) => one.getClientRects().length);
            return {
                ground: getComputedStyle(document.body).backgroundColor,
                text: getComputedStyle(document.querySelector(".player .name")).color,
                names: seen(".player .name").length, moves: seen(".move").length,
                board: seen(".match .board").length, result: seen(".ending").length,
                pressed: seen(".match .button, .match [role=tab], .match input").map((one) => one.className),
            };
        }"""
    )
    assert ink["ground"] == "rgb(255, 255, 255)"
    assert sum(int(part) for part in ink["text"].strip("rgb()").split(",")) < 200
    assert (ink["names"], ink["board"], ink["result"], ink["pressed"]) == (2, 1, 1, [])
    assert ink["moves"] == position(host).plies
    pages = (await host.page.pdf(format="A4", print_background=True)).count(b"/Type /Page\n")
    assert pages <= 2


@in_full
async def test_a_reload_forgets_nothing_in_the_move_list(stage: Stage) -> None:
    """P23: after a reload the moves from before have their players' signs and what they brought, as those one saw."""
    people = await seated(stage, "dots-and-boxes", {"width": 3, "height": 3})
    for number, move in enumerate(("a1-b1", "a1-a2", "a2-b2", "b1-b2"), 1):
        await click(whose_turn(*people), move)
        for person in people:
            await shows(person, number)
    rows = "() => [...document.querySelectorAll('.move')].map((one) => one.textContent)"
    before = await people[0].page.evaluate(rows)
    assert before[-1].endswith("+1")
    await people[0].page.reload()
    await people[0].page.wait_for_function(
        "(before) => [...document.querySelectorAll('.move')].map((one) => one.textContent).join() === before",
        arg=",".join(before),
        timeout=LIMIT_MS,
    )
