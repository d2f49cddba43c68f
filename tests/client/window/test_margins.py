"""No word touches an edge of the window: all screens keep one margin free, from the smallest window on."""

from __future__ import annotations

from client.playing.new_match import Choice
from client.shown.words.lobby import Way
from client.window.drawing import lettering
from client.window.drawing.shapes import Align, Picture, Text
from client.window.drawing.theme import MARGIN, SMALLEST, SPACE, scale_for
from client.window.intents import Act, Host, OpenMatch, SayLine, ShowSettings
from client.window.screens.front_screen import FrontScreen
from client.window.screens.lobby_screen import LobbyScreen
from tests.client.window.conftest import Person, Sit

SIZES = (SMALLEST, (600, 900), (960, 640), (1280, 800), (1920, 1080), (3840, 2160))


def outside(picture: Picture, size: tuple[float, float]) -> list[str]:
    """The words of which a letter comes nearer to an edge than the margin allows."""
    margin = MARGIN * SPACE * scale_for(*size) - 1
    found = []
    for text in (shape for shape in picture.shapes if isinstance(shape, Text)):
        wide = min(lettering.width(text.text, text.size, text.face), text.rect.width)
        spare = text.rect.width - wide
        left = text.rect.x + {Align.LEFT: 0.0, Align.CENTRE: spare / 2, Align.RIGHT: spare}[text.align]
        middle = text.rect.y + text.rect.height / 2
        top, low = middle - 0.4 * text.size, middle + 0.4 * text.size
        if left < margin or left + wide > size[0] - margin or top < margin or low > size[1] - margin:
            found.append(f"{text.text!r} at {left:.0f} to {left + wide:.0f}, {top:.0f} to {low:.0f}")
    return found


def keeps_off(person: Person, screen: str) -> None:
    """What this person sees, in all sizes."""
    for size in SIZES:
        picture = person.app.screen.picture(person.app.model, size, person.app.now)
        assert not outside(picture, size), (screen, size)


def test_no_word_touches_an_edge(sit: Sit) -> None:
    """First screen, lobby, form, settings, and a match from waiting to its end, with a challenge above it."""
    ana, bob = sit("Margit"), sit("Wilhelmina Mummery")
    ana.until(lambda: isinstance(ana.app.screen, FrontScreen) and ana.app.screen.examples, "the cards")
    keeps_off(ana, "first")
    for person in (ana, bob):
        person.enter_lobby()
    keeps_off(ana, "lobby")
    ana.app.carry_out(ShowSettings())
    keeps_off(ana, "settings")
    ana.press("escape")
    ana.until(lambda: isinstance(ana.app.screen, LobbyScreen))
    ana.click("new")
    keeps_off(ana, "form")
    ana.click("close")
    bob.app.carry_out(Host(Choice("checkers", ())))
    match = bob.plays("checkers").match
    keeps_off(bob, "waiting")
    ana.app.carry_out(OpenMatch(match, Way.JOIN))
    for person in (ana, bob):
        person.plays("checkers", "playing")
        keeps_off(person, "playing")
    ana.app.carry_out(SayLine("Well played so far!"))
    ana.app.carry_out(Act("draw"))
    bob.until(lambda: bob.app.model.offer_to_me is not None)
    keeps_off(bob, "offer")
    bob.app.carry_out(Act("decline"))
    ana.until(lambda: ana.app.model.own_offer is None)
    ana.click("help")
    keeps_off(ana, "help")
    ana.click("help")
    ana.app.carry_out(Act("pause"))
    bob.until(lambda: bob.app.model.is_covered)
    keeps_off(bob, "pause")
    ana.app.carry_out(Act("continue"))
    bob.until(lambda: not bob.app.model.is_covered)
    bob.app.carry_out(Act("give_up"))
    ana.until(lambda: ana.app.model.match is not None and ana.app.model.match.result is not None)
    keeps_off(ana, "end")
