"""The server's settings: read once at the edge from arguments and environment, then passed down as a value."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from platformdirs import user_data_path

from server import option_values
from server.environment import ENVIRONMENT, arguments_from
from server.hub.connections.public import PublicAddress
from server.hub.limits.proxies import Proxies
from server.hub.limits.settings import LimitError, Limits, with_settings
from server.logs import FORMATS, LOG_LEVELS
from server.store.connection.address import (
    DEFAULT_PREFIX,
    FORMS,
    AddressError,
    Certificates,
    StoreAddress,
    read_address,
)
from server.store.lifetimes import Lifetimes
from server.systemd import Systemd, by_systemd

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 7878
DEFAULTS = Limits()
LIFETIMES = Lifetimes()
NO_PROXIES = Proxies()
NOT_BY_SYSTEMD = Systemd()
DOG_PORT = 8000
DOG_GRACE_S = 300.0
"""How long a student's game may be silent: its polling stands still while it shows a box, and five minutes are enough
to read one after the teacher has explained something. One whose window was closed is found out sooner."""


class PrintCompletion(argparse.Action):
    """Prints the script that lets a shell complete what the parser knows."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: object, values: object, option: object = None
    ) -> None:
        # Not at the top: every hub would load what few ask once.
        import shtab

        print(shtab.complete(parser, str(values)))
        parser.exit()


def release() -> str:
    """The version of this distribution."""
    try:
        return version("parlour")
    except PackageNotFoundError:
        return "0"


@dataclass(frozen=True)
class Config:
    """What `parlour-server` was asked to do. `redis` is None for the embedded store in `data`."""

    host: str
    port: int
    redis: StoreAddress | None
    data: Path
    log: Path | None
    games: Path | None
    origins: tuple[str, ...]
    port_file: Path | None
    idle_exit_s: float | None
    until_eof: bool
    drain_s: float = 0.0
    traces: str | None = None
    """How long the players may be handed over to other hubs before it stops; 0 for not at all."""
    inspect: bool = False
    limits: Limits = DEFAULTS
    lifetimes: Lifetimes = LIFETIMES
    proxies: Proxies = NO_PROXIES
    proxy_protocol: bool = False
    """Whether connections from these proxies begin with the PROXY protocol."""
    public: PublicAddress | None = None
    """Where people find the hub, if the operator says so."""
    systemd: Systemd = NOT_BY_SYSTEMD
    unix: Path | None = None
    """The Unix socket to listen on, instead of a port."""
    embedders: tuple[str, ...] = ()
    """Origins of web pages that may show the page in a frame of theirs."""
    chat: bool = True
    log_level: str = "info"
    dog: bool = False
    """Whether students' games that speak DOG are served below /dog/."""
    dog_port: int | None = None
    """The port on which they are served, too, below any path."""
    dog_front: bool = True
    """Whether that port is the front's (`server.dog_front`), and so outlives this hub."""
    dog_grace_s: float = DOG_GRACE_S
    prefix: str = DEFAULT_PREFIX
    """What the names of all that this installation keeps in Redis begin with."""
    log_format: str = "text"
    strangers: tuple[str, ...] = ()
    """A sentence for each variable of the environment that looks like a setting and is none."""


