"""The ways into a match and out of it, as a person finds them (`CK 5.2`, `5.3`, `5.5`, `DB 7.3.3`)."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Locator

from protocol.messages import Accepted, ClockRule, Leave, Watch
from tests.browser.boards import act, choose, click, goes_on, position, seated, shows, shows_more, whose_turn
from tests.browser.conftest import in_full
from tests.browser.people import LIMIT_MS, Person, Stage
from tests.browser.truth import at_rest
from tests.driver import Client
from tests.server.http.api.player import web

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def start(person: Person, form: str) -> None:
    """Fill no more in than is there already, and start."""
    await person.up()
    await person.page.evaluate("(hash) => { location.hash = hash; }", form)
    await person.page.click(".form button[type=submit]")


async def test_against_the_computer(stage: Stage) -> None:
    """DB 8.3, SQ2: three clicks from the address to a move and its answer, and no name is asked for."""
    person = await stage.person()
    await person.up()
    await person.page.click("text=Play the computer")
    await person.page.click('.game-option:has-text("Square")')
    await person.page.click(".form button[type=submit]")
    await person.page.wait_for_selector(".match", timeout=LIMIT_MS)
    await click(person, "a1-b1")
    await shows_more(person, 1)
    assert person.unique("create")[0]["computer"] is True
    assert position(person).seats[1].name


async def test_two_clicks_from_a_card_to_a_board(stage: Stage) -> None:
    """Each game's card offers the ways to play it; one of them, and a second click, and there is a board."""
    person = await stage.person()
    await person.up()
    ways = person.page.locator(".game-card .ways button:not(.learn)")
    await ways.nth(19).wait_for()
    names = await ways.all_inner_texts()
    assert names == ["Computer", "Friend (link)", "Somebody", "Two here"] * 5
    await person.page.click('.game-card:has-text("Nine dots") >> text="Two here"')
    await person.page.click(".form button[type=submit]")
    await person.page.wait_for_selector(".match .board", timeout=LIMIT_MS)
    assert (position(person).game, list(position(person).you)) == ("square", [0, 1])


@in_full
async def test_two_at_this_screen(stage: Stage) -> None:
    """DB 1.8: both sides move at one mouse, to the end; then once more."""
    person = await stage.person()
    await start(person, "#here/square")
    await person.page.wait_for_selector(".match", timeout=LIMIT_MS)
    while await goes_on(person):
        plies = position(person).plies
        await click(person, min(position(person).legal))
        await shows_more(person, plies)
    await person.page.wait_for_selector(".end", timeout=LIMIT_MS)
    first = position(person).match
    await person.page.click('.end >> text="Play again"')
    await person.page.wait_for_selector('.match[data-plies="0"]', timeout=LIMIT_MS)
    assert position(person).match != first


async def test_an_opponent_is_found_and_a_name_asked_for(stage: Stage) -> None:
    """UD RF2, RF5: quick match; who has no name is asked for one, and a taken one comes with a suggestion."""
    one, other = await stage.person("Cleo"), await stage.person()
    await start(one, "#find/square")
    await one.page.wait_for_selector(".waiting", timeout=LIMIT_MS)
    await start(other, "#find/square")
    await other.page.fill("dialog [name=name]", "Cleo")
    await other.page.keyboard.press("Enter")
    await other.page.click("dialog .notice button", timeout=LIMIT_MS)
    for person in (one, other):
        await person.page.wait_for_selector(".match", timeout=LIMIT_MS)
    names = [seat.name for seat in position(one).seats]
    assert names[0] == "Cleo"
    assert names[1] not in (None, "Cleo")


