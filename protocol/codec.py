"""Messages to bytes and back, as MessagePack (through the `msgpack` package) or JSON; one strict way in.

Decoding takes three steps, each with its own refusal: bytes to plain data under tight limits, the class looked up by
the tag, the data converted to that class (which names the field that is wrong). A command that is well written and has
nothing in it that is not ours, as nearly all are, is read in one step; whatever is not is left to the three, and what
they say holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

import msgpack
import msgspec

from protocol import limits
from protocol.errors import BadMessage, Code
from protocol.messages import COMMANDS, NOTIFICATIONS, ClockRule, Command, Message, Move


@dataclass(frozen=True)
class Codec:
    """One wire format. `text` says whether its WebSocket frames are text frames."""

    subprotocol: str
    text: bool

    def encode(self, message: Message) -> bytes:
        """The bytes of one message."""
        if self.text:
            return _JSON.encode(message)
        return _MSGPACK.encode(message)

    def part(self, value: Any) -> Any:
        """`value` written once, to be put in its place into many messages: it is copied there as it is."""
        return msgspec.Raw(_JSON.encode(value) if self.text else _MSGPACK.encode(value))

    def decode_command(self, data: bytes | str) -> Message:
        """The command in `data`. Raises BadMessage with the code of what is wrong."""
        command = self.command_in(data) if isinstance(data, str) is self.text else None
        return self._decode(data, COMMANDS, limits.MAX_COMMAND_BYTES) if command is None else command

    def command_in(self, data: bytes | str) -> Command | None:
        """The command in `data` (also JSON as bytes); None for all that is not one and nothing else, well written."""
        if len(data) > limits.MAX_COMMAND_BYTES:
            return None
        try:
            read = _READ_ALONE_JSON.decode(data) if self.text else _READ_ALONE.decode(data)  # type: ignore[arg-type]
        except (msgspec.DecodeError, UnicodeDecodeError, OverflowError, RecursionError):
            return None
        if type(read) is _MOVE_ALONE:
            return Move(ref=read.ref, match=read.match, version=read.version, move=read.move)
        return _ALONE[type(read)](**msgspec.structs.asdict(read))

    def decode_notification(self, data: bytes | str) -> Message:
        """The notification in `data`. Raises BadMessage; a client drops what it cannot read, and asks again."""
        return self._decode(data, NOTIFICATIONS, limits.MAX_NOTIFICATION_BYTES)

    def _decode(self, data: bytes | str, classes: Mapping[str, type[Message]], limit: int) -> Message:
        if isinstance(data, str) != self.text:
            raise BadMessage(Code.MALFORMED)
        if len(data) > limit:
            raise BadMessage(Code.TOO_LARGE, limit=limit)
        plain = _from_json(data) if isinstance(data, str) else _unpack(data, limit)
        if not isinstance(plain, dict) or not isinstance(plain.get("type"), str):
            raise BadMessage(Code.NOT_A_MAP)
        _check_shape(plain)
        tag = plain["type"]
        cls = classes.get(tag)
        if cls is None:
            raise BadMessage(Code.UNKNOWN_MESSAGE, type=tag[: limits.MAX_ID], ref=_ref(plain))
        try:
            return msgspec.convert(plain, cls)
        except (msgspec.ValidationError, OverflowError) as error:
            raise BadMessage(Code.BAD_FIELD, problem=str(error)[:200], ref=_ref(plain)) from None


MSGPACK = Codec(limits.SUBPROTOCOL_MSGPACK, text=False)
JSON = Codec(limits.SUBPROTOCOL_JSON, text=True)
CODECS = {codec.subprotocol: codec for codec in (MSGPACK, JSON)}

_JSON = msgspec.json.Encoder()
_MSGPACK = msgspec.msgpack.Encoder()
_READ_JSON = msgspec.json.Decoder()


def _alone(tag: str, cls: type[Command]) -> Any:
    """The class of those commands of `cls` that have nothing in them but its fields, and no map that may have more."""
    fields: list[Any] = []
    for field in msgspec.structs.fields(cls):
        kind = None if field.type == ClockRule | None else field.type
        given = {"default": field.default, "default_factory": field.default_factory}
        fields.append((field.name, kind) if field.required else (field.name, kind, msgspec.field(**given)))
    return msgspec.defstruct(
        f"{cls.__name__}Alone", fields, tag_field="type", tag=tag, kw_only=True, forbid_unknown_fields=True
    )


_ALONE: dict[Any, type[Command]] = {_alone(tag, cls): cls for tag, cls in COMMANDS.items() if issubclass(cls, Command)}
_MOVE_ALONE = next(alone for alone, cls in _ALONE.items() if cls is Move)
_READ_ALONE: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(reduce(or_, _ALONE))
_READ_ALONE_JSON: msgspec.json.Decoder[Any] = msgspec.json.Decoder(reduce(or_, _ALONE))

_LARGE = re.compile(rb"[\xdc-\xdf][\x00-\x08]")
"""The head of an array or map of 16 entries or more, as far as it promises no more than MAX_ITEMS. Never part of text:
in UTF-8 another byte follows these."""
_MAX_LARGE = 32
"""So many of them in a command. The unpacker makes room for what a head promises, and a thousand heads within each
other would have it make 16 MiB of room for 3 KiB; our largest command has one."""


def _unpack(data: bytes, limit: int) -> Any:
    items = limit
    if limit == limits.MAX_COMMAND_BYTES:
        items = limits.MAX_ITEMS
        if len(data) > 2 * _MAX_LARGE and len(_LARGE.findall(data)) > _MAX_LARGE:
            raise BadMessage(Code.MALFORMED)
    try:
        return msgpack.unpackb(
            data,
            raw=False,
            strict_map_key=True,
            max_str_len=limit,
            max_array_len=items,
            max_map_len=items,
            max_bin_len=0,
            max_ext_len=0,
            ext_hook=_no_ext,
        )
    except msgpack.StackError:
        raise BadMessage(Code.TOO_DEEP, limit=limits.MAX_DEPTH) from None
    except (ValueError, TypeError, msgpack.UnpackException):
        raise BadMessage(Code.MALFORMED) from None


def _no_ext(code: int, data: bytes) -> Any:
    raise ValueError("extension types are not used")


def _from_json(data: str) -> Any:
    try:
        return _READ_JSON.decode(data)
    except RecursionError:
        raise BadMessage(Code.TOO_DEEP, limit=limits.MAX_DEPTH) from None
    except (ValueError, msgspec.DecodeError):
        raise BadMessage(Code.MALFORMED) from None


def _check_shape(plain: dict[str, Any]) -> None:
    """Raise BadMessage for what is nested more than MAX_DEPTH levels deep, or has bytes in it.

    (Of bytes only empty ones come so far: the unpacker's own bound on them is a length.) Scalars cost one look each.
    """
    level: list[Any] = [plain]
    for _ in range(limits.MAX_DEPTH):
        below: list[Any] = []
        for parent in level:
            children = parent
            if parent.__class__ is dict:
                if b"" in parent:
                    raise BadMessage(Code.MALFORMED)
                children = parent.values()
            for child in children:
                kind = child.__class__
                if kind is dict or kind is list:
                    below.append(child)
                elif kind is bytes:
                    raise BadMessage(Code.MALFORMED)
        if not below:
            return
        level = below
    raise BadMessage(Code.TOO_DEEP, limit=limits.MAX_DEPTH)


def _ref(plain: dict[str, Any]) -> str:
    """The ref of a command that cannot be read otherwise, so that its sender knows which one was refused."""
    ref = plain.get("ref")
    return ref[: limits.MAX_REF] if isinstance(ref, str) else ""
