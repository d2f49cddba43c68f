"""What a screen of the window asks for: small values that the loop carries out. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from client.kept.settings import BoardColours
from client.playing.new_match import AtOnce, Choice
from client.shown.words.lobby import Way


@dataclass(frozen=True)
class Connect:
    """Connect under this name, to the server of `address` ("": the one that the program was started for).

    `goes_on`: and go on from the first screen to where one wanted to go.
    """

    name: str
    address: str = ""
    goes_on: bool = True


@dataclass(frozen=True)
class Begin:
    """Begin a match at once, under this name and at that server."""

    asked: AtOnce
    name: str
    address: str = ""


@dataclass(frozen=True)
class Host:
    """Host a match (`CK 5.2`)."""

    choice: Choice


@dataclass(frozen=True)
class Quick:
    """Be paired with somebody who wants the same."""

    choice: Choice


@dataclass(frozen=True)
class Ask:
    """Challenge the player of this name."""

    name: str
    choice: Choice


@dataclass(frozen=True)
class OpenMatch:
    """Join, watch or go on with a match of the lobby (`CK 5.3`)."""

    match: str
    way: Way


@dataclass(frozen=True)
class AskAboutKey:
    """Have it told to what this key invites."""

    key: str


@dataclass(frozen=True)
class JoinKey:
    """Join the private match of this key, or of the link that it is in."""

    key: str


@dataclass(frozen=True)
class StartSaved:
    """Go on with the saved game of this name, both seats at this computer (`RU-M8`); or `review` it."""

    name: str
    review: bool = False


@dataclass(frozen=True)
class InVain:
    """Say why what was touched does nothing."""

    why: str


@dataclass(frozen=True)
class Act:
    """An action of `client.shown.actions.controls` or `words.OWN` that needs nothing more than its name.

    `version` is that of the match when the user was asked whether it is meant; None: there was no question.
    """

    action: str
    version: int | None = None


@dataclass(frozen=True)
class Play:
    """Send this move."""

    move: str


@dataclass(frozen=True)
class StepTo:
    """Look at the position after so many moves."""

    ply: int


@dataclass(frozen=True)
class SayLine:
    """Say this to those whom one may talk to."""

    text: str


@dataclass(frozen=True)
class SaveAs:
    """Save the match under this name, `replace` also over another game of the same name (`DB 7.3.3.1`)."""

    name: str
    replace: bool = False


@dataclass(frozen=True)
class RevertTo:
    """Offer to go back to the saved position of this name (`DB 7.3.3.2`)."""

    name: str


@dataclass(frozen=True)
class Copy:
    """Put this where the user can paste it elsewhere."""

    text: str


@dataclass(frozen=True)
class Drop:
    """What the row of one's own match offers: "cancel", "give_up" or "forget"."""

    match: str
    act: str


@dataclass(frozen=True)
class LeaveMatch:
    """Back to the lobby."""


@dataclass(frozen=True)
class ToggleTheme:
    """Light becomes dark, and dark light."""


@dataclass(frozen=True)
class ToggleSound:
    """All sounds off, or on."""


@dataclass(frozen=True)
class ToggleMotion:
    """Animations off, or on."""


@dataclass(frozen=True)
class Change:
    """Choose this value for a field of the settings."""

    name: str
    value: bool | float | BoardColours


@dataclass(frozen=True)
class ShowSettings:
    """Show what can be chosen about the window itself."""


@dataclass(frozen=True)
class HideSettings:
    """Back to the screen that was there."""


@dataclass(frozen=True)
class ToggleFull:
    """Fill the screen, or not."""


@dataclass(frozen=True)
class Quit:
    """Leave the program."""


Intent = (
    Connect | Begin | Host | Ask | Quick | OpenMatch | AskAboutKey | JoinKey | StartSaved | Act | InVain | Play | StepTo
    | SayLine | SaveAs | Drop | RevertTo | Copy | LeaveMatch | ToggleTheme | ToggleSound | ToggleMotion
    | ToggleFull | Change | ShowSettings | HideSettings | Quit
)  # fmt: skip
