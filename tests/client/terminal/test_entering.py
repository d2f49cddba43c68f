"""The first screen and the lobby: connecting, what is listed, and the ways into a match."""

from __future__ import annotations

from typing import Any

import pytest
from textual.events import Paste
from textual.widgets import Button, DataTable, Input

from client.conversation.address import Address, parse_address
from client.kept.identity import Identity
from client.shown.controls import Place
from client.start.hub_process import CannotStart
from client.start.launch import LocalGame
from client.terminal.base import Dialog
from client.terminal.choice_row import LABEL, ChoiceRow
from client.terminal.dialogs import AskDialog, KeyDialog
from client.terminal.form import MatchForm
from client.terminal.lobby_screen import LobbyScreen
from client.terminal.name_screen import NameScreen
from protocol.errors import Code
from protocol.messages import (
    Abandon,
    Accepted,
    Create,
    Forget,
    Hello,
    Join,
    LobbyChange,
    MatchSummary,
    QuickMatch,
    Refused,
    Result,
    Watch,
)
from tests.client.positions import own, snapshot
from tests.client.scripted_server import ScriptedServer


def row(match: str, **changes: Any) -> MatchSummary:
    plain: dict[str, Any] = {
        "match": match, "game": "dots-and-boxes", "options": {}, "status": "waiting", "names": ("Ben", None),
        "created_ms": 0,
    }  # fmt: skip
    return MatchSummary(**(plain | changes))


# The name ---------------------------------------------------------------------------------------------------------


async def test_a_name_is_made_up_once_and_changed_in_its_place(terminal: Any, identity: Identity) -> None:
    """UD RF1: it connects by itself and says how that went; the name can be changed, and is kept."""
    async with terminal(name="") as at:
        assert at.is_at(Place.NAME)
        await at.sees("Nobody waits in the lobby yet.")
        made_up = at.server.hellos[0].name
        assert 1 <= len(made_up) <= 20
        assert at.server.hellos[0].rename
        assert identity.named() == made_up
        await at.press("n", *"Eva", "enter")
        await at.until(lambda: at.app.model.name == "Eva")
        assert at.is_at(Place.NAME)
        assert [hello.rename for hello in at.server.hellos] == [True, False]
        await at.press("enter")
        await at.until(lambda: at.is_at(Place.LOBBY))
        await at.sees("Eva")
        assert identity.name == "Eva"
        assert identity.token(at.server.address.url) == "secret"


async def test_an_empty_name_is_asked_for(terminal: Any) -> None:
    """CK 6.1."""
    async with terminal(name="") as at:
        await at.until(lambda: at.app.model.name)
        await at.press("n", "delete", "enter")
        await at.sees("type a name first")
        assert len(at.server.hellos) == 1
        await at.press("escape", "enter")
        await at.until(lambda: at.is_at(Place.LOBBY))


async def test_without_a_connection_one_can_try_again_or_quit(terminal: Any, server: ScriptedServer) -> None:
    """UD RF1: the reason is told; only trying again and quitting are left."""
    await server.stop()
    # It connects by itself. (A button that was pressed takes no click for a moment.)
    async with terminal() as at:
        await at.until(lambda: "Nobody answers at" in at.text())
        assert at.is_at(Place.NAME)
        assert str(at.app.screen.query_one("#connect", Button).label) == "Try again"
        await server.start()
        await at.pilot.click("#connect")
        await at.until(lambda: at.is_at(Place.LOBBY))


async def test_a_server_that_cannot_be_started_is_told(terminal: Any) -> None:
    def fail() -> Address:
        raise CannotStart("Port 7878 is used by something else.")

    async with terminal(prepare=fail) as at:
        await at.press("enter")
        await at.until(lambda: "Port 7878 is used by something else." in at.text())


async def test_a_refused_name_can_be_changed(terminal: Any, server: ScriptedServer) -> None:
    def only_eva(hello: Hello) -> Refused | None:
        return None if hello.name == "Eva" else Refused(ref=hello.ref, code=Code.BAD_NAME, text="A name has letters.")

    server.refuse_hello = only_eva
    async with terminal(name="#") as at:
        await at.until(lambda: "A name has letters." in at.text())
        at.app.screen.query_one(Input).value = "Eva"
        await at.press("enter")
        await at.until(lambda: at.is_at(Place.LOBBY))


async def test_a_name_in_use_is_answered_with_one_that_is_free(terminal: Any, server: ScriptedServer) -> None:
    """RU-M9: one press more, and one is in under the name that the server suggested."""

    def only_the_other(hello: Hello) -> Refused | None:
        data = {"suggestion": "Eva 2"}
        taken = Refused(ref=hello.ref, code=Code.NAME_IN_USE, text="Somebody is called that.", data=data)
        return None if hello.name == "Eva 2" else taken

    server.refuse_hello = only_the_other
    async with terminal(name="Eva") as at:
        await at.sees("Take it")
        assert at.app.screen.query_one(Input).value == "Eva 2"
        await at.press("enter")
        await at.until(lambda: at.is_at(Place.LOBBY))
        assert server.hellos[-1].name == "Eva 2"


