"""The checker's part on commands: what was asked and answered against what is stored (1, 2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from protocol.messages import (
    Abandon,
    Accepted,
    Answer,
    CallDraw,
    Cancel,
    Command,
    Continue,
    Create,
    Leave,
    Move,
    Offer,
    Pause,
    QuickMatch,
    Refused,
    WaitLonger,
    Withdraw,
)
from protocol.messages import Join as JoinCommand
from tests.faults.trial.evidence import COMPUTER, Fault, Log, Reader

LEAVES_NO_DOUBT = {"unavailable", "unknown_outcome", "busy"}
"""Refusals after which the same command may be sent again: nothing was done this time, or nobody knows yet."""
CAUSES: dict[type[Command], set[str]] = {
    Create: {"created"},
    QuickMatch: {"created", "joined"},
    JoinCommand: {"joined"},
    Move: {"moved"},
    Abandon: {"ended"},
    Cancel: {"ended"},
    Leave: {"ended", "seat_freed"},
    Offer: {"offered", "offer_closed"},
    Answer: {"offer_closed"},
    Withdraw: {"offer_closed"},
    Pause: {"paused"},
    Continue: {"continued"},
    WaitLonger: {"away"},
    CallDraw: {"ended"},
}
"""By which event a command can enter the log."""
BESIDES: dict[type[Command], set[str]] = {
    Move: {"offer_closed", "ended"},
    JoinCommand: {"away"},
    Create: {"ended"},
    Offer: {"ended", "replaced", "rematched"},
    Answer: {"ended", "replaced", "rematched"},
    Pause: {"offer_closed"},
}
"""What comes with it in the same step, before or after it; automatic moves, too."""
MAY_CAUSE_NOTHING = (JoinCommand, QuickMatch, Leave)
"""What is accepted, too, when it asks for what is so already."""


class Key(NamedTuple):
    """A command as the log knows it."""

    player: str
    ref: str


def judge_commands(logs: Mapping[str, Log], readers: Sequence[Reader]) -> list[Fault]:
    """Every acknowledged command is in the log once, as what it was, and no other (1, 2)."""
    sent: dict[Key, list[Command]] = defaultdict(list)
    answers: dict[Key, list[Accepted | Refused]] = defaultdict(list)
    for reader in readers:
        for message in reader.traffic:
            if isinstance(message, Command) and type(message) in CAUSES:
                sent[Key(reader.player, message.ref)].append(message)
            elif isinstance(message, Accepted | Refused) and Key(reader.player, message.ref) in sent:
                answers[Key(reader.player, message.ref)].append(message)
    stored: dict[Key, list[tuple[str, int, dict[str, Any]]]] = defaultdict(list)
    for match, log in logs.items():
        for version, event in log:
            if event.get("ref") and event["player"] != COMPUTER:
                stored[Key(event["player"], event["ref"])].append((match, version, event))
    faults = [Fault("other", f"(2) {key} is in a log and was never sent") for key in stored.keys() - sent.keys()]
    for key, commands in sent.items():
        if not _stands_already(key, commands[0], answers[key], logs):
            faults += _judge_command(key, commands[0], answers[key], stored.get(key, []))
    return faults


def _stands_already(key: Key, command: Command, answers: Sequence[Accepted | Refused], logs: Mapping[str, Log]) -> bool:
    """Whether an offer was accepted for the reason that the same one by the same player was open."""
    if not isinstance(command, Offer) or not answers or any(answer != answers[0] for answer in answers):
        return False
    if not isinstance(answers[0], Accepted):
        return False
    opened = None
    for version, event in logs.get(command.match, ()):
        if version > answers[0].version:
            break
        if event["event"] in ("offered", "offer_closed", "ended"):
            opened = event if event["event"] == "offered" else None
    return (
        opened is not None
        and (opened["player"], opened["kind"]) == (key.player, command.kind)
        and (opened["ref"] != key.ref)
    )


def _judge_command(
    key: Key,
    command: Command,
    answers: list[Accepted | Refused],
    stored: list[tuple[str, int, dict[str, Any]]],
) -> list[Fault]:
    faults = []
    accepted = [answer for answer in answers if isinstance(answer, Accepted)]
    refused = [answer for answer in answers if isinstance(answer, Refused) and answer.code not in LEAVES_NO_DOUBT]
    doubtful = len(answers) > len(accepted) + len(refused)
    if any(answer != accepted[0] for answer in accepted):
        faults.append(Fault("other", f"(1) {key} was answered differently: {accepted}"))
    if accepted and refused:
        faults.append(Fault("other", f"(1) {key} was accepted and refused: {answers}"))
    if accepted and not stored and not isinstance(command, MAY_CAUSE_NOTHING):
        faults.append(Fault("lost", f"(1) {key} was acknowledged and is not in the log: {command}"))
    if refused and not accepted and not doubtful and stored:
        faults.append(Fault("other", f"(2) {key} was refused as {refused[0].code} and is in the log: {stored}"))
    if not stored:
        return faults
    match, first, _ = stored[0]
    if [(where, version) for where, version, _ in stored] != [(match, first + step) for step in range(len(stored))]:
        faults.append(Fault("doubled", f"(1) {key} is in the log in several places: {stored}"))
    events = [event for _, _, event in stored if not event.get("automatic")]
    own = [event for event in events if event["event"] in CAUSES[type(command)]]
    others = {event["event"] for event in events if event not in own}
    if len(own) != 1 or others - BESIDES.get(type(command), set()):
        faults.append(
            Fault(
                "doubled" if len(own) > 1 else "other",
                f"(1) {key} is in the log as what it was not: {command}, {stored}",
            )
        )
    elif isinstance(command, Move) and sorted(own[0]["move"].split("-")) != sorted(command.move.split("-")):
        faults.append(Fault("other", f"(1) {key} is in the log as another move: {command}, {stored}"))
    if accepted and (accepted[0].match, accepted[0].version) != (match, stored[-1][1]):
        faults.append(Fault("other", f"(1) {key} was answered with another version: {accepted[0]}, {stored}"))
    return faults
