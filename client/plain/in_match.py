"""What the words of a match ask for: to see it, to act in it, to keep it, and what comes after it. Pure.

What each does is said by its help in `client.plain.words`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from client.plain import challenging, reports
from client.plain.intents import Intent, Practise, RevertTo, Review, Said, SaveAs, Tell
from client.plain.starting import NotUnderstood, find_game
from client.shown import match_log
from client.shown.actions.controls import is_enabled
from client.shown.board import board_text
from client.shown.board.groups import placement_text
from client.shown.state import Link
from client.shown.words.lessons import next_task
from protocol import limits
from protocol.messages import Abandon, CallDraw, Command, Create, Hint, Offer, OfferKind, Say, WaitLonger


def board(said: Said) -> Intent:
    match = said.match
    lines = board_text.listing(match) if said.rest == "list" else board_text.drawing(match)
    return Tell((*lines, match.text))


def moves(said: Said) -> Intent:
    match = said.match
    if match.status != "playing" or not match.legal:
        return Tell(("There is nothing to play now.",))
    taking = [f"{move} {made}" for move in match.legal if (made := placement_text(match, move))]
    return Tell((
        f"Legal moves, {len(match.legal)}: {', '.join(match.legal)}.",
        *([f"Of these: {'; '.join(taking)}."] if taking else []),
    ))  # fmt: skip


def log(said: Said) -> Intent:
    if said.match and said.model.is_log:
        entries = match_log.read(said.model.log)
        found = match_log.found(entries, said.rest)
        told = [entry.line for entry in found[-(reports.MAX_ROWS if said.rest else 10) :]]
        page = match_log.page(said.page, said.match.match)
        sides = (f"{match_log.SIDES}: {page}",) if page else ()
        return Tell((f"{match_log.counted(found, entries, said.rest)}.", *told, *sides))
    if said.rest == "all" and said.match:
        return Tell(reports.all_moves(said.model, said.match) or ("No move yet.",))
    lines = [happening.text for happening in said.model.happenings[-10:]]
    return Tell(tuple(lines) if said.match and lines else ("Nothing has happened yet.",))


def rules(said: Said) -> Intent:
    games = said.model.games
    if said.rest:
        return Tell(tuple(reports.game(find_game(said.words[1], games))))
    info = games.get(said.match.game)
    return Tell(tuple(reports.game(info)) if info is not None else ("The server has no rules of this game.",))


def say(said: Said) -> Intent:
    if not said.rest:
        raise NotUnderstood("Say what: say TEXT.")
    if len(said.rest) > limits.MAX_CHAT:
        raise NotUnderstood(f"That is too long: say at most {limits.MAX_CHAT} characters at a time.")
    return Say(ref=said.ref(), match=said.match.match, text=said.rest)


def named(said: Said) -> str:
    """The name of a saved game that follows the word. Raises NotUnderstood."""
    if not said.rest:
        raise NotUnderstood("Say the name of the saved game; saves lists them.")
    return said.rest


def save(said: Said) -> Intent:
    assert said.match
    name = named(said)
    return SaveAs(name.removesuffix("!").strip(), replace=name.endswith("!"))


def revert(said: Said) -> Intent:
    """Go back to a saved position."""
    assert said.match
    return RevertTo(named(said))


def offer(kind: OfferKind) -> Callable[[Said], Intent]:
    return lambda said: Offer(ref=said.ref(), match=said.match.match, kind=kind, version=said.model.next_version)


def plainly(command: type[Command]) -> Callable[[Said], Intent]:
    """For commands that need the match alone."""
    return lambda said: command(ref=said.ref(), match=said.match.match)  # type: ignore[call-arg]


def as_seen(command: type[Abandon | CallDraw | Hint | WaitLonger]) -> Callable[[Said], Intent]:
    """For commands about the match as it was last told."""
    return lambda said: command(ref=said.ref(), match=said.match.match, version=said.model.next_version)


def answer(accept: bool) -> Callable[[Said], Intent]:
    return lambda said: challenging.answer(said, accept=accept)


def review(said: Said) -> Intent:
    if not is_enabled("review", said.model):
        raise NotUnderstood(_why_not(said) or "There is nothing to review: a match is reviewed once it is over.")
    return Review()


def next_lesson(said: Said) -> Intent:
    lesson = next_task(said.model)
    if not (said.match.lesson and said.match.status == "ended" and lesson):
        raise NotUnderstood("There is no next task here. Type learn GAME for the tasks of a game.")
    return Create(ref=said.ref(), game=said.match.game, lesson=lesson)


def practise(said: Said) -> Intent:
    if not is_enabled("review", said.model):
        raise NotUnderstood(_why_not(said) or "Practise from a match that is over.")
    # The last position is one of them unless the game was played to its end.
    most = said.match.plies - 1 + is_enabled("practise", replace(said.model, step=None))
    if not (said.rest.isdecimal() and len(said.rest) < 5 and int(said.rest) <= most):
        raise NotUnderstood(f"Say after how many moves: from 0 to {most}.")
    return Practise(int(said.rest))


def _why_not(said: Said) -> str:
    """Why a match that is over is neither reviewed nor practised from; "" of one that is not."""
    if said.match.status != "ended" or said.model.is_cleared:
        return ""
    if said.match.lesson:
        return "Only matches are reviewed and practised from, and this is a task."
    if not said.match.plies:
        return "Nobody has moved in this match: there is nothing to review, and nothing to practise from."
    if said.model.link is not Link.UP:
        return "That is for when there is a connection again."
    return "The computer does not play this game: it is neither reviewed nor practised."
