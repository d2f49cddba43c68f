"""A real Redis and a viewer that writes down what it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.codec import MSGPACK
from protocol.messages import Message
from server.hub.viewers.viewer import Viewer, form_for
from tests.driver import RedisProcess


class Reader(Viewer):
    """A viewer without a connection."""

    def __init__(self, player: str, name: str) -> None:
        self.player = player
        self.name = name
        self.form = form_for(MSGPACK)
        self.received: list[Message] = []

    def send(self, message: Message) -> None:
        self.received.append(message)

    def send_shared(self, frame: bytes, source: str) -> None:
        header = 2 if frame[1] < 126 else 4
        self.received.append(MSGPACK.decode_notification(frame[header:]))


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    """A Redis for the tests of one file; each test has matches of its own."""
    folder: Path = tmp_path_factory.mktemp("redis")
    process = RedisProcess(folder)
    process.start()
    try:
        yield process
    finally:
        process.stop()
