"""The two things that a student's game and its actor exchange (`UD RF1`, `RF2`, `RF4` to `RF7`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

OFFLINE = "0"
TOO_FEW = "1"
STARTED = "2"

CONNECTED_TEXT = "Conectado a Dog Server"
OFFLINE_TEXT = "Você está sem conexão"
NO_GAME_FILE_TEXT = "Arquivo de configuração do jogo não encontrado"
TOO_FEW_TEXT = "Jogadores insuficientes"
STARTED_TEXT = "Partida iniciada"


class StartStatus:
    """How asking for a match went, or that one has begun."""

    def __init__(self, code: str, message: str, players: list[list[str]], local_id: str) -> None:
        self._code = code
        self._message = message
        self._players = players
        self._local_id = local_id

    def get_code(self) -> str:
        """`"0"` offline, `"1"` too few players, `"2"` started."""
        return self._code

    def get_message(self) -> str:
        """The same as a sentence."""
        return self._message

    def get_players(self) -> list[list[str]]:
        """`[name, id, order]` of everybody, one's own first; order "1" moves first."""
        return [list(player) for player in self._players]

    def get_local_id(self) -> str:
        """One's own id."""
        return self._local_id


class DogPlayerInterface(ABC):
    """What a game is told. The calls come one after the other, on the thread that the actor was given."""

    @abstractmethod
    def receive_start(self, start_status: StartStatus) -> None:
        """Another player has started a match with this one in it (`UD RF5`)."""

    @abstractmethod
    def receive_move(self, a_move: dict[str, Any]) -> None:
        """Another player has moved (`UD RF6`)."""

    @abstractmethod
    def receive_withdrawal_notification(self) -> None:
        """Another player has left, and the match is over (`UD RF7`)."""
