"""Clicks, taps and drags in which players of other pages lost their moves (`page-cases` P1 to P8, P11)."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from client.shown.board.picking import NOT_YOURS, NOTHING_THERE
from tests.browser.boards import Finger, act, centre, position, seated, shows, shows_more, spots, whose_turn
from tests.browser.conftest import FULL, in_full
from tests.browser.people import LIMIT_MS, PHONE, Person, Stage
from tests.browser.truth import CUT, at_rest
from tests.faults.trial.proxy import DOWN, Proxy

pytestmark = pytest.mark.asyncio(loop_scope="session")
BUTTONS = (("right", 2), ("middle", 1))


def moves_of(*people: Person) -> list[str]:
    """The moves that were sent, each once."""
    return [frame["move"] for person in people for frame in person.unique("move")]


async def taken(person: Person) -> None:
    """Until nothing that was sent waits for its answer."""
    refs = {frame["ref"] for frame in person.commands("move")}
    for _ in range(LIMIT_MS // 50):
        if refs <= {frame.get("ref") for frame in person.received}:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("a move got no answer")


@pytest.mark.parametrize("game", ["dots-and-boxes", "checkers", "hexoust"] if FULL else ["checkers"])
async def test_p1_a_tap_that_wanders_is_no_drag(stage: Stage, game: str) -> None:
    """P1: fingers that tremble by up to 6 px play what they were put on, each once."""
    host, guest = await seated(stage, game, {"width": 10, "height": 10} if game == "dots-and-boxes" else {}, **PHONE)
    fingers = {person.name: await Finger.of(person) for person in (host, guest)}
    chance, wandered, meant = Random(game), 0, []
    for _ in range(40 if FULL else 6):
        mover, board = whose_turn(host, guest), position(host)
        move = chance.choice([move for move in position(mover).legal if "x" not in move and move != "swap"] or [""])
        if not move:
            break
        finger = fingers[mover.name]
        for spot in spots(position(mover), move):
            x, y = await centre(mover, spot)
            await finger.down(x, y)
            if chance.random() < 0.7:
                await finger.to(x + chance.uniform(-3, 3), y + chance.uniform(-3, 3))
                await finger.to(x + chance.uniform(-4, 4), y + chance.uniform(-4, 4))
                wandered += 1
            await finger.up()
        meant.append(move)
        for person in (host, guest):
            await shows_more(person, board.plies)
    assert wandered >= 5, "provoked: fingers that wandered"
    assert sorted(moves_of(host, guest)) == sorted(meant)
    await at_rest(stage.hub, host, guest)


@in_full
async def test_p2_p3_the_element_under_the_finger_and_no_scroll(stage: Stage) -> None:
    """P2 after turning, resizing, opening panels the element under the finger is meant; P3 no drag moves the page."""
    host, _ = await seated(stage, "dots-and-boxes", {"width": 6, "height": 6}, **PHONE)
    page, finger = host.page, await Finger.of(host)
    boxes = set()
    for width, height, panel in (
        (360, 740, ""),
        (740, 360, ""),
        (360, 740, "#tab-chat"),
        (320, 568, "#tab-chat"),
        (768, 1024, ""),
    ):
        await page.set_viewport_size({"width": width, "height": height})
        if panel:
            await page.click(panel)
        boxes.add(str(await page.locator(".board-ground").bounding_box()))
        for element in ("a1-b1", "c3-c4", "f5-f6", "d6-e6"):
            x, y = await centre(host, element)
            await finger.down(x, y)
            assert await page.evaluate("() => document.querySelectorAll('.board-ground .hand .lit').length") == 1
            found = await page.evaluate(
                """() => { const lit = document.querySelector(".board-ground .hand .lit").getBoundingClientRect();
                    return [lit.x + lit.width / 2, lit.y + lit.height / 2]; }"""
            )
            assert abs(found[0] - x) < 2
            assert abs(found[1] - y) < 2
            await finger.to(x, y + 300)
            await finger.cancel()
    assert len(boxes) >= 4, "provoked: the board lay elsewhere"
    assert moves_of(host) == [], "a touch that the system takes away plays nothing"
    chance = Random("P3")
    box = await page.locator(".board-ground").bounding_box()
    assert box is not None
    address = page.url
    for _ in range(20):
        x, y = box["x"] + chance.uniform(2, box["width"] - 2), box["y"] + 2
        await finger.down(x, y)
        for step in range(1, 5):
            await finger.to(x, y + 60 * step)
        await finger.to(-5, 5)
        await finger.up()
    assert page.url == address
    assert await page.evaluate("() => [scrollX, scrollY, document.scrollingElement.scrollTop]") == [0, 0, 0]
    assert await page.evaluate("() => getComputedStyle(document.documentElement).overscrollBehaviorY") == "none"
    assert moves_of(host) == []


@in_full
async def test_p4_the_finger_that_is_still_down(stage: Stage) -> None:
    """P4: a finger that pressed a button plays nothing on the board that comes up under it."""
    host, guest = await seated(stage, "square", **PHONE)
    await act(host, "give_up")
    await host.page.click(".asked .primary")
    for person in (host, guest):
        await person.page.wait_for_selector(".end", timeout=LIMIT_MS)
    await guest.page.click(".end >> text=Rematch")
    await host.page.wait_for_selector(".offer", timeout=LIMIT_MS)
    finger = await Finger.of(host)
    box = await host.page.locator(".offer .primary").bounding_box()
    assert box is not None
    await finger.down(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await guest.page.wait_for_timeout(300)
    await host.page.evaluate("() => document.querySelector('.offer .primary').click()")
    await host.page.wait_for_selector('.match[data-status="playing"][data-plies="0"]', timeout=LIMIT_MS)
    x, y = await centre(host, "a1-b1")
    await finger.to(x, y)
    await finger.up()
    await host.page.wait_for_timeout(300)
    assert moves_of(host, guest) == []


HIDES = """() => {
    const line = document.querySelector(".plan .ground").getBoundingClientRect();
    const dots = [...document.querySelectorAll(".dots .dot")].map((one) => one.getBoundingClientRect())
        .map((box) => [box.x + box.width / 2, box.y + box.height / 2, box.width * 0.58])
        .filter(([x, y]) => [line.left, line.right].some((end) => Math.abs(x - end) < 3) && Math.abs(y - line.top) < 3);
    const top = (x, y) => document.elementFromPoint(x, y).getAttribute("class");
    const hidden = dots.filter(([x, y]) => top(x, y) !== "dot").map(([x]) => `the dot at ${x}`);
    const wiped = dots.flatMap(([x, y, r]) => [[x, y + r], x > line.left + 3 ? [x + r, y] : [x, y - r]])
        .filter(([x, y]) => top(x, y)?.includes("pending")).map(([x, y]) => `beside a dot, at ${x}, ${y}`);
    return dots.length === 2 ? [...hidden, ...wiped] : ["no line with two dots"];
}"""


async def test_p5_not_yet_sent_looks_not_yet_sent(stage: Stage) -> None:
    """P5: a move that waits for its confirmation differs in form, and nobody is told that it is the other's turn."""
    host, guest = await seated(stage, "dots-and-boxes", {"width": 3, "height": 3})
    page = host.page
    await act(host, "settings")
    await page.click('dialog label:has-text("Confirm moves before they are sent")')
    await page.click('dialog >> text="Done"')
    await page.mouse.click(*await centre(host, "a1-b1"))
    await page.wait_for_selector('.ask >> text="Play it"', timeout=LIMIT_MS)
    assert moves_of(host) == []
    assert await page.locator(".plan .pending.unsent").count() > 0
    assert "stroke-dasharray" in await page.evaluate(
        "() => { const style = getComputedStyle(document.querySelector('.plan line.unsent:not(.ground)'));"
        " return style.strokeDasharray === 'none' ? '' : 'stroke-dasharray'; }"
    )
    assert await page.evaluate(HIDES) == [], "its dots lie above it, and it wipes out no line beside it"
    assert await page.inner_text(".headline b") == "Your turn"
    assert "is to move" not in await page.inner_text("[data-spoken]")
    await page.click('.ask >> text="Let go"')
    await page.wait_for_selector(".ask", state="detached")  # nobody is quicker than the next picture
    await page.mouse.click(*await centre(host, "b1-c1"))
    await page.click('.ask >> text="Play it"')
    await shows(guest, 1)
    assert moves_of(host) == ["b1-c1"]


