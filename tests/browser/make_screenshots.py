"""Draws every screen of the page, at a real hub, into docs/pictures: part of `make screenshots`.

With a folder as argument all sizes go there (of some parts, if they are named), to be looked at one by one; else those
that the documentation shows go into docs/pictures.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.async_api import async_playwright

from tests.browser.conftest import OFFLINE_FLAGS, executable
from tests.browser.people import Person, Stage
from tests.browser.screens import PARTS, look, look_as_before
from tests.driver import ROOT, HubProcess, RedisProcess

FOLDER = ROOT / "docs" / "pictures"
SIZES = ((360, 740), (320, 568), (740, 360), (768, 1024), (1280, 800), (1920, 1080))
SHOWN: dict[str, tuple[tuple[int, int], bool]] = {
    "match-dots-and-boxes": ((1280, 800), False),
    "match-checkers": ((360, 740), True),
    "front": ((1280, 800), False),
    "end": ((1280, 800), True),
}
"""Screens, sizes and light of the pictures in the documentation."""


async def draw(folder: Path | None, parts: Sequence[str]) -> None:
    """All screens (or those of some parts) in all sizes and both lights into `folder`.

    Without a folder, what the documentation shows.
    """

    async def visit(name: str, person: Person) -> None:
        if folder is None:
            if name in SHOWN:
                (width, height), dark = SHOWN[name]
                await look(person, width, height, dark=dark)
                await person.page.screenshot(path=FOLDER / f"page-{name}.png")
                await look_as_before(person)
            return
        for width, height in SIZES:
            for dark in (False, True):
                await look(person, width, height, dark=dark)
                light = "dark" if dark else "light"
                await person.page.screenshot(path=folder / f"{name}-{width}x{height}-{light}.png")
        await look_as_before(person)

    with tempfile.TemporaryDirectory() as scratch:
        redis = RedisProcess(Path(scratch))
        redis.start()
        # A challenge stands for as long as its pictures take.
        hub = HubProcess(Path(scratch), "--redis", redis.url, "--limit", "challenge_s=3600")
        hub.start()
        try:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=executable(), args=list(OFFLINE_FLAGS))
                for name, part in PARTS.items():
                    if not parts or name in parts:
                        await part(Stage(browser, hub, Path(scratch)), visit)
                await browser.close()
        finally:
            hub.stop()
            redis.stop()


if __name__ == "__main__":
    asyncio.run(draw(Path(sys.argv[1]) if len(sys.argv) > 1 else None, sys.argv[2:]))