async def test_the_list_of_open_matches(stage: Stage) -> None:
    """CK R1.3, 5.3: colours and who begins are chosen in the form; the host's side stands in the list with the name, a
    link tells the free one; one click there joins, another one watches, and the list follows."""
    host, guest, seer = [await stage.person(name) for name in ("Dora", "Emil", "Fay")]
    await host.up()
    await host.page.evaluate("() => { location.hash = '#host/checkers'; }")
    for part in ("tiles", "pieces"):
        await choose(host, part, "black-red")
    await choose(host, "@first", "your opponent")
    await host.page.click(".form button[type=submit]")
    await host.page.wait_for_selector(
        '.waiting .seats:has-text("You are Red; your opponent begins.")', timeout=LIMIT_MS
    )
    await seer.page.evaluate("(match) => { location.hash = `#join=${match}`; }", position(host).match)
    await seer.page.wait_for_selector('.invitation .seats:has-text("You will be Black and begin.")', timeout=LIMIT_MS)
    await seer.page.evaluate("() => { location.hash = ''; }")
    row = '.lobby .row:has-text("Dora")'
    await guest.page.locator(row).wait_for(timeout=LIMIT_MS)
    assert "Tiles: black-red" in await guest.page.inner_text(row)
    assert "Pieces: black-red" in await guest.page.inner_text(row)
    swatch = await guest.page.locator(f"{row} .swatch").evaluate_all(
        "(all) => all.map((one) => [one.textContent, getComputedStyle(one).backgroundColor])"
    )
    assert swatch == [["○", "rgb(214, 40, 40)"]], "the host's side"
    await guest.page.click(f"{row} >> text=Join")
    await guest.page.wait_for_selector(".match", timeout=LIMIT_MS)
    await seer.page.click(f"{row} >> text=Watch")
    await seer.page.wait_for_selector(".match", timeout=LIMIT_MS)
    assert [(seat.style.name, seat.name) for seat in position(guest).seats] == [("Black", "Emil"), ("Red", "Dora")]
    assert position(guest).you == (0,)
    await click(guest, min(position(guest).legal))
    await shows(seer, 1)
    await at_rest(stage.hub, host, guest)
    assert position(seer).you == ()


async def test_a_rematch_swaps_the_seats(stage: Stage) -> None:
    """RU-M7, CK 5.5, UD RF7: who left has lost and who is told has won; the ways on have their names; a rematch is
    offered at the end, accepted beside the board; both are in the next match."""
    host, guest = await seated(stage, "square")
    await click(host, "a1-b1")
    await shows(guest, 1)
    await act(host, "give_up")
    await host.page.click(".asked .primary")
    for person, verdict in ((host, "You lose."), (guest, "You win!")):
        await person.page.wait_for_selector(".end", timeout=LIMIT_MS)
        assert await person.page.inner_text(".ending") == f"{verdict} Ana surrendered. Ben wins."
        assert await person.page.locator('.end button:text-is("Main Menu")').count() == 1
    await guest.page.click(".end >> text=Rematch")
    await host.page.click(".offer >> text=Accept")
    for person in (host, guest):
        await person.page.wait_for_selector('.match[data-status="playing"][data-plies="0"]', timeout=LIMIT_MS)
    assert position(host).you == (1,)
    assert whose_turn(host, guest) is guest
    assert position(host).match in host.page.url
    await click(guest, "a1-b1")
    await shows(host, 1)


async def test_a_saved_game_is_gone_on_with(stage: Stage) -> None:
    """DB 7.3.3.1, 7.3.3.2, RU-M8: saved under a name, listed, started from, and gone back to within a match."""
    host, guest = await seated(stage, "square")
    for move in ("a1-b1", "b1-c1"):
        await click(whose_turn(host, guest), move)
        await shows(host, 1 if move == "a1-b1" else 2)
    await shows(guest, 2)
    page = host.page
    await act(host, "save")
    await page.fill("dialog [name=save]", "two lines")
    await page.keyboard.press("Enter")
    await page.click("dialog >> text=Done")
    await click(host, "a2-b2")
    await shows(guest, 3)
    await act(host, "revert")
    await page.click('dialog .row:has-text("two lines") >> text="Go on from here"')
    await guest.page.click(".offer >> text=Accept")
    await shows(host, 2)
    await at_rest(stage.hub, host, guest)
    await page.evaluate("() => { location.hash = '#saved'; }")
    await page.click(".saved-name")
    await page.click('.saved-row >> text="Two at this screen"')
    await page.wait_for_selector('.match[data-plies="2"]', timeout=LIMIT_MS)
    assert position(host).you == (0, 1)


