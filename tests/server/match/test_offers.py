"""Offers: the table of RU-M3, cell by cell, and what comes of each kind."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.errors import Code, Refusal
from protocol.messages import OfferKind
from server.match.actions import CONDITIONS, permissions
from server.match.commands import (
    Abandon,
    Answer,
    CallDraw,
    Continue,
    MatchCommand,
    Notice,
    Offer,
    Pause,
    Play,
    TakeHint,
    WaitLonger,
    Withdraw,
)
from server.match.events import EndReason
from server.match.machine import Asked, Step, decide, follow_up
from server.match.state import Match, Status
from tests.server.match.table import GUEST, HOST, STRANGER, as_seen, code, do, new, play, play_out, started

KINDS: list[OfferKind] = ["draw", "takeback", "restart", "revert"]


def offer(kind: OfferKind, moves: tuple[str, ...] = ()) -> Offer:
    return Offer(kind, moves, next_match="next")


ACCEPT, DECLINE = Answer(True, next_match="next"), Answer(False)


def begun(**settings: Any) -> Match:
    """Two moves were made; the host is to move."""
    return play(play(started(**settings), move="a1-b1"), move="c1-d1")


def offered(kind: OfferKind = "draw") -> Match:
    return do(begun(), offer(kind), HOST)


def fates(happened: list[Step]) -> list[str]:
    return [getattr(step.event, "fate", type(step.event).__name__) for step in happened]


def ask(match: Match, command: MatchCommand, player: str) -> list[Step]:
    return decide(match, as_seen(match, command), Asked(player, "r", 20_000))


# How long an offer lives (E1) -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_an_offer_is_open_until_something_closes_it(kind: OfferKind) -> None:
    match = offered(kind)
    assert match.offer is not None
    assert (match.offer.seat, match.offer.kind) == (0, kind)
    assert match.status is Status.PLAYING


def test_the_other_declines() -> None:
    """CK R4.5, 6.1: the one who offered is told, and play goes on."""
    match = offered()
    assert fates(ask(match, DECLINE, GUEST)) == ["declined"]
    assert do(match, DECLINE, GUEST).offer is None


def test_the_other_accepts() -> None:
    match = do(offered(), ACCEPT, GUEST)
    assert match.ending is not None
    assert (match.ending.winner, match.ending.reason) == (None, EndReason.AGREED)


def test_the_one_who_offered_withdraws() -> None:
    match = offered()
    assert fates(ask(match, Withdraw(), HOST)) == ["withdrawn"]
    assert code(match, Withdraw(), GUEST) == Code.NOT_YOUR_OFFER
    assert code(match, ACCEPT, HOST) == Code.NOT_YOUR_OFFER


@pytest.mark.parametrize("kind", KINDS)
def test_either_players_move_declines_it(kind: OfferKind) -> None:
    match = offered(kind)
    moved = ask(match, Play(match.position, "e1-f1"), HOST)
    assert fates(moved) == ["moved", "MovePlayed"]
    theirs = do(play(begun(), move="e1-f1"), offer(kind), HOST)
    assert fates(ask(theirs, Play(theirs.version, "g1-h1"), GUEST)) == ["moved", "MovePlayed"]


def test_an_offer_makes_no_move_stale() -> None:
    """Whoever moved without having seen the offer yet has moved."""
    match = begun()
    before = match.version
    match = do(match, offer("draw"), GUEST)
    assert play(match, move="e1-f1").version == match.version + 2
    assert do(match, Play(before, "e1-f1"), HOST).plies == 3


def test_the_same_offer_by_the_other_accepts_it() -> None:
    """RU-M3, E3: both wanted it."""
    match = do(offered(), offer("draw"), GUEST)
    assert match.status is Status.ENDED


def test_the_same_offer_again_is_the_same_offer() -> None:
    assert ask(offered(), offer("draw"), HOST) == []


@pytest.mark.parametrize("player", [HOST, GUEST])
def test_another_offer_must_wait(player: str) -> None:
    assert code(offered(), offer("restart"), player) == Code.OFFER_OPEN


def test_a_pause_closes_it() -> None:
    match = offered()
    assert fates(ask(match, Pause(), HOST)) == ["withdrawn", "PauseBegun"]
    assert fates(ask(match, Pause(), GUEST)) == ["declined", "PauseBegun"]
    paused = do(begun(), Pause(), HOST)
    assert code(paused, offer("draw"), HOST) == Code.PAUSED


def test_a_cut_leaves_it_open() -> None:
    match = do(offered(), Notice((True, False)))
    assert match.offer is not None
    assert do(match, Notice((True, True))).offer is not None


def test_the_end_closes_it() -> None:
    match = do(offered(), Abandon(), HOST)
    assert match.offer is None
    assert code(match, ACCEPT, GUEST) == Code.FINISHED
    assert code(match, Withdraw(), HOST) == Code.FINISHED
    assert code(match, offer("draw"), GUEST) == Code.FINISHED


def test_nothing_can_be_answered_that_is_not_offered() -> None:
    assert code(begun(), ACCEPT, GUEST) == Code.NO_OFFER
    assert code(begun(), Withdraw(), HOST) == Code.NO_OFFER
    assert code(begun(), offer("draw"), STRANGER) == Code.NOT_SEATED


def test_a_declined_player_may_offer_again_after_three_own_moves() -> None:
    """RU-M3, E4."""
    match = do(offered(), DECLINE, GUEST)
    columns = iter("abcdefgh")
    for _ in range(3):
        assert code(match, offer("draw"), HOST) == Code.OFFERED_LATELY
        assert "offer_draw" not in permissions(match)[0]
        row = next(columns)
        match = play(play(match, move=f"{row}4-{row}5"), move=f"{row}6-{row}7")
    assert do(match, offer("draw"), HOST).offer is not None
    assert do(match, offer("restart"), HOST).offer is not None


def test_an_offer_survives_being_read_from_the_log_only_once_made() -> None:
    """A thousand offers in a row: the opponent sees one (E4)."""
    match, seen = begun(), 0
    for _ in range(1_000):
        seen += len(ask(match, offer("draw"), HOST))
        match = do(match, offer("draw"), HOST)
    assert seen == 1


# What a consent is about (Q1) -----------------------------------------------------------------------------------------


def raw(match: Match, command: MatchCommand, player: str) -> str:
    """The code with which a command is refused that says itself what was seen; "" when it is granted."""
    try:
        decide(match, command, Asked(player, "r", 20_000))
    except Refusal as refusal:
        return refusal.code
    return ""


@pytest.mark.parametrize("accept", [True, False])
def test_an_answer_to_another_offer_answers_nothing(accept: bool) -> None:
    """Q1: a draw was offered and withdrawn, a restart is open: the answer that was meant for the draw is refused."""
    draw = offered("draw")
    restart = do(do(draw, Withdraw(), HOST), offer("restart"), HOST)
    assert draw.offer is not None
    assert restart.offer is not None
    late = Answer(accept, "next", draw.offer.version)
    assert raw(restart, late, GUEST) == Code.STALE_OFFER
    assert raw(restart, Answer(accept, "next"), GUEST) == Code.STALE_OFFER, "one that names none accepts none"
    assert raw(restart, Answer(accept, "next", restart.offer.version), GUEST) == ""
    assert raw(do(draw, Withdraw(), HOST), late, GUEST) == Code.NO_OFFER


def test_a_withdrawal_of_another_offer_withdraws_nothing() -> None:
    """Q1: it may have been made in another window of the same player."""
    draw = offered("draw")
    assert draw.offer is not None
    restart = do(do(draw, Withdraw(), HOST), offer("restart"), HOST)
    assert raw(restart, Withdraw(draw.offer.version), HOST) == Code.STALE_OFFER
    assert raw(restart, Withdraw(), HOST) == Code.STALE_OFFER


@pytest.mark.parametrize("kind", KINDS)
def test_an_offer_is_of_the_position_that_was_seen(kind: OfferKind) -> None:
    """Q1: who offers a draw and meets a blunder on the way has not offered it in the new position."""
    match = begun()
    moved = play(match, move="e1-f1")
    assert raw(moved, Offer(kind, version=match.version), GUEST) == Code.STALE
    assert raw(moved, Offer(kind, version=moved.version + 1), GUEST) == Code.STALE, "nobody has seen what is to come"
    assert raw(moved, Offer(kind, version=moved.version), GUEST) == ""
    assert raw(moved, Offer(kind), GUEST) == "", "of whatever position there is"


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_offer_agrees_only_where_it_is_the_same(kind: OfferKind) -> None:
    """Q1, E3: in the same position, having seen it; two takebacks are of different moves."""
    match = offered(kind)
    agrees = "" if kind != "takeback" else Code.OFFER_OPEN
    assert raw(match, Offer(kind, version=match.version - 1), GUEST) == agrees, "they crossed"
    assert raw(match, Offer(kind, version=match.version), GUEST) == agrees
    assert raw(match, Offer(kind), GUEST) == Code.OFFER_OPEN, "what names no position agrees to none"


def test_two_takebacks_are_no_agreement() -> None:
    """Q1: each is of one's own last move."""
    match = offered("takeback")
    assert code(match, offer("takeback"), GUEST) == Code.OFFER_OPEN
    assert "offer_takeback" not in permissions(match)[1]


