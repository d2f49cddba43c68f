"""`parlour`: the clients for terminals, windows and plain lines, over the network or for two at one keyboard."""

from __future__ import annotations

import argparse
import locale
import re
import sys
import traceback
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NoReturn

import client._interrupt  # noqa: F401
from client.conversation.address import DEFAULT_HOST, DEFAULT_PORT, BadAddress, parse_address
from client.conversation.cleaning import plain
from client.kept.identity import IdentityUnavailable, settings_folder, take_identity
from client.kept.leftovers import folder_for_now, sweep
from client.kept.links import parse_link
from client.kept.saves import SavedGame, SaveError, load, save_folder
from client.plain.app import run_plain
from client.plain.replay import replay_in_lines
from client.start.console import standard_streams
from client.start.hub_process import Hub, LocalServer, not_kept_here
from client.start.launch import Launch, LocalGame, in_background
from client.start.surroundings import no_display, no_terminal, not_opened
from protocol.limits import MAX_LANGUAGE
from protocol.messages import OptionValue

DEFAULT_GAME = "dots-and-boxes"
LOCAL = "local"
GOES_ON = "this ended through a fault of the program. Your match goes on at the server: start again to go back to it."


class PrintCompletion(argparse.Action):
    """Prints the script that lets a shell complete what the parser knows."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: object, values: object, option: object = None
    ) -> None:
        # Not at the top: everybody would wait for what few ask once.
        import shtab

        print(shtab.complete(parser, str(values)))
        parser.exit()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the client until the user quits; returns the exit status."""
    with suppress(locale.Error):
        locale.setlocale(locale.LC_ALL, "")
    parser = _parser()
    given = parser.parse_args(arguments)
    sweep(save_folder(), settings_folder())
    try:
        with ExitStack() as held:
            if given.command == "replay":
                return _replay(given, held)
            if given.command == "trace":
                return _trace(given)
            if given.command == "dog-replay":
                return _dog_replay(given)
            launch = _local_launch(parser, given, held) if given.command == "local" else _network_launch(given, held)
            if given.window:
                return _run_window(launch)
            return run_plain(launch, *standard_streams()) if given.plain else _run_terminal(launch)
    except (BadAddress, SaveError, IdentityUnavailable, NothingCanBeKept) as error:
        return _fail(str(error))


class _Parser(argparse.ArgumentParser):
    """A parser whose sentences repeat nothing that a terminal would obey (`H16`)."""

    def error(self, message: str) -> NoReturn:
        super().error(plain(message, keep_lines=True))


def _fail(sentence: str) -> int:
    print(f"parlour: {plain(sentence)}", file=sys.stderr)
    return 1


class NothingCanBeKept(Exception):
    """Not even a folder for the time of a run can be made; the text says why, for a person."""


def _folder_for_now(held: ExitStack) -> Path:
    """A folder that is gone afterwards. Raises NothingCanBeKept."""
    try:
        return Path(held.enter_context(folder_for_now()))
    except OSError as error:
        raise NothingCanBeKept(f"A server needs a folder to work in: {error.strerror}.") from None


def _run_terminal(launch: Launch) -> int:
    if why := no_terminal(sys.stdin, sys.stdout):
        return _fail(why)
    # Not at the top: who wants plain lines need not wait for what draws windows.
    from client.terminal.app import Parlour

    app = Parlour(launch)
    app.run()
    # (Textual has shown what was wrong, and given the terminal back.)
    return _fail(GOES_ON) if app.return_code else 0


def _run_window(launch: Launch) -> int:
    if why := no_display():
        return _fail(why)
    try:
        from client.window.loop import NoWindow, run_window
    except ModuleNotFoundError as missing:
        if missing.name != "pygame":
            raise
        print(
            "parlour: the window is not installed here. Install it by: pip install 'parlour[window]'", file=sys.stderr
        )
        return 1
    try:
        return run_window(launch)
    except NoWindow as error:
        return _fail(not_opened(str(error)))
    except Exception:  # shown, whatever it is; the window is gone
        traceback.print_exc()
        return _fail(GOES_ON)


