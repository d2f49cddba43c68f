"""A student's game in a file: the record that `parlour dog-replay` plays, made of the log on screen.

It is the gateway's own form (`server.http.dog.record`), without the times at which moves were sent.
"""

from __future__ import annotations

import json
from pathlib import Path

from client.kept import saves
from client.kept.saves import SaveError
from client.shown.model import Model

FORMAT = "parlour-dog-record"


def save(model: Model, name: str, *, replace: bool = False) -> tuple[str, str]:
    """Write what was said so far to the file of this name; returns the sentence about it, and a code if it failed."""
    match = model.match
    if match is None or len(model.log) < match.plies:
        return "The log is not whole yet.", "save"
    data = to_file(match.match, str(match.options.get("title", "")), model.log)
    try:
        path = saves.keep(name, data, lambda path: replace or _is_earlier(path, match.match))
    except SaveError as error:
        return str(error), "save"
    return f"Saved for parlour dog-replay: {path}", ""


def to_file(match: str, title: str, log: tuple[str, ...]) -> bytes:
    """The file's bytes."""
    players, moves = [], []
    for order, entry in enumerate(log):
        match json.loads(entry):
            case ["seats", _, seats]:
                players = [name for name, _ in seats]
            case [_, place, *said]:
                moves.append({"order": order, "place": place, "move": said[0] if said else None})
    record = {"format": FORMAT, "match": match, "title": title, "players": players, "moves": moves}
    return json.dumps(record, indent=1).encode()


def _is_earlier(path: Path, match: str) -> bool:
    """Whether the file holds the same match, as it was before."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and (found.get("format"), found.get("match")) == (FORMAT, match)
