"""An example of every command, as the documents show them. The tests send each to a real hub.

`MATCH` and `KEY` stand for what a hub gives out.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import structs

from protocol.messages import (
    Abandon,
    Analyse,
    Answer,
    AnswerChallenge,
    CallDraw,
    Cancel,
    Challenge,
    ClockRule,
    Command,
    Continue,
    Create,
    Forget,
    GetInvitation,
    GetMatches,
    GetRecord,
    Hello,
    Hint,
    Join,
    Leave,
    Look,
    Message,
    Move,
    MuteChallenges,
    Offer,
    Pause,
    Ping,
    QuickMatch,
    Say,
    Sync,
    WaitLonger,
    Watch,
    WatchLobby,
    Withdraw,
    WithdrawChallenge,
)

MATCH = "q0L2wYb3xNE"
KEY = "7KQ2-M0XV-9TRA"

_ALL: tuple[Command, ...] = (
    Hello(ref="1", name="Ana", language="en", client="docs"),
    Ping(ref="2"),
    WatchLobby(ref="3"),
    GetMatches(ref="25"),
    Forget(ref="26", match=MATCH),
    Create(ref="4", game="checkers", options={"captures": "forced"}, clock=ClockRule(total_ms=300_000), grace_s=60),
    Join(ref="5", key=KEY),
    GetInvitation(ref="29", key=KEY),
    QuickMatch(ref="6", game="dots-and-boxes", options={"width": 4, "height": 4}),
    Cancel(ref="7", match=MATCH),
    Watch(ref="8", match=MATCH),
    Leave(ref="9", match=MATCH),
    Move(ref="10", match=MATCH, version=2, move="11-15"),
    Abandon(ref="11", match=MATCH, version=9),
    Sync(ref="12", match=MATCH, after=17),
    Offer(ref="13", match=MATCH, kind="draw", version=9),
    Answer(ref="14", match=MATCH, accept=True, offer=10),
    Withdraw(ref="15", match=MATCH, offer=10),
    Pause(ref="16", match=MATCH),
    Continue(ref="17", match=MATCH),
    WaitLonger(ref="18", match=MATCH, version=12),
    CallDraw(ref="19", match=MATCH, version=12),
    Look(ref="20", match=MATCH, ply=0),
    GetRecord(ref="21", match=MATCH),
    Hint(ref="23", match=MATCH, version=2),
    Analyse(ref="24", game="square", moves=("a1-a2", "b1-b2"), ply=1),
    Challenge(ref="25", name="Bob", game="checkers", clock=ClockRule(total_ms=180_000, increment_ms=2_000)),
    AnswerChallenge(ref="26", challenge=MATCH, accept=True),
    WithdrawChallenge(ref="27", challenge=MATCH),
    MuteChallenges(ref="28"),
    Say(ref="22", match=MATCH, text="Good luck!"),
)
EXAMPLES: dict[type[Message], Command] = {type(example): example for example in _ALL}


def short(example: Command) -> dict[str, Any]:
    """The example as plain data, without what may be left out and is."""
    plain: dict[str, Any] = msgspec.to_builtins(example)
    spare = {field.name: field.default for field in structs.fields(example) if not field.required}
    return {key: value for key, value in plain.items() if key not in spare or value not in (spare[key], {}, [])}
