"""The store's part in living with bad values: reading what may be anything, and noting what cannot be used."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Literal

from server.store.aside import MAX_DIGITS, Aside, fitting, text_of
from server.store.connection.guarded import guarded
from server.store.connection.pipe import ScriptPipe
from server.store.keys import Keys

BadKind = Literal["match", "lobby row", "report", "document", "chat line"]
"""What may turn out to be unusable only to the one who reads it. They are named by the match, the match, the hub, the
document, and `match channel number`."""


class BadValueStore(ABC):
    """The port."""

    @abstractmethod
    def note_unusable(self, kind: BadKind, name: str, reason: object, value: bytes = b"") -> None:
        """Note for the operator that something stored cannot be used and is skipped: told once, however often met."""

    @abstractmethod
    async def write_aside(self) -> None:
        """Let the operator find what was noted since the last time."""

    @abstractmethod
    async def lists_are_lost(self) -> bool:
        """Whether a list of matches held something else, and must be built again from the logs."""

    @abstractmethod
    async def lists_are_built(self) -> None:
        """They are."""


class RedisAside(BadValueStore):
    """The part of the Redis adapter."""

    keys: Keys
    aside: Aside
    _reader: Any
    _pipe: ScriptPipe

    def note_unusable(self, kind: BadKind, name: str, reason: object, value: bytes = b"") -> None:
        key, member = self._place(kind, name)
        self.aside.note(kind, key, member, reason, value)

    def _place(self, kind: BadKind, name: str) -> tuple[str, bytes | None]:
        match kind:
            case "match":
                return self.keys.log(name), None
            case "lobby row":
                return self.keys.lobby, name.encode()
            case "report":
                return self.keys.report(name), None
            case "document":
                return self.keys.document(name), None
            case "chat line":
                match, channel, number = name.split()
                return self.keys.chat(match, channel), f"{number}-0".encode()

    async def write_aside(self) -> None:
        await self.aside.write()

    @fitting(lambda keys, *_: keys.rebuild)
    @guarded
    async def lists_are_lost(self) -> bool:
        return await self._pipe.ask("GET", self.keys.rebuild) is not None

    @guarded
    async def lists_are_built(self) -> None:
        await self._reader.delete(self.keys.rebuild)

    def _text(self, kind: str, key: str, member: bytes | None, value: bytes | None) -> str | None:
        """The text of a field (or of a value that has none); None, and noted, when it is none."""
        data = value if member is None else member
        found = None if data is None else text_of(bytes(data))
        if data is not None and found is None:
            self.aside.note(kind, key, member, "not text", bytes(value or b""))
        return found

    def _texts(self, kind: str, key: str, members: Iterable[bytes]) -> list[str]:
        return [found for member in members if (found := self._text(kind, key, bytes(member), bytes(member)))]

    async def _number(self, value: bytes | None, key: str) -> int:
        """A count; one that is no number is put out of the way, and a new one begun."""
        if value is None:
            return 0
        if not (value.isdigit() and len(value) <= MAX_DIGITS):
            await self.aside.fit([key])
            value = await self._reader.get(key) or b"0"
        return int(value)
