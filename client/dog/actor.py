"""The actor that a student's game owns."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from client.conversation.address import parse_address
from client.dog.interface import (
    CONNECTED_TEXT,
    NO_GAME_FILE_TEXT,
    OFFLINE,
    OFFLINE_TEXT,
    DogPlayerInterface,
    StartStatus,
)
from client.dog.line import Courier, Deliver, Line
from client.dog.ruled import RuledLine
from client.dog.told import ToldLine

GAME_FILE = "game.id"
CATALOGUE_NAME = re.compile(r"[a-z]+(-[a-z]+)*")
DEFAULT_SERVER = "127.0.0.1"


class DogActor:
    """Speaks for one player of one game.

    `server` is where the hub is, as for `parlour --server`. `deliver` says on which thread callbacks come; without it
    that is one of the actor's own. `game_file` is looked for where the program runs and beside it.
    """

    def __init__(
        self, server: str = DEFAULT_SERVER, *, deliver: Deliver | None = None, game_file: str | Path = GAME_FILE
    ) -> None:
        self._address = parse_address(server)
        self._deliver = deliver
        self._game_file = Path(game_file)
        self._line: Line | None = None
        self._courier: Courier | None = None

    def initialize(self, player_name: str, interface: DogPlayerInterface) -> str:
        """Connect as `player_name` (`UD RF1`); returns a sentence that games compare with."""
        game_id = self._game_id()
        if game_id is None:
            return NO_GAME_FILE_TEXT
        self.close()
        self._courier = Courier(self._deliver)
        lines: list[Line] = [ToldLine(self._address, player_name, game_id, interface, self._courier)]
        if CATALOGUE_NAME.fullmatch(game_id.strip()):
            # It may be one of the server's games; only the server knows.
            lines.insert(0, RuledLine(self._address, player_name, game_id.strip(), interface, self._courier))
        for line in lines:
            if line.connect():
                self._line = line
                return CONNECTED_TEXT
            line.close()
        self.close()
        return OFFLINE_TEXT

    def start_match(self, number_of_players: int) -> StartStatus:
        """Ask for a match of so many players (`UD RF2`)."""
        if self._line is None:
            return StartStatus(OFFLINE, OFFLINE_TEXT, [], "")
        return self._line.start(number_of_players)

    def send_move(self, move: dict[str, Any]) -> None:
        """Send a move to the others (`UD RF4`). Raises MoveRefused in a game whose rules the server knows."""
        if self._line is not None:
            self._line.send(move)

    def close(self) -> None:
        """Go away; the library has nothing like it, a program that ends need not call it."""
        if self._line is not None:
            self._line.close()
            self._line = None
        if self._courier is not None:
            self._courier.close()
            self._courier = None

    def _game_id(self) -> str | None:
        for folder in (Path(), Path(sys.argv[0]).parent, Path(sys.argv[0]).parent / "dog"):
            try:
                return (folder / self._game_file).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue
        return None
