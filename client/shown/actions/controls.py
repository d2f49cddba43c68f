"""One table of everything a user can do: the action, its keys, its button, its help and when it is enabled.

Every front end takes its key bindings, its buttons and the key part of its help panel from here, so that they cannot
disagree (`UD RF1` to `RF4`, `DB 7.1.1.2`, `DB 7.3.1.5`).
"""

from __future__ import annotations

from client.shown.actions import when
from client.shown.actions.control import IN_A_TASK, Control, Place, Shelf
from client.shown.model import Model

__all__ = [
    "BY_ACTION", "CONTROLS", "IN_A_TASK", "MOST_IN_ROW", "Control", "Place", "Shelf", "controls_for", "is_enabled",
    "key_help", "on_shelf", "row_and_menu",
]  # fmt: skip

_L, _M, _N = Place.LOBBY, Place.MATCH, Place.NAME

CONTROLS = (
    Control(
        "move_cursor", ("up", "down", "left", "right"), "arrows", "Move", "Move the cursor over the board.",
        (_M,), when.can_play, Shelf.NONE,
    ),
    Control(
        "touch", ("enter", "space"), "Enter, Space", "Play",
        "Play what the cursor is on; for a move of several steps, pick each square, and the last one twice to stop.",
        (_M,), when.can_play, Shelf.NONE,
    ),
    Control(
        "type", ("colon",), ":", "Type", "Type a move as it is written, such as a1-b1.",
        (_M,), when.can_play, Shelf.NONE
    ),
    Control(
        "new", ("n",), "n", "Host", "Host a match: choose the game, the opponent, and the clock.", (_L,), when.connected
    ),
    Control(
        "quick", ("m",), "m", "Quick",
        "Be paired with whoever waits for the same game, or wait for the next one who does.", (_L,), when.connected,
    ),
    Control(
        "here", ("h",), "h", "This computer", "Play at this computer: two of you, or you against the computer.",
        (_L,), when.connected,
    ),
    Control(
        "open", ("enter",), "Enter", "Join",
        "Join the chosen match if it waits for an opponent, watch it if it is being played, go on if it is yours.",
        (_L,), when.connected,
    ),
    Control(
        "challenge", ("c",), "c", "Challenge", "Ask somebody who is here for a match, or be challenged by nobody.",
        (_L,), when.has_others, Shelf.PEOPLE,
    ),
    Control(
        "accept_challenge", ("f7",), "F7", "Accept", "Accept a challenge, wherever you are.",
        (_L, _M, _N), when.is_challenged, Shelf.CHALLENGE,
    ),
    Control(
        "decline_challenge", ("f8",), "F8", "Decline", "Decline a challenge.",
        (_L, _M, _N), when.is_challenged, Shelf.CHALLENGE,
    ),
    Control(
        "withdraw_challenge", ("f9",), "F9", "Withdraw", "Withdraw your own challenge.",
        (_L, _M, _N), when.has_challenged, Shelf.CHALLENGE,
    ),
    Control("watch", ("w",), "w", "Watch", "Watch the chosen match.", (_L,), when.connected),
    Control(
        "join_key", ("k",), "k", "Key", "Join a private match with the key that its host gave you.",
        (_L,), when.connected
    ),
    Control(
        "load", ("o",), "o", "Load",
        "Go on with a saved game, against somebody, the computer, or both of you here; or review it.",
        (_L,), when.connected, Shelf.LIST,
    ),
    Control(
        "filter", ("f",), "f", "Filter", "List the matches of one game only; again for the next game, at last for all.",
        (_L,), when.has_lobby, Shelf.LIST,
    ),
    Control(
        "drop", ("x",), "x", "Remove",
        "Cancel your own chosen match while it waits, surrender it (asked once), or remove it once it is over.",
        (_L,), when.has_own, Shelf.LIST,
    ),
    Control(
        "cancel", ("c",), "c", "Cancel", "Cancel your match while nobody has joined it.", (_M,),
        when.may("cancel"), Shelf.ACTIONS,
    ),
    # The same key accepts an offer, which nobody makes to a match that waits.
    Control(
        "copy", ("y",), "y", "Copy link",
        "While your match waits: copy the link to it, or its key, to give to your opponent.",
        (_M,), when.waits,
    ),
    # What can be done to the match besides moving, in the words of the server's table.
    Control(
        "hint", ("h",), "h", "Hint", "Against the computer: show the move that its best level would make, and why.",
        (_M,), when.can_hint, Shelf.ACTIONS, when.against_the_computer,
    ),
    Control(
        "pause", ("p",), "p", "Pause", "Stop the clocks and hide the board from everybody, for five minutes at most.",
        (_M,), when.may("pause"), Shelf.ACTIONS, when.plays_a_match,
    ),
    Control(
        "draw", ("d",), "d", "Draw", "Offer a draw. Your opponent accepts or declines; a move declines it, too.",
        (_M,), when.may("offer_draw"), Shelf.ACTIONS, when.plays_a_match,
    ),
    Control(
        "takeback", ("t",), "t", "Take back",
        "Ask to take your last move back; against the computer it is done at once.",
        (_M,), when.may("offer_takeback"), Shelf.ACTIONS, when.plays_a_match,
    ),
    Control(
        "restart", ("b",), "b", "Restart", "Ask to restart the match: empty board, scores 0, player one's turn.",
        (_M,), when.may("offer_restart"), Shelf.ACTIONS, when.plays_on,
    ),
    Control(
        "revert", ("v",), "v", "Revert", "Ask to revert to a position that you saved.",
        (_M,), when.may("offer_revert"), Shelf.ACTIONS, when.plays_a_match,
    ),
    Control(
        "give_up", ("a",), "a", "Surrender", "Surrender, in turn or not: your opponent wins.",
        (_M,), when.can_give_up, Shelf.ACTIONS, when.plays_a_match,
    ),
    Control(
        "accept", ("y",), "y", "Accept", "Accept what your opponent offers.",
        (_M,), when.may("answer"), Shelf.OFFER,
    ),
    Control(
        "decline", ("n",), "n", "Decline", "Decline what your opponent offers.", (_M,), when.may("answer"), Shelf.OFFER
    ),
    Control("withdraw", ("w",), "w", "Withdraw", "Withdraw your own offer.", (_M,), when.may("withdraw"), Shelf.OFFER),
    Control(
        "continue", ("g",), "g", "Continue", "End the pause that you made; your opponent cannot.",
        (_M,), when.may("continue"), Shelf.PAUSE,
    ),
    Control(
        "wait_longer", ("e",), "e", "Wait longer", "Give an opponent who lost the connection another minute.",
        (_M,), when.may("wait_longer"), Shelf.AWAY,
    ),
    Control(
        "call_draw", ("k",), "k", "Call it a draw", "End the match as a draw while your opponent is away.",
        (_M,), when.may("call_draw"), Shelf.AWAY,
    ),
    Control(
        "rematch", ("r",), "r", "Rematch",
        "After the end: ask for another match, with seats swapped; in a task: try it again.",
        (_M,), when.may("offer_rematch"), Shelf.ACTIONS,
    ),
    Control(
        "review", ("j",), "j", "Review",
        "After the end: who stood better, and what cost most; again breaks it off, or puts it away.",
        (_M,), when.can_review, Shelf.ACTIONS,
    ),
    Control(
        "practise", ("o",), "o", "Practise",
        "After the end: play on from what you look at against the computer, on your side or else for who is to move.",
        (_M,), when.can_practise, Shelf.ACTIONS,
    ),
    Control(
        "again", ("m",), "m", "Another",
        "After the end: the same game once more, with whoever is ready for it; in a task: the next one.",
        (_M,), when.can_begin, Shelf.ACTIONS,
    ),
    Control(
        "clear", ("i",), "i", "Clear", "After the end: back to an empty board and no match.",
        (_M,), when.is_over, Shelf.ACTIONS,
    ),
    Control(
        "confirm", ("x",), "Enter, x", "Play it", "Send the move that waits to be confirmed, if you chose that.",
        (_M,), when.awaits_word, Shelf.PLAN,
    ),
    Control(
        "unplan", ("z",), "Esc, z", "Let go",
        "Let go of a move that is not sent: one to be confirmed, or one that you made while your opponent is to move, "
        "which is played on your turn if it can be.",
        (_M,), when.has_plan, Shelf.PLAN,
    ),
    Control(
        "back", ("comma",), ",", "Back", "Look at the position one move earlier; play goes on meanwhile.",
        (_M,), when.can_step,
    ),
    Control(
        "forward", ("full_stop",), ".", "Forward", "Look at the position one move later.", (_M,), when.is_back,
    ),
    Control(
        "start", ("home",), "Home", "Start", "Look at the position before the first move.",
        (_M,), lambda model: when.can_step(model) and model.shown_ply > 0, Shelf.NONE,
    ),
    Control("live", ("end",), "End", "Newest", "Look at the newest position again.", (_M,), when.is_back),
    Control(
        "save", ("s",), "s", "Save", "Save the match in a file, to revert to it or to step through it later.",
        (_M,), when.can_save, Shelf.MENU, when.is_in_a_match,
    ),
    Control(
        "find", ("f",), "f", "Find", "Show the moves of a student's game in which something stands.",
        (_M,), when.is_log,
    ),
    Control(
        "say", ("slash",), "/", "Say", "Say something: players to each other, who watch among themselves.",
        (_M,), when.can_chat,
    ),
    Control(
        "mute", ("u",), "u", "Mute", "Leave out what others say, or read it again.", (_M,), when.can_chat, Shelf.MENU
    ),
    Control(
        "lobby", ("escape", "l"), "Esc, l", "Lobby",
        "Let go of what you picked, or go back to the lobby. Once moves were made your seat is kept.",
        (_M,), when.always,
    ),
    Control(
        "help", ("question_mark", "f1"), "?", "Help", "Show or hide this help; play goes on.",
        (_L, _M), when.always,
    ),
    Control("quit", ("q", "ctrl+q"), "q", "Quit", "Leave the program, asked once in a match.", (_L, _M), when.always),
    Control(
        "games", ("g",), "g", "Games", "Go to the cards of the games, each with ways to a board at once.",
        (_L,), when.connected, Shelf.LIST,
    ),
    Control(
        "settings", ("equals_sign",), "=", "Settings", "Choose how the client looks and sounds, and how you play.",
        (_L,), when.always,
    ),
    Control(
        "settings", ("equals_sign",), "=", "Settings", "Choose how the client looks and sounds, and how you play.",
        (_M,), when.always, Shelf.MENU,
    ),
    Control(
        "more", ("minus",), "-", "More", "Show or hide what else can be done in the match, and to it.",
        (_M,), when.always, Shelf.MENU,
    ),
    # Where a name is typed, letters and question marks are part of it.
    Control(
        "card", ("1", "2", "3", "4", "5", "6", "7", "8", "9"), "1-9", "Game", "Choose the card of a game.",
        (_N,), when.connected, counts=lambda model: len(model.games),
    ),
    Control(
        "computer", ("c",), "c", "Computer", "Play the chosen game against the computer, at once.",
        (_N,), when.connected,
        Shelf.NONE,
    ),
    Control(
        "friend", ("f",), "f", "Friend", "Play it with a friend: you get a link to give away.", (_N,), when.connected,
        Shelf.NONE,
    ),
    Control(
        "somebody", ("s",), "s", "Somebody", "Play it with whoever waits for the same, or comes next.",
        (_N,), when.connected, Shelf.NONE,
    ),
    Control("here", ("t",), "t", "Two here", "Play it with somebody beside you.", (_N,), when.connected, Shelf.NONE),
    Control(
        "learn", ("l",), "l", "Learn", "Learn it: a few tasks on a small board.",
        (_N,), when.connected, Shelf.NONE,
    ),
    Control("rename", ("n",), "n", "Name", "Change your name in its place.", (_N,), when.always),
    Control(
        "retry", ("enter",), "Enter", "Lobby", "Connect to the server, or try again; once connected, go to the lobby.",
        (_N,), when.always,
    ),
    Control("help", ("f1",), "F1", "Help", "Show or hide this help.", (_N,), when.always),
    Control("quit", ("ctrl+q",), "Ctrl+Q", "Quit", "Leave the program at any time.", (_N,), when.always),
)  # fmt: skip

