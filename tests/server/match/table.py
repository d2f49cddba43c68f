"""Matches to try the machine on: made by commands, at times that the test names."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from protocol.errors import Refusal
from protocol.messages import ClockRule
from server.games import load_catalogue
from server.match.asked import Asked, Outage
from server.match.commands import Answer, Join, MatchCommand, Offer, Play, TakeHint, Withdraw
from server.match.machine import create, decide, open_match
from server.match.state import Match

CATALOGUE = load_catalogue()
HOST, GUEST, STRANGER = "host", "guest", "stranger"
PLAYERS = (HOST, GUEST)
START_MS = 10_000


def new(game: str = "dots-and-boxes", **settings: Any) -> Match:
    """A match that HOST has just opened at START_MS."""
    event = create(CATALOGUE[game], settings.pop("options", {}), "Ana", Asked(HOST, "create", START_MS), **settings)
    return open_match("m", event, CATALOGUE)


def started(game: str = "dots-and-boxes", clock: ClockRule | None = None, **settings: Any) -> Match:
    """A match between HOST and GUEST that began at START_MS."""
    return do(new(game, clock=clock, **settings), Join("Bob"), GUEST, START_MS)


def as_seen(match: Match, command: MatchCommand) -> MatchCommand:
    """The command as one gives it who has seen the match as it is, unless it says what was seen."""
    if isinstance(command, Answer | Withdraw) and not command.offer and match.offer is not None:
        return structs.replace(command, offer=match.offer.version)
    if isinstance(command, TakeHint):
        return structs.replace(command, version=match.version)
    if isinstance(command, Offer) and command.version is None:
        return structs.replace(command, version=match.version)
    return command


def do(
    match: Match, command: MatchCommand, player: str = "", at_ms: int = START_MS, outages: tuple[Outage, ...] = ()
) -> Match:
    """The match after a command that is granted."""
    happened = decide(match, as_seen(match, command), Asked(player, "r", at_ms, outages))
    return happened[-1].after if happened else match


def play(match: Match, at_ms: int = START_MS, move: str | None = None) -> Match:
    """The match after a move by whoever's turn it is: the first legal one, unless named."""
    seat = match.seats[match.to_move if match.to_move is not None else 0]
    assert seat is not None
    return do(match, Play(match.version, move or match.legal[0]), seat.player, at_ms)


def play_out(match: Match, at_ms: int = START_MS) -> Match:
    """The match played to its end."""
    while match.to_move is not None:
        match = play(match, at_ms)
    return match


def code(
    match: Match, command: MatchCommand, player: str, at_ms: int = START_MS, outages: tuple[Outage, ...] = ()
) -> str:
    """The code with which a command is refused."""
    with pytest.raises(Refusal) as refused:
        decide(match, as_seen(match, command), Asked(player, "r", at_ms, outages))
    return refused.value.code
