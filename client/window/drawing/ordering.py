"""Text in the order in which it is seen: Arabic and Hebrew go from the right to the left. Pure.

This is what of Unicode's UAX #9 a line of ours needs, which begins at the left and has no marks of direction in it
(`client.conversation.cleaning` takes them out): what lies between two letters of such a script goes their way, and
numbers in it keep their own.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import groupby

_SCRIPTS = {"ARABIC": "Arab", "HEBREW": "Hebr", "NKO": "Nkoo", "SYRIAC": "Syrc", "THAANA": "Thaa"}
"""By the first word of a letter's name: ISO 15924's code. The font joins letters only when it is told."""
_NUMBERS = ("EN", "AN")
_IN_NUMBERS = ("ES", "CS", "ET")


@dataclass(frozen=True)
class Stretch:
    """A part of a text that runs one way; `script` is "" for from the left to the right."""

    text: str
    script: str = ""


def in_sight(text: str) -> list[Stretch]:
    """The stretches of `text` from the left to the right, as they are seen."""
    if text.isascii():
        return [Stretch(text)]
    ways = [unicodedata.bidirectional(character) for character in text]
    found: list[Stretch] = []
    at = 0
    while at < len(text):
        start = next((i for i in range(at, len(text)) if ways[i] in ("R", "AL")), len(text))
        if start > at:
            found.append(Stretch(text[at:start]))
        at = _end(ways, start)
        found += _backwards(text[start:at], ways[start:at])
    return found


def _end(ways: list[str], start: int) -> int:
    """Behind the last letter or number that still belongs to what goes backwards from `start` on."""
    end = start
    for i in range(start, len(ways)):
        if ways[i] == "L":
            break
        if ways[i] in ("R", "AL", *_NUMBERS) or (ways[i] == "NSM" and end == i):
            end = i + 1
    return end


def _backwards(text: str, ways: list[str]) -> list[Stretch]:
    """The stretches of what goes backwards: the last one first, numbers among them forwards."""
    is_number = [
        way in _NUMBERS
        or (way in _IN_NUMBERS and 0 < i < len(ways) - 1 and ways[i - 1] in _NUMBERS and ways[i + 1] in _NUMBERS)
        for i, way in enumerate(ways)
    ]
    parts = [
        (number, "".join(character for character, _ in part))
        for number, part in groupby(zip(text, is_number, strict=True), key=lambda pair: pair[1])
    ]
    return [Stretch(part, "" if number else _script(part)) for number, part in reversed(parts)]


def _script(text: str) -> str:
    """The script of the first letter that tells one."""
    words = (unicodedata.name(character, "").partition(" ")[0] for character in text)
    return next((_SCRIPTS[word] for word in words if word in _SCRIPTS), "Arab")
