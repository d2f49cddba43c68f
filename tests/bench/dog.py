"""How soon a move is at the other side, for unmodified DOG programs: the gateway holds the poll, or answers at once.

The client polls once a second, as the library does. For comparison the same client asks the same hub through a small
front that gives every poll without news its empty answer at once, as a server without long polling does.
"""

from __future__ import annotations

import http.client
import statistics
import tempfile
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.driver import HubProcess, RedisProcess, wait_for
from tests.server.http.dog.library import Library

POLL_S = 1.0
MOVES = 30
IN_A_ROW = 6
AT_ONCE_S = 0.05
"""How long the front waits for news before it says that there are none."""
ANSWER_S = 60.0
"""Longer than a hub holds an answer."""
Answer = tuple[int, bytes]
EMPTY = {"/match/": b"{}", "/started/": b'{"message": "", "code": "1", "players": []}'}


class Front(ThreadingHTTPServer):
    """Hands calls on to the hub, and holds none."""

    daemon_threads = True

    def __init__(self, hub_port: int) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.hub_port = hub_port
        self.asking = ThreadPoolExecutor(max_workers=8)
        self.asked: dict[tuple[str, bytes], Future[Answer]] = {}
        """Polls that the hub still holds. None is broken off: to the hub a program would be gone then."""
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request: object, client_address: object) -> None:
        """A program that ends breaks off its last call."""


class Handler(BaseHTTPRequestHandler):
    """One call."""

    server: Front

    def do_POST(self) -> None:
        """Hand it on; a poll for a short time only."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path in EMPTY:
            status, told = self._polled(body)
        else:
            status, told = self._ask(body)
        self.send_response(status)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def _polled(self, body: bytes) -> Answer:
        """What the hub has answered by now, to this poll or an earlier one of the same program."""
        poll = (self.path, body)
        if poll not in self.server.asked:
            self.server.asked[poll] = self.server.asking.submit(self._ask, body)
        try:
            answer = self.server.asked[poll].result(AT_ONCE_S)
        except TimeoutError:
            return 200, EMPTY[self.path]
        del self.server.asked[poll]
        return answer

    def _ask(self, body: bytes) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.hub_port, timeout=ANSWER_S)
        try:
            connection.request("POST", "/dog" + self.path, body, {"Content-Type": self.headers["Content-Type"]})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def latencies_ms(url: str, game: str) -> list[float]:
    """From the call of send_move to the callback at the other side, for moves at times that fit no poll."""
    now = time.time_ns()
    players = [Library(url, name, str(now + number), game_id=game, poll_s=POLL_S) for number, name in enumerate("AB")]
    for player in players:
        player.initialize()
    wait_for(lambda: players[0].start_match(2).code == "2")
    wait_for(lambda: bool(players[1].starts))
    waits = []
    for number in range(MOVES):
        # Turns are taken, and the thinking time wanders through the second.
        mover, other = players[number % 2], players[1 - number % 2]
        time.sleep(1.0 + number * 0.37 % 1.0)
        sent = time.perf_counter()
        mover.send_move({"n": number, "match_status": "next"})
        wait_for(lambda other=other, count=number // 2 + 1: len(other.moves) == count)  # type: ignore[misc]
        waits.append((other.arrived_s[-1] - sent) * 1000)
    for player in players:
        player.stop()
    return sorted(waits)


def in_a_row_ms(url: str, game: str) -> list[float]:
    """Six moves sent one after the other, as a turn of several steps is: when each of them was at the other side."""
    now = time.time_ns()
    players = [Library(url, name, str(now + number), game_id=game, poll_s=POLL_S) for number, name in enumerate("AB")]
    for player in players:
        player.initialize()
    wait_for(lambda: players[0].start_match(2).code == "2")
    wait_for(lambda: bool(players[1].starts))
    time.sleep(1.5)  # the other's poll is held
    sent = time.perf_counter()
    for number in range(IN_A_ROW):
        players[0].send_move({"n": number, "match_status": "progress"})
    wait_for(lambda: len(players[1].moves) == IN_A_ROW)
    for player in players:
        player.stop()
    return [(arrived - sent) * 1000 for arrived in players[1].arrived_s]


def row(name: str, waits_ms: list[float]) -> None:
    """One line of the table."""
    p50, p95 = statistics.median(waits_ms), waits_ms[int(len(waits_ms) * 0.95)]
    print(f"{name:38} {p50:9.1f} {p95:9.1f} {waits_ms[-1]:9.1f}")


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        redis = RedisProcess(Path(folder))
        redis.start()
        hub = HubProcess(Path(folder), "--redis", redis.url, "--dog", "--no-dog-front")
        hub.start()
        front = Front(hub.port)
        try:
            print(f"{f'a move, {MOVES} of them; poll {POLL_S:.0f} s':38} {'p50 ms':>9} {'p95 ms':>9} {'max ms':>9}")
            row("held by the gateway", latencies_ms(f"http://127.0.0.1:{hub.port}/dog/", "held"))
            row("answered at once, asked again", latencies_ms(f"http://127.0.0.1:{front.server_port}/", "asked"))
            arrived = in_a_row_ms(f"http://127.0.0.1:{hub.port}/dog/", "in a row")
            print(f"{IN_A_ROW} moves in a row were there after {', '.join(f'{ms:.0f}' for ms in arrived)} ms")
        finally:
            front.shutdown()
            front.server_close()
            hub.stop()  # which answers what it holds
            front.asking.shutdown()
            redis.stop()


if __name__ == "__main__":
    main()
