"""The two things that a student's game and its actor exchange (`UD RF1`, `RF2`, `RF4` to `RF7`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

OFFLINE = "0"
TOO_FEW = "1"
STARTED = "2"

CONNECTED_TEXT = "Conectado a Dog Server"
OFFLINE_TEXT = "Você está sem conexão"
NO_GATEWAY_TEXT = f"{OFFLINE_TEXT}: o servidor não foi iniciado com --dog"
NO_GAME_FILE_TEXT = "Arquivo de configuração do jogo não encontrado"
TOO_FEW_TEXT = "Jogadores insuficientes"
ONLY_TWO_TEXT = "Este jogo é para dois jogadores"
STARTED_TEXT = "Partida iniciada"
NO_MATCH = "no_match"
NO_MATCH_TEXT = "Não há partida em andamento."


class StartStatus:
    """How asking for a match went, or that one has begun.

    `position` is what a program without rules of its own needs to draw the start and to offer the first move: `legal`,
    `focus`, `changes`, `scores`, `text` and `turn` (the id of the player whose turn it is), as in what `receive_move`
    brings. It is empty in a game whose rules the server does not know.
    """

    def __init__(
        self,
        code: str,
        message: str,
        players: list[list[str]],
        local_id: str,
        position: Mapping[str, Any] | None = None,
    ) -> None:
        self.code = code
        self.message = message
        self.players = players
        self.local_id = local_id
        self.position: dict[str, Any] = dict(position or {})

    def get_code(self) -> str:
        """`"0"` offline, `"1"` too few players, `"2"` started."""
        return self.code

    def get_message(self) -> str:
        """The same as a sentence."""
        return self.message

    def get_players(self) -> list[list[str]]:
        """`[name, id, order]` of everybody, one's own first; order "1" moves first."""
        return self.players

    def get_local_id(self) -> str:
        """One's own id."""
        return self.local_id

    @property
    def legal(self) -> Sequence[str]:
        """The moves that the player whose turn it is has."""
        return list(self.position.get("legal", ()))

    @property
    def focus(self) -> Sequence[str]:
        """The elements to which the next move is confined; none: it is not."""
        return list(self.position.get("focus", ()))

    @property
    def text(self) -> str:
        """How it stands, as a sentence."""
        return str(self.position.get("text", ""))


class DogPlayerInterface:
    """What a game is told. The calls come one after the other, on the thread that the actor was given."""

    def __init__(self) -> None:
        super().__init__()

    def receive_start(self, start_status: StartStatus) -> None:
        """Another player has started a match with this one in it (`UD RF5`)."""

    def receive_move(self, a_move: dict[str, Any]) -> None:
        """Another player has moved (`UD RF6`)."""

    def receive_withdrawal_notification(self) -> None:
        """Another player has left, and the match is over (`UD RF7`)."""
