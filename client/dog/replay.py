"""`parlour dog-replay RECORD --as NAME`: one program against a record, to find which of two is wrong.

The program under test is unmodified, but for the address, which is this one's. It gets the moves that the others made
in the record, each when it has made its own before that, and its own moves are compared with those of the record. The
first that differs is told, field by field. What the program is served is data, as at the gateway.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs

FORMAT = "parlour-dog-record"
MAX_RECORD = 32 * 1024 * 1024
LOGGED = 900_000_000_000
"""Ids in a record are this and the place in turn order, from 1."""
MAX_BODY = 128 * 1024


class BadRecord(ValueError):
    """The file is no record, or nobody of that name is in it; the text says so."""


class Difference(NamedTuple):
    """The program's own move that is not the record's."""

    order: int
    recorded: dict[str, Any]
    sent: dict[str, Any]

    def __str__(self) -> str:
        missing = object()
        fields = []
        for key in {**self.recorded, **self.sent}:
            old, new = self.recorded.get(key, missing), self.sent.get(key, missing)
            if old != new or type(old) is not type(new):
                told = ["nothing" if value is missing else repr(value) for value in (old, new)]
                fields.append(f"  {key}: the record has {told[0]}, the program sent {told[1]}")
        return "\n".join([f"Move {self.order} differs.", *fields])


class Rehearsal:
    """The record as the program with that name meets it. Raises BadRecord."""

    def __init__(self, record: Mapping[str, Any], name: str) -> None:
        try:
            self.players = [str(player) for player in record["players"]]
            moves = [(int(row["order"]), int(row["place"]), row["move"]) for row in record["moves"]]
            if record["format"] != FORMAT or not all(isinstance(said, dict | None) for *_, said in moves):
                raise BadRecord("This is no record of a student's game.")
        except (KeyError, TypeError, ValueError):
            raise BadRecord("This is no record of a student's game.") from None
        if name not in self.players:
            raise BadRecord(f"Nobody is called {name!r} in it, but: {', '.join(self.players)}.")
        self.place = self.players.index(name)
        self._moves = moves
        self._next = 0
        self._made: set[int] = set()
        self._lock = threading.Lock()
        self.player_id = ""
        self.difference: Difference | None = None
        self.ended = threading.Event()
        self._look()

    def rows(self) -> list[list[str]]:
        """`[name, id, order]` of everybody, the program's own first."""
        rows = [[name, self._id(place), str(place + 1)] for place, name in enumerate(self.players)]
        return [rows[self.place], *(row for row in rows if row is not rows[self.place])]

    @property
    def awaited(self) -> str:
        """What comes next, for whoever looks on."""
        if self._next >= len(self._moves):
            return "the record is at its end"
        order, place, said = self._moves[self._next]
        return f"move {order}, {self.players[place] if place >= 0 else 'the table'}: {json.dumps(said)}"

    def fetch(self) -> dict[str, Any] | None:
        """The others' next move, if it is their turn in the record."""
        with self._lock:
            if self._next >= len(self._moves) or self._moves[self._next][1] == self.place:
                return None
            order, place, said = self._moves[self._next]
            self._next += 1
            self._look()
            if said is None or said.get("match_status") == "interrupted":
                return {"match_status": "interrupted"}
            own = self._renamed(said, str(LOGGED + self.place + 1), self.player_id)
            return {**own, "player": self._id(place), "order": order}

    def take(self, said: dict[str, Any]) -> None:
        """The program's own move: compare it with its next one in the record."""
        with self._lock:
            own = (at for at, (_, place, _) in enumerate(self._moves) if place == self.place and at not in self._made)
            at = next(own, None)
            sent = self._renamed(said, self.player_id, str(LOGGED + self.place + 1))
            order, recorded = (self._moves[at][0], self._moves[at][2] or {}) if at is not None else (0, {})
            if at is None or json.dumps(sent, sort_keys=True) != json.dumps(recorded, sort_keys=True):
                self.difference = Difference(order, recorded, sent)
                self.ended.set()
            else:
                self._made.add(at)
                self._look()

    def _look(self) -> None:
        while self._next in self._made:
            self._next += 1
        if self._next >= len(self._moves):
            self.ended.set()

    def _id(self, place: int) -> str:
        return self.player_id if place == self.place else str(LOGGED + place + 1)

    def _renamed(self, said: dict[str, Any], old: str, new: str) -> dict[str, Any]:
        renamed: dict[str, Any] = json.loads(json.dumps(said).replace(old, new) if old else json.dumps(said))
        return renamed


