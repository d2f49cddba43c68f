"""The form for a match on a terminal: every label whole at every size, and the rest behind "More"."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from rich.cells import cell_len
from starlette.applications import Starlette
from textual.content import Content
from textual.widgets import Button, Static

from client.playing.form import CLOCK, FIRST, GAME, MORE, OPPONENT
from client.playing.form_rows import rows
from client.terminal.parts.choice_row import LABEL, ChoiceRow
from client.terminal.parts.miniature import Miniature, Opening
from client.terminal.parts.widgets import KeyHint
from client.terminal.screens.form import MatchForm
from protocol.errors import Code
from protocol.messages import Create, Refused
from server.http.openings import Openings
from tests.client.forms import GAMES, forms
from tests.client.refereed import CATALOGUE, ENGLISH
from tests.client.scripted_server import ScriptedServer
from tests.forms import SCREENS

OPENINGS = httpx.ASGITransport(Starlette(routes=Openings(CATALOGUE, ENGLISH).routes()))
SIZES = ((60, 20), (80, 24), (160, 45))


async def told(path: str) -> str:
    """The hub's own answer."""
    async with httpx.AsyncClient(transport=OPENINGS, base_url="http://hub") as client:
        return (await client.get(path)).text


async def opened(at: Any) -> MatchForm:
    await at.to_lobby()
    await at.press("n")
    await at.opens(MatchForm)
    assert isinstance(at.app.screen, MatchForm)
    return at.app.screen


def row(at: Any, name: str) -> ChoiceRow:
    found: ChoiceRow = next(one for one in at.app.screen.query(ChoiceRow) if one.name == name)
    return found


def labels(at: Any) -> list[str]:
    return [one._label for one in at.app.screen.query(ChoiceRow)]


