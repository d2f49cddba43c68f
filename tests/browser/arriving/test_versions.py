"""A newer page at the hub, a hub that is away, and the worker that keeps the page (P39 to P41)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.boards import act, seated, shows
from tests.browser.conftest import in_full
from tests.browser.people import LIMIT_MS, Stage
from tests.browser.truth import CUT, plays_one
from tests.driver import ROOT, Client, HubProcess, RedisProcess

pytestmark = pytest.mark.asyncio(loop_scope="session")
LATER = "/joined/later.js"
"""The file with all screens but the first."""


class Release:
    """A checkout of its own, whose page can be made another version of."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for package in ("client", "protocol", "server"):
            shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))

    @property
    def page(self) -> Path:
        return self.folder / "client" / "web"

    def next(self, number: int) -> None:
        """Another version: not one file has the address that it had."""
        page = self.page / "index.html"
        page.write_text(page.read_text().replace("<title>", f'<meta name="release" content="{number}" /><title>'))


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return Release(tmp_path / "release")


@pytest.fixture
def hub(redis: RedisProcess, release: Release, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A hub that runs from the release."""
    folder = tmp_path_factory.mktemp("hub")
    process = HubProcess(folder, "--redis", redis.url, within=("env", "-C", str(release.folder)))
    process.start()
    yield process
    if not process.ended:
        process.stop()


def restart(hub: HubProcess) -> None:
    """With what the release has by now."""
    hub.stop()
    hub.start()


async def version(stage: Stage) -> str:
    """Of the page that the hub serves."""
    _, html = stage.hub.get("/")
    return html.split('src="v/')[1].split("/")[0]


@in_full
async def test_a_new_version_under_an_open_tab(stage: Stage, release: Release) -> None:
    """P39: a late part that the hub has no more: one load of the screen that was aimed at, and everything is new."""
    person = await stage.person("Ana")
    await person.up()
    person.expected = (*CUT, "dynamically imported module")
    before = await version(stage)
    assert not [url for url in person.requests if url.endswith(LATER)], "provoked: never fetched before"
    release.next(2)
    restart(stage.hub)
    await person.up()
    assert await version(stage) != before, "provoked: another version"
    await person.page.evaluate("location.hash = 'computer'")
    await person.page.wait_for_selector("form.form", timeout=LIMIT_MS)
    loads = [url for url in person.requests if url == stage.address]
    assert len(loads) == 2
    after = await version(stage)
    assert [url for url in person.requests if url.endswith(f"/v/{after}{LATER}")]


@in_full
async def test_a_match_is_not_reloaded_for_it(stage: Stage, release: Release) -> None:
    """P39, P40: in a match the page stays as it is and lacks nothing: all of it was there before the match was."""
    host, guest = await seated(stage, "dots-and-boxes", {"width": 3, "height": 3})
    for person in (host, guest):
        person.expected = CUT
    loads = len([url for url in host.requests if url == stage.address])
    release.next(2)
    restart(stage.hub)
    await plays_one(host)
    for person in (host, guest):
        await shows(person, 1)
    await act(host, "save")
    await host.page.wait_for_selector("dialog [name=save]", timeout=LIMIT_MS)
    assert len([url for url in host.requests if url == stage.address]) == loads
    await shows(host, 1)


@in_full
async def test_a_new_version_on_the_way_to_a_match(stage: Stage, release: Release) -> None:
    """P39, P40: a match that is played, but not on screen yet: nothing speaks against the one load that brings it."""
    players = [await Client.open(stage.hub.url, name) for name in ("Ana", "Ben")]
    match = await players[0].create("dots-and-boxes")
    await players[1].join(match.match)
    for player in players:
        await player.close()
    seer = await stage.person("Ida")
    await seer.up()
    seer.expected = (*CUT, "dynamically imported module")
    assert not [url for url in seer.requests if url.endswith(LATER)], "provoked: never fetched before"
    release.next(2)
    restart(stage.hub)
    await seer.up()
    await seer.page.evaluate("(hash) => { location.hash = hash; }", f"watch={match.match}")
    await shows(seer, 0)
    assert len([url for url in seer.requests if url == stage.address]) == 2


async def test_the_worker_lets_go(stage: Stage, release: Release) -> None:
    """P41: kept by a worker, the page opens without its hub and says so; a newer version comes whole."""
    person = await stage.person("Ana", service_workers="allow")
    await person.up()
    await person.page.wait_for_function(
        "async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated'",
        timeout=LIMIT_MS,
    )
    person.expected = CUT
    before = await version(stage)
    await person.page.reload()
    await person.up()
    stage.hub.kill()
    await person.page.reload()
    await person.page.wait_for_selector(".link-line", timeout=LIMIT_MS)
    assert await person.page.locator("main.front h1").count() == 1, "provoked: opened without its hub"
    release.next(2)
    stage.hub.start()
    after = await version(stage)
    await person.page.reload()
    await person.up()
    # What this document has asked for: the one before may still be fetching a part of its own.
    fetched = await person.page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    files = [url for url in fetched if "/v/" in url]
    assert files
    assert [url for url in files if f"/v/{after}/" not in url] == [], "no mixture"
    (release.page / "worker.js").unlink()
    release.next(3)
    restart(stage.hub)
    await person.page.reload()
    await person.up()
    await person.page.wait_for_function(
        "async () => (await navigator.serviceWorker.getRegistration()) === undefined", timeout=LIMIT_MS
    )
    assert before != after
