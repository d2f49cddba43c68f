"""A hub to test against (a real process over a real Redis) and a client that writes down all it sends and receives."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Self, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from protocol.codec import MSGPACK, Codec
from protocol.messages import (
    Accepted,
    Analysis,
    Answer,
    Command,
    Create,
    Hello,
    Invitation,
    Join,
    MatchEvent,
    Message,
    Move,
    Moved,
    Offered,
    OwnMatches,
    Pong,
    Position,
    Record,
    Refused,
    Snapshot,
    Welcome,
    Withdraw,
)
from tests import fork_server, stalls
from tests.fork_server import Forked
from tests.pace import WAIT_S

__all__ = ["ROOT", "WAIT_S", "Client", "HubProcess", "M", "RedisProcess", "wait_for"]

ROOT = Path(__file__).parent.parent
M = TypeVar("M", bound=Message)


class RedisProcess:
    """A real Redis of its own on a Unix socket, flushed always unless said otherwise; ended by `stop`."""

    def __init__(self, folder: Path, *settings: str) -> None:
        self.folder = folder
        self.socket = folder / "redis.sock"
        self.url = f"unix://{self.socket}"
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        stalls.stores.add(self)

    def start(self) -> None:
        """Start it and wait until it takes connections."""
        self.launch()
        wait_for(self._answers)

    def launch(self) -> None:
        """Start it and do not wait."""
        program = shutil.which("redis-server") or shutil.which("valkey-server")
        assert program, "the tests need a redis-server; scripts/install-test-tools gets one"
        self.socket.unlink(missing_ok=True)
        self._process = subprocess.Popen(
            [
                program, "--port", "0", "--unixsocket", str(self.socket), "--dir", str(self.folder), "--save", "",
                "--appendonly", "yes", "--appendfsync", "always", *self._settings,
            ],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip

    def _answers(self) -> bool:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as link:
            link.connect(str(self.socket))
            link.sendall(b"PING\r\n")
            return link.recv(7) == b"+PONG\r\n"
        return False

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._process is not None
        return self._process.pid

    def signal(self, number: signal.Signals) -> None:
        """Send a signal: SIGSTOP and SIGCONT to make it silent and speak again, SIGKILL to kill it."""
        assert self._process is not None
        stalls.harm_to_a_store()
        self._process.send_signal(number)

    def kill(self) -> None:
        """End it without notice."""
        stalls.harm_to_a_store()
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGCONT)
            self._process.kill()
            self._process.wait(WAIT_S)

    stop = kill


class HubProcess:
    """A real hub, as an operator starts it; `log` is the file it writes to.

    `within` are words before the command, `environment` is what stands there beside ours, `root` is the work tree whose
    hub it is.
    """

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        port: int = 0,
        within: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        root: Path = ROOT,
    ) -> None:
        self.folder = folder
        self._environment = environment or {}
        self._root = root
        self.port = port
        self._arguments = arguments
        self._within = within
        self._process: subprocess.Popen[bytes] | Forked | None = None
        self.log = folder / "hub.log"
        self.killed = False
        """Whether it was ended from here, by `kill` or `stop`."""
        stalls.hubs.add(self)

    @property
    def url(self) -> str:
        """Where its WebSockets are."""
        return f"ws://127.0.0.1:{self.port}/ws"

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._process is not None
        return self._process.pid

    def is_over(self, store: RedisProcess) -> bool:
        """Whether that is its store, reached without a detour."""
        return store.url in self._arguments

    def start(self) -> None:
        """Start it and wait until it is ready; started again, it takes the same port."""
        port_file = self.folder / "port"
        port_file.unlink(missing_ok=True)
        self.killed = False
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PARLOUR_")}
        # Trials ask for more in a second than people do; those of the limits set them by arguments.
        environment["PARLOUR_LIMIT"] = "pace=100"
        environment |= self._environment
        words = ["--port", str(self.port), "--port-file", str(port_file), *self._arguments]
        if fork_server.USED and not self._within and self._root == ROOT:
            self._process = fork_server.start(words, environment, self.log)
        else:
            with self.log.open("ab") as log:
                self._process = subprocess.Popen(
                    [*self._within, sys.executable, "-m", "server", *words],
                    cwd=self._root, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                    start_new_session=True,
                )  # fmt: skip
        wait_for(lambda: port_file.exists() or self.ended)
        assert port_file.exists(), self.log.read_text()
        self.port = int(port_file.read_text())

    @property
    def ended(self) -> bool:
        """Whether the process is no more, for whatever reason."""
        return self._process is not None and self._process.poll() is not None

    def kill(self) -> None:
        """End it without notice."""
        stalls.harm_to_a_hub()
        self.killed = True
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait(WAIT_S)

    def terminate(self) -> None:
        """Ask it to stop, and do not wait."""
        assert self._process is not None
        stalls.harm_to_a_hub()
        self.killed = True
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGCONT)
            self._process.terminate()

    def stop(self) -> int:
        """Ask it to stop; returns its exit status."""
        self.terminate()
        return self.wait()

    def wait(self) -> int:
        """Wait until it has ended; returns its exit status."""
        assert self._process is not None
        return self._process.wait(WAIT_S)

    def get(self, path: str, token: str | None = None) -> tuple[int, str]:
        """Status and body of a plain HTTP request, by the guest with `token` if there is one."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()


def wait_for(condition: Callable[[], bool], limit_s: float = WAIT_S) -> None:
    """Look until `condition` holds; AssertionError after the bound."""
    deadline = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.005)


