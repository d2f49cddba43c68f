"""Lines that people say during a match: who hears them, and what of them can be shown anywhere."""

from __future__ import annotations

import unicodedata

from protocol.errors import Code, Refusal
from protocol.limits import MAX_CHAT
from protocol.messages import Channel
from server.match.state import Match

MAX_COMBINING = 4
"""Combining marks on one letter; more of them climb over the lines around."""
_JOINERS = "\u200c\u200d"
"""Format characters without which some scripts and pictures fall apart."""


def channel_of(match: Match, player: str) -> Channel:
    """Whom `player` talks to and hears."""
    return "players" if match.seats_of(player) else "spectators"


def hears(match: Match, player: str, channel: Channel, version: int) -> bool:
    """Whether a line said in `channel` at that version of the match is for `player`.

    What the players said before a guest's seat was free again is not for the next guest (`Q7`).
    """
    if channel_of(match, player) != channel:
        return False
    return channel == "spectators" or player == match.host or version >= match.freed


def clean_line(raw: str) -> str:
    """What is stored and shown of a line: no control, format or direction characters (`H13`, `H16`), blanks made one.

    Raises Refusal `nothing_said` when nothing is left.
    """
    kept: list[str] = []
    room = 0
    for char in unicodedata.normalize("NFC", raw):
        category = unicodedata.category(char)
        if category[0] == "M":
            room -= 1
            if room < 0:
                continue
        elif category[0] == "Z" or char in "\t\n\r\v\f":
            char = " "
        elif category[0] == "C" and char not in _JOINERS:
            continue
        if category[0] != "M":
            room = MAX_COMBINING
        kept.append(char)
    line = " ".join("".join(kept).split())[:MAX_CHAT]
    if not any(unicodedata.category(char)[0] not in "CMZ" for char in line):
        raise Refusal(Code.NOTHING_SAID)
    return line
