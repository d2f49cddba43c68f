"""T5: a student's game is its log: whole moves, from the first on, however one came by them."""

from __future__ import annotations

import json

import pytest

from client.conversation.events import Event, Sent, Settled
from client.shown import match_log
from client.shown.history import questions
from client.shown.model import Model, update
from protocol.messages import Command, GetRecord, Refused
from tests.client.student_game import MATCH, SEATS, entries, entry, moved, record, shown


def test_t5_moves_are_fields_and_values_whole_and_the_status_comes_first() -> None:
    long = "x" * 30_000
    log = (SEATS, json.dumps(["move", 1, {"board": [[0, None], ["ç"]], "text": long, "match_status": "next"}]))
    (one,) = match_log.read(log)
    assert one.head == "1. Bea"
    assert one.fields == (("match_status", '"next"'), ("board", '[[0, null], ["ç"]]'), ("text", f'"{long}"'))


def test_t5_what_is_read_is_harmless_whatever_a_program_says() -> None:
    log = (SEATS, json.dumps(["move", 0, {"a\x1b[2J": "b\u202ec", "match_status": {"next": []}}]))
    (one,) = match_log.read(log)
    assert one.fields == (("match_status", '{"next": []}'), ("a[2J", '"bc"'))


@pytest.mark.parametrize(
    ("odd", "line"),
    [
        ('["left", 1]', "1. Bea: left"),
        ('["left", -1]', "1.: the table was closed"),
        ('["move", 7, {}]', "1.: "),
        ("[", "1. ?: ["),
        ("[" * 100_000, "1. ?: " + "[" * 100_000),
        ('["move", "0", {}]', '1. ?: ["move", "0", {}]'),
    ],
)
def test_t5_what_is_no_move_is_shown_as_it_is(odd: str, line: str) -> None:
    (one,) = match_log.read((SEATS, odd))
    assert one.line == line


def test_t5_found_are_names_fields_and_values_in_any_case() -> None:
    log = (*entries(3), entry(4, piece="Torre"))
    everything = match_log.read(log)
    assert [one.order for one in match_log.found(everything, " torre ")] == [4]
    assert [one.order for one in match_log.found(everything, "ANA")] == [1, 3]
    assert [one.order for one in match_log.found(everything, "row: 2")] == [2]
    assert match_log.found(everything, "") == everything
    assert match_log.counted(match_log.found(everything, "ana"), everything, "ana") == "2 of 4 moves with “ana”"
    assert match_log.counted(everything[:1], everything[:1], "") == "1 move"


def asked(model: Model) -> GetRecord:
    """The question for what the log misses."""
    assert model.log_misses is not None
    return GetRecord(ref="r", match=MATCH, after=model.log_misses)


def test_t5_who_comes_later_has_the_log_from_the_first_move_on() -> None:
    """In several answers, with moves that come between them."""
    log = entries(5)
    model = update(Model(), shown(5))
    while model.log_misses is not None:
        question = asked(model)
        model = update(model, Sent(question))
        assert model.log_misses is None
        if not model.log:
            model = update(model, moved(6))
        answer = record(question, log, most=2)
        model = update(model, Settled(question, answer))
        log = entries(6)
    assert model.log == entries(6)
    model = update(model, moved(7))
    assert model.log == entries(7)


def test_t5_after_a_loss_only_what_is_missing_is_asked_for() -> None:
    model = update(Model(), shown(2))
    question = asked(model)
    model = update(update(model, Sent(question)), Settled(question, record(question, entries(2))))
    model = update(model, shown(9))
    assert model.log_misses == 3
    question = asked(model)
    model = update(model, Settled(question, record(GetRecord(ref="r", match=MATCH, after=5), entries(9))))
    assert model.log == entries(2)


def test_t5_what_was_refused_is_not_asked_for_again_at_once() -> None:
    question = GetRecord(ref="r", match=MATCH)
    model = update(Model(), shown(2))

    def then(event: Event) -> tuple[Command, ...]:
        return questions(model, event, lambda: "r")

    assert then(Settled(question, Refused(ref="r", code="slow_down", text=""))) == ()
    assert then(Settled(question, record(question, entries(1)))) == (question,)
    assert then(moved(3)) == (question,)
