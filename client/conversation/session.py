"""One client's conversation with a server, as a machine without sockets, tasks or clocks.

Whoever carries it (`transport.py`, or a test) uses these:

    opened(now)            a connection stands: the session greets
    receive(data, now)     one frame came
    tick(now)              some time passed (called about twice a second)
    closed(now, reason)    the connection is gone, or could not be made
    data_to_send()         frames to write now, in order
    events()               what happened, in order, for whoever shows or plays the match
    wants_close            this connection is of no use any longer: close it and come back

`now` is in seconds of any clock that never goes back. What the session promises to its user:

- A command that was sent is sent again under the same ref, after a lost connection or a lost answer, until it is
  answered; the server counts it once. At most MAX_PENDING wait at a time.
- Events of the match on screen come out in order, each once, without a gap (`gaps.py`); a frame that cannot be
  read is dropped and the state asked for.
- After a reconnect the guest is the same, the match on screen is caught up and the lobby is watched as before.
"""

from __future__ import annotations

from msgspec import structs

from client.conversation.events import Answer, Event, NewGuest, Offline
from client.conversation.greeting import GREETING_S, Verdict
from client.conversation.outgoing import ENTRIES, OWN_QUIET_S, OWN_S, OWN_SOON_S, Outgoing, State
from client.conversation.pending import PASSING
from protocol.errors import Code
from protocol.messages import (
    Accepted,
    Analysis,
    Chat,
    GoingAway,
    Invitation,
    LobbyChange,
    LobbyState,
    MatchEvent,
    Message,
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
    WatchLobby,
    Welcome,
)
from protocol.validity import Impossible, check

MOVE_AGAIN_S = 5.0
"""Hubs that are restarted in turn send nobody on more often."""


