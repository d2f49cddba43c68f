"""What a lost connection does to the match on screen: it is told beside the board, which stays where it is."""

from __future__ import annotations

import pytest

from tests.browser.boards import act, click, position, seated, shows
from tests.browser.people import LIMIT_MS, Person, Stage
from tests.browser.truth import CUT, plays_one

pytestmark = pytest.mark.asyncio(loop_scope="session")
SIZES = ((320, 568), (360, 740), (568, 320), (768, 1024), (1280, 800))
LIES = """() => {
    const { x, y, width, height } = document.querySelector(".board").getBoundingClientRect();
    return [x, y, width, height].map(Math.round);
}"""
SEEN = """() => {
    const box = document.querySelector(".link-line.down").getBoundingClientRect();
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height, 40) / 2);
    return Boolean(at?.closest(".link-line")) && document.documentElement.scrollWidth <= innerWidth;
}"""


MUTE = "() => { WebSocket.prototype.send = () => {}; }"
SOCKETS = """
window.sockets = [];
const Usual = window.WebSocket;
window.WebSocket = class extends Usual {
    constructor(...given) { super(...given); window.sockets.push(this); }
};
"""
DEAF = "() => { for (const socket of window.sockets) socket.onmessage = null; }"
KEPT = "() => Object.keys(sessionStorage).filter((key) => key.endsWith('underway')).length"


async def lies(person: Person) -> dict[tuple[int, int], list[int]]:
    """Where the board lies at each size of a window: left, top, width and height in pixels."""
    found = {}
    for width, height in SIZES:
        await person.page.set_viewport_size({"width": width, "height": height})
        await person.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        found[width, height] = await person.page.evaluate(LIES)
    return found


async def test_the_board_stays_where_it_is(stage: Stage) -> None:
    """P2, P21: neither as the connection goes nor as it comes back does anything move under a finger; it is told since
    when, what it costs to stay away, and that it is back, but not while it is gone again."""
    host, guest = await seated(stage, "dots-and-boxes")
    host.expected = guest.expected = CUT
    await plays_one(host)
    await shows(host, 1)
    before = await lies(host)
    again = host.page.locator('.match .link-line:has-text("Connected again")')
    for _ in range(2):
        stage.hub.kill()
        line = host.page.locator(".match .link-line.down")
        await line.wait_for(timeout=LIMIT_MS)
        assert await lies(host) == before
        for width, height in SIZES:
            await host.page.set_viewport_size({"width": width, "height": height})
            assert await host.page.evaluate(SEEN), (width, height)
        assert "Staying away for 30 s can lose the match" in await line.inner_text()
        assert not await again.count()
        stage.hub.start()
        await line.wait_for(state="detached", timeout=LIMIT_MS)
        await again.wait_for(timeout=LIMIT_MS)
        assert await lies(host) == before
    await again.wait_for(state="detached", timeout=LIMIT_MS)
    assert position(host).plies == 1
    await act(guest, "draw")
    await host.page.locator(".match .offer").wait_for(timeout=LIMIT_MS)
    assert await lies(host) == before, "nor does an offer move it"


@pytest.mark.parametrize("arrives", [False, True])
async def test_a_reload_tells_of_the_move_that_was_on_its_way(stage: Stage, arrives: bool) -> None:
    """P23: what was tapped and never came is said to be lost; what came is on the board, and nothing is said."""
    host, guest = await seated(stage, "dots-and-boxes", scripts=(SOCKETS,))
    await host.page.evaluate(DEAF if arrives else MUTE)
    await click(host, "a1-b1")
    if arrives:
        await shows(guest, 1)
    await host.page.locator('.headline:has-text("Sending your move")').wait_for(timeout=LIMIT_MS)
    assert await host.page.evaluate(KEPT) == 1, "provoked"
    await host.page.reload()
    await shows(host, int(arrives))
    told = host.page.locator('.news .hint.bad:has-text("Your move a1-b1 was not confirmed")')
    if not arrives:
        await told.wait_for(timeout=LIMIT_MS)
        assert not host.unique("move"), "and it is not made by itself"
    await click(host if not arrives else guest, "b2-c2")
    await shows(guest, 1 + arrives)
    assert not await told.count()
