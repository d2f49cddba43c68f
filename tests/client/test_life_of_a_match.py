"""What a client makes of offers, pauses and absences: what it follows is what a fresh snapshot would show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from random import Random

import pytest
from msgspec import structs

from client.conversation.events import Cleared, Event, Filtered, InStep, Latency, Left, Muted, Settled, Stepped
from client.conversation.position import time_left
from client.shown.actions.controls import CONTROLS, Place, controls_for
from client.shown.model import Link, Model, update
from client.shown.words.lobby import next_filter, rows
from protocol.errors import Refusal
from protocol.messages import (
    AwayInfo,
    Chat,
    ClockRule,
    Excused,
    LobbyState,
    Look,
    MatchSummary,
    Move,
    OfferInfo,
    PauseInfo,
    Position,
    Presence,
    Rematched,
    Said,
    Snapshot,
)
from server.match import commands as c
from tests.client.refereed import CATALOGUE, ENGLISH, TOTAL, Refereed

DO: tuple[Callable[[Random], c.MatchCommand], ...] = (
    lambda rng: c.Offer(rng.choice(("draw", "takeback", "restart", "rematch"))),
    lambda rng: c.Answer(rng.random() < 0.5, "m2"),
    lambda rng: c.Withdraw(),
    lambda rng: c.Pause(),
    lambda rng: c.Continue(),
    lambda rng: c.Notice((rng.random() < 0.6, rng.random() < 0.6)),
    lambda rng: c.WaitLonger(),
    lambda rng: c.CallDraw() if rng.random() < 0.05 else c.Withdraw(),
    lambda rng: c.Abandon() if rng.random() < 0.02 else c.Continue(),
)


@pytest.mark.parametrize("game", sorted(CATALOGUE))
@pytest.mark.parametrize("seed", range(6))
def test_events_lead_to_what_a_snapshot_shows(game: str, seed: int) -> None:
    """Whatever happens in a match, in whatever order: nothing in it differs from a fresh snapshot."""
    if not CATALOGUE[game].offered:
        pytest.skip("no match of it can be made")
    rng = Random(seed)
    match = Refereed(game, clock=TOTAL if seed % 2 else ClockRule())
    model = match.model()
    for _ in range(120):
        match.now_ms += rng.randrange(3_000)
        try:
            if rng.random() < 0.5 and match.match.turn is not None:
                told = match.play(rng.choice(sorted(match.match.legal_set)))
            else:
                told = match.do(rng.choice(("ada", "ben")), rng.choice(DO)(rng))
        except Refusal:
            continue
        model = reduce(update, told, model)
        assert model.match is not None
        assert plainly(model.match, match.now_ms) == plainly(match.snapshot(), match.now_ms)
        assert not model.awaits_position


def plainly(shown: Snapshot, now_ms: int) -> Snapshot:
    """In a form to compare: clocks as they stand, sets without order, and without who is connected."""
    return structs.replace(
        shown,
        clock=time_left(shown, now_ms),
        now_ms=0,
        legal=tuple(sorted(shown.legal)),
        resting=tuple(sorted(shown.resting)),
        seats=tuple(structs.replace(seat, here=False) for seat in shown.seats),
    )


# Pause, offers, absence -------------------------------------------------------------------------------------------


def test_a_pause_hides_everything_at_once_until_the_snapshot_after_it() -> None:
    """CK 5.4.3, F2."""
    match = Refereed()
    model = match.model()
    model = reduce(update, [*match.play(), *match.play()], model)
    model = update(update(model, Stepped(1)), looked(1))
    (paused,) = match.do("ben", c.Pause())
    model = update(model, paused)
    shown = model.match
    assert shown is not None
    assert (shown.marks, shown.legal, shown.last, shown.focus) == ({}, (), None, ())
    assert (model.step, model.look) == (None, None)
    assert shown.pause == PauseInfo(1, match.now_ms + 300_000)
    assert model.is_covered
    assert not model.is_my_turn
    continued, snapshot = match.do("ben", c.Continue())
    model = update(model, continued)
    assert model.is_covered, "the board is not there yet"
    model = update(model, snapshot)
    assert not model.is_covered
    assert model.is_my_turn
    assert [line.text for line in model.happenings[-2:]] == ["Ben paused the match.", "Ben goes on."]


def looked(ply: int) -> Settled:
    position = Position(
        ref="l", match="m1", ply=ply, plies=2, marks={}, focus=(), scores=((0,), (0,)), to_move=1, text=""
    )
    return Settled(Look(ref="l", match="m1", ply=ply), position)


def test_an_offer_is_open_until_it_is_closed_in_any_way() -> None:
    """CK R4.5, RU-M3."""
    match = Refereed()
    model = match.model()
    model = reduce(update, [*match.play(), *match.play()], model)
    model = reduce(update, match.do("ben", c.Offer("draw")), model)
    assert model.offer_to_me == OfferInfo("draw", 1, version=5)
    assert model.own_offer is None
    assert model.may("answer")
    model = reduce(update, match.play(), model)
    assert model.offer_to_me is None
    assert not model.may("answer")
    model = reduce(update, match.do("ada", c.Offer("takeback")), model)
    assert model.own_offer == OfferInfo("takeback", 0, version=8)
    assert model.may("withdraw")
    model = reduce(update, match.do("ben", c.Answer(True)), model)
    assert model.own_offer is None
    told = [line.text for line in model.happenings if line.seat is not None or "offer" in line.text]
    assert "Ben offers a draw." in told
    assert "The offer is off, because play went on (draw)." in told
    assert told[-3:] == ["Ada asks to take the last move back.", "Ben agrees (taking back).", "A move was taken back."]


def test_a_move_on_its_way_stands_although_something_else_happens() -> None:
    """A pending move goes with the position, not with the version; after it comes what closes an open offer."""
    match = Refereed()
    model = match.model()
    move = Move(ref="1", match="m1", version=model.next_version, move=min(match.match.legal_set))
    model = replace(model, pending=(move,))
    model = reduce(update, match.do("ben", c.Offer("draw")), model)
    assert model.pending_moves == (move.move,)
    assert model.next_version == match.match.version + 2
    model = reduce(update, match.do("ada", c.Play(move.version, move.move)), model)
    assert model.pending_moves == ()
    assert model.next_version == match.match.version


def test_who_is_away_is_waited_for_and_an_outage_is_nobodys_fault() -> None:
    """RU-M5, D5."""
    match = Refereed()
    model = match.model()
    model = reduce(update, [*match.play(), *match.play(), *match.do("", c.Notice((True, False)))], model)
    until = match.now_ms + 30_000
    assert model.match is not None
    assert model.match.away == (AwayInfo(1, until),)
    assert model.may("wait_longer")
    assert model.may("call_draw")
    model = reduce(update, match.do("ada", c.WaitLonger()), model)
    assert model.match is not None
    assert model.match.away == (AwayInfo(1, until + 60_000),)
    assert model.happenings[-1].text == "Ada waits longer for Ben."
    model = update(model, Excused(match="m1", version=match.match.version + 1, at_ms=0, outage_ms=12_300))
    assert model.match is not None
    assert model.match.away == (AwayInfo(1, until + 72_300),)
    assert model.happenings[-1].text == "The server was away. 12 s are charged to nobody."


def test_a_rematch_is_another_match() -> None:
    """RU-M7."""
    match = Refereed()
    model = match.model()
    model = reduce(update, [*match.play(), *match.do("ben", c.Abandon())], model)
    assert model.may("offer_rematch")
    model = reduce(update, match.do("ben", c.Offer("rematch")), model)
    assert model.offer_to_me == OfferInfo("rematch", 1, version=5)
    told = match.do("ada", c.Answer(True, "m2"))
    assert isinstance(told[-1], Rematched)
    model = reduce(update, told, model)
    assert model.match is not None
    assert (model.match.rematch, model.match.offer) == ("m2", None)


def test_presence_leaves_what_was_said_alone() -> None:
    match = Refereed()
    before = match.model()
    after = update(before, Presence(match="m1", here=(True, False), spectators=3))
    assert before.match is not None
    assert after.match is not None
    assert (after.match.text, after.match.can, after.match.version) == (
        before.match.text, before.match.can, before.match.version,
    )  # fmt: skip


# Looking back, and the empty board --------------------------------------------------------------------------------


def test_looking_back_goes_on_being_behind_while_play_goes_on() -> None:
    match = Refereed()
    model = match.model("cid")
    model = reduce(update, [*match.play(), *match.play()], model)
    assert model.shown_ply == 2
    model = update(update(model, Stepped(1)), looked(1))
    assert model.shown is not None
    assert model.shown.marks == {}
    model = reduce(update, match.play(), model)
    assert (model.step, model.shown_ply) == (1, 1), "a new move throws nobody forward"
    model = update(model, Stepped(None))
    assert model.shown is model.match


def test_the_initial_state_is_an_empty_board_and_no_match() -> None:
    """UD RF3."""
    match = Refereed()
    model = match.model()
    model = reduce(update, [*match.play(), *match.do("ben", c.Abandon())], model)
    model = update(update(model, Cleared()), Left("m1"))
    shown = model.match
    assert shown is not None
    assert (shown.match, shown.marks, shown.you, shown.result, shown.last) == ("", {}, (), None, None)
    assert model.is_cleared
    assert enabled(model) == ALWAYS | {"again"}
    assert update(model, Left("")).match is None


# Controls ---------------------------------------------------------------------------------------------------------

ALWAYS = {"lobby", "help", "quit", "settings", "more"}
CHAT = {"say", "mute"}
PLAY = {"move_cursor", "touch", "type"}
OVER = {"again", "clear", "save"}


def enabled(model: Model) -> set[str]:
    return {control.action for control in controls_for(Place.MATCH) if control.enabled(model)}


def later(match: Refereed, ms: int, command: c.MatchCommand) -> Sequence[object]:
    match.now_ms += ms
    return match.do("", command)


def away_for_good(match: Refereed) -> Sequence[object]:
    match.do("", c.Notice((True, False)))
    return later(match, 31_000, c.Notice((True, False)))


@pytest.mark.parametrize(
    "end",
    [
        lambda match: match.do("ben", c.Abandon()),
        lambda match: match.do("ada", c.Abandon()),
        lambda match: [*match.do("ben", c.Offer("draw")), *match.do("ada", c.Answer(True))],
        lambda match: [*match.do("", c.Notice((True, False))), *match.do("ada", c.CallDraw())],
        lambda match: [told for _ in range(99) if match.match.turn is not None for told in match.play()],
        lambda match: later(match, 90_000, c.Notice()),
        away_for_good,
    ],
    ids=["they gave up", "we gave up", "draw agreed", "draw called", "played out", "out of time", "abandoned"],
)
def test_after_each_end_only_the_ways_on(end: Callable[[Refereed], Sequence[object]]) -> None:
    """N3, UD RF3, SQ9. Where the game is not over one can play on from its last position."""
    match = Refereed(clock=TOTAL)
    for _ in range(3):
        match.play()
    end(match)
    assert match.match.ending is not None
    looks = {"back", "start", "review"} | ({"practise"} if match.match.turn is not None else set())
    assert enabled(match.model("ada")) == enabled(match.model("ben")) == ALWAYS | CHAT | OVER | looks | {"rematch"}
    assert enabled(match.model("cid")) == ALWAYS | CHAT | looks | {"save"}


def test_each_action_is_enabled_exactly_when_the_server_says_so() -> None:
    match = Refereed()
    playing = PLAY | ALWAYS | CHAT | {"pause", "draw", "restart", "revert", "give_up", "save"}
    assert enabled(match.model("ada")) == enabled(match.model("ben")) == playing
    assert enabled(match.model("cid")) == ALWAYS | CHAT | {"save"}
    match.play()
    match.play()
    playing |= {"takeback", "back", "start"}
    assert enabled(match.model("ada")) == playing
    match.do("ben", c.Offer("draw"))
    assert enabled(match.model("ada")) == playing - {"takeback", "restart", "revert"} | {"accept", "decline"}
    assert enabled(match.model("ben")) == playing - {"takeback", "restart", "revert", "draw"} | {"withdraw"}
    match.do("ada", c.Answer(False))
    assert enabled(match.model("ben")) == playing - {"draw"}, "declined: not again for three moves"
    match.do("ada", c.Pause())
    assert enabled(match.model("ada")) == ALWAYS | CHAT | {"continue", "give_up"}
    assert enabled(match.model("ben")) == ALWAYS | CHAT | {"give_up"}
    match.do("ada", c.Continue())
    match.do("", c.Notice((True, False)))
    assert enabled(match.model("ada")) >= {"wait_longer", "call_draw"}
    assert not enabled(match.model("ben")) & {"wait_longer", "call_draw"}
    down = replace(match.model("ada"), link=Link.DOWN)
    assert enabled(down) == PLAY | ALWAYS


def test_a_waiting_match_is_taken_back_by_its_host_alone() -> None:
    match = Refereed(joined=False)
    assert enabled(match.model("ada")) == ALWAYS | CHAT | {"cancel", "copy"}
    assert enabled(match.model("cid")) == ALWAYS | CHAT


def test_every_action_of_the_server_has_a_control() -> None:
    """What `can` may name, by the machine's own table."""
    from server.match.actions import CONDITIONS

    match = Refereed()
    of_control = {
        name for name in CONDITIONS for control in CONTROLS
        if control.enabled(replace(match.model(), match=structs.replace(match.snapshot(), can=((name,), ()), legal=())))
        and not control.enabled(replace(match.model(), match=structs.replace(match.snapshot(), can=((), ()), legal=())))
    }  # fmt: skip
    assert of_control == set(CONDITIONS)
    assert ENGLISH("x") == "x"


