"""Saving, loading and going back (`DB 7.3.3.1`, `7.3.3.2`, `8.2`): the commands for it, and what to do with answers.

The server's record of a match is asked for twice: to be written to a file, and to see whether the moves of a file led
to the position that was saved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from client.kept import saves
from client.kept.saves import SavedGame, SaveError
from protocol.messages import Accepted, Command, Create, GetRecord, Offer, Record, Replaced, Snapshot

OTHER_POSITION = "This is not the position that was saved: the file or the game has changed since."


@dataclass(frozen=True)
class _Wanted:
    name: str
    replace: bool


class Keeping:
    """`send` takes a command, `ref` makes the name of one, `say` prints lines."""

    def __init__(
        self, send: Callable[[Command], None], ref: Callable[[], str], say: Callable[[Sequence[str]], object]
    ) -> None:
        self._send = send
        self._ref = ref
        self._say = say
        self._purposes: dict[str, _Wanted | SavedGame] = {}
        """By the ref of the question for a record: what to save it as, or what to compare it with."""
        self._reverted: dict[str, SavedGame] = {}
        """By match: the saved game that it was last offered to go back to."""
        self._started: dict[str, SavedGame] = {}
        """By the ref of the command that starts a match: the saved game that it starts from."""

    def save(self, name: str, match: str, *, replace: bool = False) -> None:
        """Ask for what is to be saved under `name`; a bad name is told at once."""
        try:
            saves.checked_name(name)
        except SaveError as error:
            self._say([str(error)])
        else:
            self._ask(match, _Wanted(name, replace))

    def start(self, saved: SavedGame, command: Create) -> None:
        """Start a match from a saved game by `command`, which has its moves."""
        self._started[command.ref] = saved
        self._send(command)

    def revert(self, name: str, match: Snapshot) -> None:
        """Offer to go back to the saved game of this name (`RU-M6`)."""
        try:
            saved = saves.choose(name, match.game, match.options)
        except SaveError as error:
            self._say([str(error)])
        else:
            self.expect(saved, match.match)
            offer = Offer(ref=self._ref(), match=match.match, kind="revert", moves=saved.moves, version=match.version)
            self._send(offer)

    def expect(self, saved: SavedGame, match: str) -> None:
        """It was offered to go back to this saved game in the match."""
        # One match is on screen; what was offered in another is of no interest any more.
        self._reverted = {match: saved}

    def happened(self, event: object) -> None:
        """Take what happens in a match: once it has gone back, whether that is the position that was saved."""
        if isinstance(event, Replaced) and event.by == "revert" and event.match in self._reverted:
            self._ask(event.match, self._reverted.pop(event.match))

    def settled(self, command: Command, answer: object) -> None:
        """Take the answer to a command, whoever sent it."""
        purpose = self._purposes.pop(command.ref, None)
        started = self._started.pop(command.ref, None)
        if isinstance(answer, Accepted) and started is not None:
            self._ask(answer.match, started)
        elif isinstance(answer, Record) and isinstance(purpose, _Wanted):
            self._write(answer, purpose)
        elif isinstance(answer, Record) and isinstance(purpose, SavedGame) and not purpose.leads_to(answer):
            self._say([OTHER_POSITION])

    def _ask(self, match: str, purpose: _Wanted | SavedGame) -> None:
        command = GetRecord(ref=self._ref(), match=match)
        self._purposes[command.ref] = purpose
        self._send(command)

    def _write(self, record: Record, wanted: _Wanted) -> None:
        try:
            path = saves.save(record, wanted.name, replace=wanted.replace)
        except SaveError as error:
            self._say([str(error)])
        else:
            moves = len(record.moves)
            self._say([f"Saved as “{path.stem}”, {moves} move{'' if moves == 1 else 's'}."])
