"""What a killed client leaves behind is taken away at a later start: only what is ours, and nobody writes any more."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from itertools import islice
from pathlib import Path

OLD_S = 3600.0
"""A file is written within a moment; one that was begun so long ago is nobody's."""
MAX_LOOKED_AT = 20_000
"""Entries of a folder; a fuller one is looked at no further."""
FRESH = ".parlour-"
"""How a file begins that is written beside the one that it will replace."""
SUFFIX = ".new"

_FRESH = re.compile(rf"{re.escape(FRESH)}\w+{re.escape(SUFFIX)}")
_SETTINGS = re.compile(r"((window|terminal|learned)\.\d+|(identity|local)(-[\w-]+)?)\.new")
_FOR_NOW = re.compile(r"parlour-(?P<process>\d+)-\w+")


def begin_file(folder: Path) -> tuple[int, str]:
    """A new file in `folder`, to be renamed once it is whole: its descriptor and path."""
    return tempfile.mkstemp(prefix=FRESH, suffix=SUFFIX, dir=folder)


def folder_for_now() -> tempfile.TemporaryDirectory[str]:
    """A folder for as long as this process runs, or less; its name says whose it is. Raises OSError."""
    return tempfile.TemporaryDirectory(prefix=f"parlour-{os.getpid()}-", ignore_cleanup_errors=True)


def sweep(saves: Path, settings: Path, now: float | None = None) -> int:
    """Take away what is left of files begun in these folders, and of folders of processes that are no more.

    `now` is in seconds since 1970. Returns how many there were; what cannot be taken away stays.
    """
    now = time.time() if now is None else now
    old = [path for folder, name in ((saves, _FRESH), (settings, _SETTINGS)) for path in _old_files(folder, name, now)]
    gone = 0
    for path in old:
        with suppress(OSError):
            path.unlink()
            gone += 1
    for path in _left_folders():
        shutil.rmtree(path, ignore_errors=True)
        gone += not path.exists()
    return gone


def _old_files(folder: Path, name: re.Pattern[str], now: float) -> list[Path]:
    found: list[Path] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in islice(entries, MAX_LOOKED_AT):
            if name.fullmatch(entry.name):
                about = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(about.st_mode) and _is_own(about) and now - about.st_mtime > OLD_S:
                    found.append(Path(entry.path))
    return found


def _left_folders() -> list[Path]:
    found: list[Path] = []
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in islice(entries, MAX_LOOKED_AT):
            named = _FOR_NOW.fullmatch(entry.name)
            if named is None or not entry.is_dir(follow_symlinks=False) or _lives(int(named["process"])):
                continue
            if _is_own(entry.stat(follow_symlinks=False)):
                found.append(Path(entry.path))
    return found


def _is_own(about: os.stat_result) -> bool:
    """Whether it is this user's; on Windows, which does not say, these folders are."""
    return not hasattr(os, "getuid") or about.st_uid == os.getuid()


def _lives(process: int) -> bool:
    """Whether there is a process of this number; when in doubt there is."""
    if not hasattr(os, "getuid"):
        return True  # on Windows the question itself would end it
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
