"""The server-side scripts, one file each; what goes in and what comes out is said at the top of each.

A line `--include NAME` stands for the text of that file: Redis knows no other way to share a function.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_INCLUDE = re.compile(r"^--include (\w+)$", re.MULTILINE)


@cache
def script(name: str) -> str:
    """The text of the script called `name`."""
    text = (files(__name__) / f"{name}.lua").read_text(encoding="utf-8")
    return _INCLUDE.sub(lambda include: script(include[1]), text)
