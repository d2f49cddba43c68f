"""A trace and how the Python client replays it.

A trace is one conversation: what was done to a client (frames, time, a person's doings), and after each step what it
wrote and what it showed. Both the Python client and the page are run through all of them, so that they cannot drift
apart. The files are made by `python -m tests.traces.scenes` from the Python client and a match under the server's own
machine.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgpack
import msgspec
from msgspec import structs

from client.conversation.events import Event, Filtered, Settled
from client.conversation.pending import Backlog
from client.conversation.session import Session
from client.playing.actions import Doing
from client.playing.new_match import Choice
from client.shown.actions.controls import BY_ACTION
from client.shown.actions.in_view import Eyes
from client.shown.model import Model
from client.shown.words.held import update_at
from client.shown.words.lobby import Way
from protocol.codec import MSGPACK
from protocol.messages import Command, Snapshot

FOLDER = Path(__file__).parent
Step = dict[str, Any]
NOT_COMPARED = frozenset(
    {"move_cursor", "touch", "new", "quick", "open", "watch", "join_key", "load", "filter", "lobby", "help", "quit"}
    | {"retry", "clear", "type", "find", "games", "card", "computer", "friend", "somebody", "here", "learn", "rename"}
    | {"settings", "confirm", "unplan", "start", "drop", "challenge", "accept_challenge", "decline_challenge"}
    | {"withdraw_challenge", "more", "copy"}
)
"""Actions of the terminal's table that the page has elsewhere."""


class Replay(Doing):
    """The Python client without a socket: `step` does one step, and says what was written and what is shown."""

    def __init__(self, name: str, token: str | None, prefix: str) -> None:
        self.session = Session(name, token, client="trace", prefix=prefix)
        self.model = Model()
        self.last_choice = Choice()
        self.is_local = False
        self.eyes = Eyes()
        self._kinds: list[str] = []
        self._now = 0.0

    # What `Doing` wants ---------------------------------------------------------------------------------------------

    @property
    def now(self) -> float:
        return self._now

    def take(self, event: Event) -> None:
        self.model = update_at(self.model, event, self.now)
        self.eyes.look(self.model.match, self.now)

    def refresh_screens(self) -> None:
        pass

    def _send(self, command: Command) -> None:
        self.eyes.sent(command)
        with suppress(Backlog):
            self.session.send(command)
        self._catch_up()

    def _ref(self) -> str:
        return self.session.ref()

    def _unfollow(self) -> None:
        self.session.leave()
        self._catch_up()

    def _catch_up(self) -> None:
        for event in self.session.events():
            self._kinds.append(kind_of(event))
            self.take(event)

    # Steps ----------------------------------------------------------------------------------------------------------

    def step(self, step: Step) -> Step:  # type: ignore[override]
        """Do it; returns what was written (`out`), what happened (`events`) and what is shown (`shows`)."""
        now = self._now = step["at"] / 1000
        getattr(self, f"_do_{step['do']}")(step, now)
        self._catch_up()
        out = [plain(MSGPACK.decode_command(frame)) for frame in self.session.data_to_send()]
        kinds, self._kinds = self._kinds, []
        return {"out": out, "events": kinds, "shows": shows(self.session, self.model, now)}

    def _do_opened(self, step: Step, now: float) -> None:
        self.session.opened(now)

    def _do_closed(self, step: Step, now: float) -> None:
        self.session.closed(now, "lost")

    def _do_tick(self, step: Step, now: float) -> None:
        self.session.tick(now)

    def _do_receive(self, step: Step, now: float) -> None:
        self.session.receive(packed(step["frame"]), now)

    def _do_open(self, step: Step, now: float) -> None:
        if step["way"] == "key":
            self.join_by_key(step["value"])
        else:
            self.open_match(step["value"], Way.JOIN if step["way"] == "join" else Way.WATCH)

    def _do_play(self, step: Step, now: float) -> None:
        self._play(step["move"])

    def _do_act(self, step: Step, now: float) -> None:
        self.act(step["action"])

    def _do_revert(self, step: Step, now: float) -> None:
        self.revert(tuple(step["moves"]))

    def _do_look(self, step: Step, now: float) -> None:
        Doing.step(self, step["ply"])

    def _do_say(self, step: Step, now: float) -> None:
        self.say(step["text"])

    def _do_watch_lobby(self, step: Step, now: float) -> None:
        self.session.watch_lobby(step["on"])

    def _do_filter(self, step: Step, now: float) -> None:
        self.take(Filtered(step["game"]))

    def _do_introduce(self, step: Step, now: float) -> None:
        self.session.introduce(step["name"])

    def _do_leave(self, step: Step, now: float) -> None:
        self.leave_match()

    def _do_clear(self, step: Step, now: float) -> None:
        self.clear_match()


