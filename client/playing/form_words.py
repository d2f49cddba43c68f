"""The words of the form for a match, for all front ends in Python; the page has the same in `texts/form.js`, and a test
holds both together. What an option of a game does is said by the game."""

from __future__ import annotations

from collections.abc import Mapping

Words = tuple[str, str]
"""What a row is called, and a sentence that says what it does."""

ROWS: Mapping[str, Words] = {
    "game": ("Game", "What is played."),
    "preset": ("Size", "How large the board is."),
    "opponent": ("Opponent", "Against whom."),
    "level": ("It plays", "How well the computer plays."),
    "first": ("Who begins", "Who makes the first move; in a rematch it is the other one."),
    "clock": ("Clock", "Who is out of time loses. 3+2: three minutes for each, and two seconds more with each move."),
    "moveTime": ("Time for a move", "Each move must be made within it."),
    "total": ("Time for each", "What each side has for all its moves."),
    "increment": ("More each move", "What each move adds to the time of who made it."),
    "watchable": ("Who may watch", "A match by link is in no list: nobody watches, or who is given its address."),
    "delay": ("Spectators see moves", "Who is some moves behind can tell nobody what comes next."),
    "grace": ("Wait when away", "How long a player whose connection is lost is waited for."),
    "more": ("More", "What is seldom changed."),
}
OPPONENTS: Mapping[str, Words] = {
    "somebody": ("Somebody", "Whoever joins from the lobby first."),
    "friend": ("Friend (link)", "Only who has the link or the key can join."),
    "computer": ("Computer", "It is there at once."),
    "both": ("Two here", "You both play at this screen."),
}
AGAINST: Mapping[str, str] = {"both": "2 Player", "computer": "Play Against the Computer"}
"""The opponents at this computer, in the words of `SQ2`."""
START_PROMPT = "Click Start to begin Game."
"""What the status says until then (`SQ6`)."""
CLOCKS: Mapping[str, str] = {
    "none": "none", "3+2": "3+2", "5+3": "5+3", "10+0": "10+0", "move": "each move", "total": "in total",
}  # fmt: skip
BEGINS: Mapping[str, tuple[str, str]] = {
    "somebody": ("you", "your opponent"), "friend": ("you", "your friend"), "computer": ("you", "the computer"),
}  # fmt: skip
"""Who sits on the first seat, and who on the second one, by the opponent: whoever sits on seat 0 begins."""
WATCH: tuple[str, str] = ("nobody", "who has its address")
MORE: tuple[str, str] = ("no", "yes")
OWN_SIZE = "own choice"
NOT_LATER = "at once"


def first_turn_text(name: str) -> str:
    """Whose turn is first, by the name of that side."""
    return f"{name} has the first turn."


def changed_text(count: int) -> str:
    """What the row is called that has the others behind it, where `count` of them are not as usual."""
    return f"{ROWS['more'][0]} ({count} changed)" if count else ROWS["more"][0]


def later_text(plies: int) -> str:
    """By how much those who watch are behind."""
    return f"{plies} {'move' if plies == 1 else 'moves'} later" if plies else NOT_LATER
