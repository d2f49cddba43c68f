"""Where trials take place: hubs over one Redis; and a trial: its clients, what it provoked, and its verdict."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import redis

from protocol.codec import MSGPACK, Codec
from protocol.messages import Accepted, Message, Refused, Watch
from tests.driver import WAIT_S, HubProcess, RedisProcess
from tests.faults.trial import checker, evidence
from tests.faults.trial.evidence import Fault, Log, Reader
from tests.faults.trial.recorder import AGAIN_S, PASSING, Recorder
from tests.faults.trial.relayed import Program
from tests.faults.trial.table import PROPERTY, Row
from tests.pace import FULL as FULL
from tests.pace import NotProvoked

T = TypeVar("T")

LOOK_AT_ONCE = 50
"""Matches that the last spectator of a trial asks for without waiting."""
TROUBLE = re.compile(r"level='(error|critical)'|Traceback|exception was never retrieved|^\w*Error", re.MULTILINE)

SHARE_IN_SHORT = 0.2
"""What of the least number of situations must come about in the short form."""


MOST_IN_SHORT = 20
"""Tries after which the short form leaves off where it is told no number of its own."""


def rounds(full: int, short: int | None = None) -> int:
    """How often to try: the case's figure in full, else a tenth of it and at most MOST_IN_SHORT, or `short`."""
    return full if FULL else short or max(1, min(full // 10, MOST_IN_SHORT))


class Stage:
    """Hubs over one Redis, all real processes. `url` is the Redis' address.

    `ways` are the addresses by which the hubs reach it, if it is not that one; `arguments` go to every hub.
    """

    def __init__(self, folder: Path, hubs: int = 2, *, ways: Sequence[str] = (), arguments: Sequence[str] = ()) -> None:
        self.redis = RedisProcess(folder)
        self.url = self.redis.url
        self.hubs: list[HubProcess] = []
        for number in range(hubs):
            home = folder / f"hub{number}"
            home.mkdir()
            way = ways[number] if ways else self.redis.url
            self.hubs.append(HubProcess(home, "--redis", way, *arguments))
        self._read: dict[Path, int] = {}

    def start(self) -> None:
        """Start everything and wait until it is ready."""
        self.redis.start()
        for hub in self.hubs:
            hub.start()

    def stop(self) -> None:
        """End everything; AssertionError when a hub did not stop cleanly."""
        try:
            statuses = [hub.stop() for hub in self.hubs]
            assert not any(statuses), statuses
        finally:
            for hub in self.hubs:
                hub.kill()
            self.redis.stop()

    def trouble(self) -> list[str]:
        """Errors in the hubs' logs since the last look, and hubs that have ended by themselves (6)."""
        found = []
        for hub in self.hubs:
            text = hub.log.read_text()
            new, self._read[hub.log] = text[self._read.get(hub.log, 0) :], len(text)
            if TROUBLE.search(new):
                found.append(new)
            if hub.ended and not hub.killed:
                found.append(f"{hub.log} ended by itself")
        return found

    def counter(self, name: str) -> float:
        """The sum of one of the hubs' figures."""
        pages = [hub.get("/metrics")[1] for hub in self.hubs]
        return sum(float(value) for page in pages for value in re.findall(rf"^{name} (\S+)$", page, re.MULTILINE))


@contextmanager
def staged(folder: Path, hubs: int = 2, *, arguments: Sequence[str] = ()) -> Iterator[Stage]:
    """A stage of one trial alone, which may break it; all is mended or ended by the trial's end."""
    stage = Stage(folder, hubs, arguments=arguments)
    try:
        stage.start()
        yield stage
    finally:
        stage.stop()


@asynccontextmanager
async def staged_behind(folder: Path, ports: Sequence[int]) -> AsyncIterator[Stage]:
    """The same, whose hubs reach Redis by the proxies at these ports, which our own loop serves."""
    stage = Stage(folder, len(ports), ways=[f"redis://127.0.0.1:{port}" for port in ports])
    try:
        await asyncio.to_thread(stage.start)
        yield stage
    finally:
        await asyncio.to_thread(stage.stop)


class Trial:
    """One trial: opens clients, counts what was provoked, and judges in the end."""

    def __init__(self, stage: Stage, hubs: int, report: Callable[[str, object], None], attempt: int = 1) -> None:
        self.stage = stage
        self.attempt = attempt
        """Counts up from 1 as the trial is run again because it had not brought about its situation."""
        self.clients: list[Recorder] = []
        self.strangers: list[Recorder] = []
        """Clients that are closed at the end and not judged."""
        self.programs: list[Program] = []
        """Students' games that were played at the hubs."""
        self._retired: list[Reader] = []
        self.hubs = hubs
        """On how many of the stage's hubs its clients are."""
        self.judged = False
        self._faults: list[Fault] | None = None
        self._rows: dict[str, Row] = {}
        self.store: redis.Redis = evidence.connect(stage.url)
        self._report = report
        self._before = evidence.match_ids(self.store)

    def url(self, hub: int = 0) -> str:
        """The address of a hub; on one hub alone all numbers mean the same."""
        return self.stage.hubs[hub % self.hubs].url

    async def open(
        self, name: str = "Ana", hub: int = 0, *, url: str = "", token: str | None = None, codec: Codec = MSGPACK
    ) -> Recorder:
        """A client that has said hello, at a hub or at `url` (a proxy's)."""
        client = await self.connect(name, hub, url=url, codec=codec)
        await client.hello(token)
        return client

    async def connect(self, name: str = "Ana", hub: int = 0, *, url: str = "", codec: Codec = MSGPACK) -> Recorder:
        """A client that has said nothing yet, at a hub or at `url`."""
        client = await Recorder.connect(url or self.url(hub), name, codec=codec)
        self.clients.append(client)
        return client

    async def retire(self, client: Recorder) -> None:
        """Close a client for good; only its record is kept, for trials that use up thousands."""
        await client.close()
        self.clients.remove(client)
        self._retired.append(client.record())

    def heard(self, reader: Reader) -> None:
        """Judge what somebody sent and received in another way than over a client of ours, too."""
        self._retired.append(reader)

    async def pair(self, first_hub: int = 0, second_hub: int = 1, **fields: Any) -> tuple[str, Recorder, Recorder]:
        """A match that has begun, and its two players."""
        host, guest = await self.open("Ana", first_hub), await self.open("Bo", second_hub)
        return await self.meet(host, guest, **fields), host, guest

    async def meet(self, host: Recorder, guest: Recorder, **fields: Any) -> str:
        """A new match between two clients; returns its id once both know that it has begun."""
        match = (await host.create(**fields)).match
        await guest.join(match)
        await host.reach(match, 2)
        return match

    def provoked(self, what: str, times: int, of: int, *, least: int = 1) -> None:
        """Report how often the situation came about; too seldom, and the trial counts as not run.

        Who is quicker depends on what else the machine does: beside other tests a `SHARE_IN_SHORT` of it is enough.
        """
        self._report("provoked", f"{what}: {times} of {of}")
        print(f"{what}: {times} of {of}")
        if times < (least if FULL else min(least, max(1, round(least * SHARE_IN_SHORT)))):
            raise NotProvoked(f"the situation ({what}) came about only {times} times of {of}")

    def fault(self, name: str, times: int = 0, hits: int | None = None, resumed_s: Sequence[float] = ()) -> Row:
        """The row of a fault (`J1 Redis killed`) in the table; what is given is added to what it has already.

        The checker's verdict on this trial is entered by itself. Count `row.times` up as faults are injected, so that
        they stand there if the trial fails.
        """
        row = self._rows.setdefault(name, Row(name))
        row.times += times
        row.hits = row.hits if hits is None else (row.hits or 0) + hits
        row.resumed_s += resumed_s
        return row

    def enter_rows(self, trial: str) -> None:
        """Hand the rows over to the table, with what was found; `trial` tells this trial from all others."""
        for row in self._rows.values():
            row.trial = trial
            if self._faults is not None:
                row.take(self._faults)
            self._report(PROPERTY, row.plain())

    def stored(self, match: str) -> int:
        """The version of the last stored event of a match."""
        return evidence.last_version(self.store, match)

    def log(self, match: str) -> Log:
        """The stored events of a match."""
        return evidence.read_log(self.store, match)

    # The verdict ------------------------------------------------------------------------------------------------------

    async def check(self, forgotten: Mapping[str, Log] | None = None) -> dict[str, Log]:
        """Let everything arrive, take fresh snapshots, and judge; returns the logs of this trial's matches.

        `forgotten` are logs that were read when nothing could be added to them any more, and that Redis may have lost.
        """
        self.judged = True
        forgotten = forgotten or {}
        matches = sorted(evidence.match_ids(self.store) - self._before - forgotten.keys())
        await self._arrive(matches)
        await self._look_afresh(matches)
        async with asyncio.timeout(WAIT_S):
            while True:
                await self._arrive(matches)
                logs = {match: self.log(match) for match in matches}
                # The server's own events, of who is away, come when they come.
                if all(client.views[match].version == len(logs[match]) for client, match in self._following(matches)):
                    break
        logs.update(forgotten)
        readers = [*self._retired, *(client.record() for client in self.clients)]
        # Beside the loop: it may take longer than a ping waits for its answer, and the hubs would end the connections.
        faults = await asyncio.to_thread(checker.judge, logs, readers, self.programs)
        self._faults = [*(self._faults or ()), *faults]
        assert not faults, f"{len(faults)} faults:\n" + "\n".join(fault.text for fault in faults[:20])
        return logs

    def disregard(self, matches: Iterable[str]) -> None:
        """These are matches of somebody else, which are not judged here."""
        self._before.update(matches)

    def forget(self) -> None:
        """Throw all records away: what comes is judged by itself. For trials that are too long to be remembered."""
        self._retired.clear()
        for client in self.clients:
            client.forget_all()
        self._before |= evidence.match_ids(self.store)

    async def _arrive(self, matches: Sequence[str]) -> None:
        for client, match in self._following(matches):
            await client.reach(match, self.stored(match))

    def _following(self, matches: Sequence[str]) -> list[tuple[Recorder, str]]:
        return [
            (client, match)
            for match in matches
            for client in self.clients
            if match in client.views and match not in client.left and not client.gone
        ]

    async def _look_afresh(self, matches: Sequence[str]) -> None:
        """A spectator who comes only now, at every hub, sees what all others have; private matches are for players."""
        for number in range(len(self.stage.hubs) if matches else 0):
            if self.stage.hubs[number].ended:
                continue
            fresh = await Recorder.open(self.stage.hubs[number].url, "Fresh")
            self.clients.append(fresh)
            asked = [Watch(ref=fresh.ref(), match=match) for match in matches if not self._is_private(match)]
            # Some at a time: whoever asks for thousands at once and reads slowly is shown out.
            for first in range(0, len(asked), LOOK_AT_ONCE):
                some = asked[first : first + LOOK_AT_ONCE]
                for watch in some:
                    await fresh.send(watch)
                for watch in some:
                    answer: Message = await fresh.answer(watch.ref)
                    async with asyncio.timeout(WAIT_S):
                        # A hub whose store has just come back may still say that it is away.
                        while isinstance(answer, Refused) and answer.code in PASSING:
                            await asyncio.sleep(AGAIN_S)
                            answer = await fresh.once_more(watch)
                    assert isinstance(answer, Accepted), answer
                    await fresh.reach(watch.match, 1)

    def _is_private(self, match: str) -> bool:
        return bool(self.log(match)[0][1].get("private"))

    async def close(self) -> None:
        """Let go of everything."""
        await asyncio.gather(*(client.close() for client in (*self.clients, *self.strangers)), return_exceptions=True)
        self.store.close()


async def together(*tasks: Coroutine[Any, Any, T]) -> list[T]:
    """Do all at once; the first that fails ends the others, and its error is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            running = [group.create_task(task) for task in tasks]
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in running]


async def eventually(condition: Callable[[], object], pause_s: float = 0.01, limit_s: float = WAIT_S) -> float:
    """Look until `condition` holds, for what nothing tells us of; returns how many seconds that took."""
    started = time.monotonic()
    while not condition():
        assert time.monotonic() - started < limit_s, "waited too long"
        await asyncio.sleep(pause_s)
    return time.monotonic() - started


def lives(pid: int) -> bool:
    """Whether that process runs; one that has ended and was not yet asked for by its new parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
