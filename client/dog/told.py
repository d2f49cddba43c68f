"""A student's own game through the server's gateway, which relays what its programs say.

The gateway answers as soon as there is something to tell, so moves come at once. Other than the library this line
comes back after a lost connection: registrations and what was not told yet outlive it at the server.
"""

from __future__ import annotations

import ast
import http.client
import json
import ssl
import threading
import time
from secrets import randbelow, token_hex
from typing import Any
from urllib.parse import urlencode, urlsplit

from client.dog.interface import NO_GATEWAY_TEXT, STARTED, DogPlayerInterface, StartStatus
from client.dog.line import NOT_SENT, NOT_SENT_TEXT, Courier, Line, MoveRefused
from client.dog.remembered import Remembered

EPOCH_S = 1_639_872_000
"""2021-12-19, from which ids count."""
TIMEOUT_S = 30.0
"""An answer is held for 20 s at most."""
SEND_S = 20.0
RETRY_S = 0.5
PAUSE_S = 0.2
"""Between two calls when the answer was empty at once."""
OK = http.client.OK
NO_GATEWAY = frozenset({http.client.NOT_FOUND, http.client.METHOD_NOT_ALLOWED, http.client.FORBIDDEN})
BAD_MOVE = frozenset({http.client.BAD_REQUEST, http.client.REQUEST_ENTITY_TOO_LARGE})
ID = "id"


class ToldLine(Line):
    """One player at one students' game."""

    def __init__(
        self,
        url: str,
        name: str,
        game_id: str,
        interface: DogPlayerInterface,
        courier: Courier,
        remembered: Remembered | None = None,
    ) -> None:
        parts = urlsplit(url)
        self._secure = parts.scheme == "https"
        self._host = parts.netloc
        self._base = parts.path
        self._remembered = remembered
        self._name = name
        self._game_id = game_id
        self._interface = interface
        self._courier = courier
        # Two programs started in one millisecond must not have one id between them.
        self.local_id = f"{int((time.time() - EPOCH_S) * 1000)}{randbelow(1000):03}"
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._waiting: threading.Event | None = None
        self._told: StartStatus | None = None
        self._last = 0

    def connect(self) -> bool:
        try:
            if not self._comes_back():
                status, _ = self._post("player/", player_name=self._name)
                if status != OK:
                    self.why = NO_GATEWAY_TEXT if status in NO_GATEWAY else self.why
                    return False
                if self._remembered is not None:
                    self._remembered[ID] = self.local_id
        except (OSError, http.client.HTTPException):
            return False
        threading.Thread(target=self._poll, name="dog polling", daemon=True).start()
        return True

    def _comes_back(self) -> bool:
        """Whether the program's last run left a match that goes on; the game is told all of it, own moves as well."""
        known = self._remembered[ID] if self._remembered is not None else None
        if known is None:
            return False
        new, self.local_id = self.local_id, known
        status, body = self._post("again/")
        answer = json.loads(body) if status == OK else {}
        if answer.get("code") != STARTED:
            self.local_id = new
            return False
        self._courier.call(self._interface.receive_start, self._begun(answer))
        for move in answer["moves"]:
            self._last = move["order"]
            self._courier.call(self._interface.receive_move, move)
        return True

    def start(self, number_of_players: int, wait_s: float) -> StartStatus:
        # Who is told by `started/` while it waits here is told by the answer.
        self._waiting, self._told = threading.Event(), None
        try:
            begun = self._start(number_of_players)
            if begun is None:
                self._waiting.wait(wait_s)
        except (OSError, http.client.HTTPException):
            begun = self.offline()
        with self._lock:
            self._waiting, told = None, self._told
        return begun or told or self.too_few()

    def _start(self, number_of_players: int) -> StartStatus | None:
        status, body = self._post("start/", number_of_players=str(number_of_players))
        if status != OK:
            return self.offline()
        answer = json.loads(body)
        return self._begun(answer) if answer["code"] == STARTED else None

    def send(self, move: dict[str, Any]) -> None:
        """Sent again under the same ref until it is answered; it counts once. Raises MoveRefused."""
        if not isinstance(move, dict) or not isinstance(move.get("match_status"), str):
            raise MoveRefused("bad_move", "Uma jogada é um dict com match_status.")
        try:
            written = json.dumps(move, allow_nan=False)
        except (ValueError, TypeError, RecursionError) as error:
            raise MoveRefused("bad_move", f"Uma jogada tem só dados simples: {error}") from None
        form = {"move": written, "ref": token_hex(8)}
        if move["match_status"] in ("finished", "interrupted"):
            with self._lock:
                self.in_match = False
        until = time.monotonic() + SEND_S
        while time.monotonic() < until and not self._stopping.is_set():
            try:
                status, body = self._post("move/", **form)
            except (OSError, http.client.HTTPException):
                status, body = http.client.SERVICE_UNAVAILABLE, b""
            if status in BAD_MOVE:
                raise MoveRefused("bad_move", json.loads(body)["message"])
            if status < http.client.INTERNAL_SERVER_ERROR:
                return
            self._stopping.wait(RETRY_S)
        raise MoveRefused(NOT_SENT, NOT_SENT_TEXT)

    def close(self) -> None:
        self._stopping.set()

    def _begun(self, answer: dict[str, Any]) -> StartStatus:
        with self._lock:
            self.in_match, self._last = True, 0
        return self.started([[str(value) for value in row] for row in answer["players"]])

    # Polling ----------------------------------------------------------------------------------------------------------

    def _poll(self) -> None:
        while not self._stopping.is_set():
            begun = time.monotonic()
            try:
                told = self._ask_for_a_move() if self.in_match else self._ask_for_a_match()
            except (OSError, ValueError, KeyError, http.client.HTTPException):
                # Nothing that comes, or does not come, ends the polling.
                self._stopping.wait(RETRY_S)
                continue
            if not told and time.monotonic() - begun < PAUSE_S:
                self._stopping.wait(PAUSE_S)

    def _ask_for_a_match(self) -> bool:
        status, body = self._post("started/")
        answer = json.loads(body)
        if status != OK or self.in_match or answer["code"] != STARTED:
            return False
        begun = self._begun(answer)
        with self._lock:
            waiting, self._told = self._waiting, begun
        if waiting is not None:
            waiting.set()
        else:
            self._courier.call(self._interface.receive_start, begun)
        return True

    def _ask_for_a_move(self) -> bool:
        answer = json.loads(self._post("match/")[1])
        if not answer or not self.in_match:
            return False
        # A literal is data, whatever it holds: nothing in it can be called.
        move = ast.literal_eval(answer["1"])
        with self._lock:
            over = move["match_status"] == "interrupted"
            new = not over and move["player"] != self.local_id and move["order"] > self._last
            if new:
                self._last = move["order"]
            if over or (new and move["match_status"] == "finished"):
                self.in_match = False
        if over:
            self._courier.call(self._interface.receive_withdrawal_notification)
        elif new:
            self._courier.call(self._interface.receive_move, move)
        return True

    def _post(self, path: str, **form: str) -> tuple[int, bytes]:
        fields = {"player_id": self.local_id, "game_id": self._game_id, **form}
        connection = (
            http.client.HTTPSConnection(self._host, timeout=TIMEOUT_S, context=ssl.create_default_context())
            if self._secure
            else http.client.HTTPConnection(self._host, timeout=TIMEOUT_S)
        )
        try:
            kind = {"Content-Type": "application/x-www-form-urlencoded"}
            connection.request("POST", f"{self._base}{path}", urlencode(fields), kind)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()
