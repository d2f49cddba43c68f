"""The manual tells every word that can be typed."""

from __future__ import annotations

from pathlib import Path

from client.plain.words import WORDS

MANUAL = (Path(__file__).resolve().parents[3] / "docs" / "manual.md").read_text(encoding="utf-8")


def test_every_word_is_in_the_manual() -> None:
    rows = [line for line in MANUAL.split("\n") if line.startswith("| `")]
    assert [word.name for word in WORDS if not any(f"`{word.usage}`" in row for row in rows)] == []
