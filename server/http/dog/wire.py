"""Forms, moves and answers. What a client sends is data (`I8`): decoded within limits, and encoded anew by us.

Clients evaluate the text of a move as Python. So it is never a client's text: it is the `repr()` of a dict that holds
nothing but dicts, lists, strings, whole and finite numbers, truth values and None.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qs

MAX_FORM_BYTES = 128 * 1024
"""A form on the wire: a move of MAX_MOVE_BYTES may be three times as long when it is written for a URL."""
MAX_MOVE_BYTES = 32 * 1024
"""The JSON of one move; a student's game that sends its whole board needs some 5 KiB."""
MAX_DEPTH = 16
MAX_FIELDS = 16
MAX_WHOLE = 2**63
MAX_NAME = 60
MAX_GAME_ID = 1_000
MAX_TABLE = 40
TABLE = "table"
"""The form's field that the gateway fills in by the path."""
MOUNT = "/dog"
CALLS = frozenset({"player", "start", "started", "move", "match", "again"})
MAX_PLAYERS = 5
MIN_PLAYERS = 2

TOO_FEW = "Jogadores insuficientes"
STARTED = "Partida iniciada"
INTERRUPTED = "interrupted"

_ID = re.compile(r"[0-9A-Za-z._-]{1,40}")
Player = tuple[str, str]
"""A name and an id."""


class BadForm(Exception):
    """What was sent is nothing that this interface knows; the text says what is wrong."""


class Who(NamedTuple):
    """The caller: the hall of its game, and its id there."""

    hall: str
    player: str


class Reply(NamedTuple):
    """An answer: an HTTP status and what goes out as JSON."""

    status: int
    body: dict[str, Any]


def fields(body: bytes) -> dict[str, str]:
    """A form's fields. Raises BadForm."""
    try:
        found = parse_qs(body.decode("utf-8"), keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="replace")
    except ValueError:
        raise BadForm("this is not a form") from None
    return {name: values[-1] for name, values in found.items()}


def who(form: dict[str, str]) -> Who:
    """Whose call it is. Raises BadForm."""
    player, game = form.get("player_id", ""), form.get("game_id", "")
    if not _ID.fullmatch(player):
        raise BadForm("player_id is missing or is none")
    if not 0 < len(game) <= MAX_GAME_ID:
        raise BadForm("game_id is missing or too long")
    table = form.get(TABLE, "")
    known = f"{game}\0{table}" if table else game
    return Who(hashlib.sha256(known.encode("utf-8", "replace")).hexdigest()[:20], player)


def title(form: dict[str, str]) -> str:
    """What the game is called for people: its table, or else the first line of its `game.id`."""
    lines = form.get("game_id", "").strip().splitlines() or [""]
    shown = "".join(char for char in form.get(TABLE, "") or lines[0] if char.isprintable())
    return shown[:MAX_TABLE]


def table(path: str) -> str:
    """The table of a path: what stands between the gateway's own part and the name of the call. Raises BadForm."""
    parts = [part for part in path.removeprefix(MOUNT).split("/") if part]
    named = "/".join(parts[:-1] if parts and parts[-1] in CALLS else parts)
    if len(named) > MAX_TABLE or not named.isprintable():
        raise BadForm(f"the name of a table has at most {MAX_TABLE} characters")
    return named


def name(form: dict[str, str]) -> str:
    """The player's name, as it was typed: some games find themselves by it. Raises BadForm."""
    typed = form.get("player_name", "")
    if not typed.strip() or len(typed) > MAX_NAME or not typed.isprintable():
        raise BadForm("player_name is missing, too long, or cannot be shown")
    return typed


def number_of_players(form: dict[str, str]) -> int:
    """How many players the match is for. Raises BadForm."""
    typed = form.get("number_of_players", "")
    if typed not in map(str, range(MIN_PLAYERS, MAX_PLAYERS + 1)):
        raise BadForm(f"number_of_players is a number from {MIN_PLAYERS} to {MAX_PLAYERS}")
    return int(typed)


