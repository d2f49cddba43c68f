"""A match is saved under a name, gone back to, and gone on with, in the terminal."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

from client.kept import saves
from client.shown.actions.controls import Place
from client.terminal.screens.saved import SavedDialog, SaveDialog
from protocol.messages import (
    Accepted,
    Analyse,
    Create,
    GetRecord,
    Offer,
    Snapshot,
)
from server.match import reviews
from server.match.machine import Asked, open_match, over_at_once, replay
from server.match.views import record, snapshot
from tests.client.refereed import CATALOGUE, ENGLISH, Refereed, infos
from tests.client.terminal.states import played, shown


@pytest.fixture
def folder(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Where this test's saved games lie."""
    monkeypatch.setattr(saves, "save_folder", lambda: tmp_path / "saves")
    return tmp_path / "saves"


def gone_over(asked: Create, match_id: str) -> Snapshot:
    """How a hub shows the match that comes of it."""
    event = reviews.begun(CATALOGUE[asked.game], asked.options, asked.moves, asked.names, Asked("ada", asked.ref, 1))
    log = [event, *over_at_once(open_match(match_id, event, CATALOGUE))]
    return snapshot(replay(match_id, log, CATALOGUE), "ada", ENGLISH, 1)


async def test_a_match_is_saved_under_a_name(terminal: Any, folder: Any) -> None:
    """DB 7.3.3.1, 8.2: another game under that name is replaced only when asked twice."""
    async with terminal() as at:
        match = played()
        await shown(at, match)
        await at.press("s")
        await at.opens(SaveDialog)
        await at.sees("Ada - Ben 4")
        await at.press("home", "shift+end", "delete")
        await at.press(*"../x", "enter")
        await at.sees("letters, digits, spaces")
        assert at.server.received.empty()
        await at.press("home", "shift+end", "delete", *"one", "enter")
        asked = await at.server.next(GetRecord)
        await at.server.say(record(match.match, ENGLISH, asked.ref))
        await at.until(lambda: at.is_at(Place.MATCH))
        await at.sees("Saved as “one”.")
        assert saves.load("one").moves == match.match.moves

        other = Refereed(now_ms=2_000_000)
        other.play("a1-a2")
        await at.press("s")
        await at.opens(SaveDialog)
        await at.press("home", "shift+end", "delete", *"one", "enter")
        await at.server.say(record(other.match, ENGLISH, (await at.server.next(GetRecord)).ref))
        await at.sees("another game saved as “one”")
        await at.press("enter")
        await at.server.say(record(other.match, ENGLISH, (await at.server.next(GetRecord)).ref))
        await at.until(lambda: at.is_at(Place.MATCH))
        assert saves.load("one").moves == ("a1-a2",)


async def test_one_goes_back_to_a_saved_position(terminal: Any, folder: Any) -> None:
    """DB 7.3.3.2, RU-M6: what is no use is told, and the list stays."""
    match = played()
    saves.save(record(played(2).match, ENGLISH, "r"), "two moves")
    saves.save(record(Refereed("square").match, ENGLISH, "r"), "other game")
    async with terminal() as at:
        await shown(at, match)
        await at.press("v")
        await at.opens(SavedDialog)
        await at.sees("other game")
        names = [row.name for row in saves.saved()]
        await at.press("home", *["down"] * names.index("other game"), "enter")
        await at.sees("That is a saved game of square")
        await at.press("home", *["down"] * names.index("two moves"), "enter")
        offer = await at.server.next(Offer)
        assert (offer.kind, offer.moves) == ("revert", match.match.moves[:2])
        await at.until(lambda: at.is_at(Place.MATCH))


@pytest.mark.parametrize(
    ("press", "both", "computer"), [("enter", False, False), ("#computer", False, True), ("#both", True, False)]
)
async def test_a_match_goes_on_from_a_saved_game(
    terminal: Any, folder: Any, press: str, both: bool, computer: bool
) -> None:
    """DB 8.2, RU-M8: from the lobby, across sessions; against whom, is said then."""
    match = played()
    saves.save(record(match.match, ENGLISH, "r"), "evening")
    async with terminal() as at:
        await at.to_lobby()
        await at.press("o")
        await at.opens(SavedDialog)
        await at.sees(time.strftime("%Y-%m-%d"))
        await (at.press("enter") if press == "enter" else at.pilot.click(press))
        create = await at.server.next(Create)
        assert (create.game, create.moves) == (match.match.game.name, match.match.moves)
        assert (create.both_seats, create.computer) == (both, computer)
        await at.until(lambda: at.is_at(Place.LOBBY))


async def test_a_saved_game_is_reviewed_from_the_list(terminal: Any, folder: Any) -> None:
    """It comes as a match that is over, under the names of the file, and its first position is asked for by itself."""
    match = played()
    saves.save(record(match.match, ENGLISH, "r"), "evening")
    async with terminal(size=(60, 20)) as at:
        await at.to_lobby()
        at.app.model = replace(at.app.model, games=infos())
        await at.press("o")
        await at.opens(SavedDialog)
        await at.sees("Review")
        await at.sees("Back (Esc)")
        await at.pilot.click("#review")
        asked = await at.server.next(Create)
        assert (asked.review, asked.moves, asked.names) == (True, match.match.moves, ("Ada", "Ben"))
        await at.server.say(Accepted(ref=asked.ref, match="over", version=2))
        await at.server.say(gone_over(asked, "over"))
        judged = await at.server.next(Analyse)
        assert (judged.match, judged.ply) == ("over", 0)
        await at.until(lambda: at.app.model.review is not None)


async def test_a_saved_game_that_is_no_use_is_told_in_the_lobby(terminal: Any, folder: Any) -> None:
    """M2."""
    folder.mkdir()
    (folder / "broken.json").write_text("{")
    async with terminal() as at:
        await at.to_lobby()
        await at.press("o")
        await at.opens(SavedDialog)
        await at.press("enter")
        await at.sees("is no saved game, or a damaged one")
        assert isinstance(at.app.screen, SavedDialog)


async def test_nothing_saved_is_told(terminal: Any, folder: Any) -> None:
    async with terminal() as at:
        await shown(at, played())
        await at.press("v")
        await at.sees("Nothing is saved yet")
        await at.press("escape")
        assert at.is_at(Place.MATCH)
