"""What stands beside the board: the players at its edge, the card of the end, the help. Pure: no hub, no clock."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from client.conversation.events import InStep, Offline
from client.shown.actions.controls import Place, Shelf, controls_for
from client.shown.model import Model, update
from client.shown.words.ending import DEAF_S
from client.shown.words.status import quitting_costs
from client.window.drawing import lettering
from client.window.drawing.shapes import Picture, Rect, Stroke, Text
from client.window.hands.inputs import Key, Pressed, Released
from client.window.intents import Act, Intent, Play, Quit
from client.window.parts.match_view import layout
from client.window.parts.row import WAYS_OUT
from client.window.screens.match_screen import MatchScreen
from protocol.board import touched
from protocol.messages import ClockRule, SeatStats
from server.match import commands as c
from tests.client.refereed import CATALOGUE, Refereed

SIZES = [(640.0, 480.0), (960.0, 640.0), (600.0, 900.0), (1920.0, 1080.0), (3840.0, 2160.0)]
GAMES = [game for game in CATALOGUE if game != "relay"]
NAME = "Wilhelmina Mummery"
WAYS_ON = ("rematch", "again", "clear", "lobby")


def played(game: str, moves: int = 6) -> Refereed:
    match = Refereed(game, clock=ClockRule(total_ms=600_000))
    for _ in range(moves):
        match.now_ms += 1_500
        match.play()
    return match


def shown(match: Refereed, player: str = "ada", *, model: Model | None = None) -> Model:
    """The match before the eyes of `player`, Ben having a long name, at the server's time of the match."""
    games = {game.name: game.info() for game in CATALOGUE.values()}
    snapshot = match.snapshot(player)
    seats = (snapshot.seats[0], structs.replace(snapshot.seats[1], name=NAME))
    before = model if model is not None else match.model()
    after = update(replace(before, games=games), structs.replace(snapshot, seats=seats))
    return update(after, InStep(float(match.now_ms)))


def side_and_board(screen: MatchScreen, model: Model, size: tuple[float, float]) -> tuple[Rect, Rect]:
    where = layout(screen.sheet(size), screen.seen(0.0), model)
    return where.side, where.board


def texts(picture: Picture) -> list[Text]:
    return [shape for shape in picture.shapes if isinstance(shape, Text)]


def within(inner: Rect, outer: Rect) -> bool:
    return (
        outer.x - 1 <= inner.x
        and outer.y - 1 <= inner.y
        and inner.right <= outer.right + 1
        and inner.bottom <= outer.bottom + 1
    )


