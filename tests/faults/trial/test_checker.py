"""The checker finds what it is there to find: each fault, put into a sound record by hand, is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from protocol.board import Board, Mark, Piece, SeatStyle
from protocol.messages import (
    Abandon,
    Accepted,
    Create,
    Ended,
    Join,
    Joined,
    LegalChange,
    Move,
    Moved,
    Refused,
    Result,
    SeatInfo,
    Snapshot,
    Sync,
    Watch,
)
from tests.faults.trial.checker import judge
from tests.faults.trial.evidence import Fault, Log, Reader
from tests.faults.trial.relayed import Program, is_told, judge_relayed
from tests.faults.trial.view import View

BLUE, RED = SeatStyle("Blue", "#0000ff", "o"), SeatStyle("Red", "#ff0000", "x")
WAITING = Snapshot(
    match="m", version=1, game="g", options={}, status="waiting", private=False, created_ms=1,
    seats=(SeatInfo(style=BLUE, name="Ana"), SeatInfo(style=RED)), you=(0,), board=Board(width=1, height=1),
    marks={}, focus=(), scores=((), ()), to_move=0, legal=("a", "b"), text="ready",
)  # fmt: skip
JOINED = Joined(match="m", version=2, at_ms=2, seat=1, name="Bo", status="playing", text="Blue's turn")
MOVED = Moved(
    match="m", version=3, at_ms=3, seat=0, move="a", marks={"a": Mark(0, Piece.LINE)}, to_move=1,
    legal=LegalChange((), ("a",)), text="Red's turn",
)  # fmt: skip
ENDED = Ended(match="m", version=4, at_ms=4, result=Result(winner=0, reason="abandoned", text="Bo gave up."))


@dataclass
class Sound:
    """A match of one move that the guest gave up, as the host, the guest and a late spectator tell it."""

    log: Log = field(
        default_factory=lambda: [
            (1, {"event": "created", "player": "ana", "ref": "a1", "at_ms": 1, "name": "Ana"}),
            (2, {"event": "joined", "player": "bo", "ref": "b1", "at_ms": 2, "seat": 1, "name": "Bo"}),
            (3, {"event": "moved", "player": "ana", "ref": "a2", "at_ms": 3, "seat": 0, "move": "a"}),
            (4, {"event": "ended", "player": "bo", "ref": "b2", "at_ms": 4, "winner": 0, "reason": "abandoned"}),
        ]
    )
    host: Reader = field(
        default_factory=lambda: Reader(
            "host",
            "ana",
            [
                Create(ref="a1", game="g"),
                Accepted(ref="a1", match="m", version=1),
                WAITING,
                JOINED,
                Move(ref="a2", match="m", version=2, move="a"),
                MOVED,
                Accepted(ref="a2", match="m", version=3),
                Move(ref="a3", match="m", version=3, move="b"),
                Refused(ref="a3", code="not_your_turn", text=""),
                ENDED,
            ],
        )
    )
    guest: Reader = field(
        default_factory=lambda: Reader(
            "guest",
            "bo",
            [
                Join(ref="b1", match="m"),
                Accepted(ref="b1", match="m", version=2),
                shown(JOINED),
                MOVED,
                Abandon(ref="b2", match="m"),
                ENDED,
                Accepted(ref="b2", match="m", version=4),
            ],
        )
    )
    watcher: Reader = field(
        default_factory=lambda: Reader(
            "watcher",
            "eve",
            [Watch(ref="e1", match="m"), Accepted(ref="e1", match="m", version=3), shown(JOINED, MOVED)],
        )
    )

    def __post_init__(self) -> None:
        self.watcher.traffic.append(ENDED)

    def faults(self) -> list[Fault]:
        return judge({"m": self.log}, [self.host, self.guest, self.watcher])


def shown(*events: Any) -> Snapshot:
    """The snapshot that the first one and these events lead to."""
    view = View.of(WAITING)
    for event in events:
        view.apply(event)
    names = [SeatInfo(style=style, name=name) for style, name in zip((BLUE, RED), view.names, strict=True)]
    return replace(
        WAITING, version=view.version, status=view.status, seats=(names[0], names[1]), marks=view.marks,
        legal=tuple(view.legal), resting=tuple(view.resting), to_move=view.to_move, text=view.text, plies=view.plies,
        last=view.last, result=view.result,
    )  # fmt: skip


def test_a_sound_record_has_no_faults() -> None:
    assert Sound().faults() == []


def change(traffic: list[Any], kind: type, **fields: Any) -> None:
    """Change the first message of a kind."""
    at = next(number for number, message in enumerate(traffic) if type(message) is kind)
    traffic[at] = replace(traffic[at], **fields)


def lost_ack(sound: Sound) -> None:
    del sound.log[3]


def stored_twice(sound: Sound) -> None:
    sound.log.insert(3, (4, deepcopy(sound.log[2][1])))
    sound.log[4] = (5, sound.log[4][1])


def refused_and_stored(sound: Sound) -> None:
    sound.log[2][1]["ref"] = "a3"


def never_sent(sound: Sound) -> None:
    sound.log[2][1]["ref"] = "a9"


def accepted_and_refused(sound: Sound) -> None:
    sound.host.traffic.append(Refused(ref="a2", code="stale", text=""))


def two_answers(sound: Sound) -> None:
    sound.host.traffic.append(Accepted(ref="a2", match="m", version=4))


def another_move(sound: Sound) -> None:
    change(sound.host.traffic, Move, move="b")


def hole_in_the_log(sound: Sound) -> None:
    sound.log[3] = (5, sound.log[3][1])


def version_twice(sound: Sound) -> None:
    sound.log[3] = (3, sound.log[3][1])


def log_out_of_order(sound: Sound) -> None:
    sound.log[2], sound.log[3] = sound.log[3], sound.log[2]


def two_ends(sound: Sound) -> None:
    sound.log.append((5, {"event": "ended", "at_ms": 5, "winner": 1, "reason": "score"}))


def by_the_other_player(sound: Sound) -> None:
    sound.log[2][1]["seat"] = 1


def gap(sound: Sound) -> None:
    sound.guest.traffic.remove(MOVED)


def double(sound: Sound) -> None:
    sound.watcher.traffic.append(ENDED)


def swapped(sound: Sound) -> None:
    at = sound.guest.traffic.index(MOVED)
    sound.guest.traffic[at], sound.guest.traffic[-2] = sound.guest.traffic[-2], MOVED


def left_behind(sound: Sound) -> None:
    sound.watcher.traffic.remove(ENDED)


def other_event(sound: Sound) -> None:
    change(sound.guest.traffic, Moved, text="Blue's turn")


def other_end(sound: Sound) -> None:
    change(sound.watcher.traffic, Ended, result=Result(winner=1, reason="score", text=""))


def other_state(sound: Sound) -> None:
    change(sound.watcher.traffic, Snapshot, marks={"a": Mark(1, Piece.LINE)})


def told_unlike_stored(sound: Sound) -> None:
    sound.log[2][1]["move"] = "A"


def resumed_with_a_gap(sound: Sound) -> None:
    sound.guest.open = False
    again = [Sync(ref="b3", match="m", after=2), Accepted(ref="b3", match="m", version=4), ENDED]
    sound.watcher = Reader("guest again", "bo", [*again])


def back_by_a_snapshot(sound: Sound) -> None:
    sound.watcher.traffic.append(shown(JOINED))


@pytest.mark.parametrize(
    ("point", "kind", "spoil"),
    [
        (1, "lost", lost_ack), (1, "doubled", stored_twice), (2, "other", refused_and_stored), (2, "other", never_sent),
        (1, "other", accepted_and_refused), (1, "other", two_answers), (1, "other", another_move),
        (3, "lost", hole_in_the_log), (3, "doubled", version_twice), (3, "reordered", log_out_of_order),
        (5, "doubled", two_ends), (1, "other", by_the_other_player), (3, "lost", gap), (3, "doubled", double),
        (3, "reordered", swapped), (3, "lost", left_behind), (3, "other", other_event), (3, "other", other_end),
        (4, "other", other_state), (4, "other", told_unlike_stored), (3, "lost", resumed_with_a_gap),
        (3, "reordered", back_by_a_snapshot),
    ],
)  # fmt: skip
def test_every_fault_is_found(point: int, kind: str, spoil: Callable[[Sound], None]) -> None:
    sound = Sound()
    spoil(sound)
    faults = sound.faults()
    assert any(fault.kind == kind and fault.text.startswith(f"({point})") for fault in faults), faults


def test_what_was_unavailable_may_be_stored_and_sent_again() -> None:
    sound = Sound()
    at = sound.host.traffic.index(Accepted(ref="a2", match="m", version=3))
    sound.host.traffic.insert(at, Refused(ref="a2", code="unavailable", text=""))
    assert sound.faults() == []
    del sound.host.traffic[at + 1]
    assert sound.faults() == []


def test_who_was_cut_need_not_know_the_end() -> None:
    sound = Sound()
    left_behind(sound)
    sound.watcher.open = False
    assert sound.faults() == []


SEATS = '["seats", "hall", [["Ana", "1"], ["Bea", "2"]]]'


def relayed(*moves: str) -> dict[str, Log]:
    """The log of a student's game."""
    begun = [(1, {"event": "created", "player": "t", "ref": "", "at_ms": 1, "game": "relay", "both_seats": True})]
    return {"m": begun + [(at, {"event": "moved", "player": "t", "move": move}) for at, move in enumerate(moves, 2)]}


