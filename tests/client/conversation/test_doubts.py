"""A session lets nothing through that cannot be: it says so, asks for what is true, and leaves after some times."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from client.conversation.cleaning import cleaned_event
from client.conversation.doubts import MOST, NONSENSE, WITHIN_S
from client.conversation.events import Event, Left, Settled
from client.conversation.session import Session
from client.plain.telling import tell
from client.playing.commands import is_sent_at_once
from client.shown.actions.controls import Place, controls_for
from client.shown.board.board_text import drawing, listing
from client.shown.board.scene import Hints, fit, scene
from client.shown.model import Model, update
from protocol.codec import MSGPACK
from protocol.errors import BadMessage
from protocol.messages import (
    NOTIFICATIONS,
    Accepted,
    Leave,
    LobbyState,
    Look,
    Position,
    Refused,
    Snapshot,
    Sync,
    Watch,
    WatchLobby,
    Welcome,
)
from tests.client.conversation.by_hand import Wire
from tests.client.impossible import EVENTS, GAMES, LOBBIES, SNAPSHOTS
from tests.client.positions import DOTS_INFO, dots_board, moved, snapshot
from tests.forms import generated
from tests.protocol.strategies import Pool, changed, messages


@pytest.fixture
def playing() -> Wire:
    """In the match m1 at version 2."""
    wire = Wire()
    wire.connect()
    wire.session.send(Watch(ref="w", match="m1"))
    wire.tell(Accepted(ref="w", match="m1", version=2), snapshot())
    wire.commands()
    wire.happened()
    return wire


def told(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Refused) and event.code == NONSENSE]


@pytest.mark.parametrize("kind", [*SNAPSHOTS, *EVENTS])
def test_what_cannot_be_is_told_and_what_is_true_is_asked_for(playing: Wire, kind: str) -> None:
    """Q20."""
    playing.tell(SNAPSHOTS.get(kind) or EVENTS[kind])
    events = playing.happened()
    assert len(told(events)) == 1
    assert "What is true is asked for again." in told(events)[0]
    assert not [event for event in events if isinstance(event, Snapshot)]
    (asked,) = playing.commands()
    assert isinstance(asked, Watch)
    true = snapshot(version=5)
    playing.tell(true, Accepted(ref=asked.ref, match="m1", version=5))
    assert true in playing.happened()
    playing.tell(moved(6, 1, "a1-b1"))
    assert playing.session.version == 6


@pytest.mark.parametrize("kind", ["a dot at NaN", "seat 9 is yours"])
def test_after_three_times_the_match_is_left(playing: Wire, kind: str) -> None:
    """Q20."""
    for number in range(MOST):
        playing.tell(SNAPSHOTS[kind])
        events = playing.happened()
        assert len(told(events)) == 1
        commands = playing.commands()
        if number < MOST - 1:
            watch = next(command for command in commands if isinstance(command, Watch))
            playing.tell(Accepted(ref=watch.ref, match="m1", version=9))
            playing.commands()
    assert Left("m1") in events
    assert "the match is left" in told(events)[0]
    assert any(isinstance(command, Leave) for command in commands)
    assert playing.session.match is None
    playing.tell(SNAPSHOTS[kind], EVENTS["seat 5 wins"])
    assert not [event for event in playing.happened() if not isinstance(event, Refused)]


def test_a_slip_now_and_then_leaves_nothing(playing: Wire) -> None:
    """Q20: a frame may be damaged on the way (N5)."""
    for _ in range(2 * MOST):
        playing.tell(EVENTS["a move by seat 9"])
        playing.later(WITHIN_S)
    assert playing.session.match == "m1"


@pytest.mark.parametrize("kind", LOBBIES)
def test_a_lobby_that_cannot_be_is_asked_for_again_and_then_left(kind: str) -> None:
    """Q20."""
    wire = Wire()
    wire.connect()
    wire.session.watch_lobby()
    wire.commands()
    for number in range(MOST):
        wire.tell(LOBBIES[kind])
        assert len(told(wire.happened())) == 1
        wire.later(0.5)
        asked = [command for command in wire.commands() if isinstance(command, WatchLobby)]
        assert [command.on for command in asked] == [number < MOST - 1]


@pytest.mark.parametrize("kind", GAMES)
def test_a_welcome_that_cannot_be_is_none(kind: str) -> None:
    """Q20: another connection is tried; the reason is told as that of any lost one."""
    wire = Wire()
    wire.connect(games=GAMES[kind])
    assert wire.session.wants_close
    assert not wire.session.welcomed
    assert wire.happened() == []


def test_a_position_that_cannot_be_answers_with_the_reason(playing: Wire) -> None:
    """Q20: nobody waits for it any longer."""
    playing.session.send(Look(ref="l", match="m1", ply=1))
    playing.tell(
        Position(ref="l", match="m1", ply=1, plies=1, marks={}, focus=("z9",), scores=((0,), (0,)), to_move=7, text="")
    )
    settled = [event for event in playing.happened() if isinstance(event, Settled)]
    assert isinstance(settled[0].answer, Refused)
    assert settled[0].answer.code == NONSENSE
    assert not playing.session.pending


# Whatever comes -------------------------------------------------------------------------------------------------------

POOL = Pool(
    texts=("m1", "m2", "a1-b1", "a1", "#a1", "b1-b2", "dots-and-boxes", "w", "", "#00008b", "offer_draw", "answer"),
    integers=(0, 1, 2, 3, 4, 9, -1, 1_000, 2**53, 2**62),
    floats=(0.0, 1.0, 2.0, -1.0, 0.5, 20_000.0, float("nan"), float("inf"), float("-inf"), 1e300),
)  # fmt: skip
BOARD = dots_board(3, 3)
ANYTHING = st.one_of(
    st.one_of([messages(cls, POOL) for cls in NOTIFICATIONS.values()]),
    changed(snapshot(BOARD, version=9), POOL),
    changed(BOARD, POOL).map(lambda board: snapshot(board, version=9)),
    changed(moved(3, 0, "a1-b1"), POOL),
)
"""Any value of the declared types; a good part of them about the match on screen, and nearly right."""


def show(model: Model) -> None:
    """All that front ends work out of what is known, without one."""
    match = model.shown
    for place in Place:
        for control in controls_for(place):
            control.enabled(model)
            is_sent_at_once(control.action)
    if match is None:
        return
    assert set(match.you) <= {0, 1}
    assert match.to_move in (None, 0, 1)
    view = fit(match.board, 800, 600, margin=10)
    scene(match, view, Hints())
    drawing(match)
    listing(match)
    model.time_left(1.0)


@generated(full=300, short=40)
@given(st.lists(ANYTHING, max_size=12), st.booleans())
def test_whatever_a_server_sends_of_the_declared_types(sent: list[Any], mends: bool) -> None:
    """Q20: the session raises nothing, and what it lets through can be told and drawn."""
    session, now = Session("Ada", prefix="p"), 1.0
    session.opened(now)
    session.receive(MSGPACK.encode(Welcome(ref="p-1", player="id", name="Ada", games=(DOTS_INFO,))), now)
    session.watch_lobby()
    session.send(Watch(ref="w", match="m1"))
    session.receive(MSGPACK.encode(snapshot(BOARD, version=2)), now)
    session.receive(MSGPACK.encode(Accepted(ref="w", match="m1", version=2)), now)
    model = Model()
    for message in sent:
        now += 0.3
        try:
            frame = MSGPACK.encode(message)
        except (BadMessage, OverflowError, ValueError):
            continue
        session.receive(frame, now)
        session.tick(now)
        for event in session.events():
            clean = cleaned_event(event)
            before, model = model, update(model, clean)
            tell(before, model, clean)
            show(model)
        for command in [MSGPACK.decode_command(data) for data in session.data_to_send()]:
            if mends and isinstance(command, Watch | Sync):
                session.receive(MSGPACK.encode(snapshot(version=2**20)), now)


@generated(full=300, short=80)
@given(st.lists(st.sampled_from([*SNAPSHOTS.values(), *EVENTS.values(), *LOBBIES.values()]), max_size=20))
def test_impossible_things_one_after_another(sent: list[Any]) -> None:
    """Q20: nothing of them is ever shown."""
    wire = Wire()
    wire.connect()
    wire.session.watch_lobby()
    wire.session.send(Watch(ref="w", match="m1"))
    true = snapshot()
    wire.tell(Accepted(ref="w", match="m1", version=2), true)
    shown: list[Event] = [event for event in wire.happened() if isinstance(event, Snapshot)]
    for message in sent:
        wire.tell(message)
        shown += [event for event in wire.happened() if isinstance(event, Snapshot | LobbyState)]
    assert shown == [true]
    assert structs.asdict(true)