def overlap(one: Rect, other: Rect) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]:.0f}x{size[1]:.0f}")
@pytest.mark.parametrize("game", GAMES)
def test_the_end_is_told_beside_the_board(game: str, size: tuple[float, float]) -> None:
    """CK 5.5: a card that leaves the board free, whole in every size; a rematch first, and one can step back."""
    match = played(game)
    match.do("ben", c.Abandon())
    model, screen = shown(match), MatchScreen()
    picture = screen.picture(model, size, 0.0)
    side, board = side_and_board(screen, model, size)
    targets = [target for target in picture.targets if target.enabled]
    assert all(within(target.rect, side) for target in targets if target.action in WAYS_ON)
    assert not [target for target in targets if overlap(target.rect, board)]
    for index, target in enumerate(picture.targets):
        assert not [other for other in picture.targets[index + 1 :] if overlap(target.rect, other.rect)], target
    assert tuple(target.action for target in targets if target.action in WAYS_ON) == WAYS_ON
    assert any(target.action == "back" for target in targets)
    beside = [text for text in texts(picture) if within(text.rect, side)]
    said = [text.text for text in beside]
    assert {"You win!", "moves", "a move"} <= set(said)
    assert said.count("1.5 s") == 2
    for text in beside:
        if text.text in ("You win!", "moves", "a move", "1.5 s", "3", "Main Menu", "Rematch"):
            assert lettering.width(text.text, text.size, text.face) <= text.rect.width + 0.5


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]:.0f}x{size[1]:.0f}")
def test_a_row_of_icons_has_what_is_needed_often_and_a_menu_the_rest(size: tuple[float, float]) -> None:
    """CK 5.4, DB 8.1: each icon with its word, whole, at least 40 pixels; the menu lies beside the board, by key and
    mouse, and closes by Esc, by what is chosen and by a touch of the board."""
    model, screen = shown(played("checkers")), MatchScreen()
    side, board = side_and_board(screen, model, size)

    def cells() -> dict[str, Rect]:
        return {target.action: target.rect for target in screen.picture(model, size, 0.0).targets}

    row = cells()
    assert {"draw", "give_up", "takeback", "more"} <= row.keys()
    assert not {"revert", "mute", "settings"} & row.keys()
    # Whoever would leave, or does not know the rules, finds both without opening anything, except in the smallest.
    in_sight = {"restart", "help", "lobby", "quit"}
    assert in_sight & row.keys() == (in_sight if size != SIZES[0] else set())
    picture = screen.picture(model, size, 0.0)
    for action, word in (("draw", "Draw"), ("give_up", "Surrender"), ("takeback", "Take back"), ("more", "More")):
        assert min(row[action].width, row[action].height) >= 40
        written = next(text for text in texts(picture) if text.text == word)
        assert within(written.rect, row[action])
        assert lettering.width(word, written.size, written.face) <= written.rect.width
        strokes = [shape for shape in picture.shapes if isinstance(shape, Stroke) and row[action].holds(*shape.start)]
        assert strokes, action
    screen.take(Key("minus"), model, size, 0.0)
    opened = cells()
    assert {"revert", "save", "mute", "settings", "lobby", "quit", "more"} <= opened.keys()
    assert ("help" in row) or ("help" in opened)
    assert not [rect for rect in opened.values() if overlap(rect, board)]
    assert all(within(rect, side) for action, rect in opened.items() if action not in ("stone", "word"))
    screen.take(Key("escape"), model, size, 0.0)
    assert cells().keys() == row.keys()
    for close in (opened["mute"].centre, board.centre):
        x, y = row["more"].centre
        screen.take(Pressed(x, y), model, size, 0.0)
        screen.take(Released(x, y), model, size, 0.0)
        assert "mute" in cells()
        done = screen.take(Pressed(*close), model, size, 0.0) + screen.take(Released(*close), model, size, 0.0)
        assert "mute" not in cells()
        assert done == [Act("mute")] or close == board.centre
    offered = played("checkers")
    offered.do("ben", c.Offer("draw"))
    actions = [target.action for target in screen.picture(shown(offered), size, 0.0).targets]
    assert {"accept", "decline"} <= set(actions), "an answer is never behind the menu"


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]:.0f}x{size[1]:.0f}")
@pytest.mark.parametrize("key", ["", "minus"])
def test_all_icons_tell_their_key_or_none_does(size: tuple[float, float], key: str) -> None:
    """In one row as in two, and in the menu."""
    model, screen = shown(played("checkers")), MatchScreen()
    outside = {target.action for target in screen.picture(model, size, 0.0).targets}
    if key:
        screen.take(Key(key), model, size, 0.0)
    picture = screen.picture(model, size, 0.0)
    shelves = (Shelf.ACTIONS, Shelf.MENU)
    icons = {one.action: one for one in controls_for(Place.MATCH) if one.shelf in shelves or one.action in WAYS_OUT}
    told = dict[bool, set[bool]]()
    for target in picture.targets:
        if (control := icons.get(target.action)) is not None:
            has = any(text.text == control.first_key and within(text.rect, target.rect) for text in texts(picture))
            told.setdefault(target.action in outside, set()).add(has)
    assert told[True] in ({True}, {False})
    assert told.get(False, {True}) in ({True}, {False})