def said(place: int, number: int, status: str = "next") -> str:
    return json.dumps(["move", place, {"n": number, "match_status": status}])


@pytest.mark.parametrize(
    ("ana", "bea", "kinds"),
    [
        (Program("Ana", [0, 2], [1]), Program("Bea", [1], [0, 2]), []),
        (Program("Ana", [0, 2, 3], [1]), Program("Bea", [1], [0, 2]), ["lost"]),
        (Program("Ana", [0], [1]), Program("Bea", [1], [0, 2]), ["doubled"]),
        (Program("Ana", [2, 0], [1]), Program("Bea", [1], [2, 0]), ["reordered", "reordered"]),
        (Program("Ana", [0, 2], []), Program("Bea", [1], [0, 2, 2]), ["lost", "doubled"]),
    ],
)
def test_what_programs_sent_and_heard_is_judged(ana: Program, bea: Program, kinds: list[str]) -> None:
    logs = relayed(SEATS, said(0, 0), said(1, 1), said(0, 2))
    assert [fault.kind for fault in judge_relayed(logs, [ana, bea])] == kinds
    gone = relayed(SEATS, said(0, 0, "interrupted"))
    assert judge_relayed(gone, [Program("Ana", [0]), Program("Bea")]) == []


def test_who_watches_a_students_game_is_told_it_whole() -> None:
    told = replace(MOVED, entry='["seats", "", [["Ana", ""], ["Bea", ""]]]')
    assert is_told(SEATS, told)
    assert not is_told(SEATS, replace(MOVED, entry=SEATS))
    assert not is_told(said(0, 1), replace(MOVED, entry=said(0, 2)))
