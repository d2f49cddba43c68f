"""Saved games: a match in a named file of JSON, in a folder of the user's (`DB 7.3.3.1`, `8.2`, `RU-M8`).

A file holds the moves, not the position: whoever loads it has the server replay them, and `leads_to` then compares the
position that they led to. Nothing else in a file is believed, and nothing in it is ever run (`M3`): it is decoded into
typed fields with bounds, or refused with a sentence (`M2`, `M7`).

The name of a saved game is a name and never a path (`M1`): what is no plain name is refused before any file is touched.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from platformdirs import user_data_path

from client.kept import leftovers as litter
from protocol import limits
from protocol.messages import ClockRule, Create, GameName, Options, OptionValue, Record

FORMAT_VERSION = 1
SUFFIX = ".json"
MAX_FILE_BYTES = 64 * 1024
"""Four times what a command with the moves may have; a larger file is not read at all (`M7`)."""
MAX_SENT_BYTES = limits.MAX_COMMAND_BYTES - 1024
"""Game, options and moves go to the server in one command; the rest of it takes less than this leaves."""
MAX_SAVES = 10_000
"""Files in the folder; beyond that something saves in a loop (`M7`)."""
MAX_LISTED = 500
"""Saved games in a list, the newest; a longer list is of no use on a screen."""
MAX_NAME = 60
"""Characters: with four bytes for each and the ending, the longest file name that all systems take."""
MAX_RESULT = 400

_DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_PUNCTUATION = frozenset(" -_.'()")


class SaveError(Exception):
    """A game could not be saved or loaded; the text says why, for a person."""


SavedMove = Annotated[str, Meta(min_length=1, max_length=limits.MAX_MOVE, pattern=r"^[!-~]+$")]
SavedName = Annotated[str, Meta(max_length=40)]


class SavedGame(Struct, frozen=True, kw_only=True):
    """What a file holds. Fields that are unknown are ignored, so that a newer minor form can be read."""

    format: Literal["parlour-match"] = "parlour-match"
    version: Literal[1] = 1
    game: GameName
    options: Options = {}
    names: tuple[SavedName, SavedName]
    moves: Annotated[tuple[SavedMove, ...], Meta(max_length=limits.MAX_MOVES)]
    hash: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
    created_ms: Annotated[int, Meta(ge=0, le=limits.MAX_VERSION)] = 0
    result: Annotated[str, Meta(max_length=MAX_RESULT)] = ""

    def create(self, ref: str, *, both_seats: bool = False, computer: bool = False) -> Create:
        """The command that starts a match from here (`RU-M8`), without a clock: none was chosen, and none is saved."""
        return Create(
            ref=ref, game=self.game, options=dict(self.options), both_seats=both_seats, computer=computer,
            moves=self.moves, clock=ClockRule(),
        )  # fmt: skip

    def review(self, ref: str) -> Create:
        """The command that opens it to be gone over."""
        first, second = (name[: limits.MAX_NAME_INPUT] for name in self.names)
        return Create(
            ref=ref, game=self.game, options=dict(self.options), moves=self.moves, review=True, names=(first, second)
        )  # fmt: skip

    def leads_to(self, record: Record) -> bool:
        """Whether the moves led to the position that was saved; `record` is that of the match made from them."""
        return record.hash == self.hash


class _Head(Struct):
    """What is read first, to tell a newer file from a foreign one."""

    format: Literal["parlour-match", "parlour-dog-record"]
    version: int = 1


@dataclass(frozen=True)
class Listed:
    """A row in the list of saved games; what is in the file is known only once it is loaded."""

    name: str
    path: Path
    saved_at: float
    """Seconds since 1970."""


def save_folder() -> Path:
    """Where saved games lie; not necessarily there yet."""
    return user_data_path("parlour", appauthor=False) / "saves"


def checked_name(text: str) -> str:
    """The name as it is used for a file. Raises SaveError for what is no plain name (`M1`)."""
    # Composed first, for a wide or small slash is a slash then.
    name = unicodedata.normalize("NFKC", text[: 4 * MAX_NAME]).strip()
    if not name:
        raise SaveError("A saved game needs a name.")
    if len(text) > 4 * MAX_NAME or len(name) > MAX_NAME:
        raise SaveError(f"The name of a saved game has at most {MAX_NAME} characters.")
    if not all(character in _PUNCTUATION or unicodedata.category(character)[0] in "LMN" for character in name):
        raise SaveError("The name of a saved game has letters, digits, spaces and - _ . ' ( ) only.")
    if name[0] == "." or name[-1] == ".":
        raise SaveError("The name of a saved game neither begins nor ends with a dot.")
    if _DEVICES.fullmatch(name):
        raise SaveError(f"“{name}” is the name of a device on some systems: choose another one.")
    return name


def save(record: Record, name: str, *, replace: bool = False, folder: Path | None = None) -> Path:
    """Write the match to the file called `name`. Raises SaveError.

    An older state of the same match is replaced; another game under that name only with `replace`.
    """
    saved = _from_record(record)
    data = msgspec.json.format(msgspec.json.encode(saved), indent=1)
    # What could not be loaded again is not saved: one learns it now and not in a year.
    _decode(data, checked_name(name))
    return keep(name, data, lambda path: replace or _is_older(path, saved), folder)


def keep(name: str, data: bytes, may_replace: Callable[[Path], bool], folder: Path | None = None) -> Path:
    """Put `data` into the file called `name`, over what is there only where it may. Raises SaveError."""
    name = checked_name(name)
    folder = folder if folder is not None else save_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = _called(name, folder)
        if os.path.lexists(path):
            if not may_replace(path):
                raise SaveError(f"There is another game saved as “{path.stem}”: choose another name.")
        elif _count(folder) >= MAX_SAVES:
            raise SaveError(f"There are {MAX_SAVES:,} saved games already. Remove some from {folder}.")
        _write(path, data)
    except OSError as error:
        raise SaveError(f"The game cannot be saved in {folder}: {error.strerror or error}.") from None
    return path


def load(name_or_path: str | Path, *, folder: Path | None = None) -> SavedGame:
    """The saved game of this name, or in this file (a Path, or text with a slash or the ending .json).

    Raises SaveError.
    """
    path = _path_of(name_or_path, folder if folder is not None else save_folder())
    try:
        data = _read(path)
    except (OSError, ValueError) as error:
        because = getattr(error, "strerror", None) or "that is no name of a file"
        raise SaveError(f"“{_label(path)}” cannot be read: {because}.") from None
    return _decode(data, _label(path))


def choose(name_or_path: str | Path, game: str, options: Mapping[str, OptionValue]) -> SavedGame:
    """A saved game, for going back to it in a match of `game` with `options` (`DB 7.3.3.2`).

    Raises SaveError when it cannot be read, or is one of another game or board.
    """
    saved = load(name_or_path)
    if saved.game != game:
        raise SaveError(f"That is a saved game of {saved.game}, and this is {game}.")
    if dict(saved.options) != dict(options):
        raise SaveError("That game was saved with other options: start a match from it instead.")
    return saved


def saved(*, folder: Path | None = None) -> list[Listed]:
    """The newest saved games, newest first; broken ones among them, for no file is opened."""
    folder = folder if folder is not None else save_folder()
    found: list[tuple[float, str]] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(SUFFIX):
                with suppress(OSError):
                    found.append((entry.stat(follow_symlinks=False).st_mtime, entry.name))
    found.sort(reverse=True)
    # Whoever put a file there by hand may have called it what no name of ours can be.
    named = ((at, name) for at, name in found if _is_name(name.removesuffix(SUFFIX)))
    return [Listed(name.removesuffix(SUFFIX), folder / name, at) for at, name in islice(named, MAX_LISTED)]


# Pieces ---------------------------------------------------------------------------------------------------------------


def _from_record(record: Record) -> SavedGame:
    return SavedGame(
        game=record.game,
        options=record.options,
        names=record.names,
        moves=record.moves,
        hash=record.hash,
        created_ms=record.created_ms,
        result=record.result.text[:MAX_RESULT] if record.result is not None else "",
    )


def _is_older(path: Path, newer: SavedGame) -> bool:
    """Whether the file holds an earlier state of what is to be saved."""
    try:
        older = _decode(_read(path), _label(path))
    except (OSError, SaveError):
        return False
    same = (older.game, older.options) == (newer.game, newer.options)
    return same and (older.created_ms == newer.created_ms or older.moves == newer.moves[: len(older.moves)])


def _is_name(stem: str) -> bool:
    try:
        return checked_name(stem) == stem
    except SaveError:
        return False


def _path_of(name_or_path: str | Path, folder: Path) -> Path:
    if isinstance(name_or_path, Path):
        return name_or_path
    separators = [separator for separator in (os.sep, os.altsep) if separator]
    if name_or_path.endswith(SUFFIX) or any(separator in name_or_path for separator in separators):
        with suppress(RuntimeError):  # no home folder is known
            return Path(name_or_path).expanduser()
        return Path(name_or_path)
    name = checked_name(name_or_path)
    path = _called(name, folder)
    if not os.path.lexists(path):
        raise SaveError(f"There is no saved game called “{name}”.")
    return path


def _called(name: str, folder: Path) -> Path:
    """The file of this name; one that differs in small and capital letters alone is the same, as on other systems."""
    path = folder / (name + SUFFIX)
    if not os.path.lexists(path):
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in islice(entries, 2 * MAX_SAVES):
                if entry.name.casefold() == path.name.casefold():
                    return Path(entry.path)
    return path


def _label(path: Path) -> str:
    """How a sentence names the file."""
    return "".join(character if character.isprintable() else "?" for character in path.name[: MAX_NAME + len(SUFFIX)])


def _read(path: Path) -> bytes:
    """The file's bytes. What is no regular file of a sensible size is not read."""
    # A pipe or a device in the place of a file must not keep the client waiting.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise SaveError(f"“{_label(path)}” is no file.")
        if found.st_size > MAX_FILE_BYTES:
            raise SaveError(f"“{_label(path)}” is too large for a saved game.")
        # It may have grown since.
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise SaveError(f"“{_label(path)}” is too large for a saved game.")
    return data


