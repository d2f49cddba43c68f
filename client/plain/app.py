"""The plain client: carries one session, keeps the model, tells what happens and does what is typed."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import TextIO

from client.conversation.cleaning import cleaned_event
from client.conversation.events import Event, NewGuest, Settled
from client.conversation.session import Session
from client.kept.identity import IdentityUnavailable
from client.kept.links import link_here, link_to
from client.plain import challenging
from client.plain.acting import Acting
from client.plain.connection import Connection
from client.plain.intents import (
    Said,
)
from client.plain.starting import Start
from client.plain.telling import Hearing, Warned, calls, tell, title, warning
from client.plain.typed import Typed, is_quit
from client.plain.words import understand
from client.playing.new_match import NoSuchGame
from client.playing.practice import practice
from client.shown.history import questions
from client.shown.model import Link
from client.shown.words.challenges import invitation_text, leads_to
from client.shown.words.ending import rematch
from client.shown.words.held import update_at
from client.shown.words.lessons import is_done
from client.start.console import LineReader, Speaker
from client.start.launch import Launch
from protocol.messages import (
    Accepted,
    Analyse,
    Command,
    Invitation,
    Join,
    Record,
    Refused,
    Snapshot,
    Watch,
    Welcome,
)

TICK_S = 0.5


class PlainClient(Acting):
    """See the module's docstring."""

    def __init__(
        self, launch: Launch, source: TextIO, speaker: Speaker, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._work = asyncio.Event()
        super().__init__(launch, speaker, Connection(launch, clock, self._work.set, self._no_connection))
        self._source = source
        self._is_script = not source.isatty()
        self._clock = clock
        self._reader: LineReader | None = None
        self._typed = Typed(clock, lambda wait_s: asyncio.get_running_loop().call_later(wait_s, self._work.set))
        self._granted = ("", 0)
        """The match and version of the last command that was granted."""
        self._asks_name = self._asked_name = False
        self._first = ""
        """The ref of the command with which it was to begin."""
        self._warned = Warned()
        self._hearing = Hearing()
        self._entered = False
        self._over = self._failed = False

    async def run(self) -> int:
        """Play until the user quits; returns the exit status."""
        self._reader = LineReader(self._source, self._take_line)
        self._reader.start()
        if self._launch.warning:
            self._speaker.say([self._launch.warning])
        name = self._launch.name or self._launch.identity.name
        if name:
            self._connect(name)
        else:
            self._ask_name("Type the name that others shall see.")
        ticking = asyncio.create_task(self._tick())
        try:
            while not self._over:
                await self._work.wait()
                self._work.clear()
                self._drain()
                self._understand_lines()
                self._over = self._over or self._speaker.is_broken
        finally:
            ticking.cancel()
            await self._close()
        return 0 if self._session is not None and self._session.welcomed and not self._failed else 1

    def stop(self) -> None:
        """End `run` soon."""
        self._over = True
        self._work.set()

    # The connection -------------------------------------------------------------------------------------------------

    def _ask_name(self, why: str) -> None:
        self._asks_name = self._asked_name = True
        self._speaker.say([why])

    def _name_refused(self) -> None:
        # The next line of a script is no name: it goes on under the one that it has, or not at all.
        if self._asked_name or not self._is_script:
            self._ask_name("Type another name.")
        else:
            self.stop()

    def _connect(self, name: str) -> None:
        self._asks_name = False
        self._connection.connect(name)

    def _no_connection(self, reason: str = "", *, failed: bool = False) -> None:
        if not reason:
            if self._over:
                return
            self._drain()
        self._failed = self._failed or failed
        self._speaker.say([reason or self.model.down_reason or "The connection was lost."])
        self.stop()

    async def _close(self) -> None:
        await self._connection.close()
        self._speaker.title("")

    async def _tick(self) -> None:
        """Look at the time: what is left on the clock, and which typed line has waited long enough."""
        while True:
            await asyncio.sleep(TICK_S)
            line, self._warned = warning(self.model, self._clock(), self._warned)
            if line is not None:
                self._speaker.say([line])
                self._speaker.ring()
            self._work.set()

    # What happens ---------------------------------------------------------------------------------------------------

    def _drain(self) -> None:
        if self._session is not None:
            for event in self._session.events():
                self._take(cleaned_event(event))
            self._speaker.title(title(self.model))

    def _take(self, event: Event) -> None:
        before, self.model = self.model, update_at(self.model, event, self._clock())
        self._eyes.look(self.model.match, self._clock())
        self._speaker.say(tell(before, self.model, event))
        self._speaker.say(challenging.told(before, self.model, event, self._clock()))
        if calls(before, self.model):
            self._speaker.ring()
        self._keeping.happened(event)
        if self.model.match is not None and is_done(self.model.match):
            self._learned.mark(self.model.match.game, self.model.match.lesson)
        match event:
            case Welcome():
                self._welcomed()
            case Snapshot(status="waiting") if before.match is None or before.match.match != event.match:
                self._tell_link(event)
            case NewGuest():
                self._remember(None)
            case Refused() if self.model.link is Link.NEW:
                self._name_refused()
            case Settled(command, answer):
                self._keeping.settled(command, answer)
                if isinstance(answer, Record) and self._practising is not None and self._practising[0] == answer.ref:
                    _, ply, match = self._practising
                    self._send(practice(answer, ply, match, self._ref()))
                if isinstance(answer, Invitation):
                    self._speaker.say([invitation_text(self.model, answer)])
                    if answer.ref == self._joining[0]:
                        self._send(Join(ref=self._ref(), key=self._joining[1]))
                if isinstance(answer, Refused) and command.ref == self._first and self._is_script:
                    self._failed = True  # for a script it was in vain
                if isinstance(answer, Accepted):
                    self._granted = (answer.match, answer.version)
            case _:
                self._speaker.say(self._hearing.take(event))
        if self._session is not None:
            # A match that waits is followed, and `list` tells of the others all the same.
            self._session.see_own(self.model.waits)
        for question in questions(self.model, event, self._ref):
            self._send(question)
        following = rematch(before, self.model) or leads_to(before, event)
        if following:
            self._send(Watch(ref=self._ref(), match=following))

    def _tell_link(self, match: Snapshot) -> None:
        address = self._connection.address
        if address is None:
            return
        if link := link_to(address, match):
            self._speaker.say([f"The link for your opponent: {link}"])
        elif match.you and self._launch.local is None and (link := link_here(address, match)):
            self._speaker.say([f"The link for somebody at this computer: {link}"])

    def _welcomed(self) -> None:
        assert self._session is not None
        self._remember(self._session.token)
        if self._entered:
            return
        self._entered = True
        self._session.watch_lobby()
        launch = self._launch
        if launch.saved is not None:
            self._start_from(launch.saved, ())
        elif launch.local is not None:
            self._send(Start(launch.local.game, launch.local.options).create(self._ref()))
        elif (command := self._first_command()) is not None:
            self._first = command.ref
            self._send(command)

    def _first_command(self) -> Command | None:
        """What leads to where one wanted to go; None where nothing does."""
        if self._launch.at_once is None:
            return self._launch.first_command(self._ref())
        try:
            return self._launch.at_once.begun(self._learned, self.model.games).command(self._ref())
        except NoSuchGame as error:
            self._speaker.say([str(error)])
            self._failed = self._failed or self._is_script
            return None

    def _remember(self, token: str | None) -> None:
        try:
            self._connection.remember(token)
        except IdentityUnavailable as error:
            self._speaker.say([str(error)])

    # What is typed --------------------------------------------------------------------------------------------------

    def _take_line(self, line: str | None) -> None:
        self._typed.put(line)
        self._work.set()

    def _understand_lines(self) -> None:
        while not self._over and self._is_line_ready():
            line = self._typed.pop()
            if line is None:
                self.stop()
                return
            if self._reader is not None:
                self._reader.taken()
            self._do_line(line)
            self._drain()

    def _is_line_ready(self) -> bool:
        session = self._session
        if session is None or not session.welcomed:
            # The line is the name that is asked for; anything else needs to know the games first.
            return self._typed.is_ready(waits_for_server=not self._asks_name, is_busy=False)
        return self._typed.is_ready(
            waits_for_server=False, is_busy=self._waits_for(session) or self._is_behind(session)
        )

    @staticmethod
    def _waits_for(session: Session) -> bool:
        """Whether what is typed next may be about an answer that is still to come; a review goes on beside it."""
        return any(not isinstance(command, Analyse) for command in session.pending)

    def _is_behind(self, session: Session) -> bool:
        """Whether something that was asked for is granted and still to come."""
        match, (granted, version) = self.model.match, self._granted
        if match is None:
            return session.match is not None or self.model.lobby is None
        return self.model.awaits_position or (match.match == granted and match.version < version)

    def _do_line(self, line: str) -> None:
        words = tuple(line.split())
        session = self._session
        if session is not None and session.welcomed:
            now = self._clock()
            self._eyes.look(self.model.match, now)
            address = self._connection.address
            page = address.page if address is not None else ""
            self._do(understand(Said(words, self.model, session.ref, now, self._listed, self._eyes.seen(now), page)))
        elif is_quit(line):
            self.stop()
        elif words:
            self._connect(" ".join(words))


def run_plain(launch: Launch, source: TextIO, output: TextIO) -> int:
    """Run the plain client; returns the exit status."""

    async def main() -> int:
        return await PlainClient(launch, source, Speaker(output)).run()

    with contextlib.suppress(KeyboardInterrupt):
        return asyncio.run(main())
    return 130
