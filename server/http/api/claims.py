"""The lists that `CK R7.1` lets a move carry: they are compared with what the server works out, never believed."""

from __future__ import annotations

from typing import Any

from protocol.board import Piece, touched
from protocol.errors import ParlourError, Refusal
from protocol.text import N_, text
from server.match.state import Match, Status

DIFFERS = "claim_differs"
SENTENCE = N_("By the rules the list “{list}” of this move is: {expected}.")
LISTS = ("moved", "captured", "crowned")


def check(match: Match, player: str, version: int, move: str, claims: dict[str, tuple[str, ...] | None]) -> None:
    """Raise Refusal `claim_differs` when a list that was given is not the one that the move brings (`RU-CK7`).

    Says nothing where the machine has its own word: a stale, untimely or illegal move, or a player without the turn.
    """
    given = {name: sorted(claimed) for name, claimed in claims.items() if claimed is not None}
    on_turn = match.status is Status.PLAYING and match.turn in match.seats_of(player)
    if not given or not on_turn or not match.position <= version <= match.version:
        return
    try:
        after = match.game.play(match.state, move)
    except ParlourError:
        return
    worked_out = _worked_out(match, match.game.canonical(match.state, move), after)
    for name, claimed in given.items():
        if claimed != sorted(worked_out[name]):
            sentence = text(
                SENTENCE,
                list=name,
                expected=", ".join(worked_out[name]) or "-",
            )
            raise Refusal(DIFFERS, sentence, list=name, version=match.version)


def _worked_out(match: Match, move: str, after: Any) -> dict[str, tuple[str, ...]]:
    """What `move` moves (from where, to where), captures and crowns, in any game whose pieces do such things."""
    game, seat = match.game, match.turn
    before = game.marks(match.state)
    changes = game.changes(match.state, after)
    path = touched(move)
    walks = len(path) > 1 and path[0] in before
    man = walks and before[path[0]].piece is Piece.MAN
    return {
        "moved": (path[0], path[-1]) if walks else (),
        "captured": tuple(
            id_ for id_, mark in changes.items() if id_ in before and before[id_].seat != seat and not mark
        ),
        "crowned": tuple(id_ for id_, mark in changes.items() if man and mark and mark.piece is Piece.KING),
    }
