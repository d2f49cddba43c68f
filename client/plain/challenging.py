"""The words for challenges, and what is told of them. Pure."""

from __future__ import annotations

from client.conversation.events import Event
from client.plain.intents import Intent, Said
from client.plain.starting import NotUnderstood, find_game, read_start
from client.shown.model import Model
from client.shown.words import challenges
from protocol import limits
from protocol.messages import (
    Answer,
    AnswerChallenge,
    Challenge,
    Challenged,
    MuteChallenges,
    Withdraw,
    WithdrawChallenge,
)


def challenge(said: Said) -> Intent:
    """`challenge NAME GAME ...`: a name may have several words, so it ends where a game is named."""
    words = said.words[1:]
    for place in range(1, len(words)):
        try:
            find_game(words[place], said.model.games)
        except NotUnderstood:
            continue
        start = read_start(words[place:], said.model.games)
        name = " ".join(words[:place])[: limits.MAX_NAME_INPUT]
        return Challenge(
            ref=said.ref(), name=name, game=start.game, options=dict(start.options), clock=start.clock, seat=start.seat
        )  # fmt: skip
    here = ", ".join(challenges.others(said.model))
    raise NotUnderstood("Say whom, and which game: challenge NAME GAME." + (f" Here are {here}." if here else ""))


def answer(said: Said, *, accept: bool) -> Intent:
    """The opponent's offer first, for it is of the match at hand; else the oldest challenge."""
    told = challenges.incoming(said.model)
    if told is not None and said.model.offer_to_me is None:
        if accept and challenges.leaves_a_match(said.model) and said.rest != "now":
            raise NotUnderstood(f"{challenges.MEANWHILE} Type accept now to go.")
        return AnswerChallenge(ref=said.ref(), challenge=told.challenge, accept=accept)
    return Answer(ref=said.ref(), match=said.match.match, accept=accept, offer=said.offer)


def withdraw(said: Said) -> Intent:
    """The own offer first, then the newest challenge of one's own."""
    told = challenges.outgoing(said.model)
    if told is not None and said.model.own_offer is None:
        return WithdrawChallenge(ref=said.ref(), challenge=told.challenge)
    return Withdraw(ref=said.ref(), match=said.match.match, offer=said.offer)


def mute(said: Said) -> Intent:
    """No challenges from now on; `mute off` lets them come again."""
    if said.rest not in ("", "off"):
        raise NotUnderstood("Type mute, or mute off.")
    return MuteChallenges(ref=said.ref(), on=said.rest != "off")


def told(before: Model, after: Model, event: Event, now: float) -> list[str]:
    """A challenge that has come, once; how it went is told as a notice."""
    if not isinstance(event, Challenged) or event.challenge in {known.challenge for known in before.challenges}:
        return []
    if event not in after.challenges:
        return []
    ways = "Type withdraw to take it back." if event.mine else "Type accept or decline."
    return [f"{challenges.sentence(after, event, now)}. {ways}"]