def _replay(given: argparse.Namespace, held: ExitStack) -> int:
    """Step through a saved game, on a server that forgets it afterwards. Raises SaveError."""
    saved = load(given.file)
    server = held.enter_context(LocalServer("replay", _folder_for_now(held)))
    find = in_background(server.address)
    if given.plain:
        return replay_in_lines(saved, find, *standard_streams(), _language())
    if why := no_terminal(sys.stdin, sys.stdout):
        return _fail(why)
    from client.terminal.replay import Replay

    return Replay(saved, find, _language()).run() or 0


def _dog_replay(given: argparse.Namespace) -> int:
    # Not at the top: one teacher needs it, once.
    from client.dog.replay import BadRecord, rehearse

    try:
        return rehearse(Path(given.record), given.name, given.port, lambda said: print(plain(said, keep_lines=True)))
    except (BadRecord, OSError) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return 1


def _trace(given: argparse.Namespace) -> int:
    """Show every frame of a conversation. Raises BadAddress."""
    from client.trace.app import run_trace

    address = parse_address(given.server or f"{DEFAULT_HOST}:{DEFAULT_PORT}")
    hello = {"type": "hello", "name": given.name or "Trace", "rename": True, "language": _language()}
    watch = {"type": "watch", "match": given.watch}
    first = [] if given.bare else [hello, watch] if given.watch else [hello]
    return run_trace(address, first, *standard_streams(), follow=bool(given.watch))


def _network_launch(given: argparse.Namespace, held: ExitStack) -> Launch:
    link = parse_link(given.link) if given.command == "open" else None
    address = parse_address(given.server) if given.server is not None else link.address if link is not None else None
    identity = held.enter_context(take_identity(given.profile))
    return Launch(
        # Where no server was named, the one on this machine is meant, and started if it is not there.
        prepare=Hub().address if address is None else lambda: address,
        identity=identity,
        warning=identity.warning,
        name=given.name or "",
        connects_at_once=bool(given.name),
        watch=given.watch or (link.watch if link is not None else None),
        join=link.join if link is not None else None,
        key=link.key if link is not None else None,
        saved=_saved(given),
        server=address.label if address is not None else "",
        language=_language(),
    )


def _local_launch(parser: argparse.ArgumentParser, given: argparse.Namespace, held: ExitStack) -> Launch:
    saved = _saved(given)
    options = dict(_option(parser, text) for text in given.option)
    if given.size is not None:
        options |= _size(parser, given.size)
    if saved is not None and (options or given.game is not None):
        parser.error("A saved game has its own game and options: leave them out beside --from.")
    # The matches of a local server lie beside the identity that plays them; both have one user at a time.
    identity = held.enter_context(take_identity(kind=LOCAL))
    warning = identity.warning or not_kept_here()
    folder = _folder_for_now(held) if warning else None
    server = held.enter_context(LocalServer(identity.label, folder))
    return Launch(
        warning=f"{warning} This match is gone when you quit." if warning else "",
        prepare=server.address,
        identity=identity,
        name="Players",
        connects_at_once=True,
        local=LocalGame(given.game or DEFAULT_GAME, options) if saved is None else LocalGame(saved.game, saved.options),
        saved=saved,
        server_key=LOCAL,
        language=_language(),
    )


def _saved(given: argparse.Namespace) -> SavedGame | None:
    """The saved game to start from (`RU-M8`). Raises SaveError."""
    return load(given.saved) if given.saved is not None else None


