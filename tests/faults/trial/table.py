"""The table at the end of a run with fault trials: what was done to the hubs and Redis, and what came of it.

Rows travel as plain values in pytest's user properties, so that they reach the summary from other processes, too.
`tests/conftest.py` collects them; everything here is pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tests.faults.trial.evidence import Fault

PROPERTY = "fault"
"""The user property that carries a row."""
HEAD = ("fault", "times", "in commit", "lost", "doubled", "reordered", "p95 s", "worst s")
NOT_JUDGED = "?"
CANNOT_BE = "-"


@dataclass
class Row:
    """One kind of fault in one trial. A trial counts up the row while it goes on, so that it is there if it fails.

    `hits` are the faults that hit between receipt and acknowledgement: some command was stored before the fault and
    not acknowledged; None where that cannot be. `resumed_s` is how long it took until play went on, once for each
    fault and table. `lost`, `doubled` and `reordered` are the checker's; None until the trial was judged.
    """

    fault: str
    times: int = 0
    hits: int | None = None
    resumed_s: list[float] = field(default_factory=list)
    trial: str = ""
    lost: int | None = None
    doubled: int | None = None
    reordered: int | None = None

    def take(self, faults: Iterable[Fault]) -> None:
        """Enter the checker's verdict."""
        kinds = [fault.kind for fault in faults]
        self.lost, self.doubled, self.reordered = (kinds.count(kind) for kind in ("lost", "doubled", "reordered"))

    def plain(self) -> dict[str, Any]:
        """The row as a user property."""
        return asdict(self)


def percentile(values: Sequence[float], percent: int) -> float:
    """The smallest value that so many percent do not exceed; ValueError without values."""
    if not values:
        raise ValueError("no values")
    return sorted(values)[max(0, -(-len(values) * percent // 100) - 1)]


def render(rows: Sequence[Row]) -> list[str]:
    """The lines of the table: rows of the same fault are one, sorted by name; the last one has the sums.

    A trial with several faults has one verdict, which stands in each of its rows and counts once in the sums.
    """
    by_fault: dict[str, list[Row]] = {}
    for row in rows:
        by_fault.setdefault(row.fault, []).append(row)
    lines = [(name, *_cells(by_fault[name])) for name in sorted(by_fault, key=_as_counted)]
    lines.append(("all", *_cells(rows)))
    widths = [max(len(line[column]) for line in (HEAD, *lines)) for column in range(len(HEAD))]
    rule = "  ".join("-" * width for width in widths)
    texts = [_line(line, widths) for line in (HEAD, *lines)]
    return [texts[0], rule, *texts[1:-1], rule, texts[-1]]


def _as_counted(name: str) -> list[tuple[int, str]]:
    """A key that has Q5 before Q15."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", name)]


def injected(rows: Iterable[Row]) -> int:
    """How many faults there were in all."""
    return sum(row.times for row in rows)


def _cells(rows: Sequence[Row]) -> tuple[str, ...]:
    hits = [row.hits for row in rows if row.hits is not None]
    judged = {row.trial: (row.lost, row.doubled, row.reordered) for row in rows}
    verdict = [_sum([counts[column] for counts in judged.values()]) for column in range(3)]
    resumed = [seconds for row in rows for seconds in row.resumed_s]
    times = [f"{percentile(resumed, percent):.2f}" if resumed else CANNOT_BE for percent in (95, 100)]
    return (str(injected(rows)), str(sum(hits)) if hits else CANNOT_BE, *verdict, *times)


def _sum(counts: Sequence[int | None]) -> str:
    known = [count for count in counts if count is not None]
    return str(sum(known)) if len(known) == len(counts) else f"{sum(known)}{NOT_JUDGED}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (
        cell.rjust(width) if column else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join((first, *others))
