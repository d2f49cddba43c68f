"""The network in a thread of its own, so that the window never waits for it (`N1`).

Values go both ways and nothing is shared: commands and wishes in by the thread's event loop, events out by a bounded
queue. When the window does not empty it, the thread waits, and so does the server, which has a bound of its own.
"""

from __future__ import annotations

import asyncio
import queue
import time
from collections.abc import Callable
from dataclasses import replace
from threading import Event as Flag
from threading import Thread

from client.conversation.address import Address
from client.conversation.carrying import carried
from client.conversation.cleaning import cleaned_event, plain
from client.conversation.events import Event, NewGuest, Offline, Sent, Settled
from client.conversation.pending import Backlog
from client.conversation.session import Session
from client.conversation.transport import NoAddress, Transport
from client.kept.identity import IdentityUnavailable
from client.shown.board.examples import read_examples, read_opening
from client.start.examples import fetch_examples, fetch_opening
from client.start.launch import Launch, done_aside
from client.window.progress import Asked, Found, Opened, Progress, Shown
from protocol.messages import Command, Refused, Welcome

MAX_EVENTS = 2_000
"""Events that wait for the window."""
FULL_S = 0.05
"""How long to wait before looking again whether a full queue has room, or all is to end."""
QUIT_S = 0.8
"""How long quitting may wait for the connection to close: the window is gone within a second (`N1`)."""


NO_REASON = ""
"""Told when the connection was lost before the first welcome: the model has the reason."""

Told = Event | Progress | Found | Shown | Opened


