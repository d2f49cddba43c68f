"""Text from outside made harmless to show (`H16`).

Every string of every notification passes `cleaned` once, before the model sees it: no control code, no escape
sequence, nothing that turns, hides or covers other text is left, and nothing whose width nobody knows.
"""

from __future__ import annotations

import unicodedata
from typing import Any, TypeVar

import msgspec

from client.conversation.events import Event, Settled
from protocol.messages import Notification

N = TypeVar("N", bound=Notification)

HARMFUL = frozenset({"Cc", "Cf"})
"""Controls and format characters, bidirectional ones among them: taken out."""
UNKNOWN = frozenset({"Co", "Cs", "Cn"})
"""Private, surrogate, unassigned: nobody knows what they look like, or how wide they are. Not so among the emoji, of
which there are new ones every year: all are two cells wide."""
INSTEAD = "\ufffd"
"""Stands for what is unknown."""
MARKS = frozenset({"Mn", "Me"})
BARE = "\u25cc"
"""A dotted circle, for a mark to stand on that comes without a letter; else it stands on what is before the text."""
MOST_MARKS = 4
"""On one letter; no language has more, and a tower of them covers the lines above."""
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""What Unicode calls ignorable and yet a letter or mark: a name of these would be empty."""


def plain(text: str, *, keep_lines: bool = False) -> str:
    """`text` without anything harmful. Line breaks become spaces unless `keep_lines`."""
    if text.isascii() and text.isprintable():
        return text
    kept: list[str] = []
    marks = MOST_MARKS
    for character in text:
        category = unicodedata.category(character)
        if category in MARKS and not _is_unseen(character):
            if not kept or kept[-1] == "\n":
                kept.append(BARE)
                marks = 0
            marks += 1
            if marks <= MOST_MARKS:
                kept.append(character)
        elif (shown := _shown(character, category, keep_lines)) and not _is_unseen(character):
            kept.append(shown)
            marks = 0
    return "".join(kept)


def _shown(character: str, category: str, keep_lines: bool) -> str:
    """What stands for a character that is no mark; "" for nothing."""
    if character == "\n" and keep_lines:
        return character
    if character in "\n\t" or category[0] == "Z":
        # Of all kinds of space one: the others have widths that fonts and terminals do not agree on.
        return " "
    if category in UNKNOWN:
        return character if "\U0001f000" <= character <= "\U0001faff" else INSTEAD
    return "" if category in HARMFUL else character


def _is_unseen(character: str) -> bool:
    """Whether nothing is to be seen of it: fillers, and selectors of another form of the letter before, for which
    terminals leave one cell or two."""
    selects = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    return selects or character in _UNSEEN or "\u180b" <= character <= "\u180f"


def cleaned(notification: N) -> N:
    """The notification with every string in it made harmless; help texts keep their line breaks."""
    return msgspec.convert(_clean(msgspec.to_builtins(notification)), type(notification))


def cleaned_event(event: Event) -> Event:
    """The same for whatever a session tells; an answer inside an event comes from outside, too."""
    match event:
        case Notification():
            return cleaned(event)
        case Settled(command, answer):
            return Settled(command, cleaned(answer))
        case _:
            return event


def _clean(value: Any) -> Any:
    match value:
        case str():
            return plain(value, keep_lines=True)
        case dict():
            return {plain(key): _clean(item) for key, item in value.items()}
        case list() | tuple():
            return [_clean(item) for item in value]
        case _:
            return value
