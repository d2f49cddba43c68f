"""The list of moves beside the board: each side's column is its own, whatever a move did."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from tests.browser.boards import click, position, seated, shows, whose_turn
from tests.browser.conftest import in_full
from tests.browser.people import LIMIT_MS, Person, Stage
from tests.browser.screens import look

pytestmark = pytest.mark.asyncio(loop_scope="session")
SIZES = ((320, 568), (360, 740), (568, 320), (768, 1024), (1280, 800), (1920, 1080))
NAMES = ("Wilhelmina Mummery A", "Wilhelmina Mummery B")
LOST = "\N{MINUS SIGN}1"
OUT_OF_THEIR_COLUMNS = """(sides) => {
    const list = document.querySelector("[data-list=moves] > ol"), rows = [...list.children];
    const own = list.getBoundingClientRect(), middle = own.left + own.width / 2;
    return rows.flatMap((row, at) => {
        const [left, right] = sides[at] ? [middle, own.right] : [own.left, middle];
        const parts = [row, ...row.querySelectorAll(".move, .swatch, .grow, .small, .gain")];
        const words = [row.querySelector(".grow"), row.querySelector(".small")]
            .filter(Boolean).map((one) => one.getBoundingClientRect());
        const lies = words.length === 2 && words[1].top < words[0].bottom - 1 && words[1].left < words[0].right - 1;
        return [
            ...parts.filter((one) => {
                const box = one.getBoundingClientRect();
                return box.left < left - 1 || box.right > right + 1 || one.scrollWidth > one.clientWidth + 1
                    && getComputedStyle(one).display !== "inline";
            }).map((one) => `${row.textContent}: ${one.className} is out`),
            ...(lies ? [`${row.textContent} lies on itself`] : []),
        ];
    });
}"""
"""What stands outside its side's half of the list, or on something else; `sides` is whose move each of them is."""


async def keeps_columns(person: Person, sides: Sequence[int], *, sizes: Sequence[tuple[int, int]] = SIZES) -> None:
    for width, height in sizes:
        await look(person, width, height, dark=width % 3 == 0)
        if not await person.page.locator("[data-list=moves]").is_visible():
            await person.page.click("#tab-moves")
        await person.page.locator("[data-list=moves]").wait_for(timeout=LIMIT_MS)
        assert await person.page.evaluate(OUT_OF_THEIR_COLUMNS, sides) == [], (width, height)


async def test_what_a_move_did_stands_in_its_own_column(stage: Stage) -> None:
    """A capture from an opponent with a name of twenty letters: the other side's sign stands for the name, which is
    heard, and is its title."""
    people = await seated(stage, "checkers", host_name=NAMES[0], guest_name=NAMES[1])
    moves = ("10-14", "21-17", "14x21", "22-18")
    for plies, move in enumerate(moves, 1):
        await click(whose_turn(*people), move)
        for person in people:
            await shows(person, plies)
    for person in people:
        did = person.page.locator("[data-list=moves] .small[role=img]")
        assert await did.get_attribute("aria-label") == f"{NAMES[1]} {LOST}"
        assert await did.get_attribute("title") == f"{NAMES[1]} {LOST}"
        assert await did.locator(".swatch").count() == 1
        assert (await did.inner_text()).endswith(LOST)
        await keeps_columns(person, [0, 1, 0, 1])


@in_full
@pytest.mark.parametrize("game", ["hexoust", "ultimate-dots-and-boxes"])
async def test_a_whole_match_keeps_to_its_columns(stage: Stage, game: str) -> None:
    """Many captures, and moves that count two scores at once."""
    people = await seated(stage, game, host_name=NAMES[0], guest_name=NAMES[1])
    chance, sides = Random(game), list[int]()
    for plies in range(1, 61):
        match = position(people[0])
        if match.to_move is None:
            break
        sides.append(match.to_move)
        await click(whose_turn(*people), chance.choice([one for one in sorted(match.legal) if one != "swap"]))
        for person in people:
            await shows(person, plies)
    assert sides.count(0) != sides.count(1) or game == "hexoust"
    assert await people[0].page.locator("[data-list=moves] .small").count() > 1
    await keeps_columns(people[0], sides)
