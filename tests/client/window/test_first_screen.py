"""The first screen of the window: the games as cards, and two keys or one click to a board."""

from __future__ import annotations

from dataclasses import replace

import pytest

from client.playing.new_match import LABELS, Against, AtOnce
from client.shown.actions.controls import Place
from client.shown.board.examples import read_examples
from client.shown.model import Link, Model
from client.window.drawing.lettering import width
from client.window.drawing.shapes import Text
from client.window.hands.inputs import Key
from client.window.intents import Begin
from client.window.parts.cards_view import BEGIN, named
from client.window.screens.front_screen import FrontScreen
from client.window.screens.name_screen import NAME
from server.http.examples import examples
from tests.client.refereed import CATALOGUE, ENGLISH, infos
from tests.client.window.conftest import Sit
from tests.forms import SCREENS, crossed

GAMES = infos()
MODEL = Model(link=Link.UP, name="Wilhelmina Ampersand", games=GAMES, lobby=())
SIZES = ((640, 480), (600, 900), (3840, 2160), (640, 640), (960, 640), (1920, 1080))[: 6 if SCREENS else 3]


def first_screen() -> FrontScreen:
    """With its examples."""
    screen = FrontScreen("Wilhelmina Ampersand")
    screen.examples = read_examples(examples(CATALOGUE, ENGLISH))
    return screen


def test_what_is_typed_stays_when_the_name_is_told() -> None:
    screen = first_screen()
    screen.begin(NAME, "Ev")
    screen.picture(replace(MODEL, name="Zoe"), SIZES[0], 0.0)
    assert screen.fields[NAME].text == "Ev"
    screen.key(Key("escape"), replace(MODEL, name="Zoe"), 0.0)
    assert screen.fields[NAME].text == "Zoe"
    screen.picture(MODEL, SIZES[0], 0.0)
    assert screen.fields[NAME].text == MODEL.name


@pytest.mark.screens
@pytest.mark.parametrize("size", SIZES)
def test_all_ways_are_there_and_no_label_is_cut(size: tuple[int, int]) -> None:
    """Each way of each game is a place to click inside the window, none over another; every label fits."""
    picture = first_screen().picture(MODEL, size, 0.0)
    ways = {target.value: target.rect for target in picture.targets if target.action == BEGIN and target.enabled}
    assert set(ways) == {named(game, against) for game in GAMES for against in Against}
    rects = list(ways.values())
    assert all(r.x >= 0 and r.y >= 0 and r.right <= size[0] and r.bottom <= size[1] for r in rects)
    assert not [
        (one, other) for i, one in enumerate(rects) for other in rects[i + 1 :]
        if one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom
    ]  # fmt: skip
    shown = [shape for shape in picture.shapes if isinstance(shape, Text)]
    labels = [shape for shape in shown if shape.text in LABELS.values()]
    assert len(labels) == len(ways)
    assert all(width(shape.text, shape.size, shape.face) <= shape.rect.width for shape in labels)
    words = " ".join(shape.text for shape in shown)
    assert all(game.title.split()[-1] in words for game in GAMES.values())
    assert "Wilhelmina Ampersand" in words


@pytest.mark.parametrize("size", [(640, 480), (960, 640)])
def test_no_title_is_cut_and_the_footer_says_its_keys_in_words(size: tuple[int, int]) -> None:
    picture = first_screen().picture(MODEL, size, 0.0)
    shown = [shape for shape in picture.shapes if isinstance(shape, Text)]
    for shape in shown:
        # (The figures of the small boards are wider than the places in which they are centred.)
        if len(shape.text) > 3:
            assert width(shape.text, shape.size, shape.face) <= shape.rect.width + 1
    words = " ".join(shape.text for shape in shown)
    assert all(word in words for game in GAMES.values() for word in game.title.split())
    assert "c Computer   f Friend (link)   s Somebody   t Two here" in words


@pytest.mark.screens
@pytest.mark.parametrize(("number", "against"), crossed(range(len(GAMES)), tuple(Against), full=SCREENS))
def test_two_keys_lead_to_a_board(number: int, against: Against) -> None:
    screen = first_screen()
    assert screen.take(Key(str(number + 1)), MODEL, (960, 640), 0.0) == []
    (begun,) = screen.take(Key(LABELS[against][0].lower()), MODEL, (960, 640), 0.0)
    assert isinstance(begun, Begin)
    assert (begun.asked.game, begun.asked.against) == (list(GAMES)[number], against)


