"""The two fonts that come with the program: which draws a character, and how wide a text is.

Inter draws nearly everything; DejaVu Sans has the symbols of the seats and the letters that Inter's files lack. Both
are part of the package, so that a text is as wide on every machine.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from itertools import groupby

import pygame

from client.window.theme import Face

FILES = {Face.PLAIN: "Inter-Regular.otf", Face.BOLD: "Inter-SemiBold.otf", Face.SYMBOL: "DejaVuSans.ttf"}
NOWHERE = "\uffff"
"""What is no character in any font."""
SMALLEST, LARGEST = 6, 400
"""Sizes of text in pixels, for a window that is absurdly small or large."""


@cache
def _file(face: Face) -> bytes:
    return (files("client.window") / "fonts" / FILES[face]).read_bytes()


@lru_cache(maxsize=96)
def font(face: Face, size: int) -> pygame.font.Font:
    """The font at a size in pixels."""
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(BytesIO(_file(face)), min(max(size, SMALLEST), LARGEST))


@lru_cache(maxsize=4096)
def has(face: Face, character: str) -> bool:
    """Whether the font can draw the character, and not just its sign for one that it lacks.

    (`metrics` has a box for those, too.)
    """
    return _drawn(face, character) != _drawn(face, NOWHERE)


def _drawn(face: Face, character: str) -> bytes:
    return pygame.image.tobytes(font(face, 16).render(character, True, "white"), "RGBA")


def face_of(face: Face, character: str) -> Face:
    """The font that draws the character: the wanted one if it can."""
    return face if has(face, character) else Face.SYMBOL


def runs(face: Face, text: str) -> list[tuple[Face, str]]:
    """The text in pieces of one font each."""
    return [(key, "".join(piece)) for key, piece in groupby(text, key=lambda character: face_of(face, character))]


@lru_cache(maxsize=8192)
def width(text: str, size: float, face: Face = Face.PLAIN) -> int:
    """How wide the text is, in pixels."""
    return sum(font(part, round(size)).size(piece)[0] for part, piece in runs(face, text))


def fitted(text: str, room: float, size: float, face: Face = Face.PLAIN) -> str:
    """The text, cut with an ellipsis to be at most `room` pixels wide."""
    if width(text, size, face) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle].rstrip() + "…", size, face) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…" if low else ""


@lru_cache(maxsize=512)
def wrapped(text: str, room: float, size: float, face: Face = Face.PLAIN) -> tuple[str, ...]:
    """The text as lines of at most `room` pixels, broken between words where that is possible."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            tried = f"{line} {word}" if line else word
            if not line or width(tried, size, face) <= room:
                line = tried
            else:
                lines.append(line)
                line = word
        lines.append(line)
    return tuple(piece for line in lines for piece in _broken(line, room, size, face))


def _broken(line: str, room: float, size: float, face: Face) -> list[str]:
    """A line whose only word is wider than the room, in pieces."""
    pieces = []
    while line and width(line, size, face) > room:
        count = next((n for n in range(len(line) - 1, 0, -1) if width(line[:n], size, face) <= room), 1)
        pieces.append(line[:count])
        line = line[count:]
    return [*pieces, line]
