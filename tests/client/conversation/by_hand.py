"""A session, and a server that a test plays by hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from client.conversation.events import Event
from client.conversation.session import Session
from protocol.codec import MSGPACK
from protocol.messages import (
    Hello,
    Message,
    Move,
    Notification,
    Welcome,
)


@dataclass
class Wire:
    """A session, and a server that a test plays by hand."""

    session: Session = field(default_factory=lambda: Session("Ada", prefix="p"))
    now: float = 100.0

    def commands(self) -> list[Message]:
        """What the session has written since the last look."""
        return [MSGPACK.decode_command(frame) for frame in self.session.data_to_send()]

    def tell(self, *notifications: Notification) -> None:
        for one in notifications:
            self.session.receive(MSGPACK.encode(one), self.now)

    def later(self, seconds: float) -> None:
        self.now += seconds
        self.session.tick(self.now)

    def connect(self, **welcome: object) -> None:
        """Open a connection and be welcomed; leaves what the session wrote after that to be looked at."""
        self.session.opened(self.now)
        hello = self.commands()[-1]
        assert isinstance(hello, Hello)
        self.tell(Welcome(ref=hello.ref, player="id", name="Ada", token="secret", **welcome))  # type: ignore[arg-type]

    def lose(self) -> None:
        self.session.closed(self.now, "The connection was lost.")

    def happened(self) -> list[Event]:
        return self.session.events()

    def happened_of(self, *kinds: type) -> list[Event]:
        return [event for event in self.session.events() if isinstance(event, kinds)]


def move(ref: str, version: int = 2) -> Move:
    return Move(ref=ref, match="m1", version=version, move="a1-b1")
