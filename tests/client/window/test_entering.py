"""Name, server, lobby and form at a real hub, with the mouse alone and with the keyboard alone."""

from __future__ import annotations

import socket
from time import monotonic

import httpx
import pytest

from client.shown.actions.controls import Place
from client.shown.model import Link
from client.shown.words.lobby import EMPTY
from client.window.screens.front_screen import FrontScreen
from client.window.screens.lobby_screen import LobbyScreen
from client.window.screens.match_screen import MatchScreen
from client.window.screens.name_screen import NameScreen
from protocol.messages import Snapshot
from tests.client.window.conftest import Person, Sit
from tests.driver import HubProcess
from tests.pace import within
from tests.stand import hub_over_redis


def match_of(person: Person) -> Snapshot:
    person.app.take_news()
    assert person.app.model.match is not None
    return person.app.model.match


def enters_match(person: Person) -> None:
    person.until(lambda: isinstance(person.app.screen, MatchScreen) and person.app.model.match is not None, "match")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_without_a_server_the_only_ways_on_are_retry_and_quit(sit: Sit) -> None:
    """UD RF1: the result of the connection is told; without one there is nothing but trying again and closing."""
    ana = sit("Ana", address=f"127.0.0.1:{free_port()}")
    ana.click("retry")
    ana.sees("Try again")
    assert isinstance(ana.app.screen, NameScreen)
    assert ana.app.screen.progress.bad
    assert ana.app.screen.progress.text
    actions = {target.action for target in ana.picture().targets if target.enabled}
    assert actions <= {"retry", "quit", "field", "theme"}
    assert {"retry", "quit"} <= actions


def test_a_missing_name_is_asked_for(sit: Sit) -> None:
    """UD RF1, CK 5.2: nobody is called nothing; the name is changed in its place, before the lobby."""
    ana = sit("Ana")
    ana.until(lambda: ana.app.model.lobby is not None)
    ana.press("n", "ctrl+u", "enter")
    ana.sees("Please type a name first.")
    assert ana.app.model.name == "Ana"
    ana.type("Ana two")
    ana.press("enter")
    ana.until(lambda: ana.app.model.name == "Ana two")
    assert isinstance(ana.app.screen, FrontScreen)
    ana.press("enter")
    ana.until(lambda: isinstance(ana.app.screen, LobbyScreen))


def test_a_name_in_use_is_refused_with_one_that_is_free(sit: Sit) -> None:
    """UD RF1: the refusal is told, and the suggestion is taken by the same button."""
    first, second = sit("Eva"), sit("Eva2")
    first.enter_lobby()
    second.until(lambda: second.app.model.link is Link.UP)
    second.press("n", "backspace", "enter")
    second.sees("Take it")
    second.enter_lobby()
    assert second.app.model.name not in ("Eva", "")


def test_without_a_connection_it_tries_again_by_itself(sit: Sit, tmp_path_factory: pytest.TempPathFactory) -> None:
    """UD RF1: it says when, and once a server is there the games are."""
    with hub_over_redis(tmp_path_factory) as late:
        late.stop()
        ana = sit("Ida", address=f"127.0.0.1:{late.port}")
        ana.sees("Trying again in ")
        late.start()
        ana.until(lambda: ana.app.model.link is Link.UP)
        ana.sees(EMPTY)
        assert isinstance(ana.app.screen, FrontScreen)
        assert not ana.app.screen.progress.bad


def test_another_server_can_be_typed(sit: Sit, hub: HubProcess) -> None:
    """UD RF1: the address is asked on the first screen; one that is none is told at once."""
    ana = sit("Ida", address=f"127.0.0.1:{free_port()}")
    ana.sees("Nobody answers")
    ana.press("tab", "tab")
    ana.type("not an address")
    ana.press("enter")
    ana.until(lambda: isinstance(ana.app.screen, NameScreen) and "not an address" in ana.app.screen.progress.text)
    ana.press("tab", "tab", "ctrl+u")
    ana.type(f"127.0.0.1:{hub.port}")
    ana.press("enter")
    ana.until(lambda: ana.app.model.link is Link.UP)
    ana.press("enter")
    ana.until(lambda: isinstance(ana.app.screen, LobbyScreen))


