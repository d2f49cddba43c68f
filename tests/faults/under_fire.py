"""Playing under fire: which faults hit a commit."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from tests.faults.evidence import Log


def hit_in_commit(logs: Mapping[str, Log], faults_ms: Sequence[float], doubts: Iterable[tuple[str, float]]) -> set[int]:
    """Which of the faults hit between the storing of a command and its acknowledgement, as indexes.

    `faults_ms` is when each struck, in order; `doubts` are commands whose answer was missed, and when that was noticed
    (all ms since 1970, by one wall clock). A command that was received before the fault and is in the log was stored
    before it, for what is sent again is received anew.
    """
    received_ms = {event["ref"]: event["at_ms"] for log in logs.values() for _, event in log if event.get("ref")}
    hit = set()
    for ref, noticed_ms in doubts:
        fault = bisect_right(faults_ms, noticed_ms) - 1
        if fault >= 0 and received_ms.get(ref, float("inf")) <= faults_ms[fault]:
            hit.add(fault)
    return hit