BY_ACTION = {control.action: control for control in CONTROLS}


def controls_for(place: Place) -> tuple[Control, ...]:
    """The controls of one screen, in the table's order."""
    return tuple(control for control in CONTROLS if place in control.places)


def on_shelf(place: Place, *shelves: Shelf) -> tuple[Control, ...]:
    """The controls of one screen whose buttons are there, in the table's order."""
    return tuple(control for control in controls_for(place) if control.shelf in shelves)


ROW = ("cancel", "draw", "give_up", "takeback", "pause", "restart", "rematch", "again", "review", "practise", "clear")
"""The actions of a match by how often they are needed: the first of them have their place in the row, as many as there
is room for, and all others in the menu."""
ROW_AGAINST_THE_COMPUTER = ("takeback", "hint", "give_up", "pause", "restart")
"""It takes no draw, and asks nobody."""
ROW_OF_BOTH = ("restart", "takeback", "give_up", "pause", "draw")
"""Where one user has both seats, nobody has to agree."""
MOST_IN_ROW = 5
"""Where there is room."""
MOST_AT_THE_END = 4
"""Below what is told of the end the ways on have less room."""


def row_and_menu(model: Model, most: int = MOST_IN_ROW) -> tuple[tuple[Control, ...], tuple[Control, ...]]:
    """What stands in the row of a match, `most` at once, and what its menu has besides; without the menu's own button.

    What is seen and cannot be used now has its place, too: nothing moves under a hand with each move.
    """
    match = model.match
    if match is not None and match.status == "ended":
        most = min(most, MOST_AT_THE_END)
    seen = {control.action: control for control in on_shelf(Place.MATCH, Shelf.ACTIONS) if control.is_seen(model)}
    order: tuple[str, ...] = ROW
    if match is not None and match.status == "playing":
        order = ROW_AGAINST_THE_COMPUTER if match.level else ROW_OF_BOTH if model.holds_both else ROW
    row = tuple(seen[action] for action in order if action in seen)[:most]
    rest = tuple(control for control in seen.values() if control not in row)
    always = (control for control in on_shelf(Place.MATCH, Shelf.MENU) if control.is_seen(model))
    return row, (*rest, *(control for control in always if control.action != "more"))


def is_enabled(action: str, model: Model) -> bool:
    """Whether the control may be used now; what is not in the table may."""
    control = BY_ACTION.get(action)
    return control is None or control.enabled(model)


def key_help(place: Place) -> tuple[tuple[str, str], ...]:
    """Keys and what they do, for the help panel (`DB 7.3.1.5`)."""
    return tuple((control.shown, control.help) for control in controls_for(place))
