"""Golden playthroughs: what a game does today is what was read and found right."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.games import load_catalogue
from tests.playthroughs.playthrough import FILES, SUFFIX, Header, write_out

CATALOGUE = load_catalogue()
PATHS = sorted(FILES.glob(f"*{SUFFIX}"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_game_is_played_as_written_down(path: Path) -> None:
    """If the difference is meant, `python -m tests.playthroughs` writes the files anew; then read the diff."""
    written = path.read_text("utf-8")
    header = Header.read(written)
    assert write_out(header, CATALOGUE[header.game]) == written


def test_every_game_has_a_playthrough() -> None:
    """`python -m tests.playthroughs` makes one for a new game."""
    assert {Header.read(path.read_text("utf-8")).game for path in PATHS} == set(CATALOGUE)
