"""A match in the window at a real hub: board, information box, actions, help, pause, chat, saving, the end."""

from __future__ import annotations

import pytest

from client.kept import saves
from client.playing.new_match import Choice
from client.shown.board.scene import cell_centre
from client.shown.model import Link, Model
from client.shown.words.challenges import BEFORE_LINK, BEFORE_LOCAL_LINK
from client.shown.words.lobby import Way
from client.window.drawing import lettering
from client.window.drawing.shapes import Disc, Stroke, Text
from client.window.drawing.theme import Ink
from client.window.hands.inputs import Key, Moved, Pressed, Released
from client.window.intents import Copy, Host, OpenMatch, Play
from client.window.parts.match_view import layout
from client.window.screens.lobby_screen import LobbyScreen
from client.window.screens.match_screen import MatchScreen
from protocol.messages import ClockRule, Snapshot
from server.match.views import record
from tests.client.positions import DOTS_INFO, dots_board, snapshot
from tests.client.refereed import ENGLISH, Refereed
from tests.client.window.conftest import SIZE, Person, Sit

SMALL_BOARD = (("width", 3), ("height", 3))


def alone(sit: Sit, name: str, game: str = "dots-and-boxes", options: object = SMALL_BOARD) -> Person:
    """Somebody at a board with both seats."""
    person = sit(name)
    person.enter_lobby()
    assert isinstance(options, tuple)
    person.app.carry_out(Host(Choice(game, options, opponent="both")))
    person.plays(game, "playing")
    return person


def two(sit: Sit, one: str, other: str, choice: Choice) -> tuple[Person, Person]:
    """Two people at two windows who play each other."""
    ana, bob = sit(one), sit(other)
    ana.enter_lobby()
    bob.enter_lobby()
    ana.app.carry_out(Host(choice))
    bob.app.carry_out(OpenMatch(ana.plays(choice.game).match, Way.JOIN))
    ana.plays(choice.game, "playing")
    bob.plays(choice.game, "playing")
    return ana, bob


def place(person: Person, element: str) -> tuple[float, float]:
    """Where an element is in the window."""
    screen, match = person.app.screen, person.match
    assert isinstance(screen, MatchScreen)
    assert match is not None
    view = layout(screen.sheet(person.size), screen.seen(person.app.now), person.app.model).view
    for dot in match.board.dots:
        if dot.id == element:
            return view.place(dot.x, dot.y)
    for line in match.board.lines:
        if line.id == element:
            return view.place((line.x1 + line.x2) / 2, (line.y1 + line.y2) / 2)
    return view.place(*cell_centre(next(cell for cell in match.board.cells if cell.id == element)))


def discs_on_board(person: Person) -> list[Disc]:
    """The discs, such as pieces, where the board lies or lay."""
    screen = person.app.screen
    assert isinstance(screen, MatchScreen)
    board = layout(screen.sheet(person.size), screen.seen(person.app.now), person.app.model).board
    return [shape for shape in person.picture().shapes if isinstance(shape, Disc) and board.holds(*shape.centre)]


def drag(person: Person, start: str, end: str) -> None:
    (x1, y1), (x2, y2) = place(person, start), place(person, end)
    person.app.take_input(Pressed(x1, y1), person.size)
    for part in (0.3, 0.6, 1.0):
        person.app.take_input(Moved(x1 + (x2 - x1) * part, y1 + (y2 - y1) * part, True), person.size)
    person.app.take_input(Released(x2, y2), person.size)


def plays_on(person: Person, moves: int) -> Snapshot:
    """Wait until so many moves were made."""
    person.until(lambda: person.match is not None and person.match.plies == moves and not person.app.model.pending)
    assert person.match is not None
    return person.match


def test_a_line_by_two_dots_by_dragging_and_directly(sit: Sit) -> None:
    """DB 7.2.1.1, UD RF4: two clicks, from dot to dot with the line as a preview, and the line itself."""
    ana = alone(sit, "Una")
    ana.click_at(*place(ana, "a1"))
    ana.click_at(*place(ana, "b1"))
    plays_on(ana, 1)
    drag(ana, "a2", "b2")
    plays_on(ana, 2)
    ana.click_at(*place(ana, "a1-a2"))
    assert "a1-a2" in plays_on(ana, 3).marks


