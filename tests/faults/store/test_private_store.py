"""The store that a hub brings along: it is started again when it goes, and ends with whoever uses it."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from protocol.messages import Refused
from tests import fork_server
from tests.driver import ROOT, WAIT_S, HubProcess, wait_for
from tests.faults.trial.play import play
from tests.faults.trial.recorder import Recorder
from tests.faults.trial.stage import Stage, Trial, eventually, rounds

pytestmark = [
    pytest.mark.faults,
    pytest.mark.harms,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc"),
]

LONG_S = 3 * WAIT_S
BIG = {"width": 8, "height": 8}
TAG = "TRIAL"


class Embedded(Stage):
    """Hubs over the store that they bring along, in one folder. `data` is that folder if not one of the trial's."""

    def __init__(self, folder: Path, hubs: int = 2, *, data: Path | None = None) -> None:
        super().__init__(folder, hubs=0)
        self.folder = folder
        self.data = data or folder / "data"
        self.url = f"unix://{self.data / 'store.sock'}"
        for number in range(hubs):
            home = folder / f"hub{number}"
            home.mkdir()
            self.hubs.append(HubProcess(home, "--data", str(self.data), environment={TAG: str(folder)}))

    def start(self) -> None:
        for hub in self.hubs:
            hub.start()

    def stop(self) -> None:
        for hub in self.hubs:
            if not hub.ended:
                assert hub.stop() == 0
        wait_for(lambda: not running(self.folder))

    async def ready(self, limit_s: float = LONG_S) -> None:
        """Wait until all hubs can serve."""
        for hub in self.hubs:
            await eventually(lambda hub=hub: hub.get("/ready")[0] == 200, limit_s=limit_s)  # type: ignore[misc]

    def store(self) -> list[int]:
        """The stores that run."""
        return [pid for pid, words in running(self.folder).items() if words.startswith(SERVERS)]


SERVERS = ("redis-server", "valkey-server", "/usr/bin/redis-server", "/usr/bin/valkey-server")


