"""Where a hub's log goes, and what gets into it."""

from __future__ import annotations

import errno
import io
import logging
import os
import select
import signal
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO, cast

import structlog
from prometheus_client import Counter

LOG_LEVELS = {name: getattr(logging, name.upper()) for name in ("debug", "info", "warning", "error")}
FORMATS = ("text", "json")
LINES_LOST = Counter("parlour_log_lines_lost", "Lines that could not be written to this hub's log")
PASSING = (errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
"""What keeps a file from being opened now and may pass: with all else the name is wrong, which is told at once."""
NOBODY_READS = errno.ENXIO
"""What says so of a pipe with a name, and that other names are those of no file."""
LOOK_AGAIN_S = 1.0
"""A log that could not be opened is tried again at most this often, as lines come."""
STANDARD_ERROR = 2
SURE_ROOM = getattr(select, "PIPE_BUF", 512)
"""Bytes for which a pipe that is said to have room has it."""
NO_WAITING = getattr(os, "O_NONBLOCK", 0)


class Log(io.TextIOBase):
    """A log that harms nobody: a line that cannot be written is counted, and told of when lines can be again.

    `file` is None for standard error. Everything is written at once, so that nothing is left for the end. What may make
    its writer wait (a pipe, a terminal, the socket of a journal) is written to only while it has room.
    """

    def __init__(self, file: Path | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._clock = clock
        self._descriptor: int | None = None
        self._may_wait = False
        self._lost = 0
        self._broken = False
        self._look_at = 0.0
        if file is not None:
            self._open(file)
        elif sys.stderr is not None:
            # Where that was closed before we started, the number is that of something else by now.
            self._descriptor = without_waiting(STANDARD_ERROR)
            self._may_wait = may_wait(STANDARD_ERROR)

    def _open(self, file: Path) -> None:
        """Raises OSError when that will not pass."""
        self._look_at = self._clock() + LOOK_AGAIN_S
        try:
            opened = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | NO_WAITING, 0o666)
        except OSError as error:
            unread = error.errno == NOBODY_READS and file.is_fifo()
            if error.errno not in PASSING and not unread:
                raise
            return
        self._may_wait = may_wait(opened)
        if self._descriptor is None:
            self._descriptor = opened
        else:
            # In one step, also for a line that is just being written.
            os.dup2(opened, self._descriptor, inheritable=False)
            os.close(opened)
        self._broken = False

    def reopen(self) -> None:
        """Go on in a new file of that name: the old one was moved away. Without one the old one is kept."""
        if self._file is not None:
            with suppress(OSError):
                self._open(self._file)

    def write(self, text: str) -> int:
        """Write whole lines, or count that they are lost. Never raises, and never writes half of the next line."""
        data = text.encode(errors="backslashreplace")
        if self._descriptor is None and self._file is not None and self._clock() >= self._look_at:
            self.reopen()
        lost = f"{self._lost} lines of the log could not be written\n".encode() if self._lost else b""
        if self._put((b"\n" if self._broken else b"") + lost + data):
            self._lost = 0
        else:
            self._lost += 1
            LINES_LOST.inc()
        return len(text)

    def _put(self, data: bytes) -> bool:
        if self._descriptor is None:
            return False
        try:
            while data:
                written = put(self._descriptor, data) if self._may_wait else os.write(self._descriptor, data)
                data, self._broken = data[written:], written < len(data)
        except OSError:
            return False
        return True

    def writable(self) -> bool:
        return True


def set_up_logs(file: Path | None, level: str = "info", form: str = "text") -> Log:
    """One line for each event of `level` and above; no secret is ever handed to a log call (`I2`).

    With a file, SIGHUP opens it anew. Raises OSError when the file cannot be opened for a reason that will not pass.
    """
    log = Log(file)
    if file is not None and hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, lambda *_: log.reopen())
    common: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    if form == "json":
        last: Any = structlog.processors.JSONRenderer()
    else:
        last = structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"])
    structlog.configure(
        processors=[*common, last],
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", log)),
        wrapper_class=structlog.make_filtering_bound_logger(LOG_LEVELS[level]),
    )
    handler = logging.StreamHandler(log)
    if form == "json":
        # What the libraries say is told in the same form.
        remove = structlog.stdlib.ProcessorFormatter.remove_processors_meta
        handler.setFormatter(
            structlog.stdlib.ProcessorFormatter(processors=[remove, last], foreign_pre_chain=common)
        )  # fmt: skip
    logging.basicConfig(handlers=[handler], level=LOG_LEVELS[level] if level == "debug" else logging.WARNING)
    # What is no HTTP is no event either, such as the TLS hello of a browser that tries https first (`P37`).
    logging.getLogger("uvicorn.error").addFilter(_is_no_rubbish)
    # A peer that breaks off in the middle of a handshake is no event of ours, and its debug level shows whole messages.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    return log


def may_wait(descriptor: int) -> bool:
    """Whether writing there may wait for somebody to read."""
    with suppress(OSError):
        return not stat.S_ISREG(os.fstat(descriptor).st_mode) and hasattr(select, "poll")
    return False


def without_waiting(descriptor: int) -> int:
    """Another descriptor of the same pipe or terminal that never waits, where that can be had; else the same one.

    To set a flag on it would set it for all who have it, such as the shell that we were started from.
    """
    if sys.platform == "linux" and may_wait(descriptor):
        with suppress(OSError):
            return os.open(f"/proc/self/fd/{descriptor}", os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | NO_WAITING)
    return descriptor


def put(descriptor: int, data: bytes) -> int:
    """Write as much as there is room for, SURE_ROOM at most; returns how much. Raises BlockingIOError without room."""
    looking = select.poll()
    looking.register(descriptor, select.POLLOUT)
    if not any(event & (select.POLLOUT | select.POLLERR | select.POLLHUP) for _, event in looking.poll(0)):
        raise BlockingIOError(errno.EAGAIN, "nobody reads")
    return os.write(descriptor, data[:SURE_ROOM])


def complain(sentence: str) -> None:
    """Tell whoever started the program why it ends; if nobody can be told, the status alone says that it does."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            words = f"parlour-server: {sentence}\n".encode(errors="backslashreplace")
            while words:
                words = words[(put if may_wait(STANDARD_ERROR) else os.write)(STANDARD_ERROR, words) :]


def _is_no_rubbish(record: logging.LogRecord) -> bool:
    return record.getMessage() != "Invalid HTTP request received."
