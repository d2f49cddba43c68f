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

from tests.faults.trial.collector import Collector, closing_lines
from tests.faults.trial.table import Row, injected

TESTS = Path(__file__).parent.parent
LEAST = 500
"""Faults in a whole run; fewer are no proof."""
TIMEOUT_S = 1800
WORKERS_A_CORE = 3
MOST_WORKERS = 12
"""Each worker has two hubs and a Redis; `-n` asks for another number."""
MARK = "mark.faults"
FORM = "PARLOUR_FAULTS"
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


def run(files: Sequence[Path], words: Sequence[str], mark: str, collector: Collector) -> int:
    """One run of the trials that have this mark; `collector` has what it said, also when it was broken off."""
    first = ("--timeout", str(TIMEOUT_S), "--dist", "load", "--maxschedchunk", "1", "--durations", "12")
    try:
        return pytest.main([*first, *words, "-m", mark, *map(str, files)], plugins=[collector])
    except KeyboardInterrupt:
        # A second one, or one while pytest was summing up.
        return pytest.ExitCode.INTERRUPTED


class Table:
    """What all runs said. Its file is whole after every trial, however the run ends."""

    def __init__(self, least: int, file: Path | None) -> None:
        self.least = least
        self._file = file
        self.runs = {how: Collector(lambda _: self.write()) for how in ("together", "one by one")}

    @property
    def rows(self) -> list[Row]:
        """Those of both runs."""
        return [row for said in self.runs.values() for row in said.rows]

    def lines(self) -> list[str]:
        """The table of faults, and at which load it came about."""
        stalls = sum(len(said.stalls) for said in self.runs.values())
        return closing_lines(self.rows, self.least, stalls) + [
            f"Trials {how}: {len(said.loads)}, at a load of {min(said.loads):.1f} to {max(said.loads):.1f}"
            for how, said in self.runs.items() if said.loads
        ]  # fmt: skip

    def write(self) -> None:
        """Renew the file, if one is wanted."""
        if self._file is not None:
            new = self._file.with_name(self._file.name + ".new")
            new.write_text("\n".join(self.lines()) + "\n")
            new.replace(self._file)

    def tell(self) -> None:
        """Print all of it, what trials provoked and measured first."""
        sections: dict[str, list[str]] = {}
        for said in self.runs.values():
            for title, told in said.sections():
                sections.setdefault(title, []).extend(told)
        sections["faults"] = self.lines()
        for title, told in sections.items():
            if told:
                print(f"\n{title}", *told, sep="\n", flush=True)
        self.write()


def main(words: Sequence[str]) -> int:
    """Both runs and their table; returns the status for the shell."""
    end = words.index("--") if "--" in words else len(words)
    names, more = words[:end], words[end + 1 :]
    try:
        files = chosen(names, parts())
    except ValueError as wrong:
        print(wrong, file=sys.stderr)
        return pytest.ExitCode.USAGE_ERROR
    os.environ[FORM] = "full"
    workers = min(MOST_WORKERS, WORKERS_A_CORE * (os.cpu_count() or 1))
    file = os.environ.get(TABLE)
    table = Table(0 if names or more else LEAST, Path(file) if file else None)
    statuses = [run(files, ["-n", str(workers), *more], "faults and not timed", table.runs["together"])]
    if statuses[0] != pytest.ExitCode.INTERRUPTED:
        statuses.append(run(files, [*more, "-n", "1"], "faults and timed", table.runs["one by one"]))
    table.tell()
    return judged(statuses, injected(table.rows) < table.least)


def judged(statuses: Sequence[int], too_few: bool) -> int:
    """What both runs come to: a run without trials is none, but one of both must have had some."""
    ran = [status for status in statuses if status != pytest.ExitCode.NO_TESTS_COLLECTED]
    if not ran:
        print("No trial is called so.", file=sys.stderr)
        return pytest.ExitCode.NO_TESTS_COLLECTED
    return next((status for status in ran if status), pytest.ExitCode.TESTS_FAILED if too_few else 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