def running(folder: Path) -> dict[int, str]:
    """Whatever runs on account of a trial, by pid: launchers, stores, workers of the computer player; and hubs, but for
    those that were forked, whose environment is not to be read from outside."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                tagged = f"{TAG}={folder}".encode() in (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                continue  # It has ended meanwhile.
            # A store writes its title over its environment.
            if words and (tagged or f"{folder}/" in words):
                found[int(entry.name)] = words
    return found


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with embedded(tmp_path) as stage:
        yield stage


@contextmanager
def embedded(folder: Path, hubs: int = 2, *, data: Path | None = None) -> Iterator[Embedded]:
    """Hubs of one trial, and nothing left of them in the end."""
    stage = Embedded(folder, hubs, data=data)
    try:
        stage.start()
        yield stage
        stage.stop()
    finally:
        for hub in stage.hubs:
            hub.kill()
        for pid in running(folder):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.minutes(7)
async def test_q18_a_store_that_is_killed_is_started_again(trial: Trial) -> None:
    """Q18: nothing that was acknowledged is lost, the hubs say what was wrong, and all goes on by itself."""
    stage = trial.stage
    assert isinstance(stage, Embedded)
    row = trial.fault("Q18 private store killed")
    match, host, guest = await trial.pair(options=BIG)
    rng = Random(18)
    for number in range(rounds(20, 3)):
        await play([host, guest], match, rng, moves=2)
        (pid,) = stage.store()
        launcher = next(pid for pid, words in running(stage.folder).items() if "launcher.py" in words)
        victim, how = ((pid, signal.SIGKILL), (launcher, signal.SIGKILL), (pid, signal.SIGTERM))[number % 3]
        os.kill(victim, how)
        row.times += 1
        killed = time.monotonic()
        await eventually(lambda pid=pid: stage.store() not in ([], [pid]), limit_s=LONG_S)  # type: ignore[misc]
        await stage.ready()
        row.resumed_s.append(time.monotonic() - killed)
        assert len(stage.store()) == 1, "one store, however many hubs look after it"
    told = "".join(hub.log.read_text() for hub in stage.hubs)
    assert "The store has ended: it was ended by SIGKILL." in told
    await play([host, guest], match, rng, moves=2)
    await trial.check()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 4 MB, where one may make one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", disk], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("no disk may be made here")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)


async def out_of_room(
    trial: Trial, stage: Embedded, fill: Callable[[], None], make_room: Callable[[], None], says: str, *, for_good: bool
) -> None:
    """Moves are refused and nobody is told that they were made; with room again all goes on, and nothing is lost."""
    row, first = trial.fault("Q18 private store out of room"), stage.hubs[0]
    match, host, guest = await trial.pair(options=BIG)
    rng = Random(5)

    def said() -> str:
        """What both hubs have told the operator; either may be the one that starts it again."""
        return "".join(hub.log.read_text() for hub in stage.hubs)

    await play([host, guest], match, rng, moves=2)
    for _ in range(rounds(3, 1)):
        again = said().count("the store runs again")
        fill()
        row.times += 1
        await play_until_refused(stage, match, host, guest)
        if for_good:
            await eventually(lambda: says in first.get("/ready")[1], limit_s=LONG_S)
            assert first.get("/ready")[0] == 503
        else:  # the next store may be there before anybody has looked
            await eventually(lambda again=again: said().count("the store runs again") > again, limit_s=LONG_S)  # type: ignore[misc]
        make_room()
        made = time.monotonic()
        await stage.ready()
        row.resumed_s.append(time.monotonic() - made)
        for player in (host, guest):
            await player.reach(match, trial.stored(match))
        await play([host, guest], match, rng, moves=2)
    assert says in said()
    await trial.check()


async def play_until_refused(stage: Embedded, match: str, *seats: Recorder) -> None:
    """There may be room for some moves on the last page of a file.

    The store may have gone before the other hub was told of the last one, which hears of it when there is room again.
    """
    while True:
        stored = max(seat.views[match].version for seat in seats)
        mover = seats[seats[0].views[match].to_move or 0]
        await mover.reach(match, stored)
        move = mover.a_move(match, min(mover.views[match].legal), stored)
        await mover.send(move)
        if isinstance(await mover.answer(move.ref), Refused):
            return
        reached = asyncio.gather(*(seat.reach(match, stored + 1) for seat in seats))
        await eventually(lambda reached=reached: reached.done() or not stage.store(), pause_s=0.05)  # type: ignore[misc]
        if not reached.done():
            reached.cancel()
            with suppress(asyncio.CancelledError):
                await reached
            return
        await reached


async def test_q18_a_full_disk_ends_the_store_until_there_is_room(
    tmp_path: Path, small_disk: Path, record_property: Callable[[str, object], None]
) -> None:
    """Q18: the hub says that the disk is full, and goes on by itself when it is not."""
    with embedded(tmp_path, data=small_disk / "data") as stage:
        trial = Trial(stage, 2, record_property)
        filler = small_disk / "filler"

        def fill() -> None:
            with filler.open("ab", buffering=0) as file:
                for size in (65536, 4096, 1):
                    try:
                        while True:
                            file.write(b"x" * size)
                    except OSError:
                        continue

        try:
            await out_of_room(trial, stage, fill, filler.unlink, "the disk is full", for_good=True)
        finally:
            trial.enter_rows("disk")
            await trial.close()


async def test_q18_a_limit_on_the_size_of_files_ends_the_store(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Q18: the same where only this user's files may not grow."""
    with embedded(tmp_path) as stage:
        trial = Trial(stage, 2, record_property)

        def limit(size: int) -> None:
            for pid in running(tmp_path):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

        def bound() -> None:
            largest = max(path.stat().st_size for path in (stage.data / "appendonlydir").iterdir())
            for pid, words in running(tmp_path).items():
                if words.startswith(SERVERS):
                    resource.prlimit(pid, resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))

        try:
            await out_of_room(
                trial, stage, bound, lambda: limit(resource.RLIM_INFINITY), "The store has ended", for_good=False
            )
        finally:
            trial.enter_rows("limit")
            await trial.close()


# Whoever starts it ends it --------------------------------------------------------------------------------------------


