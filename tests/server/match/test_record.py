"""A match's record: answers by ref, catching up, and logs that are none."""

from __future__ import annotations

import gc

import msgspec
import pytest

from protocol.errors import UnreadableMatch
from protocol.limits import CATCH_UP_EVENTS
from server.games import load_catalogue
from server.match.commands import Answer, Join, MatchCommand, Offer, Play
from server.match.events import Event, MatchEnded, MovePlayed, SeatTaken, decode_event, encode_event
from server.match.fold import finished
from server.match.machine import Asked, Step, create, decide
from server.match.record import Record
from server.match.state import Match

CATALOGUE = load_catalogue()
GAME = CATALOGUE["dots-and-boxes"]


def record(plies: int = 0) -> Record:
    """A started match with so many moves, each by the ref `move N`."""
    event = create(GAME, {}, "Ana", Asked("host", "create", 5), private=False, both_seats=False, seed=1)
    made = Record("m", [encode_event(event)], CATALOGUE)
    made.extend(decide(made.match, Join("Bob"), Asked("guest", "join", 6)))
    for number in range(plies):
        seat = made.match.seats[made.match.to_move or 0]
        assert seat is not None
        asked = Asked(seat.player, f"move {number}", 7 + number)
        made.extend(decide(made.match, Play(made.version, made.match.legal[0]), asked))
    return made


def test_a_ref_that_is_in_the_log_has_its_answer() -> None:
    """A2: sent again, a command is answered as before, also after the log was replayed."""
    made = record(3)
    assert made.answer("host", "create") == 1
    assert made.answer("guest", "join") == 2
    assert made.answer("host", "move 0") == 3
    assert made.answer("guest", "move 0") is None
    assert made.answer("host", "never") is None


def test_reading_events_of_another_hub_grows_the_record_alike() -> None:
    ahead, behind = record(5), record(2)
    missing = ahead.since(behind.version)
    assert missing is not None
    told = finished(behind.steps_of([encode_event(step.event) for step in missing]))
    assert behind.version == 4
    behind.extend(told)
    assert [step.after.version for step in told] == [5, 6, 7]
    assert behind.match == ahead.match
    assert behind.answer("host", "move 4") == ahead.answer("host", "move 4")


def test_few_missing_steps_are_handed_out_many_are_not() -> None:
    """C7: the answer to a gap is bounded; a version that never was gets a snapshot, too."""
    made = record(CATCH_UP_EVENTS + 5)
    assert made.since(made.version) == []
    one = made.since(made.version - 1)
    assert one is not None
    assert [step.after for step in one] == [made.match]
    enough = made.since(made.version - CATCH_UP_EVENTS)
    assert enough is not None
    assert len(enough) == CATCH_UP_EVENTS
    assert made.since(made.version - CATCH_UP_EVENTS - 1) is None
    assert made.since(made.version + 1) is None


def test_missing_steps_are_those_that_happened() -> None:
    """C7: they are worked out again, from wherever; a takeback and its offer are among them."""
    made = record()
    happened: dict[int, Step] = {}

    def ask(player: str, command: MatchCommand) -> None:
        steps = decide(made.match, command, Asked(player, f"ref {made.version}", 10 + made.version))
        happened.update((step.after.version, step) for step in steps)
        made.extend(steps)

    for number in range(3 * CATCH_UP_EVENTS):
        seat = made.match.seats[made.match.to_move or 0]
        assert seat is not None
        if number % 7 == 6:
            ask(seat.player, Offer("takeback", (), "", made.version))
            ask("guest" if seat.player == "host" else "host", Answer(True, "", made.version))
        else:
            ask(seat.player, Play(made.version, made.match.legal[0]))
        for version in range(max(2, made.version - CATCH_UP_EVENTS), made.version):
            assert made.since(version) == [happened[later] for later in range(version + 1, made.version + 1)]


def test_few_of_all_the_matches_that_were_are_kept() -> None:
    """A hub holds a thousand records: what they keep is what it needs, and what the search for garbage walks over."""
    # (A weak proxy of somebody else's, asked for its class, may be one of what is no more.)
    others = [one for one in gc.get_objects() if type(one) is Match]
    made = record(3 * CATCH_UP_EVENTS)
    gc.collect()
    kept = [one for one in gc.get_objects() if type(one) is Match and not any(one is other for other in others)]
    assert any(one is made.match for one in kept)
    assert len(kept) <= 3


@pytest.mark.parametrize("log", [[], [encode_event(MovePlayed(at_ms=1, seat=0, move="a1-b1"))]])
def test_a_log_without_a_creation_is_refused(log: list[bytes]) -> None:
    with pytest.raises(UnreadableMatch) as caught:
        Record("m", log, CATALOGUE)
    assert caught.value.code == "damaged"
    assert "does not start with its creation" in caught.value.reason


def test_a_newer_log_format_is_refused() -> None:
    """Q10: by a code of its own, whatever else has changed in it."""
    event = create(GAME, {}, "Ana", Asked("host", "create", 5), private=False, both_seats=False, seed=1)
    newer = msgspec.structs.replace(event, format=99)
    strange = msgspec.msgpack.encode({"event": "made", "format": 99, "game": [1, 2]})
    for data in (encode_event(newer), strange):
        with pytest.raises(UnreadableMatch) as caught:
            Record("m", [data], CATALOGUE)
        assert caught.value.code == "newer_format"
        assert "log format 99" in caught.value.reason


def test_a_log_that_does_not_replay_is_refused_and_changes_nothing() -> None:
    """Q10: moves that cannot be played, seats that there are none of, bytes that are no event."""
    made = record(3)
    before = made.match
    for bad in (
        encode_event(MovePlayed(at_ms=1, seat=0, move="z9-z8")),
        encode_event(SeatTaken(at_ms=1, player="x", seat=7, name="X")),
        encode_event(MatchEnded(at_ms=10**17, winner=None, reason="time")),
        encode_event(create(GAME, {}, "Ana", Asked("host", "create", 5))),
        b"\xff\xfe",
    ):
        with pytest.raises(UnreadableMatch) as caught:
            finished(made.steps_of([bad]))
        assert caught.value.code == "damaged"
    assert made.match is before


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x80", b"\x81\xa5event\xa5other"])
def test_bytes_that_are_no_event_are_refused(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_event(data)


def test_events_survive_being_stored() -> None:
    for step in record(4).since(2) or []:
        event: Event = step.event
        assert decode_event(encode_event(event)) == event
