"""Guests and secrets: ids, tokens and keys from the system's secure source; tokens are kept as hashes only."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import NamedTuple

from protocol.errors import Code, ParlourError, Refusal
from protocol.messages import Hello
from server.hub.presence.live_names import Coming, LiveNames
from server.match.names import clean_name
from server.store.people import Guest
from server.store.port import Store

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


async def known_guest(store: Store, hello: Hello) -> Guest | None:
    """The guest whom the token belongs to; None without one. Raises Refusal `bad_token`, or StoreUnavailable."""
    if hello.token is None:
        return None
    known = await store.guest(token_hash(hello.token))
    if known is None:
        raise Refusal(Code.BAD_TOKEN)
    return known


async def login(hello: Hello, known: Guest, names: LiveNames, *, stays: bool) -> Login:
    """The guest who is `known` by the token comes, under the name now given.

    A guest who `stays` (has a connection) holds the name from now on. Raises Refusal `bad_name` or `name_in_use`,
    StoreUnavailable, or OutcomeUnknown.
    """
    assert hello.token is not None
    wished = clean_name(hello.name) if hello.name else known.name
    coming = Coming(known.player, token_hash(hello.token), stays, known.name)
    return Login(known.player, (await names.admit(wished, coming, rename=hello.rename)).name, None)


async def welcome_new(
    store: Store, hello: Hello, player: str, names: LiveNames, *, stays: bool, secret: str = ""
) -> Login:
    """A new guest comes, as `player`. Raises as `login` does.

    Who sends the same greeting under the same `secret` again, within the lifetime of a ref, is the same guest and gets
    the same token (`Q3`). It cannot be read from the store: half of what it is made of is the secret.
    """
    wished = clean_name(hello.name)
    if not secret:
        token = secrets.token_urlsafe(TOKEN_BYTES)
        name = (await names.admit(wished, Coming(player, token_hash(token), stays), rename=hello.rename)).name
        return Login(player, name, token)
    once = token_hash(f"{secret} {hello.rename} {hello.name}")
    word = await store.once(once)
    for _ in range(2):
        if word:
            token = _token(word, secret)
            first = await store.guest(token_hash(token))
            if first is not None:
                return Login(first.player, first.name, token)
        word = secrets.token_urlsafe(TOKEN_BYTES)
        token = _token(word, secret)
        let = await names.admit(wished, Coming(player, token_hash(token), stays, "", once, word), rename=hello.rename)
        if not let.word:
            return Login(player, let.name, token)
        word = let.word  # The same greeting was quicker, at another hub or here.
    raise ParlourError(Code.BUSY)


def _token(word: str, secret: str) -> str:
    made = hmac.digest(word.encode(), secret.encode(), "sha256")[:TOKEN_BYTES]
    return base64.urlsafe_b64encode(made).decode().rstrip("=")
