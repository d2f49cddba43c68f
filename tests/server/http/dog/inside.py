"""The gateway inside the test's own process, over a real store whose clock the test moves; no answer is held."""

from __future__ import annotations

import ast
import asyncio
import json
from itertools import count
from typing import Any
from urllib.parse import urlencode

from starlette.types import Message

from server.games import load_catalogue
from server.http.dog.book import HallBook
from server.http.dog.gateway import Gateway
from server.http.dog.halls import Guest
from server.http.dog.holding import Answer
from server.http.dog.presence import Presence
from server.http.dog.routes import Routes
from server.http.dog.sweep import Sweep
from server.http.dog.tables import Tables
from server.http.dog.wire import who
from server.hub.presence.tracker import PresenceTracker
from server.hub.rooms.keeper import Keeper
from server.store.redis_store import RedisStore

_GAMES = count(1)


class MovedStore(RedisStore):
    """A store whose clock can be moved on."""

    moved_ms = 0

    def now_ms(self) -> int:
        return super().now_ms() + self.moved_ms


class Inside:
    """One hub's gateway, and one game."""

    def __init__(self, store: MovedStore, grace_s: float) -> None:
        self.store = store
        self.keeper = Keeper(self.store, load_catalogue())
        attendance = PresenceTracker(self.keeper, self.store)
        self.book, self.tables = HallBook(self.store), Tables(self.keeper, attendance, self.store)
        self.presence = Presence(self.store, int(grace_s * 1000))
        self.gateway = Gateway(self.store, self.book, self.tables, self.presence, hold_s=0)
        self.sweep = Sweep(
            self.gateway, self.store, self.keeper, self.book, self.tables, self.presence, lambda: ()
        )  # fmt: skip
        self.game = f"inside {next(_GAMES)}"

    async def begin(self) -> None:
        """Learn the time."""
        await self.keeper.beat()

    async def pass_time(self, seconds: float) -> None:
        """Let time go by, and the regular work be done."""
        self.store.moved_ms += int(seconds * 1000)
        await self.keeper.beat()
        await self.sweep.once()

    async def asked(self, path: str, player: str, **form: str) -> Answer:
        """What a call leads to; what is to be done after it has gone out is not done yet."""
        fields = {"player_id": player, "game_id": self.game, **form}
        answer: Answer = await getattr(self.gateway, path)(fields, asyncio.Event())
        return answer

    async def call(self, path: str, player: str, **form: str) -> str:
        """The answer to a call, in a word."""
        answer = await self.asked(path, player, **form)
        await answer.after()
        return in_a_word(path, answer)

    async def break_off(self, path: str, player: str) -> None:
        """A program's window is closed while its call is held: the hub hears of nothing but the call's end."""
        form = urlencode({"player_id": player, "game_id": self.game}).encode()
        told: list[Message] = [{"type": "http.disconnect"}, {"type": "http.request", "body": form}]

        async def receive() -> Message:
            return told.pop()

        async def send(message: Message) -> None:
            raise AssertionError(f"nobody is there to be told {message}")

        gateway = Gateway(self.store, self.book, self.tables, self.presence)
        routes = Routes(gateway, lambda base, table: b"", self.tables.record)
        await routes({"type": "http", "method": "POST", "path": f"/dog/{path}/"}, receive, send)

    async def say(self, player: str, status: str) -> str:
        """Send a move with that status."""
        return await self.call("move", player, move=json.dumps({"match_status": status}))

    async def guest(self, player: str) -> Guest | None:
        """What the hub knows of the player."""
        hall = await self.book.hall(who({"player_id": player, "game_id": self.game}).hall)
        return hall.guests.get(player)

    async def sit(self, *players: str, asking: bool = True) -> None:
        """Register players, who then ask for a match."""
        for player in players:
            assert await self.call("player", player, player_name=f"Player {player}") == "yes"
            if asking:
                assert await self.call("started", player) == "none yet"


def in_a_word(path: str, answer: Answer) -> str:
    """How the library understands an answer."""
    status, body = answer.reply
    if path == "match":
        assert status == 200
        return in_a_move(body) if body else "nothing"
    if status != 200:
        return "no"
    if path in ("player", "move"):
        return "yes"
    return {"1": "none yet", "2": "a match"}[body["code"]]


def in_a_move(body: dict[str, Any]) -> str:
    """The status of what `match/` told, or that the match is over."""
    status: str = ast.literal_eval(body["1"])["match_status"]
    return "over" if status == "interrupted" else status
