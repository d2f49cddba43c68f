"""What of a text is drawn by which font, how wide it is, and where it is cut.

A text may come from anybody and hold anything, and what is typed here was not cleaned yet. Letters stay together with
their marks; what no font has is drawn as a small box with its number in Unicode.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import pygame

from client.conversation.cleaning import BARE, MARKS, plain
from client.shown.words.graphemes import clusters
from client.window.drawing.faces import face_of, font
from client.window.drawing.ordering import in_sight
from client.window.drawing.theme import Face

NUMBER_PART = 0.5
"""How large the digits of a number in a box are, in parts of the text's size."""


@dataclass(frozen=True)
class Run:
    """Letters that one font draws in one go.

    `script` is set for one that is written from the right to the left. Where no font has the letters `face` is None,
    and their numbers are drawn.
    """

    text: str
    face: Face | None
    script: str = ""


@lru_cache(maxsize=4096)
def runs(face: Face, text: str) -> tuple[Run, ...]:
    """The text in runs, from the left to the right as they are seen."""
    found: list[Run] = []
    for stretch in in_sight(_seen(text)):
        drawn = [part for letter in clusters(stretch.text) for part in _by_face(face, letter)]
        parts = [
            Run("".join(letter for letter, _ in group), key, stretch.script)
            for key, group in groupby(drawn, key=lambda pair: pair[1])
        ]
        found += reversed(parts) if stretch.script else parts
    return tuple(found)


def _seen(text: str) -> str:
    """The text as it is shown: harmless, and letters and marks put together where Unicode has them so."""
    return plain(text if text.isascii() else unicodedata.normalize("NFC", text))


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in MARKS


def _by_face(face: Face, letter: str) -> list[tuple[str, Face | None]]:
    """A letter and its marks by the font that has all of them; else each by its own, marks on a circle."""
    if _is_mark(letter[0]):
        letter = BARE + letter
    whole = face_of(face, letter)
    if whole is not None or len(letter) == 1:
        return [(letter, whole)]
    return [(sign, face_of(face, sign)) for sign in (BARE + one if _is_mark(one) else one for one in letter)]


@lru_cache(maxsize=8192)
def size_of(run: Run, size: int) -> tuple[int, int]:
    """Width of the run, and how far its top lies above the line that letters stand on; in pixels."""
    if run.face is None:
        return len(run.text) * _box(size)[0], round(size * 0.95)
    drawn = font(run.face, size, run.script)
    try:
        return drawn.size(run.text)[0], drawn.get_ascent()
    except pygame.error:
        # The library knows no text without width.
        return 0, drawn.get_ascent()


def draw(run: Run, size: int, colour: tuple[int, int, int]) -> pygame.Surface:
    """The run as a picture."""
    if run.face is None:
        return _numbers(run.text, size, colour)
    try:
        return font(run.face, size, run.script).render(run.text, True, colour)
    except pygame.error:
        return pygame.Surface((0, 0), pygame.SRCALPHA)


def _box(size: int) -> tuple[int, int]:
    """How wide and high the box of a number is, with the space beside it."""
    digits = font(Face.BOLD, round(size * NUMBER_PART))
    return digits.size("000")[0] + 6, 2 * digits.get_ascent() + 4


def _numbers(text: str, size: int, colour: tuple[int, int, int]) -> pygame.Surface:
    """Boxes with the numbers of characters that no font has: different ones look different."""
    wide, high = _box(size)
    digits = font(Face.BOLD, round(size * NUMBER_PART))
    drawn = pygame.Surface((wide * len(text), high), pygame.SRCALPHA)
    for index, character in enumerate(text):
        left = index * wide
        pygame.draw.rect(drawn, colour, (left + 1, 0, wide - 2, high), 1)
        number = f"{ord(character):04X}"
        half = (len(number) + 1) // 2
        for row, part in enumerate((number[:-half], number[-half:])):
            shown = digits.render(part, True, colour)
            drawn.blit(shown, (left + (wide - shown.get_width()) // 2, 2 + row * digits.get_ascent()))
    return drawn


@lru_cache(maxsize=8192)
def width(text: str, size: float, face: Face = Face.PLAIN) -> int:
    """How wide the text is, in pixels."""
    return sum(size_of(run, round(size))[0] for run in runs(face, text))


def fitted(text: str, room: float, size: float, face: Face = Face.PLAIN) -> str:
    """The text, cut with an ellipsis to be at most `room` pixels wide."""
    if width(text, size, face) <= room:
        return text
    letters = clusters(text)
    low, high = 0, len(letters)
    while low < high:
        middle = (low + high + 1) // 2
        if width("".join(letters[:middle]).rstrip() + "…", size, face) <= room:
            low = middle
        else:
            high = middle - 1
    return "".join(letters[:low]).rstrip() + "…" if low else ""


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
    """A line whose only word is wider than the room, in pieces of at least one letter."""
    if width(line, size, face) <= room:
        return [line]
    letters = clusters(line)
    pieces: list[str] = []
    start = 0
    while start < len(letters):
        low, high = start + 1, len(letters)
        while low < high:
            middle = (low + high + 1) // 2
            if width("".join(letters[start:middle]), size, face) <= room:
                low = middle
            else:
                high = middle - 1
        pieces.append("".join(letters[start:low]))
        start = low
    return pieces
