"""The file of a backup: whole and of a known form, or refused in a sentence before anything of it is used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.admin.backup import Backup, BackupError, BackupWriter, Head, LogRow, ValueRow

HEAD = Head(release="1.0", at_ms=1_800_000_000_000, last_beat_ms=None)
ROWS = (
    ValueRow(name="token:ab", type="string", parts=[b"\x00\xff"], lives_ms=1_000),
    LogRow(match="m", first=1, events=[b"one", b"two"], last=True, key="K", lives_ms=2_000),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    with BackupWriter(tmp_path / "backup", HEAD) as backup:
        for row in ROWS:
            backup.write(row)
        assert not (tmp_path / "backup").exists(), "it is there when it is whole"
    return tmp_path / "backup"


def test_what_was_written_is_read(file: Path) -> None:
    backup = Backup(file)
    assert backup.head == HEAD
    assert tuple(backup.rows()) == ROWS
    assert file.stat().st_mode & 0o777 == 0o600
    assert all(json.loads(line) for line in file.read_text().splitlines())


def test_a_backup_that_fails_leaves_the_one_before(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(OSError, match="full"), BackupWriter(file, HEAD):
        raise OSError("full")
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (b'"form":1', b'"form":2', "was written by a newer release"),
        (b'"log_format":1', b'"log_format":7', "this one reads 1 and 1"),
        (b'"form":1', b'"form":0', "there was none before 1"),
        (b'"parlour"', b'"chess"', "is no backup of Parlour"),
        (b"{", b"[", "is no backup of Parlour"),
        (b'"last":true', b'"last":null', "cannot be read behind its line 2"),
        (b'"row":"value"', b'"row":"else"', "cannot be read behind its line 1"),
        (b'"lives_ms":1', b'"lives_ms":2', "was changed after it was written"),
        (b'"rows":2', b'"rows":1', "was changed after it was written"),
        (b'"sha256"', b"\xff", "cannot be read behind its line 3"),
    ],
)
def test_what_is_no_backup_of_this_or_an_older_release_is_refused(
    file: Path, before: bytes, after: bytes, says: str
) -> None:
    data = file.read_bytes()
    assert before in data
    file.write_bytes(data.replace(before, after, 1))
    with pytest.raises(BackupError, match=says):
        Backup(file)


def test_a_file_that_ends_too_soon_is_refused_wherever_that_is(file: Path) -> None:
    data = file.read_bytes()
    for size in range(len(data) - 1):
        file.write_bytes(data[:size])
        with pytest.raises(BackupError, match=r"is no backup|is not whole|cannot be read behind"):
            Backup(file)
    file.write_bytes(data + b"{}")
    with pytest.raises(BackupError, match="was changed"):
        Backup(file)
    with pytest.raises(BackupError, match="No such file"):
        Backup(file.with_name("none"))
