"""What matches cost a tab: script time a move on the largest board of each game, and what is left in memory.

Times are those that the tab's thread worked (not of the clock on the wall), four times as long as here: so a busy
machine changes them less, though not nothing. Nothing is asked of the page meanwhile: what asks runs there, too.
"""

from __future__ import annotations

import asyncio
import json
import statistics
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import msgspec
from playwright.async_api import Browser, CDPSession, Page

from protocol.messages import Abandon, Accepted, Snapshot, Watch
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
MOVES = 200
MATCHES = 50
FIRST_MATCHES = 15
"""After so many matches a tab has loaded and compiled all that it will, and growth is counted from there."""
SETTLED_S = 0.25
"""After this time a tab has drawn a move and rests, but for its countdowns."""


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


async def moves(browser: Browser, hub: HubProcess) -> None:
    """Print script time a move for each game."""
    for game, options in LARGEST.items():
        table = await Table.open(hub, game, options)
        async with tab(browser, hub, table.players[0].token or "", f"#watch={table.match.match}") as (page, session):
            await _there(page, ".match .board [data-id]")
            await asyncio.sleep(1)
            script, whole = [], []
            for _ in range(TIMED):
                before = await metrics(session)
                goes_on = await table.move()
                await asyncio.sleep(SETTLED_S)
                after = await metrics(session)
                script.append(SLOW_DOWN * 1000 * (after["ScriptDuration"] - before["ScriptDuration"]))
                whole.append(SLOW_DOWN * 1000 * (after["TaskDuration"] - before["TaskDuration"]))
                if not goes_on:
                    break
            await _there(page, f'.match[data-plies="{table.match.plies}"]')
        await table.close()
        print(
            f"{game:24} {len(script):3} moves: script {statistics.median(script):.2f} ms a move (from {min(script):.2f}"
            f" to {max(script):.2f}), with style, layout and drawing {statistics.median(whole):.1f} ms"
        )


async def _there(page: Page, selector: str) -> None:
    """Until there is such an element. A handle of it, which other waits return, would keep its match in memory."""
    await page.locator(selector).first.wait_for(state="attached", timeout=60_000)


async def _heap(page: Page, session: CDPSession) -> float:
    """MB that are used once all that is garbage is gone: what animations hold goes a while after they end."""
    await asyncio.sleep(1)
    for _ in range(2):
        await session.send("HeapProfiler.collectGarbage")
    return (await metrics(session))["JSHeapUsedSize"] / 1e6


def _grown(what: str, first: float, last: float) -> str:
    return f"heap of a tab {what}: {first:.2f} MB, then {last:.2f} ({100 * (last / first - 1):+.1f} %)"


async def memory(browser: Browser, hub: HubProcess) -> None:
    """Print what a tab holds after many moves, and after many matches."""
    table = await Table.open(hub, "dots-and-boxes", LARGEST["dots-and-boxes"])
    async with tab(browser, hub, table.players[0].token or "", f"#watch={table.match.match}") as (page, session):
        await _there(page, ".match .board [data-id]")
        heaps = {}
        for number in range(MOVES + 1):
            if number in (MOVES // 10, MOVES):
                await _there(page, f'.match[data-plies="{number}"]')
                heaps[number] = await _heap(page, session)
            await table.move()
        print(_grown(f"after {MOVES // 10} and {MOVES} moves", heaps[MOVES // 10], heaps[MOVES]))
    await table.close()
    host = await Client.open(hub.url, "Ana")
    async with tab(browser, hub, host.token or "", "") as (page, session):
        for number in range(1, MATCHES + 1):
            match = await host.create("dots-and-boxes", both_seats=True)
            await page.evaluate("(hash) => { location.hash = hash; }", f"watch={match.match}")
            for _ in range(2):
                await host.move(match.match, match.version, match.legal[0])
                match = msgspec.structs.replace(match, version=match.version + 1, legal=match.legal[1:])
            await _there(page, '.match[data-plies="2"] .board')
            await host.ask(Abandon(ref=host.ref(), match=match.match, version=match.version), Accepted)
            await _there(page, '.match[data-status="ended"]')
            if number in (FIRST_MATCHES, MATCHES):
                heaps[number] = await _heap(page, session)
    print(_grown(f"after {FIRST_MATCHES} and {MATCHES} matches", heaps[FIRST_MATCHES], heaps[MATCHES]))
    await host.close()
