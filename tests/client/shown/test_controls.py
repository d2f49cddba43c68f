"""The one table of what a user can do."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from msgspec import structs
from rich.cells import cell_len

from client.shown.actions import controls
from client.shown.actions.controls import (
    CONTROLS,
    Place,
    Shelf,
    controls_for,
    is_enabled,
    key_help,
    on_shelf,
    row_and_menu,
)
from client.shown.actions.icons import ICONS
from client.shown.actions.when import STOPPED_SHORT
from client.shown.model import Link, Model
from client.window.drawing.icons import SQUARE, lines
from server.match import commands as c
from server.match.events import EndReason
from tests.client.positions import own, snapshot
from tests.client.refereed import Refereed
from tests.driver import ROOT

FIRST_EMOJI = 0x2700
"""From here on there are characters that some terminals draw in two columns."""
NEW = Model()
UP = Model(link=Link.UP)


def test_no_key_means_two_things_on_one_screen() -> None:
    """But y: it copies the link of a match that waits, and accepts an offer, which nobody makes to one."""
    for place in Place:
        keys = [(key, control.action) for control in controls_for(place) for key in control.keys]
        once = [key for key, action in keys if action != "copy"]
        assert len(once) == len(set(once))
    for status in ("waiting", "playing", "ended"):
        for you in ((), (0,), (0, 1)):
            model = replace(UP, match=snapshot(status=status, you=you))
            assert is_enabled("copy", model) is (status == "waiting" and you != ())
    match = Refereed()
    assert match.do("ben", c.Offer("draw"))
    assert is_enabled("accept", replace(UP, match=match.snapshot("ada")))
    assert not is_enabled("copy", replace(UP, match=match.snapshot("ada")))


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


def of(model: Model, most: int) -> tuple[list[str], list[str]]:
    row, menu = row_and_menu(model, most)
    return [control.action for control in row], [control.action for control in menu]


def test_the_row_has_what_is_needed_often_and_the_menu_the_rest() -> None:
    """CK 5.4: by what is played and against whom; nothing is in both, nothing is left out, no answer is in either."""
    person = replace(UP, match=Refereed("checkers").snapshot())
    assert of(person, 2) == (
        ["draw", "give_up"],
        ["pause", "takeback", "restart", "revert", "save", "mute", "settings"],
    )
    assert of(person, 5)[0] == ["draw", "give_up", "takeback", "pause", "restart"]
    assert of(replace(UP, match=Refereed("checkers", both=True).snapshot()), 2)[0] == ["restart", "takeback"]
    computer = structs.replace(Refereed("checkers").snapshot(), level="easy")
    assert of(replace(UP, match=computer), 2)[0] == ["takeback", "hint"]
    task = structs.replace(Refereed("checkers", both=True).snapshot(), lesson=1)
    assert not {"save", "mute"} & set(of(replace(UP, match=task), 5)[1])
    over = Refereed("checkers")
    over.play()
    over.do("ben", c.Abandon())
    assert of(replace(UP, match=over.snapshot()), 5)[0] == ["rematch", "again", "clear"]
    offered = Refereed("checkers")
    offered.do("ben", c.Offer("draw"))
    for most in range(6):
        for model in (person, replace(UP, match=offered.snapshot())):
            row, menu = of(model, most)
            seen = [one.action for one in on_shelf(Place.MATCH, Shelf.ACTIONS, Shelf.MENU) if one.is_seen(model)]
            assert sorted([*row, *menu, "more"]) == sorted(seen)
            assert len(row) <= most
            assert not {"accept", "decline", "withdraw"} & {*row, *menu}


def test_what_moves_do_moves_nothing_in_the_row() -> None:
    """A takeback is possible after the first move: its place is there before."""
    match = Refereed("checkers")
    before = of(replace(UP, match=match.snapshot()), 5)
    match.play()
    assert of(replace(UP, match=match.snapshot()), 5) == before


def test_the_page_has_the_same_row_and_the_same_icons() -> None:
    folder = ROOT / "client" / "web"
    table = (folder / "shown" / "controls.js").read_text(encoding="utf-8")

    def listed(name: str) -> list[str]:
        found = re.search(rf"^const {name} = \[([^\]]*)\]", table, re.MULTILINE)
        assert found is not None, name
        return re.findall(r'"(\w+)"', found[1])

    assert listed("ROW") == [one for one in controls.ROW if one in listed("ROW")]
    assert set(controls.ROW) - set(listed("ROW")) == {"rematch", "again", "review", "practise", "clear"}, "on its card"
    assert listed("ROW_AGAINST_THE_COMPUTER") == list(controls.ROW_AGAINST_THE_COMPUTER)
    assert listed("ROW_OF_BOTH") == list(controls.ROW_OF_BOTH)
    drawn: dict[str, str] = {}
    for file in ("parts/parts.js", "match/action_icons.js"):
        text = (folder / "screens" / file).read_text(encoding="utf-8")
        drawn |= dict(re.findall(r'^  (\w+):\s+"(M[^"]+)",$', text, re.MULTILINE))
    alike = ICONS.keys() & drawn.keys()
    assert set(listed("ROW")) | {"hint", "revert", "save", "settings", "help", "lobby", "more"} <= alike
    assert [name for name in sorted(alike) if drawn[name] != ICONS[name].path] == []


def test_whatever_ends_a_match_before_its_game_leaves_a_position_to_practise() -> None:
    """A reason that the server gets is known here, or has no such position: tasks are not practised."""
    stopped = {reason.value for reason in EndReason} - {EndReason.TASK_DONE, EndReason.TASK_MISSED}
    assert stopped == STOPPED_SHORT
    table = (ROOT / "client" / "web" / "shown" / "controls.js").read_text(encoding="utf-8")
    found = re.search(r'^const STOPPED_SHORT = "([a-z_ ]+)"', table, re.MULTILINE)
    assert found is not None
    assert set(found[1].split()) == STOPPED_SHORT


@pytest.mark.parametrize("action", sorted(ICONS))
def test_a_drawing_stays_in_its_square_and_a_sign_is_one_column(action: str) -> None:
    points = [point for line in lines(ICONS[action].path) for point in line]
    assert len(points) > 1
    assert all(2 <= part <= SQUARE - 2 for point in points for part in point)
    sign = ICONS[action].sign
    assert (len(sign), cell_len(sign)) == (1, 1)
    assert ord(sign) < FIRST_EMOJI
