"""A room: one match in this hub's memory, and those of this hub who follow it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from msgspec import structs

from protocol.errors import ParlourError
from protocol.messages import Message, Presence, Said, SetBack, Snapshot, Where
from protocol.text import N_, text
from server.hub.concurrency.locks import FairLock
from server.hub.rooms.heartbeat import Moment
from server.hub.viewers.frames import make_frame
from server.hub.viewers.viewer import Form, Viewer, language
from server.match.asked import Outage
from server.match.lines import hears
from server.match.machine import Step
from server.match.record import Record
from server.match.state import Match, Seats, Status
from server.match.telling import needs_snapshot, notification
from server.match.views import hidden, snapshot

Counts = dict[str, int]
Followers = dict[Form, dict[Viewer, None]]
SPECTATORS = "w"
LOBBY, HTTP, QUIT, LOST = "l", "h", "q", "x"
"""Behind a seat's number: how many of its connections look at something else, and are by HTTP; and when its holder was
last seen here (shared clock, ms), by how that ended. A hub of an older release takes no notice of them."""
OF_SEAT = tuple(tuple(f"{seat}{what}" for what in ("", LOBBY, HTTP, QUIT, LOST)) for seat in (0, 1))
"""What counts are called, by seat: its connections, and the others of these."""
NOBODY: Counts = {SPECTATORS: 0, **dict.fromkeys(chain(*OF_SEAT), 0)}
Place = tuple[Where, int | None]
"""Where the holder of a seat is, and since when one who is not here is gone (shared clock, ms; None: not known)."""


class Attendance(NamedTuple):
    """Whether each seat's player is connected anywhere, how many spectators there are, and where the players are."""

    here: tuple[bool, bool] = (False, False)
    spectators: int = 0
    places: tuple[Place, Place] = (("", None), ("", None))


SET_BACK = N_("The server has lost some of what you had seen here. The match goes on from this position.")
GONE = N_("The server has lost this match.")


