"""Making a trace: a client, a match under the server's own machine, and a hub that a scene may let down."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import msgspec

from protocol.errors import ParlourError, Refusal
from protocol.limits import CATCH_UP_EVENTS
from protocol.messages import (
    COMMANDS,
    Accepted,
    Command,
    MatchEvent,
    Message,
    OwnMatches,
    Pong,
    Position,
    Presence,
    Record,
    Refused,
    Snapshot,
    Welcome,
)
from server.match import commands as c
from tests.client.refereed import ENGLISH, Refereed
from tests.traces.replayed import Replay, Step

START_MS = 100_000
"""The client's clock; the hub's stands at 1,000,000 then. Times are even, for half of an odd one is rounded to the even
number by Python and upwards by JavaScript."""


class Scene:
    """One trace in the making. `viewer` is "ada" (seat 0), "ben" (seat 1) or anybody else, who watches."""

    def __init__(self, says: str, game: str = "dots-and-boxes", *, viewer: str = "ada", **created: Any) -> None:
        self.says = says
        self.hall = Refereed(game, **created)
        self.viewer = viewer
        self.settings: dict[str, Any] = {"name": "Ada", "token": None, "prefix": "t"}
        self.client = Replay(**self.settings)
        self.steps: list[Step] = []
        self.at = START_MS
        self.log: list[MatchEvent] = []
        self.answered: dict[str, list[Message]] = {}
        """What each ref was answered, for a command that comes twice."""
        self.waiting: list[Command] = []
        """Commands that were written and not yet answered."""

    # Steps ----------------------------------------------------------------------------------------------------------

    def do(self, what: str, **given: Any) -> list[Command]:
        """One step now; returns what the client wrote."""
        step = {"do": what, "at": self.at, **given}
        self.steps.append(step)
        written = [_command(out) for out in self.client.step(step)["out"]]
        self.waiting += written
        return written

    def after(self, ms: int, *, tick: bool = True) -> None:
        """Time passes at both ends, in ms; the client looks at its clock then."""
        self.at += ms
        self.hall.now_ms += ms
        if tick:
            self.do("tick")

    def tell(self, *messages: Message) -> None:
        """The hub's frames come."""
        for message in messages:
            self.tell_text(msgspec.json.encode(message).decode())

    def tell_text(self, frame: str) -> None:
        """A frame comes, whatever is in it."""
        self.do("receive", frame=frame)

    # The hub --------------------------------------------------------------------------------------------------------

    def connect(self, *, token: str | None = "secret", matches: tuple[str, ...] = (), epoch: str = "") -> None:
        """A connection is made, and the client welcomed, in an epoch of the store."""
        self.waiting.clear()
        (hello,) = self.do("opened")
        self.waiting.remove(hello)
        name = getattr(hello, "name", "")
        self.tell(
            Welcome(
                ref=hello.ref,
                player="p1",
                name=name,
                token=token,
                now_ms=self.hall.now_ms,
                matches=matches,
                epoch=epoch,
            )
        )

    def lose(self) -> None:
        """The connection breaks."""
        self.do("closed")
        self.waiting.clear()

    def enter(self) -> None:
        """Connected, and the match on screen."""
        self.connect()
        self.do("open", way="watch", value="m1")
        self.serve()

    def happens(self, player: str, command: c.MatchCommand) -> list[MatchEvent | Snapshot]:
        """Something happens in the match; returns what the viewer is owed, untold. Raises Refusal."""
        told = [
            self.snapshot() if isinstance(message, Snapshot) else message for message in self.hall.do(player, command)
        ]
        self.log += [message for message in told if isinstance(message, MatchEvent)]
        return told

    def plays(self, move: str | None = None) -> list[MatchEvent | Snapshot]:
        """The next move is made by whose turn it is, untold."""
        match = self.hall.match
        holder = match.seats[match.turn] if match.turn is not None else None
        assert holder is not None
        return self.happens(holder.player, c.Play(match.version, move or min(match.legal_set)))

    def snapshot(self) -> Snapshot:
        """What the viewer may see now."""
        return self.hall.snapshot(self.viewer)

    def serve(self) -> None:
        """The hub answers all that waits, as often as the client asks on."""
        for _ in range(20):
            if not self.waiting:
                return
            waiting, self.waiting = self.waiting, []
            for command in waiting:
                self.tell(*self.answers(command))
        raise AssertionError("the client asks without end")

    def answers(self, command: Command) -> list[Message]:
        """What a hub answers; the same for the same ref."""
        if command.ref not in self.answered:
            try:
                answers = self._answers(command)
            except (Refusal, ParlourError) as error:
                answers = [self.refusal(command.ref, str(error.code), int(error.data.get("version", 0)))]
            self.answered[command.ref] = answers
            return answers
        return [message for message in self.answered[command.ref] if isinstance(message, Accepted | Refused)]

    def refusal(self, ref: str, code: str, version: int = 0) -> Refused:
        """A refusal of something about the match."""
        return Refused(ref=ref, code=code, text=f"No: {code}.", match="m1", version=version)

    def _answers(self, command: Command) -> list[Message]:
        kind = type(command).__name__
        accepted = Accepted(ref=command.ref, match="m1", version=self.hall.match.version)
        if kind == "Ping":
            return [Pong(ref=command.ref, now_ms=self.hall.now_ms)]
        if kind == "Sync":
            after = getattr(command, "after", 0)
            missing = [event for event in self.log if event.version > after]
            whole = len(missing) > CATCH_UP_EVENTS or (missing and missing[0].version > after + 1)
            here = Presence(match="m1", here=(True, True), spectators=0)
            return [*([self.snapshot()] if whole else [*missing, here]), accepted]
        if kind in ("Watch", "Join"):
            return [self.snapshot(), accepted]
        if kind == "Look":
            return [self.look(command.ref, getattr(command, "ply", 0))]
        if kind == "GetRecord":
            return [Record(ref=command.ref, match="m1", game="dots-and-boxes", options={}, names=("Ada", "Ben"),
                           moves=(), hash="0" * 64, created_ms=1)]  # fmt: skip
        if kind == "GetMatches":
            return [OwnMatches(ref=command.ref, now_ms=self.hall.now_ms)]
        if kind in ("WatchLobby", "Leave", "Say"):
            return [Accepted(ref=command.ref)]
        told = self.happens(self.viewer, _IN_THE_MACHINE[kind](command))
        return [*told, Accepted(ref=command.ref, match="m1", version=self.hall.match.version)]

    def look(self, ref: str, ply: int) -> Position:
        """A position of the past; what is in it matters to no client."""
        now = self.snapshot()
        few = dict(list(now.marks.items())[:ply])
        return Position(ref=ref, match="m1", ply=ply, plies=now.plies, marks=few, focus=(), scores=now.scores,
                        to_move=0, text="Then")  # fmt: skip

    # The result -----------------------------------------------------------------------------------------------------

    def trace(self) -> dict[str, Any]:
        """The conversation as a document."""
        return {"says": self.says, "client": self.settings, "steps": self.steps}


