"""Who a program was, so that it can come back into its match after a crash: a file of its own on this machine.

One program at a time has it. A second one with the same name and game is a new player, as without it.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from platformdirs import user_state_path

from client.kept.locking import lock


class Remembered:
    """What the server knows this program by: an id, or a secret token. `close` lets another program have it."""

    def __init__(self, game_id: str, name: str, server: str, folder: Path | None = None) -> None:
        known = hashlib.sha256("\0".join((game_id, name, server)).encode("utf-8", "replace")).hexdigest()[:24]
        self._file: int | None = None
        with suppress(OSError):  # where nothing can be written nothing is remembered
            folder = folder if folder is not None else user_state_path("parlour", appauthor=False) / "dog"
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = os.open(folder / f"{known}.json", os.O_RDWR | os.O_CREAT, 0o600)
        if self._file is not None and not lock(self._file):
            self.close()

    def __getitem__(self, kind: str) -> str | None:
        """What was kept as `kind`, if anything was."""
        found = self._read().get(kind)
        return found if isinstance(found, str) else None

    def __setitem__(self, kind: str, value: str) -> None:
        if self._file is None:
            return
        data = json.dumps({**self._read(), kind: value}).encode()
        with suppress(OSError):
            os.ftruncate(self._file, 0)
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, data)

    def close(self) -> None:
        """Let another program have it; what was kept stays."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _read(self) -> dict[str, object]:
        if self._file is None:
            return {}
        try:
            os.lseek(self._file, 0, os.SEEK_SET)
            found = json.loads(os.read(self._file, 4096) or b"{}")
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}
