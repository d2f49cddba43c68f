"""A row of the lobby in the window: what tells one match from another stays, however long the rest is. Pure."""

from __future__ import annotations

import pytest
from msgspec import structs

from client.playing.new_match import Choice
from client.shown.model import Link, Model, update
from client.shown.words.lobby import Way
from client.window.drawing import lettering
from client.window.drawing.shapes import Disc, Text
from client.window.intents import Drop, OpenMatch
from client.window.screens.lobby_screen import LobbyScreen
from protocol.messages import ClockRule, LobbyState, MatchSummary, OptionValue, OwnMatches, Result
from tests.client.positions import DOTS_INFO, own
from tests.client.refereed import CATALOGUE, Refereed

LONG: dict[str, OptionValue] = {
    "captures": "forced",
    "draw_after": 7,
    "tiles": "black and red",
    "pieces": "black and red",
}


LONG_NAMES = tuple(structs.replace(seat, name="Wilhelmina Mummery W") for seat in own("a").seats)


@pytest.mark.parametrize("size", [(640.0, 480.0), (600.0, 900.0), (960.0, 640.0), (3840.0, 2160.0)])
@pytest.mark.parametrize("game", [game for game in CATALOGUE if game != "relay"])
def test_clock_and_colours_stay_in_a_row_with_long_options(game: str, size: tuple[float, float]) -> None:
    """CK 5.3."""
    styles = tuple(seat.style for seat in Refereed(game).snapshot().seats)
    summary = MatchSummary(
        match="a", game=game, options=LONG if game == "checkers" else {}, status="waiting", created_ms=0,
        names=(None, "Wilhelmina Mummery the Elder"), clock_rule=ClockRule(total_ms=5_400_000, increment_ms=30_000),
        styles=(styles[0], styles[1]),
    )  # fmt: skip
    games = {each.name: each.info() for each in CATALOGUE.values()}
    model = update(Model(link=Link.UP, games=games), LobbyState(matches=(summary,), total=1))
    picture = LobbyScreen(Choice()).picture(model, size, 0.0)
    row = next(target.rect for target in picture.targets if target.action == "match")
    clock = next(shape for shape in picture.shapes if isinstance(shape, Text) and shape.text == "90+30")
    assert lettering.width(clock.text, clock.size, clock.face) <= clock.rect.width + 0.5
    balls = [shape for shape in picture.shapes if isinstance(shape, Disc) and shape.fill == styles[1].colour]
    assert [ball for ball in balls if row.holds(*ball.centre)]
    assert row.holds(*clock.rect.centre)
    options = [shape for shape in picture.shapes if isinstance(shape, Text) and shape.text.startswith("Captures")]
    assert all(text.rect.x > clock.rect.right for text in options)


@pytest.mark.parametrize("size", [(640.0, 480.0), (600.0, 900.0), (960.0, 640.0), (3840.0, 2160.0)])
def test_own_matches_are_rows_and_are_opened_and_dropped_from_there(size: tuple[float, float]) -> None:
    """Issue 14, 4: whose turn, the clock and the score in whole; surrender is asked once."""
    over = Result(winner=1, reason="time", text="Over.")
    told = (
        own("a", clock=(65_000, 9_000), private=True, seats=LONG_NAMES),
        own("b", status="ended", to_move=None, ended_ms=0, result=over),
    )
    model = Model(link=Link.UP, lobby=(), games={DOTS_INFO.name: DOTS_INFO}, server_minus_now_ms=0.0)
    model = update(model, OwnMatches(ref="r", now_ms=1_000, matches=told))
    screen = LobbyScreen(Choice())

    def texts() -> list[str]:
        picture = screen.picture(model, size, 1.0)
        whole = [shape for shape in picture.shapes if isinstance(shape, Text)]
        return [one.text for one in whole if lettering.width(one.text, one.size, one.face) <= one.rect.width + 0.5]

    assert {"your turn 01:05", "3 : 2", "you lost", "Go on"} <= set(texts()), "however long a name is"
    assert screen.act("open", "", model, 1.0) == [OpenMatch("a", Way.RESUME)]
    assert screen.act("drop", "", model, 1.0) == []
    assert any("they win it" in text for text in texts()) or size[0] < 700
    assert "Yes, surrender" in texts()
    assert screen.act("drop", "", model, 1.0) == [Drop("a", "give_up")]
    screen.act("match", "b", model, 1.0)
    assert "Remove" in texts()
    assert "Look at it" in texts()
    assert "Go on" not in texts()
    assert screen.act("drop", "", model, 1.0) == [Drop("b", "forget")]
