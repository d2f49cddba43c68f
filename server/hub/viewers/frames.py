"""WebSocket frames by hand: made once and written to many (a server's have no mask), and read where one comes whole."""

from __future__ import annotations

from struct import Struct

import msgspec
from websockets import frames as library

from protocol.codec import Codec
from protocol.messages import Message

_TEXT, _BINARY = 0x81, 0x82
"""A whole frame's first byte: the last fragment, and the kind."""
_WHOLE = (_TEXT, _BINARY)
PING = b"\x89\x00"
"""A whole frame: a ping that says nothing."""
_PONG, _PONG_BYTES = b"\x8a\x80", 6
"""How the answer to it begins, which a client masks all the same."""
_MASKED, _HEAD, _MOST_OF_CONTROL = 0x80, 6, 125
"""What a client's frames add to the length, how long the head of a short one is, and what a ping may say at most."""
_SHORT, _LONG, _LONGEST = Struct("!BB"), Struct("!BBH"), Struct("!BBQ")


class Whole(msgspec.Struct, frozen=True, gc=False):
    """A message that came in one frame."""

    data: bytes
    text: bool


def make_frame(codec: Codec, message: Message) -> bytes:
    """The one frame that carries `message` in `codec` (RFC 6455, 5.2)."""
    first, data = _TEXT if codec.text else _BINARY, codec.encode(message)
    length = len(data)
    if length < 126:
        return _SHORT.pack(first, length) + data
    if length < 65_536:
        return _LONG.pack(first, 126, length) + data
    return _LONGEST.pack(first, 127, length) + data


def is_pong(data: bytes) -> bool:
    """Whether it is the answer to `PING`, and nothing else."""
    return len(data) == _PONG_BYTES and data.startswith(_PONG)


def pong_for(data: bytes) -> bytes | None:
    """The frame that answers a client's ping, where `data` is one and nothing else; None if not (RFC 6455, 5.5.2)."""
    if len(data) < _HEAD or data[0] != PING[0]:
        return None
    length = data[1] - _MASKED
    if not 0 <= length <= _MOST_OF_CONTROL or len(data) != _HEAD + length:
        return None
    said = library.apply_mask(data[_HEAD:], data[2:_HEAD])  # type: ignore[attr-defined]
    return _SHORT.pack(_PONG[0], length) + said


def unmasked(data: bytes) -> Whole | None:
    """What a client says, where `data` is one whole frame of a message of its own; None if not.

    A lone frame of up to 65,535 bytes, in the shortest form (RFC 6455, 5.2).
    """
    if len(data) < 6 or data[0] not in _WHOLE:
        return None
    length, at = data[1] - 0x80, 2
    if length == 126:
        length, at = int.from_bytes(data[2:4], "big"), 4
    if len(data) != at + 4 + length or data[1] == 0xFF:
        return None
    return Whole(library.apply_mask(data[at + 4 :], data[at : at + 4]), data[0] == _TEXT)  # type: ignore[attr-defined]