class Session(Outgoing):
    """See the module's docstring. `token` brings a known guest back; without one a new guest comes."""

    # What the carrier does ------------------------------------------------------------------------------------------

    def opened(self, now: float) -> None:
        """A connection stands: greet."""
        self.state = State.GREETING
        self.wants_close = False
        self._wire.renew()
        self._greet()
        self._greeting.due = now + GREETING_S

    def closed(self, now: float, reason: str) -> None:
        """The connection is gone, or could not be made. What is pending waits for the next one.

        Nobody is told when we were sent to another hub: what comes next is a connection to it, or a failure.
        """
        moving, self.moving = self.moving, False
        self.state = State.OFFLINE
        self._wire.renew()
        self._greeting.ref = None
        self._pending.lost_connection()
        self._screen.lost_connection()
        if not moving:
            self._events.append(Offline(now, reason))

    def data_to_send(self) -> list[bytes]:
        """The frames to write now, in order; each is returned once."""
        return self._wire.frames()

    def events(self) -> list[Event]:
        """What happened since the last call, in order."""
        happened = list(self._events)
        self._events.clear()
        return happened

    def receive(self, data: bytes | str, now: float) -> None:
        """Take one frame from the server. What cannot be read is dropped, and the state asked for (`N5`)."""
        message = self._wire.read(data)
        if message is not None:
            self._take(message, now)
        else:
            self.wants_close = self.wants_close or self._wire.is_bad
            self._lobby_suspect = self._lobby
            self._screen.suspect()
        if self.state is State.ONLINE:
            self._ask(now)

    def tick(self, now: float) -> None:
        """Do what is due: send again what got no answer, measure the round trip, give up on a silent server."""
        if self.state is State.GREETING and self._greeting.is_overdue(now):
            self.wants_close = True
        if self.state is not State.ONLINE:
            return
        for command in self._pending.due(now):
            self._wire.write(command)
        if self._lobby_suspect:
            self._lobby_suspect = False
            self._wire.write(WatchLobby(ref=self.ref()))
        self._ask(now)
        ping = self._pulse.ping(self.ref, now)
        if ping is not None:
            self._wire.write(ping)

    # One notification -----------------------------------------------------------------------------------------------

    def _take(self, message: Message, now: float) -> None:
        try:
            check(message, self._screen.elements(getattr(message, "match", "")))
        except Impossible as reason:
            self._doubt(message, str(reason), now)
        else:
            self._believe(message, now)

    def _doubt(self, message: Message, why: str, now: float) -> None:
        """What cannot be is not shown: say so, and ask for what is true; after some times no longer."""
        self._wire.doubt()
        self.wants_close = self.wants_close or self._wire.is_bad
        match message:
            case Welcome():
                self.wants_close = True
            case LobbyState() | LobbyChange():
                too_often = self._lobby_doubts.add(now)
                self._lobby_suspect = self._lobby and not too_often
                self._events.append(self._lobby_doubts.told(why, left=too_often))
                if too_often:
                    self.watch_lobby(on=False)
            case Snapshot() | MatchEvent() | Position() | Presence() | Said() | Chat():
                following = self._screen.of(message.match)
                if following is None and not self._awaits(message.match):
                    return
                too_often = self._match_doubts.add(now)
                if following is not None:
                    following.doubt()
                if too_often:
                    self.leave()
                self._events.append(self._match_doubts.told(why, left=too_often))
            case _:
                pass
        if isinstance(message, Analysis | Invitation | Position | Record) and message.ref in self._pending:
            self._settle(structs.replace(self._match_doubts.told(why, left=False), ref=message.ref), now)

    def _believe(self, message: Message, now: float) -> None:
        match message:
            case Welcome():
                self._welcome(message, now)
            case Accepted() | Refused():
                self._answer(message, now)
            case Snapshot():
                self._snapshot(message, now)
            case MatchEvent():
                following = self._screen.of(message.match)
                if following is None:
                    # Of a match just left; or of the one on screen, and damaged on the way (`N5`).
                    self._screen.suspect()
                elif following.takes_event(message, now):
                    self._events.append(message)
            case Presence():
                if self._screen.of(message.match) is not None:
                    self._events.append(message)
            case Pong():
                latency = self._pulse.pong(message, now)
                if latency is not None:
                    self._events.append(latency)
            case Analysis() | Invitation() | Position() | Record():
                if message.ref in self._pending:
                    self._settle(message, now)
            case SetBack():
                self._set_back(message, now)
            case GoingAway():
                self._going_away(message, now)
            case Notification():
                self._look_at_own(message, now)
                self._events.append(message)

    def _look_at_own(self, message: Notification, now: float) -> None:
        """When one's own matches are to be asked for next."""
        if isinstance(message, OwnMatches):
            goes_on = any(row.status != "ended" for row in message.matches)
            self._own_due = now + (OWN_S if goes_on else OWN_QUIET_S)
        elif isinstance(message, Outage) and not message.on:
            # Their clocks have stood meanwhile.
            self._own_due = now
        elif isinstance(message, LobbyChange) and (message.put or message.gone):
            self._own_due = min(self._own_due, now + OWN_SOON_S)

    def _going_away(self, message: GoingAway, now: float) -> None:
        """Whoever sends us on again and again has nobody to send us to: that is told, and waited for."""
        self.back_in_ms = message.back_in_ms
        if not message.elsewhere:
            self._events.append(message)
        elif now - self._moved_at >= MOVE_AGAIN_S:
            self.moving, self._moved_at = True, now

    def _welcome(self, message: Welcome, now: float) -> None:
        if message.ref != self._greeting.ref:
            return
        self.state = State.ONLINE
        self.welcomed = True
        self.back_in_ms = 0
        self._epoch = message.epoch
        whole = self._greeting.welcomed(message)
        self._pulse.connected(now)
        self._own_due = now
        self._keep_step(message.now_ms, now)
        self._events.append(whole)
        if self._lobby:
            self._wire.write(WatchLobby(ref=self.ref()))
        # Catch up first, so that the answers to what is pending find the match as it is.
        self._ask(now)
        self._pending.all_sent(now)
        for command in self._pending:
            self._wire.write(command)

    def _answer(self, answer: Accepted | Refused, now: float) -> None:
        following = self._screen.following
        if answer.ref and answer.ref == self._greeting.ref and isinstance(answer, Refused):
            self._greeting_refused(answer)
        elif following is not None and following.is_question(answer.ref):
            if isinstance(answer, Accepted):
                following.answered(answer)
                following.epoch = self._epoch
            elif answer.code not in PASSING:
                self._events.append(answer)
                self._forget_match()
        elif answer.ref in self._pending:
            self._settle(answer, now)
        elif isinstance(answer, Refused) and not answer.ref:
            self._events.append(answer)

    def _greeting_refused(self, answer: Refused) -> None:
        verdict = self._greeting.refused(answer)
        self._events.append(NewGuest() if verdict is Verdict.NEW_GUEST else answer)
        if verdict is Verdict.NEW_GUEST:
            self._greet()
        self.wants_close = self.wants_close or verdict is Verdict.LATER

    def _settle(self, answer: Answer, now: float) -> None:
        settled = self._pending.settle(answer, now)
        if settled is None:
            return
        self._events.append(settled)
        self._own_due = now
        command, answer = settled.command, settled.answer
        if isinstance(answer, Accepted) and isinstance(command, ENTRIES) and answer.match:
            self._screen.follow(answer.match, now)
        elif isinstance(answer, Refused):
            following = self._screen.of(answer.match or getattr(command, "match", ""))
            behind = following is not None and answer.version > (following.version or 0)
            if following is not None and (behind or answer.code == Code.UNKNOWN_OUTCOME):
                following.suspect()

    def _snapshot(self, snapshot: Snapshot, now: float) -> None:
        """A snapshot of the match on screen, or of one that a pending command leads to."""
        awaited = self._screen.of(snapshot.match) is not None or self._awaits(snapshot.match)
        following = self._screen.follow(snapshot.match, now) if awaited else None
        if following is not None and following.takes_snapshot(snapshot):
            following.epoch = self._epoch
            self._keep_step(snapshot.now_ms, now)
            self._events.append(snapshot)

    def _set_back(self, word: SetBack, now: float) -> None:
        """The server has lost some of the match on screen, or all of it: a snapshot says what there is."""
        following = self._screen.of(word.match)
        if following is None:
            return
        if word.version:
            following.set_back(now)
        else:
            self._forget_match()
        self._events.append(word)