def test_one_server_is_left_for_another(sit: Sit, hub: HubProcess) -> None:
    """By another name of the same hub: what was known of the first is forgotten, and one is a guest there anew."""
    ana = sit("Ivy")
    ana.until(lambda: ana.app.model.link is Link.UP)
    before = ana.app.model.player
    ana.press("tab", "tab")
    ana.type(f"localhost:{hub.port}")
    ana.press("enter")
    ana.until(lambda: ana.app.model.link is Link.UP and ana.app.model.player not in ("", before))


def test_who_plays_by_http_is_said_to_read(sit: Sit, hub: HubProcess) -> None:
    """Where the other one is, is said in words: at no board, but by requests."""
    wim = sit("Wim")
    wim.enter_lobby()
    with httpx.Client(base_url=f"http://127.0.0.1:{hub.port}/api", trust_env=False) as link:
        carl = {"authorization": f"Bearer {link.post('/guests', json={'name': 'Carl'}).json()['token']}"}
        match = link.post("/matches", json={"game": "square"}, headers=carl).json()["match"]
        wim.click("match", match)
        wim.click("open")
        enters_match(wim)

        def reads() -> bool:
            link.get(f"/matches/{match}/updates", headers=carl)
            return any("reads by HTTP" in line for line in wim.texts())

        wim.until(reads, "reads by HTTP")


def test_hosting_and_joining_from_the_list_with_the_mouse_alone(sit: Sit) -> None:
    """CK 5.2, 5.3, DB 8.1: the form has the name, game, colours, who may join; the list shows who waits; no menus."""
    ana, bob = sit("Mia"), sit("Max")
    ana.enter_lobby()
    bob.enter_lobby()
    ana.click("new")
    ana.sees("as Mia")
    assert {"Game", "Tiles", "Pieces", "Opponent", "Friend (link)", "Clock", "More"} <= set(ana.texts())
    ana.click("choose", "@clock=0")
    ana.click("submit")
    enters_match(ana)
    ana.sees(f"/#join={match_of(ana).match}")
    # Her name is also among those who are here, and others may have left matches in the list.
    bob.click("match", match_of(ana).match)
    bob.click("open")
    enters_match(bob)
    ana.until(lambda: match_of(ana).status == "playing")
    assert match_of(ana).match == match_of(bob).match
    assert match_of(ana).game == "checkers"


def test_hosting_and_joining_by_key_with_the_keyboard_alone(sit: Sit) -> None:
    """CK 5.2, 5.3: a private host is given a key; a missing key is asked for, and a wrong one is said to be wrong."""
    ana, bob = sit("Kim"), sit("Kay")
    ana.enter_lobby()
    bob.enter_lobby()
    ana.press("n", *["down"] * 3, "right", "ctrl+s")
    enters_match(ana)
    key = match_of(ana).key
    assert key is not None
    ana.sees(key)
    ana.click("copy")
    assert ana.app.copied.endswith(f"#key={key}")
    bob.press("k")
    bob.sees("Please type the key")
    bob.type("WRNG-WRNG-WRNG")
    bob.press("enter")
    bob.sees("✗")
    assert bob.app.screen.PLACE is Place.LOBBY
    bob.press("ctrl+u")
    bob.type(key)
    bob.sees("Kim invites you: ")
    bob.press("enter")
    enters_match(bob)
    assert match_of(bob).private


