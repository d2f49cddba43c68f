"""What `parlour` understands on its command line, and the help that groups it by what one wants."""

from __future__ import annotations

import argparse
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NoReturn

from client.conversation.cleaning import plain
from client.playing.new_match import Against
from protocol.messages import OptionValue

GAMES = {
    "checkers": "Checkers",
    "dots-and-boxes": "Dots and Boxes",
    "hexoust": "HexOust",
    "square": "Square",
    "ultimate-dots-and-boxes": "Ultimate Dots and Boxes",
}
"""The games that every hub has, for the help and for shells; what one hub offers is for that hub to say."""
DEFAULT_GAME = "dots-and-boxes"
AGAINST = {
    Against.COMPUTER: "against the computer (this is usual)",
    Against.FRIEND: "with a friend: you get a link to give away",
    Against.SOMEBODY: "with whoever comes next",
    Against.HERE: "two at this keyboard",
}
_COMPLETE = {
    "bash": "_parlour_games() { compgen -W 'GAMES' -- \"$1\"; }",
    "zsh": "_parlour_games() { compadd GAMES; }",
}
_ABOUT = """\
Board games for two over the network, in the terminal or in a window. Without a
command it begins with the games' cards; without --server it uses a hub on this
machine, and starts one if there is none."""
_PLAY = """\
to a board at once:
  parlour play square --computer     against the computer
  parlour play checkers --friend     with a friend, by a link
  parlour play hexoust --somebody    with whoever comes next
  parlour play --here                two at this keyboard
  parlour learn checkers             learn it by a few tasks
"""


