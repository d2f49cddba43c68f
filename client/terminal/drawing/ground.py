"""Whether the terminal's own ground is dark: it is asked (OSC 11), or else its environment is (COLORFGBG)."""

from __future__ import annotations

import os
import re
import select
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

WAIT_S = 0.4
"""How long the terminal may take to answer; over a slow connection its environment has to do."""
MAX_ANSWER = 256
QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
"""What is the ground? And what are you, which every terminal answers: so one that does not know the first question
keeps nobody waiting, and no answer comes later, among the keys."""
_COLOUR = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})")
_LAST = re.compile(rb"\x1b\[\?[0-9;]*c")
_LIGHT = frozenset({"7", "9", "10", "11", "12", "13", "14", "15"})
"""The numbers of light grounds among the sixteen."""


def is_dark(environment: Mapping[str, str], reader: int, writer: int) -> bool:
    """Of the terminal behind these two files; where nobody knows it is said to be dark."""
    answer = _asked(reader, writer)
    if answer is not None:
        return answer
    ground = environment.get("COLORFGBG", "").rpartition(";")[2]
    return ground not in _LIGHT


def read_answer(answer: bytes) -> bool | None:
    """What it says: whether the ground is dark; None where it says nothing about that."""
    found = _COLOUR.search(answer)
    if found is None:
        return None
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups())
    return bool(0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.5)


def _asked(reader: int, writer: int) -> bool | None:
    try:
        if not (os.isatty(reader) and os.isatty(writer)):
            return None
        with _raw(reader):
            os.write(writer, QUESTION)
            return read_answer(_read(reader))
    except (ImportError, OSError):
        # Windows, or a terminal that is gone.
        return None


def _read(reader: int) -> bytes:
    """All of the answer; what came of it by the end of the wait, or within the most that it may take."""
    answer, until = b"", time.monotonic() + WAIT_S
    while not _LAST.search(answer) and len(answer) < MAX_ANSWER:
        ready, _, _ = select.select([reader], [], [], max(until - time.monotonic(), 0))
        if not ready:
            break
        part = os.read(reader, MAX_ANSWER)
        if not part:
            break
        answer += part
    return answer


@contextmanager
def _raw(reader: int) -> Iterator[None]:
    """Without echo, and without waiting for the end of a line; afterwards as before. Raises ImportError on Windows."""
    import termios
    import tty

    before = termios.tcgetattr(reader)
    try:
        tty.setcbreak(reader)
        yield
    finally:
        termios.tcsetattr(reader, termios.TCSADRAIN, before)
