"""What is told when it is asked for, as lines: who plays, the time, the lobby, the games. Pure."""

from __future__ import annotations

from client.conversation.position import seat_name
from client.shown.board.board_text import SIGNS
from client.shown.model import Model
from client.shown.story import HASTE, Made, score_name
from client.shown.words.lobby import Row, Way, options_text, people_text, rows, title_of, value_text
from client.shown.words.status import first_move_text, presence_text
from protocol.messages import ClockRule, GameInfo, Snapshot

MAX_ROWS = 50
"""Matches in a spoken list; the newest come first."""


def who(model: Model, now: float) -> list[str]:
    """Both players with score and presence, and the spectators (`CK 5.4.5`)."""
    match = model.match
    if match is None:
        return [f"You are {model.name}, in no match." if model.name else "You are not connected yet."]
    lines = [_player(model, match, seat, now) for seat in (0, 1)]
    lines.append(match.text)
    if match.spectators:
        lines.append(f"Spectators: {match.spectators}.")
    return lines


def all_moves(model: Model, match: Snapshot) -> tuple[str, ...]:
    """All moves from the first on, numbered, with who made them where that is known."""
    return tuple(_made(match, ply, made) for ply, made in enumerate(model.moves, 1))


def _made(match: Snapshot, ply: int, made: Made) -> str:
    who = "" if made.seat is None else f"{seat_name(match, made.seat)}: "
    return f"{ply}. {who}{made.move}{made.gains}{HASTE if made.less else ''}"


def scores(model: Model, match: Snapshot, seat: int) -> str:
    """A seat's scores with what they count."""
    game = model.games.get(match.game)
    names = game.score_names if game is not None else ()
    scores = zip(match.scores[seat], names, strict=False)
    return ", ".join(f"{value} {score_name(game, place, value)}" for place, (value, _) in enumerate(scores))


def _player(model: Model, match: Snapshot, seat: int, now: float) -> str:
    info = match.seats[seat]
    parts = [f"{seat_name(match, seat)} plays {SIGNS[seat]} and {'begins' if seat == 0 else 'goes second'}"]
    if scores(model, match, seat):
        parts.append(scores(model, match, seat))
    if info.name is None:
        parts[0] = f"Nobody plays {SIGNS[seat]} yet"
    elif seat in match.you:
        parts.append("at this keyboard")
    elif info.where not in ("", "board"):
        parts.append(presence_text(model, seat, now))
    elif not info.here:
        parts.append("not connected")
    return "; ".join(parts) + "."


def clock(model: Model, now: float) -> list[str]:
    """What both have left (`CK R2.3`), exact to a tenth of a second when it is little."""
    match = model.match
    left = model.countdowns(now)
    if match is None or left is None:
        return ["This match has no clock." if match is not None else "You are in no match."]
    lines = [f"{seat_name(match, seat)}: {duration(left[seat])} left." for seat in (0, 1)]
    first = next(filter(None, (first_move_text(model, seat, now) for seat in (0, 1))), "")
    stands = [model.outage.text] if model.outage is not None else []
    return [
        f"The clock is {clock_rule(match.clock_rule)}.",
        *lines,
        *([f"{first.capitalize()}."] if first else []),
        *stands,
    ]


def duration(ms: int) -> str:
    """A time as it is spoken."""
    if ms < 10_000:
        return f"{ms / 1000:.1f} seconds"
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} seconds"


def _seconds(ms: int) -> str:
    seconds = ms // 1000
    return "1 second" if seconds == 1 else f"{seconds} seconds"


def clock_rule(rule: ClockRule) -> str:
    """The rule in words."""
    if rule.per_move_ms:
        return f"{_seconds(rule.per_move_ms)} for each move"
    if rule.total_ms:
        more = f" and {_seconds(rule.increment_ms)} for each move" if rule.increment_ms else ""
        return f"{duration(rule.total_ms)} in total{more}"
    return "off"


def lobby(model: Model, now: float) -> tuple[list[str], tuple[str, ...]]:
    """The matches, numbered, and which match each number means (`CK 5.3`)."""
    if model.lobby is None:
        return ["The list of matches is not here yet."], ()
    shown = rows(model, model.server_now_ms(now))[:MAX_ROWS]
    here = f"{people_text(model)}."
    if not shown:
        return ["No matches. Type create GAME or quick GAME to begin one; games lists the games.", here], ()
    lines = [f"{number}. {_row(row)}" for number, row in enumerate(shown, 1)]
    hidden = model.lobby_total - len(shown)
    if hidden > 0:
        lines.append(f"And {hidden} more.")
    return [*lines, here], tuple(row.match for row in shown)


def way(model: Model, match: str, now: float) -> Way | None:
    """What opening a match of the lobby means; None for one that is not in it."""
    return next((row.way for row in rows(model, model.server_now_ms(now)) if row.match == match), None)


_WAYS = {
    Way.RESUME: "yours, join to go on",
    Way.JOIN: "waits for an opponent, join to play",
    Way.WATCH: "being played, watch to see it",
}


def _row(row: Row) -> str:
    side = f" ({row.host.name})" if row.way is Way.JOIN and row.host is not None else ""
    players = f"{row.players}{side}{f'  {row.score}' if row.score else ''}"
    what = ", ".join(filter(None, (row.game, row.options, row.clock, players)))
    if row.act:
        since = f", {row.since}" if row.since else ""
        verb = "watch" if row.is_over else "join"
        return f"{what}: yours, {row.status}{since}, {verb} to {row.opening.lower()}."
    return f"{what}: {_WAYS[row.way]}."


def games(model: Model) -> list[str]:
    """All games with their names."""
    return [f"{game.name}: {game.title}. {game.summary}" for game in model.games.values()]


def game(info: GameInfo) -> list[str]:
    """A game's options, its presets and its rules (`DB 7.3.1.5`)."""
    lines = [f"{info.title}. {info.summary}"]
    for option in info.options:
        if option.choices:
            values = ", ".join(option.choices)
        elif isinstance(option.default, bool):
            values = "true, false"
        else:
            values = f"{option.low} to {option.high}"
        said = f" {option.help}" if option.help else ""
        lines.append(f"Option {option.name}: {option.label}; {values}; else {value_text(option.default)}.{said}")
    if info.presets:
        lines.append(f"Often played: {', '.join(preset.label for preset in info.presets)}.")
    return lines + [line for line in info.help.split("\n") if line.strip()]


def kind_of_match(model: Model, match: Snapshot) -> str:
    """Game and options in a few words."""
    options = options_text(model.games.get(match.game), match.options)
    return title_of(model.games, match.game) + (f", {options}" if options else "")
