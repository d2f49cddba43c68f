"""What the front makes of a call, as bytes."""

from __future__ import annotations

import json

import pytest

from server.dog_front import calls
from server.dog_front.calls import BadCall

HEAD = b"POST /match/ HTTP/1.1\r\nHost: 10.0.0.1:8000\r\nContent-Length: 11\r\nConnection: keep-alive\r\nX-A: b\r\n\r\n"


def test_t3_a_call_is_handed_on_below_the_gateways_path() -> None:
    """T3: a program's constant may end in anything; the hub's own port has other things, too."""
    call = calls.read_head(HEAD)
    assert (call.method, call.name, call.length) == ("POST", "match", 11)
    handed = calls.handed_on(call, b"player_id=1")
    assert handed.startswith(b"POST /dog/match/ HTTP/1.1\r\nHost: 10.0.0.1:8000\r\nX-A: b\r\n")
    assert handed.endswith(b"Content-Length: 11\r\nConnection: close\r\n\r\nplayer_id=1")
    below = calls.read_head(HEAD.replace(b"/match/", b"/dog/mesa-3/match/"))
    assert calls.handed_on(below, b"").startswith(b"POST /dog/mesa-3/match/ HTTP/1.1\r\n")


@pytest.mark.parametrize(
    "head",
    [
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET http://elsewhere/ HTTP/1.1\r\n\r\n",
        b"GET / SPDY\r\n\r\n",
        HEAD.replace(b"11", b"-1"),
        HEAD.replace(b"11", b"x"),
        HEAD.replace(b"X-A: b", b"Transfer-Encoding: chunked"),
        b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
    ],
    ids=range(8),
)
def test_what_is_no_call_is_not_handed_on(head: bytes) -> None:
    with pytest.raises(BadCall):
        calls.read_head(head)


def test_t3_what_is_asked_again_has_a_name_to_count_once_by() -> None:
    for name, named in (("move", True), ("player", True), ("match", False), ("start", False)):
        call = calls.read_head(HEAD.replace(b"match", name.encode()))
        assert (calls.with_ref(call, b"a=1", "77") == b"a=1&ref=77") is named
    call = calls.read_head(HEAD.replace(b"match", b"move"))
    assert calls.with_ref(call, b"a=1&ref=5", "77") == b"a=1&ref=5"


def test_t3_only_a_whole_answer_counts() -> None:
    whole = calls.answer(200, {"a": 1})
    assert calls.is_whole(whole)
    assert not any(calls.is_whole(whole[:end]) for end in range(len(whole)))
    assert not calls.is_whole(b"HTTP/1.1 200 OK\r\n\r\n{}")


def test_t3_polls_find_nothing_yet_and_a_start_is_told_as_offline() -> None:
    def told(name: str) -> tuple[bytes, object]:
        head, _, body = calls.nothing_yet(calls.read_head(HEAD.replace(b"match", name.encode()))).partition(b"\r\n\r\n")
        return head.split(b" ")[1], json.loads(body)

    assert told("match") == (b"200", {})
    assert told("started") == (b"200", {"message": "Jogadores insuficientes", "code": "1", "players": []})
    assert told("start")[0] == told("move")[0] == told("player")[0] == b"503"


def test_what_the_hub_cannot_do_now_is_asked_again() -> None:
    assert calls.is_away(calls.answer(503, {}))
    assert calls.is_away(calls.answer(504, {}))
    assert not calls.is_away(calls.answer(400, {}))
    assert not calls.is_away(b"")


def test_a_form_as_large_as_the_gateways_is_let_through() -> None:
    from server.http.dog import wire

    assert calls.MAX_BODY >= wire.MAX_FORM_BYTES
    assert {"match": wire.NOTHING.body, "started": wire.WAITING.body} == calls.NOTHING_YET
