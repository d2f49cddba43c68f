"""Guests and secrets: ids, tokens and keys from the system's secure source; tokens are kept as hashes only."""

from __future__ import annotations

import hashlib
import secrets
from typing import NamedTuple

from protocol.errors import Code, Refusal
from protocol.messages import Hello
from server.hub.live_names import LiveNames
from server.match.names import clean_name
from server.store.port import Guest, Store

TOKEN_BYTES = 24
"""192 bits, more than the 128 that are asked for (`I3`)."""
ID_BYTES = 8
"""64 bits: ids are public, they only must not collide."""

KEY_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O or U, so that a key can be read out on the phone."""
KEY_GROUPS, KEY_GROUP = 3, 4
"""Twelve characters of 5 bits: 60 bits."""
_LOOK_ALIKES = str.maketrans({"I": "1", "L": "1", "O": "0"})


class Login(NamedTuple):
    """Who said hello; `token` only for a new guest."""

    player: str
    name: str
    token: str | None


def new_id() -> str:
    """An id for a match, a player or a hub. It never looks like an option on a command line."""
    while (made := secrets.token_urlsafe(ID_BYTES)).startswith("-"):
        pass
    return made


def new_key() -> str:
    """A private key, as it is written and read out: `7KQ2-M0XV-9TRA`."""
    groups = ("".join(secrets.choice(KEY_ALPHABET) for _ in range(KEY_GROUP)) for _ in range(KEY_GROUPS))
    return "-".join(groups)


def clean_key(typed: str) -> str:
    """A key as it was typed, in the form of `new_key`: case, blanks, hyphens and look-alikes do not matter."""
    plain = "".join(char for char in typed.upper() if char.isalnum()).translate(_LOOK_ALIKES)
    return "-".join(plain[start : start + KEY_GROUP] for start in range(0, len(plain), KEY_GROUP))


def token_hash(token: str) -> str:
    """What is stored of a token. It has too many bits to be guessed, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


async def login(store: Store, hello: Hello, names: LiveNames, *, stays: bool) -> Login:
    """The guest who says hello: a new one, or the one that the token belongs to, under the name now given.

    A guest who `stays` (has a connection) holds the name from now on. Raises Refusal `bad_token`, `bad_name` or
    `name_in_use`, or StoreUnavailable.
    """
    if hello.token is None:
        player, token = new_id(), secrets.token_urlsafe(TOKEN_BYTES)
        name = await names.admit(clean_name(hello.name), player, rename=hello.rename, stays=stays)
        await store.new_guest(token_hash(token), Guest(player, name))
        return Login(player, name, token)
    digest = token_hash(hello.token)
    known = await store.guest(digest)
    if known is None:
        raise Refusal(Code.BAD_TOKEN)
    wished = clean_name(hello.name) if hello.name else known.name
    name = await names.admit(wished, known.player, rename=hello.rename, stays=stays)
    if name != known.name:
        await store.new_guest(digest, Guest(known.player, name))
    return Login(known.player, name, None)
