"""Text from outside made harmless for a terminal (`H16`).

Every string of every notification passes `cleaned` once, before the model sees it: no control code, no escape
sequence, nothing that turns or hides other text is left.
"""

from __future__ import annotations

import unicodedata
from typing import Any, TypeVar

import msgspec

from client.events import Event, Settled
from protocol.messages import Notification

N = TypeVar("N", bound=Notification)

HARMFUL = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
"""Controls, format characters (bidirectional ones among them), private, surrogate, unassigned; line separators."""


def plain(text: str, *, keep_lines: bool = False) -> str:
    """`text` without anything harmful. Line breaks become spaces unless `keep_lines`."""
    if text.isascii() and text.isprintable():
        return text
    kept = []
    for character in text:
        if character == "\n" and keep_lines:
            kept.append(character)
        elif character in "\n\t":
            kept.append(" ")
        elif unicodedata.category(character) not in HARMFUL:
            kept.append(character)
    return "".join(kept)


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