@in_full
async def test_moves_are_listed_and_stepped_through(stage: Stage) -> None:
    """CK 5.4: the list has all moves, also after a reload; a click looks back, End comes back, play goes on."""
    host, guest = await seated(stage, "dots-and-boxes", {"width": 4, "height": 4})
    for plies, move in enumerate(("a1-b1", "b1-c1", "c1-d1"), start=1):
        await click(whose_turn(host, guest), move)
        for person in (host, guest):
            await shows(person, plies)
    await guest.page.reload()
    await guest.page.wait_for_selector('.move:has-text("c1-d1")', timeout=LIMIT_MS)
    assert await guest.page.locator(".move").count() == 3
    places = [await move.bounding_box() for move in await guest.page.locator(".move").all()]
    (x1, y1), (x2, y2), (x3, y3) = ((place["x"], place["y"]) for place in places if place is not None)
    assert (x1, y1) == (x3, y2), "a column for each side, and a row for each pair (issue 14, 15)"
    assert x2 > x1
    assert y3 > y1
    await guest.page.click('.move:has-text("a1-b1")')
    await guest.page.wait_for_selector(".headline.back", timeout=LIMIT_MS)
    await guest.page.wait_for_function("() => document.querySelectorAll('.line.drawn').length === 1", timeout=LIMIT_MS)
    await guest.page.keyboard.press("End")
    await guest.page.wait_for_function("() => document.querySelectorAll('.line.drawn').length === 3", timeout=LIMIT_MS)
    await click(guest, "a2-b2")
    await shows(host, 4)


async def test_light_and_dark_by_choice(stage: Stage) -> None:
    """The choice stays through a reload, whatever the system says."""
    person = await stage.person(fragment="#settings", color_scheme="light")
    await person.up()
    await person.page.click('.pick:has-text("Dark")')
    theme = "() => document.documentElement.dataset.theme"
    assert await person.page.evaluate(theme) == "dark"
    await person.page.reload()
    await person.up()
    assert await person.page.evaluate(theme) == "dark"


SWITCHES = "() => [...document.querySelectorAll('.settings .switch input')].map((one) => one.checked ?? one.value)"


async def test_everything_that_can_be_chosen_is_kept(stage: Stage) -> None:
    """Issue 14, 15: sounds and how loud, animations, confirming and planning moves, the field for moves; each holds at
    once, and after a reload."""
    person = await stage.person(fragment="#settings", reduced_motion="no-preference")
    await person.up()
    page = person.page
    volume = page.get_by_label("Volume")
    await volume.wait_for(timeout=LIMIT_MS)
    before = await page.evaluate(SWITCHES)
    await volume.fill("0.25")
    moves = ("Confirm moves before they are sent", "Plan moves while the other side is to move")
    changed = ("Sounds", "Animations", *moves, "Move field and names of what is pointed at")
    for label in changed:
        await page.locator(".settings .switch", has_text=label).click()
    now = await page.evaluate(SWITCHES)
    assert sum(one != other for one, other in zip(before, now, strict=True)) == len(changed)
    await page.reload()
    await volume.wait_for(timeout=LIMIT_MS)
    assert await page.evaluate(SWITCHES) == now
    assert await volume.input_value() == "0.25"


