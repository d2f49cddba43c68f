"""Writes into docs/requirements.md which tests meet which requirement, found by the numbers in their docstrings.

    python -m scripts.requirements_page           rewrites the last column of the page's tables, and the count
    python -m scripts.requirements_page --check   fails when it is not up to date

A docstring names requirements as `DB 7.3.2.1`, `CK R5 to R8`, `SQ2, SQ5`, `HX SR4.E1, SR4.E2`; the document's letters
hold until others come. A number stands for all below it, so `CK R5` is R5.1 to R5.6. The tests of a game's rules have
the numbers of its document in their names: `test_7_2_1_2_the_fourth_side_...`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "requirements.md"
OPEN = "**open**"
PLACES: Mapping[str, tuple[str, ...]] = {
    "page": ("browser/",),
    "window": ("client/window/",),
    "terminal": ("client/terminal/",),
    "lines": ("client/plain/",),
    "HTTP": ("server/http/",),
    "package": ("test_packages.py",),
    "document": ("test_design.py",),
    "students' games": ("client/dog/", "server/dog_front/"),
    "all clients": ("client/",),
    "rules": ("server/games/", "server/bots/"),
    "hub": ("",),
}
"""Where a test looks, by how its name begins; the first that fits counts."""
PARTLY: Mapping[str, str] = {
    "SQ10": "the button in the middle of a game is called Restart, and asks once: a slip would cost the game",
    "HX NF": "nobody has counted the slips of experienced players",
}
"""Requirements that are met in part, and which part is not."""
NUMBER = r"(?:(?:RNF|RF|SR|NF|R|C)?\d+(?:\.(?:E?\d+|x))*|NCP|CP|win|board|rules|must move|NF)"
LIST = re.compile(rf"\b(DB|CK|HX|UD) `?({NUMBER}\b(?:`?(?:, | and | to )`?{NUMBER}\b)*)")
SQUARES = re.compile(r"\bSQ(\d+)(?: to SQ(\d+))?")
IN_NAME = re.compile(r"test_(?:ru_[a-z]+\d+_|l\d+_)*(?:(sq\d+|(?:rnf|rf|sr|r|c)?\d+(?:_\d+)*|ncp|cp|rules)(?=_))?")
DOCUMENT_OF = {"dots_and_boxes": "DB", "square": "SQ", "checkers": "CK", "hexoust": "HX", "ultimate_dots": "UD"}
"""Whose rules the test files of `tests/server/games` try, by how their names begin."""
ELSEWHERE: Mapping[str, str] = {
    "DB 7.1.1.2": 'on the page, which is closed like any other, the way out of a match is "Lobby" at its top; a'
    " window as small as 640 x 480 has some controls behind More",
    "DB 12": "`client/shown/state.py`, `protocol/board.py`, `protocol/errors.py`",
    "UD RNF2": "[design.md](design.md)",
}
"""What else than a test answers for a requirement."""


class Row:
    """A requirement of the page: its document, the numbers that it goes by, and what is asked."""

    def __init__(self, document: str, cell: str, asked: str) -> None:
        self.name = f"{document} {cell}" if document != "SQ" else cell
        self.document = document
        self.cell = cell
        self.asked = asked
        self.numbers = _numbers(cell)

    def is_met_by(self, number: str) -> bool:
        """Whether a test of `number` is one of this row's: the same, or one above or below it."""
        return any(f"{number}.".startswith(f"{own}.") or f"{own}.".startswith(f"{number}.") for own in self.numbers)


def _numbers(cell: str) -> list[str]:
    """The numbers of a row's first cell; "R1.1 - R1.6" are six."""
    ends = re.fullmatch(r"(R\d+)\.(\d+) - R\d+\.(\d+)", cell)
    if ends:
        return [f"{ends[1]}.{last}" for last in range(int(ends[2]), int(ends[3]) + 1)]
    spread = re.fullmatch(r"(.*), (SR\d+)\.(\d+) - SR\d+\.(\d+)", cell)
    if spread:
        return [*_numbers(spread[1]), *(f"{spread[2]}.{last}" for last in range(int(spread[3]), int(spread[4]) + 1))]
    if not any(character.isdigit() for character in cell):
        return [cell]
    return [re.sub(r"\.x$", "", part.split(" ")[0]) for part in cell.split(", ")]


