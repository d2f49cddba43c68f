"""What the user sees, as one frozen value. `update(model, event)` is pure: the same events give the same screen.

A match on screen is its last Snapshot brought forward by `advance`, event by event, so that a fresh snapshot and a
chain of events cannot differ in form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from client.events import Event, Latency, Left, NewGuest, Offline, Sent, Settled
from client.position import Happening, advance, happening
from protocol import limits
from protocol.messages import (
    Accepted,
    Cancel,
    Command,
    Ended,
    GameInfo,
    GoingAway,
    LobbyChange,
    LobbyState,
    MatchEvent,
    MatchSummary,
    Move,
    Moved,
    Presence,
    Refused,
    Snapshot,
    Welcome,
)

MAX_HAPPENINGS = 60
"""Lines of what happened that are kept; a panel shows the newest."""


class Link(Enum):
    """The connection: NEW before the first welcome, then UP or DOWN."""

    NEW = "new"
    UP = "up"
    DOWN = "down"


@dataclass(frozen=True)
class Notice:
    """A sentence for the user beside the match: a refusal, or news about the connection."""

    text: str = ""
    code: str = ""
    number: int = 0
    """Counts up, so that the same sentence twice is two notices."""


@dataclass(frozen=True)
class Mine:
    """A match of the user's that goes on; game and names are "" and () while they are not known."""

    match: str
    game: str = ""
    names: tuple[str | None, ...] = ()


@dataclass(frozen=True)
class Model:
    """Everything on screen but the cursor and what is half typed."""

    link: Link = Link.NEW
    down_since: float | None = None
    """Since when there is no connection, in seconds of the session's clock."""
    down_reason: str = ""
    latency_ms: float | None = None
    server_minus_now_ms: float | None = None
    name: str = ""
    player: str = ""
    games: Mapping[str, GameInfo] = field(default_factory=dict)
    lobby: tuple[MatchSummary, ...] | None = None
    """The public matches, newest first; None until they were told."""
    lobby_total: int = 0
    mine: tuple[Mine, ...] = ()
    match: Snapshot | None = None
    happenings: tuple[Happening, ...] = ()
    pending: tuple[Command, ...] = ()
    notice: Notice = Notice()

    @property
    def pending_moves(self) -> tuple[str, ...]:
        """The user's moves that are sent and not yet confirmed: shown as such, for nothing counts until it is stored.

        The event of a move may come before its answer; from then on it is no longer pending.
        """
        match = self.match
        if match is None:
            return ()
        return tuple(
            command.move
            for command in self.pending
            if isinstance(command, Move) and command.match == match.match and command.version >= match.version
        )

    @property
    def next_version(self) -> int:
        """The version that the position will have when all pending moves are confirmed: where the next one goes."""
        return (self.match.version if self.match is not None else 0) + len(self.pending_moves)

    @property
    def plays(self) -> bool:
        """Whether the user holds a seat in the match on screen."""
        return self.match is not None and bool(self.match.you)

    @property
    def holds_both(self) -> bool:
        """Whether two people at this keyboard play each other (`DB 1.8`)."""
        return self.match is not None and len(self.match.you) == 2

    @property
    def is_my_turn(self) -> bool:
        """Whether the match is being played and waits for a move from here."""
        match = self.match
        return match is not None and match.status == "playing" and match.to_move in match.you

    @property
    def viewer_seat(self) -> int | None:
        """From whose side the board is seen: the only seat held, else None."""
        return self.match.you[0] if self.match is not None and len(self.match.you) == 1 else None


