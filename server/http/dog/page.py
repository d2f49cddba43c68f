"""The page at `/dog/`: how a program reaches this hub, who waits, and who plays whom; in English and Portuguese.

It is for the browser of a student who wants to know whether the address is right, and for a teacher's projector. It
comes whole with each request, needs no script, and asks for itself again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from html import escape
from urllib.parse import quote

from server.http.dog.halls import Guest, Hall, Stage
from server.http.dog.presence import Presence
from server.http.dog.record import FILE, LOG, Entry, Record

AGAIN_S = 5
SILENT_S = 25
"""A program that is well is not silent for longer than an answer is held."""
HEADERS = [
    (b"content-type", b"text/html; charset=utf-8"),
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"connection", b"close"),
]
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}"
    "body{color:#222;background:#fff}td{vertical-align:top}dl{display:grid;grid-template-columns:auto 1fr;margin:0}"
    "dd{margin:0 0 0 1ch;overflow-wrap:anywhere;font-family:monospace}dt::after{content:':'}.f{opacity:.7}"
    ".log{table-layout:fixed}.log th:first-child{width:4ch}dt,dd,.log th{overflow-wrap:anywhere}"
    "@media(max-width:40rem){dl{display:block}dd{margin-left:2ch}}"
    "code{background:#eee;padding:.2rem .4rem;border-radius:.2rem;overflow-wrap:anywhere}"
    "table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ccc;padding:.3rem;text-align:left}"
    "@media(prefers-color-scheme:dark){body{color:#eee;background:#1b1b1b}code{background:#333}}"
)


def render(base: str, table: str, halls: Iterable[tuple[str, Hall]], presence: Presence) -> bytes:
    """The page. `base` is the address by which the browser has come, up to the gateway, with a slash at its end."""
    address = base + (f"{quote(table)}/" if table else "")
    rows = "".join(
        row for name, hall in halls for row in _rows(name, hall, presence) if not table or hall.title == table
    )  # fmt: skip
    body = (
        f"<h1>DOG: {escape(table) if table else 'Parlour'}</h1>"
        "<p><b>Your program will reach this hub.</b> Put this line into <code>dog/dog_proxy.py</code>, "
        "in place of the one with <code>self.url</code>:</p>"
        "<p lang='pt'><b>O seu programa chega a este servidor.</b> Ponha esta linha em <code>dog/dog_proxy.py</code>, "
        "no lugar da que tem <code>self.url</code>:</p>"
        f"<p><code>self.url = &quot;{escape(address)}&quot;</code></p>"
        "<table><tr><th>Game · Jogo<th>Plays · Joga<th>Waits · Espera</tr>"
        f"{rows or '<tr><td colspan=3>Nobody is here yet. · Ainda não há ninguém.</tr>'}</table>"
    )
    return _whole(body)


def _whole(body: str) -> bytes:
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'>"
        f"<meta http-equiv='refresh' content='{AGAIN_S}'><meta name='viewport' content='width=device-width'>"
        f"<title>DOG</title><style>{_STYLE}</style>{body}</html>"
    ).encode("utf-8", "replace")


def _rows(name: str, hall: Hall, presence: Presence) -> Iterable[str]:
    """A row for each match of the hall, and one for those who wait."""
    for match, made in hall.pairings.items():
        playing = [
            _called(name, player, hall.guests[player], presence)
            for _, player in made.players
            if player in hall.guests and hall.guests[player].match == match
        ]
        if playing:
            log = f"<a href='/dog/{LOG}/{quote(match)}'>{escape(hall.title) or '?'}</a>"
            yield f"<tr><td>{log}<td>{' : '.join(playing)}<td></tr>"
    waiting = [
        _called(name, player, guest, presence) for player, guest in hall.guests.items() if guest.stage is Stage.ASKING
    ]
    if waiting:
        yield f"<tr><td>{escape(hall.title)}<td><td>{', '.join(waiting)}</tr>"


def log(record: Record) -> bytes:
    """A match whole: what each program sent, as fields and values, and when each of the others fetched it."""
    heads = "".join(f"<th>{escape(name)}" for name in record.players)
    rows = []
    for entry in record.entries:
        cells = "".join(
            f"<td>{_sent(entry)}" if place == entry.place else f"<td class=f>{_fetched(entry, name)}"
            for place, name in enumerate(record.players)
        )
        if not 0 <= entry.place < len(record.players):
            cells = f"<td colspan={len(record.players)}>The table was closed. · A mesa foi fechada."
        rows.append(f"<tr><td>{entry.order}{cells}</tr>")
    body = (
        f"<h1>{escape(record.title) or 'DOG'}</h1><p><a href='{quote(record.match)}{FILE}'>"
        "The record, for <code>parlour dog-replay</code> · O registro</a></p>"
        f"<table class=log><tr><th>#{heads}</tr>{''.join(rows)}</table><p id=end></p>"
    )
    return _whole(body)


def _sent(entry: Entry) -> str:
    at = f"<small>{_time(entry.sent_ms)}</small>"
    if entry.said is None:
        return f"{at} left · saiu"
    rows = "".join(
        f"<dt>{escape(key)}<dd>{escape(json.dumps(value, ensure_ascii=False))}" for key, value in entry.said.items()
    )
    return f"{at}<dl>{rows}</dl>"


def _fetched(entry: Entry, name: str) -> str:
    at_ms = entry.fetched_ms.get(name)
    return "" if at_ms is None else f"<small>fetched · recebida {_time(at_ms)}</small>"


def _time(at_ms: int | None) -> str:
    return "" if at_ms is None else time.strftime("%H:%M:%S", time.localtime(at_ms / 1000)) + f".{at_ms % 1000:03}"


def _called(hall: str, player: str, guest: Guest, presence: Presence) -> str:
    silent_s = presence.silent_ms(hall, player, guest) // 1000
    silent = f" (silent for {silent_s} s · calado há {silent_s} s)" if silent_s > SILENT_S else ""
    return escape(guest.name) + silent
