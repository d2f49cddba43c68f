"""One table of everything a user can do: the action, its keys, its button, its help and when it is enabled.

Every front end takes its key bindings, its buttons and the key part of its help panel from here, so that they cannot
disagree (`UD RF1` to `RF4`, `DB 7.1.1.2`, `DB 7.3.1.5`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from client.shown import challenges
from client.shown.lessons import next_task
from client.shown.model import Link, Model


class Place(Enum):
    """The screens of a client."""

    NAME = "name"
    LOBBY = "lobby"
    MATCH = "match"
    SETTINGS = "settings"


class Shelf(Enum):
    """Where a control has its button: nowhere, in the bar of KEYS, above the LIST of the lobby, beside PEOPLE in it,
    among the ACTIONS of a match, or beside what it answers: an OFFER, somebody AWAY, a PAUSE, a PLAN, a CHALLENGE."""

    NONE = "none"
    KEYS = "keys"
    LIST = "list"
    PEOPLE = "people"
    ACTIONS = "actions"
    OFFER = "offer"
    AWAY = "away"
    PAUSE = "pause"
    PLAN = "plan"
    CHALLENGE = "challenge"


@dataclass(frozen=True)
class Control:
    """One thing a user can do. `keys` are in the terminal's naming; `shown` is how the help prints them."""

    action: str
    keys: tuple[str, ...]
    shown: str
    label: str
    help: str
    places: tuple[Place, ...]
    enabled: Callable[[Model], bool]
    shelf: Shelf = Shelf.KEYS
    seen: Callable[[Model], bool] | None = None
    """When its button is seen although it cannot be used now; None: never."""

    @property
    def button(self) -> bool:
        """Whether it is offered as a button or in the bar of keys, for the mouse alone must do (`DB 8.1`)."""
        return self.shelf is not Shelf.NONE

    @property
    def first_key(self) -> str:
        """The first of its keys as it is shown, for where there is room for one."""
        return self.shown.split(", ")[0]

    def called(self, model: Model) -> str:
        """What its button says: in a task for who learns the game a few are called otherwise."""
        in_a_task = model.match is not None and model.match.lesson
        return IN_A_TASK.get(self.action, self.label) if in_a_task else self.label

    def is_seen(self, model: Model) -> bool:
        """Whether its button is there, usable or not."""
        return self.enabled(model) or (self.seen is not None and self.seen(model))


IN_A_TASK = {"rematch": "Try again", "again": "Next task"}
"""What controls are called in a task."""


def _always(model: Model) -> bool:
    return True


def _connected(model: Model) -> bool:
    """UD RF1: only a good connection enables anything but trying again and closing."""
    return model.link is Link.UP


def _can_play(model: Model) -> bool:
    """`UD RF4`, `SQ9`: moves only during a match, and only by who holds a seat. The server judges the turn."""
    return not model.plan.unsent and model.plays and _plays_on(model) and not model.is_covered and model.step is None


def _plays_on(model: Model) -> bool:
    """Whether a match with a seat of the user's is being played."""
    return model.plays and model.match is not None and model.match.status == "playing"


def _is_task(model: Model) -> bool:
    """Whether what is on screen is a task for who learns the game."""
    return model.match is not None and bool(model.match.lesson)


def _plays_a_match(model: Model) -> bool:
    """The same, but not in a task: there is nobody to offer anything to."""
    return _plays_on(model) and not _is_task(model)


def _may(action: str) -> Callable[[Model], bool]:
    """Enabled exactly when the server says that it would grant it; without a connection nobody could (`UD RF1`)."""

    def enabled(model: Model) -> bool:
        return model.link is Link.UP and model.may(action)

    return enabled


def _can_give_up(model: Model) -> bool:
    """A task is left, not lost."""
    return _may("abandon")(model) and not _is_task(model)


def _can_hint(model: Model) -> bool:
    """Against the computer, when a move of one's own is awaited."""
    return _may("hint")(model) and not model.is_covered and model.step is None


def _against_the_computer(model: Model) -> bool:
    return _plays_on(model) and model.match is not None and bool(model.match.level)


def _is_over(model: Model) -> bool:
    """`UD RF3`: a new beginning is enabled only after a finished match."""
    return model.plays and model.match is not None and model.match.status == "ended" and not _is_task(model)


def _can_review(model: Model) -> bool:
    """After the end, for who watched, too; not of a game that the computer does not play."""
    match = model.match
    over = (
        match is not None
        and match.status == "ended"
        and match.plies > 0
        and not model.is_cleared
        and not _is_task(model)
    )
    game = model.games.get(match.game) if match is not None else None
    return model.link is Link.UP and over and not model.is_log and game is not None and game.computer