async def test_a_known_guest_comes_back_and_an_unknown_one_is_told(
    terminal: Any, server: ScriptedServer, identity: Identity
) -> None:
    identity.remember(server.address.url, "Ada", "old")

    def not_old(hello: Hello) -> Refused | None:
        return Refused(ref=hello.ref, code=Code.BAD_TOKEN, text="unknown") if hello.token == "old" else None

    server.refuse_hello = not_old
    async with terminal(name="") as at:
        await at.to_lobby()
        assert [hello.token for hello in server.hellos] == ["old", None]
        await at.sees("new guest")
        assert identity.token(server.address.url) == "secret"


async def test_the_name_given_on_the_command_line_connects_at_once(terminal: Any) -> None:
    async with terminal(connects_at_once=True) as at:
        await at.until(lambda: at.is_at(Place.LOBBY))


async def test_watching_from_the_command_line(terminal: Any) -> None:
    async with terminal(connects_at_once=True, watch="m1") as at:
        watch = await at.server.next(Watch)
        assert watch.match == "m1"
        await at.server.say(Refused(ref=watch.ref, code=Code.UNKNOWN_MATCH, text="There is no such match here."))
        await at.until(lambda: at.is_at(Place.LOBBY) and "no such match" in at.text())


async def test_a_link_leads_into_its_match(terminal: Any) -> None:
    """Issue 5: private games by a link."""
    async with terminal(connects_at_once=True, key="ABCD-EFGH-JKLM") as at:
        join = await at.server.next(Join)
        assert (join.match, join.key) == ("", "ABCD-EFGH-JKLM")
    async with terminal(connects_at_once=True, join="m7") as at:
        assert (await at.server.next(Join)).match == "m7"


async def test_who_waits_is_shown_the_link_to_give_away(terminal: Any) -> None:
    """Issue 5: by a link; on a server that others can reach."""
    async with terminal() as at:
        await at.to_match(snapshot(status="waiting", match="m9", key="ABCD-EFGH-JKLM", private=True))
        at.app._address = parse_address("192.0.2.7")
        at.app.refresh_screens()
        await at.sees("For your opponent: http://192.0.2.7:7878/#key=ABCD-EFGH-JKLM")


# The lobby --------------------------------------------------------------------------------------------------------


async def test_an_empty_lobby_says_what_to_do(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_lobby()
        await at.until(lambda: "No match waits or is played." in at.text())
        await at.sees("host a match")


async def test_the_list_is_live(terminal: Any, server: ScriptedServer) -> None:
    """CK 5.3."""
    server.lobby = (row("a", options={"width": 3, "height": 3}),)
    async with terminal() as at:
        await at.to_lobby()
        await at.until(lambda: "Dots and Boxes  3 x 3" in at.text())
        await server.say(
            LobbyChange(put=(row("b", names=("Zoe", "Yan"), status="playing", created_ms=5),), gone=("a",))
        )
        await at.until(lambda: "Zoe and Yan" in at.text())
        assert "3 x 3" not in at.text()
        await at.sees("0 waiting, 1 in play")


async def test_who_is_here_is_told_below_the_list(terminal: Any, server: ScriptedServer) -> None:
    """Issue 5: the players who are here, live."""
    async with terminal() as at:
        await at.to_lobby()
        await at.sees("Nobody else is here")
        await server.say(LobbyChange(people=(at.app.model.name, "Zoe", "bob"), here=3))
        await at.sees("Here: bob, Zoe")
        await server.say(LobbyChange(here=9))
        await at.sees("Here: bob, Zoe and 6 more")
        await server.say(LobbyChange(people=(), here=1))
        await at.sees("Nobody else is here")


async def test_the_chosen_row_stays_chosen(terminal: Any, server: ScriptedServer) -> None:
    server.lobby = (row("a"), row("b", created_ms=1))
    async with terminal() as at:
        await at.to_lobby()
        await at.press("down")
        await server.say(LobbyChange(put=(row("c", created_ms=2, names=("Zoe", None)),)))
        await at.until(lambda: "Zoe" in at.text())
        assert at.app.screen.query_one(DataTable).cursor_row == 2


@pytest.mark.parametrize(
    ("summary", "matches", "key", "expected"),
    [
        (row("a"), (), "enter", Join),
        (row("a", status="playing"), (), "enter", Watch),
        (row("a", status="playing"), (), "w", Watch),
        (row("a", status="playing"), ("a",), "enter", Watch),
    ],
)
async def test_a_row_is_joined_watched_or_gone_on_with(
    terminal: Any, server: ScriptedServer, summary: MatchSummary, matches: tuple[str, ...], key: str, expected: type
) -> None:
    server.lobby, server.matches = (summary,), matches
    async with terminal() as at:
        await at.to_lobby()
        await at.until(lambda: "Ben" in at.text())
        await at.opens(LobbyScreen)
        await at.press(key)
        command: Any = await server.next(expected)
        assert command.match == "a"
        await server.say(Accepted(ref=command.ref, match="a", version=2), snapshot(match="a"))
        await at.until(lambda: at.is_at(Place.MATCH))


async def test_own_matches_that_go_on_come_first(terminal: Any, server: ScriptedServer) -> None:
    server.lobby, server.matches = (
        (row("a", created_ms=9), row("b", status="playing", names=("Ada", "Zoe"))),
        ("b", "x"),
    )
    async with terminal() as at:
        await at.to_lobby()
        await at.until(lambda: "A match of yours" in at.text())
        assert isinstance(at.app.screen, LobbyScreen)
        assert [one.match for one in at.app.screen._rows] == ["b", "x", "a"]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (160, 45)])
