"""Square in the window as its document has it: Start, Restart in the middle of a game, and the board after the end."""

from __future__ import annotations

import pytest

from client.window.parts.match_view import layout
from client.window.screens.match_screen import MatchScreen
from protocol.messages import Snapshot
from tests.client.window.conftest import Person, Sit


@pytest.fixture
def two(sit: Sit) -> Person:
    """Two people at one mouse, with Square before them, after Start."""
    ana = sit("Kim")
    ana.enter_lobby()
    ana.click("here")
    squares = next(i for i, name in enumerate(ana.app.model.games) if name == "square")
    ana.click("choose", f"@game={squares}")
    ana.click("against", "both")
    ana.click("submit")
    ana.plays("square", "playing")
    return ana


def click_line(person: Person, line: str) -> None:
    """In the middle of it, whatever lies there."""
    screen, match = person.app.screen, person.match
    assert isinstance(screen, MatchScreen)
    assert match is not None
    view = layout(screen.sheet(person.size), screen.seen(person.app.now), person.app.model).view
    at = next(one for one in match.board.lines if one.id == line)
    person.click_at(*view.place((at.x1 + at.x2) / 2, (at.y1 + at.y2) / 2))


def drawn(person: Person, line: str) -> Snapshot:
    """The match after a click on a line that is free."""
    match = person.match
    assert match is not None
    click_line(person, line)
    return person.reaches(match.version + 1)


def test_after_a_win_all_clicks_on_lines_are_ignored(two: Person) -> None:
    """SQ9: nothing is sent, nothing is said, and the end stays in sight; SQ7: until then each click draws a line."""
    match = two.match
    assert match is not None
    while match.result is None:
        match = drawn(two, min(match.legal))
        two.until(lambda: two.match is not None and (two.match.result is not None or bool(two.match.legal)))
        assert two.match is not None
        match = two.match
    said = two.texts()
    for line in match.board.lines:
        click_line(two, line.id)
        two.app.take_news()
        assert not two.app.model.pending
    assert two.match == match
    assert not two.app.model.notice.text
    assert match.result is not None
    assert said.count("Restart") == 0
    assert any(match.result.text.startswith(text) for text in two.texts() if len(text) > 5)


def test_a_game_is_interrupted_and_begun_anew_in_its_middle(two: Person) -> None:
    """SQ10, DB 7.3.1.1, 7.3.1.8: the button in the middle of a game, a yes, and the board is that of the start."""
    start = two.match
    assert start is not None
    for line in ("a1-b1", "b1-c1"):
        drawn(two, line)
    two.click("restart")
    two.click("yes")
    two.until(lambda: two.match is not None and not two.match.marks and not two.app.model.pending, "an empty board")
    again = two.match
    assert again is not None
    assert (again.plies, again.to_move, again.scores, again.text) == (0, 0, start.scores, start.text)
    assert drawn(two, "a1-b1").marks.keys() == {"a1-b1"}
