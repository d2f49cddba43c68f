"""What is heard, and when."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from client.shown.model import Model
from client.window.sounding import Sound, low_time, sound_of
from client.window.sounds import LOUDEST, RATE_HZ, TONES, Sounds, wave
from protocol.board import Mark, Piece
from protocol.messages import ClockRule, OfferInfo, Result, Snapshot
from tests.client.positions import dots_board, snapshot


def seen(match: Snapshot) -> Model:
    return Model(match=match)


def mine(**changes: object) -> Snapshot:
    return snapshot(dots_board(3, 3), you=(0,), **changes)


def test_a_move_is_heard_and_a_box_differently() -> None:
    """Issue 6: sounds for move, capture."""
    before = mine(to_move=1, plies=2)
    drawn = structs.replace(before, plies=3, marks={"a1-b1": Mark(1, Piece.LINE)})
    assert sound_of(seen(before), seen(drawn)) is Sound.MOVE
    closed = structs.replace(drawn, scores=((0,), (1,)))
    assert sound_of(seen(before), seen(closed)) is Sound.CAPTURE
    assert sound_of(seen(drawn), seen(drawn)) is None


def test_a_piece_that_was_taken_is_heard() -> None:
    before = snapshot(you=(0,), to_move=1, plies=2, marks={"1": Mark(0, Piece.MAN), "2": Mark(1, Piece.MAN)})
    taken = structs.replace(before, plies=3, marks={"9": Mark(1, Piece.MAN)})
    stepped = structs.replace(before, plies=3, marks={"1": Mark(0, Piece.MAN), "9": Mark(1, Piece.MAN)})
    board = structs.replace(before.board, dots=())
    before, taken, stepped = (structs.replace(match, board=board) for match in (before, taken, stepped))
    assert sound_of(seen(before), seen(taken)) is Sound.CAPTURE
    assert sound_of(seen(before), seen(stepped)) is Sound.MOVE


def test_ones_turn_is_heard_but_not_by_two_at_one_mouse() -> None:
    """Issue 6: your turn."""
    theirs, ours = mine(to_move=1, plies=2), mine(to_move=0, plies=3)
    assert sound_of(seen(theirs), seen(ours)) is Sound.TURN
    both = (structs.replace(theirs, you=(0, 1)), structs.replace(ours, you=(0, 1)))
    assert sound_of(seen(both[0]), seen(both[1])) is Sound.MOVE
    assert sound_of(Model(), seen(ours)) is Sound.TURN


def test_an_offer_calls() -> None:
    """CK R4.5."""
    before = mine(to_move=1, plies=2)
    offered = structs.replace(before, offer=OfferInfo("draw", 1), can=(("answer",), ()))
    assert sound_of(seen(before), seen(offered)) is Sound.TURN
    assert sound_of(seen(offered), seen(offered)) is None


def test_the_end_is_heard_once() -> None:
    """CK 5.5."""
    before = mine(to_move=1, plies=2)
    over = structs.replace(before, status="ended", to_move=None, result=Result(winner=0, reason="abandoned", text=""))
    assert sound_of(seen(before), seen(over)) is Sound.END
    assert sound_of(seen(over), seen(over)) is None


def test_low_time_is_heard_when_it_becomes_low() -> None:
    """RU-M2: from 20 s on, once, and only of one's own clock while it runs."""
    match = mine(to_move=0, clock_rule=ClockRule(total_ms=60_000), clock=(21_000, 60_000), now_ms=0)
    model = replace(seen(match), server_minus_now_ms=0.0)
    assert low_time(model, 0.5, 1.5)
    assert not low_time(model, 0.0, 0.5)
    assert not low_time(model, 1.5, 2.5)
    assert not low_time(replace(model, match=structs.replace(match, to_move=1)), 0.5, 1.5)


@pytest.mark.parametrize("sound", Sound)
def test_every_sound_can_be_made_and_ends_quietly(sound: Sound) -> None:
    samples = wave(TONES[sound])
    assert len(samples) < 1.5 * RATE_HZ
    assert max(map(abs, samples)) == round(LOUDEST * 32_767)
    assert max(map(abs, samples[-50:])) < 700, "cut off while it is heard"
    assert samples[0] == 0


def test_without_a_device_all_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no such driver")
    sounds = Sounds()
    assert not sounds.can_be_heard
    sounds.play(Sound.MOVE)
    sounds.close()


def test_with_a_device_they_are_played_unless_all_is_to_be_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    sounds = Sounds()
    assert sounds.can_be_heard
    sounds.play(Sound.END)
    sounds.quiet = True
    sounds.play(Sound.MOVE)
    sounds.close()
