"""The thin edge: lines from the standard input, lines to the standard output, for a terminal or a pipe alike."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Iterable
from threading import BoundedSemaphore, Thread
from typing import TextIO

from client.conversation.cleaning import plain

MAX_READ = 5_000
"""Characters that are read at once: a longer line is cut into pieces, so that no line takes the memory."""
MAX_WAITING = 100
"""Typed lines that wait to be understood; a file on the input is read no faster than that."""


class Speaker:
    """Prints lines, harmless ones (`H16`). Where the output is a terminal it rings and sets the title, else it does
    not: a file or another program has no use for that."""

    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._is_terminal = output.isatty() and os.environ.get("TERM") != "dumb"
        self._rings = output.isatty()
        self._title = ""
        self.is_broken = False
        """Whether nobody reads any longer."""

    def say(self, lines: Iterable[str]) -> None:
        """Print the lines; each text is one line."""
        for line in lines:
            self._write(plain(line) + "\n")

    def ring(self) -> None:
        """Call for attention."""
        if self._rings:
            self._write("\a")

    def title(self, text: str) -> None:
        """Set the title of the window."""
        if self._is_terminal and text != self._title:
            self._title = text
            self._write(f"\x1b]0;{plain(text)}\a")

    def _write(self, text: str) -> None:
        try:
            self._output.write(text)
            self._output.flush()
        except (OSError, ValueError):
            self.is_broken = True


class LineReader:
    """Hands typed lines to `take` in the event loop; None is the end of the input."""

    def __init__(self, source: TextIO, take: Callable[[str | None], None]) -> None:
        self._source = source
        self._take = take
        self._room = BoundedSemaphore(MAX_WAITING)
        self._loop = asyncio.get_running_loop()

    def start(self) -> None:
        """Begin reading, in a thread that never keeps the program from ending."""
        Thread(target=self._read, daemon=True, name="typed-lines").start()

    def taken(self) -> None:
        """One line was understood: there is room for another one."""
        with contextlib.suppress(ValueError):
            self._room.release()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError, RuntimeError):
            for line in iter(lambda: self._source.readline(MAX_READ), ""):
                self._room.acquire()
                self._loop.call_soon_threadsafe(self._take, line)
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._take, None)


def standard_streams() -> tuple[TextIO, TextIO]:
    """Input and output; a character that cannot be read or printed here becomes a question mark."""
    for stream in (sys.stdin, sys.stdout):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    return sys.stdin, sys.stdout
