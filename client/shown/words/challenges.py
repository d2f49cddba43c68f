"""Challenges as they are shown: who asks whom for what, for how long still, and where an answer leads. Pure."""

from __future__ import annotations

from client.shown.state import Model
from client.shown.words.clocks import rule_text
from client.shown.words.lobby import game_text, options_text
from client.shown.words.sides import own_side_text
from protocol.messages import Challenged, ChallengeOver, Invitation


def incoming(model: Model) -> Challenged | None:
    """The oldest challenge that is to be answered here."""
    return next((told for told in model.challenges if not told.mine), None)


def outgoing(model: Model) -> Challenged | None:
    """The newest challenge of the user's own that stands."""
    return next((told for told in reversed(model.challenges) if told.mine), None)


def others(model: Model) -> tuple[str, ...]:
    """The players who are here and can be challenged, by name."""
    return tuple(sorted((name for name in model.people if name != model.name), key=str.casefold))


def sentence(model: Model, told: Challenged, now: float | None = None) -> str:
    """Who asks whom for which game, with what clock, side and options, and (at `now`) for how many seconds still."""
    game, seat = model.games.get(told.game), told.seat if told.mine else 1 - told.seat
    side, options = own_side_text(game, told.options, seat), options_text(game, told.options)
    words = [told.title, rule_text(told.clock), side, options]
    what = ", ".join(word for word in words if word)
    who = f"You challenge {told.to}" if told.mine else f"{told.by} challenges you"
    server_now_ms = None if now is None else model.server_now_ms(now)
    if server_now_ms is None:
        return f"{who}: {what}"
    # Before all that may be long: where a bar is narrow the options are what is cut.
    return f"{who} ({max(0, round(told.until_ms - server_now_ms)) // 1000} s): {what}"


BEFORE_LINK = ("For your opponent: ", "Link: ")
BEFORE_LOCAL_LINK = ("For somebody at this computer: ", "Only here: ")
"""What stands before the link of a match that waits, the longest first: of the link itself nothing may be missing."""


def invitation_text(model: Model, told: Invitation) -> str:
    """Who invites to which game, with what clock, side and options; of one's own match just that."""
    summary, game = told.summary, model.games.get(told.summary.game)
    host = summary.names[1 - told.seat]
    title = game_text(model.games, summary.game, summary.options)
    side, options = own_side_text(game, summary.options, told.seat), options_text(game, summary.options)
    words = [title, rule_text(summary.clock_rule) or "no clock", side, options]
    what = ", ".join(word for word in words if word)
    if summary.names[told.seat] is not None or host is None:
        return f"This is your own match: {what}."
    return f"{host} invites you: {what}."


MEANWHILE = "Your match here goes on meanwhile."
ONCE_MORE = f"{MEANWHILE} Accept once more to go."


def leaves_a_match(model: Model) -> bool:
    """Whether to accept a challenge takes the user away from a match that is being played: asked once."""
    match = model.match
    return match is not None and match.status == "playing" and bool(match.you) and not match.lesson


def leads_to(before: Model, event: object) -> str:
    """The match to go to, for one whose challenge was accepted; "" where nothing leads away.

    Nobody is taken away from a match that is being played; what is told of twice leads there once.
    """
    if not isinstance(event, ChallengeOver) or event.fate != "accepted" or not event.mine:
        return ""
    match = before.match
    plays = match is not None and match.status == "playing" and bool(match.you)
    return "" if plays or event.challenge in before.challenges_heard else event.challenge
