"""Saving, starting from a file and going back: what is asked of the server, and what is made of its answers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest

from client.kept import saves
from client.kept.saves import SavedGame
from client.playing.saving import OTHER_POSITION, Keeping
from protocol.messages import Accepted, Command, GetRecord, Offer, Record, Refused, Replaced
from tests.client.positions import snapshot

HASH = "ab" * 32


def record(ref: str, hash_: str = HASH) -> Record:
    return Record(
        ref=ref,
        match="m1",
        game="dots-and-boxes",
        options={},
        names=("a", "b"),
        moves=("a1-b1",),
        hash=hash_,
        created_ms=1,
    )  # fmt: skip


class Kept:
    """A Keeping, what it has sent and what it has said."""

    def __init__(self) -> None:
        self.sent: list[Command] = []
        self.said: list[str] = []
        refs = count(1)
        self.keeping = Keeping(self.sent.append, lambda: f"r{next(refs)}", self._say)

    def _say(self, lines: Sequence[str]) -> None:
        self.said += lines


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    monkeypatch.setattr(saves, "user_data_path", lambda *given, **named: tmp_path)
    return Kept()


def test_a_record_is_saved_when_it_comes(kept: Kept) -> None:
    """DB 7.3.3.1."""
    kept.keeping.save("x", "m1")
    (asked,) = kept.sent
    assert asked == GetRecord(ref="r1", match="m1")
    kept.keeping.settled(asked, record("r1"))
    kept.keeping.settled(asked, record("r1"))
    assert kept.said == ["Saved as “x”, 1 move."]
    assert saves.load("x").hash == HASH


def test_what_cannot_be_saved_is_told(kept: Kept) -> None:
    kept.keeping.save("../x", "m1")
    assert kept.sent == []
    assert "letters, digits" in kept.said[0]
    kept.keeping.save("x", "m1")
    kept.keeping.settled(kept.sent[0], record("r1", hash_="?"))
    assert len(kept.said) == 2
    kept.keeping.save("x", "m1")
    kept.keeping.settled(kept.sent[1], Refused(ref="r2", code="paused", text="Paused."))
    assert len(kept.said) == 2


@pytest.mark.parametrize(("hash_", "says"), [(HASH, []), ("cd" * 32, [OTHER_POSITION])])
def test_what_was_loaded_is_compared(kept: Kept, hash_: str, says: list[str]) -> None:
    """`RU-M8`: nothing in a file is believed beyond what replays."""
    saved = SavedGame(game="square", names=("a", "b"), moves=("a1-b1",), hash=HASH)
    command = saved.create("c", both_seats=True)
    kept.keeping.start(saved, command)
    assert kept.sent == [command]
    kept.keeping.settled(command, Accepted(ref="c", match="m7"))
    assert kept.sent[1:] == [GetRecord(ref="r1", match="m7")]
    kept.keeping.settled(kept.sent[1], record("r1", hash_))
    assert kept.said == says


def test_going_back_is_offered(kept: Kept) -> None:
    """DB 7.3.3.2."""
    saves.save(record("r"), "x")
    kept.keeping.revert("x", snapshot())
    assert kept.sent == [Offer(ref="r1", match="m1", kind="revert", moves=("a1-b1",), version=snapshot().version)]
    kept.keeping.revert("y", snapshot())
    kept.keeping.revert("x", snapshot(game="square"))
    assert kept.said == [
        "There is no saved game called “y”.",
        "That is a saved game of dots-and-boxes, and this is square.",
    ]


@pytest.mark.parametrize(("hash_", "says"), [(HASH, []), ("cd" * 32, [OTHER_POSITION])])
def test_what_was_gone_back_to_is_compared(kept: Kept, hash_: str, says: list[str]) -> None:
    """Q22: as with a match that is started from a file; only for what was offered here."""
    saves.save(record("r"), "x")
    back = Replaced(match="m1", version=3, at_ms=0, seat=0, by="revert")
    kept.keeping.happened(back)
    assert kept.sent == []
    kept.keeping.revert("x", snapshot())
    kept.keeping.happened(Replaced(match="m1", version=3, at_ms=0, seat=0, by="takeback"))
    kept.keeping.happened(back)
    kept.keeping.happened(back)
    offer, asked = kept.sent
    assert isinstance(offer, Offer)
    assert isinstance(asked, GetRecord)
    kept.keeping.settled(asked, record(asked.ref, hash_))
    assert kept.said == says
