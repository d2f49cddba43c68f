"""A host who sits on the second seat: the same life of a match, mirrored (CK R1.3)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from protocol.errors import BadOption, Code, Refusal
from protocol.messages import ClockRule
from server.hub.rooms.index import index_change
from server.match.actions import permissions
from server.match.asked import Asked
from server.match.commands import (
    Abandon,
    Answer,
    CallDraw,
    Cancel,
    Continue,
    Expire,
    Join,
    Leave,
    MatchCommand,
    Notice,
    Offer,
    Pause,
    Stop,
    WaitLonger,
    Withdraw,
)
from server.match.events import AnyEvent, Created, SeatTaken, decode_event, encode_event
from server.match.lines import hears
from server.match.machine import Step, decide, follow_up, open_match, replay
from server.match.state import Match, Status
from server.match.views import away_info, own_match, snapshot, summary
from tests.forms import generated
from tests.server.match.table import CATALOGUE, GUEST, HOST, START_MS, STRANGER, as_seen, code, do, new, play, started

LOST_MS = START_MS + 20_000
"""Until when a waiting match is kept whose host is away."""


def names(match: Match) -> list[str | None]:
    return [seat.name if seat else None for seat in match.seats]


# Chosen ---------------------------------------------------------------------------------------------------------------


def test_the_host_sits_where_the_host_chose_and_the_guest_opposite() -> None:
    """CK R1.3, 5.3: the row in the list says which seat is free, and who joins gets that one."""
    match = new("checkers", seat=1)
    assert (match.status, match.host, match.host_seat, match.seats_of(HOST)) == (Status.WAITING, HOST, 1, (1,))
    row = summary(match)
    assert row.names == (None, "Ana")
    assert row.styles is not None
    assert row.styles[1].name == "White"
    joined = do(match, Join("Bob"), GUEST)
    assert (joined.status, names(joined), joined.host) == (Status.PLAYING, ["Bob", "Ana"], HOST)
    assert joined.to_move == 0
    assert code(joined, Join("Carl"), STRANGER) == Code.FULL
    told = own_match(match, HOST, str, START_MS, None, (False, True))
    assert (told.you, told.seats[1].name, told.seats[0].name) == ((1,), "Ana", None)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_log_alone_says_where_the_host_sits(seat: int) -> None:
    created = Created(at_ms=START_MS, player=HOST, game="square", options={}, name="Ana", seat=seat)
    taken = SeatTaken(at_ms=START_MS, player=GUEST, seat=1 - seat, name="Bob")
    read = replay("m", [decode_event(encode_event(event)) for event in (created, taken)], CATALOGUE)
    assert (read.host, read.host_seat, read.status) == (HOST, seat, Status.PLAYING)


def test_an_old_log_says_nothing_and_has_the_host_on_the_first_seat() -> None:
    old: dict[str, Any] = {"event": "created", "at_ms": 1, "player": HOST, "game": "square", "options": {}, "name": "A"}
    created = decode_event(msgspec.msgpack.encode(old))
    assert isinstance(created, Created)
    match = open_match("m", created, CATALOGUE)
    assert (match.host_seat, match.host, names(match)) == (0, HOST, ["A", None])


def test_with_both_seats_there_is_none_to_choose() -> None:
    with pytest.raises(BadOption, match="both seats are yours"):
        new(both_seats=True, seat=1)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_rematch_swaps_wherever_the_host_sits(seat: int) -> None:
    """RU-M7: and the one after it swaps back."""
    match = play(play(started("checkers", seat=seat)))
    first = do(match, Abandon(), HOST)
    second = replay("n", follow_up(first, START_MS), CATALOGUE)
    assert names(second) == names(first)[::-1]
    assert [one.player for one in second.seats if one] == [one.player for one in first.seats if one][::-1]
    third = replay("o", follow_up(do(second, Abandon(), HOST), START_MS), CATALOGUE)
    assert names(third) == names(first)


# The same life, mirrored ----------------------------------------------------------------------------------------------

PLAYERS = st.sampled_from([HOST, GUEST, STRANGER])
HERE = st.tuples(st.booleans(), st.booleans())
"""Whether host and guest are here."""
COMMANDS: st.SearchStrategy[MatchCommand] = st.one_of(
    st.sampled_from([Leave(), Leave(), Cancel(), Abandon(), Expire(), Stop(), Pause(), Continue(), WaitLonger()]),
    st.sampled_from([CallDraw(), Withdraw(), Answer(True), Answer(False), Offer("draw"), Offer("restart")]),
    st.sampled_from([Join("Bob"), Join("Bob", LOST_MS), Join("Ana")]),
    st.builds(Notice, HERE),
    st.builds(Notice, HERE),
)
ASKED = st.tuples(COMMANDS, PLAYERS, st.integers(0, 9_000))


def mirrored(event: AnyEvent) -> AnyEvent:
    """The event with its seats exchanged."""
    changed: dict[str, Any] = {
        name: 1 - value for name in ("seat", "by", "winner") if isinstance(value := getattr(event, name, None), int)
    }
    if (away := getattr(event, "away", None)) is not None:
        changed["away"] = away[::-1]
    return structs.replace(event, **changed)


def asked_of(match: Match, command: MatchCommand, player: str, at_ms: int) -> list[Step] | str:
    """What comes of it; for a Notice, who is here is told by the seats that the two have."""
    if isinstance(command, Notice) and command.here is not None and match.host_seat:
        command = structs.replace(command, here=command.here[::-1])
    try:
        return decide(match, as_seen(match, command), Asked(player, "r", at_ms))
    except Refusal as refusal:
        return refusal.code


def listed(before: Match | None, after: Match) -> tuple[Any, ...]:
    """What goes into the indexes, and which names a row of the lobby has, the host's first."""
    index = index_change(before, after, START_MS)
    row = msgspec.msgpack.decode(index.lobby)["names"] if index.lobby else None
    players = (index.unfinished and sorted(index.unfinished), index.finished and sorted(index.finished))
    plain = structs.replace(index, lobby=b"", unfinished=None, finished=None)
    return plain, players, row[::-1] if row and after.host_seat else row


