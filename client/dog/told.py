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

from client.conversation.address import ENDPOINT, Address
from client.dog.interface import STARTED, DogPlayerInterface, StartStatus
from client.dog.line import Courier, Line

EPOCH_S = 1_639_872_000
"""2021-12-19, from which ids count."""
TIMEOUT_S = 30.0
"""An answer is held for 20 s at most."""
SEND_S = 20.0
RETRY_S = 0.5
PAUSE_S = 0.2
"""Between two calls when the answer was empty at once."""
OK = http.client.OK


class ToldLine(Line):
    """One player at one students' game."""

    def __init__(
        self, address: Address, name: str, game_id: str, interface: DogPlayerInterface, courier: Courier
    ) -> None:
        parts = urlsplit(address.url)
        self._secure = parts.scheme == "wss"
        self._host = parts.netloc
        self._base = parts.path.removesuffix(ENDPOINT)
        self._name = name
        self._game_id = game_id
        self._interface = interface
        self._courier = courier
        # Two programs started in one millisecond must not have one id between them.
        self.local_id = f"{int((time.time() - EPOCH_S) * 1000)}{randbelow(1000):03}"
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._in_match = False
        self._last = 0

    def connect(self) -> bool:
        try:
            if self._post("player/", player_name=self._name)[0] != OK:
                return False
        except (OSError, http.client.HTTPException):
            return False
        threading.Thread(target=self._poll, name="dog polling", daemon=True).start()
        return True

    def start(self, number_of_players: int) -> StartStatus:
        try:
            status, body = self._post("start/", number_of_players=str(number_of_players))
        except (OSError, http.client.HTTPException):
            return self.offline()
        if status != OK:
            return self.offline()
        answer = json.loads(body)
        return self._begun(answer) if answer["code"] == STARTED else self.too_few()

    def send(self, move: dict[str, Any]) -> None:
        """Sent again under the same ref until it is answered; it counts once."""
        form = {"move": json.dumps(move), "ref": token_hex(8)}
        if move.get("match_status") in ("finished", "interrupted"):
            with self._lock:
                self._in_match = False
        until = time.monotonic() + SEND_S
        while time.monotonic() < until and not self._stopping.is_set():
            try:
                if self._post("move/", **form)[0] < http.client.INTERNAL_SERVER_ERROR:
                    return
            except (OSError, http.client.HTTPException):
                pass
            self._stopping.wait(RETRY_S)

    def close(self) -> None:
        self._stopping.set()

    def _begun(self, answer: dict[str, Any]) -> StartStatus:
        with self._lock:
            self._in_match, self._last = True, 0
        return self.started([[str(value) for value in row] for row in answer["players"]])

    # Polling ----------------------------------------------------------------------------------------------------------

    def _poll(self) -> None:
        while not self._stopping.is_set():
            begun = time.monotonic()
            try:
                told = self._ask_for_a_move() if self._in_match else self._ask_for_a_match()
            except (OSError, ValueError, KeyError, http.client.HTTPException):
                # Nothing that comes, or does not come, ends the polling.
                self._stopping.wait(RETRY_S)
                continue
            if not told and time.monotonic() - begun < PAUSE_S:
                self._stopping.wait(PAUSE_S)

    def _ask_for_a_match(self) -> bool:
        status, body = self._post("started/")
        answer = json.loads(body)
        if status != OK or self._in_match or answer["code"] != STARTED:
            return False
        self._courier.call(self._interface.receive_start, self._begun(answer))
        return True

    def _ask_for_a_move(self) -> bool:
        answer = json.loads(self._post("match/")[1])
        if not answer or not self._in_match:
            return False
        # A literal is data, whatever it holds: nothing in it can be called.
        move = ast.literal_eval(answer["1"])
        with self._lock:
            over = move["match_status"] == "interrupted"
            new = not over and move["player"] != self.local_id and move["order"] > self._last
            if new:
                self._last = move["order"]
            if over or (new and move["match_status"] == "finished"):
                self._in_match = False
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
            connection.request("POST", f"{self._base}/dog/{path}", urlencode(fields), kind)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()
