"""WebSocket frames made once and written to many: a server's frames have no mask, so a form's viewers share bytes."""

from __future__ import annotations

from websockets.frames import Frame, Opcode

from protocol.codec import Codec
from protocol.messages import Message


def make_frame(codec: Codec, message: Message) -> bytes:
    """The one frame that carries `message` in `codec`."""
    opcode = Opcode.TEXT if codec.text else Opcode.BINARY
    return Frame(opcode, codec.encode(message)).serialize(mask=False)
