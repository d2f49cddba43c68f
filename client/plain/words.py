"""What can be typed: one table of words, and from a typed line to what is asked for. Pure.

A line is a word of the table with what follows it, or a move: its elements as the board names them, with a hyphen, an
x or a space between them. A legal move comes before a word of the same spelling. What looks like a move and is not
legal is sent all the same, for the server has the right words to refuse it (`DB 7.3.2.1` to `7.3.2.3`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from client.plain import challenging, in_lobby, in_match, reports
from client.plain.intents import MAX_LINE, Intent, ListSaves, Quit, Said, Tell, Word
from client.plain.starting import NotUnderstood
from client.shown.board.picking import complete
from protocol import limits
from protocol.messages import Abandon, CallDraw, Cancel, Continue, Hint, Move, Pause, WaitLonger


def understand(said: Said) -> Intent:
    """What the line asks for; a Tell with the reason when it makes no sense."""
    if not said.words:
        return Tell(())
    if sum(map(len, said.words)) > MAX_LINE:
        return Tell(("That line is too long.",))
    try:
        move = _legal_move(said)
        if move is not None:
            return _move(said, move)
        word = BY_NAME.get(said.words[0].lower())
        if word is not None:
            return word.does(said)
        return _other(said)
    except NotUnderstood as reason:
        return Tell((str(reason),))


# Moves ----------------------------------------------------------------------------------------------------------------

_BETWEEN = re.compile(r"[-x, ]+")
_LIKE_A_MOVE = re.compile(r"\S*\d\S*")


def _legal_move(said: Said) -> str | None:
    """The legal move that was typed: as the board spells it, in small letters, or the elements in either order."""
    match = said.model.match
    if match is None or not match.you:
        return None
    typed = " ".join(said.words).lower()
    for spelled in (typed, typed.replace(" ", "-"), typed.replace(" ", "x")):
        if spelled in match.legal:
            return spelled
    region, colon, rest = typed.rpartition(":")
    path = tuple(region + colon + part for part in _BETWEEN.split(rest))
    return complete(match.legal, path) or (complete(match.legal, path[::-1]) if match.board.dots else None)


def _move(said: Said, move: str) -> Move:
    return Move(ref=said.ref(), match=said.match.match, version=said.model.next_version, move=move)


def _other(said: Said) -> Intent:
    """No word and no legal move: the server says why a move is refused."""
    match, typed = said.model.match, "-".join(said.words)
    may_be_move = all(_LIKE_A_MOVE.fullmatch(word) for word in said.words) and len(typed) <= limits.MAX_MOVE
    if match is not None and match.you and match.status == "playing" and may_be_move:
        return _move(said, typed)
    return Tell((f"“{said.words[0]}” is no word here. Type help for the words.",))


# What each word does --------------------------------------------------------------------------------------------------


def _help(said: Said) -> Intent:
    if not said.rest:
        names = [word.usage for word in WORDS]
        return Tell(("Type a move, such as a1-b1, or one of these; help WORD says more.", ", ".join(names) + "."))
    word = BY_NAME.get(said.words[1].lower())
    if word is None:
        return Tell((f"“{said.words[1]}” is no word here.",))
    return Tell((f"{word.usage}: {word.help}", *(f"Also: {other}." for other in word.others)))


def _report(lines: Callable[[Said], Sequence[str]]) -> Callable[[Said], Intent]:
    return lambda said: Tell(tuple(lines(said)))


WORDS = (
    Word("help", "help", "These words; help WORD says what one does.", _help, ("?",)),
    Word("board", "board", "The board as aligned text; board list tells it in words.", in_match.board, ("b",)),
    Word("moves", "moves", "The legal moves.", in_match.moves),
    Word("who", "who", "Who plays, the scores, whose turn it is.", _report(lambda s: reports.who(s.model, s.now))),
    Word("clock", "clock", "What both players have left.", _report(lambda s: reports.clock(s.model, s.now)), ("time",)),
    Word(
        "log", "log", "What happened last; log all: all moves; log TEXT: those of a student's game with TEXT.",
        in_match.log,
    ),
    Word(
        "rules", "rules", "The rules of this match's game; rules GAME of another one, and its options.",
        in_match.rules,
    ),
    Word(
        "hint", "hint", "Against the computer: the move that its best level would make, and why.",
        in_match.as_seen(Hint),
    ),
    Word("draw", "draw", "Offer a draw, or accept the one that is offered.", in_match.offer("draw")),
    Word("accept", "accept", "Accept what your opponent offers, or a challenge.", in_match.answer(True), ("yes",)),
    Word("decline", "decline", "Decline what your opponent offers, or a challenge.", in_match.answer(False), ("no",)),
    Word("withdraw", "withdraw", "Withdraw your own offer, or your challenge.", challenging.withdraw),
    Word("takeback", "takeback", "Ask to take your last move back.", in_match.offer("takeback"), ("undo",)),
    Word("restart", "restart", "Ask to restart the match.", in_match.offer("restart")),
    Word("revert", "revert NAME", "Ask to revert to a saved position.", in_match.revert),
    Word("pause", "pause", "Pause: the clocks stop and the board is hidden.", in_match.plainly(Pause)),
    Word("continue", "continue", "End the pause.", in_match.plainly(Continue)),
    Word("wait", "wait", "Wait another minute for an opponent who is away.", in_match.as_seen(WaitLonger)),
    Word("callit", "callit", "Call the match a draw while your opponent is away.", in_match.as_seen(CallDraw)),
    Word("surrender", "surrender", "Surrender: your opponent wins.", in_match.as_seen(Abandon), ("resign",)),
    Word(
        "rematch", "rematch", "After the end: ask for another one, with seats swapped; a task is tried again.",
        in_match.offer("rematch"), ("again",),
    ),
    Word("cancel", "cancel", "Cancel your match while nobody has joined it.", in_match.plainly(Cancel)),
    Word("say", "say TEXT", "Say something to your opponent, or as a spectator to the others who watch.", in_match.say),
    Word(
        "learn", "learn GAME",
        "Learn the game by a few tasks, with nobody: the next one that is not done, or that of a number behind it.",
        in_lobby.learn,
    ),
    Word("next", "next", "After a task: the next one.", in_match.next_lesson),
    Word(
        "review", "review", "After the end: who stood better, and what cost most; again breaks it off.",
        in_match.review,
    ),
    Word(
        "practise", "practise N",
        "After the end: play on after N moves against the computer, on your own side or else for who is to move.",
        in_match.practise,
    ),
    Word("save", "save NAME", "Save the match; save NAME! also over another game of that name.", in_match.save),
    Word("saves", "saves", "The saved games.", lambda said: ListSaves()),
    Word(
        "load", "load NAME",
        "Host a match from a saved game on; private, computer, level=hard, second, both or clock=5+3 may follow.",
        in_lobby.load,
    ),
    Word("lobby", "lobby", "Back to the lobby; once moves were made your seat is kept.", in_lobby.to_lobby),
    Word("list", "list", "The matches, numbered.", in_lobby.list_matches),
    Word("games", "games", "The games.", _report(lambda said: reports.games(said.model))),
    Word(
        "join", "join N", "Join match N of the list, or a private one: join KEY tells first to what it invites.",
        in_lobby.join,
    ),
    Word(
        "invitation", "invitation KEY",
        "To what a key invites: who plays, which game, its clock and options, your side; you join nothing.",
        in_lobby.invitation,
    ),
    Word(
        "drop", "drop N",
        "Your own match N of the list: cancel it, remove it once it is over; drop N surrender gives it up.",
        in_lobby.drop,
    ),
    Word("watch", "watch N", "Watch match N of the list.", in_lobby.watch),
    Word(
        "host", "host GAME",
        "Host a match; 5x5, NAME=VALUE, clock=5+3 (or 30s, none), private, second (the other begins), computer or both "
        "may follow.",
        in_lobby.create,
        ("create",),
    ),
    Word(
        "challenge", "challenge NAME GAME",
        "Ask somebody who is here for a match; 5x5, NAME=VALUE, clock=5+3 or second (the other begins) may follow the "
        "game.",
        challenging.challenge,
    ),
    Word("mute", "mute", "Be challenged by nobody; mute off lets others challenge you again.", challenging.mute),
    Word(
        "quick", "quick GAME", "Be paired with whoever wants the same, or wait for the next one who does.",
        in_lobby.quick,
    ),
    Word(
        "computer", "computer GAME",
        "Play against the computer: beginner, easy, medium, hard or master; second lets it begin.", in_lobby.computer,
    ),
    Word("quit", "quit", "Leave the program.", lambda said: Quit(), ("q", "exit")),
)  # fmt: skip


BY_NAME = {name: word for word in WORDS for name in (word.name, *word.others)}
