"""Which tasks were done, kept from run to run."""

from __future__ import annotations

from pathlib import Path

from client.kept.learned import MAX_GAMES, Learned


def test_what_was_done_is_known_at_the_next_start_and_to_other_front_ends(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "learned.json"
    terminal, window = Learned(path), Learned(path)
    terminal.mark("checkers", 2)
    window.mark("checkers", 1)
    window.mark("square", 3)
    assert (Learned(path).done("checkers"), Learned(path).done("square")) == ((1, 2), (3,))
    assert [one.name for one in path.parent.iterdir()] == ["learned.json"]


def test_a_file_that_is_no_such_file_costs_the_memory_alone(tmp_path: Path) -> None:
    path = tmp_path / "learned.json"
    for damaged in (b"", b"{", b'{"checkers": "all"}', b'{"checkers": [0]}', b'{"a": [1]}' * 10_000, b"\xff"):
        path.write_bytes(damaged)
        learned = Learned(path)
        assert learned.done("checkers") == ()
        learned.mark("checkers", 1)
        assert Learned(path).done("checkers") == (1,)


def test_where_nothing_can_be_written_it_is_known_until_the_end(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    learned = Learned(tmp_path / "file" / "learned.json")
    learned.mark("square", 1)
    assert learned.done("square") == (1,)


def test_it_does_not_grow_without_end(tmp_path: Path) -> None:
    learned = Learned()
    for number in range(MAX_GAMES + 5):
        learned.mark(f"game-{number}", 1)
    assert learned.done("game-0") == (1,)
    assert learned.done(f"game-{MAX_GAMES}") == ()
