"""Every message, typed: commands go to the server, notifications come from it.

A message is a map; its field `type` names it. Fields that are unknown are ignored, so that either side may be newer;
a message that is unknown is refused. A field may be added with a default, none is ever removed or given another
meaning within one protocol version. `since` says in which version of the protocol a message came to be.

Times end in `_ms` and are milliseconds of the server's shared clock since 1970. Seats are 0 and 1.
"""

from __future__ import annotations

from typing import Any, get_args

from protocol.commands import (
    Abandon,
    Analyse,
    Answer,
    AnswerChallenge,
    CallDraw,
    Cancel,
    Challenge,
    Command,
    Continue,
    Create,
    Forget,
    GetInvitation,
    GetMatches,
    GetRecord,
    Hello,
    Hint,
    Join,
    Leave,
    Look,
    Move,
    MuteChallenges,
    Offer,
    Pause,
    Ping,
    QuickMatch,
    Say,
    Sync,
    WaitLonger,
    Watch,
    WatchLobby,
    Withdraw,
    WithdrawChallenge,
)
from protocol.events import (
    Away,
    Continued,
    Ended,
    Excused,
    Hinted,
    Joined,
    MatchEvent,
    Moved,
    OfferClosed,
    Offered,
    Paused,
    Rematched,
    Replaced,
    SeatFreed,
)
from protocol.notifications import (
    Accepted,
    Analysis,
    Challenged,
    ChallengeOver,
    ChallengesMuted,
    Chat,
    GoingAway,
    Invitation,
    LobbyChange,
    LobbyState,
    Notification,
    Outage,
    OwnMatches,
    Pong,
    Position,
    Presence,
    Record,
    Refused,
    Said,
    SetBack,
    Snapshot,
    Welcome,
)
from protocol.values import (
    AwayInfo,
    ChallengeFate,
    Channel,
    ClockRule,
    GameInfo,
    GameName,
    LastMove,
    LegalBase,
    LegalChange,
    Level,
    MatchId,
    MatchSummary,
    Message,
    Moves,
    OfferFate,
    OfferInfo,
    OfferKind,
    Option,
    Options,
    OptionValue,
    OwnMatch,
    PauseInfo,
    Preset,
    Ref,
    Replacement,
    Result,
    SeatInfo,
    SeatNumber,
    SeatStats,
    Sides,
    Status,
    TimeLeft,
    Version,
    Where,
)

__all__ = [
    "COMMANDS",
    "NOTIFICATIONS",
    "Abandon",
    "Accepted",
    "Analyse",
    "Analysis",
    "Answer",
    "AnswerChallenge",
    "AnyCommand",
    "AnyMatchEvent",
    "AnyNotification",
    "Away",
    "AwayInfo",
    "CallDraw",
    "Cancel",
    "Challenge",
    "ChallengeFate",
    "ChallengeOver",
    "Challenged",
    "ChallengesMuted",
    "Channel",
    "Chat",
    "ClockRule",
    "Command",
    "Continue",
    "Continued",
    "Create",
    "Ended",
    "Excused",
    "Forget",
    "GameInfo",
    "GameName",
    "GetInvitation",
    "GetMatches",
    "GetRecord",
    "GoingAway",
    "Hello",
    "Hint",
    "Hinted",
    "Invitation",
    "Join",
    "Joined",
    "LastMove",
    "Leave",
    "LegalBase",
    "LegalChange",
    "Level",
    "LobbyChange",
    "LobbyState",
    "Look",
    "MatchEvent",
    "MatchId",
    "MatchSummary",
    "Message",
    "Move",
    "Moved",
    "Moves",
    "MuteChallenges",
    "Notification",
    "Offer",
    "OfferClosed",
    "OfferFate",
    "OfferInfo",
    "OfferKind",
    "Offered",
    "Option",
    "OptionValue",
    "Options",
    "Outage",
    "OwnMatch",
    "OwnMatches",
    "Pause",
    "PauseInfo",
    "Paused",
    "Ping",
    "Pong",
    "Position",
    "Presence",
    "Preset",
    "QuickMatch",
    "Record",
    "Ref",
    "Refused",
    "Rematched",
    "Replaced",
    "Replacement",
    "Result",
    "Said",
    "Say",
    "SeatFreed",
    "SeatInfo",
    "SeatNumber",
    "SeatStats",
    "SetBack",
    "Sides",
    "Snapshot",
    "Status",
    "Sync",
    "TimeLeft",
    "Version",
    "WaitLonger",
    "Watch",
    "WatchLobby",
    "Welcome",
    "Where",
    "Withdraw",
    "WithdrawChallenge",
    "by_tag",
]

AnyCommand = (
    Hello
    | Ping
    | WatchLobby
    | GetMatches
    | Forget
    | Create
    | Join
    | GetInvitation
    | QuickMatch
    | Cancel
    | Watch
    | Leave
    | Move
    | Abandon
    | Sync
    | Offer
    | Answer
    | Withdraw
    | Pause
    | Continue
    | WaitLonger
    | CallDraw
    | Look
    | GetRecord
    | Hint
    | Analyse
    | Challenge
    | AnswerChallenge
    | WithdrawChallenge
    | MuteChallenges
    | Say
)
AnyMatchEvent = (
    Joined
    | SeatFreed
    | Moved
    | Ended
    | Offered
    | OfferClosed
    | Replaced
    | Paused
    | Continued
    | Away
    | Excused
    | Hinted
    | Rematched
)
AnyNotification = (
    Welcome
    | Pong
    | Accepted
    | Refused
    | LobbyState
    | LobbyChange
    | OwnMatches
    | Invitation
    | Snapshot
    | Presence
    | Said
    | Chat
    | Outage
    | GoingAway
    | SetBack
    | Position
    | Record
    | Analysis
    | Challenged
    | ChallengeOver
    | ChallengesMuted
    | AnyMatchEvent
)


def by_tag(union: Any) -> dict[str, type[Message]]:
    """The classes of one direction, by the tag that stands in their `type` field."""
    return {str(cls.__struct_config__.tag): cls for cls in get_args(union)}


COMMANDS = by_tag(AnyCommand)
NOTIFICATIONS = by_tag(AnyNotification)
