"""The one table of what a user can do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.shown.controls import CONTROLS, Place, controls_for, is_enabled, key_help
from client.shown.model import Link, Model
from tests.client.positions import own, snapshot

NEW = Model()
UP = Model(link=Link.UP)


def test_no_key_means_two_things_on_one_screen() -> None:
    for place in Place:
        keys = [key for control in controls_for(place) for key in control.keys]
        assert len(keys) == len(set(keys))


def test_actions_are_named_once_and_explained() -> None:
    for place in Place:
        actions = [control.action for control in controls_for(place)]
        assert len(set(actions)) == len(actions)
    for control in CONTROLS:
        assert control.help.endswith(".")
        assert control.label
        assert control.places


def test_without_a_connection_only_trying_again_and_closing() -> None:
    """UD RF1."""
    enabled = {control.action for control in controls_for(Place.NAME) if control.enabled(NEW)}
    assert enabled == {"retry", "quit", "help", "rename"}
    lobby = {control.action for control in controls_for(Place.LOBBY) if control.enabled(NEW)}
    assert lobby == {"quit", "help", "settings"}
    listed = replace(UP, lobby_game="dots-and-boxes", own=(own("a"),), people=("Ben",))
    of_a_challenge = {"accept_challenge", "decline_challenge", "withdraw_challenge"}
    lobby = {control.action for control in controls_for(Place.LOBBY) if not control.enabled(listed)}
    assert lobby == of_a_challenge


@pytest.mark.parametrize("status", ["waiting", "playing", "ended"])
def test_quit_and_help_are_always_there(status: str) -> None:
    """DB 7.1.2.1, DB 8.1."""
    model = replace(UP, match=snapshot(status=status))
    assert is_enabled("quit", model)
    assert is_enabled("help", model)
    assert is_enabled("lobby", model)


def test_moves_and_giving_up_only_in_a_match_with_a_seat() -> None:
    """UD RF4, CK R4.3, SQ9."""
    playing = replace(UP, match=snapshot(to_move=1))
    assert is_enabled("touch", playing)
    assert is_enabled("give_up", playing)
    watching = replace(UP, match=snapshot(you=()))
    assert not is_enabled("touch", watching)
    assert not is_enabled("give_up", watching)
    ended = replace(UP, match=snapshot(status="ended"))
    assert not is_enabled("touch", ended)
    assert not is_enabled("give_up", ended)
    both = replace(UP, match=snapshot(you=(0, 1)))
    assert is_enabled("touch", both)
    assert is_enabled("give_up", both)


def test_a_match_is_taken_back_only_while_it_waits() -> None:
    assert is_enabled("cancel", replace(UP, match=snapshot(status="waiting")))
    assert not is_enabled("cancel", replace(UP, match=snapshot()))


def test_the_help_lists_every_key_of_the_screen() -> None:
    """DB 7.3.1.5."""
    keys = [keys for keys, _ in key_help(Place.MATCH)]
    assert keys == [control.shown for control in controls_for(Place.MATCH)]
    assert "?" in keys