def load(path: Path, name: str) -> Rehearsal:
    """The record in that file. Raises BadRecord."""
    try:
        if path.stat().st_size > MAX_RECORD:
            raise BadRecord("This is too large for a record.")
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadRecord(f"{path} cannot be read: {error}") from None
    if not isinstance(record, dict):
        raise BadRecord("This is no record of a student's game.")
    return Rehearsal(record, name)


class Stage(ThreadingHTTPServer):
    """The gateway's five paths for one program."""

    daemon_threads = True

    def __init__(self, host: str, port: int, rehearsal: Rehearsal) -> None:
        super().__init__((host, port), _Call)
        self.rehearsal = rehearsal

    def handle_error(self, request: object, client_address: object) -> None:
        """A program that ends breaks off its last call."""


class _Call(BaseHTTPRequestHandler):
    server: Stage

    def do_POST(self) -> None:
        """One call of the library."""
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > MAX_BODY:
            self._answer({}, HTTPStatus.BAD_REQUEST)
            return
        form = parse_qs(self.rfile.read(int(length)).decode("utf-8", "replace"), keep_blank_values=True)
        rehearsal = self.server.rehearsal
        started = {"message": "Partida iniciada", "code": "2"}
        match self.path.rstrip("/").rpartition("/")[2]:
            case "player":
                rehearsal.player_id = form.get("player_id", [""])[0]
                self._answer({"0": rehearsal.player_id, "1": "Parlour"})
            case "start":
                self._answer({**started, "players": rehearsal.rows()})
            case "started" if rehearsal.place != 0:
                self._answer({**started, "players": rehearsal.rows()})
            case "started":
                self._answer({"message": "Jogadores insuficientes", "code": "1", "players": []})
            case "move":
                self._move(form.get("move", [""])[0])
            case "match":
                told = rehearsal.fetch()
                self._answer({} if told is None else {"0": str(told.get("order", 0)), "1": repr(told)})
            case _:
                self._answer({}, HTTPStatus.NOT_FOUND)

    def _move(self, written: str) -> None:
        try:
            said = json.loads(written)
        except (ValueError, RecursionError):
            said = None
        if isinstance(said, dict):
            self.server.rehearsal.take(said)
        self._answer({}, HTTPStatus.OK if isinstance(said, dict) else HTTPStatus.BAD_REQUEST)

    def _answer(self, told: Mapping[str, Any], status: int = HTTPStatus.OK) -> None:
        body = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def rehearse(path: Path, name: str, port: int, say: Callable[[str], object] = print) -> int:
    """Serve until the record is at its end, or the program's move differs; returns the exit status.

    Raises BadRecord, or OSError when the port cannot be had.
    """
    rehearsal = load(path, name)
    with Stage("127.0.0.1", port, rehearsal) as stage:
        threading.Thread(target=stage.serve_forever, daemon=True).start()
        say(f'Start the program with self.url = "http://127.0.0.1:{stage.server_port}/".')
        if rehearsal.place == 0:
            say("It begins, so press its start.")
        shown = ""
        while not rehearsal.ended.wait(0.2):
            if shown != rehearsal.awaited:
                shown = rehearsal.awaited
                say(f"Waiting for {shown}")
        stage.shutdown()
    say(str(rehearsal.difference) if rehearsal.difference else "All moves are as in the record.")
    return 1 if rehearsal.difference else 0
