"""Letters as people see them: a character together with the marks that belong to it. Pure."""

from __future__ import annotations

from rich.cells import split_graphemes


def clusters(text: str) -> list[str]:
    """`text` in letters, each with its marks; joined, they are `text`."""
    if text.isascii():
        return list(text)
    return [text[start:end] for start, end, _ in split_graphemes(text)[0]]
