"""How little is made for a move (`page-cases` P74)."""

from __future__ import annotations

import pytest

from tests.bench.page_moves import LARGEST, Table
from tests.browser.boards import shows
from tests.browser.conftest import in_full
from tests.browser.people import LIMIT_MS, Stage
from tests.driver import Client

pytestmark = pytest.mark.asyncio(loop_scope="session")
MOST_MADE = 15
"""Nodes of the board that one move may make."""
SLOW_DOWN = 6
MOVES = 60
COUNTING = """() => {
    window.made = [];
    const known = new WeakSet(document.querySelectorAll(".board-cell *"));
    new MutationObserver((changes) => {
        let nodes = 0;
        // A piece that goes to another cell takes its node with it: that one is put anew, and not made.
        const count = (one) => {
            nodes += !known.has(one);
            known.add(one);
            for (const child of one.children) count(child);
        };
        for (const change of changes) for (const one of change.addedNodes) if (one.nodeType === 1) count(one);
        window.made.push(nodes);
    }).observe(document.querySelector(".board-cell"), { childList: true, subtree: true });
}"""


@in_full
@pytest.mark.parametrize("game", LARGEST)
async def test_p74_little_is_made_for_a_move(stage: Stage, game: str) -> None:
    """P74: a move makes at most 15 nodes on the largest board, for who watches and for who plays."""
    players = [await Client.open(stage.hub.url, name) for name in ("Ana", "Ben")]
    hosted_match = await players[0].create(game, options=LARGEST[game])
    match = await players[1].join(hosted_match.match)
    seer = await stage.person("Cleo", fragment=f"#watch={match.match}")
    await seer.page.locator(".match .board [data-id]").first.wait_for(state="attached", timeout=LIMIT_MS)
    session = await seer.context.new_cdp_session(seer.page)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_DOWN})
    await seer.page.evaluate(COUNTING)
    table = Table(players, match)
    plies, goes = 0, True
    while plies < MOVES and goes:
        goes = await table.move()
        plies = table.match.plies
        # One by one: what two moves make together is no figure of either.
        await shows(seer, plies)
    made = sorted(await seer.page.evaluate("() => window.made"))
    print(f"{game}: {plies} moves, {len(made)} changes, {made[len(made) // 2]} nodes made (median), {made[-1]} at most")
    assert len(made) >= plies // 3, "provoked"
    assert made[-1] <= MOST_MADE, made[-5:]
    await table.close()