@in_full
async def test_p5_unanswered_is_said(stage: Stage) -> None:
    """P5: a move whose answer is held back looks sent and not made, after 5 s that is said; it comes once."""
    async with Proxy(("127.0.0.1", stage.hub.port)) as proxy:
        address = f"http://127.0.0.1:{proxy.port}/"
        host, guest = await seated(stage, "dots-and-boxes", {"width": 3, "height": 3}, address=address)
        for person in (host, guest):
            person.expected = CUT
        page = host.page
        await act(host, "settings")
        await page.click('dialog label:has-text("Confirm moves before they are sent")')
        await page.click('dialog >> text="Done"')
        await page.mouse.click(*await centre(host, "a1-b1"))
        button = page.locator('.ask >> text="Play it"')
        await button.wait_for(timeout=LIMIT_MS)
        assert await button.evaluate(
            "(one) => { const box = one.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }"
        )
        proxy.blackhole(DOWN)
        await button.click()
        await page.wait_for_selector(".plan .pending:not(.unsent)", state="attached", timeout=LIMIT_MS)
        said = page.locator('.hint:has-text("not confirmed yet")')
        await said.wait_for(timeout=LIMIT_MS)
        assert await page.inner_text(".headline b") == "Sending your move…"
        assert "is to move" not in await page.inner_text("[data-spoken]")
        assert not (await page.title()).startswith("●")
        proxy.heal()
        await shows(host, 1)
        await said.wait_for(state="detached", timeout=LIMIT_MS)
        await shows(guest, 1)
        assert moves_of(host) == ["a1-b1"]


