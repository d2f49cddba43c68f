"""Coming and going: a hub that is killed, a network that is cut, a tab that is reloaded, opened twice, or asleep.

Each trial counts what it provoked: a trial that did not bring its situation about has failed.
"""

from __future__ import annotations

import asyncio
import signal
from random import Random

import pytest

from tests.browser.boards import centre, click, goes_on, position, seated, shows, whose_turn
from tests.browser.conftest import FULL, in_full
from tests.browser.people import LIMIT_MS, Person, Stage
from tests.browser.truth import CUT, at_rest, plays_one
from tests.driver import RedisProcess
from tests.faults.trial.proxy import DOWN, UP, Proxy

pytestmark = pytest.mark.asyncio(loop_scope="session")
SMALL = {"width": 4, "height": 4}
FACES = """() => {
    window.faces = [];
    const face = document.querySelector(".clock.runs");
    const note = () => window.faces.push(face.dataset.left);
    new MutationObserver(note).observe(face, { attributes: true, attributeFilter: ["data-left"] });
    note();
}"""


def through(proxy: Proxy) -> str:
    """The page's address by way of the proxy."""
    return f"http://127.0.0.1:{proxy.port}/"


async def on_phone_and_desk(stage: Stage, proxy: Proxy) -> tuple[Person, Person]:
    """Two in a match of dots, both by way of the proxy."""
    host, guest = await seated(stage, "dots-and-boxes", SMALL, address=through(proxy))
    for person in (host, guest):
        person.expected = CUT
    return host, guest


async def one_each(host: Person, guest: Person) -> None:
    """A move by whoever is to move, seen by both."""
    mover = whose_turn(host, guest)
    before = position(mover).plies
    await plays_one(mover)
    for person in (host, guest):
        await shows(person, before + 1)


def moves_of(*people: Person) -> list[str]:
    """The moves that were meant, each once however often it was sent."""
    return [frame["move"] for person in people for frame in person.unique("move")]


async def test_a_hub_that_is_killed_and_started_again(stage: Stage) -> None:
    """K1, CK R11.1: play goes on by itself at the same address; a move made meanwhile counts, once."""
    host, guest = await seated(stage, "dots-and-boxes", SMALL)
    for person in (host, guest):
        person.expected = CUT
    await one_each(host, guest)
    for _ in range(3 if FULL else 1):
        mover = whose_turn(host, guest)
        before = position(mover).plies
        stage.hub.kill()
        await mover.page.wait_for_selector('[data-link="down"]', state="attached", timeout=LIMIT_MS)
        # Nobody knows now whether the other one is there.
        await mover.page.locator(".player", has_text="was here").wait_for(timeout=LIMIT_MS)
        assert not await mover.page.locator(".presence.on").count()
        other = guest if mover is host else host
        await other.page.wait_for_selector('[data-link="down"]', state="attached", timeout=LIMIT_MS)
        await other.page.mouse.click(*await centre(other, sorted(position(other).legal)[-1]))
        assert not await other.page.locator(".ask.plan").count(), "P15: in a position that nobody has seen yet"
        await plays_one(mover)
        stage.hub.start()
        for person in (host, guest):
            await shows(person, before + 1)
            await person.page.locator(".presence.on").wait_for(timeout=LIMIT_MS)
    known = await at_rest(stage.hub, host, guest)
    assert len(moves_of(host, guest)) == known.plies


async def test_a_network_that_goes_dead_without_a_word(stage: Stage) -> None:
    """P17, P21: no frame and no end; the page finds out, says so, and is back at once when the browser is online."""
    async with Proxy(("127.0.0.1", stage.hub.port)) as proxy:
        host, guest = await on_phone_and_desk(stage, proxy)
        await one_each(host, guest)
        heard = len(host.received)
        proxy.blackhole()
        await host.page.wait_for_selector('[data-link="down"]', state="attached", timeout=60_000)
        await host.page.wait_for_selector(".link-line.down", timeout=LIMIT_MS)
        # An answer that was through the proxy already may be told a moment later.
        assert [frame["type"] for frame in host.received[heard:]] in ([], ["pong"]), "provoked: nothing came"
        assert not await host.page.locator(".ending").count(), "no result is claimed"
        proxy.cut()
        proxy.heal()
        for person in (host, guest):
            await person.page.evaluate("dispatchEvent(new Event('online'))")
        for person in (host, guest):
            await person.page.wait_for_selector('[data-link="up"]', state="attached", timeout=LIMIT_MS)
        await one_each(host, guest)
        await at_rest(stage.hub, host, guest)
        assert [host.open_sockets, guest.open_sockets] == [1, 1]


