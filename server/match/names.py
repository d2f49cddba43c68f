"""Players' names as `RU-M9` settles them."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from protocol.errors import Code, Refusal
from server.match.confusables import ROWS

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


_AT_A_GLANCE = str.maketrans("01i", "oll")
"""Characters that many typefaces draw alike, case folded."""
MAX_KNOWN = 4_096
"""Names whose looks are remembered; a hub with more players works some out again, in some 5 microseconds."""


def _table() -> dict[int, str]:
    """What each character looks like, by Unicode's table."""
    found = {}
    for row in ROWS:
        prototype, _, sources = row.partition(":")
        looks_like = "".join(chr(int(code, 16)) for code in prototype.split("."))
        found.update({int(source, 16): looks_like for source in sources.split()})
    return found


_PROTOTYPES = _table()


def _small_letters() -> dict[int, str]:
    """The same for small letters of other alphabets that look like none of ours, but whose capitals do: `н`, as `H`."""
    found = dict(_PROTOTYPES)
    for code in {ord(small) for source in _PROTOTYPES if len(small := chr(source).lower()) == 1}:
        capital = chr(code).upper()
        prototype = _PROTOTYPES.get(ord(capital)) if len(capital) == 1 and capital != chr(code) else None
        if prototype is not None and prototype.isascii() and not found.get(code, chr(code)).isascii():
            found[code] = prototype.casefold()
    return found


def _looks_latin(name: str) -> bool:
    """Whether all of it looks like letters of the Latin alphabet, whatever marks there are on them."""
    return all(
        _PROTOTYPES.get(ord(char), char).isascii() or unicodedata.category(char)[0] == "M"
        for char in unicodedata.normalize("NFD", name)
    )


_SMALL = _small_letters()


@lru_cache(MAX_KNOWN)
def looks(name: str) -> str:
    """What is seen of a name at a glance: two names with the same looks cannot be told apart (`H14`, `Q16`).

    That is their skeleton by UTS 39, from the table in `confusables`: the same for letters of any alphabet, for digits,
    and for several letters that look like one (rn, m). Case does not matter besides, nor i for l. Who is drawn all in
    letters that look Latin is taken for what is seen; in a name with letters of another alphabet case is folded first,
    so that it is the same in capitals. Marks tell names apart: José is not Jose.
    """
    seen = _skeleton(name, _PROTOTYPES) if _looks_latin(name) else _skeleton(name.casefold(), _SMALL)
    return _skeleton(seen.casefold(), _PROTOTYPES).casefold().translate(_AT_A_GLANCE)


def _skeleton(text: str, prototypes: dict[int, str]) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).translate(prototypes))


def numbered(name: str, number: int) -> str:
    """`name` with a number behind it, within 20 characters."""
    return f"{name[: MAX_NAME - 1 - len(str(number))].rstrip()} {number}"


def distinct_name(name: str, other: str | None) -> str:
    """`name`, or with a number when the other player's name looks the same (`RU-M9`), within 20 characters."""
    if other is None or looks(name) != looks(other):
        return name
    # Cut to make room, a long name that ends in a number already may come out as the other's once more.
    return next(numbered(name, number) for number in (2, 3) if looks(numbered(name, number)) != looks(other))
