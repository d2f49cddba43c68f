"""Everything that can go wrong, as one tree, and the words for it.

    ParlourError
    ├── BadMessage            bytes that are no message we know (the peer's fault; nothing changed)
    ├── Refusal               a well-formed command that is not granted (nothing changed)
    │   ├── MalformedMove     a move that cannot be read
    │   ├── IllegalMove       a move that can be read, but not played now
    │   ├── BadOption         an option out of its range
    │   └── UnreadableMatch   a match whose log is damaged, or newer than we are
    └── StoreUnavailable      the store was not reached, or refused to write: nothing was done, it may be sent again
        ├── StoreSilent       it gave no answer at all
        │   └── OutcomeUnknown  the command was sent to it and the answer did not come: done or not, nobody knows
        └── StoreBusy         too much waits for it: nothing was done

So of a command three things can be said, each with a code of its own: it was done (`messages.Accepted`); it was not
done; it is not known (`unknown_outcome`), and the same command is to be sent again under its ref.

Each carries a stable `code`, a `Text` for people and a dict of plain `data`. On the wire all of them become
`messages.Refused`. Codes that belong to one game are defined in that game's file.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from protocol.text import N_, Text


class Code(StrEnum):
    """The stable codes that do not belong to a single game."""

    NOT_A_MAP = "not_a_map"
    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    TOO_DEEP = "too_deep"
    UNKNOWN_MESSAGE = "unknown_message"
    BAD_FIELD = "bad_field"
    HELLO_FIRST = "hello_first"
    HELLO_TWICE = "hello_twice"
    BAD_TOKEN = "bad_token"
    BAD_NAME = "bad_name"
    UNKNOWN_GAME = "unknown_game"
    BAD_OPTION = "bad_option"
    UNKNOWN_MATCH = "unknown_match"
    WRONG_KEY = "wrong_key"
    PRIVATE = "private"
    FULL = "full"
    HOST_AWAY = "host_away"
    WAITING = "waiting"
    STARTED = "started"
    FINISHED = "finished"
    NOT_SEATED = "not_seated"
    NOT_YOUR_TURN = "not_your_turn"
    STALE = "stale"
    TOO_LATE = "too_late"
    PAUSED = "paused"
    NOT_PAUSED = "not_paused"
    NOT_YOUR_PAUSE = "not_your_pause"
    NO_MORE_PAUSES = "no_more_pauses"
    OFFER_OPEN = "offer_open"
    NO_OFFER = "no_offer"
    NOT_YOUR_OFFER = "not_your_offer"
    STALE_OFFER = "stale_offer"
    OFFERED_LATELY = "offered_lately"
    NOT_TO_THE_COMPUTER = "not_to_the_computer"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    NO_REMATCH = "no_rematch"
    MATCH_FULL = "match_full"
    DOES_NOT_REPLAY = "does_not_replay"
    NOBODY_IS_AWAY = "nobody_is_away"
    NO_MORE_WAITING = "no_more_waiting"
    NO_COMPUTER = "no_computer"
    NO_SUCH_PLY = "no_such_ply"
    NO_HINTS = "no_hints"
    IN_A_TASK = "in_a_task"
    STILL_PLAYED = "still_played"
    ONE_ANALYSIS = "one_analysis"
    MALFORMED_MOVE = "malformed_move"
    ILLEGAL_MOVE = "illegal_move"
    RESERVED = "reserved"
    NOT_HERE = "not_here"
    NOT_YOURSELF = "not_yourself"
    MUTED = "muted"
    CHALLENGED_LATELY = "challenged_lately"
    TOO_MANY_CHALLENGES = "too_many_challenges"
    NO_CHALLENGE = "no_challenge"
    NAME_IN_USE = "name_in_use"
    NOTHING_SAID = "nothing_said"
    CHAT_OFF = "chat_off"
    TOO_FAST = "too_fast"
    TOO_MANY_CONNECTIONS = "too_many_connections"
    BUSY = "busy"
    TOO_MANY = "too_many"
    DAMAGED = "damaged"
    NEWER_FORMAT = "newer_format"
    UNAVAILABLE = "unavailable"
    UNKNOWN_OUTCOME = "unknown_outcome"
    INTERNAL = "internal"


SENTENCES: dict[Code, str] = {
    Code.NOT_A_MAP: N_("A message is a map with a field “type”."),
    Code.MALFORMED: N_("This message cannot be read."),
    Code.TOO_LARGE: N_("This message is too large: at most {limit} bytes are read."),
    Code.TOO_DEEP: N_("This message is nested too deep: at most {limit} levels are read."),
    Code.UNKNOWN_MESSAGE: N_("There is no command “{type}”."),
    Code.BAD_FIELD: N_("A field of this message is wrong: {problem}."),
    Code.HELLO_FIRST: N_("Say “hello” with your name first."),
    Code.HELLO_TWICE: N_("You have said “hello” already."),
    Code.BAD_TOKEN: N_("This token is not known here. Leave it out to come as a new guest."),
    Code.BAD_NAME: N_("A name has 1 to 20 letters, digits, spaces or - _ . '"),
    Code.UNKNOWN_GAME: N_("There is no game “{game}” here."),
    Code.BAD_OPTION: N_("The option “{option}” does not fit: {problem}."),
    Code.UNKNOWN_MATCH: N_("There is no such match here."),
    Code.WRONG_KEY: N_("No match waits under this key. Check it and try again."),
    Code.PRIVATE: N_("This match is private."),
    Code.FULL: N_("Both seats of this match are taken."),
    Code.HOST_AWAY: N_("The host has lost the connection and did not come back in time."),
    Code.WAITING: N_("The match has not started: an opponent is still missing."),
    Code.STARTED: N_("The match has started already."),
    Code.FINISHED: N_("The match is over."),
    Code.NOT_SEATED: N_("You have no seat in this match."),
    Code.NOT_YOUR_TURN: N_("It is not your turn."),
    Code.STALE: N_("The match has moved on since; look at it and try again."),
    Code.TOO_LATE: N_("The time had run out when this came."),
    Code.PAUSED: N_("The match is paused."),
    Code.NOT_PAUSED: N_("The match is not paused."),
    Code.NOT_YOUR_PAUSE: N_("Only the player who paused can continue."),
    Code.NO_MORE_PAUSES: N_("You have used your {limit} pauses."),
    Code.OFFER_OPEN: N_("Another offer is open; it must be answered first."),
    Code.NO_OFFER: N_("No offer is open."),
    Code.NOT_YOUR_OFFER: N_("This offer is not yours to answer or withdraw."),
    Code.STALE_OFFER: N_("The offer that is open now is not the one that this was about. Look at it and answer again."),
    Code.OFFERED_LATELY: N_("This was declined lately. You may offer it again after {limit} moves of your own."),
    Code.NOT_TO_THE_COMPUTER: N_("The computer does not take this offer."),
    Code.NOTHING_TO_TAKE_BACK: N_("You have made no move that could be taken back."),
    Code.MATCH_FULL: N_("So much has happened in this match that only moves, and what ends it, still fit."),
    Code.NO_REMATCH: N_("There can be no rematch of this match."),
    Code.DOES_NOT_REPLAY: N_("The saved moves do not fit this game: move {ply} cannot be played."),
    Code.NOBODY_IS_AWAY: N_("Your opponent is not away."),
    Code.NO_MORE_WAITING: N_("You have waited {limit} times already."),
    Code.NO_COMPUTER: N_("The computer cannot play this game."),
    Code.NO_SUCH_PLY: N_("The match has no such position. Moves so far: {plies}."),
    Code.NO_HINTS: N_("Hints are given against the computer only."),
    Code.IN_A_TASK: N_("There is no such thing in a task. Try again, or go on to the next one."),
    Code.STILL_PLAYED: N_(
        "Nothing is said that could help in a match that goes on. If you play it alone, move there or end it."
    ),
    Code.ONE_ANALYSIS: N_("One position is being looked at for you already. Wait for it, then ask again."),
    Code.MALFORMED_MOVE: N_("“{move}” is not a move in this game."),
    Code.ILLEGAL_MOVE: N_("“{move}” cannot be played now."),
    Code.RESERVED: N_("The free seat is kept for somebody else."),
    Code.NOT_HERE: N_("Nobody here is called {name}."),
    Code.NOT_YOURSELF: N_("You cannot challenge yourself."),
    Code.MUTED: N_("At the moment {name} does not want to be challenged."),
    Code.CHALLENGED_LATELY: N_("You have challenged {name} just now. Wait a minute before you ask again."),
    Code.TOO_MANY_CHALLENGES: N_("Too many challenges are open: one may have {limit} of each kind, own and others'."),
    Code.NO_CHALLENGE: N_("This challenge is over."),
    Code.NAME_IN_USE: N_("Somebody who is here is called that. “{suggestion}” is free."),
    Code.NOTHING_SAID: N_("There is nothing in this line that could be shown."),
    Code.CHAT_OFF: N_("Nothing can be said on this server."),
    Code.TOO_FAST: N_("That was too fast. Wait a moment, and go on more slowly."),
    Code.TOO_MANY_CONNECTIONS: N_("You are connected too often. Connections at the same time: {limit} at most."),
    Code.BUSY: N_("The server has too much to do. Try again in a moment."),
    Code.TOO_MANY: N_("You have too many open matches: at most {limit}."),
    Code.DAMAGED: N_("What is stored of this match cannot be read, so it cannot go on. The operator can see why."),
    Code.NEWER_FORMAT: N_(
        "This match was written by a newer version of the server, and this one cannot open it."
        " It is kept for one that can."
    ),
    Code.UNAVAILABLE: N_("The server cannot reach its store, so nothing was done this time. Try again in a moment."),
    Code.UNKNOWN_OUTCOME: N_(
        "The server had no answer from its store, so it is not known whether this was done. Send the same again."
    ),
    Code.INTERNAL: N_("Something went wrong in the server. Nothing was changed."),
}


class ParlourError(Exception):
    """Base of all errors that carry a code, a sentence and data."""

    def __init__(self, code: str, text: Text | None = None, **data: Any) -> None:
        super().__init__(code)
        self.code = str(code)
        self.text = text if text is not None else Text(SENTENCES[Code(code)], data)
        self.data = data

    def __str__(self) -> str:
        return f"{self.code}: {self.text}"


class BadMessage(ParlourError):
    """Bytes that are no message of the protocol."""


class Refusal(ParlourError):
    """A command that is understood and not granted; it left no trace."""


class MalformedMove(Refusal):
    """A move that cannot be read in the game's notation."""

    def __init__(self, move: str, text: Text | None = None, code: str = Code.MALFORMED_MOVE) -> None:
        super().__init__(code, text, move=move)


