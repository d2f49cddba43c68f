"""Typing, reading and notices (`page-cases` P43, P57, P59, P60, P63, P69)."""

from __future__ import annotations

import re
import string

import pytest

from tests.browser.boards import act, click, position, seated, shows, tap
from tests.browser.conftest import FULL, in_full
from tests.browser.people import LIMIT_MS, PHONE, Person, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")
HIDE = """(hidden) => {
    Object.defineProperty(document, "visibilityState", { value: hidden ? "hidden" : "visible", configurable: true });
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


async def test_p43_your_turn_ends(stage: Stage) -> None:
    """P43: title and icon call while the tab is hidden, and stop as soon as it is not one's turn any more."""
    host, guest = await seated(stage, "square")
    await guest.page.evaluate(HIDE, True)
    before = await guest.page.title()
    await click(host, "a1-b1")
    await guest.page.wait_for_function("() => document.title.startsWith('●')", timeout=LIMIT_MS)
    icon = "() => document.querySelector('link[rel=icon]').href"
    assert "parlour-turn.svg" in await guest.page.evaluate(icon)
    await act(host, "give_up")
    await host.page.click(".asked .primary")
    await guest.page.wait_for_function("() => !document.title.startsWith('●')", timeout=LIMIT_MS)
    assert await guest.page.title() == before
    assert "parlour-turn.svg" not in await guest.page.evaluate(icon)


async def test_p57_typing_is_not_playing(stage: Stage) -> None:
    """P57: every character, arrows, Space and Esc in the fields of a match are text; Esc leaves the field first."""
    host, _ = await seated(stage, "dots-and-boxes", {"width": 4, "height": 4})
    page = host.page
    sent = len(host.commands())
    await page.click("#tab-chat")
    letters = "".join(letter for letter in string.printable if letter.isprintable())
    # In the short form every second one in either field.
    for field, tab, text in (
        ("[name=say]", "#tab-chat", letters if FULL else letters[::2]),
        ("[name=move]", "#tab-moves", letters if FULL else letters[1::2]),
    ):
        await page.click(tab)
        await page.click(field)
        await page.keyboard.type(text)
        for key in ("ArrowUp", "ArrowLeft", "ArrowDown", "End"):
            await page.keyboard.press(key)
        assert await page.input_value(field) == text
        await page.keyboard.press("Escape")
        assert await page.evaluate("() => document.activeElement.tagName") != "INPUT"
        await page.fill(field, "")
    assert len(host.commands()) == sent
    assert await page.locator("dialog").count() == 0
    assert position(host).plies == 0


@in_full
async def test_p59_enter_that_chooses_a_word(stage: Stage) -> None:
    """P59: an input method's Enter sends nothing, in either order of its events; the next Enter sends the whole."""
    host, guest = await seated(stage, "square")
    page = host.page
    await page.click("#tab-chat")
    await page.click("[name=say]")
    await page.evaluate(
        """() => { window.composing = 0;
            addEventListener("keydown", (event) => { if (event.isComposing) window.composing += 1; }, true); }"""
    )
    session = await host.context.new_cdp_session(page)
    await session.send("Input.imeSetComposition", {"text": "にほん", "selectionStart": 3, "selectionEnd": 3})
    key = {"type": "rawKeyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13}
    await session.send("Input.dispatchKeyEvent", key)
    assert await page.evaluate("() => window.composing") >= 1, "provoked"
    await session.send("Input.insertText", {"text": "日本"})
    await page.evaluate(
        """() => { const field = document.querySelector("[name=say]");
            field.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true }));
            field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true })); }"""
    )
    assert host.commands("say") == []
    await page.wait_for_timeout(100)
    await page.keyboard.press("Enter")
    await guest.page.click("#tab-chat")
    await guest.page.wait_for_selector('.said-text:has-text("日本")', timeout=LIMIT_MS)
    assert [frame["text"] for frame in host.unique("say")] == ["日本"]


@in_full
async def test_p60_reading_back(stage: Stage) -> None:
    """P60: who reads further up is left there and told how many moves are new; who is at the end follows."""
    host, guest = await seated(
        stage, "dots-and-boxes", {"width": 6, "height": 6}, viewport={"width": 1280, "height": 560}
    )
    lines = sorted(position(host).legal)
    for plies, line in enumerate(lines[:24], start=1):
        mover = host if position(host).to_move == 0 else guest
        await click(mover, line)
        for person in (host, guest):
            await shows(person, plies)
    place = "() => document.querySelector('[data-list=moves]').scrollTop"
    assert await host.page.evaluate(place) == 0, "follows"
    first = "() => document.querySelector('[data-list=moves] li').getBoundingClientRect().top"
    assert (
        await host.page.evaluate(
            """() => { const list = document.querySelector("[data-list=moves]");
            list.scrollTop = list.clientHeight - list.scrollHeight;
            return list.scrollTop; }"""
        )
        < -24
    ), "provoked"
    await host.page.wait_for_function(f"() => ({place})() < -24", timeout=LIMIT_MS)
    await settled(host)
    before = await host.page.evaluate(first)
    mover = host if position(host).to_move == 0 else guest
    await click(mover, lines[30])
    await shows(host, 25)
    await host.page.wait_for_selector(".new-lines", timeout=LIMIT_MS)
    assert abs(await host.page.evaluate(first) - before) < 1
    await host.page.click(".new-lines")
    await host.page.wait_for_selector(".new-lines", state="detached", timeout=LIMIT_MS)
    assert await host.page.evaluate(place) == 0
    # Larger for a moment than all its lines, as a phone that is turned: nobody has scrolled up.
    await host.page.evaluate(
        """async () => {
            const list = document.querySelector("[data-list=moves]");
            const frame = () => new Promise((done) => requestAnimationFrame(done));
            for (let round = 0; round < 6; round += 1) {
                list.style.minHeight = "2000px";
                await frame();
                list.style.minHeight = "";
                list.style.maxHeight = round % 2 ? "" : "100px";
                await frame();
                await frame();
            }
        }"""
    )
    mover = host if position(host).to_move == 0 else guest
    await click(mover, lines[31])
    await shows(host, 26)
    await settled(host)
    assert await host.page.evaluate(place) == 0
    assert await host.page.locator(".new-lines").count() == 0
    assert await host.page.evaluate(
        """() => { const list = document.querySelector("[data-list=moves]").getBoundingClientRect();
            const last = document.querySelector("[data-list=moves] li:last-child").getBoundingClientRect();
            return last.bottom <= list.bottom && last.top > list.top; }"""
    ), "the newest is in sight"


async def settled(person: Person) -> None:
    """Until what was scrolled has been told, and its frames are drawn."""
    await person.page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
    )


