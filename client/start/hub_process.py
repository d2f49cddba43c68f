"""Starts a server as a user would: a hub when none answers at the usual address, or one for play at one keyboard.

The hub outlives the client that started it (another terminal may be using it) and ends by itself when idle. The local
server ends with the client: it reads a pipe, and stops when that is closed, however the client ends.
"""

from __future__ import annotations

import contextlib
import http.client
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from platformdirs import user_data_path, user_log_path

import client
from client.conversation.address import DEFAULT_HOST, DEFAULT_PORT, Address, parse_address
from client.kept.leftovers import folder_for_now

START_S = 60.0
"""How long a server may take to be ready, on a machine that has much else to do; on others it takes one."""
LOOK_S = 0.05
ASK_S = 2.0
IDLE_EXIT_S = 600
SERVER_NEEDS = "uvicorn"
"""A module that is there where the extra `server` is."""
SETTINGS = "PARLOUR_"
"""How the names of environment variables begin that are settings of a server, such as the Redis of a real hub."""


class CannotStart(Exception):
    """No server could be started; the text says why, for a person."""


class Hub:
    """The hub at the usual address of this machine, started if nobody answers there.

    It is the care of every client here, not of the one alone that started it, which may be gone: who starts one leaves
    word of its process, and the hub takes back its port file when it ends by itself.
    """

    def __init__(self, host: str = DEFAULT_HOST, port: int = DEFAULT_PORT) -> None:
        self._host, self._port = host, port
        self._address: Address | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._is_a_clients = False

    def address(self) -> Address:
        """Where it is. One that a client of this machine started, and that was killed, is started again.

        Raises CannotStart.
        """
        if self._address is None or self._was_killed():
            self._ensure()
            self._is_a_clients = _is_alive(_number_in(self._file("pid")))
            self._address = parse_address(f"{self._host}:{self._port}")
        return self._address

    def _was_killed(self) -> bool:
        # One that ended by itself, or that somebody else runs, is none of this client's business.
        if self._process is not None and (self._process.poll() or 0) < 0:
            return True
        return self._is_a_clients and self._file("port").exists() and is_ready(self._host, self._port) is None

    def _file(self, suffix: str) -> Path:
        """What is known here of a hub that a client started."""
        return user_data_path("parlour", appauthor=False) / f"hub-{self._port}.{suffix}"

    def _ensure(self) -> None:
        ready = is_ready(self._host, self._port)
        if ready is None:
            log = _log_file("hub.log")
            _folder(self._file("port").parent)
            arguments = ["--host", self._host, "--port", str(self._port), "--idle-exit", str(IDLE_EXIT_S)]
            arguments += ["--port-file", str(self._file("port")), "--log", str(log)]
            self._process = _start(arguments, stdin=subprocess.DEVNULL, log=log)
            # When two terminals start at once, one of the two hubs finds the port taken and ends; the other answers.
            _wait(self._is_ready, self._process, log, patient=True)
            if self._process.poll() is None:
                with contextlib.suppress(OSError):
                    self._file("pid").write_text(f"{self._process.pid}\n")
        elif not ready:
            # It may be one that is just starting, or whose store is away; give it a moment before blaming it.
            _wait(self._is_ready, None, None, because=f"Port {self._port} is used by something else.")

    def _is_ready(self) -> bool:
        return bool(is_ready(self._host, self._port))


