"""A player over the client's own session and model, as the terminal client has them."""

from __future__ import annotations

from random import Random

from client.conversation.position import advance
from protocol.messages import Ended, Moved, Snapshot
from protocol.player import Player, Send


class AtRandom(Player):
    """Plays any legal move until the game is over; `result` is how it ended."""

    def __init__(self, send: Send) -> None:
        super().__init__(send)
        self.position: Snapshot | None = None
        self.result: str = ""
        self._random = Random(1)

    def receive_start(self, snapshot: Snapshot) -> None:
        self.position = snapshot
        self._go_on()

    def receive_move(self, moved: Moved) -> None:
        assert self.position is not None
        self.position = advance(self.position, moved)
        self._go_on()

    def receive_abandonment(self, ended: Ended) -> None:
        raise AssertionError(ended)

    def receive_end(self, ended: Ended) -> None:
        self.result = ended.result.reason

    def _go_on(self) -> None:
        position = self.position
        assert position is not None
        if position.to_move in position.you and position.legal:
            self.move(position.match, position.version, self._random.choice(position.legal))
