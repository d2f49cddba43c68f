"""The pictures of the element ids are drawn from the boards."""

from __future__ import annotations

from scripts.element_pictures import pictures
from tests.driver import ROOT


def test_t11_the_pictures_of_element_ids_are_up_to_date() -> None:
    """T11: `python -m scripts.element_pictures` draws them; docs/dog.md shows each."""
    document = (ROOT / "docs" / "dog.md").read_text(encoding="utf-8")
    for path, drawn in pictures().items():
        assert path.read_text() == drawn
        assert f"(pictures/{path.name})" in document
