"""What a viewer may see of a match: the snapshot, a position to look back at, the record, in the viewer's language.

All viewers see the same position; only `you` and the private key differ, and those are in the snapshot alone. During
a pause the position is hidden from everybody (`CK 5.4.3`, `F2`): whatever shows one goes through `hidden`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from protocol import limits
from protocol.board import SeatStyle
from protocol.errors import Code, Refusal
from protocol.messages import (
    AwayInfo,
    LastMove,
    MatchSummary,
    OfferInfo,
    OwnMatch,
    PauseInfo,
    Position,
    Record,
    Result,
    SeatInfo,
    Snapshot,
    Where,
)
from protocol.messages import Status as StatusName
from protocol.text import Translate
from server.match import lessons
from server.match.actions import permissions
from server.match.asked import Outage
from server.match.fold import Work, after_moves, at_once, going_to
from server.match.sentences import ending_text, position_text, status_text
from server.match.state import Ending, LastPly, Match, Status

_NO_PRESENCE = (False, False)
_NOWHERE: tuple[tuple[Where, int | None], tuple[Where, int | None]] = (("", None), ("", None))
_NAMES: dict[Status, StatusName] = {
    Status.WAITING: "waiting",
    Status.PLAYING: "playing",
    Status.PAUSED: "playing",
    Status.ENDED: "ended",
}


def status_name(match: Match) -> StatusName:
    """The status as clients know it: a paused match is being played, and has a pause besides."""
    return _NAMES[match.status]


def hidden(match: Match) -> bool:
    """Whether nobody may see the position now."""
    return match.status is Status.PAUSED


def result(match: Match, ending: Ending, translate: Translate) -> Result:
    """The end as clients get it (`CK 5.5`)."""
    return Result(
        winner=ending.winner,
        reason=ending.reason,
        text=ending_text(match, ending).render(translate),
        stats=match.clock.stats(),
    )


def away_info(match: Match) -> tuple[AwayInfo, ...]:
    """Who is away, and until when the one whose opponent is there is waited for."""
    absence = match.absence
    stood_for = match.host_seat if absence.stands else None
    return tuple(AwayInfo(seat, absence.until_ms, seat == stood_for) for seat in (0, 1) if absence.away[seat])


def snapshot(
    match: Match,
    player: str,
    translate: Translate,
    now_ms: int,
    *,
    here: tuple[bool, bool] = _NO_PRESENCE,
    places: tuple[tuple[Where, int | None], tuple[Where, int | None]] = _NOWHERE,
    spectators: int = 0,
    key: str | None = None,
    outages: Sequence[Outage] = (),
) -> Snapshot:
    """All that `player` (a seat's holder or a spectator) may see now. `key` must be given for the host alone.

    Clocks are shown with the `outages` excused of which the match has not been told yet.
    """
    game, hide = match.game, hidden(match)
    styles = game.seats(match.params)
    names = [seat.name if seat else None for seat in match.seats]
    over = match.ending is not None
    clock = match.clock.without(outages, match.excused_ms)
    return Snapshot(
        match=match.id,
        version=match.version,
        game=game.name,
        options=dict(match.options),
        status=status_name(match),
        private=match.private,
        created_ms=match.created_ms,
        seats=(
            _seat(styles[0], names[0], here[0] or match.computers[0], places[0]),
            _seat(styles[1], names[1], here[1] or match.computers[1], places[1]),
        ),
        you=match.seats_of(player),
        board=lessons.board(match),
        marks={} if hide else dict(game.marks(match.state)),
        focus=() if hide or over else game.focus(match.state),
        scores=game.scores(match.state),
        # While the match waits, too, like the legal moves: its start is told by an event that has neither.
        to_move=None if over else match.turn,
        legal=() if hide else match.legal,
        text=status_text(match).render(translate),
        resting=() if hide else match.resting,
        plies=match.plies,
        last=None if hide else last_move(match),
        result=result(match, match.ending, translate) if match.ending else None,
        spectators=spectators,
        key=key,
        clock_rule=match.clock.rule,
        now_ms=now_ms,
        clock=clock.left(now_ms),
        clock_from_ms=clock.counts_from_ms(now_ms),
        uncharged=clock.uncharged,
        grace_s=match.grace_ms // 1000,
        offer=OfferInfo(match.offer.kind, match.offer.seat, match.offer.version) if match.offer else None,
        pause=PauseInfo(match.pause.seat, match.pause.until_ms) if match.pause else None,
        away=away_info(match),
        can=permissions(match),
        rematch=match.rematch,
        watchable=match.watchable,
        delay_plies=match.delay_plies,
        level=match.level,
        hints=match.hints,
        lesson=match.lesson,
        review=match.review,
    )


def _seat(style: SeatStyle, name: str | None, here: bool, place: tuple[Where, int | None]) -> SeatInfo:
    where, since_ms = place
    return SeatInfo(style=style, name=name, here=here, where=where, since_ms=since_ms)


def last_move(match: Match) -> LastMove | None:
    """The move played last, as clients get it."""
    return _shown(match, match.last)


def _shown(match: Match, last: LastPly | None) -> LastMove | None:
    if last is None:
        return None
    return LastMove(last.seat, match.game.shown(last.move), last.automatic, match.game.entry(last.move))


def position(match: Match, ply: int, translate: Translate, ref: str) -> Position:
    """The position after the first `ply` moves. Raises Refusal `paused` or `no_such_ply`."""
    if hidden(match):
        raise Refusal(Code.PAUSED)
    if ply > match.plies:
        raise Refusal(Code.NO_SUCH_PLY, plies=match.plies)
    game = match.game
    state, _, last, _ = after_moves(match, match.moves[:ply])
    return Position(
        ref=ref,
        match=match.id,
        ply=ply,
        plies=match.plies,
        marks=dict(game.marks(state)),
        focus=game.focus(state),
        scores=game.scores(state),
        to_move=game.to_move(state),
        text=position_text(match, state).render(translate),
        last=_shown(match, last),
    )


def recording(match: Match, translate: Translate, ref: str, after: int = 0) -> Work[Record]:
    """All that a saved game holds (`RU-M8`), in steps of one move; of long moves as many as fit an answer.

    Raises Refusal `paused` or `no_such_ply`.
    """
    if hidden(match):
        raise Refusal(Code.PAUSED)
    if after > match.plies:
        raise Refusal(Code.NO_SUCH_PLY, plies=match.plies)
    first, second = (seat.name if seat else "" for seat in match.seats)
    moves: list[str] = []
    room = limits.MAX_RECORD
    for move in match.moves[after:]:
        told = match.game.entry(move) or match.game.shown(move)
        room -= len(told)
        if room < 0 and moves:
            break
        moves.append(told)
        yield
    return Record(
        ref=ref,
        match=match.id,
        game=match.game.name,
        options=dict(match.options),
        names=(first, second),
        moves=tuple(moves),
        hash=position_hash(match),
        created_ms=match.created_ms,
        result=result(match, match.ending, translate) if match.ending else None,
        movers=match.movers[after : after + len(moves)],
        after=after,
        plies=match.plies,
        scores=(yield from _scores(match, after, len(moves))),
        less=tuple(ply for ply in match.hurried if after < ply <= after + len(moves)),
        to_move=match.turn,
    )


record = at_once(recording)
"""The same at once."""


def _scores(match: Match, after: int, count: int) -> Work[tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]]:
    """Those after `after` moves, and after each of the `count` that follow; () in a game without scores."""
    game = match.game
    if not game.score_names:
        return ()
    state = (yield from going_to(match, match.moves[:after])).state
    told = [game.scores(state)]
    for move in match.moves[after : after + count]:
        state = game.play(state, move)
        told.append(game.scores(state))
        yield
    return tuple(told)


def position_hash(match: Match) -> str:
    """SHA-256 over marks, scores and turn: the same for the same position, whatever led to it."""
    game = match.game
    marks = sorted((key, mark.seat, mark.piece) for key, mark in game.marks(match.state).items())
    options = sorted(match.options.items())
    plain = msgspec.json.encode([game.name, options, marks, game.scores(match.state), match.turn])
    return hashlib.sha256(plain).hexdigest()


def own_match(
    match: Match,
    player: str,
    translate: Translate,
    now_ms: int,
    ended_ms: int | None,
    here: tuple[bool, bool],
    outages: Sequence[Outage] = (),
) -> OwnMatch:
    """The match's row in the list of one who holds a seat in it; clocks as in `snapshot`."""
    clock = match.clock.without(outages, match.excused_ms)
    styles = match.game.seats(match.params)
    names = [seat.name if seat else None for seat in match.seats]
    return OwnMatch(
        match=match.id,
        game=match.game.name,
        options=dict(match.options),
        status=status_name(match),
        private=match.private,
        created_ms=match.created_ms,
        seats=(
            SeatInfo(style=styles[0], name=names[0], here=here[0]),
            SeatInfo(style=styles[1], name=names[1], here=here[1]),
        ),
        you=match.seats_of(player),
        scores=match.game.scores(match.state),
        to_move=match.to_move,
        plies=match.plies,
        clock_rule=match.clock.rule,
        clock=clock.left(now_ms),
        clock_from_ms=clock.counts_from_ms(now_ms),
        paused=hidden(match),
        ended_ms=ended_ms,
        result=result(match, match.ending, translate) if match.ending else None,
    )


def summary(match: Match) -> MatchSummary:
    """The match's row in the lobby."""
    host, guest = match.seats
    return MatchSummary(
        match=match.id,
        game=match.game.name,
        options=dict(match.options),
        status=status_name(match),
        names=(host.name if host else None, guest.name if guest else None),
        created_ms=match.created_ms,
        clock_rule=match.clock.rule,
        styles=match.game.seats(match.params),
        delay_plies=match.delay_plies,
    )
