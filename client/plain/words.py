"""What can be typed: one table of words, and from a typed line to what is asked for. Pure.

A line is a word of the table with what follows it, or a move: its elements as the board names them, with a hyphen, an
x or a space between them. A legal move comes before a word of the same spelling. What looks like a move and is not
legal is sent all the same, for the server has the right words to refuse it (`DB 7.3.2.1` to `7.3.2.3`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from client.kept.links import key_in
from client.plain import challenging, reports
from client.plain.intents import (
    MAX_LINE,
    Intent,
    Learn,
    LeaveMatch,
    ListSaves,
    LoadFrom,
    Practise,
    Quit,
    RevertTo,
    Review,
    Said,
    SaveAs,
    Tell,
    Word,
)
from client.plain.starting import NotUnderstood, find_game, read_start
from client.playing.new_match import Against, AtOnce
from client.shown import board_text, match_log
from client.shown.controls import is_enabled
from client.shown.groups import placement_text
from client.shown.lessons import next_task
from client.shown.lobby import Way
from client.shown.picking import complete
from protocol import limits
from protocol.messages import (
    Abandon,
    CallDraw,
    Cancel,
    Command,
    Continue,
    Create,
    Forget,
    Hint,
    Join,
    Move,
    Offer,
    OfferKind,
    Pause,
    Say,
    WaitLonger,
    Watch,
)


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


def _board(said: Said) -> Intent:
    match = said.match
    lines = board_text.listing(match) if said.rest == "list" else board_text.drawing(match)
    return Tell((*lines, match.text))


def _moves(said: Said) -> Intent:
    match = said.match
    if match.status != "playing" or not match.legal:
        return Tell(("There is nothing to play now.",))
    taking = [f"{move} {made}" for move in match.legal if (made := placement_text(match, move))]
    return Tell((
        f"Legal moves, {len(match.legal)}: {', '.join(match.legal)}.",
        *([f"Of these: {'; '.join(taking)}."] if taking else []),
    ))  # fmt: skip


def _log(said: Said) -> Intent:
    if said.match and said.model.is_log:
        entries = match_log.read(said.model.log)
        found = match_log.found(entries, said.rest)
        told = [entry.line for entry in found[-(reports.MAX_ROWS if said.rest else 10) :]]
        page = match_log.page(said.page, said.match.match)
        sides = (f"{match_log.SIDES}: {page}",) if page else ()
        return Tell((f"{match_log.counted(found, entries, said.rest)}.", *told, *sides))
    if said.rest == "all" and said.match:
        return Tell(reports.all_moves(said.model, said.match) or ("No move was made yet.",))
    lines = [happening.text for happening in said.model.happenings[-10:]]
    return Tell(tuple(lines) if said.match and lines else ("Nothing has happened yet.",))


def _rules(said: Said) -> Intent:
    games = said.model.games
    if said.rest:
        return Tell(tuple(reports.game(find_game(said.words[1], games))))
    info = games.get(said.match.game)
    return Tell(tuple(reports.game(info)) if info is not None else ("The server has no rules of this game.",))


def _list(said: Said) -> Intent:
    lines, listed = reports.lobby(said.model, said.now)
    return Tell(tuple(lines), listed)


def _lobby(said: Said) -> Intent:
    if said.model.waits:
        lines, listed = reports.lobby(said.model, said.now)
        return Tell(
            (*lines, "Your match goes on waiting; you are told when somebody joins. Type cancel to end it."), listed
        )
    return LeaveMatch() if said.model.match is not None else _list(said)


def _free(said: Said) -> None:
    if said.model.match is not None and not said.model.waits:
        raise NotUnderstood("You are in a match. Type lobby first.")


def _chosen(said: Said) -> str:
    """The match that a number of the list, or its id, means; "" for anything else."""
    if not said.rest:
        raise NotUnderstood("Say which one: a number of the list.")
    text = said.words[1]
    if text.isdecimal() and len(text) < 4:
        if not 1 <= int(text) <= len(said.listed):
            raise NotUnderstood("There is no such number in the list. Type list.")
        return said.listed[int(text) - 1]
    own = {row.match for row in said.model.own} | {one.match for one in said.model.mine}
    return text if text in own | {row.match for row in said.model.lobby or ()} else ""


def _join(said: Said) -> Intent:
    _free(said)
    match = _chosen(said)
    if not match:
        return Join(ref=said.ref(), key=key_in(said.rest)[: limits.MAX_KEY])
    way = reports.way(said.model, match, said.now)
    if way is Way.RESUME:
        return Watch(ref=said.ref(), match=match)
    if way is Way.WATCH:
        raise NotUnderstood("That match is being played already. Type watch to see it.")
    return Join(ref=said.ref(), match=match)


def _watch(said: Said) -> Intent:
    _free(said)
    return Watch(ref=said.ref(), match=_chosen(said) or said.words[1][: limits.MAX_ID])


def _drop(said: Said) -> Intent:
    _free(said)
    match = _chosen(said)
    row = next((row for row in said.model.own if row.match == match), None)
    if row is None:
        raise NotUnderstood("That is none of your matches. Type list.")
    ref = said.ref()
    if row.status == "waiting":
        return Cancel(ref=ref, match=match)
    if row.status == "ended":
        return Forget(ref=ref, match=match)
    if said.words[2:] != ("surrender",):
        raise NotUnderstood(f"It is being played: drop {said.words[1]} surrender gives it up.")
    return Abandon(ref=ref, match=match)


def _create(said: Said) -> Intent:
    _free(said)
    return read_start(said.words[1:], said.model.games).create(said.ref())


def _quick(said: Said) -> Intent:
    _free(said)
    return read_start(said.words[1:], said.model.games).quick(said.ref())


def _computer(said: Said) -> Intent:
    _free(said)
    return read_start((*said.words[1:], "computer"), said.model.games).create(said.ref())


def _say(said: Said) -> Intent:
    if not said.rest:
        raise NotUnderstood("Say what: say TEXT.")
    if len(said.rest) > limits.MAX_CHAT:
        raise NotUnderstood(f"That is too long: say at most {limits.MAX_CHAT} characters at a time.")
    return Say(ref=said.ref(), match=said.match.match, text=said.rest)


def _named(said: Said) -> str:
    if not said.rest:
        raise NotUnderstood("Say the name of the saved game; saves lists them.")
    return said.rest


def _save(said: Said) -> Intent:
    assert said.match
    name = _named(said)
    return SaveAs(name.removesuffix("!").strip(), replace=name.endswith("!"))


_TERMS = ("private", "computer", "second", "both")
"""What may follow the name of a saved game, beside its clock and the computer's level."""


