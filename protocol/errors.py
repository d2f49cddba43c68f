"""Everything that can go wrong, as one tree, and the words for it.

    ParlourError
    ├── BadMessage            bytes that are no message we know (the peer's fault; nothing changed)
    ├── Refusal               a well-formed command that is not granted (nothing changed)
    │   ├── MalformedMove     a move that cannot be read
    │   ├── IllegalMove       a move that can be read, but not played now
    │   └── BadOption         an option out of its range
    └── StoreUnavailable      the store did not answer: nothing was acknowledged, the command may be sent again

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
    MALFORMED_MOVE = "malformed_move"
    ILLEGAL_MOVE = "illegal_move"
    BUSY = "busy"
    TOO_MANY = "too_many"
    UNAVAILABLE = "unavailable"
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
    Code.HOST_AWAY: N_("The host has lost the connection. Try again in a moment."),
    Code.WAITING: N_("The match has not started: an opponent is still missing."),
    Code.STARTED: N_("The match has started already."),
    Code.FINISHED: N_("The match is over."),
    Code.NOT_SEATED: N_("You have no seat in this match."),
    Code.NOT_YOUR_TURN: N_("It is not your turn."),
    Code.STALE: N_("The match has moved on since; look at it and try again."),
    Code.MALFORMED_MOVE: N_("“{move}” is not a move in this game."),
    Code.ILLEGAL_MOVE: N_("“{move}” cannot be played now."),
    Code.BUSY: N_("The server has too much to do. Try again in a moment."),
    Code.TOO_MANY: N_("You have too many open matches: at most {limit}."),
    Code.UNAVAILABLE: N_("The server cannot reach its store, so nothing was done. Try again in a moment."),
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
    """A move that can be read but not played in this position; games give their own code and sentence."""

    def __init__(self, move: str, text: Text | None = None, code: str = Code.ILLEGAL_MOVE) -> None:
        super().__init__(code, text, move=move)


class BadOption(Refusal):
    """An option of a game that is unknown or out of range; `problem` ends the sentence."""

    def __init__(self, option: str, problem: Text) -> None:
        super().__init__(Code.BAD_OPTION, option=option, problem=problem)


class StoreUnavailable(ParlourError):
    """The store did not answer in time or refused to write. The command's fate is unknown until it is sent again."""

    def __init__(self, reason: str = "") -> None:
        super().__init__(Code.UNAVAILABLE)
        self.reason = reason
