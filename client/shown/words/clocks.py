"""Times as people read them: countdowns, rules of clocks, averages. Pure."""

from __future__ import annotations

from protocol.messages import ClockRule, Result

LOW_MS = 20_000
"""Below this a countdown warns."""
TENTHS_MS = 10_000
"""Below this a countdown shows tenths of a second."""


def clock_text(left_ms: int) -> str:
    """A countdown: "09:41", "1:09:41" from an hour on, "8.3" below ten seconds. Never more than is left."""
    if left_ms < TENTHS_MS:
        return f"{left_ms // 100 / 10:.1f}"
    minutes, seconds = divmod(left_ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"


def countdown_text(left_ms: float) -> str:
    """A waiting time: "0:24". Rounded up, so that it is over at 0:00."""
    minutes, seconds = divmod(int(-(-max(left_ms, 0) // 1000)), 60)
    return f"{minutes}:{seconds:02}"


def is_low(left_ms: int) -> bool:
    """Whether to warn."""
    return left_ms < LOW_MS


def span_text(ms: int) -> str:
    """A round time in words: "30 s", "10 min", "90 min", "1 min 30 s"."""
    minutes, seconds = divmod(ms // 1000, 60)
    parts = [f"{minutes} min"] if minutes else []
    if seconds or not minutes:
        parts.append(f"{seconds} s")
    return " ".join(parts)


def rule_text(rule: ClockRule) -> str:
    """The rule in a few characters: "5+3", "30 s a move", "" without a clock (`RU-M1`)."""
    if rule.per_move_ms:
        return f"{span_text(rule.per_move_ms)} a move"
    if not rule.total_ms:
        return ""
    minutes = rule.total_ms / 60_000
    return f"{minutes:g}+{rule.increment_ms / 1000:g}"


def average_text(ms: int) -> str:
    """An average time: "0.8 s", "12 s", "2:05"."""
    if ms < TENTHS_MS:
        return f"{ms / 1000:.1f} s"
    seconds = round(ms / 1000)
    return f"{seconds} s" if seconds < 60 else f"{seconds // 60}:{seconds % 60:02}"


def stats_text(result: Result, seat: int) -> str:
    """A seat's moves and what each took on average (`CK 5.5`)."""
    stats = result.stats[seat]
    moves = "1 move" if stats.moves == 1 else f"{stats.moves} moves"
    return f"{moves}, {average_text(stats.average_ms)} each" if stats.moves else moves
