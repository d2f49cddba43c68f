"""Imported first by the command: Ctrl-C while its modules are still being read ends it in silence, as afterwards."""

from __future__ import annotations

import sys
from types import TracebackType

_told = sys.excepthook


def _silent(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    # Python itself ends with the status of an interrupted program, whatever is printed.
    if not issubclass(kind, KeyboardInterrupt):
        _told(kind, error, trace)


sys.excepthook = _silent