async def test_clocks_stand_while_the_store_is_silent(stage: Stage, redis: RedisProcess) -> None:
    """D5, CK R2.3: a real Redis that is stopped: both pages say so in the hub's words, the clocks stand, and what was
    counted down before that was told is not back."""
    host, guest = await seated(stage, "dots-and-boxes", SMALL, clock="10+0")
    for _ in range(2):
        await one_each(host, guest)
    await host.page.evaluate(FACES)
    redis.signal(signal.SIGSTOP)
    try:
        for person in (host, guest):
            line = person.page.locator(".link-line.down")
            await line.wait_for(timeout=LIMIT_MS)
            assert await line.inner_text() == "The server cannot store moves just now; clocks wait."
        told = await host.page.evaluate("window.faces.length")
        assert await host.page.locator(".clock.unsure").count() >= 2
    finally:
        redis.signal(signal.SIGCONT)
    await host.page.wait_for_selector(".link-line.down", state="detached", timeout=LIMIT_MS)
    over = await host.page.evaluate("window.faces.length")
    left_ms = [int(left) for left in await host.page.evaluate("window.faces")]
    assert len(set(left_ms[told:over])) <= 1, "it is counted down while the store is away"
    assert left_ms == sorted(left_ms, reverse=True), "the clock went back"
    await one_each(host, guest)


@in_full
async def test_cut_twice_in_a_match_to_its_end(stage: Stage) -> None:
    """One of two is cut from the network again and again, with moves on their way; the match comes to its end."""
    async with Proxy(("127.0.0.1", stage.hub.port)) as proxy:
        chance = Random("cut twice")
        host, guest = await seated(
            stage, "dots-and-boxes", {"width": 3, "height": 3}, guest={"address": through(proxy)}
        )
        guest.expected = CUT
        cuts = 0
        while await goes_on(host, guest):
            mover = whose_turn(host, guest)
            before = position(mover).plies
            await click(mover, chance.choice(position(mover).legal))
            if mover is guest and cuts < (6 if FULL else 2):
                proxy.cut()
                cuts += 1
            for person in (host, guest):
                await shows(person, before + 1)
        assert cuts >= 2, "provoked: the network was cut with a move on its way"
        known = await at_rest(stage.hub, host, guest)
        assert sorted(moves_of(host, guest)) == sorted(set(moves_of(host, guest)))
        assert known.plies == len(moves_of(host, guest))


async def test_reloaded_in_the_middle_of_a_move(stage: Stage) -> None:
    """P23: the move was stored and its answer not heard; after the reload it is there, once, and the seat is kept."""
    async with Proxy(("127.0.0.1", stage.hub.port)) as proxy:
        host, guest = await on_phone_and_desk(stage, proxy)
        for _ in range(4 if FULL else 2):
            mover = whose_turn(host, guest)
            before = position(mover).plies
            proxy.blackhole(DOWN)
            move = await plays_one(mover)
            await mover.page.wait_for_function("() => true")
            await asyncio.sleep(0.3)
            assert mover.commands("move")[-1]["move"] == move, "provoked: it was sent and not answered"
            proxy.heal()
            await mover.page.reload()
            for person in (host, guest):
                await shows(person, before + 1)
        known = await at_rest(stage.hub, host, guest)
        assert known.plies == len(moves_of(host, guest))
        welcomes = [frame["player"] for frame in mover.received if frame["type"] == "welcome"]
        assert len(set(welcomes)) == 1