@pytest.mark.parametrize("size", [(960, 640), (600, 900)])
def test_arrows_reach_every_way(size: tuple[int, int]) -> None:
    """DB 8.1: along a card, and on to the next."""
    screen = first_screen()
    upright = size[0] > size[1]
    along, back, on = ("down", "up", "right") if upright else ("right", "left", "down")
    screen.take(Key("1"), MODEL, size, 0.0)
    reached = []
    for _ in GAMES:
        for _ in Against:
            reached.append(screen.pointer.focus)
            screen.take(Key(along), MODEL, size, 0.0)
        for key in (*[back] * (len(Against) - 1), on):
            screen.take(Key(key), MODEL, size, 0.0)
    assert reached == [(BEGIN, named(game, against)) for game in GAMES for against in Against]
    (begun,) = screen.take(Key("enter"), MODEL, size, 0.0)
    assert isinstance(begun, Begin)


def test_without_a_connection_no_card_can_be_played() -> None:
    """UD RF1."""
    screen, down = first_screen(), Model(link=Link.DOWN, name="Ana", games=GAMES)
    picture = screen.picture(down, (960, 640), 0.0)
    assert not [target for target in picture.targets if target.action == BEGIN and target.enabled]
    assert screen.take(Key("c"), down, (960, 640), 0.0) == []


def test_the_pictures_live_unless_nothing_is_to_move() -> None:
    screen = first_screen()
    first, later = (screen.picture(MODEL, (960, 640), now) for now in (0.0, 3.0))
    assert first.shapes != later.shapes
    assert later.due == pytest.approx(3.6)
    screen.moves = False
    assert screen.picture(MODEL, (960, 640), 0.0) == screen.picture(MODEL, (960, 640), 3.0)


def test_one_click_leads_to_a_board_at_a_real_hub(sit: Sit) -> None:
    """And the lobby leads back to the cards."""
    ana = sit("Zoe")
    ana.click(BEGIN, named("square", Against.COMPUTER))
    match = ana.plays("square", "playing")
    assert (match.you, match.private) == ((0,), True) or match.level
    ana.press("escape")
    ana.is_in_lobby()
    ana.click("games")
    assert ana.app.screen.PLACE is Place.NAME
    ana.click(BEGIN, named("checkers", Against.FRIEND))
    assert ana.plays("checkers", "waiting").key


def test_the_shell_leads_to_a_board_at_once(sit: Sit) -> None:
    """`parlour play square --computer --window`: no key and no click; a name that is none is told in the lobby."""
    ana = sit("Shelley", at_once=AtOnce("square", Against.COMPUTER))
    match = ana.plays("square", "playing")
    assert match.level
    assert len(match.you) == 1
    ben = sit("Shelby", at_once=AtOnce("chess", Against.HERE))
    ben.is_in_lobby()
    ben.until(lambda: "There is no game “chess”" in ben.app.model.notice.text)


def test_a_game_is_learnt_by_a_click_on_its_card(sit: Sit) -> None:
    """What is to be done stands beside the board, and whether it was; then it is tried again, or the next one comes."""
    ana = sit("Zoe")
    ana.click(BEGIN, named("dots-and-boxes", Against.LEARN))
    task = ana.plays("dots-and-boxes", "playing")
    assert task.lesson == 1
    assert "One box has three sides." in " ".join(ana.texts())
    ana.app.play("a3-b3")
    ana.until(lambda: ana.app.model.match is not None and ana.app.model.match.result is not None)
    assert {"Not yet.", "Try again", "Next task"} <= set(ana.texts())
    ana.press("r")
    ana.until(lambda: ana.app.model.match is not None and ana.app.model.match.match != task.match)
    ana.app.play("b1-b2")
    ana.until(lambda: ana.app.model.match is not None and ana.app.model.match.result is not None)
    assert "Done!" in ana.texts()
    assert ana.app.learned.done("dots-and-boxes") == (1,)
    ana.press("m")
    ana.until(lambda: ana.app.model.match is not None and ana.app.model.match.lesson == 2)
    ana.press("escape")
    ana.is_in_lobby()
    ana.click("games")
    assert "Learn 1/4" in ana.texts()


def test_the_drawings_of_the_help_stand_in_columns(sit: Sit) -> None:
    """DB 7.3.1.5: signs below each other in the game's help are below each other here, and nothing of it is cut."""
    ana = sit("Una")
    ana.click(BEGIN, named("dots-and-boxes", Against.HERE))
    ana.plays("dots-and-boxes", "playing")
    ana.press("f1")
    ana.sees("Close")
    dots = [shape for shape in ana.picture().shapes if isinstance(shape, Text) and shape.text == "o"]
    columns = {round(shape.rect.x, 3) for shape in dots}
    rows = {round(shape.rect.y, 3) for shape in dots}
    assert (len(columns), len(rows), len(dots)) == (3, 3, 9)
