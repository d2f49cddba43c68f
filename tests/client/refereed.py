"""A match under the server's own pure machine, told as a hub tells it, for tests of what a client makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from client.conversation.events import InStep
from client.shown.model import Link, Model, update
from protocol.messages import ClockRule, GameInfo, MatchEvent, Snapshot
from protocol.text import Translate, translator
from server.games import load_catalogue
from server.match import commands, machine
from server.match.asked import Asked, Outage
from server.match.telling import needs_snapshot, notification
from server.match.views import snapshot
from tests.server.match.table import as_seen

CATALOGUE = load_catalogue()
PLAYERS = ("ada", "ben")
ENGLISH: Translate = translator("en", "")
TOTAL = ClockRule(total_ms=60_000, increment_ms=2_000)


def infos() -> dict[str, GameInfo]:
    """Every game, as far as screens need to know it."""
    return {
        game.name: GameInfo(
            name=game.name,
            title=game.title.render(ENGLISH) if hasattr(game.title, "render") else str(game.title),
            summary="",
            help="",
            computer=bool(game.levels),
            levels=game.levels,
            usual_level=game.usual_level,
            clock=game.clock,
            lessons=tuple(lesson.title for lesson in game.lessons),
        )
        for game in CATALOGUE.values()
    }


class Refereed:
    """`now_ms` is the shared clock; the test moves it. Ada has seat 0, Ben seat 1; with `both` Ada has both."""

    def __init__(
        self, game: str = "dots-and-boxes", *, both: bool = False, joined: bool = True, **created: Any
    ) -> None:
        self.now_ms = created.pop("now_ms", 1_000_000)
        self._refs = 0
        self.outages: tuple[Outage, ...] = ()
        options = created.pop("options", {"width": 3, "height": 3} if game == "dots-and-boxes" else {})
        event = machine.create(CATALOGUE[game], options, "Ada", self._by("ada"), both_seats=both, **created)
        self.match = machine.open_match("m1", event, CATALOGUE)
        if joined and not both:
            self.do("ben", commands.Join("Ben"))

    def _by(self, player: str) -> Asked:
        self._refs += 1
        return Asked(player, f"r{self._refs}", self.now_ms, self.outages)

    def do(self, player: str, command: commands.MatchCommand) -> list[MatchEvent | Snapshot]:
        """What everybody is told when it is granted; a snapshot is Ada's. Raises Refusal."""
        return self._told(machine.decide(self.match, as_seen(self.match, command), self._by(player)))

    def _told(self, steps: Sequence[machine.Step]) -> list[MatchEvent | Snapshot]:
        told: list[MatchEvent | Snapshot] = []
        for step in steps:
            self.match = step.after
            told.append(notification(step, ENGLISH))
            if needs_snapshot(step):
                told.append(self.snapshot())
        return told

    def play(self, move: str | None = None) -> list[MatchEvent | Snapshot]:
        """The next move: this one, or the first that is legal."""
        assert self.match.turn is not None
        holder = self.match.seats[self.match.turn]
        assert holder is not None
        return self.do(holder.player, commands.Play(self.match.version, move or min(self.match.legal_set)))

    def excuse(self) -> list[MatchEvent | Snapshot]:
        """The hub tells the match of the outages."""
        return self._told(machine.decide(self.match, commands.Notice((True, True)), self._by("")))

    def snapshot(self, player: str = "ada") -> Snapshot:
        """What `player` sees; anybody else is a spectator."""
        return snapshot(self.match, player, ENGLISH, self.now_ms, here=(True, True), outages=self.outages)

    def model(self, player: str = "ada", *, ahead_ms: float = 0.0) -> Model:
        """A client that has just been shown the match; the server's clock is `ahead_ms` of its own."""
        model = Model(link=Link.UP, player=player, games=infos())
        return update(update(model, InStep(ahead_ms)), self.snapshot(player))
