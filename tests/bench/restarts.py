"""What players notice of a restart: 200 games over two hubs behind HAProxy, both hubs restarted in turn.

The clients are our own (`client.conversation`), two in each game, and move all the time. A gap is the time from the end
of a connection until the match is caught up over the next one; what would be shown is any word that goes to the screen:
a lost connection, a refusal, an opponent who is away. What is lost is found out by the matches' logs.
"""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from client.conversation.address import Address, parse_address
from client.conversation.events import Offline, Settled
from client.conversation.session import Session
from client.conversation.transport import Transport
from protocol.messages import Accepted, Create, GoingAway, Join, MatchEvent, Message, Move, Presence, Refused, Snapshot
from tests.browser.subpath import certificate
from tests.driver import WAIT_S, HubProcess, RedisProcess
from tests.faults.trial.proxies import PATH, HAProxy, absent
from tests.faults.trial.view import View

GAMES = int(os.environ.get("PARLOUR_BENCH_GAMES", "200"))
DRAIN_S = 10.0
THOUGHT_S = (0.5, 3.5)
"""How long a player thinks."""
AT_ONCE = 10
"""So many games begin at a time."""


class Timed(Session):
    """A session that notes its gaps (ms)."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.gaps_ms: list[float] = []
        self._gone_at: float | None = None

    def closed(self, now: float, reason: str) -> None:
        """The connection ends, and a gap begins."""
        if self._gone_at is None and self.welcomed:
            self._gone_at = now
        super().closed(now, reason)

    def _answer(self, answer: Accepted | Refused, now: float) -> None:
        following = self._screen.following
        if self._gone_at is not None and following is not None and following.is_question(answer.ref):
            self.gaps_ms.append((now - self._gone_at) * 1000)
            self._gone_at = None
        super()._answer(answer, now)


class Player:
    """One of the two in a game, who moves whenever it is the turn."""

    def __init__(self, address: Address, name: str) -> None:
        self.session = Timed(name)
        self.shown: list[str] = []
        """What a person would have been shown of restarts."""
        self.acknowledged: list[int] = []
        """The versions of the moves that were accepted."""
        self.answers: asyncio.Queue[Message] = asyncio.Queue()
        self.match: View | None = None
        self.id = ""
        self.you: tuple[int, ...] = ()
        self._stirred = asyncio.Event()
        self._transport = Transport(address, self.session, self._notify)
        self.running = asyncio.create_task(self._transport.run())

    def _notify(self) -> None:
        for event in self.session.events():
            self._take(event)
        self._stirred.set()

    def _take(self, event: Any) -> None:
        match event:
            case Snapshot():
                self.match, self.you = View.of(event), event.you
                self.id = event.match
            case MatchEvent() if self.match is not None:
                self.match.apply(event)
            case Settled(command, answer):
                if isinstance(command, Move) and isinstance(answer, Accepted):
                    self.acknowledged.append(answer.version)
                elif isinstance(answer, Refused):
                    self.shown.append(answer.code)
                self.answers.put_nowait(answer)
            case Offline(_, reason):
                self.shown.append(reason)
            case GoingAway():
                self.shown.append("going_away")
            case Presence(here=here) if False in here:
                self.shown.append("away")

    async def ask(self, command: Any) -> Any:
        """Send a command; returns its answer."""
        self.session.send(command)
        self._transport.flush()
        async with asyncio.timeout(WAIT_S):
            return await self.answers.get()

    async def until(self, condition: Any) -> None:
        """Wait until it holds."""
        async with asyncio.timeout(WAIT_S):
            while not condition():
                self._stirred.clear()
                await self._stirred.wait()

    async def play(self, chance: random.Random, end: asyncio.Event) -> None:
        """Move until the end, or until the match is over."""
        while not end.is_set():
            await asyncio.sleep(chance.uniform(*THOUGHT_S))
            match = self.match
            if match is None or match.to_move not in self.you or not match.legal or end.is_set():
                continue
            move = chance.choice(sorted(match.legal))
            await self.ask(Move(ref=self.session.ref(), match=self.id, version=match.version, move=move))

    async def quit(self) -> None:
        """End the connection."""
        self._transport.stop()
        await self.running


def main() -> None:
    """Print the figures."""
    if why := absent(HAProxy):
        print(f"left out: {why}")
        return
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(_measure(Path(name)))


async def _measure(folder: Path) -> None:
    certificate(folder)
    signed = (folder / "certificate.pem", folder / "key.pem")
    os.environ["SSL_CERT_FILE"] = str(signed[0])  # by which our own client trusts it, as it would a known one
    redis = RedisProcess(folder)
    words = ("--redis", redis.url, "--proxy", "127.0.0.1", "--drain", str(DRAIN_S))
    hubs = []
    for number in range(2):
        (folder / f"hub{number}").mkdir()
        hubs.append(HubProcess(folder / f"hub{number}", *words))
    proxy: HAProxy | None = None
    try:
        await asyncio.to_thread(redis.start)
        for hub in hubs:
            await asyncio.to_thread(hub.start)
        (folder / "proxy").mkdir()
        proxy = HAProxy(folder / "proxy", signed, [hub.port for hub in hubs])
        await asyncio.to_thread(proxy.start)
        await _restart_in_turn(parse_address(f"https://127.0.0.1:{proxy.port}{PATH}"), hubs)
    finally:
        if proxy is not None:
            proxy.stop()
        for hub in hubs:
            hub.kill()
        redis.stop()


async def _restart_in_turn(address: Address, hubs: list[HubProcess]) -> None:
    pairs = []
    for start in range(0, GAMES, AT_ONCE):
        pairs += await asyncio.gather(
            *(_begin(address, number) for number in range(start, min(GAMES, start + AT_ONCE)))
        )
    players = [player for pair in pairs for player in pair]
    end = asyncio.Event()
    games = [asyncio.create_task(one.play(random.Random(place), end)) for place, one in enumerate(players)]
    await asyncio.sleep(2)
    for player in players:
        player.shown.clear()
    took = []
    for hub in hubs:
        started = time.monotonic()
        assert await asyncio.to_thread(hub.stop) == 0
        took.append(time.monotonic() - started)
        await asyncio.to_thread(hub.start)
        await asyncio.sleep(3)  # HAProxy has seen it by then
    await asyncio.sleep(2)
    end.set()
    await asyncio.gather(*games)
    _print(players, took)
    lost = 0
    for one, two in pairs:
        versions = [*one.acknowledged, *two.acknowledged]
        lost += len(versions) - len(set(versions))
        await two.until(lambda one=one, two=two: (two.session.version or 0) >= max([0, *one.acknowledged]))
        await one.until(lambda one=one, two=two: (one.session.version or 0) >= max([0, *two.acknowledged]))
        lost += one.session.version != two.session.version
    print(f"lost, doubled or seen differently: {lost} of {sum(len(one.acknowledged) for one in players)} moves")
    await asyncio.gather(*(player.quit() for player in players))


async def _begin(address: Address, number: int) -> tuple[Player, Player]:
    host, guest = Player(address, f"Host {number}"), Player(address, f"Guest {number}")
    options: dict[str, int | str | bool] = {"width": 8, "height": 8}
    entered = await host.ask(Create(ref=host.session.ref(), game="dots-and-boxes", options=options))
    assert isinstance(entered, Accepted), entered
    assert isinstance(await guest.ask(Join(ref=guest.session.ref(), match=entered.match)), Accepted)
    await guest.until(lambda: guest.match is not None)
    await host.until(lambda: host.match is not None)
    return host, guest


def _print(players: list[Player], took: list[float]) -> None:
    gaps = sorted(gap for player in players for gap in player.session.gaps_ms)
    shown: dict[str, int] = {}
    for player in players:
        for word in player.shown:
            shown[word] = shown.get(word, 0) + 1

    def part(share: float) -> float:
        return gaps[min(len(gaps) - 1, int(share * len(gaps)))] if gaps else 0.0

    load = ", ".join(f"{number:.1f}" for number in os.getloadavg())
    print(f"{len(players) // 2} games, {len(gaps)} connections handed over, load {load}")
    print(f"gap p50 {part(0.5):.0f} ms, p99 {part(0.99):.0f} ms, longest {gaps[-1] if gaps else 0:.0f} ms")
    print(f"each hub stopped within {max(took):.1f} s; shown to players: {shown or 'nothing'}")
