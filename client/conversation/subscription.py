"""Which match the session follows, if any: the one on screen."""

from __future__ import annotations

from collections.abc import Callable

from client.conversation.gaps import Following
from protocol.messages import Command


class OnScreen:
    """At most one match; each is followed from its first snapshot on, as `following.py` says."""

    def __init__(self) -> None:
        self.following: Following | None = None

    @property
    def match(self) -> str | None:
        """Its id."""
        return self.following.match if self.following is not None else None

    @property
    def version(self) -> int | None:
        """Its last version that came without a gap."""
        return self.following.version if self.following is not None else None

    def of(self, match: str) -> Following | None:
        """The following of this match; None when it is another one that is on screen."""
        return self.following if self.match == match else None

    def elements(self, match: str) -> frozenset[str] | None:
        """The elements of this match's board, as far as they are known."""
        following = self.of(match)
        return following.elements if following is not None else None

    def follow(self, match: str, now: float) -> Following:
        """Follow this match from now on."""
        if self.following is None or self.following.match != match:
            self.following = Following(match, now)
        return self.following

    def forget(self) -> str | None:
        """Follow nothing any more; which match it was."""
        match, self.following = self.match, None
        return match

    def suspect(self) -> None:
        """Something may have been missed."""
        if self.following is not None:
            self.following.suspect()

    def lost_connection(self) -> None:
        """Nobody will answer what was asked."""
        if self.following is not None:
            self.following.lost_connection()

    def question(self, new_ref: Callable[[], str], now: float) -> Command | None:
        """What to ask the server now."""
        return self.following.question(new_ref, now) if self.following is not None else None