def alike(one: Match, other: Match) -> bool:
    """Whether one match is the other with its seats exchanged, in all that anybody is told of it."""
    can = permissions(other)[::-1]
    away = tuple(sorted((1 - info.seat, info.until_ms, info.stands) for info in away_info(other)))
    return (
        one.status is other.status
        and one.seats == other.seats[::-1]
        and one.host == other.host
        and permissions(one) == can
        and tuple((info.seat, info.until_ms, info.stands) for info in away_info(one)) == away
        and one.absences == other.absences[::-1]
        and all(hears(one, who, "players", 1) == hears(other, who, "players", 1) for who in (HOST, GUEST))
    )


@generated(3_000, 150)
@given(st.lists(ASKED, max_size=12))
def test_until_the_first_move_it_is_the_same_life_on_either_seat(
    asked: list[tuple[MatchCommand, str, int]],
) -> None:
    """Waiting, leaving, cancelling, joined while away, left again, a grace time over: the same events, permissions,
    deadlines and rows, with the seats exchanged (CK R1.3, B3, B10, C6, Q7)."""
    first, second = new("square"), new("square", seat=1)
    assert listed(None, first) == listed(None, second)
    at_ms = START_MS
    for command, player, later_ms in asked:
        at_ms += later_ms
        one, other = asked_of(first, command, player, at_ms), asked_of(second, command, player, at_ms)
        if isinstance(one, str) or isinstance(other, str):
            assert one == other
            continue
        assert [step.event for step in one] == [mirrored(step.event) for step in other]
        for step, reflected in zip(one, other, strict=True):
            assert listed(step.before, step.after) == listed(reflected.before, reflected.after)
            first, second = step.after, reflected.after
        assert alike(first, second)


def test_the_time_of_who_begins_waits_for_the_host_who_was_away() -> None:
    """B3, C6: the guest on the first seat is to move, and is not charged before the host is back."""
    clock = ClockRule(total_ms=60_000)
    match = do(new(seat=1, clock=clock), Join("Bob", LOST_MS), GUEST)
    assert match.absence.away == (False, True)
    assert match.clock.running is None
    assert [(info.seat, info.stands) for info in away_info(match)] == [(1, True)]
    assert [info.stands for info in snapshot(match, GUEST, str, START_MS).away] == [True]
    back = do(match, Notice((True, True)), at_ms=START_MS + 5_000)
    assert (back.clock.running, back.clock.since_ms) == (0, START_MS + 5_000)
