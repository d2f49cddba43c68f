"""The ways into a match of one's own: the form, a quick match, a key."""

from __future__ import annotations

from typing import Any

from textual.events import Paste
from textual.widgets import Input

from client.shown.actions.controls import Place
from client.terminal.parts.choice_row import LABEL, ChoiceRow
from client.terminal.screens.dialogs import KeyDialog
from client.terminal.screens.form import MatchForm
from protocol.errors import Code
from protocol.messages import (
    Accepted,
    ClockRule,
    Create,
    GetInvitation,
    Invitation,
    Join,
    MatchSummary,
    QuickMatch,
    Refused,
)
from tests.client.positions import snapshot


async def form(at: Any, key: str = "n") -> MatchForm:
    await at.press(key)
    await at.until(lambda: isinstance(at.app.screen, MatchForm) and len(at.app.screen.query(ChoiceRow)) >= 4)
    await at.opens(MatchForm)
    assert isinstance(at.app.screen, MatchForm)
    return at.app.screen


async def test_the_form_creates_a_match(terminal: Any) -> None:
    """CK R1.2, DB 7.3.3.3: game, size, public or private."""
    async with terminal() as at:
        await at.to_lobby()
        await form(at)
        await at.press("down", "left", "left", "left")
        await at.sees("[3 x 3]")
        await at.press("down", "right", "down", "down", "down", "right", "down", "right", "enter")
        create = await at.server.next(Create)
        assert create.options == {"width": 4, "height": 3}
        assert create.private
        assert not create.both_seats
        waiting = snapshot(status="waiting", version=1, key="KEY-1234", private=True)
        await at.server.say(Accepted(ref=create.ref, match="m1", version=1, key="KEY-1234"), waiting)
        await at.until(lambda: at.is_at(Place.MATCH) and "KEY-1234" in at.line("#banner"))


async def test_an_own_size_is_seen_as_such_and_presets_set_options(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_lobby()
        await form(at)
        await at.sees("[8 x 8]")
        rows = len(at.app.screen.query(ChoiceRow))
        await at.press("down", "down", "down", "down", "down", "enter")
        await at.until(lambda: len([row for row in at.app.screen.query(ChoiceRow) if row.is_attached]) > rows)
        await at.press("down", "right")
        await at.sees("[own choice]")
        await at.press("up", "up", "up", "up", "up", "left")
        await at.sees("[8 x 8]")
        assert dict(at.app.screen.form.options) == {"width": 8, "height": 8}


async def test_the_form_by_mouse_alone(terminal: Any) -> None:
    """DB 8.1: no pull-down menus."""
    async with terminal() as at:
        await at.to_lobby()
        dialog = await form(at)
        preset = next(found for found in dialog.query(ChoiceRow) if found.name == "@preset")
        await at.pilot.click(preset, offset=(LABEL + 1, 0))
        opponent = next(found for found in dialog.query(ChoiceRow) if found.name == "@opponent")
        await at.pilot.click(opponent, offset=(LABEL + 13, 0))
        await at.pilot.click("#create")
        create = await at.server.next(Create)
        assert create.options == {"width": 3, "height": 3}
        assert create.private


async def test_a_quick_match_is_for_everybody(terminal: Any) -> None:
    """UD RF2."""
    async with terminal() as at:
        await at.to_lobby()
        await form_quick(at)
        await at.press("enter")
        quick = await at.server.next(QuickMatch)
        assert quick.game == "dots-and-boxes"
        assert quick.options == {"width": 8, "height": 8}


async def form_quick(at: Any) -> None:
    await at.press("m")
    await at.until(lambda: isinstance(at.app.screen, MatchForm) and len(at.app.screen.query(ChoiceRow)) == 3)
    await at.opens(MatchForm)


async def test_the_form_can_be_left_and_remembers(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_lobby()
        await form(at)
        await at.press("escape")
        assert at.is_at(Place.LOBBY)
        await form(at)
        await at.press("down", "left", "left", "left", "enter")
        create = await at.server.next(Create)
        await at.server.say(Refused(ref=create.ref, code=Code.TOO_FAST, text="Not so fast."))
        await at.sees("Not so fast.")
        await form(at)
        await at.sees("[3 x 3]")


async def test_a_wrong_key_can_be_tried_again(terminal: Any) -> None:
    """CK 6.1, CK R1.6."""
    async with terminal() as at:
        await at.to_lobby()
        await at.press("k")
        await at.opens(KeyDialog)
        await at.press("enter")
        await at.sees("Please type the key.")
        await at.press(*"abc", "enter")
        join = await at.server.next(Join)
        assert join.key == "abc"
        await at.server.say(Refused(ref=join.ref, code=Code.WRONG_KEY, text="No match waits under this key."))
        await at.until(lambda: "No match waits under this key." in at.text())
        assert isinstance(at.app.screen, KeyDialog)
        await at.press("d")
        await at.pilot.click("#join")
        join = await at.server.next(Join)
        assert join.key == "abcd"
        await at.server.say(Accepted(ref=join.ref, match="m1", version=2), snapshot(you=(1,)))
        await at.until(lambda: at.is_at(Place.MATCH))


async def test_of_a_pasted_invitation_every_line_is_taken(terminal: Any) -> None:
    """Issue 14, 18: the key stands in the second line."""
    async with terminal() as at:
        await at.to_lobby()
        await at.press("k")
        await at.opens(KeyDialog)
        field = at.app.screen.query_one(Input)
        field.post_message(Paste("Play?\nhttp://192.0.2.7:7878/#key=ABCD\u2013EFGH\u2013JKLM.\n" + "See you! " * 40))
        await at.until(lambda: bool(field.value))
        assert len(field.value) == field.max_length
        await at.press("enter")
        assert (await at.server.next(Join)).key == "ABCD-EFGH-JKLM"


async def test_the_help_of_the_lobby_comes_from_the_table(terminal: Any) -> None:
    async with terminal(size=(80, 50)) as at:
        await at.to_lobby()
        await at.press("question_mark")
        assert "Be paired with whoever waits" in at.text().replace("\n", " ")
        await at.press("question_mark")
        assert "Be paired" not in at.text()


async def test_a_whole_key_tells_to_what_it_invites(terminal: Any) -> None:
    """CK R1.3, R1.6: before a seat is taken: who invites to which game, with what clock and options, and on which side;
    each key is asked about once, and by one that is not whole nothing is asked."""
    async with terminal() as at:
        await at.to_lobby()
        await at.press("k")
        await at.opens(KeyDialog)
        await at.press(*"abcd-efgh-jkl", *"m")
        asked = await at.server.next(GetInvitation)
        assert asked.key == "abcd-efgh-jklm"
        summary = MatchSummary(
            match="m1", game="dots-and-boxes", options={"width": 3, "height": 3}, status="waiting",
            names=("Ben", None), created_ms=1, clock_rule=ClockRule(total_ms=180_000, increment_ms=2_000),
        )  # fmt: skip
        await at.server.say(Invitation(ref=asked.ref, summary=summary, seat=1))
        await at.sees("Ben invites you: Dots and Boxes, 3+2, you go second, 3 x 3.")
        await at.press("enter")
        assert (await at.server.next(Join)).key == "abcd-efgh-jklm"
