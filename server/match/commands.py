"""What may be asked of a match. Who asks is never in a command: it is an argument of `machine.decide`."""

from __future__ import annotations

import msgspec

from protocol.messages import OfferKind


class MatchCommand(msgspec.Struct, frozen=True):
    """Base of all commands to a match."""


# Players' -------------------------------------------------------------------------------------------------------------


class Join(MatchCommand, frozen=True):
    """Take the free seat under `name` (`CK R1.5`, `R1.6`).

    A host who has lost the connection is waited for until `host_until_ms` (shared clock); None when the host is here.
    """

    name: str
    host_until_ms: int | None = None


class Leave(MatchCommand, frozen=True):
    """Go away without giving up: frees a guest's seat before the first move, cancels a host's waiting match."""


class Cancel(MatchCommand, frozen=True):
    """The host takes back a waiting match."""


class Play(MatchCommand, frozen=True):
    """Play `move` in the position of `version` (`hurried`: see `MovePlayed`)."""

    version: int
    move: str
    hurried: bool = False


class Abandon(MatchCommand, frozen=True):
    """Give up, in turn or not (`CK R4.3`), having seen the match up to `version` (None: that is not said)."""

    version: int | None = None


class Offer(MatchCommand, frozen=True):
    """Offer the opponent something, in the position of `version` (None: in whatever position there is).

    `next_match` is a new match's id, used when a rematch comes of it.
    """

    kind: OfferKind
    moves: tuple[str, ...] = ()
    next_match: str = ""
    version: int | None = None


class Answer(MatchCommand, frozen=True):
    """Accept or decline the opponent's offer that was made at version `offer`; `next_match` as in Offer."""

    accept: bool
    next_match: str = ""
    offer: int = 0


class Withdraw(MatchCommand, frozen=True):
    """Take back the own offer that was made at version `offer`."""

    offer: int = 0


class Pause(MatchCommand, frozen=True):
    """Stop the clocks and hide the position."""


class Continue(MatchCommand, frozen=True):
    """End the own pause."""


class WaitLonger(MatchCommand, frozen=True):
    """Give the opponent who is away, as of `version` (None: whenever that began), another minute."""

    version: int | None = None


class CallDraw(MatchCommand, frozen=True):
    """Call the match a draw while the opponent is away, both as of `version` (None: as it is now)."""

    version: int | None = None


# The server's own -----------------------------------------------------------------------------------------------------


class TakeHint(MatchCommand, frozen=True):
    """Tell who is to move in the position of `version` that `move` is best there."""

    version: int
    move: str


class Expire(MatchCommand, frozen=True):
    """Nobody holds the waiting match open any longer."""


class Relay(MatchCommand, frozen=True):
    """Take `entry` into a match of the relay game, said by one who plays on `seat`; the table's holder asks it."""

    seat: int
    entry: str


class Stop(MatchCommand, frozen=True):
    """The operator ends the match."""


class Notice(MatchCommand, frozen=True):
    """Look at the match: who is connected (None: it is not known), which outage is to be excused, what time has run
    out.

    Who is newly away has been missed for `missed_ms` already. What ran out less than `slack_ms` ago is left for the
    next look: a command that came in time may still be on its way to the log, from another hub (`RU-M2`).
    """

    here: tuple[bool, bool] | None = None
    missed_ms: int = 0
    slack_ms: int = 0
