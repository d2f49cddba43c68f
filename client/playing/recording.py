"""What is done with the record of a match: it is saved, gone back to, or played on from against the computer."""

from __future__ import annotations

from client.kept.saves import SavedGame, SaveError, save
from client.playing import log_saves
from client.playing.new_match import Choice
from client.playing.practice import practice
from client.playing.sending import Sending
from protocol.messages import GetRecord, Offer, Record, Snapshot


class Recording(Sending):
    """Asks for records, and does what each was asked for."""

    _practising: tuple[str, int, Snapshot] | None = None
    """The ref of the question for a record, after how many moves play goes on, and the match."""
    _saving: tuple[str, str, bool] | None = None
    """The ref of the question for a record, under which name it is to be saved, and whether over another game."""

    def save(self, name: str, *, replace: bool = False) -> None:
        """Ask for the match's record, to be written to a file of this name (`DB 7.3.3.1`)."""
        match = self.model.match
        if match is not None and self.model.is_log:
            self.tell(*log_saves.save(self.model, name, replace=replace))
        elif match is not None:
            ref = self._ref()
            self._saving = (ref, name, replace)
            self._send(GetRecord(ref=ref, match=match.match))

    def revert(self, moves: tuple[str, ...]) -> None:
        """Ask to go back to a saved position (`DB 7.3.3.2`)."""
        match = self.model.match
        if match is not None:
            version = self.model.next_version
            self._send(Offer(ref=self._ref(), match=match.match, kind="revert", moves=moves, version=version))

    def go_back_to(self, saved: SavedGame) -> None:
        """The same, to that of a file; whether it was the one that was saved is told afterwards."""
        match = self.model.match
        if match is not None:
            self._keeping.expect(saved, match.match)
            self.revert(saved.moves)

    def practise(self) -> None:
        """Play on against the computer from the position that is looked at."""
        match = self.model.match
        if match is not None:
            ref = self._ref()
            self._practising = (ref, self.model.shown_ply, match)
            self._send(GetRecord(ref=ref, match=match.match))

    def _recorded(self, record: Record) -> None:
        """What was asked for a record: to save it, or to play on from it."""
        self._save_now(record)
        if self._practising is None or self._practising[0] != record.ref:
            return
        (_, ply, match), self._practising = self._practising, None
        begun = practice(record, ply, match, self._ref())
        self.last_choice = Choice(
            begun.game, tuple(begun.options.items()), False, "computer", begun.clock, level=begun.level, seat=begun.seat
        )
        self.leave_match()
        self._send(begun)

    def _save_now(self, record: Record) -> None:
        if self._saving is None or self._saving[0] != record.ref:
            return
        _, name, replace = self._saving
        self._saving = None
        try:
            path = save(record, name, replace=replace)
        except SaveError as error:
            self.tell(str(error), "save")
        else:
            self.tell(f"Saved as “{path.stem}”.", "")
