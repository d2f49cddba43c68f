"""The delay of spectators as a value: what is held back, what is released, whatever happens in the match."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Refusal
from server.games import load_catalogue
from server.match.commands import Abandon, Answer, Continue, Join, MatchCommand, Offer, Pause, Play
from server.match.delay import HeldBack
from server.match.events import MovePlayed
from server.match.machine import Asked, Step, create, decide, open_match
from server.match.state import Match

CATALOGUE = load_catalogue()
GAME = CATALOGUE["dots-and-boxes"]


class Story:
    """A match and how far its spectators know it."""

    def __init__(self, plies: int) -> None:
        event = create(GAME, {"width": 3, "height": 3}, "Ana", Asked("ana", "c", 1), delay_plies=plies)
        self.match: Match = open_match("m", event, CATALOGUE)
        self.held = HeldBack(plies)
        self.told: list[Step] = []
        self.all: list[Step] = []
        self.ask(Join("Bo"), "bo")

    def ask(self, command: MatchCommand, player: str) -> None:
        happened = decide(self.match, command, Asked(player, f"r{self.match.version}", self.match.version * 10))
        self.match = happened[-1].after
        self.all += happened
        self.told += self.held.push(happened)

    def move(self) -> None:
        seat = self.match.turn
        holder = self.match.seats[seat or 0]
        assert holder is not None
        self.ask(Play(self.match.version, self.match.legal[0]), holder.player)

    @property
    def shown(self) -> Match:
        return self.held.shown(self.match)


def check(story: Story, plies: int) -> None:
    """What was told is a beginning of the log, and it leads to what is shown."""
    assert story.told == story.all[: len(story.told)]
    assert story.shown == (story.told[-1].after if story.told else story.all[0].before)
    if story.match.ending is None:
        hidden = [step for step in story.all[len(story.told) :] if isinstance(step.event, MovePlayed)]
        assert len(hidden) <= plies
        moves = [step for step in story.all if isinstance(step.event, MovePlayed)]
        assert len(hidden) == min(plies, len(moves))
    else:
        assert story.told == story.all


@pytest.mark.parametrize("plies", [1, 2, 5, 20])
def test_spectators_are_so_many_moves_behind(plies: int) -> None:
    story = Story(plies)
    for made in range(1, 9):
        story.move()
        check(story, plies)
        assert story.shown.plies == max(0, made - plies)


def test_the_end_releases_everything() -> None:
    story = Story(5)
    for _ in range(4):
        story.move()
    story.ask(Abandon(), "bo")
    check(story, 5)
    assert story.shown == story.match
    assert story.held.since_ms is None


def test_what_was_shown_stays_shown_when_moves_are_taken_back() -> None:
    story = Story(1)
    for _ in range(4):
        story.move()
    shown = story.shown.version
    mover = story.match.last
    assert mover is not None
    by, other = (("ana", "bo"), ("bo", "ana"))[mover.seat]
    story.ask(Offer("takeback"), by)
    assert story.match.offer is not None
    story.ask(Answer(accept=True, offer=story.match.offer.version), other)
    check(story, 1)
    assert story.shown.version >= shown


def test_without_held_moves_other_things_are_told_at_once() -> None:
    story = Story(3)
    story.ask(Offer("draw"), "ana")
    assert story.told == story.all
    story.move()
    story.ask(Pause(), "ana")
    assert story.shown.pause is None, "a pause after a move that is held back is held back, too"


@given(st.integers(1, 4), st.lists(st.sampled_from(["move", "move", "draw", "pause"]), max_size=14))
def test_told_is_always_a_beginning_of_the_log(plies: int, acts: list[str]) -> None:
    story = Story(plies)
    for act in acts:
        if story.match.ending is not None:
            break
        try:
            if act == "move":
                story.move()
            elif act == "draw":
                story.ask(Offer("draw"), "ana")
            else:
                story.ask(Pause() if story.match.pause is None else Continue(), "ana")
        except (Refusal, IndexError):
            continue
        check(story, plies)
