"""Players who go on whatever becomes of the hubs: they come back and send again what was not answered."""

from __future__ import annotations

import asyncio
import time
from random import Random

from websockets.exceptions import InvalidHandshake, InvalidMessage

from protocol.messages import Accepted, Command, Create, Join, Refused
from tests.faults.recorder import Lost, Recorder
from tests.faults.stage import Trial
from tests.faults.view import View


class Stubborn:
    """One player over many connections. `pending` is the command that has no answer yet."""

    def __init__(self, trial: Trial, name: str, hub: int, up: asyncio.Event) -> None:
        self.name = name
        self.pending: Command | None = None
        self.returns = 0
        self.doubts: list[tuple[str, float]] = []
        """Commands whose answer was lost: the ref, and when that was noticed (ms since 1970)."""
        self._trial = trial
        self._hub = hub
        self._up = up
        self._match = ""
        self._link: Recorder | None = None

    @property
    def link(self) -> Recorder:
        """The newest connection."""
        assert self._link is not None
        return self._link

    async def do(self, command: Command) -> Accepted | Refused:
        """Send a command until it is answered, over as many connections as that takes."""
        self.pending = command
        while True:
            try:
                await self.link.send(command)
                answer = await self.link.answer(command.ref)
            except Lost:
                self.doubts.append((command.ref, time.time() * 1000))
                await self.come()
                continue
            assert isinstance(answer, Accepted | Refused)
            self.pending = None
            return answer

    async def follow(self, match: str) -> None:
        """From now on this match is resumed on every new connection."""
        self._match = match
        await self.reach(match, 1)

    async def reach(self, match: str, version: int) -> View:
        """What is known of the match at that version or later."""
        while True:
            try:
                return await self.link.reach(match, version)
            except Lost:
                await self.come()

    async def come(self) -> None:
        """Connect, to the next hub when there are several, and go on where the last connection ended."""
        before = self._link
        while True:
            await self._up.wait()
            if before is not None:
                self._hub += 1
            token = before.token if before else None
            try:
                link = await self._trial.open(self.name, self._hub, token=token)
                if before is not None and self._match in before.views:
                    await link.resume(before, self._match)
                elif self._match:
                    await link.watch(self._match)  # cut between the answer and the snapshot that follows it
            except (OSError, Lost, InvalidHandshake, InvalidMessage):
                continue  # This hub is not there (any more): ask the next one.
            self._link = link
            if before is not None:
                self.returns += 1
                await self._trial.retire(before)
            return


class Table:
    """Two stubborn players and their games, one after the other. `moves` counts what was acknowledged."""

    def __init__(self, trial: Trial, number: int, up: asyncio.Event, hubs: tuple[int, int], think_s: float = 0) -> None:
        self.players = [Stubborn(trial, name, hub, up) for name, hub in zip(("Ana", "Bo"), hubs, strict=True)]
        self.match = ""
        self.moves = 0
        self.resumed_at: float | None = None
        """When the first move after it was set to None was acknowledged."""
        self._rng = Random(number)
        self._think_s = think_s

    async def play(self, stop: asyncio.Event) -> None:
        """Play random games until told to stop."""
        for player in self.players:
            await player.come()
        while not stop.is_set():
            await self._one_game(stop)

    async def _one_game(self, stop: asyncio.Event) -> None:
        host, guest = self.players
        created = await host.do(Create(ref=host.link.ref(), game="dots-and-boxes"))
        assert isinstance(created, Accepted), created
        await host.follow(created.match)
        while isinstance(answer := await guest.do(Join(ref=guest.link.ref(), match=created.match)), Refused):
            # The host was cut off, too, and is on the way back; nothing tells the guest when to try again.
            assert answer.code == "host_away", answer
            await asyncio.sleep(0.02)
        await guest.follow(created.match)
        self.match, version = created.match, answer.version
        while not stop.is_set():
            view = await host.reach(self.match, version)
            if view.status == "ended":
                return
            assert view.to_move is not None
            mover = self.players[view.to_move]
            view = await mover.reach(self.match, version)
            moved = await mover.do(mover.link.a_move(self.match, self._rng.choice(sorted(view.legal)), version))
            assert isinstance(moved, Accepted), moved
            version = moved.version
            self.moves += 1
            await asyncio.sleep(self._rng.uniform(0, 2 * self._think_s))  # a player's own pace
            if self.resumed_at is None:
                self.resumed_at = time.monotonic()
