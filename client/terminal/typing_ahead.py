"""What is typed faster than the screen can follow: it reaches what it was meant for, or nobody.

Textual takes a key from the terminal, hands it to the widget that has the keys, and learns only when it has bubbled
back which screen it opens. What was typed meanwhile is by then on its way to the widget below, so here one key is done
with before the next one is handed out (`CK 5.4.1`, `DB 7.3.2.1`).
"""

from __future__ import annotations

from collections import deque

from textual import events
from textual.message import Message
from textual.widget import Widget

from client.shown.actions.controls import BY_ACTION
from client.terminal.drawing.dressing import Dressed
from client.terminal.screens.base import Dialog, ParlourScreen

MOST = 400
"""Keys that are kept at most, a pasted line in a terminal that tells nothing of pasting; later ones are dropped."""
ROUNDS = 3
"""How often the mark behind a key makes its way: behind the key, behind what its action posted, and behind what came of
that, such as a line that was submitted and the dialog that closes with it."""
LOOK_S = 0.02
"""How often it is looked whether what keys wait for is there."""
PATIENCE_S = 2.0
"""How long keys wait for a dialog that is being made, or are dropped on the way to a screen or into a match."""
PAUSE_S = 0.8
"""Who types on into what is gone, or never opened, has noticed after a pause this long."""
NOTICED_S = 5.0
"""After this long keys count again, pause or not."""
WAYS_OUT = frozenset(key for key in ("ctrl+c", *BY_ACTION["quit"].keys) if "+" in key)
"""These are never kept back."""


class Passed(Message):
    """Follows a key on its way up; where it arrives the key has been before."""

    def __init__(self, number: int, rounds: int) -> None:
        super().__init__()
        self.number = number
        self.rounds = rounds


class TypingAhead(Dressed[None]):
    """Hands out what is typed one after the other."""

    _number = 0
    _in_hand: Widget | None = None
    """Who was given the last key, while it is on its way."""
    _since = 0.0
    _is_looking = False
    _deaf_since: float | None = None
    _last_typed = 0.0
    _changed = 0.0
    """Since when what is on screen, under all dialogs, is there: what was typed earlier was typed on another one."""

    def __init__(self, *, dark: bool) -> None:
        super().__init__(dark=dark)
        self._typed: deque[events.Key | events.Paste] = deque()

    @property
    def is_entering(self) -> bool:
        """Whether a hub is asked for a match to be shown in place of what is on screen."""
        raise NotImplementedError

    def change_ground(self) -> None:
        """Another screen, or match, is there from now on."""
        self._changed = _now()

    def turn_deaf(self) -> None:
        """Whatever is typed on is meant for something that is not there: drop it, until there is a pause."""
        self._deaf_since = self._last_typed = _now()

    async def on_event(self, event: events.Event) -> None:
        """Keep what is typed in its order."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            if isinstance(event, events.Key) and event.key in WAYS_OUT:
                await super().on_event(event)
            elif len(self._typed) < MOST:
                self._typed.append(event)
                await self._hand_out()
        else:
            await super().on_event(event)

    async def on_passed(self, message: Passed) -> None:
        """The key was everywhere; so was, after some rounds, what came of it."""
        if self._in_hand is None or message.number != self._number:
            return
        if not self._follow(message.rounds - 1):
            await self._hand_out()

    def _follow(self, rounds: int) -> bool:
        """Send the mark on its way, if it has one to go."""
        target = self.focused or self.screen
        self._in_hand = target if rounds > 0 and target.post_message(Passed(self._number, rounds)) else None
        return self._in_hand is not None

    async def _hand_out(self) -> None:
        while self._typed and self._in_hand is None:
            if self._is_for_nobody():
                self._typed.popleft()
            elif self._has_to_wait():
                break
            else:
                event = self._typed.popleft()
                self._number += 1
                self._since = _now()
                target = self.focused or self.screen
                await super().on_event(event)
                if target.post_message(Passed(self._number, ROUNDS)):
                    self._in_hand = target
        if self._typed and not self._is_looking:
            self._is_looking = True
            self.set_timer(LOOK_S, self._look)

    async def _look(self) -> None:
        """The mark is lost with a dialog that closes; and a screen is ready without telling."""
        self._is_looking = False
        if self._in_hand is not None and (self._is_lost(self._in_hand) or self._is_late()):
            self._in_hand = None
        await self._hand_out()

    def _is_lost(self, target: Widget) -> bool:
        return not target.is_attached or target.screen is not self.screen

    def _is_late(self) -> bool:
        return _now() - self._since > PATIENCE_S

    def _is_for_nobody(self) -> bool:
        """Whether the next key came between two screens, or is meant for something that is gone."""
        typed_at = self._typed[0].time
        if self._deaf_since is not None:
            if typed_at - self._last_typed < PAUSE_S and typed_at - self._deaf_since < NOTICED_S:
                self._last_typed = typed_at
                return True
            self._deaf_since = None
        if typed_at < self._changed:
            return True
        is_made = isinstance(self.screen, ParlourScreen) and not self.screen.takes_keys
        return (is_made or self.is_entering) and typed_at - self._since < PATIENCE_S

    def _has_to_wait(self) -> bool:
        """Whether it is for a dialog that is being made."""
        return isinstance(self.screen, Dialog) and not self.screen.takes_keys and not self._is_late()


def _now() -> float:
    """The time by the clock that events bear, in seconds."""
    return Message().time
