"""Frames that cannot be read are dropped, and the state asked for (`N5`)."""

from __future__ import annotations

from collections.abc import Iterator

from client.conversation.wire import MAX_BAD_FRAMES
from protocol.codec import MSGPACK
from protocol.messages import (
    Accepted,
    Sync,
    Watch,
    WatchLobby,
)
from tests.client.conversation.by_hand import Wire, move
from tests.client.positions import moved, snapshot


def damaged() -> Iterator[bytes]:
    """One event with each byte flipped, cut at each place, and with a byte inserted at each place."""
    frame = MSGPACK.encode(moved(3, 0, "a1-b1"))
    for place in range(len(frame)):
        yield frame[:place] + bytes([frame[place] ^ 0xFF]) + frame[place + 1 :]
        yield frame[:place]
        yield frame[:place] + b"\xc1" + frame[place:]


def test_every_damaged_frame_is_survived_and_the_state_asked_for() -> None:
    """N5: one bad frame is dropped, the state asked for, and the match goes on."""
    for frame in damaged():
        wire = Wire()
        wire.connect()
        wire.session.send(Watch(ref="w", match="m1"))
        wire.tell(Accepted(ref="w", match="m1", version=2), snapshot())
        wire.commands()
        wire.session.receive(frame, wire.now)
        asked = [command for command in wire.commands() if isinstance(command, Sync | Watch)]
        if asked:
            missed = moved(3, 0, "a1-b1") if isinstance(asked[0], Sync) else snapshot(version=3)
            wire.tell(missed, Accepted(ref=asked[0].ref, match="m1", version=3))
        wire.tell(moved(4, 1, "b1-c1"))
        for command in wire.commands():
            if isinstance(command, Sync):
                wire.tell(moved(3, 0, "a1-b1"), moved(4, 1, "b1-c1"), Accepted(ref=command.ref, version=4, match="m1"))
            elif isinstance(command, Watch):
                # What was damaged could still be read, and could not be.
                wire.tell(snapshot(version=4), Accepted(ref=command.ref, version=4, match="m1"))
        assert wire.session.version == 4
        assert not wire.session.wants_close


def test_text_frames_and_garbage_are_dropped(playing: Wire) -> None:
    for frame in ("text", b"", b"\xc1", b"\x93\x01\x02\x03", MSGPACK.encode(move("x"))):
        playing.session.receive(frame, playing.now)
    assert playing.happened() == []
    assert [type(command) for command in playing.commands()] == [Sync]


def test_an_unreadable_frame_may_have_been_the_lobby(wire: Wire) -> None:
    wire.session.watch_lobby()
    wire.commands()
    wire.session.receive(b"\xc1", wire.now)
    wire.later(0.5)
    assert any(isinstance(command, WatchLobby) for command in wire.commands())


def test_a_path_that_brings_only_garbage_is_given_up(playing: Wire) -> None:
    for _ in range(MAX_BAD_FRAMES):
        playing.session.receive(b"\xc1", playing.now)
    assert playing.session.wants_close
    playing.lose()
    playing.session.opened(playing.now)
    assert not playing.session.wants_close
