"""What an action of the table (`client.shown.actions.controls`) asks of the server, by its name there. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from protocol.messages import (
    Abandon,
    Answer,
    CallDraw,
    Command,
    Continue,
    Hint,
    Offer,
    OfferKind,
    Pause,
    WaitLonger,
    Withdraw,
)


@dataclass(frozen=True)
class Meant:
    """What the user had in front of them: the match, its newest version, and the offer on screen (0: none)."""

    match: str
    version: int
    offer: int = 0


def _offer(kind: OfferKind) -> Callable[[str, Meant], Command]:
    return lambda ref, meant: Offer(ref=ref, match=meant.match, kind=kind, version=meant.version)


_COMMANDS: dict[str, Callable[[str, Meant], Command]] = {
    "give_up": lambda ref, meant: Abandon(ref=ref, match=meant.match, version=meant.version),
    "pause": lambda ref, meant: Pause(ref=ref, match=meant.match),
    "continue": lambda ref, meant: Continue(ref=ref, match=meant.match),
    "hint": lambda ref, meant: Hint(ref=ref, match=meant.match, version=meant.version),
    "draw": _offer("draw"),
    "takeback": _offer("takeback"),
    "restart": _offer("restart"),
    "rematch": _offer("rematch"),
    "accept": lambda ref, meant: Answer(ref=ref, match=meant.match, accept=True, offer=meant.offer),
    "decline": lambda ref, meant: Answer(ref=ref, match=meant.match, accept=False, offer=meant.offer),
    "withdraw": lambda ref, meant: Withdraw(ref=ref, match=meant.match, offer=meant.offer),
    "wait_longer": lambda ref, meant: WaitLonger(ref=ref, match=meant.match, version=meant.version),
    "call_draw": lambda ref, meant: CallDraw(ref=ref, match=meant.match, version=meant.version),
}


def command_for(action: str, ref: str, meant: Meant) -> Command:
    """The command behind the action, about what was meant. Raises KeyError where it asks the server nothing."""
    return _COMMANDS[action](ref, meant)


ASKS_FIRST = frozenset({"give_up", "restart"})
"""Actions after which nothing is as before: the user is asked whether it is meant."""


def is_sent_at_once(action: str) -> bool:
    """Whether the action is its command and nothing else."""
    return action in _COMMANDS and action not in ASKS_FIRST
