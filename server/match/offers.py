"""Handlers for offers: one mechanism for draw, takeback, restart, revert and rematch (`RU-M3`, `RU-M6`, `RU-M7`).

An offer is open until it is answered, withdrawn, or either player moves. Whoever answers or withdraws names it by the
version at which it was made, so that nobody agrees to what came in its place (`Q1`). The same offer by the opponent,
made in the same position, accepts it. Where one person decides alone, what is offered happens at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.errors import Code, Refusal
from server.match import lessons
from server.match.actions import demand
from server.match.asked import Asked, acting_seat, ended, position_seen
from server.match.commands import Answer, MatchCommand, Offer, Withdraw
from server.match.events import AnyEvent, EndReason, OfferEnded, OfferMade, PositionReplaced, RematchAgreed
from server.match.fold import Work, going_to, parted
from server.match.state import Match, OpenOffer


def offer(match: Match, command: MatchCommand, by: Asked) -> Work[Sequence[AnyEvent]]:
    """Something is offered, or, if the opponent offers the same, agreed. In steps of one move."""
    assert isinstance(command, Offer)
    seat = acting_seat(match, by)
    wish = OpenOffer(seat, command.kind, command.moves)
    if match.offer is not None and _same(match.offer, wish):
        return ()
    demand(match, seat, f"offer_{command.kind}")
    if match.solo:
        return (yield from _consequence(match, wish, by, command.next_match))
    if command.kind == "revert":
        yield from going_to(match, command.moves)
    if command.kind != "rematch":
        position_seen(match, command.version)
    if match.offer is not None:
        if not _agrees(match.offer, command):
            raise Refusal(Code.OFFER_OPEN)
        return (yield from _agreed(match, match.offer, by, command.next_match))
    keep, moves = parted(match, command.moves) if command.kind == "revert" else (None, ())
    made = OfferMade(
        at_ms=by.now_ms, player=by.player, ref=by.ref, seat=seat, kind=command.kind, moves=moves, keep=keep
    )  # fmt: skip
    return (made,)


def answer(match: Match, command: MatchCommand, by: Asked) -> Work[Sequence[AnyEvent]]:
    """The opponent's offer is accepted or declined (`CK R4.5`). In steps of one move."""
    assert isinstance(command, Answer)
    _demand_named(match, acting_seat(match, by), "answer", command.offer)
    assert match.offer is not None
    if command.accept:
        return (yield from _agreed(match, match.offer, by, command.next_match))
    return (OfferEnded(at_ms=by.now_ms, player=by.player, ref=by.ref, fate="declined"),)


def withdraw(match: Match, command: MatchCommand, by: Asked) -> Sequence[AnyEvent]:
    """The own offer is taken back."""
    assert isinstance(command, Withdraw)
    _demand_named(match, acting_seat(match, by), "withdraw", command.offer)
    return (OfferEnded(at_ms=by.now_ms, player=by.player, ref=by.ref, fate="withdrawn"),)


def _demand_named(match: Match, seat: int, action: str, named: int) -> None:
    """Refuse `action` about an offer that is not the open one, before anything is said of whose that is."""
    if match.offer is not None and match.offer.version != named:
        raise Refusal(Code.STALE_OFFER, offer=match.offer.version)
    demand(match, seat, action)


def _same(offer: OpenOffer, wish: OpenOffer) -> bool:
    return (offer.seat, offer.kind, offer.moves) == (wish.seat, wish.kind, wish.moves)


def _agrees(offer: OpenOffer, command: Offer) -> bool:
    """Whether who asks for `command` wants what is offered, in the position in which it is (which has been seen).

    A rematch is the same in every position. That it is another's move that a takeback takes back is in its condition.
    """
    seen = command.version is not None or command.kind == "rematch"
    return seen and offer.kind == command.kind and offer.moves == command.moves


def _agreed(match: Match, wish: OpenOffer, by: Asked, next_match: str) -> Work[Sequence[AnyEvent]]:
    accepted = OfferEnded(at_ms=by.now_ms, player=by.player, ref=by.ref, fate="accepted")
    return (accepted, *(yield from _consequence(match, wish, by, next_match)))


def _consequence(match: Match, wish: OpenOffer, by: Asked, next_match: str) -> Work[Sequence[AnyEvent]]:
    at_ms, player, ref = by.now_ms, by.player, by.ref
    match wish.kind:
        case "draw":
            return (ended(by, EndReason.AGREED),)
        case "rematch":
            return (RematchAgreed(at_ms=at_ms, player=player, ref=ref, next=next_match),)
        case "takeback":
            moves = match.moves[: _last_own_ply(match, wish.seat)]
        case "restart":
            moves = lessons.start(match)
        case "revert":
            moves = wish.moves
    keep, rest = parted(match, moves)
    replaced = PositionReplaced(
        at_ms=at_ms, player=player, ref=ref, seat=wish.seat, by=wish.kind, moves=rest, keep=keep
    )  # fmt: skip
    outcome = match.game.outcome((yield from going_to(match, moves)).state)
    return (replaced,) if outcome is None else (replaced, ended(by, outcome.reason, winner=outcome.winner))


def _last_own_ply(match: Match, seat: int) -> int:
    """Where the last move that `seat` made lies; for two at one keyboard, the last move of either."""
    if match.both_seats:
        return match.plies - 1
    return match.plies - 1 - match.movers[::-1].index(seat)
