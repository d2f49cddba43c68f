"""Forms for a match to look at: of every game that is shipped, and of one whose author likes long words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from client.playing.form import EACH_MOVE, IN_TOTAL, Form, Purpose
from client.playing.new_match import Choice
from protocol.messages import GameInfo, Level, Option, Preset
from server.games import load_catalogue

LONG = GameInfo(
    name="long",
    title="Donaudampfschifffahrtsgesellschaftskapitänspatience, by the rules of the year 1907",
    summary="A game of an author who has never seen a form on a telephone, and says all there is to say about it.",
    help="Long.",
    options=(
        Option(
            name="rule",
            label="Whether the captain of the steamboat company may be moved backwards",
            default="never, unless the player who moves it has no other piece left on the board",
            choices=(
                "never, unless the player who moves it has no other piece left on the board",
                "always",
                "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz",
            ),
            help="What the captain may do is settled before the first move, for all of the match, and for its rematch.",
            first=True,
        ),
        Option(name="none", label="An option whose author gives no sentence", default=False),
        Option(name="many", label="Grundstücksverkehrsgenehmigungszuständigkeit", default=7, low=0, high=999),
    ),
    presets=(
        Preset("as it is played at the championship of the two lower rivers", {"many": 12, "none": True}),
        Preset("small", {"many": 3}),
    ),
    computer=True,
    levels=(Level("one", "Somebody who has just been told the rules, and was not listening"), Level("two", "Two")),
    usual_level="one",
)  # fmt: skip
GAMES: dict[str, GameInfo] = {
    **{game.name: game.info() for game in load_catalogue().values() if game.offered},
    "long": LONG,
}


def forms(game: str) -> Iterator[Form]:
    """Each way in, with all rows that it can have."""
    for purpose in Purpose:
        form = Form.opened(purpose, GAMES, Choice(game), "W" * 20 if purpose is Purpose.CHALLENGE else "")
        assert form is not None
        yield form
        form = replace(form, more=True)
        if purpose is Purpose.HOST:
            yield replace(form, private=True, watchable=True, clock=EACH_MOVE)
        if purpose in (Purpose.HOST, Purpose.HERE) and GAMES[game].computer:
            yield replace(form, opponent="computer", seat=1, clock=IN_TOTAL)
        yield form