async def says(one: Person, other: Person, text: str) -> None:
    """A line from one to the other, who has it."""
    await one.page.fill("[name=say]", text)
    await one.page.keyboard.press("Enter")
    await other.page.get_by_text(text, exact=True).wait_for(state="attached", timeout=LIMIT_MS)


async def test_p6_twice_is_once(stage: Stage) -> None:
    """P6: double clicks and a volley of Enter on what sends have one effect each.

    A line that the other does not see is marked as unread until the chat is opened, and none is that comes in sight.
    """
    host = await stage.person("Ana", fragment="#friend/square")
    await host.up()
    await host.page.dblclick("form.form button[type=submit]")
    await host.page.wait_for_selector("input[name=link]", timeout=LIMIT_MS)
    link = await host.page.input_value("input[name=link]")
    guest = await stage.person("Ben", fragment=link[link.index("#") :])
    await guest.up()
    await guest.page.focus(".invitation button[type=submit]")
    for _ in range(10):
        await guest.page.keyboard.press("Enter")
    for person in (host, guest):
        await person.page.wait_for_selector(".match", timeout=LIMIT_MS)
    assert len(host.unique("create")) == 1
    assert len(guest.unique("join")) == 1
    await act(host, "draw", double=True)
    await guest.page.wait_for_selector(".offer", timeout=LIMIT_MS)
    await guest.page.dblclick(".offer >> text=Decline")
    await host.page.click("#tab-chat")
    await host.page.fill("[name=say]", "hello")
    for _ in range(10):
        await host.page.keyboard.press("Enter")
    await host.page.wait_for_selector(".said-text", timeout=LIMIT_MS)
    assert len(host.unique("offer")) == 1
    assert len(guest.unique("answer")) == 1
    assert len(host.unique("say")) == 1
    await guest.page.get_by_role("tab", name="Chat, 1 unread", exact=True).click()
    await guest.page.get_by_role("tab", name="Chat", exact=True).wait_for(timeout=LIMIT_MS)
    await says(host, guest, "in sight")
    assert await guest.page.locator(".badge").count() == 0
    # Closed, on a phone without room for it, though it was opened last.
    await guest.page.set_viewport_size({"width": 320, "height": 568})
    await guest.page.click("#tab-chat")
    await says(host, guest, "closed")
    await guest.page.get_by_role("tab", name="Chat, 1 unread", exact=True).click()
    await guest.page.get_by_role("tab", name="Chat", exact=True).wait_for(timeout=LIMIT_MS)


