"""Clocks, offers, pauses, absences, the end and what comes after it, on screen in every size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs
from textual.widgets import Input

from client.shown.actions.controls import BY_ACTION, Place, Shelf, on_shelf
from client.shown.words.clocks import clock_text
from client.terminal.attention import Attention
from client.terminal.parts.prompts import ActionButton, Actions
from client.terminal.screens.challenges import ChallengeDialog
from client.terminal.screens.dialogs import AskDialog, KeyDialog, SayDialog, TypeDialog
from protocol.messages import (
    Abandon,
    Accepted,
    Answer,
    CallDraw,
    Command,
    Continue,
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
from server.match.views import position
from tests.client.refereed import ENGLISH, Refereed
from tests.client.scripted_server import ScriptedServer
from tests.client.terminal.states import away, given_up, offered, paused_by, played, shown, usable
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
    control.action for control in on_shelf(Place.MATCH, Shelf.ACTIONS, Shelf.MENU, Shelf.OFFER, Shelf.AWAY, Shelf.PAUSE)
)
ROW = {"playing": {"draw", "give_up", "takeback", "pause"}, "over": {"rematch", "again", "clear"}}
"""What is there without the menu, in every size."""


STATES: dict[str, tuple[Callable[[], Refereed], tuple[str, ...]]] = {
    "playing": (
        played,
        ("Your turn", "║ p Pause", "½ d Draw", "← t Take back", "▼ a Surrender", "≡ - More"),
    ),
    "paused by me": (lambda: paused_by("ada"), ("You paused the match.", "by itself in 5:00", "g Continue", "Paused")),
    "paused by them": (lambda: paused_by("ben"), ("Ben paused the match.", "only Ben can go", "a Surrender")),
    "offered to me": (lambda: offered("draw", "ben"), ("Ben offers a draw.", "y Accept", "n Decline")),
    "offered by me": (lambda: offered("takeback", "ada"), ("You ask to take", "w Withdraw")),
    "away": (away, ("Waited for", "0:30", "more", "e Wait longer", "k Call it a draw", "away 0:30")),
    "over": (
        given_up,
        ("You win!", "Ben surrendered. Ada wins.", " moves ", " 1.5 s", "↔ r Rematch", "□ i Clear", "≡ - More"),
    ),
}


@pytest.mark.parametrize("size", SIZES)
async def test_how_long_is_waited_leaves_the_answers_in_sight(terminal: Any, size: tuple[int, int]) -> None:
    """Issue 14, 11: in one line below the board, too, and with the longest name."""
    async with terminal(size=size) as at:
        match = away()
        snapshot = match.snapshot()
        seats = (snapshot.seats[0], structs.replace(snapshot.seats[1], name="Bartholomaeus der Vi", where="lost"))
        await at.stand(0.0, match.now_ms)
        await at.to_match(structs.replace(snapshot, seats=seats))
        await at.sees("0:30 more")
        await at.until(lambda: {"wait_longer", "call_draw"} <= usable(at))
        for action in ("wait_longer", "call_draw"):
            button = next(one for one in at.app.screen.query(ActionButton) if is_it(one, action))
            assert button.region.width >= button.cells, action
            assert button.region in at.app.screen.region


@pytest.mark.screens
@pytest.mark.parametrize(("state", "size"), crossed(list(STATES), SIZES, full=SCREENS))
async def test_every_state_shows_its_parts_and_exactly_its_buttons(
    terminal: Any, size: tuple[int, int], state: str
) -> None:
    """CK 5.4, 5.5, N3: in the smallest window, too; what is needed often at once, the others behind a key."""
    make, texts = STATES[state]
    async with terminal(size=size) as at:
        await shown(at, make())
        for text in texts:
            await at.sees(text)
        allowed = {action for action in BUTTONS if BY_ACTION[action].enabled(at.app.model)}
        answers = {control.action for control in on_shelf(Place.MATCH, Shelf.OFFER, Shelf.AWAY, Shelf.PAUSE)}
        assert ROW.get(state, set()) | (allowed & answers) | {"more"} <= usable(at)
        assert not {"save", "mute", "settings"} & usable(at)
        await at.press("minus")
        assert usable(at) - {"lobby"} == allowed
        for action in usable(at):
            button = next(one for one in at.app.screen.query(ActionButton) if is_it(one, action))
            assert button.region.width >= button.cells, f"{action} is read whole"
        await at.press("escape")
        assert "save" not in usable(at)
        assert at.is_at(Place.MATCH), "one Esc closes the menu and nothing else"


@pytest.mark.screens
@pytest.mark.parametrize(("state", "way"), crossed(list(STATES), ["key", "button"], full=SCREENS))
async def test_each_action_is_asked_of_the_server(terminal: Any, state: str, way: str) -> None:
    """One key and one button for each; what is not allowed sends nothing."""
    make, _ = STATES[state]
    async with terminal() as at:
        await shown(at, make())
        asked = set[str]()
        for action, kind in COMMANDS.items():
            allowed = BY_ACTION[action].enabled(at.app.model)
            if way == "key":
                await at.press(BY_ACTION[action].keys[0])
            elif allowed:
                if not any(is_it(button, action) for button in at.app.screen.query(ActionButton)):
                    await at.press("minus")
                await at.pilot.click(next(b for b in at.app.screen.query(ActionButton) if is_it(b, action)))
            if allowed:
                sent = await at.server.next(kind)
                asked.add(sent.ref)
                assert getattr(sent, "match", "") == "m1"
                assert getattr(sent, "accept", action == "accept") is (action == "accept")
                assert getattr(sent, "kind", action) == action
            else:
                # Nobody answers here, so what was asked is asked again after a while.
                while not at.server.received.empty():
                    assert at.server.received.get_nowait().ref in asked


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
        await at.sees("▸0.1!")
        await at.server.say(*match.play())
        await at.until(lambda: "Ben is to move" in at.line("#banner"))


@pytest.mark.screens
@pytest.mark.parametrize("size", SIZES if SCREENS else SIZES[:1])
async def test_clocks_stand_above_a_board_that_needs_the_width(terminal: Any, size: tuple[int, int]) -> None:
    async with terminal(size=size) as at:
        await shown(at, played(options={"width": 15, "height": 15}))
        assert "▸01:02" in at.text()
        for text in ("p Pause", "d Draw", "t Take back", "a Surrender", "≡ - More", "Esc Lobby"):
            assert text in at.text()


async def test_the_bell_rings_and_the_title_says_whose_turn_it_is() -> None:
    written: list[str] = []
    rings: list[bool] = []
    attention = Attention(written.append, lambda: rings.append(True), lambda: False)
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
        assert usable(at) == {"again", "lobby", "more"}
        await at.press("l")
        await at.until(lambda: at.is_at(Place.LOBBY))


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
        # The bar cuts nothing: what it has no room for is left out.
        await at.pilot.resize_terminal(60, 20)
        await at.until(lambda: at.line("#keys") == "/ Say Esc Lobby ? Help q Quit , Back . Forward End Newest")
        await at.pilot.resize_terminal(120, 40)
        await at.until(lambda: at.line("#keys") == "/ Say  Esc Lobby  ? Help  q Quit  , Back  . Forward  End Newest")
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


async def test_who_only_watches_has_the_menu_alone(terminal: Any, server: ScriptedServer) -> None:
    async with terminal() as at:
        await shown(at, played(), "cid")
        assert usable(at) == {"more"}
        assert [actions.size.height for actions in at.app.screen.query(Actions) if actions.is_on_screen] == [1]


# Talking ----------------------------------------------------------------------------------------------------------


async def test_what_is_entered_twice_counts_once_and_leaves_the_board(terminal: Any) -> None:
    """Enter again, or Esc, before the dialog is gone: the screen underneath stays, whichever dialog it was."""
    async with terminal() as at:
        await shown(at, played())
        board = at.app.screen
        for opens, entered in (("slash", "good luck"), ("colon", "no move")):
            await at.press(opens)
            await at.until(lambda: isinstance(at.app.screen, SayDialog | TypeDialog))
            dialog = at.app.screen
            line = dialog.query_one(Input)
            line.value = entered
            for _ in range(2):
                dialog.post_message(Input.Submitted(line, entered))
            await at.until(lambda: at.app.screen is board)
        said = await at.server.next(Say)
        assert said.text == "good luck"
        for dialog in (KeyDialog(), AskDialog("Sure?", "", "Yes", "No", at.app.leave_program), ChallengeDialog()):
            await at.app.push_screen(dialog)
            for _ in range(2):
                dialog.action_close()
            await at.until(lambda: at.app.screen is board)
        await at.press("slash")
        await at.opens(SayDialog)
        await at.press(*"bye", "enter")
        following = await at.server.next(Say)
        while following == said:  # again, for nobody answers here
            following = await at.server.next(Say)
        assert following.text == "bye"


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