def _can_practise(model: Model) -> bool:
    """From a position looked back at, of a match that is over; its last one has nothing left to play."""
    return _can_review(model) and model.step is not None and model.shown_ply < (model.match.plies if model.match else 0)


def _can_begin(model: Model) -> bool:
    """After the end, or on the empty board that it was cleared to; after a task, while there is a next one."""
    if _is_task(model):
        over = model.match is not None and model.match.status == "ended"
        return model.link is Link.UP and over and next_task(model) > 0
    return model.link is Link.UP and (_is_over(model) or model.is_cleared)


def _can_save(model: Model) -> bool:
    """`DB 7.3.3.1`, `8.2`: at any point of a match that has begun, but not while its position is hidden."""
    match = model.match
    begun = match is not None and match.status != "waiting" and not model.is_covered and not model.is_cleared
    return model.link is Link.UP and begun


def _can_step(model: Model) -> bool:
    """Looking back needs moves, and a position that is not hidden."""
    match = model.match
    return model.link is Link.UP and match is not None and match.plies > 0 and not model.is_covered and not model.is_log


def _can_talk(model: Model) -> bool:
    """Also in a pause and after the end, as long as the match is there."""
    return model.link is Link.UP and model.match is not None and not model.is_cleared and not _is_task(model)


def _has_lobby(model: Model) -> bool:
    return _connected(model) and bool(model.lobby or model.lobby_game)


def _has_own(model: Model) -> bool:
    return _connected(model) and bool(model.own)


def _has_others(model: Model) -> bool:
    return _connected(model) and bool(challenges.others(model) or model.unchallenged)


def _is_challenged(model: Model) -> bool:
    return _connected(model) and challenges.incoming(model) is not None


def _challenges(model: Model) -> bool:
    """A challenge of one's own stands, and none that is to be answered before."""
    return _connected(model) and challenges.incoming(model) is None and challenges.outgoing(model) is not None


def _is_log(model: Model) -> bool:
    """A student's game is shown as its log."""
    return model.is_log


def _awaits_word(model: Model) -> bool:
    """A move waits to be confirmed."""
    return bool(model.plan.unsent)


def _has_plan(model: Model) -> bool:
    return bool(model.plan.unsent or model.plan.path)


def _is_back(model: Model) -> bool:
    return model.step is not None


_L, _M, _N = Place.LOBBY, Place.MATCH, Place.NAME

