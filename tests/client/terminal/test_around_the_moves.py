"""Clocks, offers, pauses, absences, the end and what comes after it, on screen in every size."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from client.conversation.events import InStep
from client.kept import saves
from client.shown.clocks import clock_text
from client.shown.controls import BY_ACTION, Place, Shelf, on_shelf
from client.terminal.attention import Attention
from client.terminal.dialogs import AskDialog, SayDialog
from client.terminal.prompts import ActionButton, Actions
from client.terminal.saved import SavedDialog, SaveDialog
from protocol.messages import (
    Abandon,
    Accepted,
    Answer,
    CallDraw,
    Command,
    Continue,
    Create,
    GetRecord,
    Leave,
    Look,
    Offer,
    Pause,
    Position,
    Rematched,
    Said,
    Say,
    WaitLonger,
    Watch,
    Withdraw,
)
from server.match import commands as c
from server.match.views import position, record
from tests.client.refereed import ENGLISH, TOTAL, Refereed
from tests.client.scripted_server import ScriptedServer
from tests.forms import SCREENS, crossed

SIZES = [(60, 20), (80, 24), (120, 40)]
COMMANDS: dict[str, type[Command]] = {
    "pause": Pause,
    "draw": Offer,
    "takeback": Offer,
    "rematch": Offer,
    "accept": Answer,
    "decline": Answer,
    "withdraw": Withdraw,
    "continue": Continue,
    "wait_longer": WaitLonger,
    "call_draw": CallDraw,
}
BUTTONS = frozenset(
    control.action for control in on_shelf(Place.MATCH, Shelf.ACTIONS, Shelf.OFFER, Shelf.AWAY, Shelf.PAUSE)
)


def played(moves: int = 4, **created: Any) -> Refereed:
    match = Refereed(clock=TOTAL, **created)
    for _ in range(moves):
        match.now_ms += 1_500
        match.play()
    return match


def paused_by(player: str) -> Refereed:
    match = played()
    match.do(player, c.Pause())
    return match


def offered(kind: str, player: str) -> Refereed:
    match = played()
    match.do(player, c.Offer(kind))  # type: ignore[arg-type]
    return match


def away() -> Refereed:
    match = played()
    match.do("", c.Notice((True, False)))
    return match


def given_up() -> Refereed:
    match = played()
    match.do("ben", c.Abandon())
    return match


STATES: dict[str, tuple[Callable[[], Refereed], tuple[str, ...]]] = {
    "playing": (
        played,
        ("Your turn", "p Pause", "d Draw", "t Take back", "b Restart", "v Revert", "a Surrender", "s Save"),
    ),
    "paused by me": (lambda: paused_by("ada"), ("You paused the match.", "by itself in 5:00", "g Continue", "Paused")),
    "paused by them": (lambda: paused_by("ben"), ("Ben paused the match.", "only Ben can go", "a Surrender")),
    "offered to me": (lambda: offered("draw", "ben"), ("Ben offers a draw.", "y Accept", "n Decline")),
    "offered by me": (lambda: offered("takeback", "ada"), ("You ask to take", "w Withdraw")),
    "away": (away, ("Ben is away: 0:30", "e Wait longer", "k Call it a draw", "away 0:30")),
    "over": (
        given_up,
        ("You win!", "Ben surrendered. Ada wins.", " moves ", " 1.5 s", "r Rematch", "i Clear", "s Save"),
    ),
}


async def shown(at: Any, match: Refereed, player: str = "ada") -> None:
    """Show the match as it is, with the server's clock standing still at its time."""
    at.app._clock = lambda: 0.0
    await at.to_match(match.snapshot(player))
    at.app.take(InStep(float(match.now_ms)))
    at.app.refresh_screens()
    await at.pilot.pause()


def usable(at: Any) -> set[str]:
    """The actions whose buttons are on screen, whole, and can be pressed."""
    screen = at.app.screen
    return {
        button.action
        for button in screen.query(ActionButton)
        if button.is_on_screen and not button.disabled and button.region in screen.region and button.region.width
    }


@pytest.mark.screens
@pytest.mark.parametrize(("state", "size"), crossed(list(STATES), SIZES, full=SCREENS))
async def test_every_state_shows_its_parts_and_exactly_its_buttons(
    terminal: Any, size: tuple[int, int], state: str
) -> None:
    """CK 5.4, 5.5, N3: in the smallest window, too."""
    make, texts = STATES[state]
    async with terminal(size=size) as at:
        await shown(at, make())
        for text in texts:
            await at.sees(text)
        allowed = {action for action in BUTTONS if BY_ACTION[action].enabled(at.app.model)}
        assert usable(at) - {"lobby"} == allowed