def _load(said: Said) -> Intent:
    _free(said)
    words, terms = [*said.words[1:]], list[str]()
    _named(said)
    while len(words) > 1 and (words[-1] in _TERMS or words[-1].startswith(("clock=", "level="))):
        terms.insert(0, words.pop())
    return LoadFrom(" ".join(words), tuple(terms))


def _offer(kind: OfferKind) -> Callable[[Said], Intent]:
    return lambda said: Offer(ref=said.ref(), match=said.match.match, kind=kind, version=said.model.next_version)


def _plainly(command: type[Command]) -> Callable[[Said], Intent]:
    """For commands that need the match alone."""
    return lambda said: command(ref=said.ref(), match=said.match.match)  # type: ignore[call-arg]


def _as_seen(command: type[Abandon | CallDraw | Hint | WaitLonger]) -> Callable[[Said], Intent]:
    """For commands about the match as it was last told."""
    return lambda said: command(ref=said.ref(), match=said.match.match, version=said.model.next_version)


def _answer(accept: bool) -> Callable[[Said], Intent]:
    return lambda said: challenging.answer(said, accept=accept)


def _review(said: Said) -> Intent:
    if not is_enabled("review", said.model):
        raise NotUnderstood("There is nothing to review: a match is reviewed once it is over.")
    return Review()


def _learn(said: Said) -> Intent:
    _free(said)
    if not said.rest:
        raise NotUnderstood("Say which game; games lists them.")
    number = said.words[2] if len(said.words) > 2 else "0"
    if not (number.isdecimal() and len(number) < 3):
        raise NotUnderstood("Say which task: a number, or none for the next one.")
    return Learn(AtOnce(said.words[1], Against.LEARN, lesson=int(number)))


def _next(said: Said) -> Intent:
    lesson = next_task(said.model)
    if not (said.match.lesson and said.match.status == "ended" and lesson):
        raise NotUnderstood("There is no next task here. Type learn GAME for the tasks of a game.")
    return Create(ref=said.ref(), game=said.match.game, lesson=lesson)


def _practise(said: Said) -> Intent:
    if not is_enabled("review", said.model):
        raise NotUnderstood("Practise from a match that is over.")
    plies = said.match.plies
    if not (said.rest.isdecimal() and len(said.rest) < 5 and int(said.rest) < plies):
        raise NotUnderstood(f"Say after how many moves: from 0 to {plies - 1}.")
    return Practise(int(said.rest))


def _report(lines: Callable[[Said], Sequence[str]]) -> Callable[[Said], Intent]:
    return lambda said: Tell(tuple(lines(said)))


