"""Asks a server for its examples of the games. They are an ornament: without them there is just no picture."""

from __future__ import annotations

import urllib.request
from http.client import HTTPException

from client.conversation.address import Address

NAME = "boards.json"
ASK_S = 5.0
MAX_BYTES = 2_000_000
"""More than any five games take: those of a hub are some 60 kB."""


def fetch_examples(address: Address) -> bytes:
    """What the server answers; b"" where it has none, or is not to be had. It takes ASK_S and more of a slow one."""
    proxies = urllib.request.ProxyHandler({} if address.is_loopback else None)
    try:
        with urllib.request.build_opener(proxies).open(f"{address.page}{NAME}", timeout=ASK_S) as answer:
            text = answer.read(MAX_BYTES + 1)
    except (OSError, HTTPException, ValueError):
        return b""
    return text if isinstance(text, bytes) and len(text) <= MAX_BYTES else b""