def test_giving_up_is_what_it_was_when_it_was_decided() -> None:
    """Q1, RU-M5: before the first move nobody wins; who decided then, and meets the first move, is asked again."""
    match = started()
    moved = play(match)
    assert raw(moved, Abandon(match.version), HOST) == Code.STALE
    assert raw(moved, Abandon(moved.version), HOST) == ""
    assert raw(play(moved), Abandon(moved.version), HOST) == "", "it is lost either way"
    assert raw(moved, Abandon(), HOST) == ""
    again = do(do(moved, offer("restart"), HOST), ACCEPT, GUEST)
    assert raw(play(again), Abandon(again.version), HOST) == Code.STALE


def test_calling_a_draw_is_about_the_absence_and_the_position_that_were_seen() -> None:
    """Q1, RU-M5."""
    gone = do(begun(), Notice((True, False)))
    back = do(gone, Notice((True, True)))
    assert raw(gone, CallDraw(gone.version), HOST) == ""
    again = do(back, Notice((True, False)))
    assert raw(again, CallDraw(gone.version), HOST) == Code.STALE
    assert raw(again, WaitLonger(gone.version), HOST) == Code.STALE
    assert raw(again, CallDraw(again.version), HOST) == ""
    moved = play(again, move="e1-f1")
    assert raw(moved, CallDraw(again.version), HOST) == Code.STALE
    assert raw(moved, WaitLonger(again.version), HOST) == ""
    assert raw(moved, CallDraw(), HOST) == ""


