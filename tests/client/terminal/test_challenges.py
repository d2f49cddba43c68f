"""Challenges on the terminal: whom, from the lobby; answered on every screen; and a match that waits meanwhile."""

from __future__ import annotations

import re
from typing import Any

import pytest
from textual.widgets import OptionList

from client.shown.actions.controls import Place
from client.shown.model import update
from client.shown.words.challenges import ONCE_MORE
from client.terminal.attention import Attention
from client.terminal.parts.challenge_bar import ChallengeBar
from client.terminal.screens.challenges import ChallengeDialog
from client.terminal.screens.form import MatchForm
from protocol.messages import (
    Accepted,
    AnswerChallenge,
    Cancel,
    Challenge,
    ChallengeOver,
    ChallengesMuted,
    Joined,
    LobbyChange,
    MuteChallenges,
    Watch,
    WithdrawChallenge,
)
from server.match import commands as c
from tests.client.positions import own, snapshot
from tests.client.refereed import Refereed
from tests.client.shown.test_challenges import told

SIZES = [(60, 20), (80, 24), (160, 45)]


@pytest.mark.parametrize("size", SIZES[:2])
async def test_somebody_who_is_here_is_challenged(terminal: Any, size: tuple[int, int]) -> None:
    async with terminal(size=size) as at:
        await at.to_lobby()
        await at.server.say(LobbyChange(people=("Ada", "Ben", "Cy"), here=3))
        await at.sees("Ben, Cy")
        await at.press("c")
        await at.opens(ChallengeDialog)
        await at.sees("Challenge whom?")
        await at.press("down", "enter")
        await at.opens(MatchForm)
        await at.sees("Challenge Cy")
        assert "Opponent" not in at.text()
        await at.press("enter")
        asked = await at.server.next(Challenge)
        assert (asked.name, asked.game) == ("Cy", "dots-and-boxes")
        await at.server.say(Accepted(ref=asked.ref), told("m7", by="Ada", to="Cy", mine=True))
        await at.sees("You challenge Cy (")
        await at.sees("F9 Withdraw")
        over = ChallengeOver(challenge="m7", by="Ada", to="Cy", mine=True, fate="declined", text="Cy declined.")
        await at.server.say(over)
        await at.sees("Cy declined.")
        assert not at.app.screen.query_one(ChallengeBar).display


