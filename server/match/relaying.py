"""The handler of the relay: what a program says is taken into the log as it is, whoever's turn it may be.

Five programs can sit at a table, a match has two seats. So one holder, the table, has both seats, as two people at one
computer do; the first player's moves stand on seat 0 and those of all others on seat 1, and who exactly said what is in
the entry (`server.games.relay`). Thereby log, order, store, lobby, watching and looking back are those of every match,
and nothing in the core knows of a third player.
"""

from __future__ import annotations

from collections.abc import Sequence

from server.match.asked import Asked, ended, own_seats
from server.match.commands import MatchCommand, Relay
from server.match.events import AnyEvent, MovePlayed
from server.match.state import Match


def relay(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """The entry, and the end if it tells one. No turn is looked at and no version: the log alone gives the order."""
    assert isinstance(command, Relay)
    own_seats(match, by)
    state = match.game.play(match.state, command.entry)
    played = MovePlayed(at_ms=by.now_ms, player=by.player, ref=by.ref, seat=command.seat, move=command.entry)
    outcome = match.game.outcome(state)
    return (played,) if outcome is None else (played, ended(by, outcome.reason, winner=outcome.winner))