class Client:
    """One connection; `received` holds every notification in order."""

    def __init__(self, socket: ClientConnection, codec: Codec, name: str) -> None:
        self.socket = socket
        self.codec = codec
        self.name = name
        self.token: str | None = None
        self.player = ""
        self.sent: list[Command] = []
        self.received: list[Message] = []
        self._unread: deque[Message] = deque()
        self._refs = count(1)
        self._prefix = f"{name}-{os.urandom(4).hex()}"

    @classmethod
    async def open(
        cls, url: str, name: str = "Ana", *, codec: Codec = MSGPACK, token: str | None = None, **options: Any
    ) -> Self:
        """Connect and say hello."""
        client = await cls.connect(url, name, codec=codec, **options)
        await client.hello(token)
        return client

    @classmethod
    async def connect(cls, url: str, name: str = "Ana", *, codec: Codec = MSGPACK, **options: Any) -> Self:
        """Connect and say nothing yet."""
        settings = {"compression": None, "max_size": None, "open_timeout": WAIT_S, "close_timeout": 1, **options}
        socket = await connect(url, subprotocols=[Subprotocol(codec.subprotocol)], **settings)
        return cls(socket, codec, name)

    async def hello(self, token: str | None = None) -> Welcome:
        """Say hello as a new guest, or as the one with `token`."""
        welcome = await self.ask(Hello(ref=self.ref(), name=self.name, token=token, rename=True), Welcome)
        self.player, self.token = welcome.player, welcome.token or token
        return welcome

    def ref(self) -> str:
        """A new ref."""
        return f"{self._prefix}-{next(self._refs)}"

    async def send(self, command: Command) -> None:
        """Send without waiting for an answer."""
        self.sent.append(command)
        data = self.codec.encode(command)
        await self.socket.send(data.decode() if self.codec.text else data)

    async def next(self, limit_s: float = WAIT_S) -> Message:
        """The next notification that was not looked at yet."""
        if self._unread:
            return self._unread.popleft()
        return await self._receive(limit_s)

    async def _receive(self, limit_s: float = WAIT_S) -> Message:
        async with asyncio.timeout(limit_s):
            data = await self.socket.recv()
        message = self.codec.decode_notification(data)
        self.received.append(message)
        return message

    async def expect(self, kind: type[M], where: Callable[[M], bool] = lambda _: True, limit_s: float = WAIT_S) -> M:
        """The next unread notification of a kind; others before it stay unread in their order."""
        for message in list(self._unread):
            if isinstance(message, kind) and where(message):
                self._unread.remove(message)
                return message
        while True:
            message = await self._receive(limit_s)
            if isinstance(message, kind) and where(message):
                return message
            self._unread.append(message)

    def forget_unread(self) -> None:
        """Leave what has come so far: what is expected next is still to come."""
        self._unread.clear()

    async def ask(self, command: Command, kind: type[M]) -> M:
        """Send and return the answer of the kind expected; any other answer to this ref fails."""
        await self.send(command)
        answer = await self.answer(command.ref)
        assert isinstance(answer, kind), answer
        return answer

    async def answer(self, ref: str) -> Message:
        """The answer to the command with this ref."""

        def answers(message: Message) -> bool:
            kinds = Accepted | Analysis | Invitation | OwnMatches | Refused | Welcome | Pong | Position | Record
            return isinstance(message, kinds) and message.ref == ref

        return await self.expect(Message, answers)

    async def refusal(self, command: Command) -> str:
        """Send a command that is to be refused; returns the code."""
        return (await self.ask(command, Refused)).code

    # Matches ----------------------------------------------------------------------------------------------------------

    async def create(self, game: str = "dots-and-boxes", **fields: Any) -> Snapshot:
        """Host a match; returns its snapshot."""
        accepted = await self.ask(Create(ref=self.ref(), game=game, **fields), Accepted)
        return await self.expect(Snapshot, lambda s: s.match == accepted.match)

    async def join(self, match: str = "", key: str = "") -> Snapshot:
        """Join a match; returns its snapshot."""
        accepted = await self.ask(Join(ref=self.ref(), match=match, key=key), Accepted)
        return await self.expect(Snapshot, lambda s: s.match == accepted.match)

    async def move(self, match: str, version: int, move: str) -> Accepted:
        """Play a move that is to be accepted."""
        return await self.ask(Move(ref=self.ref(), match=match, version=version, move=move), Accepted)

    async def moved(self, version: int) -> Moved:
        """The event of that version, which is to be a move."""
        return await self.expect(Moved, lambda m: m.version == version)

    def events(self, match: str) -> list[MatchEvent]:
        """All events of a match that came, in order."""
        return [m for m in self.received if isinstance(m, MatchEvent) and m.match == match]

    def offered(self, match: str) -> int:
        """The version of the offer that was told last, by which an answer names it; 0 before there was one."""
        return next((event.version for event in reversed(self.events(match)) if isinstance(event, Offered)), 0)

    def reply(self, match: str, accept: bool) -> Answer:
        """An answer to the offer that was told last."""
        return Answer(ref=self.ref(), match=match, accept=accept, offer=self.offered(match))

    def withdrawal(self, match: str) -> Withdraw:
        """Takes back the offer that was told last."""
        return Withdraw(ref=self.ref(), match=match, offer=self.offered(match))

    async def close(self) -> None:
        """Close the connection properly."""
        await self.socket.close()

    def cut(self) -> None:
        """Break the connection off, as a lost network does."""
        self.socket.transport.abort()