async def test_own_matches_are_rows_and_are_dropped_from_there(
    terminal: Any, server: ScriptedServer, size: tuple[int, int]
) -> None:
    """Issue 14, 4: whose turn, the clock and the score in whole; surrender is asked once."""
    over = Result(winner=1, reason="time", text="Over.")
    server.own = (
        own("a", clock=(65_000, 9_000), private=True),
        own("b", status="ended", to_move=None, ended_ms=0, result=over),
    )
    async with terminal(size) as at:
        await at.to_lobby()
        await at.sees("Ben  3 : 2")
        await at.sees("your turn 0")
        await at.sees("you lost")
        assert "Matches" in at.text(), "the count does not push the title out"
        await at.opens(LobbyScreen)
        await at.press("x")
        await at.opens(AskDialog)
        await at.press("y")
        assert (await server.next(Abandon)).match == "a"
        await at.opens(LobbyScreen)
        await at.press("down", "x")
        forgotten = await server.next(Forget)
        assert forgotten.match == "b"
        server.own = ()
        await server.say(Accepted(ref=forgotten.ref, match="b"))
        await at.until(lambda: "you lost" not in at.text())


async def test_a_click_opens_a_row(terminal: Any, server: ScriptedServer) -> None:
    """DB 8.1: the mouse alone will do."""
    server.lobby = (row("a"),)
    async with terminal() as at:
        await at.to_lobby()
        await at.until(lambda: "Ben" in at.text())
        await at.pilot.click(DataTable, offset=(3, 1))
        assert (await server.next(Join)).match == "a"


async def test_a_full_match_is_told_and_the_lobby_stays(terminal: Any, server: ScriptedServer) -> None:
    server.lobby = (row("a"),)
    async with terminal() as at:
        await at.to_lobby()
        await at.until(lambda: "Ben" in at.text())
        await at.opens(LobbyScreen)
        await at.press("enter")
        join = await server.next(Join)
        await server.say(Refused(ref=join.ref, code=Code.FULL, text="Both seats of this match are taken."))
        await at.until(lambda: "✗ Both seats of this match are taken." in at.text())
        assert at.is_at(Place.LOBBY)


# Creating ---------------------------------------------------------------------------------------------------------


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
        await at.press("down", "right", "down", "down", "right", "down", "right", "enter")
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
        await at.press("down", "down", "down", "down", "enter", "down", "right")
        await at.sees("[own choice]")
        await at.press("up", "up", "up", "up", "left")
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
        await at.server.next(Create)
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


# At one keyboard --------------------------------------------------------------------------------------------------


async def test_local_play_starts_at_once_with_both_seats(terminal: Any) -> None:
    """DB 1.8, DB 7.1.1.1: one command shows board and controls."""
    local = LocalGame("dots-and-boxes", {"width": 3, "height": 3})
    async with terminal(name="Players", connects_at_once=True, local=local, server_key="local") as at:
        create = await at.server.next(Create)
        assert create.both_seats
        assert create.options == {"width": 3, "height": 3}
        await at.server.say(Accepted(ref=create.ref, match="m1", version=1), snapshot(you=(0, 1)))
        await at.until(lambda: at.is_at(Place.MATCH) and "it is your turn" in at.line("#banner"))


async def test_a_local_game_that_cannot_be_created_leads_to_the_lobby(terminal: Any) -> None:
    async with terminal(connects_at_once=True, local=LocalGame("chess")) as at:
        create = await at.server.next(Create)
        await at.server.say(Refused(ref=create.ref, code=Code.UNKNOWN_GAME, text="There is no game “chess” here."))
        await at.until(lambda: at.is_at(Place.LOBBY) and "no game “chess”" in at.text())
        assert not isinstance(at.app.screen, Dialog | NameScreen)