async def test_an_accepted_challenge_leads_to_the_board(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_lobby()
        await at.server.say(told("m1", by="Ada", to="Ben", mine=True))
        await at.sees("You challenge Ben")
        await at.press("f9")
        withdrawn = await at.server.next(WithdrawChallenge)
        over = ChallengeOver(challenge="m1", by="Ada", to="Ben", mine=True, fate="accepted", text="Ben has accepted.")
        await at.server.say(over)
        watch = await at.server.next(Watch)
        assert (withdrawn.challenge, watch.match) == ("m1", "m1")
        await at.server.say(Accepted(ref=watch.ref, match="m1", version=2), snapshot(match="m1", version=2))
        await at.until(lambda: at.is_at(Place.MATCH))


def said(at: Any) -> str:
    """What of the challenge's sentence is on screen, its lines one after the other."""
    at_text = at.app.screen.query_one("#challenge-text").region
    lines = at.text().split("\n")[at_text.y : at_text.bottom]
    return " ".join(line[at_text.x : at_text.right] for line in lines)


@pytest.mark.parametrize("name", ["Ben", "漢" * 20])
async def test_what_has_no_room_is_said_to_be_missing(terminal: Any, name: str) -> None:
    async with terminal(size=(60, 20)) as at:
        await at.to_lobby()
        await at.server.say(told(by=name, title=" ".join(["Dots"] * 20)))
        await at.until(lambda: " ".join(said(at).split()).endswith("…"))


@pytest.mark.parametrize(
    ("where", "size"),
    [
        ("front", SIZES[0]),
        ("lobby", SIZES[1]),
        ("form", SIZES[0]),
        ("match", SIZES[0]),
        ("match", SIZES[2]),
        ("tall", SIZES[1]),
        ("end", SIZES[1]),
    ],
)
async def test_a_challenge_is_answered_on_every_screen(terminal: Any, where: str, size: tuple[int, int]) -> None:
    async with terminal(size=size) as at:
        if where == "front":
            await at.until(lambda: at.app.model.lobby is not None)
        elif where == "tall":
            # A board that needs every row keeps it.
            await at.to_match(Refereed("ultimate-dots-and-boxes").snapshot())
            await at.until(lambda: at.text().startswith("1 a   b"))
        elif where in ("match", "end"):
            await at.to_match(snapshot(status="ended" if where == "end" else "playing"))
        else:
            await at.to_lobby()
        if where == "form":
            await at.press("n")
            await at.opens(MatchForm)
        await at.server.say(told(by="Maximiliane Oberhaus"))
        # Whole: also the side that one would have, however long the name is.
        await at.sees("Maximiliane Oberhaus")
        await at.until(lambda: "you go second" in " ".join(said(at).split()))
        words = " ".join(said(at).split())
        assert re.match(r"Maximiliane Oberhaus challenges you \(\d+ s\): Dots and Boxes, .*you go second", words)
        await at.sees("F7 Accept")
        await at.sees("F8 Decline")
        if where in ("match", "tall"):
            assert at.app.model.match is not None
            assert at.app.screen.query_one("#head").region.y > 0, "it covers the head line"
            assert at.text().startswith("1 a   b" if where == "tall" else " Maximiliane Oberhaus")
        await at.press("f8")
        declined = await at.server.next(AnswerChallenge)
        assert (declined.challenge, declined.accept) == ("c1", False)
        if where in ("match", "tall"):
            # Nobody is taken away from a match without having been asked.
            await at.press("f7")
            await at.until(lambda: at.app.model.notice.text == ONCE_MORE)
            assert at.server.received.empty()
        await at.press("f7")
        accepted = await at.server.next(AnswerChallenge)
        assert accepted.accept
        await at.server.say(Accepted(ref=accepted.ref, match="c1", version=2), snapshot(match="c1", version=2))
        await at.until(lambda: at.app.model.match is not None and at.app.model.match.match == "c1")
        await at.until(lambda: at.is_at(Place.MATCH))


async def test_challenges_are_muted_in_the_list(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_lobby()
        await at.server.say(LobbyChange(people=("Ada", "Ben"), here=2))
        await at.sees("Here: Ben")
        await at.press("c")
        await at.opens(ChallengeDialog)
        await at.until(lambda: at.app.screen.query_one(OptionList).option_count == 1)
        await at.press("m")
        asked = await at.server.next(MuteChallenges)
        assert asked.on
        await at.server.say(Accepted(ref=asked.ref), ChallengesMuted(on=True))
        await at.sees("You are challenged by nobody")
        await at.press("m")
        assert not (await at.server.next(MuteChallenges)).on


async def test_a_match_that_waits_survives_a_look_at_the_lobby(terminal: Any) -> None:
    """Esc shows the lobby and leaves nothing; who joins calls the host back; only Cancel ends it."""
    async with terminal() as at:
        waiting = snapshot(status="waiting", can=(("cancel",), ()))
        await at.to_match(waiting)
        await at.press("escape")
        await at.until(lambda: at.is_at(Place.LOBBY))
        assert at.app._session.match == waiting.match, "it is followed still"
        assert at.server.received.empty()
        await at.sees("yours")
        await at.press("enter")
        await at.until(lambda: at.is_at(Place.MATCH))
        await at.press("escape")
        await at.until(lambda: at.is_at(Place.LOBBY))
        await at.press("enter")
        await at.until(lambda: at.is_at(Place.MATCH))
        await at.press("c")
        assert (await at.server.next(Cancel)).match == waiting.match


async def test_ones_own_matches_are_told_while_one_of_them_waits(terminal: Any) -> None:
    """Issue 14, 4: it is followed meanwhile; its row says how it stands, and it is cancelled from there."""
    async with terminal() as at:
        at.server.own = ()
        await at.to_match(snapshot(status="waiting", can=(("cancel",), ())))
        at.server.own = (own("m1", status="waiting", plies=0, to_move=None),)
        await at.press("escape")
        await at.until(lambda: at.is_at(Place.LOBBY))
        await at.until(lambda: [row.act for row in at.app.screen._rows] == ["cancel"])
        await at.press("x")
        assert (await at.server.next(Cancel)).match == "m1"


async def test_who_joins_calls_the_host_back_from_the_lobby(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_match(snapshot(status="waiting", version=1))
        await at.press("escape")
        await at.until(lambda: at.is_at(Place.LOBBY))
        await at.server.say(Joined(match="m1", version=2, at_ms=1, seat=1, name="Ben", status="playing"))
        await at.until(lambda: at.is_at(Place.MATCH))


@pytest.mark.parametrize(("term", "begin"), [("xterm", "\x1b]9;Parlour: "), ("foot", "\x1b]777;notify;Parlour;")])
def test_the_desktop_is_told_while_the_window_is_behind(term: str, begin: str) -> None:
    written: list[str] = []
    rings: list[bool] = []
    behind: list[bool] = []
    attention = Attention(written.append, lambda: rings.append(True), lambda: bool(behind), term)
    match = Refereed("dots-and-boxes")
    match.play()
    attention.show(match.model())
    assert not any(text.startswith(begin) for text in written)
    behind.append(True)
    match.do("ben", c.Offer("draw"))
    attention.show(match.model())
    attention.show(update(match.model(), told(by="Ben\x07\x1b]0;owned", title="Dots")))
    notices = [text for text in written if text.startswith(begin)]
    assert "challenges you: Dots" in notices[-1]
    assert not any("\x1b" in text[1:] or "\x07" in text[:-1] for text in notices)
    assert len(rings) >= len(notices) >= 1
