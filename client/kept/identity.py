"""Who one is to each server: the name used last and the secret tokens, in a file that only its owner can read.

Each running client holds a lock on its identity, so that two terminals on one machine are two different people: the
first uses `identity.json`, one started meanwhile `identity-2.json`, and so on. `--profile` chooses one by name.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from platformdirs import user_config_path

from client.kept.locking import lock
from client.kept.made_up import made_up_name

MAX_IDENTITIES = 64
"""Clients that may run at once for one user; more are a runaway script."""

_PROFILE = re.compile(r"[A-Za-z0-9_-]{1,32}")


class IdentityUnavailable(Exception):
    """No identity could be had; the text says why, for a person."""


class Identity:
    """An identity in use; close it to let another client have it.

    Without a lock it is in memory alone, and `warning` says why.
    """

    def __init__(self, path: Path, lock: int | None, warning: str = "") -> None:
        self._path = path
        self._lock = lock
        self.warning = warning
        self._data = _read(path) if lock is not None else {}

    @property
    def label(self) -> str:
        """What tells it from the others: the name of its file."""
        return self._path.stem

    @property
    def is_kept(self) -> bool:
        """Whether it is there the next time, too."""
        return self._lock is not None

    @property
    def name(self) -> str:
        """The name used last, or ""."""
        name = self._data.get("name")
        return name if isinstance(name, str) else ""

    @property
    def is_made_up(self) -> bool:
        """Whether nobody has chosen the name: a number may be added to it where somebody else has it."""
        return self._data.get("made_up") is True

    def named(self) -> str:
        """The name used last; the first time one that is made up, and kept from then on where that is possible."""
        if not self.name:
            self._data = {**self._data, "name": made_up_name(), "made_up": True}
            with contextlib.suppress(OSError):
                self._write()
        return self.name

    def token(self, server: str) -> str | None:
        """The token that `server` gave to this identity."""
        tokens = self._data.get("tokens")
        token = tokens.get(server) if isinstance(tokens, dict) else None
        return token if isinstance(token, str) else None

    def remember(self, server: str, name: str, token: str | None) -> None:
        """Keep what `server` knows this identity by. Raises IdentityUnavailable when the file cannot be written."""
        tokens = self._data.get("tokens")
        tokens = dict(tokens) if isinstance(tokens, dict) else {}
        tokens[server] = token
        data: dict[str, Any] = {"name": name, "tokens": {key: value for key, value in tokens.items() if value}}
        if self.is_made_up and name == self.name:
            data["made_up"] = True
        if data == self._data:
            return
        self._data = data
        try:
            self._write()
        except OSError as error:
            raise IdentityUnavailable(f"Your identity cannot be kept in {self._path}: {error.strerror}.") from None

    def _write(self) -> None:
        """Put what is known into the file, where there is one. Raises OSError."""
        if not self.is_kept:
            return
        fresh = self._path.with_suffix(".new")
        # Never readable by others, not even for the moment between creating and writing.
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            if hasattr(os, "fchmod"):  # on Windows a folder of the user's own is nobody else's
                os.fchmod(descriptor, 0o600)
            json.dump(self._data, file, indent=2)
        fresh.replace(self._path)

    def close(self) -> None:
        """Let another client have this identity."""
        if self._lock is not None:
            with contextlib.suppress(OSError):
                os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def settings_folder() -> Path:
    """Where identities and settings lie; not necessarily there yet."""
    return user_config_path("parlour", appauthor=False)


def take_identity(profile: str | None = None, folder: Path | None = None, *, kind: str = "identity") -> Identity:
    """The identity called `profile`, or the first of its `kind` that no other client uses.

    Where nothing can be written it is one for this run alone, with a `warning`. Raises IdentityUnavailable.
    """
    folder = folder if folder is not None else settings_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return _take(profile, folder, kind)
    except OSError as error:
        why = f"Your identity cannot be kept in {folder}: {error.strerror}."
        if profile is not None:
            raise IdentityUnavailable(why) from None
        return Identity(folder / f"{kind}.json", None, why)


def _take(profile: str | None, folder: Path, kind: str) -> Identity:
    if profile is not None:
        if not _PROFILE.fullmatch(profile):
            raise IdentityUnavailable("A profile's name has 1 to 32 letters, digits, - or _.")
        identity = _try(folder / f"identity-{profile}.json")
        if identity is None:
            raise IdentityUnavailable(f"The profile “{profile}” is in use in another terminal.")
        return identity
    for number in range(1, MAX_IDENTITIES + 1):
        identity = _try(folder / (f"{kind}.json" if number == 1 else f"{kind}-{number}.json"))
        if identity is not None:
            return identity
    raise IdentityUnavailable(f"{MAX_IDENTITIES} clients are running already.")


def _try(path: Path) -> Identity | None:
    """The identity in `path`, unless another client has it. Raises OSError."""
    # A file beside it is locked, because the identity itself is replaced when it changes.
    held = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    if not lock(held):
        os.close(held)
        return None
    return Identity(path, held)


def _read(path: Path) -> dict[str, Any]:
    """What the file holds; nothing when it is missing or damaged, for then one simply comes as a new guest."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}
