"""Moves that are not sent yet: confirmed first, or planned while the other side is to move."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import structs

from client.conversation.events import Chosen, Event, Offline, Planned, Sent, Stepped
from client.playing.actions import Doing
from client.shown.actions.plans import UNPLANNED, path_of, plan_line, touchable
from client.shown.board.scene import Hints, View, scene
from client.shown.model import Link, Model, update
from protocol.messages import Command, Moved, Paused, Replaced, Snapshot
from tests.client.refereed import CATALOGUE, Refereed

GAMES = sorted(CATALOGUE.keys() - {"relay"})
FLAT = View(1, 1, 0, 0)


class Ben(Doing):
    """He has the second seat; what he sends is kept."""

    def __init__(self, game: str) -> None:
        self.table = Refereed(game)
        self.model = update(Model(link=Link.UP), self.table.snapshot("ben"))
        self.sent: list[Command] = []

    def take(self, event: Event) -> None:
        self.model = update(self.model, event)
        self.follow_plan()

    def refresh_screens(self) -> None:
        pass

    def _send(self, command: Command) -> None:
        self.sent.append(command)
        self.take(Sent(command))

    def _ref(self) -> str:
        return f"r{len(self.sent)}"

    @property
    def moves(self) -> list[str]:
        return [command.move for command in self.sent if hasattr(command, "move")]

    def ada_plays(self, move: str) -> None:
        for told in self.table.play(move):
            self.take(told)


def last_to_move_is_ada(ben: Ben) -> str:
    """A move of Ada's after which it is Ben's turn."""
    game, match = ben.table.match.game, ben.table.match
    return next(move for move in match.legal if game.to_move(game.play(match.state, move)) == 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_planned_move_is_played_on_ones_turn_once(game: str) -> None:
    ben = Ben(game)
    first = last_to_move_is_ada(ben)
    after = ben.table.match.game.play(ben.table.match.state, first)
    planned = ben.table.match.game.legal_moves(after)[-1]
    assert ben.model.may_plan
    ben.play(planned)
    assert (ben.moves, ben.model.plan.path) == ([], path_of(ben.table.snapshot("ben"), planned))
    assert plan_line(ben.model).startswith("Planned for your next turn: ")
    ben.ada_plays(first)
    assert ben.moves == [planned]
    assert ben.model.plan == Planned()


def test_what_has_become_impossible_is_dropped_and_said() -> None:
    ben = Ben("square")
    first = last_to_move_is_ada(ben)
    ben.play(first)
    ben.ada_plays(first)
    assert ben.moves == []
    assert ben.model.plan == Planned(dropped=True)


def test_the_same_again_revokes_and_a_drawn_line_is_no_plan() -> None:
    ben = Ben("square")
    planned = ben.table.match.legal[-1]
    ben.play(planned)
    ben.play(planned)
    assert ben.model.plan == Planned()
    ben.play(planned)
    assert ben.drop_plan()
    assert not ben.drop_plan()
    ben.ada_plays(last_to_move_is_ada(ben))
    assert ben.moves == []
    match = ben.table.snapshot("ben")
    assert path_of(match, next(iter(match.marks))) == ()


def snapshot_of(ben: Ben) -> Snapshot:
    return ben.table.snapshot("ben")


ENDS: dict[str, Callable[[Ben], Event]] = {
    "a snapshot": snapshot_of,
    "a lost connection": lambda _: Offline(1.0, ""),
    "looking back": lambda _: Stepped(0),
    "a pause": lambda ben: Paused(match="m1", version=9, at_ms=1, seat=0, until_ms=2),
    "moves taken back": lambda ben: Replaced(match="m1", version=9, at_ms=1, seat=0, by="takeback"),
}


@pytest.mark.parametrize("premove", [True, False])
def test_without_a_connection_no_move_is_planned_or_sent_out_of_turn(premove: bool) -> None:
    """P15: it would be played in a position that nobody has seen."""
    ben = Ben("square")
    ben.take(Chosen(confirm=False, premove=premove))
    ben.take(Offline(1.0, ""))
    ben.play(ben.table.match.legal[-1])
    assert (ben.model.plan, ben.moves) == (Planned(), [])
    assert ben.model.notice.text == UNPLANNED


@pytest.mark.parametrize("end", ENDS)
def test_a_plan_dies_with_its_position(end: str) -> None:
    ben = Ben("square")
    ben.play(ben.table.match.legal[-1])
    assert ben.model.plan.path
    ben.take(ENDS[end](ben))
    assert ben.model.plan == Planned()
    assert ben.moves == []


def test_pieces_are_planned_among_the_moves_of_ones_last_turn() -> None:
    ben = Ben("checkers")
    ben.ada_plays(ben.table.match.legal[0])
    for told in ben.table.play(ben.table.match.legal[0]):
        ben.take(told)
    ben.take(ben.table.snapshot("ben"))
    match = touchable(ben.model)
    assert match is not None
    assert match.legal == ben.table.match.resting
    ben.play(match.legal[0])
    drawn = scene(ben.table.snapshot("ben"), FLAT, Hints(planned=ben.model.plan.path))
    assert [one.id for one in drawn if one.planned] == [ben.model.plan.path[-1]]
    assert {one.id for one in drawn if one.pending} == set(ben.model.plan.path)
    assert {one.owner for one in drawn if one.pending} == {1}


@pytest.mark.parametrize("premove", [True, False])
def test_what_is_touched_while_ones_own_move_is_on_its_way_is_not_sent_as_one(premove: bool) -> None:
    """Nobody here knows whose turn follows it, and the hub would call it stale, which it is by one's own move alone."""
    ben = Ben("square")
    ben.take(Chosen(confirm=False, premove=premove))
    ben.ada_plays(last_to_move_is_ada(ben))
    first, second = snapshot_of(ben).legal[:2]
    ben.play(first)
    ben.play(second)
    assert ben.moves == [first]
    assert ben.model.plan.path == (path_of(snapshot_of(ben), second) if premove else ())


def test_without_premove_the_server_is_asked_as_before() -> None:
    """It says that it is not one's turn."""
    ben = Ben("square")
    ben.take(Chosen(confirm=False, premove=False))
    ben.play("a1-a2")
    assert ben.moves == ["a1-a2"]


def test_a_move_is_sent_once_it_is_confirmed() -> None:
    ben = Ben("square")
    ben.take(Chosen(confirm=True, premove=True))
    ben.ada_plays(last_to_move_is_ada(ben))
    first, second = ben.table.match.legal[:2]
    ben.play(first)
    assert (ben.moves, plan_line(ben.model)) == ([], f"Play {first}?")
    assert ben.drop_plan()
    ben.confirm()
    assert ben.moves == []
    ben.play(second)
    ben.confirm()
    ben.confirm()
    assert ben.moves == [second]


def test_what_is_moved_by_somebody_else_is_confirmed_by_nobody() -> None:
    """The other player of a keyboard, or the same player elsewhere, has moved meanwhile."""
    ben = Ben("square")
    ben.take(Chosen(confirm=True, premove=True))
    ben.ada_plays(last_to_move_is_ada(ben))
    ben.play(ben.table.match.legal[0])
    told = ben.table.play(ben.table.match.legal[1])
    assert any(isinstance(event, Moved) for event in told)
    for event in told:
        ben.take(event)
    ben.confirm()
    assert ben.moves == []


def test_who_holds_both_seats_plans_nothing() -> None:
    table = Refereed("square", both=True)
    assert not update(Model(link=Link.UP), table.snapshot("ada")).may_plan
    assert not update(Model(link=Link.UP), structs.replace(table.snapshot("ada"), you=())).may_plan
