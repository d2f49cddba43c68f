"""The checker's part on students' games (DOG): what programs sent and heard against what is stored."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from protocol.messages import Moved
from tests.faults.trial.evidence import Fault, Kind, Log

GAME = "relay"
UNHEARD = "interrupted"
"""A move with this status is told as the end and not as a move."""


@dataclass
class Program:
    """A program by its name, which no other has: every move by a number of its own, in the order of its matches."""

    name: str
    sent: list[int] = field(default_factory=list)
    heard: list[int] = field(default_factory=list)


def is_relayed(log: Log) -> bool:
    """Whether it is a match of a student's game."""
    return log[0][1].get("game") == GAME


def judge_relayed(logs: Mapping[str, Log], programs: Sequence[Program]) -> list[Fault]:
    """Every move that was sent is stored once, in its order, and was heard once, in that order, by everybody else."""
    stored: dict[str, list[int]] = {program.name: [] for program in programs}
    told: dict[str, list[int]] = {program.name: [] for program in programs}
    for log in sorted((log for log in logs.values() if is_relayed(log)), key=lambda log: int(log[0][1]["at_ms"])):
        names: list[str] = []
        for entry in (json.loads(event["move"]) for _, event in log if event["event"] == "moved"):
            match entry:
                case ["seats", _, seats]:
                    names = [name for name, _ in seats]
                case ["move", place, said]:
                    stored[names[place]].append(said["n"])
                    for other in names:
                        if other != names[place] and said["match_status"] != UNHEARD:
                            told[other].append(said["n"])
    faults = []
    for program in programs:
        faults += _compared(f"(1) of what {program.name} sent", program.sent, stored[program.name])
        faults += _compared(f"(3) of what {program.name} was to hear", told[program.name], program.heard)
    return faults


def is_told(move: str, message: Moved) -> bool:
    """Whether a watcher was told the entry that is stored, whole, but for the players' ids."""
    stored, told = json.loads(move), json.loads(message.entry)
    if stored[0] == "seats":
        stored = ["seats", "", [[name, ""] for name, _ in stored[2]]]
    return bool(stored == told)


def _compared(what: str, right: Sequence[int], found: Sequence[int]) -> list[Fault]:
    missing, more = Counter(right) - Counter(found), Counter(found) - Counter(right)
    wrong: list[tuple[Kind, Any]] = [("lost", missing), ("doubled", more)]
    if not missing and not more and list(right) != list(found):
        wrong.append(("reordered", list(found)))
    return [Fault(kind, f"{what} is {kind}: {numbers}") for kind, numbers in wrong if numbers]
