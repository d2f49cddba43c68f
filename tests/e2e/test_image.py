"""The container image: a whole match is played against it, and an evening that goes on when it was stopped and started.

`PARLOUR_IMAGE` says how to run it, up to the hub's own options: `podman run --rm --network host --volume
v:/var/lib/parlour parlour`, or where none may be run `buildah run --isolation chroot --user parlour CONTAINER
parlour-server`.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Iterator

import pytest

from protocol.messages import Ended
from tests.driver import WAIT_S, Client, wait_for
from tests.evening import goes_on, play
from tests.whole_match import play_out

HOW = os.environ.get("PARLOUR_IMAGE", "").split()
pytestmark = pytest.mark.skipif(not HOW, reason="PARLOUR_IMAGE does not say how to run the image of `make image`")


class Container:
    """A hub in it, on a port of this machine, with its store in the image's own folder."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"ws://127.0.0.1:{self.port}/ws"

    def start(self) -> None:
        """Start it and wait until it is ready."""
        words = ["--host", "127.0.0.1", "--port", str(self.port), "--data", "/var/lib/parlour"]
        self.process = subprocess.Popen([*HOW, *words], start_new_session=True)
        wait_for(self._ready, 4 * WAIT_S)

    def _ready(self) -> bool:
        assert self.process.poll() is None
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/ready", timeout=WAIT_S) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def stop(self) -> None:
        """End it as whatever runs containers does."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(WAIT_S)


@pytest.fixture
def container() -> Iterator[Container]:
    made = Container()
    made.start()
    try:
        yield made
    finally:
        made.stop()


async def test_a_whole_match_and_an_evening_that_goes_on(container: Container) -> None:
    players = [await Client.open(container.url, name) for name in ("Dora", "Emil")]
    begun = await play_out(players, dots=2)
    ended = [await player.expect(Ended) for player in players]
    assert ended[0].result == ended[1].result
    assert sum(stats.moves for stats in ended[0].result.stats) == len(begun.legal)
    for player in players:
        await player.close()

    evening = await play(container.url, container.url)
    await asyncio.to_thread(container.stop)
    container.start()
    await goes_on(container.url, container.url, evening)
