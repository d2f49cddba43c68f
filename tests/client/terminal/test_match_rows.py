"""The rows of the form that are the same for every game, without a screen."""

from __future__ import annotations

from msgspec import structs

from client.playing.new_match import Choice
from client.terminal.match_rows import FIRST, LEVEL, MatchRows
from protocol.messages import Level
from tests.client.positions import DOTS_INFO

GAME = structs.replace(
    DOTS_INFO, computer=True, levels=(Level("medium", "Medium"), Level("hard", "Hard")), usual_level="medium"
)  # fmt: skip


def displayed(rows: MatchRows) -> set[str | None]:
    return {row.name for row in rows.rows if row.display}


def test_against_the_computer_its_level_and_who_begins_are_chosen() -> None:
    """They are there against the computer alone, as they were chosen last, else as is usual for the game."""
    rows = MatchRows(GAME, Choice(opponent="computer", level="hard", seat=1), local=False)
    assert {LEVEL, FIRST} <= displayed(rows)
    assert (rows.opponent, rows.level, rows.seat) == ("computer", "hard", 1)
    usual = MatchRows(GAME, Choice(opponent="computer", level="of another game"), local=True)
    assert (usual.level, usual.seat) == ("medium", 0)
    against_people = MatchRows(GAME, Choice(level="hard", seat=1), local=False)
    assert not {LEVEL, FIRST} & displayed(against_people)
    assert (against_people.level, against_people.seat) == ("", 0)


def test_a_hub_that_tells_no_levels_is_asked_for_none() -> None:
    rows = MatchRows(structs.replace(GAME, levels=(), usual_level=""), Choice(opponent="computer"), local=False)
    assert LEVEL not in displayed(rows)
    assert rows.level == ""
