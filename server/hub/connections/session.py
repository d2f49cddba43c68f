"""One connection's conversation as a sans-I/O machine: bytes in, a command or a refusal out."""

from __future__ import annotations

from protocol.codec import Codec
from protocol.errors import BadMessage, Code, ParlourError
from protocol.messages import Command, Hello, Message

MAX_UNREADABLE = 100
"""So many more unreadable messages than readable ones close the connection: it speaks something else."""


class Session:
    """Knows whether hello was said and how much nonsense came; the caller does the input and output."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self.greeted = False
        self._unreadable = 0

    @property
    def hopeless(self) -> bool:
        """Whether so much was unreadable that the connection should be closed."""
        return self._unreadable >= MAX_UNREADABLE

    def receive(self, data: bytes | str | Command) -> Command:
        """The command in `data`, which may be read already. Raises BadMessage, or ParlourError for hello said too late
        or twice."""
        try:
            message: Message = data if isinstance(data, Command) else self.codec.decode_command(data)
        except BadMessage:
            self._unreadable += 1
            raise
        assert isinstance(message, Command)
        if isinstance(message, Hello) is self.greeted:
            self._unreadable += 1
            error = ParlourError(Code.HELLO_TWICE if self.greeted else Code.HELLO_FIRST)
            error.data["ref"] = message.ref
            raise error
        self.read_one()
        return message

    def read_one(self) -> None:
        """One message more was readable."""
        if self._unreadable:
            self._unreadable -= 1
