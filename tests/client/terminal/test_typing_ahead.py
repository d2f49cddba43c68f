"""What is typed faster than the screen can follow: all keys come in one burst, as a terminal sends them.

Each trial counts the commands that reach the server: whatever was typed after the key that opens something is in what
it opened, or is dropped, and nothing of it was done to the match below (`CK 5.4.1`, `DB 7.3.2.1`).
"""

from __future__ import annotations

from typing import Any

import pytest
from textual import events
from textual.widgets import Input

from client.shown.actions.controls import BY_ACTION, Place
from client.terminal import typing_ahead
from client.terminal.screens.base import OPENING, Dialog
from client.terminal.screens.dialogs import AskDialog, KeyDialog, SayDialog
from client.terminal.screens.form import MatchForm
from client.terminal.screens.saved import SaveDialog
from client.terminal.screens.settings_dialog import SettingsDialog
from protocol.messages import (
    Abandon,
    Accepted,
    Command,
    Create,
    GetRecord,
    Leave,
    Look,
    MatchSummary,
    Move,
    Say,
    Snapshot,
)
from tests.client.positions import snapshot
from tests.client.scripted_server import ScriptedServer

CAN = (
    "abandon", "offer_draw", "offer_restart", "offer_takeback", "offer_revert", "pause", "hint", "answer", "withdraw",
)  # fmt: skip
ACTING = "dahptbgekrw"
"""The letters that would do something to such a match."""
ASKS = (GetRecord, Look, Leave)
"""What a client asks by itself, and what changes nothing."""

CID = MatchSummary(
    match="x", game="dots-and-boxes", options={"width": 8}, status="waiting", names=("Cid", None), created_ms=0
)


def open_match(match: str = "m1", **changes: Any) -> Snapshot:
    """One in which the server would grant everything."""
    return snapshot(match=match, to_move=0, plies=3, can=(CAN, CAN), **changes)


def typed(at: Any, *keys: str) -> None:
    """All of them at once, before the application has its turn."""
    for key in keys:
        at.app.post_message(events.Key(key, key if len(key) == 1 else None))


def done(at: Any) -> list[Command]:
    """From here on: what the client sends that is more than a question."""
    sent: list[Command] = []
    send = at.app._send

    def noting(command: Command) -> None:
        if not isinstance(command, ASKS):
            sent.append(command)
        send(command)

    at.app._send = noting
    return sent


@pytest.mark.parametrize(
    ("action", "dialog"),
    [("type", None), ("say", None), ("save", SaveDialog), ("give_up", AskDialog), ("restart", AskDialog),
     ("revert", Dialog), ("settings", SettingsDialog)],
)  # fmt: skip
async def test_what_follows_the_key_of_a_dialog_is_in_it(terminal: Any, action: str, dialog: type | None) -> None:
    async with terminal() as at:
        await at.to_match(open_match())
        sent = done(at)
        typed(at, BY_ACTION[action].keys[0], *ACTING)
        await at.keys_are_handed_out()
        assert isinstance(at.app.screen, dialog or Dialog)
        assert sent == []
        lines = [ACTING] if action in ("type", "say", "save") else []
        assert [line.value for line in at.app.screen_stack[-1].query(Input)] == lines


async def test_a_line_typed_in_one_go_is_said_and_a_move_is_played(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_match(open_match())
        sent = done(at)
        typed(at, "slash", *"hda", "enter")
        await at.keys_are_handed_out()
        typed(at, "colon", "a", "1", "minus", "b", "1", "enter")
        await at.keys_are_handed_out()
        assert [type(one) for one in sent] == [Say, Move]
        assert [one.text for one in sent if isinstance(one, Say)] == ["hda"]


async def test_a_question_is_answered_by_what_was_typed_behind_it(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_match(open_match())
        sent = done(at)
        typed(at, "a", "d", "h", "enter")
        await at.keys_are_handed_out()
        assert at.is_at(Place.MATCH)
        assert sent == []
        typed(at, "a", "y")
        await at.keys_are_handed_out()
        assert [type(one) for one in sent] == [Abandon]


@pytest.mark.parametrize("action", OPENING[Place.MATCH])
async def test_what_follows_a_key_that_opens_nothing_now_is_dropped(terminal: Any, action: str) -> None:
    """While one looks back no move can be typed, and nobody who watches can surrender: that is no draw offered."""
    async with terminal() as at:
        await at.to_match(open_match(you=()) if action != "type" else open_match())
        at.app.step(1)
        sent = done(at)
        opens = not BY_ACTION[action].enabled(at.app.model)
        typed(at, BY_ACTION[action].keys[0], *ACTING, "l")
        await at.keys_are_handed_out()
        assert sent == []
        assert at.is_at(Place.MATCH) == opens


async def test_a_dialog_that_goes_with_its_match_leaves_nothing_to_the_next(terminal: Any) -> None:
    """Somebody says something while the other one agrees to a rematch."""
    async with terminal() as at:
        await at.to_match(open_match())
        await at.press("slash")
        await at.opens(SayDialog)
        sent = done(at)
        typed(at, *"goo")
        await at.keys_are_handed_out()
        at.app.take(open_match("m2"))
        typed(at, *ACTING, "enter")
        await at.until(lambda: at.is_at(Place.MATCH))
        await at.keys_are_handed_out()
        assert sent == []
        at.app._last_typed -= typing_ahead.PAUSE_S
        typed(at, "d")
        await at.keys_are_handed_out()
        assert len(sent) == 1


async def test_a_form_entered_twice_hosts_one_match_and_plays_no_move(terminal: Any, server: ScriptedServer) -> None:
    server.lobby = (CID,)
    async with terminal() as at:
        await at.to_lobby()
        await at.sees("Cid")
        sent = done(at)
        typed(at, "n", "enter", "enter", "x", "enter", "m", "enter")
        create = await server.next(Create)
        typed(at, "enter", "w", "a", "y")
        await server.say(Accepted(ref=create.ref, match="m1", version=3), open_match())
        await at.until(lambda: at.is_at(Place.MATCH))
        await at.keys_are_handed_out()
        assert [type(one) for one in sent] == [Create]


async def test_a_card_is_asked_once_and_the_lobby_takes_no_second_enter(terminal: Any, server: ScriptedServer) -> None:
    server.lobby = (CID,)
    async with terminal() as at:
        await at.sees("Friend (link)")
        sent = done(at)
        typed(at, "enter", "enter", "enter")
        await at.until(lambda: at.is_at(Place.LOBBY))
        await at.keys_are_handed_out()
        assert sent == []
        await at.press("g")
        await at.until(lambda: at.is_at(Place.NAME) and "Friend (link)" in at.text())
        typed(at, "1", "f", "f", "enter", "s")
        await at.keys_are_handed_out()
        assert [type(one) for one in sent] == [Create]


async def test_the_lobbys_dialogs_have_what_is_typed_behind_their_keys(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_lobby()
        sent = done(at)
        typed(at, "k", *"nmk")
        await at.keys_are_handed_out()
        assert isinstance(at.app.screen, KeyDialog)
        assert at.app.screen.query_one(Input).value == "nmk"
        typed(at, "escape", "m", "right")
        await at.keys_are_handed_out()
        assert isinstance(at.app.screen, MatchForm)
        assert sent == []


async def test_what_is_kept_has_a_bound_and_the_ways_out_are_never_kept(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_match(open_match())
        typed(at, *("slash", *"x" * 2 * typing_ahead.MOST, "ctrl+c"))
        await at.until(lambda: at.app._exit)
        assert len(at.app._typed) <= typing_ahead.MOST
