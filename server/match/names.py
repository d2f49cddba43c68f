"""Players' names as `RU-M9` settles them."""

from __future__ import annotations

import re
import unicodedata

from protocol.errors import Code, Refusal

MAX_NAME = 20
MAX_COMBINING = 2
"""Combining marks on one letter; more of them climb over the lines around a name."""

_PUNCTUATION = " -_.'"

_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""The letters and marks among Unicode's Default_Ignorable_Code_Point: nothing is drawn for them, so that a name could
be blank or look like another."""


def clean_name(raw: str) -> str:
    """The name to show for what was typed: NFKC, trimmed, runs of spaces made one.

    Raises Refusal `bad_name` when it is empty or too long or holds anything but letters, marks on them, digits and
    ` -_.'` (so no control, format or bidirectional character gets through), or a letter that cannot be seen.
    """
    name = " ".join(unicodedata.normalize("NFKC", raw).split())
    if not 1 <= len(name) <= MAX_NAME or _INVISIBLE.search(name):
        raise Refusal(Code.BAD_NAME)
    room = 0  # for marks on the letter before
    for char in name:
        kind = unicodedata.category(char)[0]
        if kind == "M":
            room -= 1
            if room < 0:
                raise Refusal(Code.BAD_NAME)
        elif kind in "LN":
            room = MAX_COMBINING
        elif char in _PUNCTUATION:
            room = 0
        else:
            raise Refusal(Code.BAD_NAME)
    if not any(unicodedata.category(char)[0] in "LN" for char in name):
        raise Refusal(Code.BAD_NAME)
    return name


def distinct_name(name: str, other: str | None) -> str:
    """`name`, or with a number when the other player is called the same (case folded), within 20 characters."""
    if other is None or name.casefold() != other.casefold():
        return name
    stem = name[: MAX_NAME - 2].rstrip()
    # Cut to make room, a long name that ends in a number already may come out as the other's once more.
    return next(f"{stem} {number}" for number in (2, 3) if f"{stem} {number}".casefold() != other.casefold())
