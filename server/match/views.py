"""What a viewer may see of a match: the snapshot, and each event as a notification, in the viewer's language.

All viewers see the same position; only `you` and the private key differ, and those are in the snapshot alone. So an
event has one form for each language, and is encoded once for all who read that language.
"""

from __future__ import annotations

from protocol.legal import legal_change
from protocol.messages import (
    Ended,
    Joined,
    LastMove,
    MatchEvent,
    MatchSummary,
    Moved,
    Result,
    SeatFreed,
    SeatInfo,
    Snapshot,
)
from protocol.text import N_, Text, Translate, text
from server.match.events import Created, EndReason, MatchEnded, MovePlayed, SeatLeft, SeatTaken
from server.match.machine import Step
from server.match.state import Ending, Match, Status

_ENDINGS = {
    EndReason.ABANDONED: N_("{loser} gave up. {winner} wins."),
    EndReason.ABORTED: N_("{loser} left before the first move. Nobody wins."),
    EndReason.CANCELLED: N_("{loser} took the match back."),
    EndReason.EXPIRED: N_("The host did not come back. The match is cancelled."),
}
_NO_PRESENCE = (False, False)


def status_text(match: Match) -> Text:
    """The one sentence above the board: a prompt to start, whose turn it is, or how it ended (`DB 7.1.1.3`)."""
    if match.ending is not None:
        return ending_text(match, match.ending)
    if match.status is Status.WAITING:
        return Text(match.game.prompt)
    return match.game.status(match.state)


def ending_text(match: Match, ending: Ending) -> Text:
    """The sentence that announces the end (`DB 7.3.1.3`, `CK R4.4`, `UD RF7`)."""
    template = _ENDINGS.get(ending.reason)  # type: ignore[call-overload]
    if template is None:
        outcome = match.game.outcome(match.state)
        return outcome.text if outcome is not None else text(N_("The match is over."))
    names = [seat.name if seat else "" for seat in match.seats]
    loser = names[ending.by] if ending.by is not None else ""
    winner = names[ending.winner] if ending.winner is not None else ""
    return text(template, loser=loser, winner=winner)


def result(match: Match, translate: Translate) -> Result | None:
    """The end as clients get it; None while the match goes on."""
    ending = match.ending
    if ending is None:
        return None
    return Result(winner=ending.winner, reason=ending.reason, text=ending_text(match, ending).render(translate))


def snapshot(
    match: Match,
    player: str,
    translate: Translate,
    *,
    here: tuple[bool, bool] = _NO_PRESENCE,
    spectators: int = 0,
    key: str | None = None,
) -> Snapshot:
    """All that `player` (a seat's holder or a spectator) may see now. `key` must be given for the host alone."""
    game = match.game
    styles = game.seats(match.params)
    return Snapshot(
        match=match.id,
        version=match.version,
        game=game.name,
        options=dict(match.options),
        status=match.status.value,
        private=match.private,
        created_ms=match.created_ms,
        seats=(
            SeatInfo(style=styles[0], name=match.seats[0].name if match.seats[0] else None, here=here[0]),
            SeatInfo(style=styles[1], name=match.seats[1].name if match.seats[1] else None, here=here[1]),
        ),
        you=match.seats_of(player),
        board=game.board(match.params),
        marks=dict(game.marks(match.state)),
        focus=game.focus(match.state) if match.ending is None else (),
        scores=game.scores(match.state),
        # While the match waits, too, like the legal moves: its start is told by an event that has neither.
        to_move=match.turn if match.ending is None else None,
        legal=match.legal,
        text=status_text(match).render(translate),
        resting=match.rested,
        plies=match.plies,
        last=LastMove(match.last.seat, match.last.move, match.last.automatic) if match.last else None,
        result=result(match, translate),
        spectators=spectators,
        key=key,
    )


def notification(step: Step, translate: Translate) -> MatchEvent:
    """One event as everybody who reads this language is told it. Raises ValueError for a match's creation."""
    before, event, after = step
    match event:
        case MovePlayed():
            assert before is not None
            return _moved(before, event, after, translate)
        case SeatTaken(seat=seat, name=name):
            return Joined(
                match=after.id, version=after.version, at_ms=event.at_ms, seat=seat, name=name,
                status=after.status.value, text=status_text(after).render(translate),
            )  # fmt: skip
        case SeatLeft(seat=seat):
            return SeatFreed(
                match=after.id, version=after.version, at_ms=event.at_ms, seat=seat,
                text=status_text(after).render(translate),
            )  # fmt: skip
        case MatchEnded():
            ended = result(after, translate)
            assert ended is not None
            return Ended(match=after.id, version=after.version, at_ms=event.at_ms, result=ended)
        case Created():
            raise ValueError("a match's creation is told by its snapshot")


def _moved(before: Match, event: MovePlayed, after: Match, translate: Translate) -> Moved:
    game = after.game
    scores = game.scores(after.state)
    focus = game.focus(after.state)
    return Moved(
        match=after.id,
        version=after.version,
        at_ms=event.at_ms,
        seat=event.seat,
        move=event.move,
        marks=dict(game.changes(before.state, after.state)),
        to_move=after.turn,
        legal=legal_change(after.legal_set, before.legal_set, before.rested),
        text=game.status(after.state).render(translate),
        scores=None if scores == game.scores(before.state) else scores,
        focus=None if focus == game.focus(before.state) else focus,
        automatic=event.automatic,
    )


def summary(match: Match) -> MatchSummary:
    """The match's row in the lobby."""
    host, guest = match.seats
    return MatchSummary(
        match=match.id,
        game=match.game.name,
        options=dict(match.options),
        status=match.status.value,
        names=(host.name if host else None, guest.name if guest else None),
        created_ms=match.created_ms,
    )