def test_waiting_longer_asked_twice_is_once() -> None:
    """Q1: two windows of the one who stays, one minute."""
    gone = do(begun(), Notice((True, False)))
    longer = do(gone, WaitLonger(gone.version), HOST)
    assert raw(longer, WaitLonger(gone.version), HOST) == Code.STALE


# What comes of them ---------------------------------------------------------------------------------------------------


def test_a_restart_is_the_state_of_the_start() -> None:
    """DB 7.3.1.1, DB 7.3.1.8, SQ10, M6: scores zero, board clear, player one's turn; the version only grows."""
    match = begun()
    again = do(do(match, offer("restart"), GUEST), ACCEPT, HOST)
    assert (again.state, again.moves, again.turn, again.last) == (started().state, (), 0, None)
    assert again.version > match.version
    assert again.position == again.version


def test_moves_are_taken_back_to_the_own_last_one() -> None:
    match = play(begun(), move="e1-f1")
    assert do(do(match, offer("takeback"), HOST), ACCEPT, GUEST).moves == ("a1-b1", "c1-d1")
    assert do(do(match, offer("takeback"), GUEST), ACCEPT, HOST).moves == ("a1-b1",)
    assert code(play(started(), move="a1-b1"), offer("takeback"), GUEST) == Code.NOTHING_TO_TAKE_BACK


