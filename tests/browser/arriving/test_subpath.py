"""Behind a proxy that ends TLS, below a path (P38)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.boards import position, seated, shows
from tests.browser.conftest import in_full
from tests.browser.people import LIMIT_MS, Stage
from tests.browser.subpath import PATH, SubpathProxy, certificate
from tests.browser.truth import CUT, at_rest, plays_one

pytestmark = pytest.mark.asyncio(loop_scope="session")
STRANGE = (*CUT, "certificate", "fetching the script")
"""What the browser says about a certificate that nobody has signed."""


@in_full
async def test_a_match_below_a_path(stage: Stage, tmp_path: Path) -> None:
    """P38: page, sockets, links and reloads stay below the path; nothing is asked for elsewhere."""
    async with SubpathProxy(stage.hub.port, certificate(tmp_path)) as proxy:
        host, guest = await seated(
            stage, "dots-and-boxes", {"width": 3, "height": 3}, address=proxy.address, ignore_https_errors=True,
            expected=STRANGE,
        )  # fmt: skip
        match = position(host).match
        await plays_one(host)
        for person in (host, guest):
            await shows(person, 1)
            await person.page.reload()
            await shows(person, 1)
        for screen in ("", "host", "saved", "settings", "help", f"watch={match}"):
            await host.page.evaluate("(screen) => { location.hash = screen; }", screen)
            await host.page.wait_for_selector("main", timeout=LIMIT_MS)
            await host.page.wait_for_timeout(300)
            await host.page.reload()
            await host.up()
        await at_rest(stage.hub, host, guest)
        assert proxy.upgrades >= 2, "provoked: sockets came by the proxy"
        assert proxy.astray == []
        for person in (host, guest):
            assert all(url.startswith((proxy.address, "data:", "blob:")) for url in person.requests)
            assert all(socket.url == f"wss://127.0.0.1:{proxy.port}{PATH}ws" for socket in person.sockets)


async def test_the_link_to_give_away_carries_the_path(stage: Stage, tmp_path: Path) -> None:
    """P38: what is shown to copy is https, with the path."""
    async with SubpathProxy(stage.hub.port, certificate(tmp_path)) as proxy:
        host = await stage.person(
            "Ana", fragment="#friend/square", address=proxy.address, ignore_https_errors=True, expected=STRANGE
        )
        await host.up()
        await host.page.click("form.form button[type=submit]")
        link = await host.page.wait_for_selector("input[name=link]", timeout=LIMIT_MS)
        assert link is not None
        assert (await link.input_value()).startswith(f"{proxy.address}#key=")
