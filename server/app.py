"""Builds everything, wires it, and runs it: one process, one loop, one port."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
import uvicorn

from protocol.errors import StoreUnavailable
from protocol.text import translator
from server.addresses import to_open
from server.bots.advisor import Advisor
from server.bots.computer import Computer
from server.config import Config, release
from server.dog_front.launch import ask as ask_front
from server.dog_front.launch import have_front
from server.games import Catalogue, load_catalogue
from server.http.api.handlers import Handlers
from server.http.dog.service import Dog
from server.http.doors import Doors
from server.http.examples import examples
from server.http.figures import Figures
from server.http.guard import Callers, guarded_http
from server.http.inspect import inspection
from server.http.openings import Openings
from server.http.page import Page
from server.http.routes import application
from server.hub.background.deadlines import Deadlines
from server.hub.background.obligations import Obligations
from server.hub.background.pacemaker import Pacemaker
from server.hub.background.upkeep import Upkeep
from server.hub.concurrency.cancelling import end_tasks
from server.hub.connections.connection import connection_class
from server.hub.connections.hub import Hub
from server.hub.limits.settings import most_connections
from server.hub.presence.identity import new_id
from server.hub.presence.tracker import PresenceTracker
from server.hub.rooms.keeper import Keeper
from server.hub.rooms.lobby import LobbyBook
from server.hub.service import Service
from server.listening import BACKLOG, Listening, StartError, listen
from server.starting import meet, wait_for
from server.stopping import Server, stop_when_due
from server.store.connection.address import StoreAddress, read_address
from server.store.connection.unfit import UnfitStore
from server.store.private.embedded import EmbeddedStore, EmbeddedStoreError
from server.store.redis_store import RedisStore
from server.systemd import handed_over, keep_telling, tell
from server.unix_socket import listen_at

if TYPE_CHECKING:
    from server.tracing import Traces

GRACEFUL_STOP_S = 5
KEEP_ALIVE_S = 125
"""Longer than proxies keep a connection that nobody uses: nginx 60 s, Caddy 120 s. Whoever closes first must not be we,
or the request that is on its way then fails. When there are too many, the one that was idle for longest is closed."""

DRAINED = "it is to stop: its players go to another hub"

log = structlog.get_logger(__name__)


async def run(config: Config) -> None:
    """Serve until told to stop by SIGTERM, SIGINT, the end of standard input, or idleness.

    Raises StartError, EmbeddedStoreError or UnfitStore when it cannot start.
    """
    for sentence in config.strangers:
        log.warning("a variable of the environment is passed over", why=sentence)
    with contextlib.ExitStack() as ports:
        # Taken before anything else is started or said: whoever cannot have them ends.
        listening = ports.enter_context(_listening(config))
        dog = None
        if config.dog and config.dog_front and not listening.port:
            raise StartError("The front of students' games needs a port to reach this hub: give --no-dog-front")
        if config.dog and config.dog_front:
            assert config.dog_port is not None
            front = await asyncio.to_thread(have_front, config.host, config.dog_port, listening.port)
            ports.push(_front_of_no_use(front, config.until_eof))
            log.info("students' games play here", port=front, stop=f"parlour-server dog-front --stop --port {front}")
        elif config.dog and config.dog_port is not None:
            dog = ports.enter_context(listen(config.host, config.dog_port))
        catalogue = _catalogue(config.games)
        if config.redis:
            await _run_over(config, config.redis, catalogue, listening, dog)
        else:
            await _run_embedded(config, catalogue, listening, dog)
    log.info("stopped")


def _listening(config: Config) -> AbstractContextManager[Listening]:
    if config.systemd.sockets:
        return handed_over(config.systemd.sockets)
    return listen(config.host, config.port) if config.unix is None else listen_at(config.unix)


def _front_of_no_use(port: int, by_a_client: bool) -> Callable[..., None]:
    """What ends the front with the hub: that it could not start, or goes with its client. Else it is started anew."""

    def leave(kind: type[BaseException] | None, *_: object) -> None:
        if by_a_client or (kind is not None and issubclass(kind, (StartError, EmbeddedStoreError, UnfitStore))):
            ask_front(port, "stop")

    return leave


async def _run_embedded(config: Config, catalogue: Catalogue, listening: Listening, dog: Listening | None) -> None:
    embedded = EmbeddedStore(config.data)
    await embedded.start()
    watching = asyncio.create_task(embedded.watch())
    try:
        await _run_over(config, read_address(embedded.url), catalogue, listening, dog, lambda: embedded.trouble)
    finally:
        await end_tasks([watching])
        await embedded.stop()


async def _run_over(
    config: Config,
    address: StoreAddress,
    catalogue: Catalogue,
    listening: Listening,
    dog: Listening | None,
    trouble: Callable[[], str | None] = lambda: None,
) -> None:
    store = RedisStore(address, new_id(), prefix=config.prefix, lifetimes=config.lifetimes)
    try:
        durability = await meet(store)
        await _serve(config, store, durability, catalogue, listening, dog, trouble)
        with contextlib.suppress(StoreUnavailable):
            await store.farewell()
    finally:
        await store.close()


def _catalogue(folder: Path | None) -> Catalogue:
    """The games. Raises StartError with a sentence when one of the folder's files is none."""
    try:
        return load_catalogue(folder)
    except Exception as error:
        log.debug("the games cannot be loaded", exc_info=error)
        raise StartError(f"The games in {folder} cannot be used: {type(error).__name__}: {error}") from error