def parse(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> Config:
    """The settings; ends the process with a sentence and status 2 when something is wrong."""
    parser = _parser()
    words, strangers = arguments_from(parser, environment)
    given = parser.parse_args([*words, *arguments])
    try:
        limits = with_settings(given.limit, DEFAULTS)
        lifetimes = with_settings(given.lifetime, LIFETIMES, "lifetime")
        redis = store_address(given)
    except (LimitError, AddressError) as error:
        parser.error(str(error))
    proxies = Proxies(given.proxy)
    if given.proxy_protocol and (why := _cannot_be_announced(given, proxies)):
        parser.error(why)
    return Config(
        host=given.host,
        port=given.port,
        redis=redis,
        data=given.data,
        log=given.log,
        games=given.games,
        origins=tuple(given.origin),
        port_file=given.port_file,
        idle_exit_s=given.idle_exit,
        until_eof=given.until_eof,
        drain_s=given.drain,
        traces=given.traces,
        inspect=given.inspect,
        limits=limits,
        lifetimes=lifetimes,
        proxies=proxies,
        proxy_protocol=given.proxy_protocol,
        public=given.public_url,
        systemd=by_systemd(environment, os.getpid()),
        unix=given.unix,
        embedders=tuple(given.embed),
        chat=not given.no_chat,
        log_level=given.log_level,
        dog=given.dog or given.dog_port is not None,
        dog_port=DOG_PORT if given.dog_port is None and not given.no_dog_front else given.dog_port,
        dog_front=not given.no_dog_front,
        dog_grace_s=given.dog_grace,
        prefix=given.prefix,
        log_format=given.log_format,
        strangers=tuple(strangers),
    )


def _cannot_be_announced(given: argparse.Namespace, proxies: Proxies) -> str | None:
    """Why the PROXY protocol cannot be asked for as things are."""
    if not given.proxy:
        return "--proxy-protocol is for proxies that are named: --proxy ADDRESS"
    front = (given.dog or given.dog_port is not None) and not given.no_dog_front
    if front and (given.host in proxies or "127.0.0.1" in proxies):
        return (
            "with --proxy-protocol for this machine's own address students' games need --no-dog-front:"
            " the front comes from there, too, and announces nobody"
        )
    return None


def data_folder() -> Path:
    """The folder of the embedded store, unless told otherwise."""
    return user_data_path("parlour")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="parlour-server",
        description="The Parlour hub: board games for two over the network.",
        epilog=f"Every option can be given as an environment variable, too: --redis as {ENVIRONMENT}REDIS, a repeatable"
        " one with commas, one without a value as yes or no."
        " parlour-server admin --help tells how to look after hubs that run.",
    )
    parser.add_argument("--version", action="version", version=f"parlour-server {release()}")
    parser.add_argument(
        "--print-completion", choices=("bash", "zsh", "tcsh"), action=PrintCompletion,
        help="print what lets this shell complete options",
    )  # fmt: skip
    add = parser.add_argument
    add("--host", default=DEFAULT_HOST, help="address to listen on (default %(default)s; 0.0.0.0 for everybody)")
    add(
        "--port",
        type=option_values.port,
        default=DEFAULT_PORT,
        help="port to listen on (default %(default)s; 0 for a free one)",
    )
    add("--unix", type=Path, metavar="FILE", help="listen on this Unix socket instead of a port")
    add_store(parser)
    add("--data", type=Path, default=data_folder(), help="folder of the embedded store (%(default)s)")
    add(
        "--log", type=Path, metavar="FILE",
        help="log to this file instead of standard error; SIGHUP opens it anew, when it was moved away",
    )  # fmt: skip
    add("--log-format", choices=FORMATS, default="text", help="how a line looks (default %(default)s)")
    add(
        "--log-level", choices=tuple(LOG_LEVELS), default="info",
        help="what to log (default %(default)s); debug tells every command and HTTP request, and no secret either",
    )  # fmt: skip
    add("--games", type=Path, metavar="FOLDER", help="folder with further games, one Python file each")
    add(
        "--origin", action="append", default=[], type=option_values.origin, metavar="URL",
        help="a web page's origin that may connect, and read the HTTP API's answers; repeatable",
    )  # fmt: skip
    add(
        "--public-url", type=option_values.public, metavar="URL",
        help="the address at which people find this hub, below a path or not; its page may connect",
    )  # fmt: skip
    add(
        "--embed", action="append", default=[], type=option_values.origin, metavar="URL",
        help="a web page's origin that may show the page in a frame of its own; repeatable",
    )  # fmt: skip
    add(
        "--limit", action="append", default=[], metavar="NAME=VALUE",
        help=f"change a limit; repeatable. Names: {', '.join(field.name for field in fields(Limits))}",
    )  # fmt: skip
    add(
        "--lifetime", action="append", default=[], metavar="NAME=SECONDS",
        help="change how long Redis keeps what nobody touches; repeatable. Names: "
        + ", ".join(field.name for field in fields(Lifetimes)),
    )  # fmt: skip
    add(
        "--proxy", action="append", default=[], type=option_values.proxy, metavar="ADDRESS",
        help="address or network of proxies whose X-Forwarded-For (or Forwarded) is believed, or unix for whoever comes"
        " by a Unix socket; repeatable",
    )  # fmt: skip
    add(
        "--proxy-protocol", action="store_true",
        help="these proxies announce whom they speak for by the PROXY protocol, version 1 or 2, on every connection",
    )  # fmt: skip
    add(
        "--dog", action="store_true",
        help=f"let students' games that speak DOG play here: on port {DOG_PORT}, and below /dog/ of this port",
    )  # fmt: skip
    add("--dog-port", type=option_values.port, metavar="N", help="the same, on another port than that")
    add(
        "--no-dog-front", action="store_true",
        help="start no process that holds these games' connections while the hub is restarted",
    )  # fmt: skip
    add("--dog-grace", type=option_values.seconds, default=DOG_GRACE_S, metavar="SECONDS",
        help="how long such a game may be silent before it is taken for gone (default %(default)g)")  # fmt: skip
    add("--no-chat", action="store_true", help="let nobody say anything to anybody")
    add("--port-file", type=Path, metavar="FILE", help="write the port to this file once the hub is ready")
    add(
        "--idle-exit",
        type=option_values.seconds,
        metavar="SECONDS",
        help="stop when nobody has been connected for so long",
    )
    add("--inspect", action="store_true", help="show tasks, rooms and outboxes at /debug, to this machine alone")
    add(
        "--drain", type=option_values.span, default=0.0, metavar="SECONDS",
        help="at SIGTERM hand the players over to other hubs first, within this time (default: stop at once)",
    )  # fmt: skip
    add(
        "--traces", type=option_values.web, metavar="URL",
        help="send traces by OpenTelemetry to this collector (OTLP over HTTP: http://localhost:4318/v1/traces)",
    )  # fmt: skip
    add("--until-eof", action="store_true", help="stop when standard input ends")
    return parser


