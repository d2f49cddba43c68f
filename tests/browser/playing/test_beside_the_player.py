"""What stands beside the player: a hint while one plays the computer, and a review of what is over."""

from __future__ import annotations

import os
import re
from random import Random

import msgspec
import pytest
from playwright.async_api import FilePayload

from client.kept.saves import SavedGame
from server.games import load_catalogue
from tests.browser.boards import act, click, goes_on, position, shows_more, surrender
from tests.browser.conftest import FULL
from tests.browser.people import LIMIT_MS, PHONE, Person, Stage
from tests.browser.playing.test_playing import GAMES

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def is_seen(person: Person) -> None:
    """Its stroke is 2.5 px at least on any screen, and has a contrast of three to what sets it off from the board."""
    width, scaling, *colours = await person.page.evaluate(
        """() => {
            const [least, casing] = ["stripe", "casing"].map((layer) =>
                getComputedStyle(document.querySelector(`.board .advised .${layer}.least`)));
            return [parseFloat(least.strokeWidth), least.vectorEffect, least.stroke, casing.stroke];
        }"""
    )
    assert width >= 2.5
    assert scaling == "non-scaling-stroke"
    dark, light = sorted(luminance(*map(int, re.findall(r"\d+", colour)[:3])) for colour in colours)
    assert (light + 0.05) / (dark + 0.05) >= 3


