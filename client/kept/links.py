"""Links to a match: a server's address, and after the # what to do there. Pure.

    http://192.168.0.7:7878/#key=ABCD-EFGH-JKLM     join the private match with this key
    http://192.168.0.7:7878/#join=hYk3Qm5vTzA       join the match that waits
    http://192.168.0.7:7878/#watch=hYk3Qm5vTzA      watch it

What stands after the # stays with whoever opens the link: it is sent to no server, and so in nobody's log (`I2`).
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass

from client.conversation.address import Address, BadAddress, parse_address, shown
from protocol.limits import MAX_ID, MAX_KEY
from protocol.messages import Snapshot

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
"""What programs that write to people make of a hyphen."""
_AROUND = "<>()[]{}\"'.,;:!?\u2018\u2019\u201c\u201d\u00ab\u00bb\u2026"
"""What stands before and behind a link in a sentence."""
_KEY = re.compile(r"(?<![\w-])[A-Z0-9]{4}(?:\s?-\s?[A-Z0-9]{4}){2}(?![\w-])", re.IGNORECASE | re.ASCII)
_WHAT = re.compile(rf"(?P<way>key|join|watch)=(?P<value>[\w-]{{1,{max(MAX_ID, MAX_KEY)}}})", re.ASCII)


@dataclass(frozen=True)
class Link:
    """Where to, and one of: the key of a private match, a match to join, a match to watch."""

    address: Address
    key: str = ""
    join: str = ""
    watch: str = ""


def parse_link(typed: str) -> Link:
    """The link in `typed`, with words around it if it has a scheme. Raises BadAddress where none is."""
    said = typed.translate(_DASHES)
    links = (word.strip(_AROUND) for word in said.split() if "://" in word.partition("#")[0] and "#" in word)
    server, hash_, what = next(links, said.strip()).partition("#")
    found = _WHAT.fullmatch(what)
    if not hash_ or found is None:
        raise BadAddress(f"“{shown(typed)}” is no link to a match, such as http://host:7878/#key=ABCD-EFGH-JKLM.")
    return Link(parse_address(server), **{found["way"]: found["value"]})


def key_in(typed: str) -> str:
    """The key in what was typed where one is asked for: itself or the one of a whole link, with words around it."""
    with suppress(BadAddress):
        if key := parse_link(typed).key:
            return key
    found = _KEY.search(typed.translate(_DASHES))
    return re.sub(r"\s", "", found[0]) if found is not None else typed.strip()


def whole_key(typed: str) -> str:
    """The key in what was typed, once all of it is there; "" before that."""
    key = key_in(typed)
    return key if _KEY.fullmatch(key) else ""


def link_to(address: Address, match: Snapshot) -> str:
    """The link to give to others: to the opponent while one is waited for, later to spectators of a public match.

    "" where a link leads nobody here: to a server that only this machine reaches, or to a match that is not open.
    """
    return "" if address.is_loopback else _link(address, match)


def link_here(address: Address, match: Snapshot) -> str:
    """The same where only this machine reaches the server: it leads there in a browser, or another client."""
    return _link(address, match) if address.is_loopback else ""


def leads_here_only(link: str) -> bool:
    """Whether a link is one for this machine alone."""
    return parse_link(link).address.is_loopback


def _link(address: Address, match: Snapshot) -> str:
    if not match.match:
        return ""
    server = address.page
    if match.key is not None and match.status == "waiting":
        return f"{server}#key={match.key}"
    if match.private:
        return ""
    return f"{server}#{'join' if match.status == 'waiting' else 'watch'}={match.match}"