def is_ready(host: str, port: int) -> bool | None:
    """Whether a hub answers there and is ready; None when nobody answers at all."""
    connection = http.client.HTTPConnection(host, port, timeout=ASK_S)
    try:
        connection.request("GET", "/ready", headers={"Connection": "close"})
        return connection.getresponse().status == http.client.OK
    except ConnectionRefusedError:
        return None
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class LocalServer:
    """A server for this client alone, on a port of its own; its matches are kept under `name` for the next time.

    `folder` is where it keeps them and its log, instead of the user's folders, for the time of this run.
    """

    def __init__(self, name: str = "local", folder: Path | None = None) -> None:
        self._name = name
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._address: Address | None = None

    def address(self) -> Address:
        """Start it, unless it runs, and say where. Raises CannotStart."""
        if self._address is not None and self._process is not None and self._process.poll() is None:
            return self._address
        self.close()
        log = _log_file(f"{self._name}.log", self._folder)
        own = self._folder or user_data_path("parlour", appauthor=False)
        with folder_for_now() as folder:
            port_file = Path(folder) / "port"
            data = _folder(own / self._name)
            self._process = _start(
                ["--host", DEFAULT_HOST, "--port", "0", "--port-file", str(port_file), "--until-eof",
                 "--data", str(data), "--log", str(log)],
                stdin=subprocess.PIPE,
                log=log,
                settings=False,
            )  # fmt: skip
            try:
                stays = self._folder is None
                _wait(lambda: _number_in(port_file) is not None, self._process, log, stays=stays)
                port = _number_in(port_file)
                _wait(lambda: bool(is_ready(DEFAULT_HOST, port or 0)), self._process, log, stays=stays)
            except CannotStart:
                self.close()
                raise
        self._address = parse_address(f"{DEFAULT_HOST}:{port}")
        return self._address

    def close(self) -> None:
        """Close its input, on which it stops; it has a moment to do so."""
        process, self._process, self._address = self._process, None, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(timeout=3)
        except subprocess.TimeoutExpired:
            process.terminate()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _start(arguments: list[str], *, stdin: int, log: Path, settings: bool = True) -> subprocess.Popen[bytes]:
    """Start a server; without `settings` those of the environment, as for a hub that others use, do not reach it."""
    if importlib.util.find_spec(SERVER_NEEDS) is None:
        raise CannotStart(
            "Only the clients are installed here. Name a server (--server HOST), or install one: "
            "pip install 'parlour[server]'."
        )
    # Not the folder one happens to be in, but the one that this client came from, says what "server" is.
    source = str(Path(client.__file__).resolve().parent.parent)
    path = os.pathsep.join(part for part in (source, os.environ.get("PYTHONPATH", "")) if part)
    environment = {name: value for name, value in os.environ.items() if settings or not name.startswith(SETTINGS)}
    try:
        with log.open("ab") as errors:
            return subprocess.Popen(
                [sys.executable, "-P", "-m", "server", *arguments],
                stdin=stdin,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                # Ctrl-C goes to the whole group of a terminal, but the server is to end by its own means.
                start_new_session=True,
                env=environment | {"PYTHONPATH": path},
            )
    except OSError as error:
        raise CannotStart(f"The server could not be started: {error.strerror}.") from None


def _wait(
    is_there: Callable[[], bool],
    process: subprocess.Popen[bytes] | None,
    log: Path | None,
    *,
    patient: bool = False,
    because: str = "",
    stays: bool = True,
) -> None:
    """Until `is_there`, for at most START_S; less when the process has ended and nobody else can be meant.

    `stays` says whether the log can still be read afterwards. Raises CannotStart.
    """
    deadline = time.monotonic() + (START_S if process is not None else ASK_S)
    ended_at: float | None = None
    while not is_there():
        now = time.monotonic()
        if process is not None and ended_at is None and process.poll() is not None:
            ended_at = now
        if now > deadline or (ended_at is not None and now > ended_at + (ASK_S if patient else 0)):
            raise CannotStart(because or _why(process, log, stays=stays))
        time.sleep(LOOK_S)


def _why(process: subprocess.Popen[bytes] | None, log: Path | None, *, stays: bool) -> str:
    ended = process is not None and process.poll() is not None
    first = "The server ended at once." if ended else f"The server was not ready within {START_S:.0f} seconds."
    if log is None:
        return first
    if stays:
        return f"{first} Its log says why: {log}"
    lines = log.read_text(errors="replace").split("\n") if log.exists() else []
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return f"{first} The last that it said: {last}" if last else first


def _is_alive(process: int | None) -> bool:
    """Whether there is a process of this number; on Windows nobody can be asked without harm, so there is none."""
    if process is None or sys.platform == "win32":
        return False
    try:
        os.kill(process, 0)
    except OSError:
        return False
    return True


def _number_in(file: Path) -> int | None:
    """The number written into the file; None until it is there whole."""
    try:
        text = file.read_text()
    except OSError:
        return None
    return int(text) if text.strip().isdigit() else None


def not_kept_here() -> str:
    """Why a local server could keep no match for this user; "" where it can."""
    try:
        folder = _folder(user_data_path("parlour", appauthor=False))
        _folder(user_log_path("parlour", appauthor=False))
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except CannotStart as error:
        return str(error)
    except OSError as error:
        return f"Nothing can be kept in {folder}: {error.strerror}."


def _log_file(name: str, folder: Path | None = None) -> Path:
    return _folder(folder or user_log_path("parlour", appauthor=False)) / name


def _folder(path: Path) -> Path:
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise CannotStart(f"{path} cannot be made: {error.strerror}.") from None
    return path
