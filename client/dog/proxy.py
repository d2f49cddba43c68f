"""`actor.proxy`: what games read of the library's inside, and the one thing that they set there."""

from __future__ import annotations

from typing import Any, Protocol

from client.dog.interface import StartStatus

NO_GAME_FILE, NOT_CONNECTED, WITHOUT_MATCH, IN_MATCH = range(4)
"""The library's numbers for what it is doing."""


class Owner(Protocol):
    """The actor."""

    player_name: str
    game_id: str | None

    @property
    def told_url(self) -> str:
        """Where the gateway's paths are."""

    @property
    def status(self) -> int:
        """The library's number for what it is doing."""

    @property
    def local_id(self) -> str:
        """One's own id."""

    def use_server(self, server: str) -> None:
        """Raises BadAddress."""

    def start_match(self, number_of_players: int) -> StartStatus:
        """Ask for a match."""

    def send_move(self, move: dict[str, Any]) -> dict[str, Any] | None:
        """Raises MoveRefused."""


class Proxy:
    """The library has its connection in here. `url` is set before `initialize`; all else is the actor's."""

    def __init__(self, actor: Owner) -> None:
        self.dog_actor = actor

    @property
    def url(self) -> str:
        """The address that the library would post to."""
        return self.dog_actor.told_url

    @url.setter
    def url(self, address: str) -> None:
        """Raises BadAddress when it is none."""
        self.dog_actor.use_server(address)

    @property
    def status(self) -> int:
        """0 no `game.id`, 1 not connected, 2 connected and without a match, 3 in a match."""
        return self.dog_actor.status

    def get_status(self) -> int:
        """The same."""
        return self.status

    @property
    def player_id(self) -> str:
        """One's own id; in a game whose rules the server knows it is that of the match, once there is one."""
        return self.dog_actor.local_id

    @property
    def player_name(self) -> str:
        """The name that was given to `initialize`."""
        return self.dog_actor.player_name

    @property
    def game_id(self) -> str:
        """The text of `game.id`."""
        return self.dog_actor.game_id or ""

    def start_match(self, number_of_players: int) -> StartStatus:
        """The actor's."""
        return self.dog_actor.start_match(number_of_players)

    def send_move(self, move: dict[str, Any]) -> dict[str, Any] | None:
        """The actor's."""
        return self.dog_actor.send_move(move)

    def match_status(self) -> None:
        """The library asks for news here; some games ask themselves. Here news come by themselves."""

    start_status = match_status
