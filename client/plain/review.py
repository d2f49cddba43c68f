"""A saved game reviewed, as lines for people and scripts: who stood better, and what cost most."""

from __future__ import annotations

from functools import partial
from typing import TextIO

from client.conversation.transport import Finder
from client.kept.saves import SavedGame
from client.plain.replay import exit_status
from client.replay.positions import Positions
from client.replay.stepping import heading
from client.shown.review import Review, bars, costly_text, progress_text
from client.start.console import Speaker
from protocol.limits import MAX_LEAD
from protocol.messages import Analysis

COLUMNS = 60
"""Of the curve."""


async def review(positions: Positions, speaker: Speaker, progress: Speaker | None) -> None:
    """Have every position judged, and tell what came of it. Raises CannotReplay."""
    await positions.open()
    found = Review(positions.plies)
    while (ply := found.next_ply) is not None and not speaker.is_broken:
        found = found.with_next(await positions.judged(ply))
        if progress is not None and len(found.judged) % 10 == 0:
            progress.say([f"{progress_text(found)}."])
    name = positions.seat_name
    lines = [f"{heading(positions.saved, positions.game)}.", *filter(None, [positions.warning])]
    lines += [f"{name(0)} stood, from low to high: {bars(found.leads, COLUMNS)}"]
    lines += [f"{name(0)}'s lead after each move, from -{MAX_LEAD} (lost) to {MAX_LEAD} (won):"]
    lines += [f"{ply}: {lead:+d}{'' if one.exact else ' (a guess)'}" for ply, lead, one in _rows(found)]
    speaker.say([*lines, f"{progress_text(found)}.", *(costly_text(one, name) for one in found.costliest)])


def _rows(found: Review) -> list[tuple[int, int, Analysis]]:
    return [(one.ply, lead, one) for one, lead in zip(found.judged, found.leads, strict=True)]


def review_in_lines(saved: SavedGame, find: Finder, output: TextIO, errors: TextIO, language: str) -> int:
    """Run it; returns the exit status. How far it is goes to `errors`, where somebody sits there."""
    speaker, complaints = Speaker(output), Speaker(errors)
    make = partial(Positions, saved, find, language=language)
    progress = complaints if errors.isatty() else None
    return exit_status(make, lambda positions: review(positions, speaker, progress), complaints)
