"""T5: a whole record, and one program against it."""

from __future__ import annotations

import json
import threading
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from client.__main__ import main
from client.dog.replay import BadRecord, load, rehearse
from tests.client.dog.conftest import MakeGame
from tests.client.dog.test_actor import paired
from tests.driver import HubProcess, wait_for
from tests.server.http.dog.library import CONNECTED, Library

_IDS = count(158_000_000_000)
LONG = "x" * 500


def played(make: MakeGame, hub: HubProcess, folder: Path) -> tuple[Path, str]:
    """The record of a match of three moves, and its page."""
    ana, bea = make("Ana"), make("Bea")
    paired(ana, bea)
    first, second = (ana, bea) if bea.starts else (bea, ana)
    first.actor.send_move({"row": 3, "board": LONG, "of": first.actor.local_id, "match_status": "next"})
    second.await_moves(1)
    second.actor.send_move({"row": 4, "match_status": "next"})
    first.await_moves(1)
    first.actor.send_move({"row": 5, "match_status": "progress"})
    second.await_moves(2)
    lists = hub.get("/dog/")[1]
    row = next(line for line in lists.split("<tr>") if f"{first.name} : {second.name}" in line and first.actor.game_id)
    link = row.partition("href='")[2].partition("'")[0]
    page = hub.get(link)[1]
    record = folder / "record.json"
    record.write_text(hub.get(f"{link}.json")[1])
    first.actor.send_move({"match_status": "interrupted"})
    wait_for(lambda: second.withdrawals == 1)
    return record, page


def rehearsed(record: Path, name: str, moves: list[dict[str, Any]], begins: bool) -> tuple[int, list[str], Library]:
    """An unmodified program plays `moves` against the record."""
    said: list[str] = []
    codes: list[int] = []
    work = threading.Thread(target=lambda: codes.append(rehearse(record, name, 0, said.append)))
    work.start()
    wait_for(lambda: bool(said))
    url = said[0].partition('"')[2].partition('"')[0]
    program = Library(url, name, str(next(_IDS)), game_id="the same")
    assert program.initialize() == CONNECTED
    if begins:
        assert program.start_match(2).code == "2"
    else:
        wait_for(lambda: bool(program.starts))
    for number, move in enumerate(moves):
        if number or not begins:
            program.await_moves(number + (0 if begins else 1))
        program.send_move({key: program.id if value == "me" else value for key, value in move.items()})
    work.join()
    program.stop()
    return codes[0], said, program


def test_t5_the_record_is_whole_and_is_played_against_one_program(
    make: MakeGame, hub: HubProcess, tmp_path: Path
) -> None:
    """T5: what A sent, when B fetched it, every field and the status; then each side against it alone."""
    record, page = played(make, hub, tmp_path)
    kept = json.loads(record.read_text())
    assert [row["move"].get("row") for row in kept["moves"]] == [3, 4, 5]
    assert kept["moves"][0]["move"]["board"] == LONG
    assert "fetched" in page
    assert LONG in page
    assert "<dt>match_status<dd>&quot;next&quot;" in page
    first, second = kept["players"]
    own = [
        {"row": 3, "board": LONG, "of": "me", "match_status": "next"},
        {"row": 5, "match_status": "progress"},
    ]
    code, said, program = rehearsed(record, first, own, begins=True)
    assert (code, said[-1]) == (0, "All moves are as in the record.")
    assert program.rows("row") == [4]
    code, said, _ = rehearsed(record, first, [own[0], {**own[1], "row": "5", "match_status": "next"}], begins=True)
    assert code == 1
    assert said[-1].splitlines() == [
        "Move 3 differs.",
        "  row: the record has 5, the program sent '5'",
        "  match_status: the record has 'progress', the program sent 'next'",
    ]
    code, said, program = rehearsed(record, second, [{"row": 4, "match_status": "finished"}], begins=False)
    assert code == 1
    assert "match_status: the record has 'next', the program sent 'finished'" in said[-1]
    assert program.rows("row") == [3]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "parlour-dog-record"}', "[" * 9_000])
def test_t5_what_is_no_record_is_said_so(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "record.json"
    path.write_text(text)
    with pytest.raises(BadRecord):
        load(path, "Ana")
    assert main(["dog-replay", str(path), "--as", "Ana"]) == 1
    assert capsys.readouterr().err.startswith("parlour: ")


def test_t5_nobody_of_that_name(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text('{"format": "parlour-dog-record", "players": ["Ana", "Bea"], "moves": []}')
    with pytest.raises(BadRecord, match="Ana, Bea"):
        load(path, "Cau")
