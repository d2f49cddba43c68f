"""How a connection begins: who one is, and what the server makes of that."""

from __future__ import annotations

import pytest

from client.conversation.events import NewGuest
from client.conversation.greeting import GREETING_S
from client.conversation.outgoing import State
from client.conversation.session import Session
from protocol.errors import Code
from protocol.messages import (
    Create,
    GameInfo,
    GetMatches,
    Hello,
    Refused,
    WatchLobby,
    Welcome,
)
from tests.client.conversation.by_hand import Wire


def test_greets_first_and_holds_everything_else_back() -> None:
    wire = Wire()
    wire.session.send(Create(ref="c", game="dots-and-boxes"))
    wire.session.watch_lobby()
    wire.session.opened(wire.now)
    hello, *others = wire.commands()
    assert hello == Hello(ref="p-1", name="Ada", client="")
    assert others == []
    wire.tell(Welcome(ref="p-1", player="id", name="Ada 2", token="secret"))
    assert [type(command) for command in wire.commands()] == [WatchLobby, GetMatches, Create]
    assert (wire.session.name, wire.session.token) == ("Ada 2", "secret")


def test_a_welcome_to_somebody_else_is_not_ours() -> None:
    wire = Wire()
    wire.session.opened(wire.now)
    wire.tell(Welcome(ref="other", player="id", name="Eve", token="t"))
    assert wire.session.state is State.GREETING
    assert wire.session.token is None


def test_the_token_brings_the_guest_back(wire: Wire) -> None:
    wire.lose()
    wire.session.opened(wire.now)
    (hello,) = wire.commands()
    assert isinstance(hello, Hello)
    assert hello.token == "secret"


def test_an_unknown_token_is_left_out_and_said() -> None:
    wire = Wire(Session("Ada", "old", prefix="p"))
    wire.session.opened(wire.now)
    (hello,) = wire.commands()
    assert isinstance(hello, Hello)
    wire.tell(Refused(ref=hello.ref, code=Code.BAD_TOKEN, text="unknown"))
    (again,) = wire.commands()
    assert isinstance(again, Hello)
    assert again.token is None
    assert again.ref != hello.ref
    assert wire.happened() == [NewGuest()]


def test_a_refused_name_can_be_tried_again_on_the_same_connection() -> None:
    wire = Wire()
    wire.session.opened(wire.now)
    (hello,) = wire.commands()
    assert isinstance(hello, Hello)
    refusal = Refused(ref=hello.ref, code=Code.BAD_NAME, text="no")
    wire.tell(refusal)
    assert wire.happened() == [refusal]
    wire.later(1_000)
    assert not wire.session.wants_close
    wire.session.introduce("Eva")
    (again,) = wire.commands()
    assert isinstance(again, Hello)
    assert again.name == "Eva"


def test_a_server_that_does_not_greet_is_left() -> None:
    wire = Wire()
    wire.session.opened(wire.now)
    wire.later(GREETING_S + 0.1)
    assert wire.session.wants_close


@pytest.mark.parametrize("code", [Code.BUSY, Code.UNAVAILABLE, Code.UNKNOWN_OUTCOME])
def test_a_server_without_time_is_come_back_to(code: Code) -> None:
    wire = Wire()
    wire.session.opened(wire.now)
    (hello,) = wire.commands()
    assert isinstance(hello, Hello)
    wire.tell(Refused(ref=hello.ref, code=code, text="later"))
    assert wire.session.wants_close


SQUARE, CHECKERS = (GameInfo(name=name, title=name, summary="", help="") for name in ("square", "checkers"))


def greeted(wire: Wire, catalogue: str, *games: GameInfo) -> tuple[str, tuple[GameInfo, ...]]:
    """A connection more, to a hub with these games: which catalogue the client named, and which games it shows then."""
    wire.lose()
    wire.session.opened(wire.now)
    (hello,) = wire.commands()
    assert isinstance(hello, Hello)
    wire.tell(Welcome(ref=hello.ref, player="id", name="Ada", catalogue=catalogue, games=games))
    (welcome,) = wire.happened_of(Welcome)
    assert isinstance(welcome, Welcome)
    wire.commands()
    return hello.catalogue, welcome.games


def test_games_are_asked_for_once() -> None:
    wire = Wire()
    assert greeted(wire, "a", SQUARE) == ("", (SQUARE,))
    assert greeted(wire, "a") == ("a", (SQUARE,))
    assert greeted(wire, "a") == ("a", (SQUARE,))


def test_a_hub_with_other_games_is_believed() -> None:
    wire = Wire()
    greeted(wire, "a", SQUARE)
    assert greeted(wire, "b", SQUARE, CHECKERS) == ("a", (SQUARE, CHECKERS))
    assert greeted(wire, "b") == ("b", (SQUARE, CHECKERS))
    assert greeted(wire, "c") == ("b", ())  # a hub without any


def test_a_hub_that_names_no_catalogue_tells_its_games_each_time() -> None:
    wire = Wire()
    greeted(wire, "a", SQUARE)
    assert greeted(wire, "", CHECKERS) == ("a", (CHECKERS,))
    assert greeted(wire, "", CHECKERS) == ("", (CHECKERS,))