class Network:
    """Carries one session. `wake` is called, from the thread, when there is something to take."""

    def __init__(
        self, launch: Launch, wake: Callable[[], None], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._launch = launch
        self._wake = wake
        self._clock = clock
        self._queue: queue.Queue[Told] = queue.Queue(MAX_EVENTS)
        self._ending = Flag()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._run, daemon=True, name="network")
        self._session: Session | None = None
        self._transport: Transport | None = None
        self._carrying: asyncio.Task[None] | None = None
        self._server_key = ""
        self._address: Address | None = None
        self._name = ""
        """Under which one wants to be known."""
        self._is_refused = False
        """Whether the last greeting was, so that the same name may be tried again."""
        self._seeing: asyncio.Task[None] | None = None
        self._opening: set[asyncio.Task[None]] = set()

    # Called by the window ---------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to carry; nothing is connected yet."""
        self._thread.start()

    def take(self) -> list[Told]:
        """What was told since the last call, at most MAX_EVENTS."""
        told: list[Told] = []
        while len(told) < MAX_EVENTS:
            try:
                told.append(self._queue.get_nowait())
            except queue.Empty:
                break
        return told

    def connect(self, name: str, address: Address | None = None) -> None:
        """Connect under `name`, or greet again under it when the server refused the last one.

        `address` is another server than the one that the program was started for.
        """
        self._do(lambda: self._connect(name, address))

    def send(self, command: Command) -> None:
        """Send it, now or as soon as there is a connection."""
        self._do(lambda: self._send(command))

    def watch_lobby(self) -> None:
        """Be told of the lobby."""
        self._do(self._watch_lobby)

    def see_own(self, on: bool) -> None:
        """One's own matches are in sight, or no longer, whatever is followed."""
        self._do(lambda: self._see_own(on))

    def see_opening(self, asked: Asked) -> None:
        """Be told how its board begins."""
        self._do(lambda: self._see_opening(asked))

    def leave(self) -> None:
        """Follow the match on screen no longer."""
        self._do(self._leave)

    def stop(self) -> None:
        """Close the connection politely, but never wait for it longer than QUIT_S."""
        self._ending.set()
        self._do(self._stop)
        self._thread.join(QUIT_S)

    def _do(self, work: Callable[[], object]) -> None:
        if self._thread.is_alive() and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(work)

    # In the thread ----------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
            self._loop.close()

    def _stop(self) -> None:
        if self._transport is not None:
            self._transport.stop()
        if self._carrying is None or self._carrying.done():
            self._loop.stop()
        else:
            self._carrying.add_done_callback(lambda _: self._loop.stop())
            self._loop.call_later(QUIT_S, self._loop.stop)

    def _tell(self, told: Told) -> None:
        while not self._ending.is_set():
            try:
                self._queue.put(told, timeout=FULL_S)
            except queue.Full:
                self._wake()
            else:
                break
        self._wake()

    def _connect(self, name: str, address: Address | None) -> None:
        self._name = name
        if self._carrying is not None and not self._carrying.done():
            if address is not None and address != self._address:
                self._go_elsewhere(name, address)
            else:
                self._introduce(name)
            return
        if address is not None:
            self._launch = replace(self._launch, prepare=lambda: address, server_key=None)
        self._tell(Progress("Connecting…", busy=True))
        self._carrying = self._loop.create_task(carried(self._carry(), self._ended_by))

    def _introduce(self, name: str) -> None:
        """Be called so: a connection has one name, so another one is made where this one has a name already."""
        session = self._session
        if session is None or (name == session.name and not self._is_refused):
            return
        self._is_refused = False
        self._tell(Progress("Asking the server…", busy=True))
        is_online = session.is_online
        session.introduce(name)
        if is_online and self._transport is not None:
            self._transport.renew()
        self._flush()

    def _go_elsewhere(self, name: str, address: Address) -> None:
        """Leave this server for another one."""
        assert self._carrying is not None
        if self._transport is not None:
            self._transport.stop()
        self._session = self._transport = None
        self._carrying.add_done_callback(lambda _: self._connect(name, address))

    async def _carry(self) -> None:
        """Find the server and stay connected; comes back only when the first try failed, or at the end."""
        try:
            address = await self._launch.find()
        except NoAddress as error:
            self._tell(Progress(plain(str(error)), bad=True))
            return
        self._address = address
        self._server_key = self._launch.server_key or address.url
        self._tell(Found(address))
        self._tell(Progress(f"Connecting to {address.label}…", busy=True))
        identity, name = self._launch.identity, self._name
        session = Session(
            name, identity.token(self._server_key), client="window", language=self._launch.language,
            rename=identity.is_made_up and name == identity.name,
        )  # fmt: skip
        self._session = session
        transport = Transport(self._launch.find, session, self._drain, clock=self._clock)
        self._transport = transport
        await transport.run()
        self._drain()
        if not session.welcomed and not self._ending.is_set():
            self._tell(Progress(NO_REASON, bad=True))

    def _ended_by(self, reason: str) -> None:
        """The task that carries is over, which nobody foresaw."""
        self._tell(Progress(reason, bad=True))
        self._tell(Offline(self._clock(), reason))

    def _drain(self) -> None:
        if self._session is None:
            return
        for event in self._session.events():
            if isinstance(event, Sent):
                continue  # the window knows what it has sent, and has shown it already
            if isinstance(event, Welcome):
                self._remember(self._session.token)
            elif isinstance(event, NewGuest):
                self._remember(None)
            elif isinstance(event, Refused) and not self._session.is_online:
                self._is_refused = True
            self._tell(cleaned_event(event))

    def _remember(self, token: str | None) -> None:
        assert self._session is not None
        try:
            self._launch.identity.remember(self._server_key, self._session.name, token)
        except IdentityUnavailable as error:
            self._tell(Refused(ref="", code="identity", text=plain(str(error))))

    def _send(self, command: Command) -> None:
        assert self._session is not None
        try:
            self._session.send(command)
        except Backlog:
            text = "Too much waits for the server already."
            self._tell(Settled(command, Refused(ref=command.ref, code="backlog", text=text)))
        self._flush()

    async def _see_examples(self, address: Address) -> None:
        """What the games' cards show."""
        self._tell(Shown(read_examples(await done_aside(lambda: fetch_examples(address)))))

    def _see_opening(self, asked: Asked) -> None:
        if self._address is not None:
            task = self._loop.create_task(self._tell_opening(self._address, asked))
            self._opening.add(task)
            task.add_done_callback(self._opening.discard)

    async def _tell_opening(self, address: Address, asked: Asked) -> None:
        self._tell(Opened(asked, read_opening(await done_aside(lambda: fetch_opening(address, *asked)))))

    def _watch_lobby(self) -> None:
        if self._launch.shows_cards and self._address is not None and self._seeing is None:
            self._seeing = self._loop.create_task(self._see_examples(self._address))
        if self._session is not None:
            self._session.watch_lobby()
            self._flush()

    def _see_own(self, on: bool) -> None:
        if self._session is not None:
            self._session.see_own(on)
        self._flush()

    def _leave(self) -> None:
        if self._session is not None:
            self._session.leave()
            self._flush()

    def _flush(self) -> None:
        self._drain()
        if self._transport is not None:
            self._transport.flush()
