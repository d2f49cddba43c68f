"""The abstract player: what it does becomes commands, each with a ref of its own."""

from __future__ import annotations

import pytest

from protocol.messages import Abandon, Command, Ended, Move, Moved, QuickMatch, Snapshot
from protocol.player import Player


class Recorder(Player):
    """Writes down what it is told."""

    def receive_start(self, snapshot: Snapshot) -> None: ...

    def receive_move(self, moved: Moved) -> None: ...

    def receive_abandonment(self, ended: Ended) -> None: ...

    def receive_end(self, ended: Ended) -> None: ...


def test_three_things_it_does() -> None:
    sent: list[Command] = []
    player = Recorder(sent.append)
    refs = [player.start("square"), player.move("m", 3, "a1-b1"), player.abandon("m"), player.start("g", {"side": 7})]
    assert sent == [
        QuickMatch(ref=refs[0], game="square"),
        Move(ref=refs[1], match="m", version=3, move="a1-b1"),
        Abandon(ref=refs[2], match="m"),
        QuickMatch(ref=refs[3], game="g", options={"side": 7}),
    ]
    assert len(set(refs)) == len(refs)


def test_two_players_never_share_a_ref() -> None:
    assert Recorder(lambda _: None).abandon("m") != Recorder(lambda _: None).abandon("m")


def test_who_does_not_listen_is_no_player() -> None:
    with pytest.raises(TypeError):
        Player(lambda _: None)  # type: ignore[abstract]
