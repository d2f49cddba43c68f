"""Which snapshots, events and positions of a match can be; the part of `protocol.validity` for them. Pure."""

from __future__ import annotations

from collections.abc import Collection

from protocol import limits
from protocol.drawable import (
    Impossible,
    check_board,
    check_count,
    check_entry,
    check_ids,
    check_known,
    check_marks,
    check_moves,
    check_options,
    check_scores,
    check_seat,
    check_seats,
    check_style,
    check_time,
    check_words,
    element_ids,
)
from protocol.messages import (
    Analysis,
    Away,
    AwayInfo,
    Continued,
    Ended,
    Excused,
    Hinted,
    Joined,
    LastMove,
    MatchEvent,
    Moved,
    OfferClosed,
    Offered,
    Paused,
    Position,
    Rematched,
    Replaced,
    Result,
    SeatFreed,
    Snapshot,
)


def check_snapshot(match: Snapshot) -> None:
    """Raise Impossible for a match that cannot be shown."""
    check_board(match.board)
    known = frozenset(element_ids(match.board))
    check_ids((match.match,), "match")
    check_ids((match.game,), "game")
    check_count(match.version, "version", limits.MAX_VERSION)
    for seat in match.seats:
        check_style(seat.style)
        check_words(seat.name)
        check_time(seat.since_ms or 0)
    check_seats(match.you)
    check_marks(match.marks, known)
    _focus(match.focus, known)
    check_scores(match.scores)
    check_seat(match.to_move)
    check_moves(match.legal)
    check_moves(match.resting)
    check_options(match.options)
    _last(match.last)
    check_result(match.result)
    for count in (match.plies, match.spectators, match.grace_s, match.delay_plies, match.lesson, *match.hints):
        check_count(count, "a number of")
    check_words(match.text, match.key, match.rematch)
    for time_ms in (match.created_ms, match.now_ms, match.clock_from_ms):
        check_time(time_ms)
    check_clock(match.clock)
    check_seats(match.uncharged)
    if match.offer is not None:
        check_seat(match.offer.seat)
    if match.pause is not None:
        check_seat(match.pause.seat)
        check_time(match.pause.until_ms)
    _away(match.away)
    for actions in match.can:
        _actions(actions)


def check_event(event: MatchEvent, known: Collection[str] | None) -> None:
    """Raise Impossible for what cannot happen on a board with these elements."""
    check_count(event.version, "version", limits.MAX_VERSION)
    check_time(event.at_ms)
    check_time(event.clock_from_ms)
    check_words(event.text)
    check_clock(event.clock)
    check_seats(event.uncharged or ())
    for actions in event.can or ():
        _actions(actions or ())
    match event:
        case Moved():
            _moved(event, known)
        case Joined():
            _held(event.seat)
            check_words(event.name)
        case SeatFreed() | Offered() | OfferClosed() | Replaced() | Hinted():
            _held(event.seat)
        case Ended():
            check_result(event.result)
        case Paused():
            _held(event.seat)
            check_time(event.until_ms)
        case Continued():
            check_seat(event.seat)
        case Away():
            _away(event.away)
        case Excused():
            check_count(event.outage_ms, "an outage of", limits.MAX_TIME_MS)
        case Rematched():
            check_ids((event.next,), "match")


def _moved(event: Moved, known: Collection[str] | None) -> None:
    _held(event.seat)
    check_moves((event.move,))
    check_entry(event.entry)
    check_seat(event.to_move)
    if known is not None:
        check_marks(event.marks, known)
        _focus(event.focus or (), known)
    if event.legal is not None:
        check_moves(event.legal.add)
        check_moves(event.legal.drop)
    if event.scores is not None:
        check_scores(event.scores)


def check_position(position: Position, known: Collection[str] | None) -> None:
    """The same for a position that is looked back at."""
    check_count(position.ply, "ply")
    check_count(position.plies, "plies:")
    if known is not None:
        check_marks(position.marks, known)
        _focus(position.focus, known)
    check_scores(position.scores)
    check_seat(position.to_move)
    check_words(position.text)
    _last(position.last)


def check_analysis(analysis: Analysis) -> None:
    """The same for what is said of a position."""
    check_count(analysis.version, "version", limits.MAX_VERSION)
    check_count(analysis.ply, "ply")
    check_count(analysis.plies, "plies:")
    check_seat(analysis.to_move)
    check_moves([move for move in (analysis.move, analysis.played) if move])
    check_words(analysis.match, analysis.text, analysis.played_text)
    if abs(analysis.lead or 0) > limits.MAX_LEAD:
        raise Impossible(f"a lead of {analysis.lead}")


def _focus(focus: Collection[str], known: Collection[str]) -> None:
    if len(focus) > limits.MAX_ELEMENTS:
        raise Impossible(f"{len(focus)} regions in focus")
    check_known(focus, known, "region")


def _held(seat: int) -> None:
    check_seats((seat,))


def _last(last: LastMove | None) -> None:
    if last is not None:
        _held(last.seat)
        check_moves((last.move,))
        check_entry(last.entry)


def check_result(result: Result | None) -> None:
    """The same for the end."""
    if result is not None:
        check_seat(result.winner)
        check_words(result.reason, result.text)
        for stats in result.stats:
            check_count(stats.moves, "moves:")
            check_count(stats.average_ms, "an average of", limits.MAX_TIME_MS)


def _away(away: Collection[AwayInfo]) -> None:
    check_seats([info.seat for info in away])
    for info in away:
        check_time(info.until_ms or 0)


def check_clock(clock: tuple[int, int] | None) -> None:
    for left_ms in clock or ():
        if abs(left_ms) > limits.MAX_TIME_MS:
            raise Impossible(f"a clock at {left_ms} ms")


def _actions(actions: Collection[str]) -> None:
    if len(actions) > limits.MAX_ACTIONS:
        raise Impossible(f"{len(actions)} actions")
    check_words(*actions)
