"""How the window looks and sounds for this user, kept from run to run in a small file beside the identities."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import msgspec
from platformdirs import user_config_path

from client.window.theme import Theme

MAX_BYTES = 4096


class Settings(msgspec.Struct, frozen=True):
    """`theme` is "light" or "dark"; `sound` and `motion` say whether there are sounds and animations."""

    theme: Theme = Theme.LIGHT
    sound: bool = True
    motion: bool = True


def settings_file() -> Path:
    """Where they are kept."""
    return user_config_path("parlour", appauthor=False) / "window.json"


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
