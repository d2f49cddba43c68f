"""The first screen: the games as cards, and two keys or clicks to a board."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from client.playing.new_match import LABELS, Against, AtOnce
from client.shown.actions.controls import Place
from client.shown.board.examples import EVERY_S, read_examples, step_of
from client.terminal.drawing.miniature import miniature
from client.terminal.drawing.theme import PAPER
from client.terminal.parts.cards import Card, Cards, Way
from client.terminal.parts.miniature import Miniature
from client.terminal.screens.front_screen import FrontScreen
from protocol.errors import Code
from protocol.messages import Command, Create, GameInfo, Hello, QuickMatch, Refused
from server.http.examples import examples
from tests.client.refereed import CATALOGUE, ENGLISH, infos
from tests.client.scripted_server import BOUND_S, ScriptedServer
from tests.forms import SCREENS, crossed

GAMES = tuple(infos().values())
SIZES = ((60, 20), (76, 23), (160, 45), (75, 45), (80, 24), (120, 40))[: 6 if SCREENS else 2]
TOLD = read_examples(examples(CATALOGUE, ENGLISH))


@pytest.fixture
def server(server: ScriptedServer) -> ScriptedServer:
    """With all games on offer."""
    server.games = GAMES
    return server


async def cards(at: Any) -> list[Card]:
    """The cards, once they are there."""
    await at.until(lambda: any(each.cards for each in at.app.screen.query(Cards)) and at.app.model.lobby is not None)
    await at.pilot.pause()
    found: list[Card] = at.app.screen.query_one(Cards).cards
    assert len(found) == len(GAMES)
    return found


def asked_for(command: Command) -> tuple[str, Against]:
    """The game and the way that a command asks for."""
    if isinstance(command, QuickMatch):
        return command.game, Against.SOMEBODY
    assert isinstance(command, Create)
    if command.lesson:
        return command.game, Against.LEARN
    way = Against.COMPUTER if command.computer else Against.HERE if command.both_seats else Against.FRIEND
    assert command.private is (way is Against.FRIEND)
    return command.game, way


async def test_the_cards_come_whole_however_often_the_screen_is_drawn(terminal: Any) -> None:
    """On a slow machine it is drawn many times while they come: that neither begins anew nor asks for parts that are
    not there yet. The games change here, as at a server that offers others after a restart."""
    async with terminal() as at:
        await cards(at)
        screen, model, drawn = at.app.screen, at.app.model, 0
        at.app.model = replace(model, games={GAMES[0].name: GAMES[0]})
        at.app.refresh_screens()
        await at.until(lambda: len(screen.query_one(Cards).cards) == 1)
        at.app.model = model
        for _ in range(3):
            screen.show(model, 1.0)
        async with asyncio.timeout(BOUND_S):
            while len(there := screen.query_one(Cards).cards) != len(GAMES):
                screen.show(model, 1.0)
                drawn += bool(screen.query(Card)) and not there
                await asyncio.sleep(0)
        assert drawn, "provoked"
        # What was given up before it began would be found here as a coroutine that nobody awaited.
        gc.collect()
        for game in GAMES:
            await at.sees(game.title.split()[0])


async def test_it_says_where_the_same_is_in_a_browser(terminal: Any) -> None:
    """`make play` shows it before one has gone anywhere; where two play at this keyboard there is nothing to open."""
    async with terminal() as at:
        await cards(at)
        assert at.app.page.startswith("http://")
        await at.sees(f"In a browser: {at.app.page}")


WAYS = crossed(range(len(GAMES)), tuple(Against), full=SCREENS)[:: 1 if SCREENS else 2]


@pytest.mark.screens
@pytest.mark.parametrize(("number", "against"), WAYS)
async def test_two_keys_lead_to_a_board(terminal: Any, server: ScriptedServer, number: int, against: Against) -> None:
    """The number of a card, and the first letter of a way."""
    async with terminal() as at:
        await cards(at)
        await at.press(str(number + 1), LABELS[against][0].lower())
        command = await server.next(QuickMatch if against is Against.SOMEBODY else Create)
        assert asked_for(command) == (GAMES[number].name, against)


async def test_two_clicks_lead_to_a_board(terminal: Any, server: ScriptedServer) -> None:
    async with terminal(size=(120, 40)) as at:
        third = (await cards(at))[2]
        await at.pilot.click(third.query(Way)[1])
        assert asked_for(await server.next(Create)) == (GAMES[2].name, Against.FRIEND)


@pytest.mark.screens
@pytest.mark.parametrize("size", [(60, 20), (80, 24)] if SCREENS else [(80, 24)])
async def test_arrows_reach_every_way(terminal: Any, server: ScriptedServer, size: tuple[int, int]) -> None:
    """DB 8.1: along a card, and on to the next; whichever way the cards lie."""
    async with terminal(size=size) as at:
        found = await cards(at)
        along, on = ("right", "down") if size[0] < 76 else ("down", "right")
        await at.press("down")
        reached = []
        for card in found:
            for _ in Against:
                reached.append((at.app.screen.query_one(Cards).chosen, at.app.focused))
                await at.press(along)
            await at.press(*["left" if along == "right" else "up"] * 4, on)
            assert card.has_class("-chosen") is (card is at.app.screen.query_one(Cards).chosen)
        assert [card for card, _ in reached] == [card for card in found for _ in Against]
        assert len({id(way) for _, way in reached}) == len(GAMES) * len(Against)


@pytest.mark.screens
@pytest.mark.parametrize("size", SIZES)
async def test_no_label_is_cut_at_any_size(terminal: Any, size: tuple[int, int]) -> None:
    """Names, ways and pictures of all games are in sight; the longest name of a person, too."""
    async with terminal(size=size, name="Wilhelmina Ampersand") as at:
        found = await cards(at)
        screen = at.text().split("\n")
        assert "Wilhelmina Ampersand" in screen[1]
        for card in found:
            title = card.query_one(".card-title").region
            inside = " ".join(line[title.x : title.right] for line in screen[title.y : title.bottom])
            assert " ".join(inside.split()).endswith(card.game.title)
            for way, label in zip(card.query(Way), LABELS.values(), strict=True):
                region = way.region
                assert label in screen[region.y][region.x : region.right]
            picture = card.query_one(".miniature").region
            assert picture.width >= 8
            assert picture.height >= 3
            assert 0 < picture.y < title.bottom < size[1]
            assert card.region.right <= size[0]


async def test_the_bar_names_as_many_numbers_as_there_are_games(terminal: Any, server: ScriptedServer) -> None:
    async with terminal() as at:
        await cards(at)
        await at.sees(f"1-{len(at.app.model.games)} Game")
    server.games = server.games[:1]
    async with terminal() as at:
        await at.sees("1 Game")


async def test_a_game_that_the_computer_does_not_play_has_three_ways(terminal: Any, server: ScriptedServer) -> None:
    server.games = (GameInfo(name="x", title="X", summary="", help=""),)
    async with terminal() as at:
        await at.until(lambda: at.app.screen.query(Card))
        await at.press("1", "c", "t")
        assert asked_for(await server.next(Create)) == ("x", Against.HERE)
        assert [way.label for way in at.app.screen.query(Way)] == ["Friend (link)", "Somebody", "Two here"]


async def test_the_pictures_live(terminal: Any) -> None:
    """One example after the other moves on; without animations none does."""
    async with terminal() as at:
        found = await cards(at)
        at.app.examples = TOLD
        screen = at.app.screen
        assert isinstance(screen, FrontScreen)

        def are_at(steps: list[int], now: float) -> bool:
            screen.show(at.app.model, now)
            shown = [card.query_one(Miniature).position for card in found]
            wanted = [TOLD[card.game.name].at(step) for card, step in zip(found, steps, strict=True)]
            return all(one is other for one, other in zip(shown, wanted, strict=True))

        times = [turn * EVERY_S + 0.1 for turn in range(11)]
        told = [[step_of(place, len(found), now) for place in range(len(found))] for now in times]
        assert [sum(after) - sum(before) for before, after in pairwise(told)] == [1] * 10
        assert all(are_at(steps, now) for steps, now in zip(told, times, strict=True))
        at.app.change_settings(motion=False)
        assert are_at([0] * len(found), 100.0), "as one chose it"
        at.app.change_settings(motion=True)
        assert not are_at([0] * len(found), 100.0)
        at.app.animation_level = "none"
        assert are_at([0] * len(found), 100.0), "as the environment has it"


@pytest.mark.parametrize("game", sorted(TOLD))
def test_a_picture_shows_what_was_played(game: str) -> None:
    """Every point has a colour, at every size; and it changes with the position."""
    for columns, rows in ((8, 5), (15, 14), (30, 30)):
        pictures = [miniature(TOLD[game].at(step), columns, rows) for step in range(12)]
        assert {len(row) for picture in pictures for row in picture} == {columns}
        assert {len(picture) for picture in pictures} == {rows}
        if rows == 30:
            assert len({str(picture) for picture in pictures}) > 2
    if game == "hexoust":
        large = miniature(TOLD[game].at(0), 44, 43)
        assert sum(row[10:34].count(PAPER) >= 5 for row in large[4:30]) > 5, "paper is seen between its free cells"


def test_what_is_no_example_is_left_out() -> None:
    """Nothing that a server says as one can end the program."""
    good = examples(CATALOGUE, ENGLISH)
    assert set(read_examples(good)) == {game.name for game in GAMES}
    for bad in (b"", b"{}", b"[1, 2]", b"\xff", good[:-40], b'[{"game": "x", "board": {"width": -1}}]'):
        assert read_examples(bad) == {}
    damaged = good.replace(b'"width":', b'"width":-', 1)
    assert len(read_examples(damaged)) == len(GAMES) - 1


async def test_a_card_waits_for_a_name_that_was_changed(terminal: Any, server: ScriptedServer) -> None:
    """What stands in the field counts, sent or not; a match begins under it."""
    async with terminal() as at:
        await cards(at)
        await at.press("n", *"Eva")
        third = at.app.screen.query(Card)[2]
        await at.pilot.click(third.query(Way)[0])
        assert asked_for(await server.next(Create)) == (GAMES[2].name, Against.COMPUTER)
        assert [hello.name for hello in server.hellos] == ["Ada", "Eva"]


async def test_a_changed_name_in_use_is_told_and_the_suggestion_taken(terminal: Any, server: ScriptedServer) -> None:
    """RU-M9: the suggestion replaces what was typed; one press more, and one is called so."""

    def taken(hello: Hello) -> Refused | None:
        text, data = "Somebody is called that.", {"suggestion": "Eva 2"}
        refused = Refused(ref=hello.ref, code=Code.NAME_IN_USE, text=text, data=data)
        return refused if hello.name == "Eva" else None

    server.refuse_hello = taken
    async with terminal() as at:
        await cards(at)
        await at.press("n", *"Eva", "enter")
        await at.sees("Take it")
        await at.sees("Eva 2")
        await at.press("enter")
        await at.until(lambda: at.app.model.name == "Eva 2")


async def test_the_lobby_leads_back_to_the_cards(terminal: Any) -> None:
    async with terminal() as at:
        await at.to_lobby()
        await at.press("g")
        await at.until(lambda: at.is_at(Place.NAME))
        await cards(at)
        await at.press("enter")
        await at.until(lambda: at.is_at(Place.LOBBY))


async def test_the_shell_leads_to_a_board_at_once(terminal: Any, server: ScriptedServer) -> None:
    """`parlour play square --computer`: no key at all; a name that is none is told in the lobby."""
    async with terminal(at_once=AtOnce("ultimate", Against.COMPUTER, level="hard"), connects_at_once=True) as at:
        command = await at.server.next(Create)
        assert asked_for(command) == ("ultimate-dots-and-boxes", Against.COMPUTER)
        assert command.level == "hard"
    async with terminal(at_once=AtOnce("chess", Against.HERE), connects_at_once=True) as at:
        await at.until(lambda: at.is_at(Place.LOBBY))
        await at.sees("There is no game “chess”")