WORDS = (
    Word("help", "help", "These words; help WORD says what one does.", _help, ("?",)),
    Word("board", "board", "The board as aligned text; board list tells it in words.", _board, ("b",)),
    Word("moves", "moves", "The legal moves.", _moves),
    Word("who", "who", "Who plays, the scores, whose turn it is.", _report(lambda s: reports.who(s.model, s.now))),
    Word("clock", "clock", "What both players have left.", _report(lambda s: reports.clock(s.model, s.now)), ("time",)),
    Word("log", "log", "What happened last; log all: all moves; log TEXT: those of a student's game with TEXT.", _log),
    Word("rules", "rules", "The rules of this match's game; rules GAME of another one, and its options.", _rules),
    Word("hint", "hint", "Against the computer: the move that its best level would make, and why.", _as_seen(Hint)),
    Word("draw", "draw", "Offer a draw, or accept the one that is offered.", _offer("draw")),
    Word("accept", "accept", "Accept what your opponent offers, or a challenge.", _answer(True), ("yes",)),
    Word("decline", "decline", "Decline what your opponent offers, or a challenge.", _answer(False), ("no",)),
    Word("withdraw", "withdraw", "Withdraw your own offer, or your challenge.", challenging.withdraw),
    Word("takeback", "takeback", "Ask to take your last move back.", _offer("takeback"), ("undo",)),
    Word("restart", "restart", "Ask to restart the match.", _offer("restart")),
    Word("revert", "revert NAME", "Ask to revert to a saved position.", lambda said: RevertTo(_named(_in_match(said)))),
    Word("pause", "pause", "Pause: the clocks stop and the board is hidden.", _plainly(Pause)),
    Word("continue", "continue", "End the pause.", _plainly(Continue)),
    Word("wait", "wait", "Wait another minute for an opponent who is away.", _as_seen(WaitLonger)),
    Word("callit", "callit", "Call the match a draw while your opponent is away.", _as_seen(CallDraw)),
    Word("surrender", "surrender", "Surrender: your opponent wins.", _as_seen(Abandon), ("resign",)),
    Word(
        "rematch", "rematch", "After the end: ask for another one, with seats swapped; a task is tried again.",
        _offer("rematch"), ("again",),
    ),
    Word("cancel", "cancel", "Cancel your match while nobody has joined it.", _plainly(Cancel)),
    Word("say", "say TEXT", "Say something to your opponent, or as a spectator to the others who watch.", _say),
    Word(
        "learn", "learn GAME",
        "Learn the game by a few tasks, with nobody: the next one that is not done, or that of a number behind it.",
        _learn,
    ),
    Word("next", "next", "After a task: the next one.", _next),
    Word("review", "review", "After the end: who stood better, and what cost most; again breaks it off.", _review),
    Word("practise", "practise N", "After the end: play on after N moves, against the computer.", _practise),
    Word("save", "save NAME", "Save the match; save NAME! also over another game of that name.", _save),
    Word("saves", "saves", "The saved games.", lambda said: ListSaves()),
    Word(
        "load", "load NAME",
        "Host a match from a saved game on; private, computer, level=hard, second, both or clock=5+3 may follow.",
        _load,
    ),
    Word("lobby", "lobby", "Back to the lobby; once moves were made your seat is kept.", _lobby),
    Word("list", "list", "The matches, numbered.", _list),
    Word("games", "games", "The games.", _report(lambda said: reports.games(said.model))),
    Word("join", "join N", "Join match N of the list, or a private one: join KEY.", _join),
    Word(
        "drop", "drop N",
        "Your own match N of the list: cancel it, remove it once it is over; drop N surrender gives it up.", _drop,
    ),
    Word("watch", "watch N", "Watch match N of the list.", _watch),
    Word(
        "host", "host GAME",
        "Host a match; 5x5, NAME=VALUE, clock=5+3 (or 30s, none), private, computer or both may follow.", _create,
        ("create",),
    ),
    Word(
        "challenge", "challenge NAME GAME",
        "Ask somebody who is here for a match; 5x5, NAME=VALUE or clock=5+3 may follow the game.",
        challenging.challenge,
    ),
    Word("mute", "mute", "Be challenged by nobody; mute off lets others challenge you again.", challenging.mute),
    Word("quick", "quick GAME", "Be paired with whoever wants the same, or wait for the next one who does.", _quick),
    Word(
        "computer", "computer GAME",
        "Play against the computer: beginner, easy, medium, hard or master; second lets it begin.", _computer,
    ),
    Word("quit", "quit", "Leave the program.", lambda said: Quit(), ("q", "exit")),
)  # fmt: skip


def _in_match(said: Said) -> Said:
    assert said.match
    return said


BY_NAME = {name: word for word in WORDS for name in (word.name, *word.others)}