def test_latency_and_step_are_told() -> None:
    model = update(Model(), Latency(12.0, 5_000.0))
    assert model.server_now_ms(1.0) == 6_000.0
    assert update(model, InStep(7_000.0)).server_now_ms(1.0) == 8_000.0


# Talking, and the lobby -------------------------------------------------------------------------------------------


def said(number: int, name: str, text: str, seat: int | None = None) -> Said:
    return Said(match="m1", channel="players", number=number, name=name, text=text, at_ms=0, seat=seat)


def test_what_is_said_stands_among_what_happened_once_and_in_quotes() -> None:
    """Nobody can say what looks like something that happened; a muted player is not read, but nothing comes later."""
    model = Refereed().model()
    hello = said(1, "Ben", "Ada gave up.", 1)
    model = update(update(model, hello), Chat(match="m1", channel="players", lines=(hello, said(2, "Ada", "no", 0))))
    assert [line.text for line in model.happenings] == ["Ben: “Ada gave up.”", "Ada: “no”"]
    muted: list[Event] = [Muted(True), said(3, "Ben", "boo", 1), said(4, "Ada", "silence", 0)]
    model = reduce(update, muted, model)
    assert [line.text for line in model.happenings[2:]] == ["Ada: “silence”"]
    heard: list[Event] = [Muted(False), said(3, "Ben", "boo", 1), said(5, "Ben", "sorry", 1)]
    model = reduce(update, heard, model)
    assert [line.text for line in model.happenings[3:]] == ["Ben: “sorry”"]
    assert update(model, structs.replace(said(9, "Eve", "x"), match="m7")) is model


def test_the_lobby_is_filtered_by_game_one_after_the_other() -> None:
    def summary(match: str, game: str) -> MatchSummary:
        return MatchSummary(
            match=match, game=game, options={}, status="playing", names=("A", "B"), created_ms=1,
            clock_rule=ClockRule(total_ms=300_000), spectators=3,
        )  # fmt: skip

    model = update(Refereed().model("cid"), LobbyState(matches=(summary("a", "checkers"), summary("b", "square"))))
    seen = []
    for _ in range(3):
        model = update(model, Filtered(next_filter(model)))
        seen.append((model.lobby_game, [row.match for row in rows(model, None)]))
    assert seen == [("checkers", ["a"]), ("square", ["b"]), ("", ["a", "b"])]
    assert rows(model, None)[0].status == "playing 3◉"
    assert rows(model, None)[0].clock == "5+0"
    gone = replace(model, lobby=(), lobby_game="square")
    assert next_filter(gone) == ""
