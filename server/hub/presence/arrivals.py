"""How a player comes in: by a token or as a new guest, through all doors, under a name that nobody else has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from protocol.messages import Hello
from server.hub.limits.admission import GuestGate
from server.hub.limits.settings import Limits
from server.hub.presence.identity import Login, known_guest, login, new_id, welcome_new
from server.hub.presence.live_names import LiveNames
from server.hub.presence.online import OnlinePlayers
from server.hub.viewers.viewer import Viewer
from server.store.port import Store


class Arrivals:
    """Lets viewers in. One who is refused has left nothing behind."""

    def __init__(self, store: Store, names: LiveNames, online: OnlinePlayers, limits: Limits) -> None:
        self._store = store
        self._names = names
        self._online = online
        self._guests = GuestGate(limits)
        self.doors: list[Callable[[Viewer, str], Callable[[], None]]] = []
        """Asked before a player is let in; each may raise a Refusal, and returns how to go back through it."""

    async def let_in(self, viewer: Viewer, hello: Hello) -> tuple[Login, tuple[str, ...]]:
        """Who that is from now on, and the matches that are not over. Raises Refusal, or StoreUnavailable."""
        if hello.token is None:
            self._guests.admit(viewer.address)
        # A request by HTTP takes no name from others: it is gone when it is answered.
        stays = viewer.meter is not None
        known = await known_guest(self._store, hello)
        player = known.player if known is not None else new_id()
        matches = await self._store.unfinished(player) if known is not None else []
        with self._through_the_doors(viewer, player):
            if known is not None:
                who = await login(hello, known, self._names, stays=stays)
            else:
                who = await welcome_new(self._store, hello, player, self._names, stays=stays, secret=viewer.secret)
        # From here on nothing can go wrong.
        viewer.player, viewer.name = who.player, who.name
        if stays:
            self._online.come(viewer)
            self._names.come(viewer)
        return who, tuple(matches)

    @contextmanager
    def _through_the_doors(self, viewer: Viewer, player: str) -> Iterator[None]:
        """Past all doors before anything is done for the player; one who is refused within has never passed them."""
        passed: list[Callable[[], None]] = []
        try:
            for door in self.doors:
                passed.append(door(viewer, player))
            yield
        except BaseException:
            for go_back in passed:
                go_back()
            raise