def test_the_line_under_the_mouse_is_drawn_as_a_preview(sit: Sit) -> None:
    """UD RF4: while it is dragged, and where the mouse is over a line that can be drawn."""
    ana = alone(sit, "Ute")
    colour = ana.plays().seats[0].style.colour
    (x1, y1), (x2, y2) = place(ana, "a1"), place(ana, "b1")
    ana.app.take_input(Moved((x1 + x2) / 2, (y1 + y2) / 2), ana.size)
    previews = [s for s in ana.picture().shapes if isinstance(s, Stroke) and s.colour == colour and s.alpha < 1]
    assert [(s.start, s.end) for s in previews] == [((x1, y1), (x2, y2))]
    ana.app.take_input(Pressed(x1, y1), ana.size)
    ana.app.take_input(Moved(x1 + 30, y1 + 5, True), ana.size)
    previews = [s for s in ana.picture().shapes if isinstance(s, Stroke) and s.colour == colour and s.alpha < 1]
    assert ((x1, y1), (x1 + 30, y1 + 5)) in [(s.start, s.end) for s in previews]


def test_what_is_taken_is_refused_near_its_place_and_play_goes_on(sit: Sit) -> None:
    """DB 7.3.2.1: the sentence stands near the line, and nothing is lost."""
    ana = alone(sit, "Uma")
    ana.click_at(*place(ana, "a1-b1"))
    plays_on(ana, 1)
    x, y = place(ana, "a1-b1")
    ana.click_at(x, y)
    ana.until(lambda: ana.app.model.notice.code and not ana.app.model.pending)
    text = ana.app.model.notice.text
    near = [s for s in ana.picture().shapes if getattr(s, "text", "") == f"✗ {text}"]
    assert any(abs(s.rect.y + s.rect.height / 2 - y) < 60 for s in near if hasattr(s, "rect"))
    ana.click_at(*place(ana, "b1-c1"))
    plays_on(ana, 2)


def test_a_stone_is_clicked_or_dragged_from_beside_the_board(sit: Sit) -> None:
    """HX SR2: both ways; HX SR4.E1, SR4.E2: a green tick or a red cross under the mouse."""
    ana = alone(sit, "Hex", "hexoust", (("side", 3),))
    ana.app.take_input(Moved(*place(ana, "a1")), ana.size)
    assert [s.colour for s in ana.picture().shapes if isinstance(s, Stroke)].count(Ink.TICK) == 2
    ana.click_at(*place(ana, "a1"))
    plays_on(ana, 1)
    ana.app.take_input(Moved(*place(ana, "a1")), ana.size)
    assert [s.colour for s in ana.picture().shapes if isinstance(s, Stroke)].count(Ink.CROSS) == 2
    stone, cell = ana.target("stone").rect.centre, place(ana, "c3")
    ana.app.take_input(Pressed(*stone), ana.size)
    ana.app.take_input(Moved(*cell, True), ana.size)
    assert any(isinstance(s, Disc) and s.centre == cell and s.alpha < 1 for s in ana.picture().shapes)
    ana.app.take_input(Released(*cell), ana.size)
    assert "c3" in plays_on(ana, 2).marks


def test_a_picked_piece_shows_where_it_can_go(sit: Sit) -> None:
    """CK 5.4: the legal targets of a piece that is picked are marked, and Escape lets it go."""
    ana = alone(sit, "Dam", "checkers", ())
    ana.click_at(*place(ana, "9"))
    marks = [s.centre for s in ana.picture().shapes if isinstance(s, Disc) and s.fill is Ink.TICK]
    assert sorted(marks) == sorted([place(ana, "13"), place(ana, "14")])
    ana.press("escape")
    assert not [s for s in ana.picture().shapes if isinstance(s, Disc) and s.fill is Ink.TICK]
    drag(ana, "9", "14")
    assert "14" in plays_on(ana, 1).marks


def test_a_game_can_be_played_with_the_keyboard_alone(sit: Sit) -> None:
    """DB 8.1: arrows and Enter play, letters act, and every button is reached by Tab."""
    ana = alone(sit, "Key", "square", ())
    ana.press("up")
    for _ in range(12):
        match = ana.plays()
        walk = [*["up"] * 5, *["left"] * 3, *(["right"] * 3 + ["left"] * 3 + ["down"]) * 5]
        while cursor_of(ana) not in match.legal:
            ana.press(walk.pop(0))
        ana.press("enter")
        plays_on(ana, match.plies + 1)
    assert ana.plays().result is not None
    reached = set()
    for _ in range(30):
        ana.press("tab")
        reached.add(ana.app.screen.pointer.focus)
    while ana.app.screen.pointer.focus != ("more", ""):
        ana.press("tab")
    ana.press("enter")
    for _ in range(10):
        ana.press("tab")
        reached.add(ana.app.screen.pointer.focus)
    assert {("rematch", ""), ("save", ""), ("lobby", ""), ("quit", ""), ("help", "")} <= reached
    ana.press("escape")
    assert ana.app.screen.pointer.focus == ("more", "")
    assert not ana.has("settings")


