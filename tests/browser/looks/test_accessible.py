"""axe finds nothing on any screen, in neither light (`CK R11.1`, `page-cases` 5).

`make browsers` looks at each screen in both lights at a desk and on a phone. `make test` looks at each once, by turns
in light and dark, at boards early in their matches (lines beside all else, squares and hexagons in the lobby), and at
the boards on the cards of the games, which are the same behind everything that opens before them, once in each light.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from tests.browser.conftest import FULL
from tests.browser.people import Person, Stage
from tests.browser.screens import GAMES, PARTS, Part, in_a_match, look, look_as_before
from tests.driver import ROOT

pytestmark = pytest.mark.asyncio(loop_scope="session")
AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PHONE_SIZE, DESK_SIZE = (360, 740), (1280, 800)
PLIES = 6
LOOKED_AT: dict[str, Part] = (
    PARTS
    if FULL
    else {
        **{name: part for name, part in PARTS.items() if name not in GAMES},
        "in-a-match": partial(in_a_match, plies=PLIES),
    }
)


CARDS = ".game .board"
"""Of all nodes of the page nine tenths."""
LOOKED_AT_CARDS: set[bool] = set()
"""In which lights, dark or not, axe has looked at them: whichever screen has them, they are the same."""


BAR = "#page > .challenge"
"""What sticks to the edge of the window over a page that is longer."""


def _in_both(one: dict[str, Any], again: str) -> bool:
    return any(repr(node) in again for node in one["nodes"])


async def violations(person: Person, without: str = "") -> list[dict[str, Any]]:
    """What axe says about the screen as it is now, but for what that selector finds."""
    page = person.page
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(AXE)
    told = await page.evaluate(
        """async ([tags, without]) => {
            const found = await axe.run(without ? { exclude: without } : document, {
                runOnly: tags, rules: { "target-size": { enabled: true } }, resultTypes: ["violations"],
            });
            return JSON.stringify(found.violations.map((one) => ({
                rule: one.id, help: one.help, nodes: one.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)),
            })));
        }""",
        [RULES, without],
    )
    found: list[dict[str, Any]] = json.loads(told)
    return found


@pytest.mark.parametrize("part", LOOKED_AT)
async def test_no_screen_breaks_a_rule(stage: Stage, part: str) -> None:
    found: dict[str, list[dict[str, Any]]] = {}
    looked = 0

    async def visit(name: str, person: Person) -> None:
        nonlocal looked
        for size in (DESK_SIZE, PHONE_SIZE) if FULL else (DESK_SIZE,):
            for dark in (False, True) if FULL else (looked % 2 == 1,):
                await look(person, *size, dark=dark)
                looked += 1
                known = not FULL and dark in LOOKED_AT_CARDS
                if not known and await person.page.locator(CARDS).count():
                    LOOKED_AT_CARDS.add(dark)
                told = await violations(person, CARDS if known else "")
                if told and await person.page.locator(BAR).count():
                    # What a bar at the edge covers half of is scrolled from under it.
                    await person.page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
                    again = str(await violations(person, CARDS if known else ""))
                    await person.page.evaluate("() => scrollTo(0, 0)")
                    told = [one for one in told if one["rule"] != "target-size" or _in_both(one, again)]
                if told:
                    found[f"{name} {size[0]}x{size[1]} {'dark' if dark else 'light'}"] = told
        await look_as_before(person)

    await LOOKED_AT[part](stage, visit)
    assert found == {}, json.dumps(found, indent=1)
    assert looked