class PrintCompletion(argparse.Action):
    """Prints the script that lets a shell complete what the parser knows."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: object, values: object, option: object = None
    ) -> None:
        # Not at the top: everybody would wait for what few ask once.
        import shtab

        print(shtab.complete(parser, str(values), preamble=_preamble(str(values))))
        parser.exit()


def _preamble(shell: str) -> str:
    return _COMPLETE.get(shell, "").replace("GAMES", " ".join(GAMES))


class _Parser(argparse.ArgumentParser):
    """A parser whose sentences repeat nothing that a terminal would obey (`H16`)."""

    def error(self, message: str) -> NoReturn:
        super().error(plain(message, keep_lines=True))


def parser() -> argparse.ArgumentParser:
    """The whole of it."""
    parser = _Parser(
        prog="parlour",
        description=_ABOUT,
        epilog=f"{_PLAY}\nthe games, each by any clear beginning of its name:\n{_games()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _network_arguments(parser)
    _common_arguments(parser)
    about = parser.add_argument_group("about parlour itself")
    about.add_argument("--version", action="version", version=f"parlour {_version()}")
    about.add_argument(
        "--print-completion", choices=("bash", "zsh", "tcsh"), action=PrintCompletion,
        help="print what lets this shell complete commands, options and games",
    )  # fmt: skip
    parser.set_defaults(command="begin", window=False)
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    _add_play(commands)
    _add_learn(commands)
    window = commands.add_parser("window", help="begin in a window, for the mouse, fingers or keys")
    window.set_defaults(command="window", window=True)
    _network_arguments(window, default=argparse.SUPPRESS)
    _common_arguments(window, default=argparse.SUPPRESS)
    local = commands.add_parser("local", help="two people at one keyboard, without a network")
    local.set_defaults(command="local")
    _game_arguments(local, f"default: {DEFAULT_GAME}")
    local.add_argument("--size", metavar="5x5", help="the board's size in dots")
    _common_arguments(local, default=argparse.SUPPRESS)
    opened = commands.add_parser("open", help="join or watch the match of a link that you were given")
    opened.set_defaults(command="open")
    opened.add_argument("link", metavar="LINK", help="such as http://192.168.0.7:7878/#key=ABCD-EFGH-JKLM (in quotes)")
    _common_arguments(opened, default=argparse.SUPPRESS)
    replay = commands.add_parser("replay", help="step through a saved game, forwards and backwards")
    replay.set_defaults(command="replay")
    replay.add_argument("file", metavar="FILE", help="the saved game's name, or a file")
    replay.add_argument("--plain", action="store_true", default=argparse.SUPPRESS, help="as lines of text")
    review = commands.add_parser("review", help="who stood better in a saved game, and which moves cost most, as lines")
    review.set_defaults(command="review")
    review.add_argument("file", metavar="FILE", help="the saved game's name, or a file")
    trace = commands.add_parser(
        "trace",
        help="for developers: show every frame, send typed commands",
        description="Shows every frame of a conversation with a hub, with secrets masked. Each line typed is a command "
        'in JSON, such as {"type": "ping"}; a ref is added where none is given.',
    )
    trace.set_defaults(command="trace")
    trace.add_argument("--bare", action="store_true", help="say nothing by itself, not even hello")
    _network_arguments(trace, default=argparse.SUPPRESS)
    rehearsal = commands.add_parser(
        "dog-replay",
        help="for students' games: play a record against one program, and tell its first move that differs",
    )
    rehearsal.set_defaults(command="dog-replay")
    rehearsal.add_argument("record", metavar="RECORD", help="the file that the match's page below /dog/ links to")
    rehearsal.add_argument("--as", dest="name", metavar="NAME", required=True, help="which player the program is")
    rehearsal.add_argument("--port", type=int, default=8000, metavar="N", help="default: %(default)s")
    return parser


def _games() -> str:
    wide = max(map(len, GAMES))
    return "\n".join(f"  {name:{wide}}   {title}" for name, title in GAMES.items())


def _add_play(commands: Any) -> None:
    play = commands.add_parser(
        "play",
        help="to a board at once: parlour play square --computer",
        epilog=f"the games:\n{_games()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    play.set_defaults(command="play", against=Against.COMPUTER)
    _game_arguments(play, f"any clear beginning of its name; default: {DEFAULT_GAME}")
    play.add_argument("--level", metavar="NAME", default="", help="how well the computer plays, such as easy or hard")
    ways = play.add_argument_group("against whom").add_mutually_exclusive_group()
    for against, help_ in AGAINST.items():
        ways.add_argument(f"--{against.value}", dest="against", action="store_const", const=against, help=help_)
    looks = play.add_argument_group("how it looks")
    looks.add_argument("--window", action="store_true", default=argparse.SUPPRESS, help="in a window")
    looks.add_argument("--plain", action="store_true", default=argparse.SUPPRESS, help="as lines of text")
    _network_arguments(play, default=argparse.SUPPRESS, watches=False)


def _add_learn(commands: Any) -> None:
    learn = commands.add_parser(
        "learn",
        help="learn a game by a few tasks on a small board: parlour learn checkers",
        epilog=f"the games:\n{_games()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    learn.set_defaults(command="learn", against=Against.LEARN, level="")
    _game_arguments(learn, f"any clear beginning of its name; default: {DEFAULT_GAME}", options=False)
    learn.add_argument(
        "task", nargs="?", type=int, default=0, metavar="N", help="begin with this task; default: the next one"
    )
    looks = learn.add_argument_group("how it looks")
    looks.add_argument("--window", action="store_true", default=argparse.SUPPRESS, help="in a window")
    looks.add_argument("--plain", action="store_true", default=argparse.SUPPRESS, help="as lines of text")
    _network_arguments(learn, default=argparse.SUPPRESS, watches=False)


def _game_arguments(parser: argparse.ArgumentParser, help_: str, *, options: bool = True) -> None:
    game = parser.add_argument("game", nargs="?", metavar="GAME", help=help_)
    # Read by shtab: what a shell proposes here.
    game.complete = {"bash": "_parlour_games", "zsh": "_parlour_games"}  # type: ignore[attr-defined]
    if not options:
        return
    parser.add_argument(
        "-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game; repeatable"
    )


def _common_arguments(parser: argparse.ArgumentParser, **settings: Any) -> None:
    """What is understood before and after a command; `settings` keep the latter from undoing the former."""
    parser.add_argument_group("how it looks").add_argument(
        "--plain", action="store_true", help="lines of text, for screen readers and simple terminals", **settings
    )
    parser.add_argument_group("going on with a saved game").add_argument(
        "--from", dest="saved", metavar="FILE", help="start from this saved game (its name, or a file)", **settings
    )


def _network_arguments(parser: argparse.ArgumentParser, *, watches: bool = True, **settings: Any) -> None:
    server = "host, host:port, ws://, wss://, http:// or https:// address of a server"
    profile = "be the person of this profile; each has its own identity"
    where = parser.add_argument_group("where, and whom to watch" if watches else "where")
    where.add_argument("--server", metavar="ADDRESS", help=server, **settings)
    if watches:
        where.add_argument("--watch", metavar="ID", help="watch this match", **settings)
    who = parser.add_argument_group("who you are")
    who.add_argument("--name", metavar="NAME", help="connect at once under this name", **settings)
    who.add_argument("--profile", metavar="NAME", help=profile, **settings)


def option(parser: argparse.ArgumentParser, text: str) -> tuple[str, OptionValue]:
    """`key=value` as an option; whole numbers, true and false are what they look like."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        parser.error(f"“{text}” is no option: write name=value.")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.removeprefix("-").isdecimal() else value


def size(parser: argparse.ArgumentParser, text: str) -> dict[str, OptionValue]:
    """`5x4` as width and height in dots (`RU-DB1`)."""
    width, by, height = text.lower().partition("x")
    if not (by and width.isdecimal() and height.isdecimal()):
        parser.error(f"“{text}” is no size: write it as in 5x5.")
    return {"width": int(width), "height": int(height)}


def _version() -> str:
    try:
        return version("parlour")
    except PackageNotFoundError:
        return "(not installed)"
