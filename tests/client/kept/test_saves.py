"""Saved games as files: what is saved comes back, and nothing else gets in or out (`DB 7.3.3.1`, `8.2`, `RU-M8`)."""

from __future__ import annotations

import json
import os
import pickle
import random
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from client.kept import saves
from client.kept.saves import SavedGame, SaveError, checked_name, choose, load, save, saved
from protocol.messages import Record, Result
from tests.forms import FUZZ

MUTATED = 10_000 if FUZZ else 1_000
MANY = saves.MAX_SAVES


def record(**changed: Any) -> Record:
    """A record as a server gives it."""
    given: dict[str, Any] = {
        "ref": "r",
        "match": "m1",
        "game": "dots-and-boxes",
        "options": {"width": 3, "height": 3, "swap": False, "rule": "any"},
        "names": ("Ada", "Bób"),
        "moves": ("a1-b1", "b1-b2"),
        "hash": "ab" * 32,
        "created_ms": 1_700_000_000_000,
        "result": Result(winner=0, reason="score", text="Ada wins."),
    }
    return Record(**(given | changed))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the games are saved, with room around it to see what gets out."""
    return tmp_path / "around" / "saves"


def test_what_is_saved_comes_back(folder: Path) -> None:
    path = save(record(), "evening", folder=folder)
    assert path == folder / "evening.json"
    expected = SavedGame(
        game="dots-and-boxes",
        options={"width": 3, "height": 3, "swap": False, "rule": "any"},
        names=("Ada", "Bób"),
        moves=("a1-b1", "b1-b2"),
        hash="ab" * 32,
        created_ms=1_700_000_000_000,
        result="Ada wins.",
    )
    assert load("evening", folder=folder) == load(path) == load(str(path)) == expected
    assert load("evening", folder=folder).leads_to(record())
    assert not load("evening", folder=folder).leads_to(record(hash="cd" * 32))
    assert path.stat().st_mode & 0o077 == 0
    assert [file.name for file in folder.iterdir()] == ["evening.json"]


def test_a_file_can_be_read_by_a_person(folder: Path) -> None:
    text = save(record(), "evening", folder=folder).read_text(encoding="utf-8")
    assert text.startswith('{\n "format": "parlour-match",\n "version": 1,\n "game": "dots-and-boxes",\n')
    assert json.loads(text)["names"] == ["Ada", "Bób"]


moves = st.lists(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=12), max_size=60)
options = st.dictionaries(st.text(max_size=20), st.booleans() | st.integers(-99, 99) | st.text(max_size=20), max_size=9)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=moves, options=options, names=st.tuples(st.text(max_size=24), st.text(max_size=24)))
def test_saving_and_loading_changes_nothing(
    tmp_path: Path, moves: list[str], options: dict[str, Any], names: tuple[str, str]
) -> None:
    given = record(moves=tuple(moves), options=options, names=names)
    save(given, "x", replace=True, folder=tmp_path)
    loaded = load("x", folder=tmp_path)
    assert (loaded.moves, loaded.options, loaded.names) == (given.moves, given.options, given.names)
    assert all(type(loaded.options[key]) is type(value) for key, value in options.items())


# Names (`M1`) ---------------------------------------------------------------------------------------------------------

HOSTILE_NAMES = [
    "", " ", "\t", ".", "..", "...", "....", ".hidden", ".ssh", "..\\", "../", "../x", "../../x", "../../../etc/passwd",
    "a/../b", "a/b", "a\\b", "/", "//", "/x", "/etc/passwd", "//host/share", "\\", "\\\\host\\share\\x", "\\x", "~",
    "~/x", "~root", "$HOME", "${HOME}", "%APPDATA%", "`id`", "$(id)", "a;b", "a|b", "a&b", "a>b", "a<b", "a?b", "a*b",
    'a"b', "a:b", "C:", "C:x", "C:\\x", "c:/x", "\\\\?\\C:\\x", "file:///x", "http://x/y", "x::$DATA", "\0", "a\0b",
    "a\0/../b", "a\nb", "a\rb", "a\tb", "a\x1b[2Jb", "\x07", "a\x7fb", "a\x85b", "con", "CON", "con.txt", "PRN", "aux",
    "nul", "NUL.json", "com1", "COM9", "lpt1", "LPT9.x", "conin$", "x.", "x..", "x. .", "x" * 300, "é" * 300,
    "x" * 10**6, "a\u2215b", "a\u2044b", "a\uff0fb", "a\u29f8b", "a\uff3cb", "a\ufe68b", "..\uff0fx",
    "\u2024\u2024/x", "\uff0e\uff0e",
    "a\u202eb", "a\u200bb", "\ufeffx", "a\u2028b", "\ud800", "😀",
]  # fmt: skip
GOOD_NAMES = {
    "evening": "evening",
    "Ana - Bob (2)": "Ana - Bob (2)",
    "  x  ": "x",
    "v1.2_final": "v1.2_final",
    "João's": "João's",
    "e\u0301": "é",
    "\uff57\uff49de": "wide",
    "勝負": "勝負",
    "confetti": "confetti",
    "com10": "com10",
    "x" * 60: "x" * 60,
    "勝" * 60: "勝" * 60,
}


def test_there_are_eighty_of_them() -> None:
    assert len(set(HOSTILE_NAMES)) >= 80


@pytest.mark.parametrize("name", HOSTILE_NAMES, ids=lambda name: ascii(name[:30]))
def test_a_name_is_not_a_path(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """M1: refused with a sentence, before anything is written."""
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder.parent)
    before = everything(folder.parent.parent)
    with pytest.raises(SaveError) as refused:
        save(record(), name, folder=folder)
    assert str(refused.value).endswith(".")
    assert str(refused.value).isprintable()
    assert everything(folder.parent.parent) == before


@pytest.mark.parametrize(("name", "file"), GOOD_NAMES.items())
def test_a_good_name_is_a_file_in_the_folder(folder: Path, name: str, file: str) -> None:
    assert save(record(), name, folder=folder) == folder / f"{file}.json"
    assert everything(folder.parent) == {folder, folder / f"{file}.json"}
    assert load(name, folder=folder).moves == record().moves
    assert [row.name for row in saved(folder=folder)] == [file]


@settings(max_examples=500 if FUZZ else 100, deadline=None)
@given(st.text(st.characters(), max_size=80) | st.text("./\\:~ .\0abcCON1", max_size=20))
def test_any_name_is_one_part_of_a_path_or_refused(name: str) -> None:
    try:
        good = checked_name(name)
    except SaveError:
        return
    assert (Path("saves") / f"{good}.json").parent == Path("saves")
    assert Path(f"{good}.json").name == f"{good}.json"
    assert checked_name(good) == good
    assert len(f"{good}.json".encode()) <= 255


def test_a_link_is_replaced_and_not_followed(folder: Path) -> None:
    folder.mkdir(parents=True)
    outside = folder.parent / "outside.json"
    outside.write_text("mine")
    (folder / "x.json").symlink_to(outside)
    save(record(), "x", replace=True, folder=folder)
    assert outside.read_text() == "mine"
    assert not (folder / "x.json").is_symlink()


def everything(folder: Path) -> set[Path]:
    """All files and folders in it, at any depth."""
    return set(folder.rglob("*"))


# Names taken ----------------------------------------------------------------------------------------------------------


def test_the_same_match_is_saved_again_under_its_name(folder: Path) -> None:
    save(record(), "x", folder=folder)
    save(record(moves=("a1-b1", "b1-b2", "a2-b2")), "x", folder=folder)
    assert len(load("x", folder=folder).moves) == 3
    save(record(moves=("a1-b1",)), "x", folder=folder)
    assert len(load("x", folder=folder).moves) == 1
    # A match that was started from the file has another beginning, and goes on from it.
    save(record(created_ms=5, moves=("a1-b1", "c1-c2")), "x", folder=folder)
    assert len(load("x", folder=folder).moves) == 2


@pytest.mark.parametrize(
    "other",
    [record(created_ms=5, moves=("c1-c2",)), record(game="square"), record(options={"width": 4, "height": 4})],
)
def test_another_game_is_not_lost(folder: Path, other: Record) -> None:
    save(record(), "x", folder=folder)
    with pytest.raises(SaveError, match="another game saved as “x”"):
        save(other, "x", folder=folder)
    assert load("x", folder=folder).moves == record().moves
    save(other, "x", replace=True, folder=folder)
    assert load("x", folder=folder).game == other.game


def test_a_foreign_file_of_that_name_is_not_lost(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "x.json").write_text('{"my": "diary"}')
    with pytest.raises(SaveError, match="another game"):
        save(record(), "x", folder=folder)
    assert (folder / "x.json").read_text() == '{"my": "diary"}'


def test_a_record_that_could_not_be_loaded_is_not_saved(folder: Path) -> None:
    for bad in (record(moves=("a\x1b[2J",)), record(hash="?"), record(moves=("x" * 120,) * 200)):
        with pytest.raises(SaveError):
            save(bad, "x", folder=folder)
    assert not folder.exists()


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SaveError, match="cannot be saved in"):
        save(record(), "x", folder=tmp_path / "file")
    assert saved(folder=tmp_path / "file") == saved(folder=tmp_path / "nowhere") == []


# Going back to a saved game in a match ------------------------------------------------------------------------------


def test_moves_to_go_back_to(folder: Path) -> None:
    """DB 7.3.3.2."""
    path = save(record(), "x", folder=folder)
    assert choose(path, "dots-and-boxes", record().options).moves == record().moves
    with pytest.raises(SaveError, match="saved game of dots-and-boxes"):
        choose(path, "square", record().options)
    with pytest.raises(SaveError, match="other options"):
        choose(path, "dots-and-boxes", {"width": 9})


# Broken files (`M2`), files that run code (`M3`) --------------------------------------------------------------------


def refused(path: Path) -> str:
    """The sentence with which the file is refused."""
    with pytest.raises(SaveError) as error:
        load(path)
    text = str(error.value)
    assert text.endswith(".")
    assert len(text) < 300
    return text


@pytest.mark.fuzz
def test_broken_files_are_refused_and_the_others_still_listed(folder: Path) -> None:
    """M2: loaded as what was saved, or refused with a sentence; nothing else comes out."""
    good = save(record(), "good", folder=folder).read_bytes()
    rng = random.Random(4)
    path = folder / "bad.json"
    refusals, said = 0, set[str]()
    for number in range(MUTATED):
        data = bytearray(good)
        match number % 5:
            case 0:
                del data[rng.randrange(len(data)) :]
            case 1:
                data[rng.randrange(len(data))] = rng.randrange(256)
            case 2:
                at = rng.randrange(len(data))
                data[at : at + rng.randrange(1, 20)] = rng.randbytes(rng.randrange(20))
            case 3:
                data = bytearray(rng.randbytes(rng.randrange(200)))
            case _:
                start, end = sorted(rng.sample(range(len(data)), 2))
                data[start:end] = data[start:end] * 2
        path.write_bytes(data)
        try:
            loaded = load(path)
        except SaveError as error:
            refusals += 1
            said.add(str(error))
        else:
            assert msgspec.convert(msgspec.to_builtins(loaded), SavedGame) == loaded
    assert refusals > MUTATED / 2
    assert said
    assert all(text.isprintable() for text in said)
    assert {row.name for row in saved(folder=folder)} == {"good", "bad"}
    assert load("good", folder=folder).moves == record().moves


def changed(**fields: Any) -> bytes:
    """A good file with some fields changed; None takes one out."""
    plain = msgspec.to_builtins(saves._from_record(record())) | fields
    return json.dumps({key: value for key, value in plain.items() if value is not None}).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\0" * 500, b"null", b"[]", b"{}", b"1", b'"parlour-match"', b"\xff\xfe{}", b"\xef\xbb\xbf{}",
        b"[" * 30_000, b'{"a":' * 9_000,
        b'{"format":"parlour-match","version":1,"x":' + b"[" * 9_000 + b"]" * 9_000 + b"}",
        changed(format="chess"), changed(format=None), changed(version=0), changed(version="1"), changed(version=1.5),
        changed(game=None), changed(game=""), changed(game="x" * 99), changed(game=["square"]),
        changed(moves="a1-b1"), changed(moves=[1]), changed(moves=[""]), changed(moves=["x" * 121]),
        changed(moves=["a b"]), changed(moves=["a1\x1b[2J"]), changed(moves=["a"] * 2_001), changed(moves=None),
        changed(names=["Ada"]), changed(names=["a", "b", "c"]), changed(names=["a", None]),
        changed(names=["x" * 41, ""]),
        changed(options=[]), changed(options={"x": [1]}), changed(options={"x": {"y": 1}}), changed(options={"x": 1.5}),
        changed(options={str(number): 1 for number in range(17)}), changed(options={"x": 10**400}),
        changed(hash="x" * 64), changed(hash="ab"), changed(hash=None), changed(created_ms=-1),
        changed(created_ms="now"),
        changed(created_ms=2**60), changed(result=7), changed(result="x" * 401),
    ],
)  # fmt: skip
def test_what_is_no_saved_game_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.json").write_bytes(data)
    assert "“x.json”" in refused(tmp_path / "x.json")


def test_a_newer_file_is_told_from_a_broken_one(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(changed(version=2, moves={"anything": 1}))
    assert "newer Parlour" in refused(tmp_path / "x.json")


def test_a_field_of_a_later_day_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(changed(mood="good"))
    assert load(tmp_path / "x.json").moves == record().moves


class Bomb:
    """Run by whoever unpickles it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return (Path.touch, (self.path,))


