"""Taking a Unix socket: a name in a folder, which outlives whoever has listened there, so it is judged by a try."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from server.listening import BACKLOG, LET_GO_S, LET_GO_TRIES, Listening, StartError

LOOK_S = 1.0
"""How long whoever listens there already may take to take a connection."""
EVERYBODY = 0o666
"""A proxy runs as another user. Who may connect is said by the folder: only those who may enter it."""


@contextmanager
def listen_at(file: Path, wait: Callable[[float], None] = time.sleep) -> Iterator[Listening]:
    """Listen on the Unix socket of that name, which is gone afterwards. Raises StartError with a sentence.

    One that a killed hub has left is taken away, and nothing else ever is. One that somebody listens on is looked at
    again for half a second, as a port is; `wait` (s) is called in between.
    """
    try:
        _clear(file, wait)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    except OSError as error:
        raise _refused(file, error) from None
    with listener:
        try:
            listener.bind(str(file))
            own = os.lstat(file).st_ino
            os.chmod(file, EVERYBODY)
            listener.listen(BACKLOG)
            listener.setblocking(False)
        except OSError as error:
            raise _refused(file, error) from None
        try:
            yield Listening((listener,), 0, f"unix:{file}")
        finally:
            with contextlib.suppress(OSError):
                if os.lstat(file).st_ino == own:
                    os.unlink(file)


def _clear(file: Path, wait: Callable[[float], None]) -> None:
    """Raises StartError when something else has the name, OSError when it cannot be looked at."""
    for _ in range(LET_GO_TRIES - 1):
        if _is_clear(file):
            return
        wait(LET_GO_S)
    if not _is_clear(file):
        raise StartError(f"Cannot listen on {file}: something else, perhaps another hub, listens there already.")


def _is_clear(file: Path) -> bool:
    """False when somebody listens there. Raises as `_clear` does."""
    try:
        mode = os.lstat(file).st_mode
    except FileNotFoundError:
        return True
    if not stat.S_ISSOCK(mode):
        raise StartError(f"Cannot listen on {file}: that is something else than a socket. Give another name: --unix")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trial:
        trial.settimeout(LOOK_S)
        try:
            trial.connect(str(file))
        except ConnectionRefusedError:
            os.unlink(file)
            return True
        except OSError as error:
            raise _refused(file, error) from None
    return False


def _refused(file: Path, error: OSError) -> StartError:
    return StartError(f"Cannot listen on {file}: {error.strerror or error}")
