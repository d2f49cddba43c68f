"""What a move costs a tab: script time on the largest board of each game.

Times are those that the tab's thread worked (not of the clock on the wall), four times as long as here: so a busy
machine changes them less, though not nothing, for a move comes when the processor's caches have forgotten the last one.
A bare page follows the same match beside ours, which only reads each message, colours an element and writes a text: the
least that a move can cost there and then. All that the tab does until it rests is counted: also what it puts off, and
its own look at the connection each half second, which comes with two moves of three. Nothing is asked of the pages
meanwhile: what asks runs there, too.
"""

from __future__ import annotations

import asyncio
import json
import statistics
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

from playwright.async_api import Browser, CDPSession, Page

from protocol.limits import SUBPROTOCOL_JSON
from protocol.messages import Accepted, Snapshot, Watch
from tests.driver import Client, HubProcess

SLOW_DOWN = 4
LARGEST: dict[str, dict[str, Any]] = {
    "dots-and-boxes": {"width": 15, "height": 15},
    "hexoust": {"side": 9},
    "ultimate-dots-and-boxes": {},
    "square": {},
    "checkers": {},
}
TIMED = 60
"""Moves of each game whose time is taken, or as many as it has."""
SETTLED_S = 0.25
"""After this time a tab has drawn a move and rests, but for its countdowns."""


BARE = """async ([address, protocol, token, match]) => {
    document.body.innerHTML = "<svg></svg><p> </p>";
    const nodes = new Map();
    const text = document.querySelector("p").firstChild;
    const socket = new WebSocket(address, protocol);
    const send = (command) => socket.send(JSON.stringify(command));
    await new Promise((done) => { socket.onopen = done; });
    await new Promise((done) => {
        socket.onmessage = ({ data }) => {
            const message = JSON.parse(data);
            if (message.type === "moved") {
                for (const id in message.marks) nodes.get(id)?.setAttribute("stroke", "red");
                text.data = message.text;
            } else if (message.type === "welcome") send({ type: "watch", ref: "2", match });
            else if (message.type === "snapshot") {
                for (const [id, x1, y1, x2, y2] of [...message.board.lines, ...message.board.cells]) {
                    const node = document.createElementNS("http://www.w3.org/2000/svg", "line");
                    for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) node.setAttribute(name, value);
                    document.querySelector("svg").append(node);
                    nodes.set(id, node);
                }
                done();
            }
        };
        send({ type: "hello", ref: "1", name: "Ana", token });
    });
}"""
"""A page that does the least for a move."""


class Table:
    """A match of two players by socket. The first has a tab, too, that shows the match from their seat."""

    def __init__(self, players: list[Client], match: Snapshot) -> None:
        self.players = players
        self.match = match
        self.chance = Random(match.game)

    @classmethod
    async def open(cls, hub: HubProcess, game: str, options: dict[str, Any]) -> Table:
        """A new match, begun."""
        players = [await Client.open(hub.url, name) for name in ("Ana", "Ben")]
        hosted = await players[0].create(game, options=options)
        return cls(players, await players[1].join(hosted.match))

    async def move(self) -> bool:
        """One random move; whether the match goes on."""
        match, seat = self.match, self.match.to_move
        if seat is None or match.status != "playing":
            return False
        player = self.players[seat]
        await player.move(match.match, match.version, self.chance.choice(match.legal))
        # Who asks to watch is told all anew: what is legal now is known without rules here.
        player.forget_unread()
        await player.ask(Watch(ref=player.ref(), match=match.match), Accepted)
        self.match = await player.expect(Snapshot, lambda one: one.version > match.version)
        return self.match.status == "playing"

    async def close(self) -> None:
        for player in self.players:
            await player.close()


@asynccontextmanager
async def tab(browser: Browser, hub: HubProcess, token: str, fragment: str) -> AsyncIterator[tuple[Page, CDPSession]]:
    """A tab of the guest with this token, measured by the time of its thread."""
    context = await browser.new_context()
    identity = json.dumps(json.dumps({"name": "Ana", "token": token}))
    await context.add_init_script(f"localStorage.setItem('parlour:/:identity', {identity});")
    page = await context.new_page()
    session = await context.new_cdp_session(page)
    await session.send("Performance.enable", {"timeDomain": "threadTicks"})
    await page.goto(f"http://127.0.0.1:{hub.port}/{fragment}")
    yield page, session
    await context.close()


async def metrics(session: CDPSession) -> dict[str, float]:
    told = await session.send("Performance.getMetrics")
    return {metric["name"]: metric["value"] for metric in told["metrics"]}


@asynccontextmanager
async def bare_tab(browser: Browser, hub: HubProcess, token: str, match: str) -> AsyncIterator[CDPSession]:
    """A bare page that follows the match, measured alike."""
    context = await browser.new_context()
    page = await context.new_page()
    session = await context.new_cdp_session(page)
    await session.send("Performance.enable", {"timeDomain": "threadTicks"})
    # An address of the hub's with no page of ours and no policy of its own.
    await page.goto(f"http://127.0.0.1:{hub.port}/health")
    await page.evaluate(BARE, [hub.url, SUBPROTOCOL_JSON, token, match])
    yield session
    await context.close()


def _worked(before: dict[str, float], after: dict[str, float], what: str) -> float:
    """Ms in which the thread did this between two looks, slowed down."""
    return SLOW_DOWN * 1000 * (after[what] - before[what])


async def moves(browser: Browser, hub: HubProcess) -> None:
    """Print script time a move for each game, beside that of a bare page."""
    for game, options in LARGEST.items():
        table = await Table.open(hub, game, options)
        token, match = table.players[0].token or "", table.match.match
        async with (
            tab(browser, hub, token, f"#watch={match}") as (page, session),
            bare_tab(browser, hub, token, match) as bare,
        ):
            await there(page, ".match .board [data-id]")
            await asyncio.sleep(1)
            script, least, whole = [], [], []
            for _ in range(TIMED):
                before, bare_before = await metrics(session), await metrics(bare)
                goes_on = await table.move()
                await asyncio.sleep(SETTLED_S)
                after, bare_after = await metrics(session), await metrics(bare)
                script.append(_worked(before, after, "ScriptDuration"))
                whole.append(_worked(before, after, "TaskDuration"))
                least.append(_worked(bare_before, bare_after, "ScriptDuration"))
                if not goes_on:
                    break
            await there(page, f'.match[data-plies="{table.match.plies}"]')
        await table.close()
        usual, floor = statistics.median(script), statistics.median(least)
        print(
            f"{game:24} {len(script):3} moves: script {usual:.2f} ms a move (from {min(script):.2f} to"
            f" {max(script):.2f}), {usual / floor:.1f} times a bare page's {floor:.2f}; with style, layout and drawing"
            f" {statistics.median(whole):.1f} ms"
        )


async def there(page: Page, selector: str) -> None:
    """Until there is such an element. A handle of it, which other waits return, would keep its match in memory."""
    await page.locator(selector).first.wait_for(state="attached", timeout=60_000)
