"""Asks a server for pictures of its games: examples, and boards before their first move. They are an ornament: without
them there is just no picture."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterable
from http.client import HTTPException
from urllib.parse import quote, urlencode

from client.conversation.address import Address
from protocol.messages import OptionValue

NAME = "boards.json"
ASK_S = 5.0
MAX_BYTES = 2_000_000
"""More than any five games take: those of a hub are some 60 kB."""


def fetch_examples(address: Address) -> bytes:
    """What the server answers; b"" where it has none, or is not to be had. It takes ASK_S and more of a slow one."""
    return _fetch(address, NAME)


def fetch_opening(address: Address, game: str, options: Iterable[tuple[str, OptionValue]]) -> bytes:
    """The same for the board that a game with these options begins with."""
    written = [(name, str(value).lower() if isinstance(value, bool) else str(value)) for name, value in options]
    return _fetch(address, f"boards/{quote(game, safe='')}.json?{urlencode(written)}")


def _fetch(address: Address, name: str) -> bytes:
    proxies = urllib.request.ProxyHandler({} if address.is_loopback else None)
    try:
        with urllib.request.build_opener(proxies).open(f"{address.page}{name}", timeout=ASK_S) as answer:
            text = answer.read(MAX_BYTES + 1)
    except (OSError, HTTPException, ValueError):
        return b""
    return text if isinstance(text, bytes) and len(text) <= MAX_BYTES else b""