def _decode(data: bytes, name: str) -> SavedGame:
    try:
        head = msgspec.json.decode(data, type=_Head)
        if head.format == "parlour-dog-record":
            raise SaveError(f"“{name}” is the record of a student's game: parlour dog-replay plays it.")
        if head.version > FORMAT_VERSION:
            raise SaveError(f"“{name}” was saved by a newer Parlour.")
        saved = msgspec.json.decode(data, type=SavedGame)
        sent_bytes = len(msgspec.msgpack.encode([saved.options, saved.moves]))
    except (msgspec.DecodeError, UnicodeError, RecursionError, OverflowError):
        raise SaveError(f"“{name}” is no saved game, or a damaged one.") from None
    if sent_bytes > MAX_SENT_BYTES:
        raise SaveError(f"The game in “{name}” is too long.")
    return saved


def _count(folder: Path) -> int:
    with os.scandir(folder) as entries:
        return sum(entry.name.endswith(SUFFIX) for entry in entries)


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all: an earlier file stays as it was until the new one is on the disk."""
    descriptor, fresh = litter.begin_file(path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data + b"\n")
            file.flush()
            os.fsync(file.fileno())
        Path(fresh).replace(path)
    except BaseException:
        with suppress(OSError):
            os.unlink(fresh)
        raise
