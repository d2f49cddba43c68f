"""What a doctor says."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """One thing that was looked at: `well`, or what is to be mended; the sentence says what to do."""

    what: str
    well: bool
    sentence: str