def cursor_of(person: Person) -> str:
    """What the keys are on."""
    screen = person.app.screen
    assert isinstance(screen, MatchScreen)
    assert screen.hand.cursor is not None
    return screen.hand.cursor.id


def test_the_information_box_has_names_clocks_and_whose_move_it_is(sit: Sit) -> None:
    """CK 5.4.5, DB 7.3.1.3: for both players, and the scores in the players' colours."""
    choice = Choice("dots-and-boxes", SMALL_BOARD, clock=ClockRule(total_ms=300_000))
    ana, bob = two(sit, "Ina", "Ivo", choice)
    for person in (ana, bob):
        texts = person.texts()
        assert "▶ Ina" in texts
        assert "Ivo" in texts
        assert sum(text in ("05:00", "04:59", "04:58") for text in texts) == 2
        fills = [getattr(shape, "fill", None) for shape in person.picture().shapes]
        assert person.plays().seats[0].style.colour in fills
        assert person.plays().seats[1].style.colour in fills
    ana.sees("Your turn, Ina")
    due = ana.picture().due
    assert due is not None
    assert due - ana.app.now <= 1.1


def test_a_pause_covers_the_board_for_both(sit: Sit) -> None:
    """CK 5.4.3, 5.4.4: nothing of the board is drawn, and only who paused has "Continue"."""
    ana, bob = two(sit, "Pia", "Pit", Choice("checkers"))
    ana.click("pause")
    for person in (ana, bob):
        person.until(lambda person=person: person.app.model.is_covered)  # type: ignore[misc]
        assert not discs_on_board(person)
    assert ana.has("continue")
    assert not bob.has("continue")
    ana.click("continue")
    bob.until(lambda: not bob.app.model.is_covered)
    assert len(discs_on_board(bob)) >= 24


def test_draw_surrender_and_the_end(sit: Sit) -> None:
    """CK 5.4.1, 5.4.2, 5.5, UD RF7: offered, declined; asked before giving up; winner, averages and the way back."""
    ana, bob = two(sit, "Sue", "Sam", Choice("checkers"))
    ana.app.carry_out(Play("9-13"))
    plays_on(bob, 1)
    ana.click("draw")
    bob.sees("Sue offers a draw.")
    bob.click("decline")
    ana.until(lambda: ana.app.model.own_offer is None)
    bob.click("give_up")
    assert bob.plays().result is None
    bob.click("no")
    bob.press("a", "enter")
    for person in (ana, bob):
        person.sees("wins")
        person.sees("a move")
        person.sees("Main Menu")
    ana.sees("You win!")
    bob.sees("You lose.")
    ana.click("lobby")
    ana.until(lambda: isinstance(ana.app.screen, LobbyScreen))
    bob.press("escape")
    bob.until(lambda: isinstance(bob.app.screen, LobbyScreen))


def test_a_rematch_has_the_seats_swapped(sit: Sit) -> None:
    """CK 5.5, SQ10: both agree, and find themselves in the next match."""
    ana, bob = two(sit, "Ria", "Ron", Choice("square"))
    first = ana.plays().match
    bob.app.carry_out(Play("a1-b1")) if bob.plays().to_move in bob.plays().you else ana.app.carry_out(Play("a1-b1"))
    plays_on(ana, 1)
    ana.press("a", "enter")
    bob.sees("wins")
    bob.click("rematch")
    ana.click("accept")
    for person in (ana, bob):
        person.until(lambda person=person: person.match is not None and person.match.match != first)  # type: ignore[misc]
    assert ana.plays().you == (1,)


