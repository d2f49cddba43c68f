"""The file of a backup: lines of JSON, the first of which says what it is and the last that it is whole.

    {"backup": "parlour", "form": 1, "log_format": 1, ...}      see Head
    {"row": "value", ...}                                       see Value
    {"row": "log", "match": "...", "events": [...], ...}        see LogRow
    {"row": "end", "rows": 12345, "sha256": "..."}              of all lines before it

Bytes are base64. It is read and written a line at a time, and checked whole before anything of it is used.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import msgspec

from server.match.events import LOG_FORMAT
from server.store.form import FORM
from server.store.operators.transfer import Value

MAX_LINE = 64 * 1024 * 1024
"""Longer ones nobody of ours has written."""
EVENTS_IN_A_LINE = 1_000


class BackupError(Exception):
    """This file cannot be used, or made; the text says why and what to do."""


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup says of itself: by which release, when (shared clock, ms), and when hubs were last there."""

    backup: str = "parlour"
    form: int = FORM
    log_format: int = LOG_FORMAT
    release: str
    at_ms: int
    last_beat_ms: int | None


class ValueRow(Value, frozen=True, kw_only=True, tag_field="row", tag="value"):
    """A value as it is stored."""


class LogRow(msgspec.Struct, frozen=True, kw_only=True, tag_field="row", tag="log"):
    """Events of a match from version `first` on; `last` in the last row of each match, which has the rest, too."""

    match: str
    first: int
    events: list[bytes]
    last: bool
    key: str | None = None
    lives_ms: int | None = None


class End(msgspec.Struct, frozen=True, kw_only=True, tag_field="row", tag="end"):
    """How many rows there are between head and end, and the sum of all that is before this line."""

    rows: int
    sha256: str


Row = ValueRow | LogRow
_ROW = msgspec.json.Decoder(ValueRow | LogRow | End)
_HEAD = msgspec.json.Decoder(Head)


class BackupWriter:
    """Writes a backup beside its place, and puts it there when it is whole and on disk."""

    def __init__(self, file: Path, head: Head) -> None:
        """Raises OSError."""
        self._file = file
        self._partial = file.with_name(f"{file.name}.partial")
        self._sum = hashlib.sha256()
        self.rows = -1
        # It holds what opens private matches, and what was said.
        descriptor = os.open(self._partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._out: BinaryIO = os.fdopen(descriptor, "wb")
        self.write(head)

    def write(self, row: Any) -> None:
        """One more line."""
        line = msgspec.json.encode(row) + b"\n"
        self._sum.update(line)
        self._out.write(line)
        self.rows += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._out:
            if kind is None:
                self.write(End(rows=self.rows, sha256=self._sum.hexdigest()))
                self._out.flush()
                os.fsync(self._out.fileno())
        if kind is None:
            self._partial.replace(self._file)
        else:
            self._partial.unlink(missing_ok=True)


class Backup:
    """A file that was checked: it is a backup, whole, and of a form that is known here."""

    def __init__(self, file: Path) -> None:
        """Reads it once. Raises BackupError with a sentence."""
        self._file = file
        self.head = Head(release="", at_ms=0, last_beat_ms=None)
        for _ in self._rows():
            pass

    def rows(self) -> Iterator[Row]:
        """Its rows in order. Raises BackupError if it is another file by now."""
        yield from self._rows()

    def _rows(self) -> Iterator[Row]:
        total, rows = hashlib.sha256(), 0
        try:
            with self._file.open("rb") as source:
                line = source.readline(MAX_LINE)
                self.head = self._head(line)
                total.update(line)
                while line := source.readline(MAX_LINE):
                    row = _ROW.decode(line)
                    if isinstance(row, End):
                        if (row.rows, row.sha256) != (rows, total.hexdigest()) or source.read(1):
                            raise BackupError(f"{self._file} was changed after it was written, and is not used.")
                        return
                    total.update(line)
                    rows += 1
                    yield row
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise BackupError(f"{self._file} cannot be read behind its line {rows + 1}, and is not used.") from None
        except OSError as error:
            raise BackupError(f"{self._file} cannot be read: {error.strerror or error}.") from None
        raise BackupError(f"{self._file} is not whole: it ends behind its line {rows + 1}.")

    def _head(self, line: bytes) -> Head:
        try:
            head = _HEAD.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise BackupError(f"{self._file} is no backup of Parlour.") from None
        if head.backup != "parlour":
            raise BackupError(f"{self._file} is no backup of Parlour.")
        if head.form > FORM or head.log_format > LOG_FORMAT:
            raise BackupError(
                f"{self._file} was written by a newer release of Parlour ({head.release}; its forms are {head.form} and"
                f" {head.log_format}, this one reads {FORM} and {LOG_FORMAT}): import it with that one."
            )
        if head.form < 1 or head.log_format < 1:
            raise BackupError(f"{self._file} says that it has form {head.form}, and there was none before 1.")
        return head
