"""The server-side scripts, one file each; what goes in and what comes out is said at the top of each."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def script(name: str) -> str:
    """The text of the script called `name`."""
    return (files(__name__) / f"{name}.lua").read_text(encoding="utf-8")