def test_nothing_in_a_file_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """M3: pickles, YAML tags and templates are damaged files, or text."""
    hit = tmp_path / "hit"
    path = tmp_path / "x.json"
    for payload in (
        pickle.dumps(Bomb(hit)),
        f"!!python/object/apply:os.system ['touch {hit}']".encode(),
        f"format: parlour-match\nversion: !!python/object/apply:os.system ['touch {hit}']".encode(),
        f"{{% import os %}}{{{{ os.system('touch {hit}') }}}}".encode(),
        f"__import__('os').system('touch {hit}')".encode(),
    ):
        path.write_bytes(payload)
        refused(path)
    path.write_bytes(changed(names=["{{7*7}}", "!!python/name:os.system"], result="$(touch hit) {0.__class__}"))
    assert load(path).names == ("{{7*7}}", "!!python/name:os.system")
    assert not hit.exists()


# Too big, too many (`M7`) -------------------------------------------------------------------------------------------


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    with path.open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    began = time.process_time()
    assert "too large" in refused(path)
    assert time.process_time() - began < 1


def test_a_game_that_no_command_could_carry_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(changed(moves=["x" * 100] * 200))
    assert "too long" in refused(tmp_path / "x.json")


def test_what_is_no_file_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    assert "no file" in refused(tmp_path / "pipe.json")
    for path in ("folder.json", "loop.json", "missing.json", "x\0.json", "y" * 400 + ".json", "/dev/zero"):
        refused(tmp_path / path)


