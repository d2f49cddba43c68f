"""One call of a student's program as bytes: what is handed on of it, and what it is answered when nobody else does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qs

MAX_HEAD = 16 * 1024
MAX_BODY = 128 * 1024
"""As the gateway has it (`server.http.dog.wire`); a larger one is handed on to be refused there."""
MOUNT = b"/dog"
OWN = "/.front"
"""Below this path, and from this machine alone, the front itself is spoken to."""

POLL_S = 20.0
"""A poll finds nothing after this time, as at the hub."""
ASKED_S = 30.0
"""So long a person waits for a match or for being registered, whose window stands still meanwhile."""
MOVE_S = 600.0
"""So long a move waits: a window that stands still for ten minutes is better than a move that is lost."""
NOTHING_YET: Mapping[str, Mapping[str, object]] = {
    "match": {},
    "started": {"message": "Jogadores insuficientes", "code": "1", "players": []},
}
PATIENCE_S = {"match": POLL_S, "started": POLL_S, "player": ASKED_S, "start": ASKED_S, "move": MOVE_S}


class BadCall(Exception):
    """This is no HTTP that is understood here; the text says why."""


class Call(NamedTuple):
    """A request. `name` is the last part of its path, `headers` are all lines but those that are made anew."""

    method: str
    path: str
    name: str
    headers: tuple[bytes, ...]
    length: int

    @property
    def patience_s(self) -> float:
        """How long the hub is waited for; 0 for what is no call of the library."""
        return PATIENCE_S.get(self.name, 0.0) if self.method == "POST" else 0.0


def read_head(head: bytes) -> Call:
    """The request that begins with this head. Raises BadCall."""
    first, *lines = head.rstrip(b"\r\n").split(b"\r\n")
    parts = first.split(b" ")
    if len(parts) != 3 or not parts[1].startswith(b"/") or not parts[2].startswith(b"HTTP/1."):
        raise BadCall("this is no HTTP request")
    length, kept = 0, []
    for line in lines:
        header = line.partition(b":")[0].strip().lower()
        if header == b"content-length":
            value = line.partition(b":")[2].strip()
            if not value.isdigit():
                raise BadCall("this is no length")
            length = int(value)
        elif header == b"transfer-encoding":
            raise BadCall("a request says how long it is")
        elif header not in (b"connection", b"keep-alive", b"expect"):
            kept.append(line)
    path = parts[1].decode("ascii", "replace")
    name = path.partition("?")[0].rstrip("/").rpartition("/")[2]
    return Call(parts[0].decode("ascii", "replace"), path, name, tuple(kept), length)


def with_ref(call: Call, body: bytes, ref: str) -> bytes:
    """The body, with a name for what it asks, so that it can be asked again and counts once."""
    if call.name not in ("move", "player") or call.method != "POST" or b"ref=" in body:
        return body
    return body + b"&ref=" + ref.encode()


def handed_on(call: Call, body: bytes) -> bytes:
    """The request as it goes to the hub: below the gateway's path, whatever the program's own constant says."""
    path = call.path.encode("ascii", "replace")
    if not path.startswith(MOUNT + b"/"):
        path = MOUNT + path
    head = [
        call.method.encode() + b" " + path + b" HTTP/1.1",
        *call.headers,
        b"Content-Length: %d" % len(body),
        b"Connection: close",
    ]
    return b"\r\n".join(head) + b"\r\n\r\n" + body


def is_away(answer: bytes) -> bool:
    """Whether the hub says that it, or its store, cannot do it now; what has a ref can be asked again."""
    return answer.split(b" ", 2)[1:2] in ([b"503"], [b"504"])


def is_whole(answer: bytes) -> bool:
    """Whether an answer came to its end; one that says no length ends with its connection, and is never whole here."""
    head, end, body = answer.partition(b"\r\n\r\n")
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return bool(end) and len(body) >= int(value)
    return False


def nothing_yet(call: Call) -> bytes:
    """What a call is answered when the hub did not come back in time."""
    if call.name in NOTHING_YET and call.method == "POST":
        return answer(200, NOTHING_YET[call.name])
    return answer(503, {"message": "the hub is away", "code": "0", "players": []})


def answer(status: int, body: Mapping[str, object]) -> bytes:
    """An HTTP answer of our own."""
    data = json.dumps(dict(body)).encode()
    return (
        b"HTTP/1.1 %d Parlour\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
        % (status, len(data))
    ) + data


def field(body: bytes, name: str) -> str:
    """A form's field, or ""."""
    return parse_qs(body.decode("utf-8", "replace")).get(name, [""])[-1]
