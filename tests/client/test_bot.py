"""A Player carried over a session."""

from __future__ import annotations

from client.bot import Carrier
from client.conversation.session import Session
from protocol.codec import MSGPACK
from protocol.messages import (
    Accepted,
    Ended,
    Hello,
    Joined,
    Moved,
    Notification,
    QuickMatch,
    Refused,
    Result,
    Snapshot,
    Welcome,
)
from protocol.player import Player
from tests.client.positions import moved, snapshot


class Recorder(Player):
    """Writes down what it is told, and answers a start with a move."""

    def __init__(self, send: object) -> None:
        super().__init__(send)  # type: ignore[arg-type]
        self.told: list[str] = []

    def receive_start(self, snapshot: Snapshot) -> None:
        self.told.append(f"start {snapshot.status} {snapshot.version}")
        self.move(snapshot.match, snapshot.version, snapshot.legal[0])

    def receive_move(self, moved: Moved) -> None:
        self.told.append(f"move {moved.move}")

    def receive_abandonment(self, ended: Ended) -> None:
        self.told.append(f"abandonment {ended.result.reason}")

    def receive_end(self, ended: Ended) -> None:
        self.told.append(f"end {ended.result.reason}")


class Play:
    """A carrier whose server a test plays."""

    def __init__(self) -> None:
        self.session = Session("Bot", prefix="p")
        self.carrier = Carrier(self.session, Recorder)
        assert isinstance(self.carrier.player, Recorder)
        self.player = self.carrier.player
        self.session.opened(0)
        (hello,) = self.written()
        assert isinstance(hello, Hello)
        self.tell(Welcome(ref=hello.ref, player="id", name="Bot"))

    def written(self) -> list[object]:
        return [MSGPACK.decode_command(frame) for frame in self.session.data_to_send()]

    def tell(self, *notifications: Notification) -> None:
        for one in notifications:
            self.session.receive(MSGPACK.encode(one), 0)
        self.carrier.pump()

    def start(self) -> None:
        ref = self.player.start("dots-and-boxes")
        command = self.written()[-1]
        assert isinstance(command, QuickMatch)
        self.tell(Accepted(ref=ref, match="m1", version=1), snapshot(version=1, status="waiting"))
        self.tell(Joined(match="m1", version=2, at_ms=0, seat=1, name="Ben", status="playing", text=""))


def test_start_move_and_end() -> None:
    """UD RF5, RF6: told of the start when the second player sits down."""
    play = Play()
    play.start()
    assert play.player.told == ["start playing 2"]
    assert play.carrier.position is not None
    assert play.carrier.position.seats[1].name == "Ben"
    play.tell(moved(3, 0, "a1-b1"), moved(4, 1, "b1-c1"))
    end = Ended(match="m1", version=5, at_ms=0, result=Result(winner=0, reason="score", text="won"))
    play.tell(end, end)
    assert play.player.told[1:] == ["move a1-b1", "move b1-c1", "end score"]
    assert play.carrier.over


def test_abandonment_is_told_as_such() -> None:
    """UD RF7."""
    play = Play()
    play.start()
    play.tell(Ended(match="m1", version=3, at_ms=0, result=Result(winner=0, reason="abandoned", text="gave up")))
    assert play.player.told[-1] == "abandonment abandoned"


def test_a_match_that_ended_while_away_is_over() -> None:
    play = Play()
    play.start()
    play.tell(snapshot(version=9, status="ended", result=Result(winner=None, reason="aborted", text="left")))
    assert play.carrier.over


def test_refusals_are_kept() -> None:
    play = Play()
    play.start()
    (move,) = [waiting for waiting in play.session.pending if waiting.ref]
    play.tell(Refused(ref=move.ref, code="illegal_move", text="no", match="m1", version=2))
    assert play.carrier.refusal is not None
    assert play.carrier.refusal.code == "illegal_move"
