"""Locks on files between processes: the system lets go of them when a process ends, however it does."""

from __future__ import annotations

import asyncio
import fcntl
import os
import time
from pathlib import Path

LOOK_AGAIN_S = 0.02


def wait_for_lock(path: Path) -> int:
    """Wait for the lock on `path`, for oneself alone, and return its descriptor; to close it lets go."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor


async def share(path: Path, limit_s: float) -> int:
    """Hold a shared lock on `path` and return its descriptor. Raises TimeoutError after `limit_s` seconds."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    deadline = time.monotonic() + limit_s
    while not _try_lock(descriptor, fcntl.LOCK_SH):
        if time.monotonic() > deadline:
            os.close(descriptor)
            raise TimeoutError(f"{path} is locked by the store of an earlier hub, which does not end")
        await asyncio.sleep(LOOK_AGAIN_S)
    return descriptor


def is_shared(path: Path) -> bool:
    """Whether others share the lock, and nobody holds it alone."""
    return _could_lock(path, fcntl.LOCK_SH) and not _could_lock(path, fcntl.LOCK_EX)


def is_free(path: Path) -> bool:
    """Whether nobody holds the lock in any way."""
    return _could_lock(path, fcntl.LOCK_EX)


def _could_lock(path: Path, how: int) -> bool:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        return _try_lock(descriptor, how)
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int, how: int) -> bool:
    try:
        fcntl.flock(descriptor, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
