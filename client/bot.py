"""Carries a `protocol.player.Player` over a session, so that who writes a bot writes a subclass of Player and no more.

class Eager(Player):
    def receive_start(self, snapshot): ...
    ...

await play(parse_address("127.0.0.1"), "Eager", Eager, game="dots-and-boxes")
"""

from __future__ import annotations

from collections.abc import Callable

from client.conversation.address import Address
from client.conversation.events import Event, Settled
from client.conversation.position import advance
from client.conversation.session import Session
from client.conversation.transport import Transport
from protocol.messages import Ended, MatchEvent, Moved, Options, Presence, Refused, Snapshot, Welcome
from protocol.player import Player, Send

PLAYERS_DOING = frozenset({"forfeit", "abandoned", "aborted", "cancelled", "expired"})
"""Reasons of an end that players caused, told by `receive_abandonment`; all others are the game's own."""


class Carrier:
    """Hands a session's events to a player, in the match's order and never two at a time.

    `position` is the match after the last event, for a player who wants more than what changed; `over` is set at its
    end, and `refusal` by the last command that was refused.
    """

    def __init__(self, session: Session, make_player: Callable[[Send], Player]) -> None:
        self._session = session
        self.player = make_player(session.send)
        self.position: Snapshot | None = None
        self.refusal: Refused | None = None
        self.over = False

    def pump(self) -> tuple[Event, ...]:
        """Take what the session has to tell and hand it on; returns it too."""
        happened = tuple(self._session.events())
        for event in happened:
            self._hand_on(event)
        return happened

    def _hand_on(self, event: Event) -> None:
        match event:
            case Snapshot():
                self.position = event
                if event.status == "playing":
                    self.player.receive_start(event)
                elif event.status == "ended" and event.result is not None:
                    self._end(Ended(match=event.match, version=event.version, at_ms=0, result=event.result))
            case MatchEvent() | Presence() if self.position is not None:
                before, self.position = self.position, advance(self.position, event)
                if isinstance(event, Moved):
                    self.player.receive_move(event)
                elif isinstance(event, Ended):
                    self._end(event)
                elif before.status == "waiting" and self.position.status == "playing":
                    self.player.receive_start(self.position)
            case Settled(answer=Refused() as answer) | (Refused() as answer):
                self.refusal = answer
            case _:
                pass

    def _end(self, ended: Ended) -> None:
        if self.over:
            return
        self.over = True
        if ended.result.reason in PLAYERS_DOING:
            self.player.receive_abandonment(ended)
        else:
            self.player.receive_end(ended)


async def play(
    address: Address,
    name: str,
    make_player: Callable[[Send], Player],
    *,
    game: str,
    options: Options | None = None,
    token: str | None = None,
) -> Carrier:
    """One match of `game` from start to end at the server at `address`; lost connections are come back from."""
    session = Session(name, token, client="bot")
    carrier = Carrier(session, make_player)

    def notify() -> None:
        for event in carrier.pump():
            if isinstance(event, Welcome) and carrier.position is None and not session.pending:
                carrier.player.start(game, options)
        if carrier.over:
            transport.stop()
        transport.flush()

    transport = Transport(address, session, notify)
    await transport.run()
    return carrier
