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


_LOOK_ALIKES = {
    "a": "\u0430\u03b1", "b": "\u0432\u03b2", "c": "\u0441", "e": "\u0435\u03b5", "h": "\u043d\u03b7",
    "i": "\u0456\u03b9", "j": "\u0458", "k": "\u043a\u03ba", "l": "\u04cf", "m": "\u043c\u03bc",
    "o": "\u043e\u03bf", "p": "\u0440\u03c1", "s": "\u0455", "t": "\u0442\u03c4", "v": "\u03bd",
    "w": "\u051d", "x": "\u0445\u03c7", "y": "\u0443\u04af\u03c5", "z": "\u03b6",
}  # fmt: skip
"""Cyrillic and Greek letters that look like a Latin one, as a small or as a capital letter; case folded."""
_AS_LATIN = {ord(other): latin for latin, others in _LOOK_ALIKES.items() for other in others}
_AT_A_GLANCE = str.maketrans("01i", "oll")
"""Characters that many typefaces draw alike, case folded."""


def looks(name: str) -> str:
    """What is seen of a name at a glance: two names with the same looks cannot be told apart (`H14`).

    Case does not matter, nor which alphabet a letter comes from that looks the same in several.
    """
    return name.casefold().translate(_AS_LATIN).translate(_AT_A_GLANCE)


def numbered(name: str, number: int) -> str:
    """`name` with a number behind it, within 20 characters."""
    return f"{name[: MAX_NAME - 1 - len(str(number))].rstrip()} {number}"


def distinct_name(name: str, other: str | None) -> str:
    """`name`, or with a number when the other player's name looks the same (`RU-M9`), within 20 characters."""
    if other is None or looks(name) != looks(other):
        return name
    # Cut to make room, a long name that ends in a number already may come out as the other's once more.
    return next(numbered(name, number) for number in (2, 3) if looks(numbered(name, number)) != looks(other))
