"""From a change of the model to lines: one for each thing that happened (`CK 5.4.5`, `UD RF5` to `RF7`). Pure.

Nothing is told twice, and nothing that was not asked for and needs nobody's attention: the lobby's changes are silent.
"""

from __future__ import annotations

from dataclasses import dataclass

from client.conversation.events import Event, Left, Offline
from client.conversation.position import running_seat, seat_name
from client.plain.reports import clock_rule, duration, kind_of_match, scores
from client.shown import match_log
from client.shown.board.board_text import SIGNS
from client.shown.model import Link, Model
from client.shown.review import bars, costly_text, progress_text
from client.shown.words.challenges import incoming
from client.shown.words.ending import verdict
from client.shown.words.lessons import next_task, task_title
from client.shown.words.status import unseen_text
from protocol.messages import (
    Away,
    AwayInfo,
    Chat,
    Ended,
    MatchEvent,
    Moved,
    Offered,
    Outage,
    Paused,
    Presence,
    Said,
    SetBack,
    Snapshot,
    Welcome,
)

MAX_COLUMNS = 60
"""Of the curve of a review."""
WARN_S = (20, 10, 5)
"""Seconds left at which the player whose time it is is warned."""


def tell(before: Model, after: Model, event: Event) -> list[str]:
    """What there is to say about `event`, which made `after` of `before`."""
    lines = [*_about(before, after, event), *_reviewed(before, after)]
    if after.notice.number != before.notice.number and after.notice.text:
        lines.append(after.notice.text)
    if isinstance(event, MatchEvent | Snapshot) and not (isinstance(event, Moved) and event.entry):
        lines += _turn(before, after)
    return lines


def calls(before: Model, after: Model) -> bool:
    """Whether the player is wanted: it became the own turn, somebody joined, or there is something to answer.

    Two people at one keyboard look at it anyway.
    """
    if after.holds_both:
        return False
    turn = after.is_my_turn and not before.is_my_turn
    joined = before.waits and after.is_being_played
    challenge = incoming(after) is not None and incoming(before) is None
    return turn or joined or challenge or (after.offer_to_me is not None and before.offer_to_me is None)


def title(model: Model) -> str:
    """What the title of the terminal's window is to be."""
    if model.match is None:
        return "Parlour"
    return "Your turn - Parlour" if model.is_my_turn and not model.holds_both else "Parlour: playing"


@dataclass(frozen=True)
class Warned:
    """The last warning: for which position, at how many seconds."""

    version: int = -1
    seconds: int = 0


def warning(model: Model, now: float, warned: Warned) -> tuple[str | None, Warned]:
    """A line when little time is left to somebody at this keyboard, once for each of WARN_S in a position."""
    match, left = model.match, model.time_left(now)
    seat = running_seat(match) if match is not None else None
    if match is None or left is None or seat is None or seat not in match.you or model.is_unsure:
        return None, warned
    below = min((seconds for seconds in WARN_S if left[seat] <= seconds * 1000), default=None)
    known = warned.seconds if warned.version == match.version else None
    if below is None or (known is not None and known <= below):
        return None, warned
    whose = f"{seat_name(match, seat)} has" if model.holds_both else "You have"
    return f"{whose} {duration(left[seat])} left.", Warned(match.version, below)


class Hearing:
    """What people say to each other, each line once: lines come again after a lost connection."""

    def __init__(self) -> None:
        self._match = ""
        self._heard = 0

    def take(self, event: Event) -> list[str]:
        """The new lines in what the server told."""
        match event:
            case SetBack():
                self._heard = 0
                return []
            case Said():
                said: tuple[Said, ...] = (event,)
            case Chat(lines=lines):
                said = lines
            case _:
                return []
        new = []
        for line in said:
            if line.match != self._match:
                self._match, self._heard = line.match, 0
            if line.number > self._heard:
                self._heard = line.number
                new.append(f"{line.name} says: {line.text}")
        return new


