"""Frames of one connection: commands on their way out, notifications read on their way in."""

from __future__ import annotations

from collections import deque

from protocol.codec import MSGPACK
from protocol.errors import BadMessage, Code
from protocol.messages import Command, Message

MAX_BAD_FRAMES = 20
"""Unreadable frames on one connection, after which a new connection is better than another try."""


class Wire:
    """Begins anew with each connection."""

    def __init__(self) -> None:
        self._outbox: deque[bytes] = deque()
        self._bad_frames = 0

    def renew(self) -> None:
        """Another connection, or none: what was not sent on the old one is not sent on it."""
        self._outbox.clear()
        self._bad_frames = 0

    def write(self, command: Command) -> None:
        """Put a command behind those that wait to be written."""
        self._outbox.append(MSGPACK.encode(command))

    def frames(self) -> list[bytes]:
        """The frames to write now, in order; each is returned once."""
        frames = list(self._outbox)
        self._outbox.clear()
        return frames

    def read(self, data: bytes | str) -> Message | None:
        """The notification in a frame; None for what cannot be read, which is dropped (`N5`)."""
        try:
            return MSGPACK.decode_notification(data)
        except BadMessage as error:
            # A newer server may say what we do not know; only what cannot be read at all speaks against the path.
            self._bad_frames += error.code != Code.UNKNOWN_MESSAGE
            return None

    def doubt(self) -> None:
        """What was read cannot be: that speaks against the path, too."""
        self._bad_frames += 1

    @property
    def is_bad(self) -> bool:
        """Whether so much was unreadable that another connection is to be tried."""
        return self._bad_frames >= MAX_BAD_FRAMES
