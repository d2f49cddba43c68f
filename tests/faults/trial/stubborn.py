"""Players who go on whatever becomes of the hubs: they come back, and send again what was not answered or not done."""

from __future__ import annotations

import asyncio
import time
from itertools import count
from random import Random
from typing import Any

from websockets.exceptions import InvalidHandshake, InvalidMessage

from protocol.limits import MAX_GRACE_S
from protocol.messages import Accepted, Command, Create, Hello, Join, Message, Refused, Sync, Watch, Welcome
from tests.faults.trial.recorder import AGAIN_S, PASSING, Lost, Recorder
from tests.faults.trial.stage import Trial
from tests.faults.trial.view import View


class Stubborn:
    """One player over many connections. `pending` is the command that has no answer yet."""

    def __init__(self, trial: Trial, name: str, hub: int, up: asyncio.Event) -> None:
        self.name = name
        self.pending: Command | None = None
        self.returns = 0
        self.back_at = 0.0
        """When the last return was (monotonic)."""
        self.closed: list[int | None] = []
        """With which code each connection ended."""
        self.refusals = 0
        """How often a command was refused for the time being."""
        self.slowest_s = 0.0
        """The longest that an answer took over a connection that held."""
        self.doubts: list[tuple[str, float]] = []
        """Commands whose fate was left open: the ref, and when that was noticed (ms since 1970)."""
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
        """Send a command until it is answered for good, over as many connections as that takes."""
        self.pending = command
        while True:
            try:
                answer = await self._ask(self.link, command)
            except Lost:
                self.doubts.append((command.ref, time.time() * 1000))
                await self.come()
                continue
            if isinstance(answer, Refused) and answer.code in PASSING:
                self.doubts.append((command.ref, time.time() * 1000))
                await asyncio.sleep(AGAIN_S)
                continue
            assert isinstance(answer, Accepted | Refused)
            self.pending = None
            return answer

    async def _ask(self, link: Recorder, command: Command) -> Message:
        """One try. Raises Lost."""
        asked = time.monotonic()
        answer = await link.once_more(command)
        self.slowest_s = max(self.slowest_s, time.monotonic() - asked)
        self.refusals += isinstance(answer, Refused) and answer.code in PASSING
        return answer

    async def follow(self, match: str) -> None:
        """From now on this match is resumed on every new connection."""
        self._match = match
        await self.reach(match, 1)

    def unfollow(self) -> None:
        """From now on no match is resumed."""
        self._match = ""

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
        for tries in count(1):
            await self._up.wait()
            if before is not None:
                self._hub += 1
            try:
                self._link = await self._enter(before)
            except (OSError, InvalidHandshake, InvalidMessage, Lost):
                if tries % self._trial.hubs == 0:
                    await asyncio.sleep(AGAIN_S)
                continue
            if before is not None:
                self.returns += 1
                self.back_at = time.monotonic()
                self.closed.append(before.socket.close_code)
                await self._trial.retire(before)
            return

    async def _enter(self, before: Recorder | None) -> Recorder:
        """One try to come in and to go on from there. Raises Lost, or what connecting raises."""
        link = await self._trial.connect(self.name, self._hub)
        try:
            name, token = (before.name, before.token) if before else (self.name, None)
            hello = Hello(ref=link.ref(), name=name, token=token, rename=True)
            welcome = await self._ask(link, hello)
            if not isinstance(welcome, Welcome):
                raise Lost
            link.welcomed(welcome, token)
            if self._match:
                await self._resume(link, before)
        except Lost:
            await self._trial.retire(link)
            raise
        return link

    async def _resume(self, link: Recorder, before: Recorder | None) -> None:
        known = before.views.get(self._match) if before is not None else None
        if known is not None:
            link.views[self._match] = known
            resume: Command = Sync(ref=link.ref(), match=self._match, after=known.version)
        else:
            resume = Watch(ref=link.ref(), match=self._match)  # cut between the answer and the snapshot behind it
        if not isinstance(await self._ask(link, resume), Accepted):
            raise Lost


class Duel:
    """Two stubborn players, and the match that they play: at most one at a time."""

    def __init__(self, trial: Trial, up: asyncio.Event, hubs: tuple[int, int] = (0, 1), seed: int = 0) -> None:
        self.players = [Stubborn(trial, name, hub, up) for name, hub in zip(("Ana", "Bo"), hubs, strict=True)]
        self.match = ""
        self.version = 0
        """The version that the last command of either led to."""
        self._rng = Random(seed)

    async def come(self) -> None:
        """Let both connect for the first time."""
        for player in self.players:
            await player.come()

    async def begin(self, **create: Any) -> None:
        """Start a match, of Dots and Boxes and without loss by absence for long enough, unless told otherwise."""
        host, guest = self.players
        created = await host.do(
            Create(ref=host.link.ref(), **{"game": "dots-and-boxes", "grace_s": MAX_GRACE_S, **create})
        )
        assert isinstance(created, Accepted), created
        await host.follow(created.match)
        while isinstance(answer := await guest.do(Join(ref=guest.link.ref(), match=created.match)), Refused):
            # The host was cut off, too, and is on the way back; nothing tells the guest when to try again.
            assert answer.code == "host_away", answer
            guest.refusals += 1
            await asyncio.sleep(0.02)
        await guest.follow(created.match)
        self.match, self.version = created.match, answer.version

    async def move(self) -> bool:
        """Play one move at random, whoever's turn it is; False when the match is over."""
        view = await self.players[0].reach(self.match, self.version)
        if view.status == "ended":
            return False
        assert view.to_move is not None
        mover = self.players[view.to_move]
        view = await mover.reach(self.match, self.version)
        moved = await mover.do(mover.link.a_move(self.match, self._rng.choice(sorted(view.legal)), self.version))
        assert isinstance(moved, Accepted), moved
        self.version = moved.version
        return True


class Table(Duel):
    """A duel that goes on, match after match. `moves` counts what was acknowledged."""

    def __init__(
        self, trial: Trial, number: int, up: asyncio.Event, hubs: tuple[int, int], think_s: float = 0, **create: Any
    ) -> None:
        super().__init__(trial, up, hubs, number)
        self.moves = 0
        self.resumed_at: float | None = None
        """When both knew of a move that was acknowledged after it was set to None, and after a player's last return."""
        self._think_s = think_s
        self._create = create

    @property
    def plays(self) -> bool:
        """Whether a move was acknowledged and seen since, and nobody has lost the connection after it."""
        resumed_at = self.resumed_at
        return resumed_at is not None and not any(
            player.back_at > resumed_at or player.link.gone for player in self.players
        )

    async def play(self, stop: asyncio.Event) -> None:
        """Play random games until told to stop."""
        await self.come()
        while not stop.is_set():
            await self.begin(**self._create)
            while not stop.is_set() and await self.move():
                self.moves += 1
                if not self.plays:
                    for player in self.players:
                        await player.reach(self.match, self.version)
                    self.resumed_at = time.monotonic()
                await asyncio.sleep(self._rng.uniform(0, 2 * self._think_s))  # a player's own pace