def _option(parser: argparse.ArgumentParser, text: str) -> tuple[str, OptionValue]:
    """`key=value` as an option; whole numbers, true and false are what they look like."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        parser.error(f"“{text}” is no option: write name=value.")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.removeprefix("-").isdecimal() else value


def _size(parser: argparse.ArgumentParser, text: str) -> dict[str, OptionValue]:
    """`5x4` as width and height in dots (`RU-DB1`)."""
    width, by, height = text.lower().partition("x")
    if not (by and width.isdecimal() and height.isdecimal()):
        parser.error(f"“{text}” is no size: write it as in 5x5.")
    return {"width": int(width), "height": int(height)}


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="parlour",
        description="Board games for two over the network, in the terminal or in a window.",
        epilog="Without --server a hub on this machine is used, and started if there is none.",
    )
    parser.add_argument("--version", action="version", version=f"parlour {_version()}")
    parser.add_argument(
        "--print-completion", choices=("bash", "zsh", "tcsh"), action=PrintCompletion,
        help="print what lets this shell complete commands and options",
    )  # fmt: skip
    _network_arguments(parser)
    _common_arguments(parser)
    parser.set_defaults(command="play", window=False)
    commands = parser.add_subparsers(metavar="COMMAND")
    window = commands.add_parser("window", help="the same in a window, for the mouse, fingers or keys")
    window.set_defaults(command="window", window=True)
    _network_arguments(window, default=argparse.SUPPRESS)
    _common_arguments(window, default=argparse.SUPPRESS)
    local = commands.add_parser("local", help="two people at one keyboard, without a network")
    local.set_defaults(command="local")
    local.add_argument("game", nargs="?", metavar="GAME", help=f"default: {DEFAULT_GAME}")
    local.add_argument("--size", metavar="5x5", help="the board's size in dots")
    local.add_argument(
        "-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game; repeatable"
    )
    opened = commands.add_parser("open", help="join or watch the match of a link that you were given")
    opened.set_defaults(command="open")
    opened.add_argument("link", metavar="LINK", help="such as http://192.168.0.7:7878/#key=ABCD-EFGH-JKLM (in quotes)")
    _common_arguments(opened, default=argparse.SUPPRESS)
    replay = commands.add_parser("replay", help="step through a saved game, forwards and backwards")
    replay.set_defaults(command="replay")
    replay.add_argument("file", metavar="FILE", help="the saved game's name, or a file")
    replay.add_argument("--plain", action="store_true", default=argparse.SUPPRESS, help="as lines of text")
    trace = commands.add_parser(
        "trace",
        help="for developers: show every frame, send typed commands",
        description="Shows every frame of a conversation with a hub, with secrets masked. Each line typed is a command "
        'in JSON, such as {"type": "ping"}; a ref is added where none is given.',
    )
    trace.set_defaults(command="trace")
    trace.add_argument("--bare", action="store_true", help="say nothing by itself, not even hello")
    _network_arguments(trace, default=argparse.SUPPRESS)
    _common_arguments(local, default=argparse.SUPPRESS)
    rehearsal = commands.add_parser(
        "dog-replay",
        help="for students' games: play a record against one program, and tell its first move that differs",
    )
    rehearsal.set_defaults(command="dog-replay")
    rehearsal.add_argument("record", metavar="RECORD", help="the file that the match's page below /dog/ links to")
    rehearsal.add_argument("--as", dest="name", metavar="NAME", required=True, help="which player the program is")
    rehearsal.add_argument("--port", type=int, default=8000, metavar="N", help="default: %(default)s")
    return parser


def _common_arguments(parser: argparse.ArgumentParser, **settings: Any) -> None:
    """What is understood before and after a command; `settings` keep the latter from undoing the former."""
    parser.add_argument(
        "--plain", action="store_true", help="lines of text, for screen readers and simple terminals", **settings
    )
    parser.add_argument(
        "--from", dest="saved", metavar="FILE", help="start from this saved game (its name, or a file)", **settings
    )


def _network_arguments(parser: argparse.ArgumentParser, **settings: Any) -> None:
    server = "host, host:port, ws://, wss://, http:// or https:// address of a server"
    profile = "be the person of this profile; each has its own identity"
    parser.add_argument("--server", metavar="ADDRESS", help=server, **settings)
    parser.add_argument("--name", metavar="NAME", help="connect at once under this name", **settings)
    parser.add_argument("--watch", metavar="ID", help="watch this match", **settings)
    parser.add_argument("--profile", metavar="NAME", help=profile, **settings)


def _language() -> str:
    """The language of this terminal, for the server's sentences: "pt-BR"; English when none is set."""
    name = (locale.getlocale()[0] or "").replace("_", "-")
    return name if re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", name) and len(name) <= MAX_LANGUAGE else "en"


def _version() -> str:
    try:
        return version("parlour")
    except PackageNotFoundError:
        return "(not installed)"


if __name__ == "__main__":
    sys.exit(main())
