"""The picture of the match machine is drawn from the machine."""

from __future__ import annotations

from scripts.state_diagram import PAGE, edges, page
from server.match.state import Status


def test_the_state_diagram_is_up_to_date() -> None:
    """`python -m scripts.state_diagram` rewrites it."""
    assert PAGE.read_text(encoding="utf-8") == page(edges())


def test_every_status_is_reached_and_the_end_is_final() -> None:
    found = edges()
    assert {after for _, _, after in found} == set(Status)
    assert {after for before, _, after in found if before is Status.ENDED} == {Status.ENDED}
