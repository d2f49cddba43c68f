"""Players' names as `RU-M9` settles them."""

from __future__ import annotations

import unicodedata

from protocol.errors import Code, Refusal

MAX_NAME = 20
MAX_COMBINING = 2
"""Combining marks on one letter; more of them climb over the lines around a name."""

_PUNCTUATION = " -_.'"


def clean_name(raw: str) -> str:
    """The name to show for what was typed: NFKC, trimmed, runs of spaces made one.

    Raises Refusal `bad_name` when it is empty or too long or holds anything but letters, marks, digits and ` -_.'`
    (so no control, format or bidirectional character gets through).
    """
    name = " ".join(unicodedata.normalize("NFKC", raw).split())
    if not 1 <= len(name) <= MAX_NAME:
        raise Refusal(Code.BAD_NAME)
    combining = 0
    for position, char in enumerate(name):
        category = unicodedata.category(char)
        if category in ("Mn", "Mc", "Me"):
            combining += 1
            if position == 0 or combining > MAX_COMBINING:
                raise Refusal(Code.BAD_NAME)
            continue
        combining = 0
        if category[0] not in "LN" and char not in _PUNCTUATION:
            raise Refusal(Code.BAD_NAME)
    if not any(unicodedata.category(char)[0] in "LN" for char in name):
        raise Refusal(Code.BAD_NAME)
    return name


def distinct_name(name: str, other: str | None) -> str:
    """`name`, or with a number when the other player is called the same (case folded), within 20 characters."""
    if other is None or name.casefold() != other.casefold():
        return name
    return f"{name[: MAX_NAME - 2].rstrip()} 2"
