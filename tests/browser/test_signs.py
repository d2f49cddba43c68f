"""HexOust's groups on the page: their sizes, what a stone would take, and where a refusal is about."""

from __future__ import annotations

import pytest

from tests.browser.boards import centre, click, seated, shows
from tests.browser.people import LIMIT_MS, Person, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def near(person: Person, selector: str, element: str) -> bool:
    """Whether something that is shown so lies on that element."""
    x, y = await centre(person, element)
    boxes = [await one.bounding_box() for one in await person.page.locator(selector).all()]
    return any(
        box and abs(box["x"] + box["width"] / 2 - x) < 8 and abs(box["y"] + box["height"] / 2 - y) < 8 for box in boxes
    )


async def test_groups_are_counted_and_what_would_be_taken_is_crossed(stage: Stage) -> None:
    """HX SR4.1, CP: by mouse; the words are beside the board and in the cell's name."""
    host, guest = await seated(stage, "hexoust", {"side": 3})
    for plies, (mover, move) in enumerate(((host, "b1"), (guest, "a2"), (host, "e1"), (guest, "e3")), 1):
        await click(mover, move)
        await shows(host, plies)
        await shows(guest, plies)
    await host.page.mouse.move(*await centre(host, "a1"))
    assert await near(host, ".group-size", "a1")
    assert await host.page.locator(".goes").count() == 1
    assert await near(host, ".goes", "a2")
    await click(host, "c1")
    about = host.page.locator(".about")
    await about.first.wait_for(state="attached", timeout=LIMIT_MS)
    assert await about.count() == 1
    assert await near(host, ".about", "b1")
    told = await host.page.inner_text(".hint")
    assert told == "Invalid Cell Placement: your group of 2 touches no stone of BLUE's."
    await click(host, "a1")
    await shows(host, 5)
    assert await about.count() == 0
    assert await host.page.locator(".group-size").all_text_contents() == ["2"]
    name = await host.page.locator('[data-id="b1"]').get_attribute("aria-label")
    assert name is not None
    assert name.endswith("in a group of 2")