async def test_boards_are_of_what_was_chosen(stage: Stage) -> None:
    """At once, on the boards of the cards as well, and still after a reload."""
    person = await stage.person(fragment="#settings", color_scheme="light")
    await person.up()
    await person.page.click('.pick:has-text("Wood")')
    board = "() => getComputedStyle(document.documentElement).getPropertyValue('--board').trim()"
    assert await person.page.evaluate(board) == "#f6e4c0"
    await person.page.reload()
    await person.up()
    assert await person.page.evaluate(board) == "#f6e4c0"
    await person.page.emulate_media(color_scheme="dark")
    await person.page.click('.pick:has-text("As the system")')
    await person.page.wait_for_function("() => document.documentElement.dataset.theme === 'dark'", timeout=LIMIT_MS)
    assert await person.page.evaluate(board) == "#ddcdad"


async def test_a_game_is_learnt_by_tasks(stage: Stage) -> None:
    """One click on its card; what is to be done and what came of it stand beside the board; which were done is kept."""
    person = await stage.person()
    await person.up()
    learn = '.game-list li:has-text("Dots and Boxes") >> nth=0 >> text=Learn'
    await person.page.click(learn)
    await person.page.wait_for_selector('.task:has-text("Task 1 of 4: Close a box")', timeout=LIMIT_MS)
    tabs = await person.page.locator(".tabs .tab").all_inner_texts()
    assert "Help" in tabs
    assert "Chat" not in tabs
    assert not await person.page.locator('.acts button:has-text("Save")').is_visible()
    assert "One box has three sides." in await person.page.inner_text(".headline.task")
    await click(person, "a3-b3")
    await person.page.wait_for_selector('.end.task:has-text("Not yet.")', timeout=LIMIT_MS)
    await person.page.click('.end >> text="Try again"')
    await person.page.wait_for_selector(".headline.task", timeout=LIMIT_MS)
    await click(person, "b1-b2")
    await person.page.wait_for_selector('.end.task:has-text("Done!")', timeout=LIMIT_MS)
    await person.page.click('.end >> text="Next task"')
    await person.page.wait_for_selector('.task:has-text("Task 2 of 4")', timeout=LIMIT_MS)
    await person.page.reload()
    await person.page.wait_for_selector('.task:has-text("Task 2 of 4")', timeout=LIMIT_MS)
    await person.page.evaluate("() => { location.hash = ''; }")
    await person.page.wait_for_selector(".game-list >> text=Learn 1/4", timeout=LIMIT_MS)


async def words_where_there_is_room(person: Person) -> None:
    """The icons in the bar and beside the field for what is said have words; on a phone they are told by name."""
    page = person.page
    size = page.viewport_size
    assert size is not None
    await page.click("#tab-chat")
    icons = {"To the lobby": "Lobby", "Mute others": "Mute"}
    for label, word in icons.items():
        assert (await page.locator(f'[aria-label="{label}"]').inner_text()).strip() == word
    await page.set_viewport_size({"width": 360, "height": 740})
    for label in icons:
        button = page.locator(f'[aria-label="{label}"]')
        assert (await button.inner_text()).strip() == ""
        assert await button.get_attribute("title") == label
    await page.set_viewport_size(size)


async def is_above(one: Locator, other: Locator) -> bool:
    """Whether it begins higher on the page."""
    first, second = await one.bounding_box(), await other.bounding_box()
    assert first
    assert second
    return first["y"] < second["y"]


