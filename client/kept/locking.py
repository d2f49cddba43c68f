"""One of several programs has a file: by the lock of whichever system this is, which goes when the program ends."""

from __future__ import annotations

import os
from importlib import import_module

FAR_BEYOND = 2**30
"""Where the byte lies that is locked on Windows: nobody else may read what is locked there, so it is none of ours."""


def lock(descriptor: int) -> bool:
    """Take the open file for this program until it is closed; False when another one has it."""
    try:
        fcntl = import_module("fcntl")
    except ImportError:
        return _lock_on_windows(descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _lock_on_windows(descriptor: int) -> bool:
    msvcrt = import_module("msvcrt")
    at = os.lseek(descriptor, 0, os.SEEK_CUR)
    try:
        os.lseek(descriptor, FAR_BEYOND, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    finally:
        os.lseek(descriptor, at, os.SEEK_SET)
    return True
