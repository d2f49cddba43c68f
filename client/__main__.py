"""`parlour`: the clients for terminals, windows and plain lines, over the network or for two at one keyboard."""

from __future__ import annotations

import argparse
import locale
import os
import re
import sys
import traceback
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import client._interrupt  # noqa: F401
from client.command_line import DEFAULT_GAME, option, size
from client.command_line import parser as command_line
from client.conversation.address import DEFAULT_HOST, DEFAULT_PORT, BadAddress, parse_address
from client.conversation.cleaning import plain
from client.kept.identity import IdentityUnavailable, settings_folder, take_identity
from client.kept.leftovers import folder_for_now, sweep
from client.kept.links import parse_link
from client.kept.saves import SavedGame, SaveError, load, save_folder
from client.kept.settings import settings_file
from client.plain.app import run_plain
from client.plain.replay import replay_in_lines
from client.plain.review import review_in_lines
from client.playing.new_match import Against, AtOnce
from client.start.console import standard_streams
from client.start.hub_process import Hub, LocalServer, not_kept_here
from client.start.launch import Launch, LocalGame, in_background
from client.start.surroundings import no_display, no_terminal, not_opened
from protocol.limits import MAX_LANGUAGE

LOCAL = "local"
GOES_ON = "this ended through a fault of the program. Your match goes on at the server: start again to go back to it."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the client until the user quits; returns the exit status."""
    with suppress(locale.Error):
        locale.setlocale(locale.LC_ALL, "")
    parser = command_line()
    given = parser.parse_args(arguments)
    sweep(save_folder(), settings_folder())
    try:
        with ExitStack() as held:
            if given.command == "replay":
                return _replay(given, held)
            if given.command == "review":
                return _review(given, held)
            if given.command == "trace":
                return _trace(given)
            if given.command == "dog-replay":
                return _dog_replay(given)
            local = given.command == "local"
            launch = _local_launch(parser, given, held) if local else _network_launch(parser, given, held)
            if given.window:
                return _run_window(launch)
            return run_plain(launch, *standard_streams()) if given.plain else _run_terminal(launch)
    except (BadAddress, SaveError, IdentityUnavailable, NothingCanBeKept) as error:
        return _fail(str(error))


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

    app = Parlour(launch, settings_path=settings_file("terminal"), is_dark=_is_dark())
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

    return Replay(saved, find, _language(), is_dark=_is_dark()).run() or 0


def _is_dark() -> bool:
    """Whether the ground of this terminal is; what is no terminal counts as dark."""
    from client.terminal.drawing.ground import is_dark

    try:
        streams = sys.stdin.fileno(), sys.stdout.fileno()
    except (OSError, ValueError):  # in place of a stream of the system's
        return True
    return is_dark(os.environ, *streams)


def _review(given: argparse.Namespace, held: ExitStack) -> int:
    """Say who stood better in a saved game, and what cost most. Raises SaveError."""
    saved = load(given.file)
    server = held.enter_context(LocalServer("review", _folder_for_now(held)))
    _, output = standard_streams()
    return review_in_lines(saved, in_background(server.address), output, sys.stderr, _language())


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


def _network_launch(parser: argparse.ArgumentParser, given: argparse.Namespace, held: ExitStack) -> Launch:
    link = parse_link(given.link) if given.command == "open" else None
    address = parse_address(given.server) if given.server is not None else link.address if link is not None else None
    at_once = _at_once(parser, given) if given.command in ("play", "learn") else None
    identity = held.enter_context(take_identity(given.profile))
    return Launch(
        # Where no server was named, the one on this machine is meant, and started if it is not there.
        prepare=Hub().address if address is None else lambda: address,
        identity=identity,
        warning=identity.warning,
        name=given.name or (identity.named() if at_once is not None else ""),
        connects_at_once=bool(given.name) or at_once is not None,
        at_once=at_once,
        learned=settings_file("learned"),
        watch=given.watch or (link.watch if link is not None else None),
        join=link.join if link is not None else None,
        key=link.key if link is not None else None,
        saved=_saved(given),
        server=address.label if address is not None else "",
        language=_language(),
    )


def _at_once(parser: argparse.ArgumentParser, given: argparse.Namespace) -> AtOnce:
    """What `parlour play` asks for."""
    if given.saved is not None:
        parser.error(f"A saved game has its own game and options: leave out “{given.command}” beside --from.")
    if given.against is Against.LEARN:
        return AtOnce(given.game or DEFAULT_GAME, given.against, lesson=given.task)
    if given.level and given.against is not Against.COMPUTER:
        parser.error("--level is for the computer.")
    options = tuple(option(parser, text) for text in given.option)
    return AtOnce(given.game or DEFAULT_GAME, given.against, options, given.level)


def _local_launch(parser: argparse.ArgumentParser, given: argparse.Namespace, held: ExitStack) -> Launch:
    saved = _saved(given)
    options = dict(option(parser, text) for text in given.option)
    if given.size is not None:
        options |= size(parser, given.size)
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


def _language() -> str:
    """The language of this terminal, for the server's sentences: "pt-BR"; English when none is set."""
    name = (locale.getlocale()[0] or "").replace("_", "-")
    return name if re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", name) and len(name) <= MAX_LANGUAGE else "en"


if __name__ == "__main__":
    sys.exit(main())