class Room:
    """One match as this hub has it. `lock` is held while a command is judged and stored, so that they go in order."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.lock = FairLock()
        self.doubtful = False
        """An append may have been stored without our knowing: read the log before anything else."""
        self.epoch = ""
        """In which epoch of the store's data this was last compared with the log."""
        self.key: str | None = None
        self.others: dict[str, Counts] = {}
        """Connections to this match at other hubs."""
        self.announced: Counts = dict(NOBODY)
        """What the store was last told of this hub's connections."""
        self.expected: str | None = None
        """The player who hosts this match by a command that is still being carried out, and follows it at its end."""
        self.known_seats: Seats | None = None
        """The seats as those who look at presence saw them last."""
        self.missed_since: list[float | None] = [None, None]
        """For each seat, since when its player is nowhere to be seen and the match not told so yet."""
        self.empty_since: float | None = None
        self._followers: Followers = {}
        self._connections: Counter[str] = Counter()
        self._by_http: Counter[str] = Counter()
        self._elsewhere: Counter[str] = Counter()
        self._gone: dict[str, tuple[str, int]] = {}
        """Players whose last connection here is gone: QUIT or LOST, and when."""
        self._told = Attendance()

    @property
    def match(self) -> Match:
        """The match at its newest stored version."""
        return self.record.match

    def __contains__(self, viewer: Viewer) -> bool:
        return viewer in self._followers.get(viewer.form, ())

    def __len__(self) -> int:
        return self._connections.total()

    def add(self, viewer: Viewer) -> None:
        """`viewer` follows from now on."""
        if viewer not in self:
            self._followers.setdefault(viewer.form, {})[viewer] = None
            self._connections[viewer.player] += 1
            self._by_http[viewer.player] += viewer.by_http
        self._gone.pop(viewer.player, None)
        self.empty_since = None

    def remove(self, viewer: Viewer) -> None:
        """`viewer` follows no longer."""
        if viewer not in self:
            return
        del self._followers[viewer.form][viewer]
        if not self._followers[viewer.form]:
            del self._followers[viewer.form]
        self._connections[viewer.player] -= 1
        self._by_http[viewer.player] -= viewer.by_http
        if not self._connections[viewer.player]:
            del self._connections[viewer.player], self._by_http[viewer.player]

    def look_away(self, player: str) -> None:
        """A connection of one who has a seat stays, and looks at something else."""
        self._elsewhere[player] += 1
        self._gone.pop(player, None)

    def look_back(self, player: str) -> None:
        """It looks at the match again, or is gone."""
        self._elsewhere[player] -= 1
        if not self._elsewhere[player]:
            del self._elsewhere[player]

    def note_gone(self, player: str, *, quit: bool, now_ms: int) -> None:
        """A connection of the player is gone; if it was the last one here, that is what is told of where they are."""
        if self.match.seats_of(player) and not self._connections[player] and not self._elsewhere[player]:
            self._gone[player] = (QUIT if quit else LOST, now_ms)

    def audience(self) -> tuple[int, int]:
        """How many of those who follow from this hub sit here, and how many watch."""
        seated = sum(bool(self.match.seats_of(player)) for player in self._connections)
        return seated, len(self._connections) - seated

    def has(self, player: str) -> bool:
        """Whether `player` sits here, or follows from this hub."""
        return bool(self._connections[player]) or bool(self.match.seats_of(player))

    def idle(self, since: float) -> bool:
        """Whether nobody has followed since the monotonic time `since`, and nothing is being done."""
        empty = self.empty_since is not None and self.empty_since < since
        wanted = len(self) or (self._elsewhere and self.match.status is not Status.ENDED)
        return empty and not wanted and not self.lock.locked()

    # Telling ----------------------------------------------------------------------------------------------------------

    def tell(self, steps: Iterable[Step], moment: Callable[[], Moment]) -> None:
        """Tell everybody here what happened and is stored; each form is made once.

        A position that changes cannot tell is shown whole, as at the `moment` after the last step.
        """
        if not self.record.delayed:
            self._tell(self._followers, steps, moment)
            return
        players, spectators = self._sides()
        self._tell(players, steps, moment)
        self._tell(spectators, self.record.take_released(), moment)

    def _tell(self, followers: Followers, steps: Iterable[Step], moment: Callable[[], Moment]) -> None:
        shown_anew = False
        for step in steps:
            shown_anew = shown_anew or needs_snapshot(step)
            for form, viewers in followers.items():
                self._send(form, viewers, notification(step, language(form.language)))
        if shown_anew:
            now = moment()
            for viewers in followers.values():
                for viewer in viewers:
                    viewer.send(self.snapshot(viewer, now))

    def set_back(self, record: Record, now: Moment) -> None:
        """The store has lost what was known here: show everybody what it has left, and say so (`Q9`)."""
        self.record = record
        for viewer in self._everybody():
            if self.match.watchable or self.match.seats_of(viewer.player):
                self.show_set_back(viewer, now)
            else:
                # A guest whose sitting down is lost may not look at a private match.
                self.remove(viewer)
                self._say_set_back(viewer, 0)

    def show_anew(self, now: Moment) -> None:
        """Something that belongs to the match was lost, and no event: begin anew with everybody."""
        for viewer in self._everybody():
            self.show_set_back(viewer, now)

    def show_set_back(self, viewer: Viewer, now: Moment) -> None:
        """The same for one who knows of more than there is."""
        self._say_set_back(viewer, self.seen_by(viewer.player).version)
        viewer.send(self.snapshot(viewer, now))

    def tell_gone(self) -> None:
        """The store does not have this match any more: nobody can follow it."""
        for viewer in self._everybody():
            self.remove(viewer)
            self._say_set_back(viewer, 0)

    def _everybody(self) -> list[Viewer]:
        return [viewer for viewers in self._followers.values() for viewer in viewers]

    def _say_set_back(self, viewer: Viewer, version: int) -> None:
        sentence = text(SET_BACK if version else GONE).render(viewer.translate)
        viewer.send(SetBack(match=self.match.id, version=version, text=sentence))

    def _sides(self) -> tuple[Followers, Followers]:
        """The followers who hold a seat, and the others."""
        players: Followers = {}
        spectators: Followers = {}
        for form, viewers in self._followers.items():
            for viewer in viewers:
                side = players if self.match.seats_of(viewer.player) else spectators
                side.setdefault(form, {})[viewer] = None
        return players, spectators

    def seen_by(self, player: str) -> Match:
        """The match as far as `player` may know it: spectators of one with a delay are behind."""
        return self.record.shown if self.record.delayed and not self.match.seats_of(player) else self.match

    def tell_presence(self, live_hubs: set[str]) -> None:
        """Tell everybody here who is connected, if that has changed since it was told last."""
        now = self.attendance(live_hubs)
        if now != self._told:
            self._told = now
            for form, viewers in self._followers.items():
                self._send(form, viewers, self._presence(now))

    def _presence(self, now: Attendance) -> Presence:
        (first, first_ms), (second, second_ms) = now.places
        return Presence(
            match=self.match.id, here=now.here, spectators=now.spectators, where=(first, second),
            since_ms=(first_ms, second_ms),
        )  # fmt: skip

    def tell_refusal(self, error: ParlourError) -> None:
        """Tell everybody here why the match cannot be followed any longer."""
        for viewers in self._followers.values():
            for viewer in viewers:
                viewer.refuse("", error, self.match.id)

    def tell_line(self, said: Said, version: int, but: Viewer | None = None) -> None:
        """Tell a line, said at that version of the match, to those who hear it, except `but`."""
        for form, viewers in self._followers.items():
            hearers = [v for v in viewers if v is not but and hears(self.match, v.player, said.channel, version)]
            if hearers:
                self._send(form, hearers, said)

    def _send(self, form: Form, viewers: Iterable[Viewer], message: Message) -> None:
        frame = make_frame(form.codec, message)
        for viewer in viewers:
            viewer.send_shared(frame, self.match.id)

    def snapshot(self, viewer: Viewer, now: Moment) -> Snapshot:
        """The whole match as `viewer` may see it; the private key for the host alone (`F4`)."""
        there = self.attendance(now.live_hubs)
        key = self.key if viewer.player == self.match.host else None
        match = self.seen_by(viewer.player)
        shot = snapshot(
            match, viewer.player, viewer.translate, now.now_ms, here=there.here, places=there.places,
            spectators=there.spectators, key=key, outages=now.outages,
        )  # fmt: skip
        return shot if match is self.match else self._behind(shot, match)

    def _behind(self, shot: Snapshot, match: Match) -> Snapshot:
        """A delayed snapshot: clocks as they stood then; and a pause hides every position (`F2`), old ones, too."""
        since_ms = self.record.held_since_ms
        if since_ms is not None:
            shot = structs.replace(shot, clock=match.clock.left(since_ms), clock_from_ms=0)
        return structs.replace(shot, marks={}, legal=(), resting=(), last=None) if hidden(self.match) else shot

    def catch_up(self, viewer: Viewer, after: int, now: Moment) -> None:
        """Bring `viewer` from version `after` to now: the missing events, or a snapshot if they are many (`C7`).

        A snapshot, too, where events would not do, would show the position of a paused match (`F2`), or would have a
        clock count down what is to be excused (`D5`). Who knows of more than there is has seen what the store has lost
        (`Q9`).
        """
        if after > self.seen_by(viewer.player).version:
            self.show_set_back(viewer, now)
            return
        missed = self.record.since(after)
        charges = self.charges_for(now.outages)
        if missed is None or charges or hidden(self.match) or any(needs_snapshot(step) for step in missed):
            viewer.send(self.snapshot(viewer, now))
            return
        known = self.seen_by(viewer.player).version
        for step in missed:
            if step.after.version > known:
                break
            viewer.send(notification(step, viewer.translate))
        viewer.send(self._presence(self.attendance(now.live_hubs)))

    def charges_for(self, outages: Sequence[Outage]) -> bool:
        """Whether the match has not been told of one of these outages, in which somebody's time went."""
        clock = self.match.clock
        return clock.timed and clock != clock.without(outages, self.match.excused_ms)

    # Presence ---------------------------------------------------------------------------------------------------------

    def local_counts(self) -> Counts:
        """This hub's connections: of each seat, and spectators'. Who is expected counts as one."""
        counts = dict(NOBODY)
        holders = [seat.player if seat else "" for seat in self.match.seats]
        for holder, (here, lobby, http, _, _) in zip(holders, OF_SEAT, strict=True):
            elsewhere, connections = self._elsewhere.get(holder, 0), self._connections.get(holder, 0)
            # Who looks at something else is connected, also for a hub that knows nothing of that.
            counts[here] = (connections or int(holder == self.expected)) + elsewhere
            counts[lobby], counts[http] = elsewhere, self._by_http.get(holder, 0)
            if holder in self._gone and self.match.status is not Status.ENDED:
                how, at_ms = self._gone[holder]
                counts[f"{here}{how}"] = at_ms
        counts[SPECTATORS] = len(self) - sum(self._connections.get(holder, 0) for holder in set(holders))
        return counts

    def take_counts(self, own_hub: str, counts: dict[str, Counts]) -> None:
        """What the store knows of all hubs' connections to this match."""
        self.announced = {**NOBODY, **counts.pop(own_hub, {})}
        before, self.others = self.others, counts
        for seat, holder in enumerate(self.match.seats):
            if holder is None or any(c.get(f"{seat}") for c in (self.local_counts(), *counts.values())):
                continue
            # A hub that lets go of the room takes back what it said: here it is remembered.
            for how in (QUIT, LOST):
                at_ms = max((c.get(f"{seat}{how}", 0) for c in (self.announced, *before.values())), default=0)
                if at_ms:
                    self._gone.setdefault(holder.player, (how, at_ms))

    def attendance(self, live_hubs: set[str]) -> Attendance:
        """Who is there, over all hubs that live."""
        counts, computers = self._counts_everywhere(live_hubs), self.match.computers
        first, second = (bool(counts[here]) for here, *_ in OF_SEAT)
        places = self._place(0, counts), self._place(1, counts)
        return Attendance((first or computers[0], second or computers[1]), counts[SPECTATORS], places)

    def _counts_everywhere(self, live_hubs: set[str]) -> Counts:
        counts = self.local_counts()
        for hub, others in self.others.items():
            if hub in live_hubs:
                for what, count in others.items():
                    known = counts.get(what, 0)
                    counts[what] = max(known, count) if what.endswith((QUIT, LOST)) else known + count
        return counts

    def _place(self, seat: int, counts: Counts) -> Place:
        if self.match.computers[seat]:
            return "board", None
        if self.match.seats[seat] is None:
            return "", None
        all_, elsewhere, by_http, quit_ms, lost_ms = (counts[what] for what in OF_SEAT[seat])
        if all_:
            return ("board" if all_ > elsewhere + by_http else "http" if by_http else "lobby"), None
        if not quit_ms and not lost_ms:
            return "", None
        return ("quit", quit_ms) if quit_ms > lost_ms else ("lost", lost_ms)
