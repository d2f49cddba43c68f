"""What an action of the table of controls asks of the server. Pure; the names are those of `client.controls`."""

from __future__ import annotations

from collections.abc import Callable

from protocol.messages import (
    Abandon,
    Answer,
    CallDraw,
    Command,
    Continue,
    Offer,
    Pause,
    WaitLonger,
    Withdraw,
)

_COMMANDS: dict[str, Callable[[str, str], Command]] = {
    "give_up": lambda ref, match: Abandon(ref=ref, match=match),
    "pause": lambda ref, match: Pause(ref=ref, match=match),
    "continue": lambda ref, match: Continue(ref=ref, match=match),
    "draw": lambda ref, match: Offer(ref=ref, match=match, kind="draw"),
    "takeback": lambda ref, match: Offer(ref=ref, match=match, kind="takeback"),
    "restart": lambda ref, match: Offer(ref=ref, match=match, kind="restart"),
    "rematch": lambda ref, match: Offer(ref=ref, match=match, kind="rematch"),
    "accept": lambda ref, match: Answer(ref=ref, match=match, accept=True),
    "decline": lambda ref, match: Answer(ref=ref, match=match, accept=False),
    "withdraw": lambda ref, match: Withdraw(ref=ref, match=match),
    "wait_longer": lambda ref, match: WaitLonger(ref=ref, match=match),
    "call_draw": lambda ref, match: CallDraw(ref=ref, match=match),
}


def command_for(action: str, ref: str, match: str) -> Command:
    """The command behind the action, about this match. Raises KeyError for an action that asks the server nothing."""
    return _COMMANDS[action](ref, match)


ASKS_FIRST = frozenset({"give_up", "restart"})
"""Actions after which nothing is as before: the user is asked whether it is meant."""


def is_sent_at_once(action: str) -> bool:
    """Whether the action is its command and nothing else."""
    return action in _COMMANDS and action not in ASKS_FIRST
