"""What a key means: the offer that was on screen when the hand set out for it."""

from __future__ import annotations

from msgspec import structs

from client.shown.actions.in_view import REACTION_S, Eyes
from protocol.messages import Answer, OfferInfo, Snapshot
from tests.client.positions import snapshot

MOMENT_S = REACTION_S / 4


def with_offer(version: int) -> Snapshot:
    """A match in which that offer is open; 0: none."""
    return structs.replace(snapshot(), offer=OfferInfo("draw", 1, version) if version else None)


def eyes_on(*shown: tuple[float, int]) -> Eyes:
    """Eyes that have seen offers, each from a time on."""
    eyes = Eyes()
    for at, version in shown:
        eyes.look(with_offer(version), at)
    return eyes


def test_an_offer_on_screen_is_the_one_that_is_meant() -> None:
    """Q1."""
    assert eyes_on((0.0, 5)).seen(10.0) == 5
    assert eyes_on((0.0, 0)).seen(10.0) == 0


def test_a_first_offer_may_be_answered_at_once() -> None:
    """Nothing else can have been meant."""
    assert eyes_on((0.0, 0), (10.0, 5)).seen(10.0) == 5


def test_an_offer_that_came_in_its_place_is_not_meant_yet() -> None:
    """Q1: a draw was on screen, was withdrawn, and a restart is offered while the hand is on its way."""
    eyes = eyes_on((0.0, 5), (10.0, 0), (10.0 + MOMENT_S, 7))
    assert eyes.seen(10.0 + 2 * MOMENT_S) == 5
    assert eyes.seen(10.0 + MOMENT_S + REACTION_S) == 7
    swift = eyes_on((0.0, 5), (10.0, 7), (10.0 + MOMENT_S, 9))
    assert swift.seen(10.0 + 2 * MOMENT_S) == 5


def test_what_was_answered_is_not_meant_again() -> None:
    eyes = eyes_on((0.0, 5))
    eyes.sent(Answer(ref="r", match="m1", accept=False, offer=5))
    eyes.look(with_offer(0), 10.0)
    eyes.look(with_offer(7), 10.0)
    assert eyes.seen(10.0) == 7


def test_another_match_is_another_matter() -> None:
    eyes = eyes_on((0.0, 5))
    eyes.look(structs.replace(with_offer(3), match="m2"), 10.0)
    assert eyes.seen(10.0) == 3
    eyes.look(None, 10.0)
    assert eyes.seen(10.0) == 0


def test_they_keep_no_more_than_a_moment() -> None:
    eyes = Eyes()
    for number in range(10_000):
        eyes.look(with_offer(number % 2 * number), number * MOMENT_S)
    assert len(eyes._shown) < 10
