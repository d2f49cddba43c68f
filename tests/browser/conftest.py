"""Chromium, driven by Playwright: one browser for a run, a context of its own for each person.

pytest-playwright is not used: after its first page no async test of the same process can run. Everything here lives in
the loop of the session, so each file says `pytestmark = pytest.mark.asyncio(loop_scope="session")`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.browser.people import Stage
from tests.driver import HubProcess, RedisProcess
from tests.stand import running_hub, running_redis

FULL = os.environ.get("PARLOUR_BROWSERS") == "full"
in_full = pytest.mark.skipif(not FULL, reason="make browsers runs it")
LIGHT = ("chromium-headless-shell",)
"""The same browser without windows of its own, for a third less of the machine's time."""
WHOLE = (
    "chromium",
    "google-chrome",
    "chromium-browser",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
OFFLINE_FLAGS = (
    # The browser itself asks for nothing: no updates, no lists, no words to translate.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-pings",
    "--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication,CertificateTransparencyComponentUpdater",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE hub.test",
)


def executable(*, whole: bool = False) -> str:
    """The Chromium of this machine; `whole` has all that people have, also what is kept for the way back (P22)."""
    candidates = WHOLE if whole else (*LIGHT, *WHOLE)
    found = next((path for name in candidates if (path := shutil.which(name))), None)
    assert found, "The page's tests need Chromium: run make test-tools."
    return found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One for all tests of a process; contexts are what keeps them apart."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable(), args=list(OFFLINE_FLAGS))
        yield browser
        await browser.close()


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    """A Redis for one file."""
    with running_redis(tmp_path_factory) as redis:
        yield redis


@pytest.fixture(scope="module")
def hub(redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A hub for one file. It believes proxies on this machine, which some trials have before it."""
    with running_hub(tmp_path_factory, redis, "--proxy", "127.0.0.1") as hub:
        yield hub


@pytest_asyncio.fixture(loop_scope="session")
async def stage(browser: Browser, hub: HubProcess, tmp_path: Path) -> AsyncIterator[Stage]:
    """Opens people's browsers at the hub. At its end nobody's console may have said anything (`page-cases` 3)."""
    stage = Stage(browser, hub, tmp_path)
    yield stage
    await stage.close()
