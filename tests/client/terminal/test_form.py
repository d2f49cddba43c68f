"""The form for a match on a terminal: every label whole at every size, and the rest behind "More"."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len
from textual.widgets import Button

from client.playing.form import CLOCK, GAME, MORE, OPPONENT
from client.playing.form_rows import rows
from client.terminal.parts.choice_row import LABEL, ChoiceRow
from client.terminal.screens.form import MatchForm
from protocol.messages import Create
from tests.client.forms import GAMES, forms
from tests.client.scripted_server import ScriptedServer

SIZES = ((60, 20), (80, 24), (160, 45))


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


@pytest.mark.parametrize("size", SIZES)
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


@pytest.mark.parametrize("size", SIZES)
async def test_what_matters_is_seen_and_the_rest_is_behind_more(
    terminal: Any, server: ScriptedServer, size: tuple[int, int]
) -> None:
    """CK R1.3, R1.1: game, opponent, clock and colours at once; what was changed of the rest is said of it later."""
    server.games = tuple(GAMES.values())
    async with terminal(size=size) as at:
        dialog = await opened(at)
        assert [one.name for one in dialog.query(ChoiceRow)] == [GAME, "tiles", "pieces", OPPONENT, CLOCK, MORE]
        await at.press("down", "right", "down", "right")
        await at.until(lambda: "You are Black and begin." in " ".join(at.text().split()))
        await at.press("down", "right", "down", "down", "enter")
        await at.press("down", "right")
        assert row(at, "captures").has_focus
        assert row(at, "captures").value == "forced"
        await at.press("enter")
        create = await at.server.next(Create)
        assert create.options == {"captures": "forced", "draw_after": 80, "tiles": "black-red", "pieces": "black-red"}
        assert create.private
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
        await at.pilot.click(row(at, MORE), offset=(LABEL + 10, 0))
        await at.until(lambda: "Draw after" in labels(at))
        assert row(at, MORE).has_focus
        await at.press("space")
        await at.until(lambda: "Draw after" not in labels(at))
        await at.press("right")
        await at.until(lambda: "Wait when away" in labels(at))
