"""What the page costs: `python -m tests.bench page`.

In Chromium with an empty cache, its processor slowed down four times, and a path of 40 ms there and back: how much is
transferred and in how many requests until the front page and a match stand, and how long that takes. Then the memory
of a tab after 200 moves of a match that it watches.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, CDPSession, async_playwright

from protocol.messages import Snapshot
from tests.browser.conftest import executable
from tests.driver import Client, HubProcess, RedisProcess
from tests.faults.proxy import Proxy

SLOW_DOWN = 4
ONE_WAY_S = 0.02
TIMES = 5
MOVES = 200


def main() -> None:
    """Print the tables."""
    with tempfile.TemporaryDirectory() as folder:
        redis = RedisProcess(Path(folder))
        redis.start()
        hub = HubProcess(Path(folder), "--redis", redis.url)
        hub.start()
        try:
            asyncio.run(_measure(hub))
        finally:
            hub.stop()
            redis.stop()


async def _measure(hub: HubProcess) -> None:
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; {TIMES} loads each")
    players = [await Client.open(hub.url, name) for name in ("Ana", "Ben")]
    match = await players[0].create("dots-and-boxes", options={"width": 15, "height": 15})
    match = await players[1].join(match.match)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable())
        for what, fragment, until in (
            ("front page", "", "[data-link=up] main.front"),
            ("match of 15 x 15 dots", f"#watch={match.match}", ".match .board [data-id]"),
        ):
            await _loads(browser, hub, what, fragment, until)
        await _memory(browser, hub, players, match)
        await browser.close()
    for player in players:
        await player.close()


async def _loads(browser: Browser, hub: HubProcess, what: str, fragment: str, until: str) -> None:
    times, sizes, counts = [], [], []
    async with Proxy(("127.0.0.1", hub.port)) as proxy:
        proxy.delay_s = lambda: ONE_WAY_S
        for _ in range(TIMES):
            context = await browser.new_context()
            page = await context.new_page()
            network = await context.new_cdp_session(page)
            got: list[dict[str, Any]] = []
            network.on("Network.loadingFinished", lambda one, into=got: into.append(one))
            await network.send("Network.enable")
            await network.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_DOWN})
            started = time.monotonic()
            await page.goto(f"http://127.0.0.1:{proxy.port}/{fragment}", wait_until="commit")
            await page.wait_for_selector(until, state="attached", timeout=60_000)
            times.append(time.monotonic() - started)
            await page.wait_for_timeout(1_000)
            sizes.append(sum(one["encodedDataLength"] for one in got) / 1000)
            counts.append(len(got))
            await context.close()
    print(
        f"{what:24} {statistics.median(counts):5.0f} requests {statistics.median(sizes):7.1f} kB"
        f"   {statistics.median(times):5.2f} s (from {min(times):.2f} to {max(times):.2f})"
    )


async def _heap(session: CDPSession) -> float:
    await session.send("HeapProfiler.collectGarbage")
    metrics = (await session.send("Performance.getMetrics"))["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "JSHeapUsedSize")) / 1e6


async def _memory(browser: Browser, hub: HubProcess, players: list[Client], match: Snapshot) -> None:
    page = await browser.new_page()
    session = await page.context.new_cdp_session(page)
    await session.send("Performance.enable")
    await page.goto(f"http://127.0.0.1:{hub.port}/#watch={match.match}")
    await page.wait_for_selector(".match .board", timeout=60_000)
    heaps = [await _heap(session)]
    legal, version, mover = list(match.legal), match.version, match.to_move or 0
    for number in range(MOVES):
        answer = await players[mover].move(match.match, version, legal.pop(0))
        version = answer.version
        mover = (await players[0].moved(version)).to_move or 0
        if number + 1 in (MOVES // 4, MOVES):
            await page.wait_for_selector(f'.match[data-plies="{number + 1}"]', state="attached", timeout=60_000)
            heaps.append(await _heap(session))
    first, some, all_ = heaps
    print(f"heap of a tab: {first:.1f} MB at first, {some:.1f} after {MOVES // 4} moves, {all_:.1f} after {MOVES}")
