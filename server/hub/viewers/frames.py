"""WebSocket frames made once and written to many: a server's frames have no mask, so a form's viewers share bytes."""

from __future__ import annotations

from struct import Struct

from protocol.codec import Codec
from protocol.messages import Message

_TEXT, _BINARY = 0x81, 0x82
"""A whole frame's first byte: the last fragment, and the kind."""
PING = b"\x89\x00"
"""A whole frame: a ping that says nothing."""
_SHORT, _LONG, _LONGEST = Struct("!BB"), Struct("!BBH"), Struct("!BBQ")


def make_frame(codec: Codec, message: Message) -> bytes:
    """The one frame that carries `message` in `codec` (RFC 6455, 5.2)."""
    first, data = _TEXT if codec.text else _BINARY, codec.encode(message)
    length = len(data)
    if length < 126:
        return _SHORT.pack(first, length) + data
    if length < 65_536:
        return _LONG.pack(first, 126, length) + data
    return _LONGEST.pack(first, 127, length) + data
