"""The independent judge of a trial: compares what everybody sent and received with what lies in Redis.

It shares no code with the server: it folds what readers were told by `view`, and `evidence` reads the logs. `judge`
works on plain values, so that it can itself be tested (`test_checker.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from protocol.messages import (
    Accepted,
    Ended,
    Joined,
    MatchEvent,
    Moved,
    Offered,
    Paused,
    Replaced,
    SeatFreed,
    Snapshot,
    Sync,
)
from tests.faults.trial.commands import judge_commands
from tests.faults.trial.evidence import COMPUTER, Fault, Kind, Log, Reader
from tests.faults.trial.relayed import Program, is_relayed, is_told, judge_relayed
from tests.faults.trial.view import View

AFTER_THE_END = {"offered", "offer_closed", "rematched"}
"""What a log may hold behind its one end: the rematch."""
Place = tuple[str, int]
"""A match and a version."""
Told = dict[Place, MatchEvent]


def judge(logs: Mapping[str, Log], readers: Sequence[Reader], programs: Sequence[Program] = ()) -> list[Fault]:
    """Everything that is wrong; the numbers in the sentences are those of the head of the cases.

    What is in the log of a student's game was sent by `programs`, and by no reader.
    """
    faults: list[Fault] = []
    for match, log in logs.items():
        faults += _judge_log(match, log)
    faults += judge_commands({match: log for match, log in logs.items() if not is_relayed(log)}, readers)
    faults += judge_relayed(logs, programs)
    told: Told = {}
    for reader in readers:
        faults += _judge_order(reader, logs, told)
    faults += _judge_told(logs, told)
    faults += _judge_states(readers, told)
    return faults


# The log by itself (3, 5) ---------------------------------------------------------------------------------------------


def _judge_log(match: str, log: Log) -> list[Fault]:
    faults = []
    versions = [version for version, _ in log]
    if versions != list(range(1, len(log) + 1)):
        faults.append(
            Fault(_kind_of_log(versions), f"(3) {match}: versions in the log are not 1, 2, 3 ...: {versions}")
        )
    kinds = [event["event"] for _, event in log]
    if kinds.count("created") != 1 or kinds[0] != "created":
        faults.append(Fault("other", f"(3) {match}: the log does not start with its one creation: {kinds}"))
    if "ended" in kinds and not set(kinds[kinds.index("ended") + 1 :]) <= AFTER_THE_END:
        faults.append(Fault("doubled", f"(5) {match}: something follows the end: {kinds}"))
    host, host_seat = log[0][1].get("player", ""), log[0][1].get("seat", 0)
    seats: dict[int, str] = {host_seat: host}
    if log[0][1].get("both_seats"):
        seats[1] = host
    if log[0][1].get("computer"):
        seats[1 - host_seat] = COMPUTER
    for version, event in log[1:]:
        seat, player = event.get("seat", -1), event.get("player", "")
        match event["event"]:
            case "joined":
                if seat in seats:
                    faults.append(Fault("doubled", f"(1) {match}: seat {seat} is taken twice, at version {version}"))
                seats[seat] = player
            case "seat_freed":
                if seats.pop(seat, None) != player:
                    faults.append(Fault("other", f"(1) {match}: seat {seat} is freed by another, at version {version}"))
            case "moved":
                if len(seats) < 2 or (seats.get(seat) != player and not event.get("automatic")):
                    faults.append(
                        Fault("other", f"(1) {match}: a move for a seat that is not the mover's, at version {version}")
                    )
    return faults


def _kind_of_log(versions: Sequence[int]) -> Kind:
    if len(set(versions)) < len(versions):
        return "doubled"
    return "lost" if max(versions) > len(versions) else "reordered"


# What readers were told (3, 4, 5) -------------------------------------------------------------------------------------


def _judge_order(reader: Reader, logs: Mapping[str, Log], told: Told) -> list[Fault]:
    """Each connection's events are gapless from its snapshot, or the version that it asked for, on."""
    faults = []
    at: dict[str, int] = {}
    syncs: dict[str, Sync] = {}
    seen: set[Place] = set()
    received = {(message.match, message.version) for message in reader.traffic if isinstance(message, MatchEvent)}
    for message in reader.traffic:
        match message:
            case Sync():
                syncs[message.ref] = message
            case Accepted(ref=ref) if ref in syncs:
                at[message.match] = min(syncs[ref].after, message.version)
            case Snapshot():
                if message.version < at.get(message.match, 0):
                    faults.append(
                        Fault(
                            "reordered",
                            f"(3) {reader.name}: {message.match} went back from {at[message.match]} by a snapshot",
                        )
                    )
                at[message.match] = message.version
            case MatchEvent():
                match_id, version = message.match, message.version
                if version != at.get(match_id, 0) + 1:
                    faults.append(
                        Fault(
                            _kind_of_step(message, at.get(match_id, 0), seen, received),
                            f"(3) {reader.name}: {match_id} came at {version} after {at.get(match_id)}",
                        )
                    )
                at[match_id] = version
                seen.add((match_id, version))
                if told.setdefault((match_id, version), message) != message:
                    faults.append(Fault("other", f"(3) {reader.name} was told another {match_id} {version}: {message}"))
    for match_id, version in at.items():
        if match_id not in logs:
            faults.append(Fault("lost", f"(1) {reader.name} was shown {match_id}, which is not stored"))
        elif version > len(logs[match_id]):
            faults.append(Fault("lost", f"(1) {reader.name} was shown {match_id} {version}, which is not stored"))
        elif reader.open and match_id not in reader.left and version != len(logs[match_id]):
            faults.append(
                Fault("lost", f"(3) {reader.name} knows {match_id} up to {version} of {len(logs[match_id])} only")
            )
    return faults


