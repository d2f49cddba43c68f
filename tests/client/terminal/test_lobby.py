"""The lobby of the terminal client: what is listed, and the ways into a match that is there."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs
from textual.widgets import DataTable

from client.shown.actions.controls import Place
from client.terminal.screens.dialogs import AskDialog
from client.terminal.screens.lobby_screen import LobbyScreen
from protocol.errors import Code
from protocol.messages import (
    Abandon,
    Accepted,
    Forget,
    Join,
    LobbyChange,
    MatchSummary,
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


async def test_an_empty_lobby_says_what_to_do(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_lobby()
        await at.until(lambda: "No match waits or is played just now." in at.text())
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


async def test_the_list_has_its_width_from_the_first_moment_on(
    terminal: Any, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CK 5.3: also on a slow machine, where what is drawn first is seen for a while."""
    widths = list[int | None]()
    add = DataTable.add_column

    def seen(table: DataTable[Any], *given: Any, **how: Any) -> Any:
        widths.append(how.get("width"))
        return add(table, *given, **how)

    monkeypatch.setattr(DataTable, "add_column", seen)
    server.lobby = (row("a"),)
    async with terminal(size=(120, 36)) as at:
        await at.until(lambda: at.app.model.lobby is not None)
        await at.to_lobby()
        await at.sees("Ben")
        assert widths[:4] == widths[-4:]
        assert sum(width or 0 for width in widths[:4]) > 100


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


LONG_NAMES = tuple(structs.replace(seat, name="Wilhelmina Mummery W") for seat in own("a").seats)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (160, 45)])
async def test_own_matches_are_rows_and_are_dropped_from_there(
    terminal: Any, server: ScriptedServer, size: tuple[int, int]
) -> None:
    """Issue 14, 4: whose turn, the clock and the score in whole; surrender is asked once."""
    over = Result(winner=1, reason="time", text="Over.")
    server.own = (
        own("a", clock=(65_000, 9_000), private=True, seats=LONG_NAMES),
        own("b", status="ended", to_move=None, ended_ms=0, result=over),
    )
    async with terminal(size) as at:
        await at.to_lobby()
        await at.sees("  3 : 2")
        assert at.text().count("  3 : 2") == 2, "however long a name is"
        await at.sees("your turn 0")
        await at.sees("you lost")
        assert "Matches" in at.text(), "the count does not push the title out"
        await at.opens(LobbyScreen)
        if size[0] > 80:  # else the bar has no room for it
            await at.until(lambda: "Enter Go on" in at.line("#keys"))
            await at.press("down")
            await at.until(lambda: "Enter Look at it" in at.line("#keys"))
            await at.press("up")
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
