"""What is asked before something is done to a match, in the same words everywhere. Pure."""

from __future__ import annotations

from typing import NamedTuple

from client.conversation.position import seat_name
from client.shown.actions.controls import BY_ACTION
from client.shown.model import Model
from client.shown.words.lobby import Row
from client.shown.words.own import ACTS
from protocol.messages import Snapshot

WHICH_SAVED = "Revert to which saved position?"


class Question(NamedTuple):
    """What is asked, what follows from a yes, and what the yes is called."""

    asked: str
    consequence: str
    yes: str


def question(action: str, model: Model, match: Snapshot) -> Question:
    """Before `give_up` (`CK R4.3`), or `restart`, which is done at once where nobody else has to agree (`RU-M6`)."""
    if action == "give_up":
        loser = match.you[0] if len(match.you) == 1 or match.to_move is None else match.to_move
        consequence = f"The match ends, and {seat_name(match, 1 - loser)} wins." if match.plies else "Nobody wins."
    else:
        condition = "" if model.holds_both else " Another player has to agree."
        consequence = f"All moves of this match are taken back.{condition}"
    act = BY_ACTION[action].label
    return Question(f"{act}?", consequence, act)


def dropping(row: Row) -> Question | None:
    """Before one's own match is dropped from its row in the lobby; None where that costs nothing."""
    if row.act != "give_up":
        return None
    return Question(f"{ACTS[row.act]}?", f"{row.game} against {row.opponent} ends, and they win it.", ACTS[row.act])
