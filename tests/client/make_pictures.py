"""Draws docs/pictures/: the terminal client's screens against a real hub, as SVG that any browser shows.

    python -m tests.client.make_pictures [FOLDER]

The hub runs for this alone, on a port and with data of its own; the same moves are played each time.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

from textual.pilot import Pilot

from client.conversation.address import Address
from client.conversation.position import advance
from client.conversation.session import Session
from client.conversation.transport import Transport
from client.kept.identity import take_identity
from client.shown.actions.controls import Place
from client.shown.words.lobby import Way
from client.start.hub_process import LocalServer
from client.start.launch import Launch
from client.terminal.app import Parlour
from client.terminal.screens.base import ParlourScreen
from protocol.messages import ClockRule, Command, Create, Join, MatchEvent, Move, Presence, Snapshot

DEFAULT_FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
SIZE = (80, 24)
GAME = "dots-and-boxes"
MOVES = 78
CHECKERS_MOVES = 22
SHOWN_TIMES = {"▸": "04:38", "": "04:51"}
"""Fixed figures instead of what the clocks showed just then: the running one's and the other's."""
BOUND_S = 20.0


class Visitor:
    """Another player, without a screen."""

    def __init__(self, address: Address, name: str) -> None:
        self.session = Session(name, client="pictures")
        self.position: Snapshot | None = None
        self._transport = Transport(address, self.session, self._notify)
        self._running = asyncio.create_task(self._transport.run())

    def _notify(self) -> None:
        for event in self.session.events():
            if isinstance(event, Snapshot):
                self.position = event
            elif isinstance(event, MatchEvent | Presence) and self.position is not None:
                self.position = advance(self.position, event)

    def is_past(self, version: int) -> bool:
        return self.position is not None and self.position.version > version

    def send(self, command: Command) -> None:
        self.session.send(command)
        self._transport.flush()

    async def leave(self) -> None:
        self._transport.stop()
        await self._running


async def until(pilot: Pilot[None], condition: Callable[[], object]) -> None:
    """Let everybody work until the condition holds."""
    async with asyncio.timeout(BOUND_S):
        while not condition():
            await pilot.pause(0.02)


def is_at(app: Parlour, place: Place) -> bool:
    return isinstance(app.screen, ParlourScreen) and app.screen.is_ready and app.screen.PLACE is place


def save(app: Parlour, file: Path) -> None:
    """The screen as SVG, with ids that do not change from run to run, so that only real changes show in a diff."""
    picture = app.export_screenshot(title="parlour")
    picture = re.sub(r"terminal-\d+", "terminal", picture)
    # Nothing is fetched from elsewhere to look at it; any font of one width will do.
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)
    picture = picture.replace("font-family: Fira Code", "font-family: DejaVu Sans Mono, Menlo, Consolas")
    # A fixed figure instead of the round trip of the moment.
    picture = re.sub(r"●&#160;\d+&#160;ms", "●&#160;2&#160;ms", picture)
    picture = re.sub(r"(▸?)0\d:\d\d", lambda found: found[1] + SHOWN_TIMES[found[1]], picture)
    file.write_text(picture + "\n")
    print(file)


async def draw(address: Address, folder: Path, identities: Path) -> None:
    with take_identity(folder=identities) as identity:
        app = Parlour(Launch(prepare=lambda: address, identity=identity, name="Ada", connects_at_once=True))
        async with app.run_test(size=SIZE) as pilot:
            await until(pilot, lambda: is_at(app, Place.LOBBY))
            ben, chloe, dora, emil = (Visitor(address, name) for name in ("Ben", "Chloé", "Dora", "Emil"))
            visitors = (ben, chloe, dora, emil)
            await until(pilot, lambda: all(visitor.session.is_online for visitor in visitors))
            for visitor, dots in ((dora, 5), (chloe, 3), (ben, 8)):
                options: dict[str, int | str | bool] = {"width": dots, "height": dots}
                visitor.send(Create(ref=visitor.session.ref(), game=GAME, options=options))
                await until(pilot, partial(visitor.is_past, 0))
            assert ben.position is not None
            assert dora.position is not None
            emil.send(Join(ref=emil.session.ref(), match=dora.position.match))
            await until(pilot, lambda: len(app.model.lobby or ()) == 3 and app.model.latency_ms is not None)
            await until(pilot, lambda: any(row.status == "playing" for row in app.model.lobby or ()))
            await pilot.pause(0.6)
            save(app, folder / "lobby.svg")
            app.open_match(ben.position.match, Way.JOIN)
            await until(pilot, lambda: is_at(app, Place.MATCH) and app.model.match is not None)
            await until(pilot, lambda: ben.position is not None and ben.position.status == "playing")
            await play(pilot, app, ben)
            await pilot.press("down", "right")
            await pilot.pause(0.6)
            save(app, folder / "match.svg")
            await clocks(pilot, app, ben)
            save(app, folder / "clocks.svg")
            for visitor in visitors:
                await visitor.leave()
            app.leave_program()
            await pilot.pause()


async def clocks(pilot: Pilot[None], app: Parlour, ben: Visitor) -> None:
    """A match of checkers with clocks, in its middle."""
    app.leave_match()
    await until(pilot, lambda: is_at(app, Place.LOBBY))
    left = ben.position.match if ben.position is not None else ""
    rule = ClockRule(total_ms=300_000, increment_ms=3_000)
    ben.send(Create(ref=ben.session.ref(), game="checkers", clock=rule))
    await until(pilot, lambda: ben.position is not None and ben.position.match != left)
    assert ben.position is not None
    app.open_match(ben.position.match, Way.JOIN)
    await until(pilot, lambda: is_at(app, Place.MATCH) and app.model.match is not None)
    await until(pilot, lambda: ben.position is not None and ben.position.status == "playing")
    await play(pilot, app, ben, CHECKERS_MOVES)
    await pilot.pause(0.6)


async def play(pilot: Pilot[None], app: Parlour, opponent: Visitor, moves: int = MOVES) -> None:
    """A game as people play it: close what can be closed, else draw anywhere, the same each time."""
    rng = Random(11)
    for _ in range(moves):
        position = opponent.position
        assert position is not None
        if position.to_move is None:
            return
        version, move = position.version, rng.choice(position.legal)
        if position.to_move == 0:
            opponent.send(Move(ref=opponent.session.ref(), match=position.match, version=version, move=move))
        else:
            app.play(move)
        await until(pilot, partial(both_are_past, version, app, opponent))
    while not app.model.is_my_turn and opponent.position is not None:
        position = opponent.position
        opponent.send(
            Move(ref=opponent.session.ref(), match=position.match, version=position.version, move=position.legal[0])
        )
        await until(pilot, partial(both_are_past, position.version, app, opponent))


def both_are_past(version: int, app: Parlour, opponent: Visitor) -> bool:
    return app.model.match is not None and app.model.match.version > version and opponent.is_past(version)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as own, LocalServer(folder=Path(own)) as server:
        asyncio.run(draw(server.address(), folder, Path(own)))


if __name__ == "__main__":
    main()
