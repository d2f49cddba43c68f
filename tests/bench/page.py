"""What the page costs: `python -m tests.bench page`, or a part: `page-loads`, `-moves`, `-memory`, `-lighthouse`."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from tests.bench import page_lighthouse, page_loads, page_memory, page_moves
from tests.browser.conftest import executable
from tests.driver import HubProcess, RedisProcess

Part = Callable[[Browser, HubProcess], Awaitable[None]]
PARTS: dict[str, Part] = {
    "loads": page_loads.loads, "moves": page_moves.moves, "memory": page_memory.memory,
    "lighthouse": page_lighthouse.lighthouse,
}  # fmt: skip


def main(*parts: Part) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        redis = RedisProcess(Path(folder))
        redis.start()
        hub = HubProcess(Path(folder), "--redis", redis.url)
        hub.start()
        try:
            asyncio.run(_measure(hub, parts or tuple(PARTS.values())))
        finally:
            hub.stop()
            redis.stop()


async def _measure(hub: HubProcess, parts: tuple[Part, ...]) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable())
        for part in parts:
            print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
            await part(browser, hub)
        await browser.close()