def test_ten_thousand_games_are_listed_within_a_second(folder: Path) -> None:
    """M7: and one more is refused with a sentence, but those that are there can be saved again."""
    folder.mkdir(parents=True)
    for number in range(MANY - 1):
        (folder / f"game {number}.json").touch()
    save(record(), "last", folder=folder)
    began = time.process_time()
    rows = saved(folder=folder)
    assert time.process_time() - began < 1
    assert len(rows) == saves.MAX_LISTED
    with pytest.raises(SaveError, match="10,000 saved games already"):
        save(record(), "one more", folder=folder)
    save(record(), "last", folder=folder)


def test_the_newest_come_first_and_foreign_files_are_left_out(folder: Path) -> None:
    for age, name in enumerate(("c", "a", "b")):
        os.utime(save(record(), name, folder=folder), (1_000 - age, 1_000 - age))
    for name in (".hidden.json", "x\x1b[2J.json", "notes.txt", "a\u202eb.json"):
        (folder / name).touch()
    assert [row.name for row in saved(folder=folder)] == ["c", "a", "b"]


def test_the_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(saves, "user_data_path", lambda *given, **named: tmp_path)
    assert saves.save_folder() == tmp_path / "saves"
    save(record(), "x")
    assert choose("x", "dots-and-boxes", record().options).moves == record().moves
    with pytest.raises(SaveError, match="no saved game called “y”"):
        load("y")
    with pytest.raises(SaveError, match="cannot be read"):
        load("~/surely/not/there.json")