@in_full
async def test_two_tabs_of_one_player(stage: Stage) -> None:
    """N4: both see everything, either may act, and closing one is not leaving."""
    host, guest = await seated(stage, "dots-and-boxes", SMALL)
    match = position(host).match
    second = await stage.tab(host.context, "Ana", fragment=f"#watch={match}")
    await second.page.wait_for_selector(".match", timeout=LIMIT_MS)
    await plays_one(second)
    for person in (host, guest, second):
        await shows(person, 1)
    await second.page.close()
    if whose_turn(host, guest) is guest:
        await plays_one(guest)
    else:
        await plays_one(host)
    for person in (host, guest):
        await shows(person, 2)
    known = await at_rest(stage.hub, host, guest)
    assert known.seats[0].here
    assert not [frame for frame in guest.received if frame["type"] == "away" and frame["away"]]


@in_full
async def test_asleep_the_clock_goes_on(stage: Stage) -> None:
    """P16: ten minutes asleep with a dead socket; awake, both clocks are the hub's, and nothing was sent for it."""
    async with Proxy(("127.0.0.1", stage.hub.port)) as proxy:
        host, guest = await seated(stage, "checkers", guest={"address": through(proxy)})
        guest.expected = CUT
        await one_each(host, guest)
        await guest.page.clock.install()
        commands = len(guest.commands())
        proxy.blackhole()
        await guest.page.clock.fast_forward("10:00")
        proxy.cut()
        proxy.heal()
        await guest.page.clock.fast_forward("00:05")
        await guest.page.wait_for_selector('[data-link="up"]', state="attached", timeout=LIMIT_MS)
        assert len(guest.commands()) == commands
        await at_rest(stage.hub, host, guest)


@in_full
async def test_hiding_a_tab_is_not_going_away(stage: Stage) -> None:
    """P65: hidden, and told to be offline without being so: never shown as away."""
    host, guest = await seated(stage, "dots-and-boxes", SMALL)
    begun = len(host.received)
    await guest.page.evaluate(
        """() => {
            Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
            Object.defineProperty(document, "hidden", { value: true, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
            dispatchEvent(new Event("offline"));
        }"""
    )
    await one_each(host, guest)
    await guest.page.evaluate(
        """() => {
            delete document.visibilityState;
            delete document.hidden;
            document.dispatchEvent(new Event("visibilitychange"));
            dispatchEvent(new Event("online"));
        }"""
    )
    await at_rest(stage.hub, host, guest)
    gone = [frame for frame in host.received[begun:] if frame["type"] == "presence" and not all(frame["here"])]
    assert not gone
    assert guest.open_sockets == 1
    assert len(guest.sockets) == 1


NO_UPGRADES = {
    "not found": (b"GET /no ", None),
    "forbidden": (b"GET /ws ", b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
    "a page": (b"GET /ws ", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi"),
    "silence": (b"", None),
}
"""What becomes of a request for a live connection on its way to the hub, and of its answer."""


@in_full
@pytest.mark.parametrize("how", NO_UPGRADES)
async def test_a_network_without_websockets(stage: Stage, how: str) -> None:
    """P24: everything but a live connection goes through: the page says what it is, tries on, gets on when it can."""
    refused = 0
    asks, answers = NO_UPGRADES[how]

    def no_upgrade(way: str, data: bytes) -> bytes:
        nonlocal refused
        if way == UP and data.startswith(b"GET /ws "):
            refused += 1
            return asks and data.replace(b"GET /ws ", asks, 1)
        if way == DOWN and answers and data.startswith(b"HTTP/1.1 101 "):
            return answers
        return data

    async with Proxy(("127.0.0.1", stage.hub.port)) as proxy:
        proxy.alter = no_upgrade
        person = await stage.person("Ana", address=through(proxy), expected=CUT)
        line = person.page.locator(".link-line.down")
        await line.wait_for(timeout=LIMIT_MS)
        await person.page.wait_for_function(
            "() => document.querySelector('.link-line.down')?.textContent.includes('live connections')",
            timeout=LIMIT_MS,
        )
        assert refused >= 1, "provoked: the upgrade was refused while the page came through"
        async with asyncio.timeout(LIMIT_MS / 1000):
            while refused < 3:  # noqa: ASYNC110 - the proxy counts
                await asyncio.sleep(0.1)
        assert await line.count() == 1, "said on while it tries on"
        proxy.alter = None
        # The page may have come back by itself before anybody can press the button.
        await person.page.evaluate("document.querySelector('.link-line.down button')?.click()")
        await person.up()
        assert not await line.count()
