"""A client that behaves as the DOG library does, written from what is known of it, with its weaknesses.

Form posts, a new connection for each call, no timeout; one polling thread that asks `started/` while there is no match
and `match/` while there is one; what it is told is a Python literal. It falls silent for good where the library does,
but for lost connections, unless `steadfast` is False. It differs in two things: the pause between polls can be set, and
it reads the literal with `ast.literal_eval`, so that a test shows what the library would have evaluated.
"""

from __future__ import annotations

import ast
import http.client
import json
import threading
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.driver import wait_for

CONNECTED = "Conectado a Dog Server"
OFFLINE = "Você está sem conexão"


@dataclass(frozen=True)
class Status:
    """What start_match answers."""

    code: str
    message: str
    players: list[list[str]] = field(default_factory=list)


class Library:
    """One student's program. `url` is the constant that its users change."""

    def __init__(
        self, url: str, name: str, player_id: str, *, game_id: str = "my game\n", poll_s: float = 0.02,
        steadfast: bool = False,
    ) -> None:  # fmt: skip
        self.move_to(url)
        self.name = name
        self.id = player_id
        self._game_id = game_id
        self._poll_s = poll_s
        self._steadfast = steadfast
        self._in_match = False
        self._last = 0
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self.hold = threading.Event()
        """While it is set, a callback shows a modal box: the polling stands still."""
        self.silenced: Exception | None = None
        self.starts: list[Status] = []
        self.moves: list[dict[str, Any]] = []
        self.arrived_s: list[float] = []
        self.withdrawals = 0

    def move_to(self, url: str) -> None:
        """Call there from now on, as behind a proxy that has noticed that a hub is gone."""
        parts = urlsplit(url)
        self._host, self._base = parts.netloc, parts.path

    # What the game calls ----------------------------------------------------------------------------------------------

    def initialize(self) -> str:
        """Register and begin to poll."""
        if self.post("player/", player_name=self.name)[0] != http.client.OK:
            return OFFLINE
        self._thread = threading.Thread(target=self._poll, daemon=True)
        self._thread.start()
        return CONNECTED

    def start_match(self, number: int = 2) -> Status:
        """Ask for a match."""
        status, body = self.post("start/", number_of_players=number)
        if status != http.client.OK:
            return Status("0", OFFLINE)
        answer = json.loads(body)
        found = Status(answer["code"], answer["message"], answer["players"])
        if found.code == "2":
            self._begin()
        return found

    def send_move(self, move: dict[str, Any]) -> None:
        """Send a move. Whatever the answer, the library then holds it for played on, or over; only these two count."""
        self.post("move/", move=json.dumps(move))
        if move["match_status"] == "next":
            self._in_match = True
        elif move["match_status"] == "finished":
            self._in_match = False

    def post(self, path: str, **form: Any) -> tuple[int, bytes]:
        """One call on a connection of its own."""
        fields = {"player_id": self.id, "game_id": self._game_id, **form}
        return post(self._host, self._base + path, urlencode(fields).encode())

    # Its polling ------------------------------------------------------------------------------------------------------

    def _poll(self) -> None:
        while not self._stopping.is_set():
            while self.hold.is_set():
                time.sleep(0.005)
            try:
                if self._in_match:
                    self._ask_for_a_move()
                else:
                    self._ask_for_a_match()
            except (OSError, http.client.HTTPException) as error:
                if not self._steadfast:
                    self.silenced = error
                    return
            except Exception as error:
                self.silenced = error
                return
            self._stopping.wait(self._poll_s)

    def _ask_for_a_match(self) -> None:
        status, body = self.post("started/")
        if status != http.client.OK or self._in_match:
            return
        answer = json.loads(body)
        found = Status(answer["code"], answer["message"], answer["players"])
        if found.code == "2":
            self._begin()
            self.starts.append(found)

    def _ask_for_a_move(self) -> None:
        answer = json.loads(self.post("match/")[1])
        if not answer:
            return
        move = ast.literal_eval(answer["1"])
        if move["match_status"] == "interrupted":
            self.withdrawals += 1
            self._in_match = False
        elif move["player"] != self.id and int(move["order"]) > self._last:
            self._last = int(move["order"])
            self._in_match = move["match_status"] != "finished"
            self.arrived_s.append(time.perf_counter())
            self.moves.append(move)

    def _begin(self) -> None:
        self._last = 0
        self._in_match = True

    # For tests --------------------------------------------------------------------------------------------------------

    @property
    def in_match(self) -> bool:
        """Whether it holds a match for being played."""
        return self._in_match

    def rows(self, key: str = "n") -> list[Any]:
        """One key of all moves received."""
        return [move.get(key) for move in self.moves]

    def await_moves(self, count: int) -> list[dict[str, Any]]:
        """The moves received, once there are so many."""
        wait_for(lambda: len(self.moves) >= count or self.silenced is not None)
        assert self.silenced is None, self.silenced
        return self.moves

    def stop(self) -> None:
        """End the polling; a call that is held ends with its connection."""
        self._stopping.set()
        self.hold.clear()


def post(host: str, path: str, body: bytes, **headers: str) -> tuple[int, bytes]:
    """Post a form; returns status and body."""
    connection = http.client.HTTPConnection(host)
    try:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", path, body, {**kind, **headers})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()