def test_a_saved_position_is_gone_back_to_when_both_want_it() -> None:
    """DB 7.3.3.2, M6."""
    saved = ("h1-h2", "h2-h3", "h3-h4")
    match = do(do(begun(), offer("revert", saved), HOST), ACCEPT, GUEST)
    assert (match.moves, match.turn) == (saved, 1)
    assert code(begun(), offer("revert", ("a1-b1", "a1-b1")), HOST) == Code.DOES_NOT_REPLAY
    assert code(do(begun(), offer("revert", saved), HOST), offer("revert", ("a1-b1",)), GUEST) == Code.OFFER_OPEN


def test_a_saved_position_that_is_over_ends_the_match() -> None:
    small: dict[str, Any] = {"options": {"width": 2, "height": 2}, "both_seats": True}
    over = play_out(new(**small))
    match = do(new(**small), offer("revert", over.moves), HOST)
    assert match.ending is not None
    assert match.ending.winner == 1


def test_one_person_alone_decides_at_once() -> None:
    """RU-M6: where one person holds both seats or plays the computer."""
    for match in (play(new(both_seats=True)), play(new(computer=True))):
        assert do(match, offer("restart"), HOST).plies == 0
        assert do(match, offer("revert", ("a1-b1",)), HOST).moves == ("a1-b1",)
        assert do(match, offer("takeback"), HOST).moves == ()
    assert code(play(new(computer=True)), offer("draw"), HOST) == Code.NOT_TO_THE_COMPUTER
    assert do(play(new(both_seats=True)), offer("draw"), HOST).status is Status.ENDED


def test_after_the_end_a_rematch_has_the_seats_swapped() -> None:
    """RU-M7, E11: one next match, whoever asked first."""
    over = do(begun(), Abandon(), HOST)
    agreed = do(do(over, offer("rematch"), HOST), Offer("rematch", next_match="other"), GUEST)
    assert agreed.rematch == "other"
    assert code(agreed, offer("rematch"), HOST) == Code.NO_REMATCH
    created, taken = follow_up(agreed, 5)
    assert (created.player, taken.player) == (GUEST, HOST)
    assert follow_up(agreed, 5) == follow_up(agreed, 5)


def test_a_rematch_is_offered_after_the_end_only() -> None:
    assert code(begun(), offer("rematch"), HOST) == Code.STARTED
    declined = do(do(do(begun(), Abandon(), HOST), offer("rematch"), HOST), DECLINE, GUEST)
    assert declined.offer is None


# Permissions as data --------------------------------------------------------------------------------------------------

COMMANDS: dict[str, MatchCommand] = {
    "abandon": Abandon(),
    "pause": Pause(),
    "continue": Continue(),
    "answer": DECLINE,
    "withdraw": Withdraw(),
    "hint": TakeHint(1, "a1-b1"),
    **{f"offer_{kind}": offer(kind) for kind in (*KINDS, "rematch")},
}


@pytest.mark.parametrize(
    "match",
    [
        new(), started(), begun(), offered(), do(begun(), Pause(), GUEST), 
        play_out(started(options={"width": 2, "height": 2})),
        do(do(begun(), Abandon(), HOST), offer("rematch"), GUEST), play(new(both_seats=True)), play(new(computer=True)),
        do(offered("takeback"), DECLINE, GUEST),
    ],
    ids=[
        "waiting", "started", "begun", "offered", "paused", "ended", "rematch offered", "both seats", "computer",
        "declined",
    ],
)  # fmt: skip
def test_what_is_shown_as_possible_is_what_is_granted(match: Match) -> None:
    """N3: the table is sent as data, not guessed by clients."""
    for seat, holder in enumerate(match.seats):
        if holder is None or holder.player not in (HOST, GUEST) or len(match.seats_of(holder.player)) == 2:
            continue
        for action, command in COMMANDS.items():
            can = action in permissions(match)[seat]
            if can:
                ask(match, command, holder.player)
            elif ask_is_refused(match, command, holder.player):
                continue
            else:
                assert not ask(match, command, holder.player), (seat, action)


def ask_is_refused(match: Match, command: MatchCommand, player: str) -> bool:
    try:
        ask(match, command, player)
    except Exception as refusal:
        return type(refusal).__name__ == "Refusal"
    return False


def test_every_action_has_a_condition() -> None:
    assert set(COMMANDS) | {"cancel", "wait_longer", "call_draw"} == set(CONDITIONS)
