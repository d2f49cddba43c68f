"""The first screen: a name, a connection, a link, and play at one keyboard."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from textual.widgets import Button, Input

from client.conversation.address import Address, parse_address
from client.kept.identity import Identity
from client.playing.entering import LONGEST_WAIT_S, Retrying
from client.shown.actions.controls import Place
from client.start.hub_process import CannotStart
from client.start.launch import LocalGame
from client.terminal.screens.base import Dialog
from client.terminal.screens.name_screen import NameScreen
from protocol.errors import Code
from protocol.messages import (
    Accepted,
    Create,
    Hello,
    Join,
    Refused,
    Watch,
)
from tests.client.positions import snapshot
from tests.client.scripted_server import ScriptedServer


async def test_a_name_is_made_up_once_and_changed_in_its_place(terminal: Any, identity: Identity) -> None:
    """UD RF1: it connects by itself and says how that went; the name can be changed, and is kept."""
    async with terminal(name="") as at:
        assert at.is_at(Place.NAME)
        await at.sees("No match waits or is played just now.")
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
        await at.until(lambda: at.app.screen.query_one(Input).value)
        await at.press("n", "delete", "enter")
        await at.sees("type a name first")
        at.app.refresh_screens()
        await at.pilot.pause()
        assert "type a name first" in at.text()
        assert len(at.server.hellos) == 1
        await at.press("escape", "enter")
        await at.until(lambda: at.is_at(Place.LOBBY))


async def test_what_is_typed_stays_when_the_name_is_told(terminal: Any) -> None:
    async with terminal(name="") as at:
        field = at.app.screen.query_one(Input)
        await at.until(lambda: field.value)
        await at.press("n", *"Ev")
        at.app.model = replace(at.app.model, name="Zoe")
        at.app.refresh_screens()
        assert field.value == "Ev"
        await at.press("escape")
        assert field.value == "Zoe"


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


async def test_without_a_connection_it_tries_again_by_itself(terminal: Any, server: ScriptedServer) -> None:
    """UD RF1: it says when, the bar has the key to do it at once, and once a server is there the games are."""
    await server.stop()
    async with terminal() as at:
        await at.sees("Trying again in")
        assert "Nobody answers at" in at.text()
        await at.sees("Enter Try again")
        await server.start()
        await at.until(lambda: at.app.model.lobby is not None)
        assert at.is_at(Place.NAME)
        await at.sees("Enter Lobby")
        assert "Trying again" not in at.text()


def test_what_is_tried_again_by_itself_is_tried_ever_less_often() -> None:
    retrying, waits, now = Retrying(), [], 0.0
    for _ in range(7):
        assert not retrying.told(now)
        retrying.failed("Nobody answers.", now)
        due = next(now + wait for wait in range(100) if retrying.is_due(now + wait))
        assert retrying.told(now) == f"Nobody answers. Trying again in {due - now:.0f} s."
        waits.append(due - now)
        retrying.stop()
        now = due
    assert waits == [2, 4, 8, 16, LONGEST_WAIT_S, LONGEST_WAIT_S, LONGEST_WAIT_S]


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
    """RU-M9: one press more, and one is in under the name that the server suggested; also when that was thought about
    for so long that the server ended the connection."""

    def only_the_other(hello: Hello) -> Refused | None:
        data = {"suggestion": "Eva 2"}
        taken = Refused(ref=hello.ref, code=Code.NAME_IN_USE, text="Somebody is called that.", data=data)
        return None if hello.name == "Eva 2" else taken

    server.refuse_hello = only_the_other
    async with terminal(name="Eva") as at:
        await at.sees("Take it")
        assert at.app.screen.query_one(Input).value == "Eva 2"
        await server.cut()
        await at.until(lambda: at.app._carrying is None or at.app._carrying.done())
        await at.sees("Somebody is called that.")
        await at.sees("Take it")
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