async def has_its_row(person: Person, row: list[str]) -> None:
    """These words, each whole below an icon, 40 pixels at least; the menu by key, touch and Esc, clear of the board, of
    both players and of what they are told."""
    page = person.page
    assert await page.locator(".acts .cell").all_inner_texts() == row
    cells = await page.locator(".tools .cell:visible").evaluate_all(
        """(all) => all.map((one) => { const box = one.getBoundingClientRect();
            return [box.width >= 40 && box.height >= 40 && box.right <= innerWidth, !!one.querySelector("svg path"),
                one.innerText !== "" && one.scrollWidth <= one.clientWidth + 1]; })"""
    )
    assert all(all(cell) for cell in cells), cells
    more, menu = page.locator(".acts [data-action=more]"), page.locator(".menu")
    assert await more.get_attribute("aria-expanded") == "false"
    await more.click()
    assert await more.get_attribute("aria-expanded") == "true"
    words = await menu.locator(".entry").all_inner_texts()
    assert {"Revert", "Save", "Turn the board", "Settings", "To the lobby"} <= set(words)
    assert not {*row} & {*words}
    assert await menu.evaluate(
        """(menu) => { const own = menu.getBoundingClientRect();
            return [...document.querySelectorAll(".board-ground, .player, .news > *, .tools")].every((other) => {
                const box = other.getBoundingClientRect();
                return box.bottom <= own.top + 1 || own.bottom <= box.top + 1 || box.right <= own.left + 1;
            }) && menu.scrollHeight <= menu.clientHeight + 1; }"""
    )
    await page.keyboard.press("Tab")
    assert await page.evaluate("() => document.activeElement.closest('.menu') !== null")
    await page.keyboard.press("Escape")
    await menu.wait_for(state="detached", timeout=LIMIT_MS)
    assert await page.evaluate("() => document.activeElement.dataset.action") == "more"
    await page.keyboard.press("-")
    await menu.wait_for(timeout=LIMIT_MS)
    await page.mouse.click(5, 5)
    await menu.wait_for(state="detached", timeout=LIMIT_MS)
    assert (
        await page.evaluate(
            """async () => {
            // No frame passes in between: who is quicker than one is heard as well.
            const soon = async (there) => {
                for (let at = 0; at < 100 && Boolean(document.querySelector(".menu")) !== there; at += 1) await null;
                return Boolean(document.querySelector(".menu"));
            };
            const typed = (key) => new KeyboardEvent("keydown", { key, bubbles: true });
            const key = (name) => document.body.dispatchEvent(typed(name));
            const seen = [];
            for (const close of [() => document.body.click(), () => key("Escape"), () => key("-")]) {
                key("-");
                seen.push(await soon(true));
                close();
                seen.push(await soon(false));
            }
            return seen; }"""
        )
        == [True, False] * 3
    )


