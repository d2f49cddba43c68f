"""A match of a student's game, whole: what each program sent, in order, with ids as the log has them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

LOG = "log"
"""Below this path a match is read: `/dog/log/MATCH`."""
FILE = ".json"
FORMAT = "parlour-dog-record"


class Entry(NamedTuple):
    """A move, or that somebody left (`said` is None). Times are ms since 1970; None: another hub had it."""

    order: int
    place: int
    said: dict[str, Any] | None
    sent_ms: int | None
    fetched_ms: Mapping[str, int]


class Record(NamedTuple):
    """All of a match; `players` are names in turn order."""

    match: str
    title: str
    players: Sequence[str]
    entries: Sequence[Entry]


def to_file(record: Record) -> bytes:
    """What `parlour dog-replay` takes."""
    return json.dumps(
        {
            "format": FORMAT,
            "match": record.match,
            "title": record.title,
            "players": list(record.players),
            "moves": [
                {"order": entry.order, "place": entry.place, "move": entry.said, "sent_ms": entry.sent_ms}
                for entry in record.entries
            ],
        },
        indent=1,
    ).encode()
