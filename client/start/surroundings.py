"""Whether there is what a front end draws on: asked before anything is started, so that nothing hangs."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TextIO

BARE = frozenset({"", "dumb", "unknown"})
"""Values of TERM for terminals in which nothing can be placed."""
PLAIN = "As plain lines it works everywhere: parlour --plain. For a browser: parlour-server (make serve)."


def no_terminal(source: TextIO, output: TextIO, environment: Mapping[str, str] = os.environ) -> str:
    """Why nothing can be drawn on a full screen here, and what would work; "" where it can."""
    if not source.isatty() or not output.isatty():
        return f"There is no terminal here to draw on. {PLAIN}"
    term = environment.get("TERM", "")
    if sys.platform != "win32" and term in BARE:
        return f"This terminal (TERM={term or 'not set'}) cannot be drawn on. {PLAIN}"
    return ""


def no_display(environment: Mapping[str, str] = os.environ) -> str:
    """Why no window can be opened here, and what would work; "" where one may."""
    named = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    if sys.platform in ("win32", "darwin") or any(environment.get(name) for name in named):
        return ""
    return f"There is no display here to open a window on. In this terminal: parlour. {PLAIN}"


def not_opened(why: str) -> str:
    """The same for a display that was there and did not take a window."""
    return f"No window could be opened here ({why}). In this terminal: parlour. {PLAIN}"