def move(form: dict[str, str]) -> dict[str, Any]:
    """What is said in a move: plain data with a match_status. Raises BadForm."""
    written = form.get("move", "")
    if len(written.encode("utf-8", "replace")) > MAX_MOVE_BYTES:
        raise BadForm(f"a move has at most {MAX_MOVE_BYTES} bytes")
    try:
        said = json.loads(written, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise BadForm("a move is a JSON object") from None
    if not isinstance(said, dict):
        raise BadForm("a move is a JSON object")
    check(said)
    if not isinstance(said.get("match_status"), str):
        # Receivers look at it without asking whether it is there, and fall silent for good when it is not.
        raise BadForm("a move has a match_status")
    return said


def ref(form: dict[str, str]) -> str | None:
    """The sender's own name for a move, if it has one: sent again it counts once. The library knows no such thing."""
    given = form.get("ref", "")
    return given if _ID.fullmatch(given) else None


def check(value: Any, depth: int = MAX_DEPTH) -> None:
    """Raise BadForm unless `value` is plain data: exactly these types, finite, not too deep."""
    kind = type(value)
    if kind in (dict, list):
        if depth == 0:
            raise BadForm(f"a move has at most {MAX_DEPTH} levels")
        for item in value.values() if kind is dict else value:
            check(item, depth - 1)
        if kind is dict and not all(type(key) is str for key in value):
            raise BadForm("keys are strings")
    elif kind is int:
        if not -MAX_WHOLE < value < MAX_WHOLE:
            raise BadForm("a whole number has at most 63 bits")
    elif kind is float:
        if not math.isfinite(value):
            raise BadForm("a number is finite")
    elif value is not None and kind not in (str, bool):
        raise BadForm("a move is plain data")


def _refuse_constant(constant: str) -> None:
    raise ValueError(constant)


def literal(said: dict[str, Any]) -> str:
    """A dict as the Python text that clients evaluate. Raises BadForm rather than write what is not plain data."""
    check(said)
    return repr(said)


# Answers --------------------------------------------------------------------------------------------------------------

NOTHING = Reply(200, {})
WAITING = Reply(200, {"message": TOO_FEW, "code": "1", "players": []})
"""No match: to `start/` there are too few players, to `started/` nothing has begun."""


def problem(status: int, sentence: str) -> Reply:
    """Not granted; clients only look at the status."""
    return Reply(status, {"message": sentence, "code": "0", "players": []})


def registered(player: str) -> Reply:
    """To `player/`: the two keys are there, their values are unread."""
    return Reply(200, {"0": player, "1": "Parlour"})


def started(players: Sequence[Player], ids: Sequence[str], place: int) -> Reply:
    """The match, as the player with that place sees it; `ids` are all players' as it knows them."""
    return Reply(200, {"message": STARTED, "code": "2", "players": seen_by(players, ids, place)})


def seen_by(players: Sequence[Player], ids: Sequence[str], place: int) -> list[list[str]]:
    """`[name, id, order]` of everybody, the player's own entry first.

    Names in one match differ, and one's own is as one typed it: games find themselves by it. So whoever is called the
    same has a number, but not to himself.
    """
    taken = {players[place][0]}
    rows = []
    for number, (called, _) in enumerate(players):
        if number == place:
            continue
        shown, count = called, 2
        while shown in taken:
            shown, count = f"{called} {count}", count + 1
        taken.add(shown)
        rows.append([shown, ids[number], str(number + 1)])
    return [[players[place][0], ids[place], str(place + 1)], *rows]


def told(said: dict[str, Any], author: str, order: int) -> Reply:
    """To `match/`: a move; author and order are the server's, whatever the sender called so."""
    return _item(str(order), {**said, "player": author, "order": order})


def interrupted() -> Reply:
    """To `match/`: somebody has gone, and the match is over."""
    return _item("0", {"match_status": INTERRUPTED})


def _item(number: str, said: dict[str, Any]) -> Reply:
    return Reply(200, {"0": number, "1": literal(said)})