def test_a_match_that_waits_survives_a_look_at_the_lobby(sit: Sit) -> None:
    """Issue 14, 6: Esc leaves nothing, nor does a look at the cards; who joins calls the host back."""
    ana, bob = sit("Wim"), sit("Wanda")
    ana.enter_lobby()
    bob.enter_lobby()
    ana.click("new")
    ana.click("submit")
    enters_match(ana)
    waiting = match_of(ana).match
    ana.press("escape")
    ana.until(lambda: isinstance(ana.app.screen, LobbyScreen), "the lobby")
    ana.sees("waiting")
    ana.click("games")
    ana.until(lambda: isinstance(ana.app.screen, FrontScreen), "the cards")
    bob.click("match", waiting)
    bob.click("open")
    enters_match(bob)
    enters_match(ana)
    assert match_of(ana).match == match_of(bob).match == waiting
    ana.until(lambda: match_of(ana).status == "playing", "play")


def opening_of(person: Person) -> Snapshot | None:
    """The board before the first move, in the form."""
    screen = person.app.screen
    assert isinstance(screen, LobbyScreen)
    return screen.opening


def test_this_computer_has_option_buttons_and_start_on_top(sit: Sit) -> None:
    """SQ2, SQ6, HX SR1, UD RF1: "2 Player" and "Play Against the Computer", Start and a status label, and the board as
    it will be, deaf to clicks; against the computer (SQ5)."""
    ana = sit("Lea")
    ana.enter_lobby()
    ana.click("here")
    ana.sees("2 Player")
    ana.sees("Two people at this computer.")
    ana.sees("Click Start to begin Game.")
    tops = {target.action: target.rect.y for target in ana.picture().targets if target.action in ("against", "submit")}
    assert len(set(tops.values())) == 1
    squares = next(i for i, name in enumerate(ana.app.model.games) if name == "square")
    ana.click("choose", f"@game={squares}")
    ana.until(lambda: (shown := opening_of(ana)) is not None and shown.game == "square", "the board of Square")
    ana.sees("X has the first turn.")
    opening = opening_of(ana)
    assert opening is not None
    assert (opening.game, len(opening.board.lines), opening.marks) == ("square", 12, {})
    lobby = ana.app.screen
    assert isinstance(lobby, LobbyScreen)
    view, form = lobby.opening_board.view, lobby.form
    assert view is not None
    for line in opening.board.lines:
        ana.click_at(*view.place((line.x1 + line.x2) / 2, (line.y1 + line.y2) / 2))
    assert (ana.app.screen, lobby.form, opening_of(ana), ana.match) == (lobby, form, opening, None)
    ana.sees("Click Start to begin Game.")
    ana.click("against", "computer")
    ana.sees("You against the computer.")
    ana.click("choose", "@level=0")
    ana.click("choose", "@first=1")
    ana.click("submit")
    enters_match(ana)
    assert match_of(ana).game == "square"
    assert (match_of(ana).level, match_of(ana).you) == ("beginner", (1,))
    ana.sees("Computer (beginner)")
    assert not any("Click Start" in text for text in ana.texts())
    assert len(match_of(ana).you) == 1


def test_quitting_takes_less_than_a_second(sit: Sit) -> None:
    """N1: also while nothing answers."""
    ana = sit("Ida", address=f"127.0.0.1:{free_port()}")
    ana.click("retry")
    began = monotonic()
    ana.press("ctrl+q")
    assert ana.app.is_over
    ana.app.stop()
    within(monotonic() - began, 1.0)


def test_rows_are_all_reachable_by_scrolling_in_the_smallest_window(sit: Sit) -> None:
    """DB 8.1: where not all rows of the form fit, the arrows bring each of them into sight."""
    ana = sit("Zoe", size=(640, 480))
    ana.enter_lobby()
    ana.click("new")
    first = [target.value for target in ana.picture().targets if target.action == "row"]
    assert first == ["@game", "tiles", "pieces", "@opponent", "@first", "@clock", "@more"], "at once"
    ana.click("choose", "@more=1")
    seen: set[str] = set()
    for _ in range(12):
        seen |= {target.value for target in ana.picture().targets if target.action == "row"}
        assert isinstance(ana.app.screen, LobbyScreen)
        assert ana.app.screen.told in seen
        ana.press("down")
    assert {"captures", "draw_after", "@delay", "@grace"} <= seen