async def _serve(
    config: Config,
    store: RedisStore,
    durability: str,
    catalogue: Catalogue,
    listening: Listening,
    dog_listening: Listening | None,
    trouble: Callable[[], str | None],
) -> None:
    traces = _traces(config.traces, store.hub) if config.traces else None
    keeper = Keeper(store, catalogue)
    keeper.trace = traces.tell if traces is not None else None
    lobby = LobbyBook(lambda match, why, row: store.note_unusable("lobby row", match, why, row))
    tracker = PresenceTracker(keeper, store)
    computer = Computer(keeper, store, config.games)
    service = Service(
        store, catalogue, keeper, tracker, lobby, version=release(), limits=config.limits, chat=config.chat,
        thinker=Advisor(computer.engine_room),
    )  # fmt: skip
    hub = Hub(service, _origins(config, listening.port), config.limits, config.proxies)
    service.doors.append(hub.let_in)
    hub.talkative = config.log_level == "debug"
    handlers = Handlers(service, keeper, store, catalogue, hub, here_s=config.limits.http_here_s)
    deadlines = Deadlines(keeper, tracker, store)
    upkeep = Upkeep(store, keeper, lobby, config.lifetimes)
    pacemaker = Pacemaker(store, keeper, tracker, deadlines, lobby, hub, upkeep, Obligations(store, keeper))
    announcing = config.proxies if config.proxy_protocol else ()
    callers = Callers(most_connections(config.limits, _descriptors()), hub.addresses, config.proxies, announcing)
    further = [
        *Openings(catalogue, translator("en", "")).routes(),
        *([inspection(keeper, hub)] if config.inspect else []),
    ]
    figures = Figures(hub, keeper, store, durability)
    page = Page(embedders=config.embedders, examples=lambda: examples(catalogue, translator("en", "")))
    pages = application(
        release(), lambda: DRAINED if hub.draining else pacemaker.lacks(trouble()), handlers, page, figures, further
    )
    dog = Dog(store, keeper, tracker, lobby, grace_s=config.dog_grace_s) if config.dog else None
    dog_port = dog_listening.port if dog_listening is not None else None
    connection = connection_class(hub)
    server = Server(
        uvicorn.Config(
            Doors(dog.application(pages, dog_port) if dog else pages, hub, dog_port, config.public, config.origins),
            ws=connection,
            http=guarded_http(callers, connection.take_over),
            lifespan="off",
            log_config=None,
            access_log=config.log_level == "debug",
            server_header=False,
            proxy_headers=False,  # whose word is believed is said by `--proxy`, and it is read where it counts
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=GRACEFUL_STOP_S,
            backlog=BACKLOG,
        ),
        hub,
        handlers,
        keeper.others,
        config.drain_s,
    )
    pacemaker.drain, pacemaker.renew_date = server.drain, server.renew_date
    # It may go away again between two steps of the start, like that of a machine which is just starting.
    await wait_for(store, pacemaker.start)
    server.on_stop.append(lambda: tell(config.systemd.notify, "STOPPING=1"))
    server.on_stop.append(lambda: _take_back(config.port_file))
    if dog is not None:
        server.on_stop.append(dog.release)
        dog.start()
        log.info("serving DOG", path="/dog/", port=dog_port)
    enders = [
        asyncio.create_task(stop_when_due(config, server, hub, dog)),
        asyncio.create_task(keep_telling(config.systemd)),
    ]
    ready = asyncio.create_task(_tell_port(config, server, pacemaker, listening, store.hub))
    try:
        await server.serve(sockets=[*listening.sockets, *(dog_listening.sockets if dog_listening else ())])
        if ready.done():
            ready.result()
        # What was asked last is stored by now; who was connected here is not here any more.
        with contextlib.suppress(StoreUnavailable):
            await tracker.publish()
    finally:
        for task in (*enders, ready):
            task.cancel()
        await asyncio.gather(*enders, ready, return_exceptions=True)
        if dog is not None:
            await dog.stop()
        await pacemaker.stop()
        await service.advice.close()
        await computer.close()
        if traces is not None:
            await asyncio.to_thread(traces.stop)


def _traces(url: str, hub_id: str) -> Traces:
    from server.tracing import traces_to  # not read by a hub without them

    return traces_to(url, release(), hub_id)


async def _tell_port(config: Config, server: Server, pacemaker: Pacemaker, listening: Listening, hub_id: str) -> None:
    await pacemaker.ready.wait()
    await server.listening.wait()
    port = listening.port
    log.info("listening", address=listening.at, hub=hub_id)
    pages = [config.public.url] if config.public else to_open(config.host, port) if port else []
    if pages:
        log.info("open it in a browser", page=" or ".join(pages))
    tell(config.systemd.notify, "READY=1")
    if config.port_file is not None:
        partial = config.port_file.with_suffix(".partial")
        try:
            partial.write_text(f"{port}\n")
            partial.replace(config.port_file)
        except OSError as error:
            # Whoever started this hub waits for the file, and would wait in vain.
            server.should_exit = True
            raise StartError(f"The port file cannot be written: {error}") from error


def _take_back(port_file: Path | None) -> None:
    """Before the port is closed: who finds the file where nobody answers knows that the hub was killed."""
    if port_file is not None:
        with contextlib.suppress(OSError):
            port_file.unlink()


def _descriptors() -> int | None:
    """How many files this process may have open, after asking for as many as it may ask for; None where none counts."""
    try:
        import resource
    except ImportError:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return None if soft == resource.RLIM_INFINITY else soft


def _origins(config: Config, port: int) -> frozenset[str]:
    """The web pages that may connect wherever they come from (`I1`): those that were named, and this machine's own."""
    own = {f"http://{name}:{port}" for name in ("127.0.0.1", "localhost", config.host)} if port else set()
    public = {config.public.origin} if config.public else set()
    return frozenset(own | public | set(config.origins))
