"""Who called when. Clients call once a second; but games open modal boxes inside their polling, for minutes."""

from __future__ import annotations

from collections import Counter

from server.http.dog.halls import Alive, Guest, Stage
from server.http.dog.wire import Who
from server.store.port import Store

BROKEN_MS = 3_000
"""Who breaks off while an answer is being held, and does not call for so long, is paired with nobody any more."""
CLOSED_MS = 20_000
"""Who breaks off so, and does not call for so long, is gone from its match, too: the library's calls know no timeout,
and it never calls again when one of them fails. So its window was closed, or it is out of reach and deaf."""
ASKING_MS = 30_000
"""Who asks for a match asks again within some 21 s, since its game has been told nothing about which it could show a
box."""
WRITE_MS = 10_000
"""How often it is written down at most that somebody called."""


class Presence:
    """Calls at this hub; those at others are known from the stored `Guest.seen_ms`."""

    def __init__(self, store: Store, grace_ms: int) -> None:
        self._store = store
        self.grace_ms = grace_ms
        self.called_ms: dict[Who, int] = {}
        self._calls: Counter[Who] = Counter()
        self._broken_ms: dict[Who, int] = {}
        self._excused_ms = store.now_ms()

    def begin(self, who: Who) -> None:
        """A call has come; while it is held its caller is there."""
        self._calls[who] += 1
        self._note(who)

    def end(self, who: Who, broken: bool) -> None:
        """The call is answered, or its connection was broken off."""
        self._calls[who] -= 1
        if self._calls[who] <= 0:
            del self._calls[who]
            if broken:
                self._broken_ms[who] = self._store.now_ms()
        if not broken:
            self._note(who)

    def excuse(self) -> None:
        """The hub or its store was away: everybody's grace time begins anew."""
        self._excused_ms = self._store.now_ms()

    def forget(self, who: Who) -> None:
        """The player is registered no more."""
        self.called_ms.pop(who, None)
        self._broken_ms.pop(who, None)

    def gone(self, hall: str, player: str, guest: Guest) -> bool:
        """Whether the grace time is over, or the game was closed."""
        who, grace_ms = Who(hall, player), self.grace_ms
        if who in self._broken_ms:
            grace_ms = min(grace_ms, CLOSED_MS)
        return self._silent_ms(who, max(guest.seen_ms, self._excused_ms)) > grace_ms

    def silent_ms(self, hall: str, player: str, guest: Guest) -> int:
        """For how long the player has not called; 0 while a call of it is held."""
        return self._silent_ms(Who(hall, player), guest.seen_ms)

    def alive(self, hall: str) -> Alive:
        """Whether one could be paired with a guest of that hall, or has to leave the id to it."""

        def alive(player: str, guest: Guest) -> bool:
            who = Who(hall, player)
            broken_ms = self._broken_ms.get(who)
            if broken_ms is not None and self._store.now_ms() - broken_ms > BROKEN_MS:
                return False
            bound_ms = min(ASKING_MS, self.grace_ms) if guest.stage is Stage.ASKING else self.grace_ms
            return self._silent_ms(who, guest.seen_ms) <= bound_ms

        return alive

    def _silent_ms(self, who: Who, known_ms: int) -> int:
        if who in self._calls:
            return 0
        return self._store.now_ms() - max(known_ms, self.called_ms.get(who, 0))

    def _note(self, who: Who) -> None:
        self.called_ms[who] = self._store.now_ms()
        self._broken_ms.pop(who, None)
