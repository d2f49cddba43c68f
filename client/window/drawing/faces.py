"""The fonts that come with the program, and which of them draws a character.

Inter draws nearly everything that we say ourselves; DejaVu Sans has the symbols of the seats, and Arabic, Hebrew and
other letters; GNU Unifont has Chinese, Japanese, Korean and everything else that Unicode had in 2022, emoji in black
and white among it. All are part of the package, so that a text is seen, and as wide, on every machine.
"""

from __future__ import annotations

import gzip
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO

import pygame

from client.window.drawing.theme import Face

FILES = {
    Face.PLAIN: "Inter-Regular.otf",
    Face.BOLD: "Inter-SemiBold.otf",
    Face.SYMBOL: "DejaVuSans.ttf",
    Face.WORLD: "Unifont.otf.gz",
    Face.WORLD_UPPER: "UnifontUpper.otf.gz",
}
NEXT = (Face.SYMBOL, Face.WORLD, Face.WORLD_UPPER)
"""Who is asked, in this order, for what the wanted font lacks."""
NOWHERE = "\U0010fffd"
"""What is no character in any font."""
SMALLEST, LARGEST = 6, 400
"""Sizes of text in pixels, for a window that is absurdly small or large."""
GRID = 16
"""Unifont's letters are made of so many points, and sharp where each is a whole number of pixels."""
LEAST_GRID = 12
"""The size from which on they are drawn so; smaller ones would stick out of their line."""


@cache
def _file(face: Face) -> bytes:
    packed = (files("client.window.drawing") / "fonts" / FILES[face]).read_bytes()
    return gzip.decompress(packed) if FILES[face].endswith(".gz") else packed


@lru_cache(maxsize=96)
def font(face: Face, size: int, script: str = "") -> pygame.font.Font:
    """The font at a size in pixels; with a script (ISO 15924) it writes that, from the right to the left."""
    if not pygame.font.get_init():
        pygame.font.init()
    size = min(max(size, SMALLEST), LARGEST)
    if face in (Face.WORLD, Face.WORLD_UPPER) and size >= LEAST_GRID:
        size = GRID * round(size / GRID)
    made = pygame.font.Font(BytesIO(_file(face)), size)
    if script:
        made.set_script(script)
        made.set_direction(pygame.DIRECTION_RTL)
    return made


@lru_cache(maxsize=4096)
def has(face: Face, character: str) -> bool:
    """Whether the font can draw the character, and not just its sign for one that it lacks.

    (`metrics` has a box for those, too.)
    """
    return _drawn(face, character) not in (None, _drawn(face, NOWHERE))


def _drawn(face: Face, character: str) -> bytes | None:
    try:
        return pygame.image.tobytes(font(face, 16).render(character, True, "white"), "RGBA")
    except (pygame.error, ValueError):
        # What has no width, and what is no text to the library: nothing to be seen.
        return None


@lru_cache(maxsize=4096)
def face_of(face: Face, letter: str) -> Face | None:
    """The font that draws a letter with all its marks: the wanted one if it can; None when none does."""
    for tried in (face, *NEXT):
        if all(has(tried, character) for character in letter):
            return tried
    return None
