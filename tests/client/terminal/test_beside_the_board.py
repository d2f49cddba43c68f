"""What stands beside the board in the terminal: the players at its edge, the card of the end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from client.conversation.events import Offline
from client.shown.words.ending import DEAF_S
from client.terminal.drawing.layout import choose_layout
from client.terminal.parts.end_card import EndCard
from client.terminal.parts.prompts import ActionButton, Actions
from client.terminal.parts.seats import SeatCard
from client.terminal.screens.dialogs import AskDialog, TypeDialog
from protocol.board import touched
from protocol.messages import Analyse, Analysis, AwayInfo, ClockRule, Create, GetRecord, Look, Move, Offer, Where
from server.match import commands as c
from server.match.views import record
from tests.client.refereed import CATALOGUE, Refereed, infos
from tests.forms import SCREENS

SIZES = [(60, 20), (80, 24), (160, 45)]


def played(game: str = "checkers") -> Refereed:
    match = Refereed(game, clock=ClockRule(total_ms=600_000))
    for _ in range(6):
        match.now_ms += 1_500
        match.play()
    return match


def cards(at: Any) -> list[tuple[str, Any]]:
    """The names on the cards that are on screen, and where."""
    found = [card for card in at.app.screen.query(SeatCard) if card.display and card.is_on_screen]
    return [("Ada" if "Ada" in card.render().plain else "Ben", card.region) for card in found]


def buttons_of(at: Any) -> list[ActionButton]:
    """What can be clicked beside the board or below it."""
    return [button for button in at.app.screen.query(ActionButton) if button.is_on_screen and button.display]


@pytest.mark.screens
@pytest.mark.parametrize("size", SIZES if SCREENS else SIZES[:1])
async def test_a_first_move_is_not_counted_down(terminal: Any, size: tuple[int, int]) -> None:
    """CK R2.3, 5.4.5: the clock stands, and beside it how long is left."""
    async with terminal(size=size) as at:
        match = Refereed("checkers", clock=ClockRule(total_ms=600_000))
        await at.stand(3.0, match.now_ms + 3_000)
        await at.to_match(match.snapshot())
        await at.sees("first move within 9:57")
        assert "▸10:00" in at.text()
        at.app.take(Offline(3.0, "gone"))
        at.app.refresh_screens()
        await at.sees("~10:00")


@pytest.mark.screens
@pytest.mark.parametrize("size", SIZES if SCREENS else SIZES[:2])
async def test_the_end_is_told_beside_the_board_and_steals_no_click(terminal: Any, size: tuple[int, int]) -> None:
    """CK 5.5, 5.4.5, UD RF7: verdict, who left and who has won, bars, a rematch first; nothing of it on the board, and
    for 800 ms it is deaf."""
    async with terminal(size=size) as at:
        match = played("ultimate-dots-and-boxes" if size[0] == 60 else "checkers")
        await at.stand(10.0, match.now_ms)
        await at.to_match(match.snapshot())
        for event in match.do("ben", c.Abandon()):
            at.app.take(event)
        at.app.refresh_screens()
        await at.sees("You win!")
        await at.sees("Ben surrendered. Ada wins.")
        if size[0] > 60:
            await at.sees(" moves ▆")
            await at.sees("1.5 s ▆")
        ways_on = {"rematch", "again", "clear", "lobby", "more"}
        await at.until(lambda: {one.action for one in buttons_of(at)} == ways_on)
        assert buttons_of(at)[0].action == "rematch"
        board, buttons = at.board.region, buttons_of(at)
        assert not [button for button in buttons if button.region.overlaps(board)]
        assert [name for name, _ in sorted(cards(at), key=lambda card: card[1].y)] == ["Ben", "Ada"]
        assert not [region for _, region in cards(at) if region.overlaps(board)]
        await at.pilot.click(buttons[0])
        assert at.server.received.empty()
        at.app._clock = lambda: 10.0 + DEAF_S
        await at.until(lambda: not any(actions.is_deaf for actions in at.app.screen.query(Actions)))
        await at.pilot.click(buttons[0])
        assert isinstance(await at.server.next(Offer), Offer)
        await at.press("comma")
        assert (await at.server.next(Look)).ply == 5


@pytest.mark.parametrize("size", SIZES)
async def test_the_level_is_on_the_computers_card(terminal: Any, size: tuple[int, int]) -> None:
    """Whole: that somebody is here is left out where both have no room."""
    async with terminal(size=size) as at:
        match = Refereed("checkers", clock=ClockRule(total_ms=600_000), computer=True, joined=False, level="beginner")
        await at.to_match(match.snapshot())
        await at.sees("Computer (beginner)")


@pytest.mark.parametrize("where", ["lost", "quit"])
@pytest.mark.parametrize("size", SIZES)
async def test_who_is_waited_for_keeps_the_name(terminal: Any, size: tuple[int, int], where: Where) -> None:
    """RU-M5: how somebody has gone takes no name from the card, also where both would be too long for it."""
    async with terminal(size=size) as at:
        snapshot = played().snapshot()
        now_ms = snapshot.now_ms
        seats = tuple(structs.replace(seat, here=seat.name == "Ada", where=where) for seat in snapshot.seats)
        away = (AwayInfo(1, now_ms + 29_000),)
        await at.stand(3.0, now_ms)
        await at.to_match(structs.replace(snapshot, seats=seats, away=away))
        await at.sees(f"{where} 0:29")
        said = next(card.render().plain for card in at.app.screen.query(SeatCard) if "0:29" in card.render().plain)
        assert "Ben" in said.splitlines()[0]
        assert "0:29" in said.splitlines()[0]


@pytest.mark.parametrize("size", [(160, 45), (80, 24), (60, 20)])
async def test_a_review_is_a_line_of_bars_and_the_costliest_moves(terminal: Any, size: tuple[int, int]) -> None:
    """A key begins it and breaks it off; each position is asked for once, and a click on the bars leads to one."""
    async with terminal(size=size) as at:
        match = played()
        match.do("ben", c.Abandon())
        await at.to_match(match.snapshot())
        at.app.model = replace(at.app.model, games=infos())
        await at.press("j")
        for ply, lead in enumerate((0, -500, -500, 900, 900, 900, 900)):
            asked = await at.server.next(Analyse)
            assert asked.ply == ply
            await at.sees(f"Review: {ply} of 7")
            await at.server.say(
                Analysis(
                    ref=asked.ref, match=asked.match, version=9, ply=ply, plies=6, to_move=ply % 2, move="9-13",
                    text="", lead=lead, played="11-15", played_text="loses 1 piece",
                )
            )  # fmt: skip
        await at.sees("▅▃▃███")
        if size[0] > 60:
            await at.sees("Review: what cost most")
        card = next(card for card in at.app.screen.query(EndCard) if card.is_on_screen)
        assert "1. Ada: 11-15 loses 1 piece. Better: 9-13." in " ".join(card.render().plain.split())
        below = [seat.region for seat in at.app.screen.query(SeatCard) if seat.display and seat.is_on_screen]
        ways_on = {button.action: button.region for button in buttons_of(at)}
        assert {"rematch", "again", "review", "lobby", "more"} <= ways_on.keys(), "a review leaves the ways on in sight"
        assert not [one for one in ways_on.values() for seat in below if one.overlaps(seat)]
        row = next(y for y in range(card.size.height) if "▅▃▃" in str(card.render_line(y).text))
        await at.pilot.click(card, offset=(2, row))
        assert (await at.server.next(Look)).ply == 2
        await at.press("j")
        await at.until(lambda: at.app.model.review is None)
        await at.press("o")
        await at.server.say(record(match.match, str, (await at.server.next(GetRecord)).ref))
        begun = await at.server.next(Create)
        assert (begun.computer, begun.seat, begun.moves) == (True, 0, match.match.moves[:2])


@pytest.mark.parametrize("size", SIZES[:1])
async def test_quitting_a_running_match_asks_once_and_says_what_it_costs(terminal: Any, size: tuple[int, int]) -> None:
    async with terminal(size=size) as at:
        await at.to_match(played().snapshot())
        await at.press("q")
        await at.opens(AskDialog)
        await at.sees("Quit?")
        assert "Staying away for 30 s" in " ".join(at.text().split())
        await at.press("n", "q")
        await at.opens(AskDialog)
        await at.pilot.press("y")
        await at.until(lambda: at.app.return_code is not None)


async def test_moves_are_typed_and_letters_do_the_same_with_caps_lock(terminal: Any) -> None:
    async with terminal(size=(60, 20)) as at:
        match = played().snapshot()
        await at.to_match(match)
        assert at.board.cursor in {touched(move)[0] for move in match.legal}
        await at.press("D")
        assert (await at.server.next(Offer)).kind == "draw"
        await at.press("colon")
        await at.opens(TypeDialog)
        await at.press(*match.legal[0].upper().replace("X", "-"), "enter")
        assert (await at.server.next(Move)).move == match.legal[0]


@pytest.mark.parametrize("size", [(120, 36), (160, 45)])
@pytest.mark.parametrize("game", ["checkers", "dots-and-boxes", "square"])
async def test_a_long_name_is_whole_where_there_is_room(terminal: Any, game: str, size: tuple[int, int]) -> None:
    """Issue 14, 8: twenty letters, the own one with its "you"; and it costs the board nothing."""
    async with terminal(size=size) as at:
        match = played(game)
        names = ("Maximiliane Oberhaus", "Bartholomaeus der Vi")
        seats = tuple(
            structs.replace(seat, name=name) for seat, name in zip(match.snapshot().seats, names, strict=True)
        )
        await at.to_match(structs.replace(match.snapshot(), seats=seats))
        for name in names:
            await at.until(lambda name=name: any(name in card.render().plain for card in at.app.screen.query(SeatCard)))
        own = next(card.render().plain for card in at.app.screen.query(SeatCard) if names[0] in card.render().plain)
        assert own.splitlines()[0].endswith("you")
        board = at.board
        large = choose_layout(match.snapshot().board, size[0] - 26, board.size.height)
        assert board._layout.columns >= large.columns


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
@pytest.mark.parametrize("game", sorted(CATALOGUE))
async def test_the_ways_on_are_in_sight_after_each_game(terminal: Any, game: str, size: tuple[int, int]) -> None:
    """Issue 14, 9: a rematch first, whole, whatever was counted and however long the players' names are."""
    async with terminal(size=size) as at:
        match = played(game)
        match.do("ben", c.Abandon())
        snapshot, names = match.snapshot(), ("Maximiliane Oberhaus", "Bartholomaeus der Vi")
        seats = tuple(structs.replace(seat, name=name) for seat, name in zip(snapshot.seats, names, strict=True))
        await at.to_match(structs.replace(snapshot, seats=seats))
        at.app.model = replace(at.app.model, games=infos())
        at.app.refresh_screens()
        await at.sees("You win!")
        await at.until(lambda: {one.action for one in buttons_of(at)} >= {"rematch", "again", "lobby", "more"})
        below = [seat.region for seat in at.app.screen.query(SeatCard) if seat.display and seat.is_on_screen]
        for button in buttons_of(at):
            assert button.region in at.app.screen.region
            assert not [card for card in below if button.region.overlaps(card)]
