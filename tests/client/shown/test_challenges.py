"""Challenges as a client knows them: those that stand, how each went, once, and where an accepted one leads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from client.conversation.events import InStep
from client.plain.intents import Said, Tell
from client.plain.words import understand
from client.shown.actions.controls import is_enabled
from client.shown.model import Link, Model, update
from client.shown.words.challenges import incoming, leads_to, others, outgoing, sentence
from protocol.messages import (
    Answer,
    AnswerChallenge,
    Challenge,
    Challenged,
    ChallengeOver,
    ClockRule,
    MuteChallenges,
    OfferInfo,
    Welcome,
    WithdrawChallenge,
)
from tests.client.forms import GAMES
from tests.client.positions import DOTS_INFO, snapshot

UP = replace(Model(), link=Link.UP, name="Ada", games={"dots-and-boxes": DOTS_INFO}, people=("Ada", "ben 2", "Cy"))


def told(challenge: str = "c1", **changes: Any) -> Challenged:
    plain: dict[str, Any] = {
        "challenge": challenge, "by": "Ben", "to": "Ada", "mine": False, "game": "dots-and-boxes",
        "title": "Dots and Boxes", "options": {}, "clock": ClockRule(total_ms=180_000, increment_ms=2_000),
        "until_ms": 60_000, "now_ms": 0,
    }  # fmt: skip
    return Challenged(**(plain | changes))


def over(challenge: str = "c1", **changes: Any) -> ChallengeOver:
    plain: dict[str, Any] = {"by": "Ben", "to": "Ada", "mine": False, "fate": "withdrawn", "text": "Ben took it back."}
    return ChallengeOver(challenge=challenge, **(plain | changes))


def typed(model: Model, line: str) -> Any:
    return understand(Said(tuple(line.split()), model, lambda: "r"))


def test_a_challenge_stands_until_it_is_over() -> None:
    model = UP
    for event in (InStep(0.0), told(), told("c2", by="Cy"), told()):
        model = update(model, event)
    assert [one.challenge for one in model.challenges] == ["c2", "c1"]
    assert is_enabled("accept_challenge", model)
    assert not is_enabled("accept_challenge", replace(model, link=Link.DOWN))
    shown = incoming(model)
    assert shown is not None
    assert sentence(model, shown, 12.0) == "Cy challenges you (48 s): Dots and Boxes, 3+2, you go second, 8 x 8"
    assert "3+2, you begin, 8 x 8" in sentence(model, structs.replace(shown, seat=1))
    assert "3+2, you go second, 8 x 8" in sentence(model, structs.replace(shown, seat=1, mine=True))
    square = structs.replace(shown, game="square", options={})
    named = replace(model, games={"square": GAMES["square"]})
    assert "(48 s): Dots and Boxes, 3+2, you are O" in sentence(named, square, 12.0)
    assert "3+2, you are X and begin" in sentence(named, structs.replace(square, seat=1))
    model = update(update(model, over("c2")), over())
    assert model.challenges == ()
    assert model.notice.text == "Ben took it back."
    assert not is_enabled("accept_challenge", model)
    # Told again, after a reconnect, it neither stands nor is news.
    again = update(update(model, told()), over())
    assert again == replace(model, challenges_heard=again.challenges_heard)


@pytest.mark.parametrize(
    ("mine", "fate", "is_told"),
    [(True, "declined", True), (True, "expired", True), (True, "left", True), (False, "declined", False)],
)
def test_who_challenged_sees_how_it_went(mine: bool, fate: str, is_told: bool) -> None:
    model = update(update(UP, told(mine=mine)), over(mine=mine, fate=fate, text="So it went."))
    assert (model.notice.text == "So it went.") is is_told


def test_an_accepted_one_leads_away_but_from_a_match_that_is_played() -> None:
    accepted = over("m7", mine=True, fate="accepted", text="Ben has accepted.")
    assert leads_to(UP, accepted) == "m7"
    assert leads_to(replace(UP, match=snapshot(status="ended")), accepted) == "m7"
    assert leads_to(replace(UP, match=snapshot()), accepted) == ""
    assert leads_to(update(UP, accepted), accepted) == ""
    assert leads_to(UP, over("m7", fate="accepted")) == ""


def test_a_reconnect_is_told_anew_what_stands() -> None:
    model = update(update(UP, told()), Welcome(ref="r", player="p", name="Ada"))
    assert model.challenges == ()
    assert incoming(update(model, told())) is not None


def test_what_is_typed() -> None:
    assert others(UP) == ("ben 2", "Cy")
    asked = typed(UP, "challenge ben 2 dots-and-boxes clock=5+3")
    assert isinstance(asked, Challenge)
    assert (asked.name, asked.game, asked.clock) == (
        "ben 2",
        "dots-and-boxes",
        ClockRule(total_ms=300_000, increment_ms=3_000),
    )
    assert "ben 2, Cy" in typed(UP, "challenge").lines[0]
    model = update(UP, told())
    accept, decline = typed(model, "accept"), typed(model, "decline")
    assert isinstance(accept, AnswerChallenge)
    assert isinstance(decline, AnswerChallenge)
    assert (accept.challenge, accept.accept, decline.accept) == ("c1", True, False)
    playing = replace(model, match=snapshot())
    assert "goes on meanwhile. Type accept now to go." in typed(playing, "accept").lines[0]
    assert isinstance(typed(playing, "accept now"), AnswerChallenge)
    assert isinstance(typed(playing, "decline"), AnswerChallenge)
    offered = replace(model, match=snapshot(offer=OfferInfo(kind="draw", seat=1, version=3), can=(("answer",), ())))
    assert isinstance(typed(offered, "accept"), Answer), "the offer of the match at hand comes first"
    own = update(UP, told(mine=True))
    assert outgoing(own) is not None
    assert isinstance(typed(own, "withdraw"), WithdrawChallenge)
    assert typed(UP, "mute") == MuteChallenges(ref="r", on=True)
    assert typed(UP, "mute off") == MuteChallenges(ref="r", on=False)
    assert isinstance(typed(UP, "accept"), Tell)


def test_a_match_that_waits_survives_a_look_at_the_lobby() -> None:
    waiting = replace(UP, match=snapshot(status="waiting"), lobby=())
    assert isinstance(typed(waiting, "lobby"), Tell)
    assert "goes on waiting" in " ".join(typed(waiting, "lobby").lines)
