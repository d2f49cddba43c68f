"""`python -m tests.faults [part ...] [-- pytest's own words]`: the fault trials in full, or those of the parts named.

There are two runs. Most trials wait for something most of the time, so several run together. Those that are marked
`timed` are promises about time, which neighbours would spoil: they run afterwards, one by one. One table has all.
A part is a file of trials: `clocks` is `test_clocks.py`. Ends with 0, or with the status of the first run that failed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

import pytest

from tests.faults.collector import Collector, closing_lines

TESTS = Path(__file__).parent.parent
LEAST = 500
"""Faults in a whole run; fewer are no proof."""
TIMEOUT_S = 1800
WORKERS_A_CORE = 2
MOST_WORKERS = 12
"""Each worker has two hubs and a Redis; `-n` asks for another number."""
MARK = "mark.faults"
TABLE = "PARLOUR_FAULT_TABLE"


def parts() -> dict[str, list[Path]]:
    """The files with trials by name; several may share one."""
    found: dict[str, list[Path]] = {}
    for file in sorted(TESTS.rglob("test_*.py")):
        if MARK in file.read_text():
            found.setdefault(file.stem.removeprefix("test_"), []).append(file)
    return found


def chosen(names: Sequence[str], known: Mapping[str, Sequence[Path]]) -> list[Path]:
    """The files of the parts named, of all without a name. ValueError says what is there instead."""
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"Did you mean {near[0]}? " if near else ""
            raise ValueError(f"there is no part {name!r}. {hint}There are: {', '.join(sorted(known))}.")
    return [file for name in dict.fromkeys(names or sorted(known)) for file in known[name]]


def run(files: Sequence[Path], words: Sequence[str], mark: str) -> tuple[Collector, int]:
    """One run of the trials that have this mark; returns what it said, and its status."""
    collector = Collector()
    first = ("--timeout", str(TIMEOUT_S), "--dist", "load", "--maxschedchunk", "1", "--durations", "12")
    return collector, pytest.main([*first, *words, "-m", mark, *map(str, files)], plugins=[collector])


def main(words: Sequence[str]) -> int:
    """Both runs and their table; returns the status for the shell."""
    end = words.index("--") if "--" in words else len(words)
    names, more = words[:end], words[end + 1 :]
    try:
        files = chosen(names, parts())
    except ValueError as wrong:
        print(wrong, file=sys.stderr)
        return pytest.ExitCode.USAGE_ERROR
    os.environ["PARLOUR_FAULTS"] = "full"
    workers = min(MOST_WORKERS, WORKERS_A_CORE * (os.cpu_count() or 1))
    runs = {"together": run(files, ["-n", str(workers), *more], "faults and not timed")}
    if runs["together"][1] != pytest.ExitCode.INTERRUPTED:
        runs["one by one"] = run(files, [*more, "-n", "1"], "faults and timed")
    statuses = [status for _, status in runs.values()]
    rows = [row for said, _ in runs.values() for row in said.rows]
    least = 0 if names or more else LEAST
    lines = closing_lines(rows, least)
    lines += [
        f"Trials {how}: {len(said.loads)}, at a load of {min(said.loads):.1f} to {max(said.loads):.1f}"
        for how, (said, _) in runs.items() if said.loads
    ]  # fmt: skip
    for title, told in (
        ("provoked", [line for said, _ in runs.values() for line in said.provoked]),
        ("promises about time", [line for said, _ in runs.values() for line in said.times]),
        ("faults", lines),
    ):
        if told:
            print(f"\n{title}", *told, sep="\n")
    if name := os.environ.get(TABLE):
        Path(name).write_text("\n".join(lines) + "\n")
    return judged(statuses, sum(row.times for row in rows) < least)


def judged(statuses: Sequence[int], too_few: bool) -> int:
    """What both runs come to: a run without trials is none, but one of both must have had some."""
    ran = [status for status in statuses if status != pytest.ExitCode.NO_TESTS_COLLECTED]
    if not ran:
        print("No trial is called so.", file=sys.stderr)
        return pytest.ExitCode.NO_TESTS_COLLECTED
    return next((status for status in ran if status), pytest.ExitCode.TESTS_FAILED if too_few else 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