@pytest.mark.parametrize("size", [SIZES[0], SIZES[-1]], ids=lambda size: f"{size[0]:.0f}x{size[1]:.0f}")
def test_the_end_steals_no_click(size: tuple[float, float]) -> None:
    """What is clicked within 800 ms was meant for what stood there before; a match that was over has nothing to steal.

    The keys are no different: nobody had pressed them.
    """
    match, screen = played("checkers"), MatchScreen()
    model = shown(match)
    screen.picture(model, size, 0.0)
    match.do("ben", c.Abandon())
    model = shown(match, model=model)
    picture = screen.picture(model, size, 10.0)
    place = next(target for target in picture.targets if target.action == "rematch").rect.centre

    def click(down: float, up: float) -> list[Intent]:
        done = screen.take(Pressed(*place), model, size, down)
        return done + screen.take(Released(*place), model, size, up)

    assert click(10.0, 10.0) == []
    assert click(10.0 + DEAF_S - 0.01, 10.0 + DEAF_S + 0.01) == []
    assert click(10.0 + DEAF_S, 10.0 + DEAF_S) == [Act("rematch")]
    later = MatchScreen()
    later.picture(model, size, 20.0)
    assert not later.is_deaf(20.0)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]:.0f}x{size[1]:.0f}")
def test_the_level_is_on_the_computers_card(size: tuple[float, float]) -> None:
    """Whole, also beside a clock, and when it is to move."""
    match = Refereed("checkers", clock=ClockRule(total_ms=600_000), computer=True, joined=False, level="beginner")
    for _ in range(2):
        said = texts(MatchScreen().picture(match.model(), size, 0.0))
        (name,) = [one for one in said if one.text.removeprefix("▶ ") == "Computer (beginner)"]
        assert lettering.width(name.text, name.size, name.face) <= name.rect.width
        match.play()


def test_the_verdict_is_the_readers_own() -> None:
    match = played("checkers")
    match.do("ben", c.Abandon())
    for player, verdict in (("ada", "You win!"), ("ben", "You lose."), ("eve", "Ada wins!")):
        model = shown(match, player)
        assert verdict in [text.text for text in texts(MatchScreen().picture(model, SIZES[0], 0.0))]


def test_bars_are_as_long_as_their_figures_and_figures_are_whole() -> None:
    """Who did not move has no average; figures of four digits stand whole beside their bars."""
    match = played("dots-and-boxes", 0)
    match.do("ben", c.Abandon())
    model = shown(match)
    assert model.match is not None
    assert model.match.result is not None
    result = structs.replace(model.match.result, stats=(SeatStats(1_200, 65_000), SeatStats(0, 0)))
    model = replace(model, match=structs.replace(model.match, result=result))
    for size in SIZES:
        found = {text.text: text for text in texts(MatchScreen().picture(model, size, 0.0))}
        assert lettering.width("1200", found["1200"].size, found["1200"].face) <= found["1200"].rect.width
        assert {"1:05", "-"} <= found.keys()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]:.0f}x{size[1]:.0f}")
@pytest.mark.parametrize(("player", "below"), [("ada", "Ada"), ("ben", NAME), ("eve", NAME)])
def test_oneself_is_below_and_the_opponent_above(size: tuple[float, float], player: str, below: str) -> None:
    """CK 5.4.5, 5.1: the cards are at the panel's upper and lower edge, in a window that is higher than wide at the
    board's; who watches sees the board's side."""
    model, screen = shown(played("checkers"), player), MatchScreen()
    picture = screen.picture(model, size, 0.0)
    side, board = side_and_board(screen, model, size)
    above = NAME if below == "Ada" else "Ada"
    cards = [text for text in texts(picture) if within(text.rect, side) or text.rect.bottom <= board.y]
    heights = {name: next(text.rect for text in cards if name in text.text) for name in (above, below)}
    if size[0] < size[1]:
        assert heights[above].bottom <= board.y
        assert board.bottom <= heights[below].y < side.y + 0.15 * side.height
    else:
        assert heights[above].y < side.y + 0.15 * side.height
        assert heights[below].y > side.bottom - 0.15 * side.height


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]:.0f}x{size[1]:.0f}")
def test_the_help_covers_neither_clocks_nor_offers(size: tuple[float, float]) -> None:
    """DB 7.3.1.6, 7.3.1.7: play goes on beside it."""
    match = played("checkers")
    match.do("ben", c.Offer("draw"))
    model, screen = shown(match), MatchScreen()
    clocks = [text.text for text in texts(screen.picture(model, size, 0.0)) if text.text.startswith("09:")]
    screen.act("help", "", model, 0.0)
    picture = screen.picture(model, size, 0.0)
    said = [text.text for text in texts(picture)]
    assert [text for text in said if text.startswith("09:")] == clocks
    assert len(clocks) == 2
    assert {"Checkers", "Close"} <= set(said)
    offered = [target for target in picture.targets if target.action in ("accept", "decline") and target.enabled]
    assert len(offered) == 2
    close = next(target for target in picture.targets if target.action == "help")
    assert not [target for target in offered if overlap(target.rect, close.rect)]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]:.0f}x{size[1]:.0f}")