@in_full
async def test_p7_a_double_tap_neither_zooms_nor_plays_on(stage: Stage) -> None:
    """P7: the second tap on a line just drawn does nothing; the page is not enlarged."""
    host, guest = await seated(stage, "dots-and-boxes", {"width": 5, "height": 5}, **PHONE)
    chance, taps = Random("P7"), 0
    for _ in range(8 if FULL else 4):
        mover, plies = whose_turn(host, guest), position(host).plies
        x, y = await centre(mover, chance.choice(sorted(position(mover).legal)))
        for _ in range(2):
            await mover.page.touchscreen.tap(x, y)
            taps += 1
        for person in (host, guest):
            await shows_more(person, plies)
        await taken(mover)
        assert await mover.page.locator(".hint.bad").count() == 0
        assert await mover.page.evaluate("() => visualViewport.scale") == 1
    assert taps >= 8, "provoked"
    assert len(moves_of(host, guest)) == position(host).plies


@in_full
@pytest.mark.parametrize("game", ["dots-and-boxes", "checkers"])
async def test_p8_only_the_main_button_plays(stage: Stage, game: str) -> None:
    """P8: other buttons and their drags send nothing, and a long press selects no text."""
    host, _ = await seated(stage, game)
    page = host.page
    menus = "() => { window.menus = 0; addEventListener('contextmenu', () => { window.menus += 1; }); }"
    await page.evaluate(menus)
    elements = ("a1-b1", "c3-c4") if game == "dots-and-boxes" else ("9", "10", "14")
    for button, _ in BUTTONS:
        for element in elements:
            x, y = await centre(host, element)
            await page.mouse.move(x, y)
            await page.mouse.down(button=button)  # type: ignore[arg-type]
            await page.mouse.move(x + 40, y + 40)
            await page.mouse.up(button=button)  # type: ignore[arg-type]
    x, y = await centre(host, elements[0])
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 60, y - 60, steps=3)
    await page.mouse.down(button="right")
    await page.mouse.up(button="right")
    await page.mouse.up()
    assert await page.evaluate("() => window.menus") >= 1, "provoked: a menu was asked for"
    assert moves_of(host) == []
    assert await page.evaluate("() => String(getSelection())") == ""


async def test_p11_an_illegal_drop_comes_home(stage: Stage) -> None:
    """P11, P12, CK 6.1.3: dropped where it cannot go a piece is home again, with a hint beside it; the next works.

    A click where nothing begins says so, until a piece is picked.
    """
    host, guest = await seated(stage, "checkers")
    page = host.page
    told = page.locator(".news .hint[role=status]:not(.bad)")
    for element, why in (("~d5", NOTHING_THERE), ("18", NOTHING_THERE), ("22", NOT_YOURS)):
        await page.mouse.click(*await centre(host, element))
        await told.get_by_text(why, exact=True).wait_for(timeout=LIMIT_MS)
    await page.mouse.click(*await centre(host, "9"))
    await told.wait_for(state="detached", timeout=LIMIT_MS)
    await page.keyboard.press("Escape")
    assert moves_of(host) == []
    for turn in range(20 if FULL else 6):
        (x, y), (to_x, to_y) = await centre(host, "9"), await centre(host, ("18", "17")[turn % 2])
        await page.mouse.move(x, y)
        await page.mouse.down()
        await page.mouse.move((x + to_x) / 2, (y + to_y) / 2)
        await page.mouse.move(to_x, to_y)
        await page.mouse.up()
        await taken(host)
        await page.wait_for_timeout(300)
        assert await page.locator(".held, .taken, .ghost").count() == 0
    refused = [frame for frame in host.received if frame["type"] == "refused"]
    assert len(refused) >= 5, "provoked: refused by the hub"
    (x, y), (to_x, to_y) = await centre(host, "9"), await centre(host, "13")
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(to_x, to_y, steps=3)
    await page.mouse.move(x, y, steps=3)
    await page.mouse.up()
    assert position(host).plies == 0
    await page.keyboard.press("Escape")
    await page.mouse.click(*await centre(host, "9"))
    await page.mouse.click(*await centre(host, "13"))
    await shows(guest, 1)
    last = position(guest).last
    assert last is not None
    assert last.move == "9-13"