def kind_of(event: Event) -> str:
    """What an event is called in traces."""
    name = str(getattr(type(event).__struct_config__, "tag", "")) if isinstance(event, msgspec.Struct) else ""
    if isinstance(event, Settled):
        return f"settled {kind_of(event.answer)} {getattr(event.answer, 'code', '')}".rstrip()
    return name or {"InStep": "in_step", "NewGuest": "new_guest"}.get(
        type(event).__name__, type(event).__name__.lower()
    )


def packed(frame: str) -> bytes:
    """A frame of JSON as the Python client's subprotocol has it; what is no JSON becomes what is no MessagePack."""
    try:
        return bytes(msgpack.packb(json.loads(frame)))
    except ValueError:
        return b"\xc1"


def plain(value: Any) -> Any:
    """A message as JSON has it."""
    return msgspec.to_builtins(value)


def shows(session: Session, model: Model, now: float) -> dict[str, Any]:
    """All that a person sees, but for words: the board itself is left out, for it never changes within a match."""
    return {
        "state": session.state.value,
        "wants_close": session.wants_close,
        "name": session.name,
        "token": session.token,
        "match": session.match,
        "version": session.version,
        "pending": [command.ref for command in session.pending],
        "link": model.link.value,
        "down_since": None if model.down_since is None else round(model.down_since * 1000),
        "latency_ms": None if model.latency_ms is None else round(model.latency_ms),
        "server_minus_now_ms": None if model.server_minus_now_ms is None else round(model.server_minus_now_ms),
        "lobby": None if model.lobby is None else [row.match for row in model.lobby],
        "lobby_total": model.lobby_total,
        "own": [row.match for row in model.own],
        "people": list(model.people),
        "here": model.here,
        "mine": [mine.match for mine in model.mine],
        "games": [game.title for game in model.games.values()],
        "position": None if model.match is None else position(model.match),
        "shown": None if model.shown is None else [model.shown_ply, plain(model.shown.marks)],
        "pending_moves": list(model.pending_moves),
        "unanswered": model.unanswered,
        "next_version": model.next_version,
        "awaits_position": model.awaits_position,
        "my_turn": model.is_my_turn,
        "covered": model.is_covered,
        "time_left": None if (left := model.time_left(now)) is None else list(left),
        "countdowns": None if (told := model.countdowns(now)) is None else list(told),
        "waits_left": list(model.waits_left(now)),
        "first_move_ms": model.first_move_ms(now),
        "unsure": model.is_unsure,
        "outage": None if model.outage is None else model.outage.text,
        "own_stopped_ms": None if model.own_stopped_ms is None else round(model.own_stopped_ms),
        "enabled": sorted(
            action for action, control in BY_ACTION.items() if action not in NOT_COMPARED and control.enabled(model)
        ),
        "challenges": [told.challenge for told in model.challenges],
        "challenges_heard": list(model.challenges_heard),
        "unchallenged": model.unchallenged,
        "happenings": [line.seat for line in model.happenings],
        "said": model.said,
    }


def position(match: Snapshot) -> dict[str, Any]:
    """A match but for its board and its seats' looks."""
    found: dict[str, Any] = plain(structs.replace(match))
    found.pop("board")
    found["seats"] = [[seat["name"], seat["here"]] for seat in found["seats"]]
    return found


def replayed(trace: dict[str, Any]) -> list[Step]:
    """What the Python client makes of each step of a trace."""
    client = Replay(**trace["client"])
    return [client.step(step) for step in trace["steps"]]