def own_environment() -> dict[str, str]:
    """Without the settings of a run of tests, which a hub would take for its own."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")}


def hub_words(folder: Path, *arguments: str) -> list[str]:
    return ["--port", "0", "--data", str(folder / "data"), "--port-file", str(folder / "port"), *arguments]


def hub_command(folder: Path) -> list[str]:
    return ["env", f"{TAG}={folder}", sys.executable, "-m", "server", *hub_words(folder)]


def gone(folder: Path, limit_s: float = WAIT_S) -> float:
    """How long it takes until nothing is left; AssertionError, after ending it, when something is."""
    started = time.monotonic()
    while left := running(folder):
        if time.monotonic() - started > limit_s:
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            raise AssertionError(f"left over: {left}")
        time.sleep(0.02)
    return time.monotonic() - started


def failures(folder: Path) -> dict[str, Sequence[str]]:
    """Ways in which a start goes wrong, some of them late."""
    games = folder / "games"
    games.mkdir()
    (games / "broken.py").write_text("raise RuntimeError('no game')\n")
    (folder / "file").write_text("")
    return {
        "a game file that raises": ("--games", str(games)),
        "a port file that cannot be written": ("--port-file", str(folder / "none" / "port")),
        "a port that is taken": (),
        "a DOG port that is taken": (),
        "a data folder that is a file": ("--data", str(folder / "file")),
    }


async def test_q18_a_start_that_fails_leaves_nothing(trial: Trial, tmp_path: Path) -> None:
    """Q18: however the start goes wrong, one sentence is said, and no store is left."""
    row = trial.fault("Q18 start that fails")
    stage = trial.stage
    folder = tmp_path / "failing"
    folder.mkdir()
    for number, (what, words) in enumerate(failures(folder).items()):
        taken = str(stage.hubs[0].port)
        if "port that is taken" in what:
            words = ("--dog-port", taken) if "DOG" in what else ("--port", taken)
        done = await asyncio.to_thread(
            fork_server.run, hub_words(folder, *words), own_environment() | {TAG: str(folder)}, LONG_S
        )
        assert done.returncode == 1, (what, done.stderr)
        said = [line for line in done.stderr.splitlines() if line.startswith("parlour-server: ")]
        assert len(said) == 1, (what, done.stderr)
        assert "Traceback" not in done.stderr, what
        await asyncio.to_thread(gone, folder)
        row.times = number + 1
    await trial.check()


async def test_q18_however_a_hub_ends_nothing_is_left(trial: Trial, tmp_path: Path) -> None:
    """Q18, `G12`: killed, terminated, interrupted (by a terminal, which does it to the whole group) or hung up, at any
    moment of its start or its life, while the computer thinks or has thought: afterwards no process is left, and none
    has complained."""
    rng = Random(7)
    row = trial.fault("Q18 hub ended, orphans")
    kinds = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    early = thinking = 0
    for number in range(rounds(40, 8)):
        folder = tmp_path / f"ending{number}"
        folder.mkdir()
        with (folder / "log").open("ab") as words:
            hub = await asyncio.create_subprocess_exec(
                *hub_command(folder), cwd=ROOT, stdout=words, stderr=words, stdin=subprocess.DEVNULL,
                start_new_session=True, env=own_environment(),
            )  # fmt: skip
        if number % 2:
            await asyncio.sleep(rng.uniform(0.2, 2.0))
        else:
            await eventually((folder / "port").exists)
            url = f"ws://127.0.0.1:{(folder / 'port').read_text().strip()}/ws"
            host = await trial.open("Ana", url=url)
            shown = await host.create("square", computer=True)
            version = (await host.move(shown.match, shown.version, shown.legal[0])).version
            if number // 8 % 2 == 0:
                await host.reach(shown.match, version + 1)
            thinking += any("server.bots.worker" in words for words in running(folder).values())
            await trial.retire(host)
        early += not (folder / "port").exists()
        kind = kinds[number // 2 % 4]
        if kind == signal.SIGINT:
            os.killpg(hub.pid, kind)
        else:
            hub.send_signal(kind)
        row.times += 1
        async with asyncio.timeout(WAIT_S):
            await hub.wait()
        row.resumed_s.append(await asyncio.to_thread(gone, folder))
        said = (folder / "log").read_text()
        # Python itself may be interrupted before anything of ours runs.
        assert "Traceback" not in said or "__main__.py" not in said, said
        assert "worker" not in said, said
    trial.provoked("hubs ended before they were ready", early, row.times, least=0)
    trial.provoked("hubs ended with a worker of the computer", thinking, row.times // 2, least=row.times // 4)
    trial.judged = True


async def test_q18_two_hubs_share_one_store(trial: Trial) -> None:
    """Q18: the hub that started the store is killed: the other one plays on; when that ends, too, the store is gone."""
    stage = trial.stage
    assert isinstance(stage, Embedded)
    row = trial.fault("Q18 one of two hubs killed")
    match, host, guest = await trial.pair(1, 1, options=BIG)
    rng = Random(3)
    await play([host, guest], match, rng, moves=2)
    before = stage.store()
    stage.hubs[0].kill()
    row.times += 1
    await play([host, guest], match, rng, moves=4)
    assert stage.store() == before, "nobody ends what another one uses"
    await trial.check()
    await trial.close()
    stage.hubs[1].kill()
    row.times += 1
    row.resumed_s.append(await asyncio.to_thread(gone, stage.folder))