def rows(page: str) -> list[Row]:
    """The requirements in the page's order."""
    found, document = [], ""
    for line in page.splitlines():
        if line.startswith("## "):
            document = line[3:].partition(":")[0]
        elif line.startswith("| ") and not line.startswith(("| number", "|---")):
            cell, asked = [part.strip() for part in line.strip("|").split(" | ")[:2]]
            found.append(Row(document, cell, asked))
    return found


def named(text: str) -> Iterator[tuple[str, str]]:
    """Each (document, number) that a text names; of "R5 to R8" every one between."""
    for document, numbers in LIST.findall(text):
        parts = re.split(r"`?(, | and | to )`?", numbers)
        last = ""
        for joint, number in zip(["", *parts[1::2]], parts[::2], strict=True):
            yield from ((document, one) for one in (_between(last, number) if joint == " to " else [number]))
            last = number
    for first, last in SQUARES.findall(text):
        yield from (("SQ", f"SQ{number}") for number in range(int(first), int(last or first) + 1))


def _between(first: str, last: str) -> list[str]:
    start, end = re.fullmatch(r"(.*?)(\d+)", first), re.fullmatch(r"(.*?)(\d+)", last)
    if start is None or end is None or start[1] != end[1]:
        return [last]
    return [f"{start[1]}{number}" for number in range(int(start[2]) + 1, int(end[2]) + 1)]


def tests() -> Iterator[tuple[str, str]]:
    """Each test's name, from the root, and the text that may name requirements."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        where = path.relative_to(ROOT).as_posix()
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                text = ast.get_docstring(node) or ""
                yield f"{where}::{node.name}", f"{in_name(where, node.name)} {text}"


def in_name(where: str, test: str) -> str:
    """The number that the name of a test of a game's rules begins with, as a docstring would have it; else ""."""
    game = where.removeprefix("tests/server/games/test_")
    document = next((letters for name, letters in DOCUMENT_OF.items() if game.startswith(name)), "")
    number = IN_NAME.match(test)
    if not document or number is None or not number[1]:
        return ""
    if document == "SQ":
        return number[1].upper()
    shown = number[1] if number[1] == "rules" else number[1].upper()
    return f"{document} {shown.replace('_', '.')}"


def met(requirements: list[Row]) -> dict[str, list[str]]:
    """The tests of each requirement, by its name; first those that name the fewest others."""
    by_name: dict[str, list[str]] = defaultdict(list)
    texts = ((test, set(named(text))) for test, text in tests())
    for test, numbers in sorted(texts, key=lambda one: len(one[1])):
        for row in requirements:
            if any(document == row.document and row.is_met_by(number) for document, number in numbers):
                by_name[row.name].append(test)
    return by_name


def place(test: str) -> str:
    """Where the test looks: on the page, in the window, ..."""
    where = test.removeprefix("tests/")
    return next(place for place, starts in PLACES.items() if where.startswith(starts))


def _cell(row: Row, found: Mapping[str, list[str]]) -> str:
    """For each place the test that names the fewest other requirements, for it is about this one; and how many more."""
    partly = f"**partly**: {PARTLY[row.name]}. " if row.name in PARTLY else ""
    elsewhere = ELSEWHERE.get(row.name, "")
    if row.name not in found:
        return partly + (elsewhere or OPEN)
    first: dict[str, str] = {}
    for test in found[row.name]:
        first.setdefault(place(test), test)
    named_ = [elsewhere] if elsewhere else []
    named_ += [f"{where}: `{first[where].removeprefix('tests/')}`" for where in PLACES if where in first]
    more = len(found[row.name]) - len(first)
    return partly + ", ".join(named_) + (f" and {more} more" if more > 0 else "")


def page() -> str:
    """The page as it should be."""
    text = PAGE.read_text(encoding="utf-8")
    requirements = rows(text)
    found = met(requirements)
    cells = iter([(row, _cell(row, found)) for row in requirements])
    shown = [_cell(row, found) for row in requirements]
    is_open, partly = (sum(cell == OPEN for cell in shown), sum(cell.startswith("**partly**") for cell in shown))
    lines = []
    for line in text.splitlines():
        if line.startswith("| ") and not line.startswith("| number"):
            row, cell = next(cells)
            line = f"| {row.cell} | {row.asked} | {cell} |"
        elif line.startswith("Met: "):
            met_ = len(requirements) - is_open - partly
            line = f"Met: {met_} of {len(requirements)}. In part: {partly}. Open: {is_open}."
        lines.append(line)
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Rewrite or check; returns the exit status."""
    wanted = page()
    if "--check" in arguments:
        return 0 if PAGE.read_text(encoding="utf-8") == wanted else 1
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