def test_restoring_the_initial_state_is_there_only_after_the_end(sit: Sit) -> None:
    """UD RF3: disabled before, and then it leads to an empty board and no match."""
    ana = alone(sit, "Ron2", "square", ())
    ana.app.carry_out(Play("a1-b1"))
    plays_on(ana, 1)
    assert not ana.has("clear")
    ana.press("a", "enter")
    ana.until(lambda: ana.plays().result is not None)
    ana.press("i")
    ana.until(lambda: ana.app.model.is_cleared)
    assert ana.match is not None
    assert not ana.match.marks
    ana.sees("No match")


def test_help_is_beside_the_board_and_play_goes_on(sit: Sit) -> None:
    """DB 7.3.1.5, 7.3.1.6, 7.3.1.7: not over the board, not modal, with a control to close it."""
    ana = alone(sit, "Hal")
    ana.press("question_mark")
    ana.sees("Close")
    screen = ana.app.screen
    assert isinstance(screen, MatchScreen)
    where = layout(screen.sheet(ana.size), screen.seen(ana.app.now), ana.app.model)
    close = ana.target("help").rect
    assert not where.board.holds(*close.centre)
    ana.click_at(*place(ana, "a1-b1"))
    plays_on(ana, 1)
    ana.click("help")
    assert "Close" not in ana.texts()


def test_saving_and_going_back_to_it(sit: Sit) -> None:
    """DB 7.3.3.1, 7.3.3.2, 8.2: under a name, over another game only when asked twice, and back to it later."""
    ana = alone(sit, "Sav")
    ana.app.carry_out(Play("a1-b1"))
    plays_on(ana, 1)
    ana.click("save")
    ana.press("ctrl+u")
    ana.type("evening")
    ana.press("enter")
    ana.sees("Saved as “evening”.")
    ana.app.carry_out(Play("a2-b2"))
    plays_on(ana, 2)
    ana.press("v")
    ana.sees("Revert to which saved position?")
    ana.click("start_saved")
    plays_on(ana, 1)
    ana.click("lobby")
    ana.is_in_lobby()
    ana.press("o")
    ana.sees("evening")
    ana.press("enter")
    assert plays_on(ana, 1).you == (0, 1)
    # Nothing is said of what goes on; another one is gone over.
    ana.click("lobby")
    ana.is_in_lobby()
    ana.press("o", "j")
    ana.sees("Nothing is said that could help in a match that goes on.")
    other = Refereed("dots-and-boxes")
    other.play("b1-c1")
    saves.save(record(other.match, ENGLISH, "r"), "morning")
    ana.press("o")
    ana.sees("morning")
    ana.click("review_saved")
    ana.sees("A saved game.")
    ana.until(lambda: ana.app.model.review is not None and ana.app.model.review.is_whole)
    shown = ana.app.model.match
    assert shown is not None
    assert [seat.name for seat in shown.seats] == ["Ada", "Ben"]


def test_stepping_back_and_forward(sit: Sit) -> None:
    """DB 8.2: through the moves by buttons and keys, and back to the newest; nothing can be played meanwhile."""
    ana = alone(sit, "Ste")
    for move in ("a1-b1", "a2-b2", "b1-c1"):
        version = ana.plays().version
        ana.app.carry_out(Play(move))
        ana.reaches(version + 1)
    ana.click("back")
    ana.press("comma")
    ana.until(lambda: ana.app.model.look is not None and ana.app.model.look.ply == 1)
    ana.sees("Looking back: 2 moves behind")
    shown = ana.app.model.shown
    assert shown is not None
    assert set(shown.marks) == {"a1-b1"}
    ana.press("full_stop")
    ana.sees("Looking back: 1 move behind")
    ana.click("start")
    ana.sees("Looking back: 3 moves behind")
    ana.click("live")
    ana.sees("3 moves")


def test_chat_between_the_two(sit: Sit) -> None:
    """CK 5.4.5: typed beside the board, read by the other one; letters typed there are no commands."""
    ana, bob = two(sit, "Cat", "Col", Choice("square"))
    ana.press("slash")
    ana.type("quick pause? a d p")
    ana.press("enter")
    bob.sees("“quick pause? a d p”")
    assert not ana.app.is_over
    assert ana.plays().pause is None
    assert ana.plays().offer is None