CONTROLS = (
    Control(
        "move_cursor", ("up", "down", "left", "right"), "arrows", "Move", "Move the cursor over the board.",
        (_M,), _can_play, Shelf.NONE,
    ),
    Control(
        "touch", ("enter", "space"), "Enter, Space", "Play",
        "Play what the cursor is on; for a move of several steps, pick each square, and the last one twice to stop.",
        (_M,), _can_play, Shelf.NONE,
    ),
    Control(
        "type", ("colon",), ":", "Type", "Type a move as it is written, such as a1-b1.", (_M,), _can_play, Shelf.NONE
    ),
    Control(
        "new", ("n",), "n", "Host", "Host a match: choose the game, the opponent, and the clock.", (_L,), _connected
    ),
    Control(
        "quick", ("m",), "m", "Quick",
        "Be paired with whoever waits for the same game, or wait for the next one who does.", (_L,), _connected,
    ),
    Control(
        "open", ("enter",), "Enter", "Join",
        "Join the chosen match if it waits for an opponent, watch it if it is being played, go on if it is yours.",
        (_L,), _connected,
    ),
    Control(
        "challenge", ("c",), "c", "Challenge", "Ask somebody who is here for a match, or be challenged by nobody.",
        (_L,), _has_others, Shelf.PEOPLE,
    ),
    Control(
        "accept_challenge", ("f7",), "F7", "Accept", "Accept a challenge, wherever you are.",
        (_L, _M, _N), _is_challenged, Shelf.CHALLENGE,
    ),
    Control(
        "decline_challenge", ("f8",), "F8", "Decline", "Decline a challenge.",
        (_L, _M, _N), _is_challenged, Shelf.CHALLENGE,
    ),
    Control(
        "withdraw_challenge", ("f9",), "F9", "Withdraw", "Withdraw your own challenge.",
        (_L, _M, _N), _challenges, Shelf.CHALLENGE,
    ),
    Control("watch", ("w",), "w", "Watch", "Watch the chosen match.", (_L,), _connected),
    Control(
        "join_key", ("k",), "k", "Key", "Join a private match with the key that its host gave you.", (_L,), _connected
    ),
    Control(
        "load", ("o",), "o", "Load", "Go on with a saved game, against somebody, the computer, or both of you here.",
        (_L,), _connected, Shelf.LIST,
    ),
    Control(
        "filter", ("f",), "f", "Filter", "List the matches of one game only; again for the next game, at last for all.",
        (_L,), _has_lobby, Shelf.LIST,
    ),
    Control(
        "drop", ("x",), "x", "Remove",
        "Cancel your own chosen match while it waits, surrender it (asked once), or remove it once it is over.",
        (_L,), _has_own, Shelf.LIST,
    ),
    Control(
        "cancel", ("c",), "c", "Cancel", "Cancel your match while nobody has joined it.", (_M,), _may("cancel")
    ),
    # What can be done to the match besides moving, in the words of the server's table.
    Control(
        "hint", ("h",), "h", "Hint", "Against the computer: show the move that its best level would make, and why.",
        (_M,), _can_hint, Shelf.ACTIONS, _against_the_computer,
    ),
    Control(
        "pause", ("p",), "p", "Pause", "Stop the clocks and hide the board from everybody, for five minutes at most.",
        (_M,), _may("pause"), Shelf.ACTIONS, _plays_a_match,
    ),
    Control(
        "draw", ("d",), "d", "Draw", "Offer a draw. Your opponent accepts or declines; a move declines it, too.",
        (_M,), _may("offer_draw"), Shelf.ACTIONS, _plays_a_match,
    ),
    Control(
        "takeback", ("t",), "t", "Take back",
        "Ask to take your last move back; against the computer it is done at once.",
        (_M,), _may("offer_takeback"), Shelf.ACTIONS, _plays_a_match,
    ),
    Control(
        "restart", ("b",), "b", "Restart", "Ask to restart the match: empty board, scores 0, player one's turn.",
        (_M,), _may("offer_restart"), Shelf.ACTIONS, _plays_on,
    ),
    Control(
        "revert", ("v",), "v", "Revert", "Ask to revert to a position that you saved.",
        (_M,), _may("offer_revert"), Shelf.ACTIONS, _plays_a_match,
    ),
    Control(
        "give_up", ("a",), "a", "Surrender", "Surrender, in turn or not: your opponent wins.",
        (_M,), _can_give_up, Shelf.ACTIONS, _plays_a_match,
    ),
    Control("accept", ("y",), "y", "Accept", "Accept what your opponent offers.", (_M,), _may("answer"), Shelf.OFFER),
    Control(
        "decline", ("n",), "n", "Decline", "Decline what your opponent offers.", (_M,), _may("answer"), Shelf.OFFER
    ),
    Control("withdraw", ("w",), "w", "Withdraw", "Withdraw your own offer.", (_M,), _may("withdraw"), Shelf.OFFER),
    Control(
        "continue", ("g",), "g", "Continue", "End the pause that you made; your opponent cannot.",
        (_M,), _may("continue"), Shelf.PAUSE,
    ),
    Control(
        "wait_longer", ("e",), "e", "Wait longer", "Give an opponent who lost the connection another minute.",
        (_M,), _may("wait_longer"), Shelf.AWAY,
    ),
    Control(
        "call_draw", ("k",), "k", "Call it a draw", "End the match as a draw while your opponent is away.",
        (_M,), _may("call_draw"), Shelf.AWAY,
    ),
    Control(
        "rematch", ("r",), "r", "Rematch",
        "After the end: ask for another match, with seats swapped; in a task: try it again.",
        (_M,), _may("offer_rematch"), Shelf.ACTIONS,
    ),
    Control(
        "review", ("j",), "j", "Review",
        "After the end: who stood better, and what cost most; again breaks it off, or puts it away.",
        (_M,), _can_review, Shelf.ACTIONS,
    ),
    Control(
        "practise", ("o",), "o", "Practise", "After the end, looking back: play on from here, against the computer.",
        (_M,), _can_practise, Shelf.ACTIONS,
    ),
    Control(
        "again", ("m",), "m", "Another",
        "After the end: the same game once more, with whoever is ready for it; in a task: the next one.",
        (_M,), _can_begin, Shelf.ACTIONS,
    ),
    Control(
        "clear", ("i",), "i", "Clear", "After the end: back to an empty board and no match.",
        (_M,), _is_over, Shelf.ACTIONS,
    ),
    Control(
        "confirm", ("x",), "Enter, x", "Play it", "Send the move that waits to be confirmed, if you chose that.",
        (_M,), _awaits_word, Shelf.PLAN,
    ),
    Control(
        "unplan", ("z",), "Esc, z", "Let go",
        "Let go of a move that is not sent: one to be confirmed, or one that you made while your opponent is to move, "
        "which is played on your turn if it can be.",
        (_M,), _has_plan, Shelf.PLAN,
    ),
    Control(
        "back", ("comma",), ",", "Back", "Look at the position one move earlier; play goes on meanwhile.",
        (_M,), _can_step,
    ),
    Control(
        "forward", ("full_stop",), ".", "Forward", "Look at the position one move later.", (_M,), _is_back,
    ),
    Control(
        "start", ("home",), "Home", "Start", "Look at the position before the first move.",
        (_M,), lambda model: _can_step(model) and model.shown_ply > 0, Shelf.NONE,
    ),
    Control("live", ("end",), "End", "Newest", "Look at the newest position again.", (_M,), _is_back),
    Control(
        "save", ("s",), "s", "Save", "Save the match in a file, to revert to it or to step through it later.",
        (_M,), _can_save,
    ),
    Control(
        "find", ("f",), "f", "Find", "Show the moves of a student's game in which something stands.", (_M,), _is_log,
    ),
    Control(
        "say", ("slash",), "/", "Say", "Say something: players to each other, who watch among themselves.",
        (_M,), _can_talk,
    ),
    Control("mute", ("u",), "u", "Mute", "Leave out what others say, or read it again.", (_M,), _can_talk),
    Control(
        "lobby", ("escape", "l"), "Esc, l", "Lobby",
        "Let go of what you picked, or go back to the lobby. Once moves were made your seat is kept.",
        (_M,), _always,
    ),
    Control("help", ("question_mark", "f1"), "?", "Help", "Show or hide this help; play goes on.", (_L, _M), _always),
    Control("quit", ("q", "ctrl+q"), "q", "Quit", "Leave the program, asked once in a match.", (_L, _M), _always),
    Control(
        "games", ("g",), "g", "Games", "Go to the cards of the games, each with ways to a board at once.",
        (_L,), _connected, Shelf.LIST,
    ),
    Control(
        "settings", ("equals_sign",), "=", "Settings", "Choose how the client looks and sounds, and how you play.",
        (_L, _M), _always,
    ),
    # Where a name is typed, letters and question marks are part of it.
    Control(
        "card", ("1", "2", "3", "4", "5", "6", "7", "8", "9"), "1-9", "Game", "Choose the card of a game.",
        (_N,), _connected,
    ),
    Control(
        "computer", ("c",), "c", "Computer", "Play the chosen game against the computer, at once.", (_N,), _connected,
        Shelf.NONE,
    ),
    Control(
        "friend", ("f",), "f", "Friend", "Play it with a friend: you get a link to give away.", (_N,), _connected,
        Shelf.NONE,
    ),
    Control(
        "somebody", ("s",), "s", "Somebody", "Play it with whoever waits for the same, or comes next.",
        (_N,), _connected, Shelf.NONE,
    ),
    Control("here", ("t",), "t", "Two here", "Play it with somebody beside you.", (_N,), _connected, Shelf.NONE),
    Control("learn", ("l",), "l", "Learn", "Learn it: a few tasks on a small board.", (_N,), _connected, Shelf.NONE),
    Control("rename", ("n",), "n", "Name", "Change your name in its place.", (_N,), _always),
    Control(
        "retry", ("enter",), "Enter", "Lobby", "Connect to the server, or try again; once connected, go to the lobby.",
        (_N,), _always,
    ),
    Control("help", ("f1",), "F1", "Help", "Show or hide this help.", (_N,), _always),
    Control("quit", ("ctrl+q",), "Ctrl+Q", "Quit", "Leave the program at any time.", (_N,), _always),
)  # fmt: skip

BY_ACTION = {control.action: control for control in CONTROLS}


def controls_for(place: Place) -> tuple[Control, ...]:
    """The controls of one screen, in the table's order."""
    return tuple(control for control in CONTROLS if place in control.places)


def on_shelf(place: Place, *shelves: Shelf) -> tuple[Control, ...]:
    """The controls of one screen whose buttons are there, in the table's order."""
    return tuple(control for control in controls_for(place) if control.shelf in shelves)


def is_enabled(action: str, model: Model) -> bool:
    """Whether the control may be used now; what is not in the table may."""
    control = BY_ACTION.get(action)
    return control is None or control.enabled(model)


def key_help(place: Place) -> tuple[tuple[str, str], ...]:
    """Keys and what they do, for the help panel (`DB 7.3.1.5`)."""
    return tuple((control.shown, control.help) for control in controls_for(place))
