"""What the user had in front of them when a key was pressed: an answer is about the offer that was seen (`Q1`).

An offer can be replaced by another one while a hand is on its way to the key. So what counts is not the offer that is
open when the key arrives but the one that was on screen a moment before; the server refuses an answer to one that is
open no longer, and says so.
"""

from __future__ import annotations

from protocol.messages import Answer, Command, Offer, Snapshot, Withdraw

REACTION_S = 0.6
"""Who presses a key decided to at least this long ago: seeing, choosing and pressing take an adult half a second."""
TYPING_S = 2.0
"""The same where a word and Enter are typed."""


class Eyes:
    """Offers as they were shown: `look` whenever something has changed. Times are seconds of the client's clock."""

    def __init__(self, lag_s: float = REACTION_S) -> None:
        self._lag_s = lag_s
        self._match = ""
        self._dealt_with = 0
        self._shown: list[tuple[float, int]] = [(float("-inf"), 0)]
        """Since when which offer is on screen (0: none), the newest last; the first is older than the lag."""

    def look(self, match: Snapshot | None, now: float) -> None:
        """From now on this is on screen."""
        name = match.match if match is not None else ""
        offer = match.offer.version if match is not None and match.offer is not None else 0
        if name != self._match:
            self._match, self._dealt_with = name, 0
            self._shown = [(float("-inf"), 0)]
        if offer != self._shown[-1][1]:
            self._shown.append((now, offer))
        while len(self._shown) > 1 and self._shown[1][0] <= now - self._lag_s:
            del self._shown[0]

    def seen(self, now: float) -> int:
        """The offer that is meant by a key that arrives now; 0: none."""
        before = next(offer for since, offer in reversed(self._shown) if since <= now - self._lag_s)
        return before if before > self._dealt_with else self._shown[-1][1]

    def sent(self, command: Command) -> None:
        """Once the user has answered, withdrawn or offered, what was on screen until now is dealt with."""
        if isinstance(command, Answer | Offer | Withdraw):
            self._dealt_with = max(offer for _, offer in self._shown)
