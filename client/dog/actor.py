"""The actor that a student's game owns."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from client.conversation.address import ENDPOINT, Address, parse_address
from client.dog.interface import (
    CONNECTED_TEXT,
    NO_GAME_FILE_TEXT,
    OFFLINE,
    OFFLINE_TEXT,
    DogPlayerInterface,
    StartStatus,
)
from client.dog.line import Courier, Deliver, Line
from client.dog.proxy import IN_MATCH, NO_GAME_FILE, NOT_CONNECTED, WITHOUT_MATCH, Proxy
from client.dog.remembered import Remembered
from client.dog.ruled import RuledLine
from client.dog.told import ToldLine

GAME_FILE = "game.id"
CONFIG = "config"
CATALOGUE_NAME = re.compile(r"[a-z]+(-[a-z]+)*")
DEFAULT_SERVER = "127.0.0.1"
DOG = "/dog"


class DogActor:
    """Speaks for one player of one game.

    `server` is where the hub is, as for `parlour --server`, or the address that the library would be given
    (`http://HOST:7878/dog/TABLE/`). `deliver` says on which thread callbacks come; without it that is one of the
    actor's own. `game_file` is looked for in `config/` beside the program and where it runs, then in these two
    themselves. `wait_s`: so long `start_match` waits for the second player. `come_back`: a program that crashed comes
    back into its match, if it is started again on the same machine under the same name. `language` is for sentences.

    Raises BadAddress.
    """

    def __init__(
        self,
        server: str = DEFAULT_SERVER,
        *,
        deliver: Deliver | None = None,
        game_file: str | Path = GAME_FILE,
        wait_s: float = 0.0,
        come_back: bool = False,
        language: str = "pt",
    ) -> None:
        super().__init__()
        self.use_server(server)
        self._deliver = deliver
        self._game_file = Path(game_file)
        self._wait_s = wait_s
        self._come_back = come_back
        self._language = language
        self._line: Line | None = None
        self._courier: Courier | None = None
        self._remembered: Remembered | None = None
        self.proxy = Proxy(self)
        self.player_name = ""
        self.game_id: str | None = None

    def use_server(self, server: str) -> None:
        """Where the hub is, from the next `initialize` on. Raises BadAddress."""
        address = parse_address(server)
        host, _, table = f"{address.url.removesuffix(ENDPOINT)}/".partition(f"{DOG}/")
        host = host.rstrip("/")
        self._told = f"{host}{DOG}/{table}"
        self._address = Address(f"{host}{ENDPOINT}", address.label, address.host, address.port, address.scheme)

    @property
    def told_url(self) -> str:
        """Where the gateway's paths are."""
        return "http" + self._told.removeprefix("ws")

    def initialize(self, player_name: str, interface: DogPlayerInterface) -> str:
        """Connect as `player_name` (`UD RF1`); returns a sentence that games compare with."""
        self.close()
        self.player_name = player_name
        self.game_id = self._read_game_id()
        if self.game_id is None:
            return NO_GAME_FILE_TEXT
        if self._come_back:
            self._remembered = Remembered(self.game_id, player_name, self.told_url)
        self._courier = Courier(self._deliver)
        lines: list[Line] = [
            ToldLine(self.told_url, player_name, self.game_id, interface, self._courier, self._remembered)
        ]
        if CATALOGUE_NAME.fullmatch(self.game_id.strip()):
            # It may be one of the server's games; only the server knows.
            lines.insert(
                0,
                RuledLine(
                    self._address, player_name, self.game_id.strip(), interface, self._courier, self._remembered,
                    self._language,
                ),
            )  # fmt: skip
        why = OFFLINE_TEXT
        for line in lines:
            if line.connect():
                self._line = line
                return CONNECTED_TEXT
            why = line.why
            line.close()
        self.close()
        return why

    def start_match(self, number_of_players: int) -> StartStatus:
        """Ask for a match of so many players (`UD RF2`)."""
        if self._line is None:
            return StartStatus(OFFLINE, OFFLINE_TEXT, [], "")
        return self._line.start(number_of_players, self._wait_s)

    def send_move(self, move: dict[str, Any]) -> dict[str, Any] | None:
        """Send a move to the others (`UD RF4`).

        Where the server knows the rules, what the move did is returned: the same that the others get. Raises
        MoveRefused for a move that nobody is told of: one against those rules, one that is none (no `match_status`,
        NaN, too long), or one that could not be sent.
        """
        return self._line.send(move) if self._line is not None else None

    @property
    def status(self) -> int:
        """What the library calls its status: see `client.dog.proxy`."""
        if self._line is not None:
            return IN_MATCH if self._line.in_match else WITHOUT_MATCH
        return NOT_CONNECTED if self.game_id is not None else NO_GAME_FILE

    @property
    def local_id(self) -> str:
        """One's own id."""
        return self._line.local_id if self._line is not None else ""

    def close(self) -> None:
        """Go away; the library has nothing like it, a program that ends need not call it."""
        if self._line is not None:
            self._line.close()
            self._line = None
        if self._courier is not None:
            self._courier.close()
            self._courier = None
        if self._remembered is not None:
            self._remembered.close()
            self._remembered = None

    def _read_game_id(self) -> str | None:
        program = Path(sys.argv[0]).parent
        for folder in (program / CONFIG, Path(CONFIG), Path(), program, program / "dog"):
            try:
                return (folder / self._game_file).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue
        return None