async def test_p63_an_offer_is_seen(stage: Stage) -> None:
    """P63: on a phone with chat or help open an offer is in view at once, the second like the first, and in words.
    DB 7.3.1.6, 7.3.1.7, CK 5.4.5: beside the help one plays on, with both names, countdowns and the turn in view; what
    opened it closes it. CK 5.4: what can be done is a row of icons with words, fewer on a phone, and a menu."""
    host, guest = await seated(stage, "dots-and-boxes", {"width": 4, "height": 4}, clock="5+3", guest=PHONE)
    for person, row in (
        (host, ["Draw", "Surrender", "Take back", "Pause", "Restart", "More"]), (guest, ["Draw", "Surrender", "More"]),
    ):  # fmt: skip
        await has_its_row(person, row)
    seen = 0
    await click(host, "a1-b1")
    await shows(guest, 1)
    for tab, action, words in (
        ("chat", "draw", "offers a draw"), ("help", "takeback", "asks to take the last move back"),
    ):  # fmt: skip
        await (guest.page.click("#tab-chat") if tab == "chat" else act(guest, "help"))
        await act(host, action)
        button = guest.page.locator(".offer .primary")
        await button.wait_for(timeout=LIMIT_MS)
        box = await button.bounding_box()
        assert box
        assert box["y"] + box["height"] <= PHONE["viewport"]["height"]
        assert words in await guest.page.inner_text("[data-spoken]")
        await guest.page.click(".offer >> text=Decline")
        await guest.page.wait_for_selector(".offer", state="detached", timeout=LIMIT_MS)
        seen += 1
    assert seen == 2
    await guest.page.locator(".panel .rules").wait_for(timeout=LIMIT_MS)
    assert await guest.page.locator(".player .name").all_inner_texts() == ["Ana", "Ben"]
    for countdown in await guest.page.locator(".player .clock").all():
        assert re.fullmatch(r"0[45]:\d\d", await countdown.inner_text())
    assert await guest.page.locator(".player .clock").count() == 2
    assert await guest.page.inner_text(".player.to-move .name") == "Ben"
    await tap(guest, "b1-c1")
    await shows(host, 2)
    await guest.page.locator('.player.to-move:has-text("Ana")').wait_for(timeout=LIMIT_MS)
    assert await guest.page.locator(".panel .rules").is_visible()
    await act(guest, "help")
    await guest.page.locator(".panel .rules").wait_for(state="hidden", timeout=LIMIT_MS)


@in_full
@pytest.mark.parametrize("clipboard", ["missing", "refusing", "hanging"])
async def test_p69_copying_says_the_truth(stage: Stage, clipboard: str) -> None:
    """P69: "copied" only after success; else the link is selected in its field, and it is said how to copy it."""
    fake = {
        "missing": "undefined",
        "refusing": "{ writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) }",
        "hanging": "{ writeText: () => new Promise(() => {}) }",
    }[clipboard]
    script = (
        f"Object.defineProperty(Navigator.prototype, 'clipboard', {{ get: () => ({fake}) }});"
        "window.works = false; document.execCommand = () => window.works;"
    )
    person = await stage.person("Ana", scripts=(script,), fragment="#friend/square")
    await person.up()
    await person.page.click("form.form button[type=submit]")
    await person.page.click('.share >> text="Copy"', timeout=LIMIT_MS)
    await person.page.wait_for_selector('.said:has-text("selected")', timeout=LIMIT_MS)
    link = await person.page.input_value("[name=link]")
    assert (
        await person.page.evaluate(
            "() => { const { value, selectionStart, selectionEnd } = document.activeElement;"
            " return value.slice(selectionStart, selectionEnd); }"
        )
        == link
    )
    await person.page.evaluate("() => { window.works = true; }")
    await person.page.click('.share >> text="Copy"')
    await person.page.wait_for_selector('.said:has-text("Copied")', timeout=LIMIT_MS)


@in_full
async def test_the_help_names_no_key_of_another_client(stage: Stage) -> None:
    """What each game's help says of keys in a terminal is not told here, where they do nothing; the page's are."""
    person = await stage.person(fragment="#help")
    await person.up()
    games = await person.page.locator(".choices .pick").all_inner_texts()
    assert len(games) == 5
    for game in games:
        await person.page.click(f'.choices .pick >> text="{game}"')
        await person.page.locator(f'.rules h2:text-is("{game}")').wait_for(timeout=LIMIT_MS)
        told = await person.page.inner_text(".rules")
        assert "quits" not in told
        assert "gives the game up" not in told
        assert await person.page.locator(".rules kbd").count() > 5