def test_names_that_differ_in_capitals_alone_are_the_same(folder: Path) -> None:
    """Q22: as they are on other systems, to which the folder may be taken."""
    first = save(record(), "Evening", folder=folder)
    assert load("EVENING", folder=folder).moves == record().moves
    assert save(record(), "evening", folder=folder) == first
    with pytest.raises(SaveError, match="another game saved as “Evening”"):
        save(record(game="square", options={}), "eVening", folder=folder)
    assert [row.name for row in saved(folder=folder)] == ["Evening"]


def test_a_file_cut_anywhere_is_refused(folder: Path) -> None:
    """Q22."""
    path = save(record(), "x", folder=folder)
    data = path.read_bytes().rstrip()
    for length in range(len(data)):
        path.write_bytes(data[:length])
        with pytest.raises(SaveError, match="no saved game, or a damaged one"):
            load("x", folder=folder)


def test_a_folder_in_the_place_of_a_game(folder: Path) -> None:
    """Q22: it is neither read nor replaced, and the others are listed."""
    save(record(), "y", folder=folder)
    (folder / "x.json").mkdir()
    with pytest.raises(SaveError):
        load("x", folder=folder)
    for replace in (False, True):
        with pytest.raises(SaveError):
            save(record(), "x", replace=replace, folder=folder)
    assert load("y", folder=folder).moves == record().moves
