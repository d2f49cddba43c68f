"""What must hold of every row that a terminal is sent."""

from __future__ import annotations

import unicodedata
from typing import Any

from rich.cells import cell_len

FORBIDDEN = ("Cc", "Cf", "Cs", "Co")
SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""Of another form of the letter before: for some terminals it is wider then, for others not."""


def whole(at: Any) -> None:
    """Each row is as wide as the window, and holds nothing that a terminal would do instead of showing it."""
    rows = at.text().split("\n")
    assert {cell_len(row) for row in rows} == {at.app.size.width}
    for row in rows:
        assert not [sign for sign in row if unicodedata.category(sign) in FORBIDDEN or sign in SELECTORS], ascii(row)
        assert unicodedata.category(row[0]) not in ("Mn", "Me"), "a mark that would stand on what is left of the window"
