"""What requests bring and answers hold. Bodies that stand for commands are made from the commands' own types."""

from __future__ import annotations

from typing import Annotated, Any, Union

from msgspec import NODEFAULT, Meta, Struct, defstruct, structs

from protocol import limits, messages
from protocol.messages import AnyMatchEvent, Command, GameInfo, Ref, Snapshot, Status, Version

MAX_WAIT_S = 25.0
"""The longest that a poll is held open: proxies commonly cut what has been silent for 30 s."""
MAX_NAMED = 64
"""Elements in one of the lists of `CK R7.1`; a board has fewer pieces than that."""

Elements = Annotated[
    tuple[Annotated[str, Meta(min_length=1, max_length=limits.MAX_ID)], ...], Meta(max_length=MAX_NAMED)
]
"""Ids of elements of the board."""


def body(command: type[Command], name: str, *, within_match: bool = False, **more: Any) -> type[Struct]:
    """The body that stands for a command: `ref` may be left out, and what is in the address is not repeated.

    Within a match `type` tells which command it is. `more` are further fields, which may be left out.
    """
    fields: list[Any] = [("ref", Ref | None, None)]
    for field in structs.fields(command):
        if field.name == "ref" or (within_match and field.name == "match"):
            continue
        default = field.default if field.default_factory is NODEFAULT else field.default_factory()
        fields.append((field.name, field.type) if field.required else (field.name, field.type, default))
    fields += [(key, wanted, None) for key, wanted in more.items()]
    tagging: dict[str, Any] = {"tag": command.__struct_config__.tag, "tag_field": "type"} if within_match else {}
    namespace = {"__doc__": command.__doc__}
    return defstruct(name, fields, kw_only=True, frozen=True, module=__name__, namespace=namespace, **tagging)


class NewGuest(Struct, frozen=True):
    """Who comes: the name that others shall see (`RU-M9`); with `rename` a number is added if it is in use."""

    name: Annotated[str, Meta(min_length=1, max_length=limits.MAX_NAME_INPUT)]
    rename: bool = False


class Guest(Struct, frozen=True):
    """A new player. `token` is secret and is in no other answer: send it as `Authorization: Bearer` from now on."""

    player: str
    name: str
    token: str


class Games(Struct, frozen=True):
    """The games on offer, with their options and their rules as text."""

    games: tuple[GameInfo, ...]


class Matches(Struct, frozen=True):
    """Public matches that wait or are being played, newest first; `total` is how many there are in truth (`CK 5.3`)."""

    matches: tuple[messages.MatchSummary, ...]
    total: int


NewMatch = body(messages.Create, "NewMatch")
QuickMatch = body(messages.QuickMatch, "QuickMatch")
NewPlayer = body(messages.Join, "NewPlayer")
InvitationWish = body(messages.GetInvitation, "InvitationWish")


class SeatWish(Struct, frozen=True, kw_only=True):
    """Takes the free seat of the match in the address; `key` if it is private (`CK R6`)."""

    ref: Ref | None = None
    key: Annotated[str, Meta(max_length=limits.MAX_KEY)] = ""


class Entered(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """You have a seat: your id, the match as you may see it, and for the host of a private match its key (`CK 5.2`).

    `state` is left out of an answer given again when the match is not for you to see any more, and when it could not
    be read just now; then ask for it.
    """

    match: str
    player: str
    version: int
    state: Snapshot | None = None
    key: str | None = None


MoveUpdate = body(
    messages.Move,
    "MoveUpdate",
    within_match=True,
    moved=Elements | None,
    captured=Elements | None,
    crowned=Elements | None,
)
_OTHERS = (
    messages.Abandon,
    messages.Offer,
    messages.Answer,
    messages.Withdraw,
    messages.Pause,
    messages.Continue,
    messages.WaitLonger,
    messages.CallDraw,
    messages.Cancel,
    messages.Leave,
)
UPDATES: dict[type[Struct], type[Command]] = {
    MoveUpdate: messages.Move,
    **{body(command, f"{command.__name__}Update", within_match=True): command for command in _OTHERS},
}
"""The bodies of `CK R7.1`, and the commands they stand for."""
AnyUpdate: Any = Union[tuple(UPDATES)]  # noqa: UP007 (a union of what is only known at run time)


NewAnalysis = body(messages.Analyse, "NewAnalysis")


class NewHint(Struct, frozen=True, kw_only=True):
    """Asks for the best move in the position of `version`, the newest that you have seen."""

    version: Version
    ref: Ref | None = None


NewChallenge = body(messages.Challenge, "NewChallenge")


class Muting(Struct, frozen=True, kw_only=True):
    """Whether whoever challenges you is refused as `muted` from now on."""

    on: bool
    ref: Ref | None = None


class ChallengeAnswer(Struct, frozen=True, kw_only=True):
    """Accepts the challenge in the address, or declines it."""

    accept: bool
    ref: Ref | None = None


class Withdrawal(Struct, frozen=True, kw_only=True):
    """Takes the challenge in the address back."""

    ref: Ref | None = None


class Challenges(Struct, frozen=True, kw_only=True):
    """The challenges that stand, at `now_ms` by the server's clock; `over` is how those of the last two minutes went.

    `name` is the one under which you can be challenged; "" while somebody else is here under yours. `muted`: you want
    no challenges. `tag` is another one when anything of this is; ask next with it as `known`.
    """

    name: str
    now_ms: int
    muted: bool
    challenges: tuple[messages.Challenged, ...]
    over: tuple[messages.ChallengeOver, ...]
    tag: str


class Answered(Struct, frozen=True, kw_only=True):
    """The challenge is answered. Accepted, `match` has its id, and `state` is the match as you may see it; declined,
    `match` is "" and `state` null. `state` is null, too, where it could not be read just now; then ask for it.
    """

    challenge: str
    match: str = ""
    version: int = 0
    state: Snapshot | None = None


class Done(Struct, frozen=True):
    """It is done and stored; `version` is that of its last event. The same `ref` gets the same answer again."""

    match: str
    version: int
    ref: str


class Updates(Struct, frozen=True, kw_only=True):
    """What has happened since; ask next with `after` = `version` (`CK R8`).

    `updates` are events in their order. Where they would not do (many were missed, the position was replaced, a pause
    hides it) they are empty and `snapshot` holds the match. When the server's store has lost what came before `after`,
    `set_back` says so in a sentence, and `snapshot` holds what is left; ask next with `epoch`, too, so that this shows
    however late you ask. The other fields say how things stand now: `legal` are the
    moves that `to_move` has.
    """

    match: str
    version: int
    status: Status
    you: tuple[int, ...]
    to_move: int | None
    legal: tuple[str, ...]
    text: str
    updates: tuple[AnyMatchEvent, ...] = ()
    snapshot: Snapshot | None = None
    set_back: str = ""
    epoch: str = ""