def update(model: Model, event: Event) -> Model:
    """The model after `event`."""
    match event:
        case Sent(command):
            # What was said about an earlier try is of no interest once a new one is made.
            return replace(model, pending=(*model.pending, command), notice=Notice(number=model.notice.number))
        case Settled(command, answer):
            return _settled(model, command, answer)
        case Offline(since, reason):
            first = since if model.down_since is None else model.down_since
            link = Link.NEW if model.link is Link.NEW else Link.DOWN
            return replace(model, link=link, down_since=first, down_reason=reason, latency_ms=None)
        case Latency(round_trip_ms, server_minus_now_ms):
            return replace(model, latency_ms=round_trip_ms, server_minus_now_ms=server_minus_now_ms)
        case Left(match_id):
            return _left(model, match_id)
        case NewGuest():
            return _notice(model, "The server does not know you any more: you come as a new guest.")
        case Welcome():
            return _welcomed(model, event)
        case LobbyState(matches=rows, total=total):
            return replace(model, lobby=_newest_first(rows), lobby_total=max(total, len(rows)))
        case LobbyChange():
            return _lobby_changed(model, event)
        case Snapshot():
            return _snapshot(model, event)
        case Presence() | MatchEvent():
            return _advanced(model, event)
        case GoingAway(text=text):
            return _notice(model, text)
        case Refused(text=text, code=code):
            return _notice(model, text, code)
        case _:
            return model


def _notice(model: Model, text: str, code: str = "") -> Model:
    return replace(model, notice=Notice(text, code, model.notice.number + 1))


def _settled(model: Model, command: Command, answer: Accepted | Refused) -> Model:
    model = replace(model, pending=tuple(waiting for waiting in model.pending if waiting.ref != command.ref))
    if isinstance(answer, Refused):
        return _notice(model, answer.text, answer.code)
    if isinstance(command, Cancel):
        return replace(model, mine=_without(model.mine, command.match))
    return model


def _welcomed(model: Model, welcome: Welcome) -> Model:
    known = {mine.match: mine for mine in model.mine}
    back = model.link is Link.DOWN
    model = replace(
        model,
        link=Link.UP,
        down_since=None,
        down_reason="",
        name=welcome.name,
        player=welcome.player,
        games={game.name: game for game in welcome.games},
        mine=tuple(known.get(match, Mine(match)) for match in welcome.matches),
    )
    return _notice(model, "Connected again.") if back else model


def _newest_first(rows: tuple[MatchSummary, ...]) -> tuple[MatchSummary, ...]:
    return tuple(sorted(rows, key=lambda row: row.created_ms, reverse=True)[: limits.LOBBY_ROWS])


def _lobby_changed(model: Model, change: LobbyChange) -> Model:
    rows = {row.match: row for row in model.lobby or ()}
    before = len(rows)
    for gone in change.gone:
        rows.pop(gone, None)
    rows.update((row.match, row) for row in change.put)
    total = max(model.lobby_total + len(rows) - before, len(rows))
    return replace(model, lobby=_newest_first(tuple(rows.values())), lobby_total=total)


def _snapshot(model: Model, snapshot: Snapshot) -> Model:
    if model.match is None or model.match.match != snapshot.match:
        model = replace(model, happenings=(), notice=Notice(number=model.notice.number))
    mine = _without(model.mine, snapshot.match)
    if snapshot.you and snapshot.status != "ended":
        names = tuple(seat.name for seat in snapshot.seats)
        mine = (Mine(snapshot.match, snapshot.game, names), *mine)
    return replace(model, match=snapshot, mine=mine)


def _advanced(model: Model, event: MatchEvent | Presence) -> Model:
    match = model.match
    if match is None or match.match != event.match:
        return model
    after = advance(match, event)
    model = replace(model, match=after)
    if isinstance(event, Ended):
        model = replace(model, mine=_without(model.mine, event.match))
    if isinstance(event, Moved | Ended):
        model = replace(model, notice=Notice(number=model.notice.number))
    line = happening(match, after, event, model.games.get(match.game))
    return replace(model, happenings=(*model.happenings, line)[-MAX_HAPPENINGS:]) if line is not None else model


def _left(model: Model, match_id: str) -> Model:
    match = model.match
    # A seat is kept once moves were made; before that, leaving has freed it.
    kept = match is not None and match.match == match_id and match.status == "playing" and match.plies > 0
    mine = model.mine if kept else _without(model.mine, match_id)
    return replace(model, match=None, happenings=(), mine=mine)


def _without(mine: tuple[Mine, ...], match: str) -> tuple[Mine, ...]:
    return tuple(one for one in mine if one.match != match)