def bare(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("width", [53, 70])
@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_cut_in_any_row(game: str, width: int) -> None:
    """CK 5.2: of all games, and of an author who likes long words, by every way in, in the narrowest form and a usual
    one: labels, values and sentences are there to their last letter, in lines that fit."""
    for one in {one for form in forms(game) for one in rows(form, GAMES)}:
        shown = ChoiceRow(one.name, one.label, one.values, one.chosen, one.help)
        shown.tell(True)
        lines = [line.plain for line in shown.drawn(width)]
        assert all(cell_len(line) <= width for line in lines), lines
        there = bare("".join(line[2:LABEL] for line in lines)), bare("".join(line[LABEL:] for line in lines))
        assert there[0] == bare(one.label)
        walked = "◂" in there[1]
        assert all(bare(text) in there[1] for _, text in ([one.values[one.at]] if walked else one.values)), there
        assert there[1].endswith(bare(one.help))
        assert one.help or (one.name == "none" and game == "long"), "each says what it does"


async def test_a_key_that_is_pressed_while_rows_come_and_go_counts(terminal: Any, server: ScriptedServer) -> None:
    """To another game and on: the second key comes while the first game's rows are still being taken away."""
    server.games = tuple(GAMES.values())
    async with terminal() as at:
        form = await opened(at)
        games = row(at, GAME)
        first, second, third, *_ = [value for value, _ in games._values]
        games.action_change(-len(games._values))
        await at.pilot.pause()
        assert chosen(form) == first
        games.action_change(1)
        while chosen(form) != second:  # noqa: ASYNC110 (the turn of the loop after it is what is tried)
            await asyncio.sleep(0)
        games.action_change(1)
        await at.pilot.pause()
        assert games.value == chosen(form) == third


def chosen(form: MatchForm) -> str:
    """The game."""
    assert form.form is not None
    return form.form.game


@pytest.mark.screens
@pytest.mark.parametrize("size", SIZES if SCREENS else SIZES[:1])
async def test_all_of_the_form_can_be_reached(terminal: Any, server: ScriptedServer, size: tuple[int, int]) -> None:
    """DB 8.1: with the keys alone each row comes into sight with its sentence; the buttons always are."""
    server.games = tuple(GAMES.values())
    async with terminal(size=size) as at:
        dialog = await opened(at)
        dialog.form = list(forms("long"))[2]
        await dialog._show()
        await at.pilot.pause()
        box = dialog.query_one("#options")
        for shown in dialog.query(ChoiceRow):
            assert shown.has_focus
            await at.until(
                lambda shown=shown: (
                    shown.region.height == len(shown.drawn(shown.size.width))
                    and (shown.region.intersection(box.region) == shown.region or shown.region.y == box.region.y)
                )
            )
            await at.press("down")
        for button in dialog.query("#form Button").results(Button):
            assert dialog.query_one("#form").region.contains_region(button.region)
            assert button.region.width >= cell_len(str(button.label))


@pytest.mark.screens
@pytest.mark.parametrize("size", SIZES if SCREENS else SIZES[:1])
async def test_what_matters_is_seen_and_the_rest_is_behind_more(
    terminal: Any, server: ScriptedServer, size: tuple[int, int]
) -> None:
    """CK R1.3, R1.1: game, opponent, who begins, clock and colours at once; what was changed of the rest is said of it
    later."""
    server.games = tuple(GAMES.values())
    async with terminal(size=size) as at:
        dialog = await opened(at)
        assert [one.name for one in dialog.query(ChoiceRow)] == [GAME, "tiles", "pieces", OPPONENT, FIRST, CLOCK, MORE]
        await at.press("down", "right", "down", "right")
        await at.until(lambda: "You are Black and begin." in " ".join(at.text().split()))
        await at.press("down", "right", "down", "right")
        await at.until(lambda: "You are Red; your friend begins." in " ".join(at.text().split()))
        await at.press("down", "down", "enter")
        await at.press("down", "right")
        assert row(at, "captures").has_focus
        assert row(at, "captures").value == "forced"
        await at.press("enter")
        create = await at.server.next(Create)
        assert create.options == {"captures": "forced", "draw_after": 80, "tiles": "black-red", "pieces": "black-red"}
        assert (create.private, create.seat) == (True, 1)
        await at.server.say(Refused(ref=create.ref, code=Code.TOO_FAST, text="Not so fast."))
        await at.sees("Not so fast.")
        await at.press("n")
        await at.opens(MatchForm)
        assert row(at, MORE)._label == "More (1 changed)"
        assert "captures" not in {one.name for one in at.app.screen.query(ChoiceRow)}
        row(at, MORE).focus()
        await at.sees("Captures: forced.")


async def test_more_is_opened_and_closed_by_mouse_and_by_key(terminal: Any, server: ScriptedServer) -> None:
    """DB 8.1."""
    server.games = tuple(GAMES.values())
    async with terminal() as at:
        await opened(at)
        await at.pilot.click(row(at, MORE), offset=(LABEL + 7, 0))
        await at.until(lambda: "Draw after" in labels(at))
        assert row(at, MORE).has_focus
        await at.press("space")
        await at.until(lambda: "Draw after" not in labels(at))
        await at.press("right")
        await at.until(lambda: "Wait when away" in labels(at))


@pytest.mark.screens
@pytest.mark.parametrize(("size", "has_room"), [*zip(SIZES, (False, True, True), strict=True)][: 3 if SCREENS else 2])
async def test_the_board_is_there_before_start_and_deaf_to_clicks(
    terminal: Any, server: ScriptedServer, size: tuple[int, int], has_room: bool
) -> None:
    """SQ2, SQ6, HX SR1, UD RF1, DB 7.1.1.3: at this computer "2 Player", "Play Against the Computer" and Start are in a
    row on top with the status below, and the board of what is chosen beside the rows, where that has room: a click on
    it begins nothing, and the status asks for Start again."""
    server.games, server.page = tuple(GAMES[name] for name in GAMES if name != "long"), told
    async with terminal(size=size, is_dark=size[0] != 80) as at:
        at.app.is_local = True
        dialog = await opened(at)
        opening, start = dialog.query_one(Opening), dialog.query_one("#create", Button)
        await at.sees("[2 Player]  Play Against the Computer")
        against = row(at, OPPONENT)
        assert start.region.y == against.region.y < dialog.query_one("#summary").region.y < row(at, GAME).region.y
        assert start.region.width >= cell_len(str(start.label))
        assert "Click Start to begin Game. Two people" in " ".join(at.text().split())
        assert opening.display is has_room
        assert dialog.query_one("#form").region.contains_region(dialog.query_one("#back").region)
        picture = opening.query_one(Miniature)
        for name in server.games if has_room else ():
            row(at, GAME).focus()
            form = dialog.form
            assert form is not None
            dialog.form = form.chosen(GAME, name.name, dialog._games)
            await dialog._show()
            await at.until(lambda name=name: picture.position is not None and picture.position.game == name.name)
            shown, rules = picture.position, CATALOGUE[name.name]
            assert shown is not None
            params = rules.parse_options(dict(dialog.form.options))
            assert (shown.board, shown.marks) == (rules.board(params), rules.marks(rules.new(params)))
            style = rules.seats(params)[0]
            side = ENGLISH(style.name)
            # The sides of Square are called by their signs, which stand once.
            first = f"{'' if side == style.symbol else f'{style.symbol} '}{side} has the first"
            await at.until(lambda first=first: first in at.text())
            assert f"{side} {side}" not in at.text()
            chosen = dialog.form
            await at.pilot.click(Miniature)
            said = dialog.query_one("#summary", Static).content
            assert isinstance(said, Content)
            assert any("reverse" in str(span.style) for span in said.spans)
            assert (at.app.screen, dialog.form, picture.position) == (dialog, chosen, shown)
            assert at.server.received.empty()
        await at.pilot.click(against, offset=(16, 0))
        await at.sees("[Play Against the Computer]")
        await at.pilot.click("#create")
        assert (await at.server.next(Create)).computer


@pytest.mark.screens
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("opponent", ["both", "computer"])
async def test_the_lobby_of_a_hub_leads_to_play_at_this_computer(
    terminal: Any, server: ScriptedServer, size: tuple[int, int], opponent: str
) -> None:
    """SQ2, SQ6, DB 1.8, DB 8.1: "This computer" is in sight in the lobby of any hub, whether by key or mouse; it has
    "2 Player", "Play Against the Computer", Start and the status on top, and nothing begins before Start."""
    server.games, server.page = (GAMES["square"],), told
    async with terminal(size=size) as at:
        await at.to_lobby()
        assert not at.app.is_local
        bar = {hint.action: hint for hint in at.app.screen.query("KeyBar KeyHint").results(KeyHint) if hint.display}
        shown = ("new", "quick", "here", "watch", "join_key", "help", "quit")
        await at.sees("h This computer")
        assert {*shown} <= {*bar}
        assert all(at.app.screen.query_one("#keys").region.contains_region(hint.region) for hint in bar.values())
        assert "this computer: two of you" in at.text()
        if opponent == "both":
            await at.press("h")
        else:
            await at.pilot.click(bar["here"])
        await at.opens(MatchForm)
        await at.sees("2 Player")
        await at.sees("Click Start to begin Game.")
        top = (row(at, OPPONENT), at.app.screen.query_one("#create", Button))
        assert len({one.region.y for one in top}) == 1
        picture = at.app.screen.query_one(Miniature)
        if at.app.screen.query_one(Opening).display:
            await at.until(lambda: picture.position is not None)
            await at.pilot.click(Miniature)
        assert at.server.received.empty()
        if opponent == "computer":
            await at.pilot.click(top[0], offset=(16, 0))
            await at.sees("[Play Against the Computer]")
        await at.pilot.click("#create")
        create = await at.server.next(Create)
        assert (create.game, create.both_seats, create.computer) == ("square", opponent == "both", opponent != "both")