@pytest.mark.screens
@pytest.mark.parametrize(("state", "way"), crossed(list(STATES), ["key", "button"], full=SCREENS))
async def test_each_action_is_asked_of_the_server(terminal: Any, state: str, way: str) -> None:
    """One key and one button for each; what is not allowed sends nothing."""
    make, _ = STATES[state]
    async with terminal() as at:
        await shown(at, make())
        for action, kind in COMMANDS.items():
            allowed = BY_ACTION[action].enabled(at.app.model)
            if way == "key":
                await at.press(BY_ACTION[action].keys[0])
            elif allowed:
                await at.pilot.click(next(b for b in at.app.screen.query(ActionButton) if is_it(b, action)))
            if allowed:
                sent = await at.server.next(kind)
                assert getattr(sent, "match", "") == "m1"
                assert getattr(sent, "accept", action == "accept") is (action == "accept")
                assert getattr(sent, "kind", action) == action
            else:
                assert at.server.received.empty()


def is_it(button: ActionButton, action: str) -> bool:
    return button.action == action and button.is_on_screen


@pytest.mark.parametrize(
    ("key", "question", "kind"), [("a", "Surrender?", Abandon), ("b", "Restart?", Offer)]
)  # fmt: skip
async def test_what_cannot_be_undone_is_asked_once(terminal: Any, key: str, question: str, kind: type[Command]) -> None:
    async with terminal() as at:
        await shown(at, played())
        await at.press(key)
        await at.opens(AskDialog)
        await at.sees(question)
        await at.press("n")
        await at.press(key)
        await at.opens(AskDialog)
        await at.press("y")
        assert isinstance(await at.server.next(kind), kind)


# Clocks -----------------------------------------------------------------------------------------------------------


@pytest.mark.screens
@pytest.mark.parametrize("size", SIZES if SCREENS else SIZES[:1])
async def test_the_running_clock_is_unmistakable_and_goes_to_tenths(terminal: Any, size: tuple[int, int]) -> None:
    """CK R2.3, 5.4.5."""
    async with terminal(size=size) as at:
        match = played()
        await shown(at, match)
        left = at.app.model.time_left(0.0)
        await at.sees(f"▸{clock_text(left[0])}")
        assert f" {clock_text(left[1])} " in at.text()
        at.app._clock = lambda: (left[0] - 19_000) / 1000
        await at.sees("▸00:19!")
        at.app._clock = lambda: (left[0] - 8_340) / 1000
        await at.sees("▸8.3!")
        at.app._clock = lambda: 1e6
        await at.sees("▸0.0!")
        await at.server.say(*match.play())
        await at.until(lambda: "Ben is to move" in at.line("#banner"))


@pytest.mark.screens
@pytest.mark.parametrize("size", SIZES if SCREENS else SIZES[:1])
async def test_clocks_stand_above_a_board_that_needs_the_width(terminal: Any, size: tuple[int, int]) -> None:
    async with terminal(size=size) as at:
        await shown(at, played(options={"width": 15, "height": 15}))
        assert "▸01:02" in at.text()
        for text in ("p Pause", "d Draw", "t Take back", "b Restart", "v Revert", "a Surrender", "Esc Lobby"):
            assert text in at.text()


async def test_the_bell_rings_and_the_title_says_whose_turn_it_is() -> None:
    written: list[str] = []
    rings: list[bool] = []
    attention = Attention(written.append, lambda: rings.append(True))
    match = played(3)
    attention.show(match.model())
    assert not rings
    match.play()
    attention.show(match.model())
    attention.show(match.model())
    assert len(rings) == 1
    assert "▶ Your turn: Dots and Boxes" in written[-1]
    match.do("ben", c.Offer("draw"))
    attention.show(match.model())
    assert len(rings) == 2
    attention.show(structs_renamed(match))
    assert not any("\x1b" in text[4:-1] for text in written)
    attention.end()
    assert written[-1] == "\x1b[23;2t"
    attention.end()
    assert written.count("\x1b[23;2t") == 1


def structs_renamed(match: Refereed) -> Any:
    from dataclasses import replace

    model = match.model()
    evil = structs.replace(model.games["dots-and-boxes"], title="\x1b]0;owned\x07")
    return replace(model, games={"dots-and-boxes": evil})


# Pause ------------------------------------------------------------------------------------------------------------


async def test_the_board_is_gone_during_a_pause_and_back_after_it(terminal: Any) -> None:
    """CK 5.4.3, F2: for a spectator, too; afterwards the keys move the cursor again."""
    async with terminal() as at:
        match = played()
        await shown(at, match)
        assert at.board.display
        await at.server.say(*match.do("ben", c.Pause()))
        await at.sees("Ben paused the match.")
        assert not at.board.display
        assert "━" not in at.text()
        continued, snapshot = match.do("ben", c.Continue())
        await at.server.say(continued)
        await at.sees("One moment")
        assert not at.board.display
        await at.server.say(snapshot)
        await at.until(lambda: at.board.display and at.app.focused is at.board)
        before = at.board.cursor
        await at.press("down")
        assert at.board.cursor != before


