"""Saved games as files, and names that are alike (`page-cases` P66, P70)."""

from __future__ import annotations

import pytest

from tests.browser.boards import act, hosted, position, shows, surrender
from tests.browser.conftest import in_full
from tests.browser.people import LIMIT_MS, Stage
from tests.browser.truth import plays_one

pytestmark = pytest.mark.asyncio(loop_scope="session")


@in_full
async def test_p70_files_in_and_out(stage: Stage) -> None:
    """P70, DB 7.3.3.2: a file is read by what is in it, whatever it is called; what is none is refused by its name."""
    person = await stage.person(fragment="#here/square")
    page = person.page
    await person.up()
    await page.click(".form button[type=submit]")
    await page.locator(".match .board").wait_for(timeout=LIMIT_MS)
    for plies in (1, 2):
        await plays_one(person)
        await shows(person, plies)
    await act(person, "save")
    async with page.expect_download() as download:
        await page.click('dialog >> text="Download"')
    file = await (await download.value).path()
    text = file.read_bytes()
    assert (await download.value).suggested_filename.endswith(".json")
    await page.keyboard.press("Escape")
    await page.evaluate("() => { location.hash = '#saved'; }")
    field = page.locator("input[type=file]")
    assert await field.get_attribute("accept") is None, "no filter by endings, which greys all files out on a phone"
    for name in ("game.json", "game.txt", "game.json.txt", "game"):
        await field.set_input_files({"name": name, "mimeType": "", "buffer": text})
        await page.locator('.saved-row .name:text-is("game")').wait_for(timeout=LIMIT_MS)
    for name, data in (("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(99)), ("huge.json", b" " * 5_000_000)):
        await field.set_input_files({"name": name, "mimeType": "", "buffer": data})
        await page.locator(f'.saved .notice.bad:has-text("{name}")').wait_for(timeout=LIMIT_MS)
    await page.evaluate(
        """(text) => {
            const files = new DataTransfer();
            for (const name of ["one.txt", "two.json"]) files.items.add(new File([text], name));
            document.querySelector(".saved").dispatchEvent(
                new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: files }));
        }""",
        text.decode(),
    )
    await page.locator('.saved-row .name:text-is("two")').wait_for(timeout=LIMIT_MS)
    await page.click('.saved-row >> text="Two at this screen"')
    await shows(person, 2)
    assert position(person).you == (0, 1)


async def test_a_saved_game_goes_on_without_a_clock(stage: Stage) -> None:
    """DB 7.3.3: what was spent on it is known to nobody, and no time is begun anew that nobody chose."""
    person = await stage.person(fragment="#computer/checkers")
    page = person.page
    await person.up()
    await page.click(".form button[type=submit]")
    await page.locator(".match .board").wait_for(timeout=LIMIT_MS)
    before = position(person)
    assert before.clock is not None, "provoked: by the game's own it was played with a clock"
    await act(person, "save")
    await page.fill("dialog [name=save]", "ours")
    await page.click("dialog .primary")
    await page.locator("dialog [role=status]").wait_for(timeout=LIMIT_MS)
    await page.keyboard.press("Escape")
    for way in ("Two at this screen", "Against the computer"):
        await page.evaluate("() => { location.hash = '#saved'; }")
        await page.click('.saved-row .saved-name:has-text("ours")')
        await page.click(f'.saved-row >> text="{way}"')
        await page.locator(".saved").wait_for(state="detached", timeout=LIMIT_MS)
        await page.locator(".match .board").wait_for(timeout=LIMIT_MS)
        gone_on = position(person)
        assert gone_on.match != before.match
        assert gone_on.clock is None, way


@in_full
async def test_p66_who_am_i(stage: Stage) -> None:
    """P66: two of one name are told apart, and one's own seat is marked."""
    host, fragment = await hosted(stage, "square", name="Kim", way="host")
    guest = await stage.person(fragment=fragment)
    await guest.up()
    await guest.page.fill(".invitation [name=name]", "Kim")
    await guest.page.click(".invitation button[type=submit]")
    await guest.page.click('.invitation .notice button, .invitation button:has-text("Use")', timeout=LIMIT_MS)
    await guest.page.click(".invitation button[type=submit]")
    for person in (host, guest):
        await person.page.locator(".match .board").wait_for(timeout=LIMIT_MS)
        assert await person.page.locator(".player.below .you").count() == 1
        assert await person.page.locator(".player.above .you").count() == 0
    names = [seat.name for seat in position(host).seats]
    assert names[0] == "Kim"
    assert len(set(names)) == 2
    # One changes its name in the lobby; a spectator of a player's name is told apart from the player.
    seer = await stage.person(fragment=f"#watch={position(host).match}")
    await seer.page.locator(".match .board").wait_for(timeout=LIMIT_MS)
    assert await seer.page.locator(".you").count() == 0
    other = await stage.person("Lee")
    await other.up()
    await other.page.click(".who .button")
    await other.page.fill("dialog [name=name]", "Kim")
    await other.page.click("dialog .primary")
    await other.page.click("dialog .notice .button", timeout=LIMIT_MS)
    await other.page.locator("dialog").wait_for(state="detached", timeout=LIMIT_MS)
    taken = await other.page.inner_text(".who")
    assert "Kim" in taken
    assert all(name not in taken.split("\n") for name in names)
    await plays_one(host)
    for person in (host, guest):
        await shows(person, 1)
        assert await person.page.locator(".legend .you").count() == 1, "one's own sign in the list of moves"
        await person.page.click("#tab-chat")
    for person, text in ((host, "from the host"), (guest, "from the guest")):
        await person.page.fill("[name=say]", text)
        await person.page.keyboard.press("Enter")
        for reader in (host, guest):
            await reader.page.locator(f'.said-text:has-text("{text}")').wait_for(timeout=LIMIT_MS)
    for person in (host, guest):
        assert await person.page.locator(".said-line .you").count() == 1
        own = person.page.locator(".said-line:has(.you)")
        assert await own.locator(".said-text").inner_text() == ("from the host" if person is host else "from the guest")
    await seer.page.click("#tab-chat")
    await seer.page.fill("[name=say]", "from nobody's seat")
    await seer.page.keyboard.press("Enter")
    await seer.page.locator(".said-line").wait_for(timeout=LIMIT_MS)
    assert await seer.page.locator(".said-line .swatch").count() == 0, "who watches has no player's sign"
    for person in (host, guest):
        assert await person.page.locator(".said-line").count() == 2, "and is not heard by the players"
    await surrender(host)
    for person in (host, guest):
        await person.page.locator(".end").wait_for(timeout=LIMIT_MS)
        assert await person.page.locator(".end .stats .you").count() == 1
