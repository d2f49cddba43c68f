"""What a user has chosen about a client itself, kept from run to run in a small file beside the identities."""

from __future__ import annotations

import contextlib
import os
from enum import Enum
from pathlib import Path
from typing import Annotated

import msgspec
from platformdirs import user_config_path

MAX_BYTES = 4096


class Theme(Enum):
    """The two palettes."""

    LIGHT = "light"
    DARK = "dark"


class Ground(Enum):
    """What lies under everything in a terminal: as the terminal's own is, or as one likes it."""

    OWN = "own"
    DARK = "dark"
    LIGHT = "light"


class BoardColours(Enum):
    """What boards are made of. The tiles of Checkers are chosen by who hosts a match, for both sides."""

    PAPER = "paper"
    WOOD = "wood"
    MEADOW = "meadow"
    SKY = "sky"


class Settings(msgspec.Struct, frozen=True):
    """`theme` is the window's, `ground` the terminal's. `sound` and `motion` say whether there are sounds (of a
    `volume` from 0 to 1; in a terminal the bell) and animations. With `confirm` a move is sent only after it was
    confirmed, with `premove` one can be planned ahead."""

    theme: Theme = Theme.LIGHT
    sound: bool = True
    motion: bool = True
    volume: Annotated[float, msgspec.Meta(ge=0, le=1)] = 1.0
    confirm: bool = False
    premove: bool = True
    ground: Ground = Ground.OWN
    board: BoardColours = BoardColours.PAPER


def settings_file(front_end: str) -> Path:
    """Where those of the "window" or the "terminal" are kept."""
    return user_config_path("parlour", appauthor=False) / f"{front_end}.json"


def load_settings(path: Path) -> Settings:
    """Those in the file; the usual ones when it is missing, damaged or absurdly large."""
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(MAX_BYTES), type=Settings)
    except (OSError, msgspec.DecodeError, UnicodeError):
        return Settings()


def save_settings(path: Path, settings: Settings) -> None:
    """Keep them; a folder that cannot be written costs nothing but the memory."""
    fresh = path.with_suffix(f".{os.getpid()}.new")
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(settings)))
        fresh.replace(path)