async def test_where_the_other_is_and_ones_own_matches(stage: Stage) -> None:
    """A seat says whether its holder is here, in the lobby, has quit, lost the connection or reads by HTTP;
    one's own matches are on the front page with how they stand, and are surrendered, cancelled or removed there."""
    bert = await Client.open(stage.hub.url, "Bert")
    match = (await bert.create("square", clock=ClockRule(total_ms=300_000))).match
    person = await stage.person("Ana", fragment=f"#join={match}")
    await person.up()
    await person.page.click(".invitation button[type=submit]")
    await shows(person, 0)
    await bert.move(match, position(person).version, "a1-b1")
    await shows(person, 1)
    seat = person.page.locator(".match .player.above")

    async def reads(words: str) -> None:
        await seat.filter(has_text=re.compile(words)).wait_for(timeout=LIMIT_MS)

    await reads(r"Bert\s*here")
    await words_where_there_is_room(person)
    await bert.ask(Leave(ref=bert.ref(), match=match), Accepted)
    await reads(r"Bert\s*in the lobby")
    await bert.close()
    await reads(r"Bert\s*has quit, 0:\d\d")
    again = await Client.open(stage.hub.url, "Bert", token=bert.token)
    await again.ask(Watch(ref=again.ref(), match=match), Accepted)
    await reads(r"Bert\s*here")
    again.cut()
    await reads(r"Bert\s*connection lost, 0:\d\d")
    async with web(stage.hub) as link:
        asked = await link.get(f"/matches/{match}/updates", headers={"authorization": f"Bearer {bert.token}"})
        assert asked.status_code == 200
        await reads(r"Bert\s*reads by HTTP")

    page, rows = person.page, person.page.locator(".own-matches .row")
    await page.evaluate("() => { location.hash = '#host/checkers'; }")
    await page.click(".form button[type=submit]")
    await page.wait_for_selector(".waiting", timeout=LIMIT_MS)
    await page.evaluate("() => { location.hash = ''; }")
    waits = rows.filter(has_text="waiting for an opponent")
    await waits.filter(has_text="Checkers").wait_for(timeout=LIMIT_MS)
    plays = rows.filter(has_text="Bert")
    await plays.filter(has_text=re.compile(r"your turn 0[45]:\d\d")).wait_for(timeout=LIMIT_MS)
    await waits.locator("button", has_text="Cancel").click()
    await waits.wait_for(state="detached", timeout=LIMIT_MS)
    title = page.locator("#lobby-title")
    assert await is_above(plays, title), "what waits for oneself comes before what others play"
    await plays.locator("button", has_text="Surrender").click()
    assert await page.locator(".own-match").is_visible(), "asked before"
    await plays.locator("button", has_text="Yes, surrender").click()
    await plays.filter(has_text="you lost").wait_for(timeout=LIMIT_MS)
    assert await is_above(title, plays), "and what is over after it"
    await page.locator(".own-match").wait_for(state="detached", timeout=LIMIT_MS)
    await plays.locator("button", has_text="Look at it").click()
    await page.wait_for_selector(".match .end", timeout=LIMIT_MS)
    await page.evaluate("() => { location.hash = ''; }")
    await plays.locator("button", has_text="Remove").click()
    await plays.wait_for(state="detached", timeout=LIMIT_MS)
    assert [frame["type"] for frame in person.commands("cancel", "abandon", "forget")] == [
        "cancel",
        "abandon",
        "forget",
    ]


async def test_board_controls_status_and_scores_are_on_one_screen(stage: Stage) -> None:
    """DB 7.1.1.2: 8 x 8 dots and the lines between them, restart and help, whose turn it is, both scores; and the way
    out of the match, which is "Lobby" on a page."""
    host, _ = await seated(stage, "dots-and-boxes", {"width": 8, "height": 8})
    page = host.page
    assert await page.locator(".match .board .dot").count() == 64
    assert await page.locator(".match .board .line").count() == 112
    for word in ("Help", "Restart"):
        await page.locator(f'.match >> text="{word}"').first.wait_for(timeout=LIMIT_MS)
    await page.locator('.headline >> text="Your turn"').first.wait_for(timeout=LIMIT_MS)
    assert await page.locator('.scores >> text="boxes"').count() == 2
    await page.get_by_role("button", name="To the lobby").filter(has_text="Lobby").first.click()
    await page.locator("#lobby-title").wait_for(timeout=LIMIT_MS)
    assert await page.locator(".match .board").count() == 0
