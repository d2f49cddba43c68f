"""The command line of `parlour-server admin`."""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import structlog

from protocol.errors import ParlourError, StoreUnavailable, UnreadableMatch
from server import option_values
from server.admin.backup import BackupError
from server.admin.desk import Desk, NoSuchHub, NoSuchNote
from server.admin.moving import Moved
from server.admin.saying import harmless, say
from server.config import add_store, data_folder, store_address
from server.games import load_catalogue
from server.match.lines import clean_line
from server.store.aside import Note
from server.store.connection.address import AddressError, StoreAddress
from server.store.connection.unfit import UnfitStore, look, why_never
from server.store.private.embedded import EmbeddedStore, EmbeddedStoreError
from server.store.redis_store import RedisStore

SHOWN_BYTES = 60
"""So much of what cannot be read is shown."""


class NotWell(Exception):
    """What is to be mended was said."""


Work = Callable[[Desk, argparse.Namespace], Awaitable[None]]


def main(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> int:
    """Do one thing and print its outcome; returns 0, or 1 with a sentence when it could not be done."""
    options = parser(environment)
    given = options.parse_args(arguments)
    try:
        given.address = store_address(given)
    except AddressError as error:
        options.error(str(error))
    # Standard output is for what was asked.
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that knows few letters is told the numbers of the others.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        asyncio.run(_run(given))
    except StoreUnavailable as error:
        return _fail(f"the store cannot be reached: {error.reason}")
    except UnreadableMatch as error:
        return _fail(f"{error.text} ({ascii(error.reason)[1:-1]})")
    except ParlourError as error:
        return _fail(str(error.text))
    except NoSuchHub as error:
        return _fail(str(error))
    except NotWell:
        return 1
    except NoSuchNote as error:
        return _fail(f"nothing was set aside as {error}")
    except (BackupError, EmbeddedStoreError, UnfitStore) as error:
        return _fail(str(error))
    except BrokenPipeError:
        # Whoever reads (head, less) has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        # What could not be written must not be tried once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _fail(f"what was asked for cannot be written: {error.strerror or error}")
    return 0


async def _run(given: argparse.Namespace) -> None:
    if given.address is not None:
        await _work(given, given.address)
        return
    if not given.data.is_dir() and given.work is not _import:
        raise EmbeddedStoreError(f"there is no store in {given.data}")
    embedded = EmbeddedStore(given.data)
    if not given.whole:
        await _work(given, embedded.url)
        return
    # What is asked of all that is kept is asked while no hub runs, too.
    await embedded.start()
    try:
        await _work(given, embedded.url)
    finally:
        await embedded.stop()


async def _work(given: argparse.Namespace, address: StoreAddress | str) -> None:
    store = RedisStore(address, "admin", prefix=given.prefix)
    try:
        try:
            if given.work is not _doctor:
                await store.demand_usable()
            await given.work(Desk(store, load_catalogue(given.games)), given)
        except StoreUnavailable as error:
            if why := why_never(error, store.address) or await look(store.address):
                raise UnfitStore(why) from None
            raise
        # What was met just now is listed next time, like what hubs have met.
        await store.write_aside()
        sys.stdout.flush()
    finally:
        await store.close()


async def _matches(desk: Desk, given: argparse.Namespace) -> None:
    say(f"{'match':12} {'game':20} {'status':8} {'moves':>5} {'watch':>5}  {'since (UTC)':16} players")
    for match in await desk.unfinished():
        since = datetime.fromtimestamp(match.created_ms / 1000, UTC)
        names = " - ".join(seat.name if seat else "?" for seat in match.seats)
        say(
            f"{match.id:12} {match.game.name:20} {match.status:8} {match.plies:5} {await desk.spectators(match.id):5}"
            f"  {since:%Y-%m-%d %H:%M} {names}{' (private)' if match.private else ''}"
        )
    _tell_unreadable(desk)


async def _players(desk: Desk, given: argparse.Namespace) -> None:
    names, here = await desk.people()
    for player, name in sorted(names.items(), key=lambda pair: pair[1].casefold()):
        say(f"{player:12} {name}")
    say(f"{here} connected" + (f", {here - len(names)} not listed" if here > len(names) else ""))


async def _log(desk: Desk, given: argparse.Namespace) -> None:
    for version, event in await desk.log(given.match):
        if isinstance(event, bytes):
            say(f"{version:5} not an event: {event[:SHOWN_BYTES]!r}")
            continue
        at = datetime.fromtimestamp(event.at_ms / 1000, UTC).isoformat(timespec="milliseconds")
        say(f"{version:5} {at} {msgspec.json.encode(event).decode()}")


async def _end(desk: Desk, given: argparse.Namespace) -> None:
    say(f"{given.match} ended as version {await desk.end(given.match)}")


async def _announce(desk: Desk, given: argparse.Namespace) -> None:
    hubs = await desk.announce(clean_line(" ".join(given.text)))
    say(f"passed on by {hubs} hub{'' if hubs == 1 else 's'}")


async def _hubs(desk: Desk, given: argparse.Namespace) -> None:
    hubs = await desk.hubs()
    for hub, here in hubs.items():
        say(f"{hub:12} {here:5} connected")
    say(f"{len(hubs)} hub{'' if len(hubs) == 1 else 's'}")


async def _drain(desk: Desk, given: argparse.Namespace) -> None:
    await desk.drain(given.hub)
    say(f"{given.hub} hands its players over, and stops")


async def _export(desk: Desk, given: argparse.Namespace) -> None:
    if given.file is not None:
        _tell_moved(await desk.export(given.file), f"are in {given.file}")
        return
    async for finished in desk.finished():
        say(msgspec.json.encode(finished).decode())
    _tell_unreadable(desk)


async def _import(desk: Desk, given: argparse.Namespace) -> None:
    _tell_moved(await desk.import_(given.file), "are in the store")


def _tell_moved(moved: Moved, where: str) -> None:
    matches, players = moved.matches, moved.players
    say(f"{matches} match{'' if matches == 1 else 'es'} and {players} player{'' if players == 1 else 's'} {where}")
    _tell_unusable(moved.unreadable, "cannot be followed")


async def _doctor(desk: Desk, given: argparse.Namespace) -> None:
    to_mend = 0
    async for finding in desk.examine(None if given.address else given.data, given.url):
        to_mend += not finding.well
        say(f"{'well' if finding.well else 'MEND':5} {finding.what:8} {finding.sentence}")
    say("Nothing is to be mended." if not to_mend else f"{to_mend} to be mended.")
    if to_mend:
        raise NotWell


async def _aside(desk: Desk, given: argparse.Namespace) -> None:
    if given.remove:
        for note_id in given.remove:
            note = await desk.remove(note_id)
            say(f"{note_id} is gone: {note.kind}, {_place(note)}")
        return
    notes = await desk.aside()
    for note in notes:
        since = datetime.fromtimestamp(note.at_ms / 1000, UTC)
        say(f"{note.id} {since:%Y-%m-%d %H:%M} {note.kind}, {_place(note)}: {ascii(note.reason)[1:-1]}")
        if note.value:
            say(f"         {note.size} bytes, which begin {note.value[:SHOWN_BYTES]!r}")
    say(f"{len(notes)} set aside")


def _place(note: Note) -> str:
    return ascii(note.key)[1:-1] + (f", at {note.member!r}" if note.member is not None else "")


def _tell_unreadable(desk: Desk) -> None:
    _tell_unusable(desk.unreadable, "left out")


def _tell_unusable(unreadable: Mapping[str, UnreadableMatch], what: str) -> None:
    for match_id, error in unreadable.items():
        reason = harmless(f"{match_id}: {error.code}, {ascii(error.reason)[1:-1]}")
        print(f"parlour-server admin: {what} {reason}", file=sys.stderr)


def parser(environment: Mapping[str, str]) -> argparse.ArgumentParser:
    """What an operator may ask; with `environment`, what it says holds where options are not given."""
    parser = argparse.ArgumentParser(prog="parlour-server admin", description=__doc__)
    add_store(parser, environment)
    parser.add_argument(
        "--data", type=Path, default=Path(environment.get("PARLOUR_DATA") or data_folder()),
        help="folder of the embedded store (%(default)s)",
    )  # fmt: skip
    parser.add_argument("--games", type=Path, metavar="FOLDER", help="folder with further games, as the hub's")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def add(name: str, work: Work, text: str, *, whole: bool = False) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(work=work, whole=whole)
        return command

    add("matches", _matches, "list the matches that wait or are being played")
    add("players", _players, "list the players who are connected")
    add("log", _log, "print every event of a match").add_argument("match", metavar="MATCH")
    add("end", _end, "end a match; nobody wins").add_argument("match", metavar="MATCH")
    add("announce", _announce, "tell everybody a sentence").add_argument("text", metavar="TEXT", nargs="+")
    add("hubs", _hubs, "list the hubs that live")
    text = "hand a hub's players over to the others, and stop it"
    add("drain", _drain, text).add_argument("hub", metavar="HUB", help="as `hubs` lists it")
    aside = add("aside", _aside, "list what hubs met in the store and could not use")
    aside.add_argument("--remove", metavar="ID", nargs="+", help="take these away for good, wherever it stands")
    text = "look at the store, its disk, the hubs and the way to them; say what is to be mended (status 1) and how"
    add("doctor", _doctor, text, whole=True).add_argument(
        "--url", type=option_values.public, metavar="URL",
        help="the address that people are given: looked at through the proxies before it",
    )  # fmt: skip
    text = "write everything to a file, to be imported elsewhere; without one, print all finished matches as JSON lines"
    add("export", _export, text, whole=True).add_argument("file", metavar="FILE", nargs="?", type=Path)
    text = "put everything that was exported into a store that is empty"
    add("import", _import, text, whole=True).add_argument("file", metavar="FILE", type=Path)
    return parser


def _fail(sentence: str) -> int:
    print(f"parlour-server admin: {harmless(sentence)}", file=sys.stderr)
    return 1
