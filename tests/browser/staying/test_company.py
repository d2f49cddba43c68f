"""Who may see and be told what: turns while nobody looks, spectators who are kept behind, addresses, rematches."""

from __future__ import annotations

import json

import pytest
from playwright.async_api import async_playwright

from tests.browser.boards import act, choose, position, seated, shows, whose_turn
from tests.browser.conftest import FULL, executable, in_full
from tests.browser.people import LIMIT_MS, Person, Stage
from tests.browser.truth import CUT, at_rest, plays_one
from tests.driver import wait_for

pytestmark = pytest.mark.asyncio(loop_scope="session")
SMALL = {"width": 3, "height": 3}


async def hide(person: Person, hidden: bool = True) -> None:
    """The tab goes behind another one, or comes back; nothing else hides a tab here."""
    await person.page.evaluate(
        """(hidden) => {
            const value = hidden ? "hidden" : "visible";
            Object.defineProperty(document, "visibilityState", { value, configurable: true });
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


async def called(person: Person, wanted: bool) -> None:
    """Until title and icon say that it is one's turn, or say it no more."""
    await person.page.wait_for_function(
        """(wanted) => (document.querySelector('link[rel="icon"]').href.includes("-turn")) === wanted
            && (/turn/i.test(document.title)) === wanted""",
        arg=wanted, timeout=LIMIT_MS,
    )  # fmt: skip


@in_full
async def test_your_turn_ends(stage: Stage) -> None:
    """P43: told while nobody looks, and taken back when it is not true any more, in every tab."""
    host, guest = await seated(stage, "dots-and-boxes", SMALL)
    second = await stage.tab(guest.context, "Ben", fragment=f"#watch={position(guest).match}")
    await second.page.wait_for_selector(".match", timeout=LIMIT_MS)
    for tab in (guest, second):
        await hide(tab)
        await called(tab, False)
    await plays_one(host)
    for tab in (guest, second):
        await called(tab, True)
    await hide(second, False)
    await called(second, False)
    await plays_one(second)
    await called(guest, False)


@in_full
async def test_found_an_opponent_and_nobody_looked(stage: Stage) -> None:
    """P45: title and icon say it until the tab is seen."""
    ana = await stage.person("Ana", fragment="#find/square")
    await ana.up()
    await ana.page.click("form.form button[type=submit]")
    await ana.page.wait_for_selector(".waiting", timeout=LIMIT_MS)
    before = await ana.page.title()
    await hide(ana)
    ben = await stage.person("Ben", fragment="#find/square")
    await ben.up()
    await ben.page.click("form.form button[type=submit]")
    for person in (ana, ben):
        await person.page.wait_for_selector(".match", state="attached", timeout=LIMIT_MS)
    await ana.page.wait_for_function(
        "(before) => document.title !== before && document.querySelector('link[rel=\"icon\"]').href.includes('-turn')",
        arg=before, timeout=LIMIT_MS,
    )  # fmt: skip
    await hide(ana, False)
    await called(ana, False)


async def test_the_address_is_no_key_to_the_seat(stage: Stage) -> None:
    """P35: every address that a seated player ever had, opened by a stranger: never the seat that is taken."""
    host, guest = await seated(stage, "dots-and-boxes", SMALL)
    await plays_one(host)
    addresses = {host.page.url, guest.page.url}
    for person in (host, guest):
        for screen in ("help", "settings", "saved", ""):
            await person.page.evaluate("(screen) => { location.hash = screen; }", screen)
            addresses.add(person.page.url)
    tokens = {frame["token"] for person in (host, guest) for frame in person.sent if frame["type"] == "hello"} | {
        frame["token"] for person in (host, guest) for frame in person.received if frame["type"] == "welcome"
    }
    for address in sorted(addresses)[:: 1 if FULL else 3]:
        assert not any(token and token in address for token in tokens)
        stranger = await stage.person("Eve", address=address)
        await stranger.up()
        await stranger.page.wait_for_timeout(300)
        seats = [frame["you"] for frame in stranger.received if frame["type"] == "snapshot"]
        assert not any(seats), address
        await stranger.context.close()
    assert len(addresses) >= 5, "provoked: several addresses were tried"


async def test_spectators_are_told_nothing_before_its_time(stage: Stage) -> None:
    """P67: two moves behind, also in title, lobby, address and a fresh browser; the end is told when it is reached."""
    host = await stage.person("Ana", fragment="#host/dots-and-boxes")
    await host.up()
    for name, value in {**SMALL, "@delay": "2 moves later"}.items():
        await choose(host, name, value)
    await host.page.click("form.form button[type=submit]")
    await host.page.wait_for_selector("input[name=link]", timeout=LIMIT_MS)
    link = await host.page.input_value("input[name=link]")
    guest = await stage.person("Ben", fragment=link[link.index("#") :])
    await guest.up()
    await guest.page.click(".invitation button[type=submit]")
    await guest.page.wait_for_selector(".match", timeout=LIMIT_MS)
    spectator = await stage.person("Cleo", fragment=f"#watch={position(host).match}")
    await spectator.page.wait_for_selector(".match", timeout=LIMIT_MS)
    moves: list[str] = []
    for ply in range(1, 5):
        mover = whose_turn(host, guest)
        moves.append(await plays_one(mover))
        for person in (host, guest):
            await shows(person, ply)
    await shows(spectator, 2)
    heard = json.dumps(spectator.received)
    assert moves[1] in heard
    known = [frame for frame in spectator.received if frame["type"] in ("moved", "snapshot")]
    assert not any(frame.get("move") in moves[2:] for frame in known), "nothing later than the delay allows"
    fresh = await stage.person("Dan", fragment=f"#watch={position(host).match}")
    await shows(fresh, 2)
    await act(host, "give_up")
    await host.page.locator(".asked .button.danger, .asked .button.primary").first.click()
    for person in (host, guest, spectator, fresh):
        await person.page.wait_for_selector('.match[data-status="ended"]', timeout=LIMIT_MS)


@in_full
async def test_a_rematch_wherever_the_other_is(stage: Stage) -> None:
    """P64: offered beside the end, accepted while stepping through the match; both come to the same new one."""
    host, guest = await seated(stage, "dots-and-boxes", SMALL)
    first = position(host).match
    for ply in (1, 2):
        await plays_one(whose_turn(host, guest))
        for person in (host, guest):
            await shows(person, ply)
    await act(host, "give_up")
    await host.page.locator(".asked .button.danger, .asked .button.primary").first.click()
    for person in (host, guest):
        await person.page.wait_for_selector('.match[data-status="ended"]', timeout=LIMIT_MS)
    await guest.page.keyboard.press(",")
    await host.page.get_by_role("button", name="Rematch").first.click()
    await guest.page.locator("[data-offer] button").first.wait_for(timeout=LIMIT_MS)
    await guest.page.locator("[data-offer] button").first.click()
    for person in (host, guest):
        await person.page.wait_for_function(
            "(first) => !location.hash.includes(first) && document.querySelector('.match')?.dataset.plies === '0'",
            arg=first, timeout=LIMIT_MS,
        )  # fmt: skip
    assert position(host).match == position(guest).match != first
    assert position(host).you != position(guest).you == (0,)
    await at_rest(stage.hub, host, guest)


@in_full
async def test_back_from_the_back_forward_cache(stage: Stage) -> None:
    """P22: the page comes back as it was, with a socket that is dead whatever it says; one takes its place."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=executable(whole=True), ignore_default_args=["--disable-back-forward-cache"]
        )
        cached = Stage(browser, stage.hub, stage.folder)
        script = "addEventListener('pageshow', (event) => { if (event.persisted) window.persisted = true; });"
        host, guest = await seated(cached, "dots-and-boxes", SMALL, scripts=[script], expected=CUT)
        await plays_one(host)
        for person in (host, guest):
            await shows(person, 1)
        mover = whose_turn(host, guest)
        await mover.page.goto(f"{stage.address}health")
        await mover.page.evaluate("history.back()")
        await mover.page.wait_for_function("() => window.persisted === true", timeout=LIMIT_MS)
        await mover.up()
        await mover.page.wait_for_selector('.match[data-plies="1"]', timeout=LIMIT_MS)
        await plays_one(mover)
        for person in (host, guest):
            await shows(person, 2)
        wait_for(lambda: "\nparlour_connections 2.0" in stage.hub.get("/metrics")[1])
        assert len(mover.unique("move")) == len({frame["move"] for frame in mover.unique("move")})
        await at_rest(stage.hub, host, guest)
        await cached.close()
        await browser.close()
