"""Real proxies, run with the very files that lie in `deploy/`: only addresses and certificates are put in."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import ssl
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.driver import ROOT, WAIT_S, wait_for

DEPLOY = ROOT / "deploy"
PATH = "/parlour/"


def program_of(name: str) -> str:
    """Where the program is; "" when it is not here. Debian has such in a folder that is not everybody's."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin") or ""


class RealProxy(ABC):
    """A proxy at `https://127.0.0.1:PORT/parlour/`, before the hubs on these ports."""

    program: str
    file: str

    def __init__(self, folder: Path, certificate: tuple[Path, Path], hubs: Sequence[int]) -> None:
        self.folder = folder
        self.hubs = hubs
        self.certificate, self.key = certificate
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def origin(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    @property
    def sockets(self) -> str:
        """Where the WebSockets are."""
        return f"wss://127.0.0.1:{self.port}{PATH}ws"

    @property
    def trusting(self) -> ssl.SSLContext:
        """For a client that takes its certificate."""
        return ssl.create_default_context(cafile=str(self.certificate))

    def text(self, *changes: tuple[str, str]) -> str:
        """The file in `deploy/` with each of these once put in; AssertionError when one is not in it."""
        text = (DEPLOY / self.file).read_text()
        for old, new in changes:
            assert old in text, f"{self.file} has no {old!r}"
            text = text.replace(old, new)
        return text

    @abstractmethod
    def words(self) -> list[str]:
        """Write what it reads; returns its command line, by which it stays in the foreground."""

    def start(self) -> None:
        """Start it and wait until it takes connections."""
        environment = {**os.environ, "XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}
        with (self.folder / "proxy.log").open("ab") as log:
            self._process = subprocess.Popen(
                self.words(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, start_new_session=True
            )
        wait_for(lambda: self._answers() or self._process is None or self._process.poll() is not None)
        assert self._process.poll() is None, (self.folder / "proxy.log").read_text()

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False

    def stop(self) -> None:
        """End it, with all connections that it has: a restart in haste."""
        if self._process is not None and self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(WAIT_S)


class Nginx(RealProxy):
    """nginx."""

    program, file = "nginx", "nginx.conf"

    def words(self) -> list[str]:
        servers = "".join(f"server 127.0.0.1:{hub} fail_timeout=1s;\n" for hub in self.hubs)
        (self.folder / "parlour.conf").write_text(
            self.text(
                ("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl"),
                ("server 127.0.0.1:7878 fail_timeout=1s;", servers),
                ("/etc/ssl/games.example/fullchain.pem", str(self.certificate)),
                ("/etc/ssl/games.example/key.pem", str(self.key)),
            )
        )
        places = "".join(
            f"{kind}_temp_path {self.folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (self.folder / "nginx.conf").write_text(
            f"{'user root;' if os.geteuid() == 0 else ''}\ndaemon off; worker_processes 1; pid {self.folder}/pid;\n"
            f"events {{ worker_connections 1024; }}\n"
            f"http {{ access_log off; {places} include {self.folder}/parlour.conf; }}\n"
        )
        return [program_of("nginx"), "-p", str(self.folder), "-e", "stderr", "-c", str(self.folder / "nginx.conf")]


class HAProxy(RealProxy):
    """HAProxy."""

    program, file = "haproxy", "haproxy.cfg"

    def words(self) -> list[str]:
        both = self.folder / "both.pem"
        both.write_text(self.certificate.read_text() + self.key.read_text())
        one, two = (*self.hubs, *self.hubs)[:2]
        (self.folder / "haproxy.cfg").write_text(
            self.text(
                ("maxconn 20000", "maxconn 500"),
                ("bind :443", f"bind 127.0.0.1:{self.port}"),
                ("/etc/haproxy/games.example.pem", str(both)),
                ("server one 127.0.0.1:7878", f"server one 127.0.0.1:{one}"),
                ("server two 127.0.0.1:7879", f"server two 127.0.0.1:{two}"),
            )
        )
        return [program_of("haproxy"), "-db", "-f", str(self.folder / "haproxy.cfg")]


class Caddy(RealProxy):
    """Caddy."""

    program, file = "caddy", "Caddyfile"

    def words(self) -> list[str]:
        (self.folder / "Caddyfile").write_text(
            "{\nadmin off\nauto_https off\n}\n"
            + self.text(
                ("\ngames.example {", f"\n{self.origin} {{\ntls {self.certificate} {self.key}"),
                ("127.0.0.1:7878 {", " ".join(f"127.0.0.1:{hub}" for hub in self.hubs) + " {"),
            )
        )
        return [program_of("caddy"), "run", "--adapter", "caddyfile", "--config", str(self.folder / "Caddyfile")]


ALL: tuple[type[RealProxy], ...] = (Nginx, HAProxy, Caddy)


def absent(kind: type[RealProxy]) -> str | None:
    """Why it cannot be tried here."""
    return None if program_of(kind.program) else f"no {kind.program} here; scripts/install-test-tools gets it on Debian"