def luminance(*parts: int) -> float:
    """WCAG 2's, from 0 to 1."""
    red, green, blue = (
        part / 255 / 12.92 if part / 255 <= 0.03928 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


async def shows_what_was_better(person: Person) -> None:
    """A costly move that is looked at is marked in its list, and what was better on the board."""
    page = person.page
    costly = page.locator(".costliest .move")
    for at in range(await costly.count()):
        await costly.nth(at).click()
        await page.locator(f".costliest li:nth-child({at + 1}) .move[aria-current=step]").wait_for(timeout=LIMIT_MS)
        await page.wait_for_selector(".board .advised", timeout=LIMIT_MS)
        assert await page.locator(".costliest .move[aria-current]").count() == 1
    await page.keyboard.press("End")
    await page.wait_for_selector(".board .advised", state="detached", timeout=LIMIT_MS)


async def test_a_hint_and_then_the_review(stage: Stage) -> None:
    """A key or a button marks the move and says why; after the end the curve and the moves lead to positions."""
    person = await stage.person(fragment="#computer/square")
    await person.up()
    await person.page.click("form.form button[type=submit]")
    await person.page.wait_for_selector(".match .board", timeout=LIMIT_MS)
    await person.page.wait_for_selector(".headline.mine", timeout=LIMIT_MS)
    await person.page.keyboard.press("h")
    await person.page.wait_for_selector(".advice >> text=Hint:", timeout=LIMIT_MS)
    assert await person.page.locator(".board .advised").count() == 1
    await is_seen(person)
    await picture(person.page, "hint")
    told = next(frame for frame in reversed(person.received) if frame["type"] == "analysis")
    assert told["move"] in await person.page.inner_text(".advice")
    await click(person, told["move"])
    await shows_more(person, 0)
    await person.page.wait_for_selector(".board .advised", state="detached", timeout=LIMIT_MS)
    while await goes_on(person):
        await person.page.wait_for_selector(".headline.mine, .end", timeout=LIMIT_MS)
        if not await goes_on(person):
            break
        plies = position(person).plies
        await click(person, min(position(person).legal))
        await shows_more(person, plies)
    await person.page.wait_for_selector(".end", timeout=LIMIT_MS)
    assert "took a hint" in await person.page.inner_text(".ending")
    more = await person.page.locator(".acts").bounding_box()
    tabs = await person.page.locator(".tabs").bounding_box()
    assert more is not None
    assert tabs is not None
    assert abs(more["y"] - tabs["y"]) < 4, "the menu alone takes no row of its own"
    assert more["x"] >= tabs["x"] + tabs["width"]
    assert await person.page.locator("text=Review the moves").count() == 1
    await person.page.click(".end .buttons >> text=Review the moves")
    await person.page.wait_for_selector(".review-head >> text=/What cost most|No move cost much/", timeout=LIMIT_MS)
    assert await person.page.locator(".curve rect:not(.curve-at)").count() == 13
    news = await person.page.locator(".news").evaluate("(one) => [one.scrollHeight, one.clientHeight]")
    assert news[0] <= news[1] + 1, "all of it is in sight on a desk"
    await picture(person.page, "review")
    await shows_what_was_better(person)
    asked = [frame["ply"] for frame in person.unique("analyse")]
    assert asked == list(range(13)), "one at a time, each once"
    curve = await person.page.locator(".curve").bounding_box()
    assert curve is not None
    await person.page.mouse.click(curve["x"] + curve["width"] * 3.5 / 13, curve["y"] + curve["height"] / 2)
    await person.page.wait_for_selector(".steps >> text=3 / 12", timeout=LIMIT_MS)
    await person.page.locator(".headline.back", has_text="was to move").wait_for(timeout=LIMIT_MS)
    await person.page.keyboard.press("j")
    await person.page.wait_for_selector(".review", state="detached", timeout=LIMIT_MS)
    await act(person, "save")
    await person.page.wait_for_selector("dialog input:focus", timeout=LIMIT_MS)
    await person.page.keyboard.press("Enter")
    await person.page.click("dialog >> text=Done")
    # From the position that is looked at one plays on, on one's own side.
    before = position(person)
    await person.page.click("text=Practise from here")
    await person.page.wait_for_selector('.match[data-status="playing"]', timeout=LIMIT_MS)
    begun = person.unique("create")[-1]
    assert (begun["computer"], begun["seat"], len(begun["moves"])) == (True, before.you[0], 3)
    assert position(person).match != before.match
    # And a saved game is reviewed from the list, unless it comes to what is practised now: under its players' names.
    await surrender(person)
    await person.page.wait_for_selector(".end", timeout=LIMIT_MS)
    await person.page.evaluate("() => { location.hash = '#saved'; }")
    await person.page.click(".saved-name")
    await person.page.click('.saved-row >> text="Review the moves"')
    await person.page.wait_for_selector('.match[data-status="ended"]', timeout=LIMIT_MS)
    await person.page.wait_for_selector(".review-head >> text=/What cost most|No move cost much/", timeout=LIMIT_MS)
    assert person.unique("create")[-1]["review"] is True
    assert not await person.page.locator(".stats").count(), "nobody has moved here"
    assert [seat.name for seat in position(person).seats] == [seat.name for seat in before.seats]
    assert len(person.unique("analyse")) == 2 * 13
    # There one plays on for who is to move, and the button says for whom.
    await person.page.click(".steps button >> nth=0")
    await person.page.wait_for_selector(".steps >> text=0 / 12", timeout=LIMIT_MS)
    await person.page.wait_for_selector("text=Practise from here as X", timeout=LIMIT_MS)
    await person.page.set_viewport_size({"width": 360, "height": 740})
    headline = await person.page.locator(".headline.back").evaluate("(one) => [one.scrollHeight, one.clientHeight]")
    assert headline[0] <= headline[1] + 1, "its button lies on nothing else"
    await person.page.keyboard.press(".")
    await person.page.click("text=Practise from here as O")
    await person.page.wait_for_selector('.match[data-status="playing"]', timeout=LIMIT_MS)
    begun = person.unique("create")[-1]
    assert (begun["computer"], begun["seat"], len(begun["moves"])) == (True, 1, 1)


@pytest.mark.parametrize("game", GAMES if FULL else ["checkers"])
async def test_hint_review_and_practice(stage: Stage, game: str) -> None:
    """In every game: the move is told and marked; a click on the curve leads to a position, from which play goes on."""
    person = await stage.person("Ana", fragment=f"#computer/{game}")
    page = person.page
    await person.up()
    await page.click("form.form button[type=submit]")
    await page.wait_for_selector(".headline.mine", timeout=LIMIT_MS)
    await page.keyboard.press("h")
    await page.wait_for_selector(".advice >> text=Hint:", timeout=LIMIT_MS)
    assert await page.locator(".board .advised").count() >= 1
    told = next(frame for frame in reversed(person.received) if frame["type"] == "analysis")["move"]
    assert told in await page.inner_text(".advice")
    await picture(page, f"hint-{game}")
    await click(person, told)
    await page.wait_for_selector(".board .advised", state="detached", timeout=LIMIT_MS)
    await shows_more(person, 1)
    await page.wait_for_selector(".headline.mine", timeout=LIMIT_MS)
    await page.keyboard.press("h")
    await page.wait_for_selector(".board .advised", timeout=LIMIT_MS)
    await surrender(person)
    await page.wait_for_selector(".end", timeout=LIMIT_MS)
    await page.wait_for_selector(".board .advised", state="detached", timeout=LIMIT_MS)
    assert "hints" in await page.inner_text(".ending")
    assert await page.locator('.end >> text="Practise from here"').count() == 1, "where it was given up one plays on"
    await page.click("text=Review the moves")
    await page.wait_for_selector(".review-head >> text=/What cost most|No move cost much/", timeout=LIMIT_MS)
    before = position(person)
    assert await page.locator(".curve rect:not(.curve-at)").count() == before.plies + 1
    curve = await page.locator(".curve").bounding_box()
    assert curve is not None
    await page.mouse.click(curve["x"] + curve["width"] * 0.5 / (before.plies + 1), curve["y"] + curve["height"] / 2)
    await page.wait_for_selector(f".steps >> text=0 / {before.plies}", timeout=LIMIT_MS)
    await picture(page, f"review-{game}")
    await page.set_viewport_size(PHONE["viewport"])
    await picture(page, f"review-{game}-phone")
    await page.click("text=Practise from here")
    await page.wait_for_selector('.match[data-status="playing"]', timeout=LIMIT_MS)
    assert (position(person).level, position(person).you) == (before.level, before.you)


async def test_a_hint_of_a_match_that_was_left_breaks_off_no_review(stage: Stage) -> None:
    """One question of a player is thought about at a time: the review waits for the hint that nobody looks at now."""
    person = await stage.person(fragment="#saved")
    await person.up()
    page = person.page
    moves = played("hexoust", 3)
    await page.set_input_files("input[type=file]", file_of("Cem", moves))
    await page.click('.saved-row >> text="Review the moves"')
    await page.wait_for_selector(".review-head >> text=/What cost most|No move cost much/", timeout=LIMIT_MS)
    await page.keyboard.press(",")
    await page.click("text=/Practise from here as/")
    await page.wait_for_selector('.match[data-status="playing"] .headline.mine', timeout=LIMIT_MS)
    await page.keyboard.press("h")
    await page.evaluate("() => { location.hash = '#saved'; }")
    # Another game: this one comes to what is practised now, of which nothing is said before that is over.
    await page.set_input_files("input[type=file]", file_of("Eva", moves[::-1]))
    await page.click('.saved-row:has-text("Eva") >> text="Review the moves"')
    await page.wait_for_selector('.match[data-status="ended"]', timeout=LIMIT_MS)
    await page.wait_for_selector(".review-head >> text=/What cost most|No move cost much/", timeout=LIMIT_MS)
    assert len(person.unique("hint")) == 1


def file_of(first: str, moves: tuple[str, ...]) -> FilePayload:
    """A saved game of HexOust."""
    saved = SavedGame(game="hexoust", names=(first, "Dan"), moves=moves, hash="0" * 64)
    return {"name": f"{first}.json", "mimeType": "", "buffer": msgspec.json.encode(saved)}


def played(name: str, plies: int) -> tuple[str, ...]:
    """So many moves of a game, by lot."""
    game, rng = load_catalogue()[name], Random(3)
    state, moves = game.new(game.parse_options({})), list[str]()
    while len(moves) < plies:
        moves.append(rng.choice(game.legal_moves(state)))
        state = game.play(state, moves[-1])
    return tuple(moves)


async def picture(page: object, name: str) -> None:
    folder = os.environ.get("PARLOUR_PICTURES")
    if folder:
        await page.screenshot(path=f"{folder}/{name}.png")  # type: ignore[attr-defined]
