"""T5: the log of a student's game in the terminal: whole moves where boards are, newest below, with search."""

from __future__ import annotations

from typing import Any

from textual.widgets import Input, RichLog

from client.dog.replay import load
from client.kept import saves
from client.shown.actions.controls import Place
from client.terminal.parts.log_view import LogView
from protocol.messages import Accepted, GetRecord, Watch
from tests.client.student_game import MATCH, SEATS, entries, entry, moved, record, shown
from tests.client.terminal.conftest import Start, Terminal

MOST = 7


async def watch(seat: Terminal, log: tuple[str, ...]) -> None:
    """Watch the match with this log, which comes in several answers."""
    await seat.to_lobby()
    assert seat.app._session is not None
    seat.app._send(Watch(ref=seat.app._session.ref(), match=MATCH))
    asked = await seat.server.next(Watch)
    whole = shown(len(log) - 1, log)
    await seat.server.say(Accepted(ref=asked.ref, match=MATCH, version=whole.version), whole)
    while len(seat.app.model.log) < len(log):
        asked_for = await seat.server.next(GetRecord)
        await seat.server.say(record(asked_for, log, MOST))
        await seat.until(lambda known=asked_for.after: len(seat.app.model.log) > known)  # type: ignore[misc]
    await seat.until(lambda: seat.is_at(Place.MATCH) and seat.app.focused is entries_of(seat))


def entries_of(seat: Terminal) -> RichLog:
    """The widget that scrolls."""
    return seat.app.screen.query_one(RichLog)


async def test_t5_the_log_is_whole_newest_below_and_scrolls(terminal: Start) -> None:
    async with terminal((80, 24)) as seat:
        log = (*entries(19), entry(20, text="x" * 300 + " the end of it"))
        await watch(seat, log)
        await seat.sees("20 moves")
        await seat.sees("end of it")
        assert "20. Bea" in seat.text()
        assert 'match_status: "next"' in seat.text()
        assert f"/dog/log/{MATCH}" in seat.text()
        assert not seat.board.display
        await seat.press("home")
        await seat.sees("1. Ana")
        await seat.server.say(moved(21))
        await seat.until(lambda: len(seat.app.model.log) == 22)
        assert "1. Ana" in seat.text()  # where one reads nothing moves
        await seat.press("end")
        await seat.sees("21. Ana")
        await seat.server.say(moved(22))
        await seat.sees("22. Bea")


async def test_t5_the_log_can_be_searched(terminal: Start) -> None:
    async with terminal((100, 30)) as seat:
        await watch(seat, (*entries(19), entry(20, piece="Torre")))
        await seat.press("f")
        await seat.until(lambda: isinstance(seat.app.focused, Input))
        await seat.press(*"torre")
        await seat.sees("1 of 20 moves with “torre”")
        assert "20. Bea" in seat.text()
        assert "19. Ana" not in seat.text()
        await seat.press("enter")
        await seat.until(lambda: seat.app.focused is entries_of(seat))
        await seat.press("escape")
        await seat.sees("19. Ana")
        assert seat.is_at(Place.MATCH)


async def test_t5_it_is_wrapped_anew_in_another_window(terminal: Start) -> None:
    async with terminal((160, 40)) as seat:
        await watch(seat, (SEATS, entry(1, text=" ".join(["word"] * 60))))
        await seat.sees("1. Ana")
        await seat.pilot.resize_terminal(60, 30)
        await seat.until(lambda: seat.app.screen.query_one(LogView).size.width <= 60)
        await seat.until(lambda: seat.text().count("word") == 60)


async def test_t5_a_save_is_the_record_for_one_program(terminal: Start, tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(saves, "save_folder", lambda: tmp_path)
    async with terminal((80, 24)) as seat:
        await watch(seat, entries(12))
        seat.app.save("lesson")
        await seat.until(lambda: (tmp_path / "lesson.json").exists())
        await seat.server.say(moved(13))
        await seat.until(lambda: len(seat.app.model.log) == 14)
        seat.app.save("lesson")
        await seat.until(lambda: '"order": 13' in (tmp_path / "lesson.json").read_text())
    first = load(tmp_path / "lesson.json", "Bea").fetch()
    assert first is not None
    assert (first["row"], first["order"]) == (1, 1)