class IllegalMove(Refusal):
    """A move that can be read but not played in this position; games give their own code and sentence.

    `data` may have `at`: the elements of the board that the sentence is about, with spaces between.
    """

    def __init__(self, move: str, text: Text | None = None, code: str = Code.ILLEGAL_MOVE, **data: Any) -> None:
        super().__init__(code, text, move=move, **data)


class UnreadableMatch(Refusal):
    """What is stored of a match cannot be followed here: `damaged`, `newer_format`, or `unknown_game`.

    `reason` is for the operator.
    """

    def __init__(self, code: Code, reason: object, text: Text | None = None, **data: Any) -> None:
        super().__init__(code, text, **data)
        self.reason = str(reason)


class BadOption(Refusal):
    """An option of a game that is unknown or out of range; `problem` ends the sentence."""

    def __init__(self, option: str, problem: Text) -> None:
        super().__init__(Code.BAD_OPTION, option=option, problem=problem)


class StoreUnavailable(ParlourError):
    """The store could not be reached or refused to write: nothing was done this time, and it may be tried again."""

    CODE = Code.UNAVAILABLE

    def __init__(self, reason: str = "") -> None:
        super().__init__(self.CODE)
        self.reason = reason


class StoreSilent(StoreUnavailable):
    """The store gave no answer at all: it cannot even be read."""


class OutcomeUnknown(StoreSilent):
    """The store was sent what would do it and has not answered: whether it was done is not known.

    The command is to be sent again under the same ref: it counts once, and then its fate is known (`Q5`).
    """

    CODE = Code.UNKNOWN_OUTCOME


class StoreBusy(StoreUnavailable):
    """Too much is waiting for the store, which is well: nothing was done this time."""

    CODE = Code.BUSY