def _kind_of_step(event: MatchEvent, at: int, seen: set[Place], received: set[Place]) -> Kind:
    """What is wrong with an event that came after version `at`; `received` are all that ever came."""
    if (event.match, event.version) in seen:
        return "doubled"
    missing = {(event.match, version) for version in range(at + 1, event.version)}
    return "reordered" if missing <= received else "lost"


def _judge_told(logs: Mapping[str, Log], told: Mapping[Place, MatchEvent]) -> list[Fault]:
    """What was told is what is stored."""
    faults = []
    for (match, version), message in told.items():
        if match not in logs or version > len(logs[match]):
            continue  # said already
        event = logs[match][version - 1][1]
        same = (message.__struct_config__.tag, message.at_ms) == (event["event"], event["at_ms"])
        match message:
            case Moved(seat=seat) if message.entry:
                same &= event.get("seat") == seat and is_told(event["move"], message)
            case Moved(seat=seat, move=move, automatic=automatic):
                stored = (event.get("seat"), event.get("move"), event.get("automatic", False))
                same &= stored == (seat, move, automatic)
            case Joined(seat=seat, name=name):
                same &= (event.get("seat"), event.get("name")) == (seat, name)
            case Ended(result=result):
                same &= (event.get("winner"), event.get("reason")) == (result.winner, result.reason)
            case SeatFreed() | Offered() | Replaced() | Paused():
                same &= event.get("seat") == message.seat
        if not same:
            faults.append(Fault("other", f"(4) {match} {version} was told as {message} and is stored as {event}"))
    return faults


def _judge_states(readers: Sequence[Reader], told: Mapping[Place, MatchEvent]) -> list[Fault]:
    """Every snapshot equals the fold of the first one and the events since.

    All readers have the same events (see above), so the state that each of them ends with is this fold, too.
    """
    shown: dict[str, dict[int, list[tuple[str, str, View]]]] = defaultdict(lambda: defaultdict(list))
    for reader in readers:
        for message in reader.traffic:
            if isinstance(message, Snapshot):
                view = View.of(message)
                shown[message.match][message.version].append((reader.name, view.digest(), view))
    faults = []
    for match, by_version in shown.items():
        at = min(by_version)
        view = by_version[at][0][2]  # whose digest is known, so that it may be brought forward in place
        while True:
            same = by_version.get(view.version, [])
            if not view.whole and same:
                view = same[0][2]
            right = view.digest() if same else ""
            for name, digest, other in same:
                if digest != right:
                    unlike = view.unlike(other)
                    faults.append(Fault("other", f"(4) {name} was shown another {match} {view.version}: {unlike}"))
            event = told.get((match, view.version + 1))
            if event is None or not view.whole:
                break
            try:
                view.apply(event)
            except (KeyError, ValueError) as error:
                faults.append(Fault("other", f"(4) {match} {event.version} does not fit on what was before: {error!r}"))
                break
        if max(by_version) > view.version:
            # Nobody was told the events up to there; those who were shown it must agree all the same.
            for version in (version for version in by_version if version > view.version):
                if len({digest for _, digest, _ in by_version[version]}) > 1:
                    faults.append(Fault("other", f"(4) {match} {version} was shown in several ways"))
        elif view.status == "playing" and view.paused_by is None and (view.to_move is None or not view.legal):
            faults.append(
                Fault("lost", f"(2) {match} stopped half way at {view.version}: nobody can move and it has not ended")
            )
    return faults