def add_store(parser: argparse.ArgumentParser, environment: Mapping[str, str] | None = None) -> None:
    """The options that say where the store is; with `environment`, what it says holds where they are not given."""
    given = environment or {}

    def default(name: str) -> str | None:
        return given.get(ENVIRONMENT + name) or None

    add = parser.add_argument
    add(
        "--redis", metavar="URL", default=default("REDIS"),
        help=f"the Redis in which all is kept: {FORMS}; without it an embedded store is used",
    )  # fmt: skip
    for name, text in (
        ("ca", "the certificates that vouch for a rediss:// Redis, beside those that this machine trusts"),
        ("cert", "the certificate to show to a rediss:// Redis"),
        ("key", "the key of that certificate, if it is not in the same file"),
    ):
        add(f"--redis-{name}", type=Path, metavar="FILE", default=default(f"REDIS_{name.upper()}"), help=text)
    add(
        "--prefix", type=option_values.prefix, default=default("PREFIX") or DEFAULT_PREFIX,
        help="what the names of all keys and channels begin with (%(default)s): one for each installation on a Redis",
    )  # fmt: skip


def store_address(given: argparse.Namespace) -> StoreAddress | None:
    """Where the store is by these options; None for the embedded one. Raises AddressError."""
    files = Certificates(given.redis_ca, given.redis_cert, given.redis_key)
    if given.redis is None:
        if files != Certificates():
            raise AddressError("Certificates are for a Redis that is named: --redis rediss://host:6379/0.")
        return None
    return read_address(given.redis, files)
