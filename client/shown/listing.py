"""Which matches are listed: those of the lobby, and one's own. Pure."""

from __future__ import annotations

from dataclasses import replace

from client.shown.state import Mine, Model
from protocol import limits
from protocol.messages import LobbyChange, MatchSummary, OwnMatches


def own(model: Model, told: OwnMatches) -> Model:
    """The server knows best which of them go on."""
    goes_on = (row for row in told.matches if row.status != "ended")
    mine = tuple(Mine(row.match, row.game, tuple(seat.name for seat in row.seats)) for row in goes_on)
    return replace(model, mine=mine, own=told.matches, own_at_ms=told.now_ms, own_stopped_ms=model.counted_ms)


def newest_first(rows: tuple[MatchSummary, ...]) -> tuple[MatchSummary, ...]:
    """As many rows of the lobby as a list holds."""
    return tuple(sorted(rows, key=lambda row: row.created_ms, reverse=True)[: limits.LOBBY_ROWS])


def lobby_changed(model: Model, change: LobbyChange) -> Model:
    """Rows that came, changed or went."""
    rows = {row.match: row for row in model.lobby or ()}
    before = len(rows)
    for gone in change.gone:
        rows.pop(gone, None)
    rows.update((row.match, row) for row in change.put)
    total = max(model.lobby_total + len(rows) - before, len(rows))
    people = model.people if change.people is None else change.people
    here = model.here if change.here is None else change.here
    return replace(model, lobby=newest_first(tuple(rows.values())), lobby_total=total, people=people, here=here)


def without(mine: tuple[Mine, ...], match: str) -> tuple[Mine, ...]:
    """One's own but for this one."""
    return tuple(one for one in mine if one.match != match)
