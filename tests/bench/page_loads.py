"""What the page costs to open: transfer, requests, and time until it can be used.

In Chromium with an empty cache, its processor slowed down four times, and a path of 40 ms there and back. Bytes are
those that came over HTTP, with heads; what the socket brings (the games' rules, the lobby) is no part of them.
"""

from __future__ import annotations

import re
import statistics
import time
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Browser, BrowserContext, CDPSession, Page

from tests.bench.page_moves import metrics
from tests.driver import Client, HubProcess
from tests.faults.trial.proxy import Proxy

SLOW_DOWN = 4
ONE_WAY_S = 0.02
TIMES = 5
BOARDS = re.compile(r"/joined/board\.js$|/styles/board\.css$|/boards\.json$|/api/matches/")
"""What the front page fetches once everything else on it can be used: what draws boards, the games' examples, and a
match that is being played."""
FONT = re.compile(r"\.woff2$")


@dataclass
class Load:
    """One load: when it could be used (s), how long its thread worked for that (s), and the bytes of each address."""

    seconds: float = 0.0
    later_s: float = 0.0
    worked_s: float = 0.0
    sizes: dict[str, int] = field(default_factory=dict)

    def kilobytes(self, *without: re.Pattern[str]) -> float:
        return sum(size for url, size in self.sizes.items() if not any(one.search(url) for one in without)) / 1000


async def _page(context: BrowserContext, load: Load) -> tuple[Page, CDPSession]:
    """A tab whose transfers are counted, and that is slowed down."""
    page = await context.new_page()
    network = await context.new_cdp_session(page)
    urls: dict[str, str] = {}

    def asked(event: dict[str, Any]) -> None:
        urls[event["requestId"]] = event["request"]["url"]

    def came(event: dict[str, Any]) -> None:
        load.sizes[urls.get(event["requestId"], event["requestId"])] = event["encodedDataLength"]

    network.on("Network.requestWillBeSent", asked)
    network.on("Network.loadingFinished", came)
    await network.send("Network.enable")
    await network.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_DOWN})
    await network.send("Performance.enable", {"timeDomain": "threadTicks"})
    return page, network


async def _worked_s(session: CDPSession) -> float:
    """How long the tab's thread has worked: on a busy machine this tells more than the clock on the wall."""
    return SLOW_DOWN * (await metrics(session))["TaskDuration"]


async def front(browser: Browser, address: str) -> Load:
    """The front page, until the lobby is there."""
    context, load = await browser.new_context(), Load()
    page, session = await _page(context, load)
    started = time.monotonic()
    await page.goto(address, wait_until="commit")
    await page.wait_for_selector("[data-link=up] main.front .people", state="attached", timeout=60_000)
    load.seconds = time.monotonic() - started
    load.worked_s = await _worked_s(session)
    await page.wait_for_selector(".game .board", state="attached", timeout=60_000)
    await page.wait_for_timeout(1_000)
    await context.close()
    return load


async def invited(browser: Browser, address: str, hub: HubProcess) -> Load:
    """From a click on a host's link, by the one on Join, to a board to play on."""
    host = await Client.open(hub.url, "Ana")
    match = await host.create("dots-and-boxes", options={"width": 15, "height": 15}, private=True)
    context, load = await browser.new_context(), Load()
    page, session = await _page(context, load)
    started = time.monotonic()
    await page.goto(f"{address}#key={match.key}", wait_until="commit")
    await page.wait_for_selector(".invitation button[type=submit]:enabled", timeout=60_000)
    load.seconds = time.monotonic() - started
    started = time.monotonic()
    await page.evaluate("document.querySelector('.invitation button[type=submit]').click()")
    await page.wait_for_selector(".match .board [data-id]", state="attached", timeout=60_000)
    load.later_s = time.monotonic() - started
    load.worked_s = await _worked_s(session)
    await page.wait_for_timeout(500)
    await context.close()
    await host.close()
    return load


async def watching(browser: Browser, address: str, match: str) -> Load:
    """From a click on a link to a match to its board."""
    context, load = await browser.new_context(), Load()
    page, session = await _page(context, load)
    started = time.monotonic()
    await page.goto(f"{address}#watch={match}", wait_until="commit")
    await page.wait_for_selector(".match .board [data-id]", state="attached", timeout=60_000)
    load.seconds = time.monotonic() - started
    load.worked_s = await _worked_s(session)
    await page.wait_for_timeout(500)
    await context.close()
    return load


async def loads(browser: Browser, hub: HubProcess) -> None:
    """Print all of them."""
    players = [await Client.open(hub.url, name) for name in ("Ana", "Ben")]
    hosted = await players[0].create("dots-and-boxes", options={"width": 15, "height": 15})
    match = (await players[1].join(hosted.match)).match
    async with Proxy(("127.0.0.1", hub.port)) as proxy:
        proxy.delay_s = lambda: ONE_WAY_S
        address = f"http://127.0.0.1:{proxy.port}/"
        fronts = [await front(browser, address) for _ in range(TIMES)]
        links = [await invited(browser, address, hub) for _ in range(TIMES)]
        watches = [await watching(browser, address, match) for _ in range(TIMES)]
    used = statistics.median(one.kilobytes(BOARDS) for one in fronts)
    plain = statistics.median(one.kilobytes(BOARDS, FONT) for one in fronts)
    whole = statistics.median(one.kilobytes() for one in fronts)
    print(
        f"front page until it can be used: {used:.1f} kB, {plain:.1f} without the font; with its boards {whole:.1f} kB"
    )
    for what, found in (("front page", fronts), ("link, invitation, match", links), ("link to watch", watches)):
        times = [one.seconds for one in found]
        later = [one.seconds + one.later_s for one in found]
        then = f", a board {_spread(later)}" if found is links else ""
        count = statistics.median(len(one.sizes) for one in found)
        worked = statistics.median(one.worked_s for one in found)
        print(f"{what:24} {count:3.0f} requests, can be used {_spread(times)}{then}; thread worked {worked:.2f} s")
    for player in players:
        await player.close()


def _spread(times: list[float]) -> str:
    return f"{statistics.median(times):.2f} s (from {min(times):.2f} to {max(times):.2f})"
