"""The table of offers in docs/protocol.md, cell by cell, at a real hub."""

from __future__ import annotations

import pytest

from protocol.errors import Code
from protocol.messages import (
    Abandon,
    Accepted,
    Command,
    Ended,
    Move,
    Offer,
    OfferClosed,
    Offered,
    OfferKind,
    Pause,
    Snapshot,
    Watch,
)
from protocol.schema_offers import OFFERS, SITUATIONS, Cell
from tests.driver import Client, HubProcess

OPENING = ("a1-b1", "c1-d1", "e1-f1")
SAVED = ("h1-h2",)


class Table:
    """A match of two, Ana on seat 0 with an offer of hers open; `mover` has the turn."""

    def __init__(self, hub: HubProcess, ana: Client, bob: Client, kind: OfferKind) -> None:
        self.hub, self.ana, self.bob, self.kind = hub, ana, bob, kind
        self.match, self.version = "", 0

    async def begin(self, moves: int) -> None:
        snapshot = await self.ana.create()
        await self.bob.join(snapshot.match)
        self.match, self.version = snapshot.match, 2
        for ply in range(moves):
            client = (self.ana, self.bob)[ply % 2]
            self.version = (await client.move(self.match, self.version, OPENING[ply])).version
        if self.kind == "rematch":
            await self.ana.ask(Abandon(ref=self.ana.ref(), match=self.match), Accepted)
        await self.ana.ask(self.offer(self.ana, self.kind), Accepted)
        await self.bob.expect(Offered, lambda offered: offered.match == self.match)

    def offer(self, client: Client, kind: OfferKind) -> Offer:
        moves = SAVED if kind == "revert" else ()
        return Offer(ref=client.ref(), match=self.match, kind=kind, moves=moves, version=self.version)

    def move(self, client: Client) -> Move:
        return Move(ref=client.ref(), match=self.match, version=self.version, move="g8-h8")

    async def meet(self, client: Client, command: Command, cell: Cell) -> None:
        """Do what closes the offer, or is refused and leaves it open."""
        if cell.refused:
            assert await client.refusal(command) == cell.refused
            await self.is_open()
        else:
            await client.ask(command, Accepted)
            for viewer in (self.ana, self.bob):
                closed = await viewer.expect(OfferClosed, lambda closed: closed.match == self.match)
                assert (closed.seat, closed.kind, closed.fate) == (0, self.kind, cell.fate)

    async def look(self, client: Client) -> Snapshot:
        await client.send(Watch(ref=client.ref(), match=self.match))
        return await client.expect(Snapshot, lambda snapshot: snapshot.match == self.match and snapshot.version > 3)

    async def is_open(self) -> None:
        for client in (self.ana, self.bob):
            offer = (await self.look(client)).offer
            assert offer is not None
            assert (offer.seat, offer.kind) == (0, self.kind)

    async def come_back(self, *gone: str) -> None:
        for name in gone:
            client: Client = getattr(self, name)
            setattr(self, name, await Client.open(self.hub.url, client.name, token=client.token))


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("kind", OFFERS)
async def test_every_cell(hub: HubProcess, kind: OfferKind, situation: str) -> None:
    """RU-M3, RU-M4, RU-M6, RU-M7, issue 4."""
    cell = OFFERS[kind][situation]
    ana, bob = await Client.open(hub.url, "Ana"), await Client.open(hub.url, "Bob")
    table = Table(hub, ana, bob, kind)
    await table.begin(moves=3 if situation == "others_move" else 2)
    other: OfferKind = "restart" if kind != "restart" else "draw"
    match situation:
        case "own_move":
            await table.meet(ana, table.move(ana), cell)
        case "others_move":
            await table.meet(bob, table.move(bob), cell)
        case "decline":
            await table.meet(bob, bob.reply(table.match, False), cell)
            if kind == "rematch":
                await ana.ask(table.offer(ana, kind), Accepted)
            else:
                assert await ana.refusal(table.offer(ana, kind)) == Code.OFFERED_LATELY
        case "same_offer":
            await table.meet(bob, table.offer(bob, kind), cell)
        case "other_offer":
            for client in (ana, bob):
                await table.meet(client, table.offer(client, other), cell)
        case "own_pause":
            await table.meet(ana, Pause(ref=ana.ref(), match=table.match), cell)
        case "others_pause":
            await table.meet(bob, Pause(ref=bob.ref(), match=table.match), cell)
        case "cut":
            for name in ("ana", "bob"):
                getattr(table, name).cut()
                await table.come_back(name)
                await table.is_open()
        case "hub_killed":
            hub.kill()
            hub.start()
            await table.come_back("ana", "bob")
            await table.is_open()
        case "end" if kind != "rematch":
            await ana.ask(Abandon(ref=ana.ref(), match=table.match), Accepted)
            await bob.expect(Ended)
            assert (await table.look(bob)).offer is None
            answer = bob.reply(table.match, True)
            assert await bob.refusal(answer) == Code.FINISHED
    for client in (table.ana, table.bob):
        await client.close()