def _reviewed(before: Model, after: Model) -> list[str]:
    """That a review begins, how far it is, a quarter at a time, and what came of it."""
    was, now = before.review, after.review
    if now is None or now == was or after.match is None:
        return [] if now is not None or was is None else ["The review is put away."]
    if was is None:
        return [f"{progress_text(now)}. Type review to break it off."]
    if now.next_ply is None:
        match = after.match
        curve = bars(now.leads, MAX_COLUMNS)
        named = [costly_text(one, lambda seat: seat_name(match, seat)) for one in now.costliest]
        why = [now.why] if now.why else []
        return [f"{progress_text(now)}.", *why, f"{seat_name(match, 0)} stood, from low to high: {curve}", *named]
    quarter = max(now.plies // 4, 10)
    return [f"{progress_text(now)}."] if len(now.judged) % quarter == 0 else []


# Pieces ---------------------------------------------------------------------------------------------------------------


def _about(before: Model, after: Model, event: Event) -> list[str]:
    match event:
        case Welcome() if before.link is Link.NEW:
            return _greeting(after)
        case Offline(reason=reason) if before.link is Link.UP:
            return [f"{reason} Coming back by itself; what you type meanwhile is sent then."]
        case Outage() if event.on:
            return [event.text]
        case Outage():
            return ["The server stores moves again."]
        case Snapshot():
            entered = before.match is None or before.match.match != event.match
            return _entered(after) if entered else []
        case Left():
            return ["You are in the lobby."]
        case MatchEvent() | Presence():
            return _happened(before, after, event)
        case _:
            return []


def _greeting(model: Model) -> list[str]:
    lines = [f"Connected as {model.name}. Type help for the words, list for the matches."]
    if model.mine:
        lines.append(f"Matches of yours that go on: {len(model.mine)}. They come first in the list.")
    return lines


def _entered(model: Model) -> list[str]:
    match = model.match
    if match is None:
        return []
    lines = [f"{kind_of_match(model, match)}, match {match.match}."]
    if match.key is not None:
        lines.append(f"The key to give to your opponent: {match.key}")
    if len(match.you) == 1:
        lines.append(f"You play {SIGNS[match.you[0]]} and {'begin' if match.you[0] == 0 else 'go second'}.")
    elif not match.you:
        lines.append("You watch.")
    if match.lesson:
        return [*lines, f"{task_title(model)}."]
    taken = [seat for seat in (0, 1) if match.seats[seat].name is not None]
    names = [f"{seat_name(match, seat)} ({SIGNS[seat]})" for seat in taken]
    lines.append(f"At the board: {' and '.join(names)}." if names else "Nobody is at the board.")
    if match.clock is not None:
        lines.append(f"The clock is {clock_rule(match.clock_rule)}.")
    if match.plies:
        lines.append(f"Moves so far: {match.plies}.")
    if match.status == "ended":
        lines += [match.text, *_ending(model, match)]
    elif model.may("wait_longer"):
        lines.append(_waiting(match.away, match.now_ms))
    return lines


def _happened(before: Model, after: Model, event: MatchEvent | Presence) -> list[str]:
    if isinstance(event, Moved) and event.entry and after.match is not None:
        seats = tuple(seat_name(after.match, seat) for seat in (0, 1))
        return [match_log.newest(before.log, after.match.plies - 1, event.entry, seats).line]
    lines = []
    newest = after.happenings[-1] if after.happenings else None
    if newest is not None and (not before.happenings or newest is not before.happenings[-1]):
        lines.append(newest.text)
    match event:
        case Offered() if after.offer_to_me is not None:
            lines.append("Type accept or decline.")
        case Offered():
            lines += filter(None, [unseen_text(after)])
        case Paused():
            lines.append("The board is hidden." + (" Type continue to go on." if after.may("continue") else ""))
        case Away() if after.may("wait_longer"):
            lines.append(_waiting(event.away, event.at_ms))
        case Ended() if after.match is not None:
            lines += _ending(after, after.match)
        case _:
            pass
    return lines


def _waiting(away: tuple[AwayInfo, ...], now_ms: int) -> str:
    untils = [info.until_ms - now_ms for info in away if info.until_ms is not None]
    within = f" Without them the match ends in {duration(max(untils))}." if untils else ""
    return f"Your opponent is away.{within} Type wait for another minute, or callit for a draw."


def _ending(model: Model, match: Snapshot) -> list[str]:
    """`CK 5.5`: each player's moves, average time for one, and score; and what can be done now."""
    if match.lesson:
        words = ["next"] if next_task(model) else []
        return [f"{verdict(match)[0]} Type {', '.join(['again', *words])} or lobby."]
    lines = []
    for seat in (0, 1):
        parts = [scores(model, match, seat)]
        if match.result is not None and any(one.moves for one in match.result.stats):
            stats = match.result.stats[seat]
            moves = f"{stats.moves} move{'' if stats.moves == 1 else 's'}"
            parts.append(f"{moves}, {stats.average_ms / 1000:.1f} s each" if stats.moves else moves)
        lines.append(f"{seat_name(match, seat)}: {', '.join(filter(None, parts))}.")
    if match.you:
        words = ["rematch"] if model.may("offer_rematch") else []
        lines.append(f"Type {', '.join([*words, 'save NAME'])} or lobby.")
    return lines


def _turn(before: Model, after: Model) -> list[str]:
    """The status sentence when it has changed, and whose turn it is when it is one's own."""
    match = after.match
    if match is None or match.status == "ended" or after.is_covered:
        return []
    if match.status == "playing" and match.to_move is None:
        return []  # Over by its rules: the end is told by the event that follows.
    was = before.match if before.match is not None and before.match.match == match.match else None
    lines = [match.text] if was is None or was.text != match.text or before.is_covered else []
    if after.is_my_turn and not after.holds_both and (was is None or not before.is_my_turn or was.plies != match.plies):
        lines.append("Your turn.")
    return lines
