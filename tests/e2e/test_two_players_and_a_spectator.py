"""The whole thing at work: two people meet in the lobby and play, a third watches, a hub is killed, they play on."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
import redis

from protocol.codec import JSON
from protocol.messages import Accepted, WatchLobby
from tests.driver import HubProcess, wait_for
from tests.faults.trial.evidence import connect
from tests.faults.trial.play import play
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import Stage, Trial

DOTS = 8
LINES = 2 * DOTS * (DOTS - 1)


class OwnStore(Stage):
    """One hub that brings its own store, in a folder with a short path, for sockets are named by at most 100 bytes."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, hubs=0)
        self.data = folder / "data"
        self.url = f"unix://{self.data.resolve() / 'store.sock'}"
        self.hubs.append(HubProcess(folder, "--data", str(self.data)))

    def start(self) -> None:
        """Start the hub, and it the store."""
        self.hubs[0].start()

    def stop(self) -> None:
        """Stop the hub, and with it the store; which outlives a hub that was killed, and is ended here then."""
        try:
            assert self.hubs[0].stop() == 0
        finally:
            self.hubs[0].kill()
            store = connect(self.url)
            with suppress(redis.RedisError):
                store.shutdown(nosave=True)
            store.close()
            wait_for(lambda: not _answers(self.url))


def _answers(url: str) -> bool:
    store = connect(url)
    try:
        return bool(store.ping())
    except redis.RedisError:
        return False
    finally:
        store.close()


@pytest.fixture(params=["own_store", "redis_and_two_hubs"])
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    """A hub with the store it brings along, or two hubs over a Redis."""
    with tempfile.TemporaryDirectory(prefix="parlour-") as folder:
        stage = OwnStore(Path(folder)) if request.param == "own_store" else Stage(Path(folder))
        try:
            stage.start()
            yield stage
        finally:
            stage.stop()


async def come_back(trial: Trial, before: Recorder, match: str, hub: int) -> Recorder:
    """The same guest on a new connection, from where the last one ended."""
    await before.close()
    back = await trial.open("", hub, token=before.token, codec=before.codec)
    await back.resume(before, match)
    return back


async def test_a_game_over_a_killed_hub(stage: Stage) -> None:
    """A whole 8 x 8 game, watched from the middle on; the hub is killed under a move and started again."""
    rng = Random(8)
    trial = Trial(stage, len(stage.hubs), lambda *_: None)
    try:
        host, guest = await trial.open("Ana", 0), await trial.open("Bo", 1, codec=JSON)
        await guest.ask(WatchLobby(ref=guest.ref()), Accepted)
        match = (await host.create(options={"width": DOTS, "height": DOTS})).match
        await guest.until(lambda: match in guest.lobby)
        assert guest.lobby[match].names == ("Ana", None)
        await guest.join(match)
        await host.reach(match, 2)

        await play([host, guest], match, rng, LINES // 2)
        watcher = await trial.open("Eve", 0, codec=JSON)
        seen = await watcher.watch(match)
        assert (seen.plies, seen.you) == (LINES // 2, ())
        await play([host, guest], match, rng, 10)
        known = await watcher.reach(match, trial.stored(match))

        # Killed while a move is under way: nobody knows what has become of it.
        mover = (host, guest)[known.to_move or 0]
        await mover.reach(match, known.version)
        doubtful = mover.a_move(match, rng.choice(sorted(known.legal)))
        await mover.send(doubtful)
        stage.hubs[0].kill()
        if len(stage.hubs) == 1:
            stage.hubs[0].start()
        host = await come_back(trial, host, match, 1)
        assert host.welcome is not None
        assert host.welcome.matches == (match,)
        guest = await come_back(trial, guest, match, 1)
        watcher = await come_back(trial, watcher, match, 1)
        answer = await (host, guest)[known.to_move or 0].ask(doubtful, Accepted)
        assert [event.get("ref") for _, event in trial.log(match)].count(doubtful.ref) == 1
        for one in (host, guest, watcher):
            await one.reach(match, answer.version)

        if len(stage.hubs) > 1:
            stage.hubs[0].start()
            watcher = await come_back(trial, watcher, match, 0)
            guest = await come_back(trial, guest, match, 0)
        await play([host, guest], match, rng)
        end = await watcher.reach(match, trial.stored(match))
        assert (end.status, end.plies, end.legal) == ("ended", LINES, set())
        assert sum(score for (score,) in end.scores) == (DOTS - 1) ** 2
        assert end.result is not None
        assert end.result.text == end.text
        await trial.check()
        assert not stage.trouble()
    finally:
        await trial.close()
