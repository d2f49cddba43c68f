"""What the page writes on its boards: group sizes, what a stone would take, where a refusal is about, coordinates."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.boards import centre, click, position, seated, shows
from tests.browser.conftest import FULL
from tests.browser.people import DESK, LIMIT_MS, PHONE, Person, Stage
from tests.browser.screens import look

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def near(person: Person, selector: str, element: str) -> bool:
    """Whether something that is shown so lies on that element."""
    x, y = await centre(person, element)
    boxes = [await one.bounding_box() for one in await person.page.locator(selector).all()]
    return any(
        box and abs(box["x"] + box["width"] / 2 - x) < 8 and abs(box["y"] + box["height"] / 2 - y) < 8 for box in boxes
    )


async def test_groups_are_counted_and_what_would_be_taken_is_crossed(stage: Stage) -> None:
    """HX SR4.1, CP: by mouse; the words are beside the board and in the cell's name. The edge of a free cell has a
    contrast of 3 : 1 to it in both themes, also of one where nothing may be put."""
    host, guest = await seated(stage, "hexoust", {"side": 3})
    for plies, (mover, move) in enumerate(((host, "b1"), (guest, "a2"), (host, "e1"), (guest, "e3")), 1):
        await click(mover, move)
        await shows(host, plies)
        await shows(guest, plies)
        for person in (host, guest):
            match = position(person)
            own = match.to_move in match.you
            closed = {cell.id for cell in match.board.cells if own and cell.id not in {*match.marks, *match.legal}}
            seen = await person.page.locator(".mine .barred").evaluate_all(IDS)
            assert set(seen) == closed, "on one's turn it is seen where nothing may be put"
    assert await host.page.locator(".mine .barred").count() > 0, "provoked"
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
    for theme in ("light", "dark"):
        found = await host.page.evaluate(CONTRAST, theme)
        assert min(found) >= 3, theme
        assert len(set(found)) == 2, "a cell in which one may not play looks like others"


ON_PIECES = """() => {
    const box = (one) => one.getBoundingClientRect();
    const pieces = [...document.querySelectorAll(".match .board .layer.pieces .piece-face")].map((face) => {
        const rings = [...face.querySelectorAll(":scope > circle:not(.shadow)")].map(box);
        const of = (pick, side) => pick(...rings.map((ring) => ring[side]));
        return [of(Math.min, "x"), of(Math.max, "right"), of(Math.min, "y"), of(Math.max, "bottom")];
    });
    return [...document.querySelectorAll(".match .board .can-go")].map((one) => {
        const mark = box(one);
        const within = pieces.filter(
            ([x, right, y, bottom]) => x > mark.x && right < mark.right && y > mark.y && bottom < mark.bottom
        );
        return [getComputedStyle(one).fill, within.length];
    });
}"""


@pytest.mark.parametrize("where", [{"viewport": DESK}, PHONE])
async def test_no_mark_of_what_can_be_played_lies_on_a_piece(stage: Stage, where: dict[str, Any]) -> None:
    """Issue 14, 12: a frame about each piece that can move, with nothing in it, and the piece whole inside."""
    host, _ = await seated(stage, "checkers", **where)
    await host.page.locator(".match .board .can-go").first.wait_for(timeout=LIMIT_MS)
    assert await host.page.evaluate(ON_PIECES) == [["none", 1]] * 4


async def test_boards_have_coordinates_and_micro_games_numbers(stage: Stage) -> None:
    """UD RNF3: inside the board's picture, and not over what is played on."""
    host, _ = await seated(stage, "ultimate-dots-and-boxes")
    told = await host.page.locator(".coordinate").all_text_contents()
    assert sorted(told) == sorted([*"abcd" * 3, *"1234" * 3, *"123456789"])
    board, dots, signs = [await boxes(host, one) for one in ("svg.board", ".dot", ".coordinate")]
    assert len(signs) == len(told)
    assert dots
    for box in signs:
        assert board[0]["x"] <= box["x"]
        assert board[0]["y"] <= box["y"] + 1
        assert not any(apart(dot, box) < 0 for dot in dots)


ON_SCREEN = """() => {
    const board = document.querySelector(".match svg.board"), ground = board.parentElement.getBoundingClientRect();
    const pixels = board.getScreenCTM().a;
    const signs = [...board.querySelectorAll(".coordinate")].map((one) => [one, one.getBoundingClientRect()]);
    const frame = getComputedStyle(board.querySelector(".cursor"));
    const scales = frame.vectorEffect === "non-scaling-stroke" ? 1 : pixels;
    return [
        signs.map(([one]) => parseFloat(getComputedStyle(one).fontSize) * pixels),
        parseFloat(frame.strokeWidth) * scales,
        signs.filter(([, box]) => box.left < ground.left - 0.5 || box.right > ground.right + 0.5)
            .map(([one]) => one.textContent),
    ];
}"""
"""How high the board's coordinates are in pixels, how thick its frame of the keys is, and what is cut by its edge."""


@pytest.mark.parametrize(
    "game", ["hexoust", "square", *(["dots-and-boxes", "ultimate-dots-and-boxes"] if FULL else [])]
)
async def test_what_is_read_on_a_board_does_not_grow_and_shrink_with_it(stage: Stage, game: str) -> None:
    """RF1: on a phone coordinates are 9 pixels high at least, on a large screen 18 at most; the frame of the keys has
    2 to 4."""
    host, _ = await seated(stage, game)
    for width, height in ((320, 568), (360, 740), (568, 320), (768, 1024), (1280, 800), (1920, 1080)):
        await look(host, width, height, dark=width % 3 == 0)
        await host.page.evaluate("document.querySelector('.board [tabindex=\"0\"]').focus()")
        await host.page.keyboard.press("ArrowRight")
        await host.page.wait_for_selector(".board .cursor", timeout=LIMIT_MS)
        heights, thick, cut = await host.page.evaluate(ON_SCREEN)
        assert heights
        assert 8.9 < min(heights) <= max(heights) < 18.1, (width, height)
        assert 2 <= thick <= 4, (width, height)
        assert cut == []


async def boxes(person: Person, selector: str) -> list[dict[str, float]]:
    """Where each of these is on screen, asked for once: a question for each takes seconds."""
    found: list[dict[str, float]] = await person.page.locator(selector).evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().toJSON())"
    )
    return found


def apart(one: dict[str, float], other: dict[str, float]) -> float:
    """How far two boxes are from each other, sideways or up and down; negative where they overlap."""
    return max(
        max(one[at], other[at]) - min(one[at] + one[size], other[at] + other[size])
        for at, size in (("x", "width"), ("y", "height"))
    )


IDS = "(nodes) => nodes.map((one) => one.dataset.id)"
CONTRAST = """(theme) => {
    document.documentElement.dataset.theme = theme;
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const light = (colour) => {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((one) => one / 255)
            .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const cell = document.querySelector(".cell.hex");
    cell.closest(".board-ground").classList.add("mine");
    return [false, true].map((barred) => {
        cell.classList.toggle("barred", barred);
        const { fill, stroke } = getComputedStyle(cell.querySelector("polygon"));
        const [one, other] = [light(fill), light(stroke)];
        return Math.max(one, other) / Math.min(one, other);
    });
}"""