def test_who_waits_is_shown_the_link_to_give_away_and_can_copy_it() -> None:
    """CK R1.5, CK 5.2: the link where others can reach the server, else the key of a private match."""
    waiting = snapshot(dots_board(3, 3), status="waiting", to_move=None, key="ABCD-EFGH-JKLM")
    model = Model(link=Link.UP, match=waiting, games={"dots-and-boxes": DOTS_INFO})
    screen = MatchScreen()
    for link, wanted in (("", "ABCD-EFGH-JKLM"), ("http://games.example/#key=ABCD-EFGH-JKLM",) * 2):
        screen.link = link
        picture = screen.picture(model, (640, 480), 0.0)
        assert any(isinstance(shape, Text) and wanted in shape.text for shape in picture.shapes)
        target = next(target for target in picture.targets if target.action == "copy")
        x, y = target.rect.centre
        assert screen.take(Pressed(x, y), model, (640, 480), 0.0) == []
        assert screen.take(Released(x, y), model, (640, 480), 0.0) == [Copy(wanted)]
        assert screen.take(Key("y", "y"), model, (640, 480), 0.0) == [Copy(wanted)]


@pytest.mark.parametrize("size", [(640, 480), (600, 900), (960, 640), (3840, 2160)])
@pytest.mark.parametrize(
    ("link", "before"),
    [
        ("http://192.168.100.123:7878/#key=ABCD-EFGH-JKLM", BEFORE_LINK),
        ("http://127.0.0.1:7878/#join=hYk3Qm5vTzA", BEFORE_LOCAL_LINK),
    ],
)
def test_the_link_of_a_match_that_waits_is_whole(link: str, before: tuple[str, ...], size: tuple[int, int]) -> None:
    """CK R1.5: for somebody elsewhere, or for this computer alone, which is said at every size."""
    waiting = snapshot(dots_board(3, 3), status="waiting", to_move=None)
    screen = MatchScreen()
    screen.link = link
    picture = screen.picture(Model(link=Link.UP, match=waiting, games={"dots-and-boxes": DOTS_INFO}), size, 0.0)
    told = next(shape for shape in picture.shapes if isinstance(shape, Text) and link in shape.text)
    assert lettering.width(told.text, told.size, told.face) <= told.rect.width + 0.5
    assert told.text.removesuffix(link) in before
    copy = next(target.rect for target in picture.targets if target.action == "copy")
    assert told.rect.right <= copy.x


@pytest.mark.parametrize("size", [(640, 480), (600, 900), (3840, 2160)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_everything_is_inside_and_apart_at_any_size(sit: Sit, size: tuple[int, int]) -> None:
    """DB 8.1: at 640 x 480, upright and at 4K, all buttons lie in the window, and none over another."""
    ana = sit("Siz", size=size)
    ana.enter_lobby()
    ana.app.carry_out(Host(Choice("checkers", opponent="both")))
    ana.plays("checkers", "playing")
    targets = [target for target in ana.picture().targets if target.action != "stone"]
    assert {"give_up", "restart", "takeback", "more"} <= {t.action for t in targets}
    ana.click("more")
    opened = [target for target in ana.picture().targets if target.action != "stone"]
    assert {"pause", "draw", "give_up", "restart", "save", "help", "lobby", "quit"} <= {t.action for t in opened}
    for target, others in [*((one, targets) for one in targets), *((one, opened) for one in opened)]:
        rect = target.rect
        assert rect.x >= 0
        assert rect.y >= 0
        assert rect.right <= size[0] + 0.5
        assert rect.bottom <= size[1] + 0.5
        for other in others:
            apart = (
                other is target or rect.right <= other.rect.x + 0.5 or other.rect.right <= rect.x + 0.5
                or rect.bottom <= other.rect.y + 0.5 or other.rect.bottom <= rect.y + 0.5
            )  # fmt: skip
            assert apart, (target, other)


def test_board_controls_status_and_scores_are_on_one_screen(sit: Sit) -> None:
    """DB 7.1.1.2: 8 x 8 dots and the lines between them, quit, restart and help, whose turn it is, both scores. In the
    smallest window alone one of them is behind More."""
    person = alone(sit, "Ana", options=(("width", 8), ("height", 8)))
    for person.size in ((800, 600), (1024, 720), (1280, 800), (600, 900), SIZE):
        for action in ("quit", "restart", "help"):
            assert person.has(action), (person.size, action)
    shapes = person.picture().shapes
    assert sum(isinstance(shape, Disc) for shape in shapes) >= 64
    assert sum(isinstance(shape, Stroke) for shape in shapes) >= 112
    texts = person.texts()
    assert "Player 1, it is your turn" in texts
    assert texts.count("0 boxes") == 2