_IN_THE_MACHINE: dict[str, Any] = {
    "Move": lambda command: c.Play(command.version, command.move),
    "Abandon": lambda command: c.Abandon(),
    "Offer": lambda command: c.Offer(command.kind, next_match="m2", version=command.version),
    "Answer": lambda command: c.Answer(command.accept, "m2", command.offer),
    "Withdraw": lambda command: c.Withdraw(command.offer),
    "Pause": lambda command: c.Pause(),
    "Continue": lambda command: c.Continue(),
    "WaitLonger": lambda command: c.WaitLonger(),
    "CallDraw": lambda command: c.CallDraw(),
}


def _command(plain: dict[str, Any]) -> Command:
    converted: Command = msgspec.convert(plain, COMMANDS[plain["type"]])  # type: ignore[assignment]
    return converted


def changed(before: Any, after: Any) -> Any:
    """What is other than before, of maps by key: a trace is read, and most of what is shown stays as it was."""
    if not isinstance(before, dict) or not isinstance(after, dict) or set(before) != set(after):
        return after
    return {key: changed(before[key], value) for key, value in after.items() if before[key] != value}


def outcome(results: Iterable[Step]) -> list[Step]:
    """The results of all steps, each as what it changed; nothing that is empty."""
    found: list[Step] = []
    before: Any = {}
    for result in results:
        after = json.loads(json.dumps(result["shows"]))
        step = {"out": result["out"], "events": result["events"], "shows": changed(before, after)}
        found.append({key: value for key, value in step.items() if value})
        before = after
    return found


def suppressed(scene: Scene, player: str, command: c.MatchCommand) -> list[MatchEvent | Snapshot]:
    """The same as `happens`, nothing where the machine refuses."""
    with suppress(Refusal):
        return scene.happens(player, command)
    return []


__all__ = ["ENGLISH", "Scene", "outcome", "suppressed"]


SCENES: dict[str, Callable[[], Scene]] = {}
"""The makers of all traces that have been read, by name."""


def scene(make: Callable[[], Scene]) -> Callable[[], Scene]:
    """One of the traces, under its function's name."""
    SCENES[make.__name__] = make
    return make


def one_of_three(**settings: Any) -> Scene:
    """Ada before a board of 3 x 3 dots."""
    made = Scene("", **settings)
    made.enter()
    return made


def as_text(message: Message) -> str:
    """The frame that it is, to be spoilt."""
    return msgspec.json.encode(message).decode()