def test_quitting_a_running_match_asks_once_and_says_what_it_costs(size: tuple[float, float]) -> None:
    """The whole sentence is there at every size; after the end, for two at one mouse, for who watches: no question."""
    match, screen = played("checkers"), MatchScreen()
    model = shown(match)
    assert screen.take(Key("q"), model, size, 0.0) == []
    picture = screen.picture(model, size, 0.0)
    said = " ".join(text.text for text in texts(picture))
    assert quitting_costs(model) in said
    assert "Staying away for 30 s can lose the match." in said
    assert screen.take(Key("escape"), model, size, 0.0) == []
    assert screen.asks == ""
    screen.take(Key("q"), model, size, 0.0)
    assert screen.take(Key("enter"), model, size, 0.0) == [Quit()]
    both = Refereed("checkers", both=True)
    both.play()
    over = played("checkers")
    over.do("ben", c.Abandon())
    for other in (shown(match, "eve"), shown(both), shown(over)):
        assert MatchScreen().take(Key("q"), other, size, 0.0) == [Quit()]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]:.0f}x{size[1]:.0f}")
def test_a_move_is_typed_beside_the_board(size: tuple[float, float]) -> None:
    """Point 12 of the evening: a colon, the move in any case, Enter; the field is in sight while it is in use."""
    model, screen = shown(played("checkers")), MatchScreen()
    assert model.match is not None
    move = model.match.legal[0]
    screen.take(Key("colon", ":"), model, size, 0.0)
    written = move.upper().replace("X", "-")
    for letter in written:
        assert screen.take(Key(letter.lower(), letter), model, size, 0.0) == []
    side, _ = side_and_board(screen, model, size)
    assert [
        text for text in texts(screen.picture(model, size, 0.0)) if text.text == written and within(text.rect, side)
    ]
    # The place of a letter in another alphabet is no command while something is typed.
    assert screen.take(Key("q"), model, size, 0.0) == []
    assert screen.asks == ""
    assert screen.take(Key("enter"), model, size, 0.0) == [Play(move)]
    assert screen.take(Key("colon", ":"), model, size, 0.0) == []
    assert screen.take(Key("escape"), model, size, 0.0) == []
    assert screen.pointer.focus is None


def test_the_arrows_jump_among_pieces_and_then_targets() -> None:
    """Two keys choose a piece and a square, whatever lies between them."""
    model, screen = shown(played("checkers")), MatchScreen()
    assert model.match is not None
    screen.take(Key("right"), model, SIZES[0], 0.0)
    assert screen.hand.cursor is not None
    first = screen.hand.cursor.id
    assert any(touched(move)[0] == first for move in model.match.legal)
    screen.take(Key("enter"), model, SIZES[0], 0.0)
    screen.take(Key("up"), model, SIZES[0], 0.0)
    assert screen.take(Key("enter"), model, SIZES[0], 0.0)[0] in [Play(move) for move in model.match.legal]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]:.0f}x{size[1]:.0f}")
def test_a_first_move_is_not_counted_down(size: tuple[float, float]) -> None:
    """CK R2.3, 5.4.5: the clock stands, how long is left stands whole beside it; without a connection it has a sign."""
    model, screen = shown(played("checkers", 0)), MatchScreen()
    said = {text.text: text for text in texts(screen.picture(model, size, 3.0))}
    assert "10:00" in said
    told = next(text for text in said if text in ("first move within 9:57", "first move 9:57"))
    assert lettering.width(told, said[told].size, said[told].face) <= said[told].rect.width + 0.5
    lost = update(model, Offline(3.0, "gone"))
    assert "~10:00" in [text.text for text in texts(screen.picture(lost, size, 30.0))]
