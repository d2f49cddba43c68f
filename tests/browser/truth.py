"""What the hub knows, to compare with what a page shows."""

from __future__ import annotations

from typing import Any

from protocol.messages import Accepted, Snapshot, Watch
from tests.browser.boards import position
from tests.browser.people import LIMIT_MS, Person
from tests.driver import Client, HubProcess

CUT = ("WebSocket connection", "Failed to load resource", "net::ERR")
"""What a browser says by itself about a connection that is cut or refused."""


async def truth(hub: HubProcess, person: Person) -> Snapshot:
    """The match on the person's screen, as the hub shows it to that person on a connection of its own."""
    said = [frame["token"] for frame in (*person.received, *person.sent) if frame["type"] in ("welcome", "hello")]
    token = next(token for token in said if token)
    client = await Client.connect(hub.url, person.name)
    try:
        await client.hello(token)
        await client.send(Watch(ref=client.ref(), match=position(person).match))
        found = await client.expect(Snapshot)
        await client.expect(Accepted)
        return found
    finally:
        client.cut()


async def at_rest(hub: HubProcess, *people: Person) -> Snapshot:
    """Until every page shows what the hub knows: its version, its moves, its board, its open offers."""
    for person in people:
        known = await truth(hub, person)
        await person.page.locator(
            f'.match[data-version="{known.version}"][data-plies="{known.plies}"][data-status="{known.status}"]'
        ).wait_for(state="attached", timeout=LIMIT_MS)
        assert await person.page.evaluate(_FREE) == len(_elements(known)) - len(known.marks.keys() & _elements(known))
        assert await veiled(person) == closed(known)
        if known.you:
            assert bool(known.offer) == bool(await person.page.locator("[data-offer]").count())
    return known


def closed(match: Snapshot) -> list[str]:
    """The regions of the board in which nobody may play just now (`RU-UD4`)."""
    if match.status != "playing" or not match.focus:
        return []
    return [region.id for region in match.board.regions if region.id not in match.focus]


async def veiled(person: Person) -> list[str]:
    """The regions that a page shows as closed."""
    known = position(person)
    veils = await person.page.evaluate(_VEILS)
    return [region.id for region, is_veiled in zip(known.board.regions, veils, strict=True) if is_veiled]


_VEILS = """() => [...document.querySelectorAll(".match .board .veil")].map((one) => one.matches(".on"))"""
_FREE = """() => [...document.querySelectorAll(".match .board [data-id]")]
    .filter((one) => /, (free|empty)$/.test(one.getAttribute("aria-label"))).length"""


def _elements(match: Snapshot) -> set[str]:
    """What can be gone to on the board."""
    found: Any = match.board.lines or match.board.cells
    return {element.id for element in found}


async def plays_one(person: Person, move: str | None = None) -> str:
    """A click on a line (or a cell) that may be played; which one."""
    from tests.browser.boards import click

    chosen = move or min(position(person).legal)
    await click(person, chosen)
    return chosen