# The end, and after it --------------------------------------------------------------------------------------------


async def test_a_rematch_is_gone_into(terminal: Any) -> None:
    """RU-M7."""
    async with terminal() as at:
        match = given_up()
        await shown(at, match)
        version = match.match.version + 1
        await at.server.say(Rematched(match="m1", version=version, at_ms=0, next="m2"))
        watch = await at.server.next(Watch)
        assert watch.match == "m2"
        following = structs.replace(played(0).snapshot("ben"), match="m2")
        await at.server.say(Accepted(ref=watch.ref, match="m2", version=following.version), following)
        await at.until(lambda: at.app.model.match.match == "m2" and "Ada is to move" in at.line("#banner"))


async def test_the_initial_state_is_restored_after_the_end(terminal: Any) -> None:
    """UD RF3: an empty board and no match; from there to a new one or to the lobby."""
    async with terminal() as at:
        await shown(at, played())
        await at.press("i")
        assert "No match" not in at.text()
    async with terminal() as at:
        await shown(at, given_up())
        await at.press("i")
        assert (await at.server.next(Leave)).match == "m1"
        await at.sees("No match")
        assert at.is_at(Place.MATCH)
        assert "━" not in at.text()
        assert usable(at) == {"again", "lobby"}
        await at.press("l")
        await at.until(lambda: at.is_at(Place.LOBBY))


# Saving -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Where this test's saved games lie."""
    monkeypatch.setattr(saves, "save_folder", lambda: tmp_path / "saves")
    return tmp_path / "saves"


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


# Looking back -----------------------------------------------------------------------------------------------------


async def test_who_watches_steps_with_the_arrows(terminal: Any) -> None:
    async with terminal() as at:
        match = played()
        await shown(at, match, "cid")
        await at.press("left")
        await answer_look(at, match, 3)
        await at.sees("Looking back: 1 move behind")
        await at.press("left")
        await answer_look(at, match, 2)
        await at.sees("Looking back: 2 moves behind")
        await at.press("right")
        await answer_look(at, match, 3)
        await at.sees("Looking back: 1 move behind")
        await at.press("end")
        await at.until(lambda: "Looking back" not in at.text())


async def test_one_looks_back_and_comes_back(terminal: Any) -> None:
    async with terminal() as at:
        match = played()
        await shown(at, match, "cid")
        await at.press("comma")
        await answer_look(at, match, 3)
        await at.sees("Looking back: 1 move behind")
        await at.press("comma")
        await answer_look(at, match, 2)
        await at.server.say(*match.play())
        await at.sees("Looking back: 3 moves behind")
        await at.press("full_stop")
        await answer_look(at, match, 3)
        await at.press("home")
        await answer_look(at, match, 0)
        await at.press("end")
        await at.until(lambda: "Looking back" not in at.text())
        assert at.app.model.step is None


async def answer_look(at: Any, match: Refereed, ply: int) -> None:
    look = await at.server.next(Look)
    assert look.ply == ply
    there = position(match.match, ply, ENGLISH, look.ref)
    assert isinstance(there, Position)
    await at.server.say(there)
    await at.until(lambda: at.app.model.look is not None and at.app.model.look.ply == ply)
    assert at.app.model.shown.marks == there.marks


# A form for all of it ---------------------------------------------------------------------------------------------


async def test_actions_of_a_kind_of_match_that_has_none_take_no_room(terminal: Any, server: ScriptedServer) -> None:
    async with terminal() as at:
        await shown(at, played(), "cid")
        assert not any(actions.has_class("-open") for actions in at.app.screen.query(Actions))
        assert usable(at) == set()


# Talking ----------------------------------------------------------------------------------------------------------


@pytest.mark.screens
@pytest.mark.parametrize("size", SIZES if SCREENS else SIZES[:1])
async def test_one_talks_and_can_leave_out_what_others_say(terminal: Any, size: tuple[int, int]) -> None:
    async with terminal(size=size) as at:
        await shown(at, played())
        await at.press("slash")
        await at.opens(SayDialog)
        await at.press(*"good luck", "enter")
        assert (await at.server.next(Say)).text == "good luck"
        heard = Said(match="m1", channel="players", number=1, name="Ben", text="[b]you too", at_ms=0, seat=1)
        await at.server.say(heard)
        await at.sees("Ben: “[b]you too”")
        await at.press("u")
        await at.sees("What others say is left out.")
        await at.server.say(structs.replace(heard, number=2, text="hey"))
        await at.press("u")
        await at.sees("You read what others say.")
        assert "hey" not in at.text()
