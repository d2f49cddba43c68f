"""What the words of the lobby ask for: the list, and to enter, host, load, learn or be rid of a match. Pure.

What each does is said by its help in `client.plain.words`.
"""

from __future__ import annotations

from client.kept.links import key_in
from client.plain import reports
from client.plain.in_match import named
from client.plain.intents import Intent, Invited, Learn, LeaveMatch, LoadFrom, Said, Tell
from client.plain.starting import NotUnderstood, read_start
from client.playing.new_match import Against, AtOnce
from client.shown.words.lobby import Way
from protocol import limits
from protocol.messages import Abandon, Cancel, Forget, Join, Watch


def list_matches(said: Said) -> Intent:
    lines, listed = reports.lobby(said.model, said.now)
    return Tell(tuple(lines), listed)


def to_lobby(said: Said) -> Intent:
    if said.model.waits:
        lines, listed = reports.lobby(said.model, said.now)
        return Tell(
            (*lines, "Your match goes on waiting; you are told when somebody joins. Type cancel to end it."), listed
        )
    return LeaveMatch() if said.model.match is not None else list_matches(said)


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


def join(said: Said) -> Intent:
    _free(said)
    match = _chosen(said)
    if not match:
        return Invited(key_in(said.rest)[: limits.MAX_KEY], join=True)
    way = reports.way(said.model, match, said.now)
    if way is Way.RESUME:
        return Watch(ref=said.ref(), match=match)
    if way is Way.WATCH:
        raise NotUnderstood("That match is being played already. Type watch to see it.")
    return Join(ref=said.ref(), match=match)


def invitation(said: Said) -> Intent:
    if not said.rest:
        raise NotUnderstood("Say the key, or the link, that its host gave you.")
    return Invited(key_in(said.rest)[: limits.MAX_KEY], join=False)


def watch(said: Said) -> Intent:
    _free(said)
    return Watch(ref=said.ref(), match=_chosen(said) or said.words[1][: limits.MAX_ID])


def drop(said: Said) -> Intent:
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


def create(said: Said) -> Intent:
    _free(said)
    return read_start(said.words[1:], said.model.games).create(said.ref())


def quick(said: Said) -> Intent:
    _free(said)
    return read_start(said.words[1:], said.model.games).quick(said.ref())


def computer(said: Said) -> Intent:
    _free(said)
    return read_start((*said.words[1:], "computer"), said.model.games).create(said.ref())


_TERMS = ("private", "computer", "second", "both", "review")
"""What may follow the name of a saved game, beside its clock and the computer's level."""


def load(said: Said) -> Intent:
    _free(said)
    words, terms = [*said.words[1:]], list[str]()
    named(said)
    while len(words) > 1 and (words[-1] in _TERMS or words[-1].startswith(("clock=", "level="))):
        terms.insert(0, words.pop())
    return LoadFrom(" ".join(words), tuple(terms))


def learn(said: Said) -> Intent:
    _free(said)
    if not said.rest:
        raise NotUnderstood("Say which game; games lists them.")
    number = said.words[2] if len(said.words) > 2 else "0"
    if not (number.isdecimal() and len(number) < 3):
        raise NotUnderstood("Say which task: a number, or none for the next one.")
    return Learn(AtOnce(said.words[1], Against.LEARN, lesson=int(number)))
