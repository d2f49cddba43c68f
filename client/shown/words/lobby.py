"""The lobby as rows of text: one's own matches that go on, the others, newest first, one's own that are over. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from client.shown.model import Link, Mine, Model
from client.shown.words.clocks import rule_text
from client.shown.words.own import act_on, opponent_text, score_text, stands, when_ms
from protocol.board import SeatStyle
from protocol.messages import GameInfo, MatchSummary, Option, OptionValue, OwnMatch

EMPTY = "No match waits or is played just now."
"""What a lobby says without a row, in every front end: the page has it in `texts/en/first.js`."""


class Way(Enum):
    """What opening a row does."""

    RESUME = "go on"
    JOIN = "join"
    WATCH = "watch"


OPENING = {Way.RESUME: "Go on", Way.JOIN: "Join", Way.WATCH: "Watch"}
LOOK = "Look at it"
"""What opening one's own match is called that is over."""


@dataclass(frozen=True)
class Row:
    """One match in the lobby (`CK 5.3`)."""

    match: str
    way: Way
    game: str
    options: str
    players: str
    status: str
    since: str
    clock: str = ""
    host: SeatStyle | None = None
    """The side of whoever waits for an opponent, with its colour and symbol."""
    act: str = ""
    """What can be done to one's own match from here: "cancel", "give_up" or "forget"."""
    opponent: str = ""
    """Against whom one's own match is."""
    score: str = ""
    """How one's own match stands, the own score first; whole, however long the names are."""
    is_over: bool = False

    @property
    def opening(self) -> str:
        """What opening it is called; the page has the same words in `texts/en/first.js`."""
        return LOOK if self.is_over else OPENING[self.way]


def rows(model: Model, now_ms: float | None) -> tuple[Row, ...]:
    """The rows to show; `now_ms` is the server's time, None while it is not known."""
    listed = {summary.match: summary for summary in model.lobby or ()}
    told = {row.match: row for row in model.own}
    own = told.keys() | {mine.match for mine in model.mine}
    found = [
        own_row(told[mine.match], model, now_ms)
        if mine.match in told and told[mine.match].status != "ended"
        else _own_row(mine, listed.get(mine.match), model.games, now_ms)
        for mine in model.mine
    ]
    found += [
        _row(summary, model.games, now_ms)
        for summary in model.lobby or ()
        if summary.match not in own and model.lobby_game in ("", summary.game)
    ]
    going_on = {mine.match for mine in model.mine}
    over = [row for row in model.own if row.status == "ended" and row.match not in going_on]
    return (*found, *(own_row(row, model, now_ms) for row in over))


def next_filter(model: Model) -> str:
    """The game to list after the one that is listed now, among those that there are matches of; at last all again."""
    games = sorted({summary.game for summary in model.lobby or ()}, key=lambda name: title_of(model.games, name))
    later = games[games.index(model.lobby_game) + 1 :] if model.lobby_game in games else games
    return later[0] if later and (model.lobby_game in games or not model.lobby_game) else ""


def title_of(games: Mapping[str, GameInfo], name: str) -> str:
    """The game's title, or its name when the server does not offer it."""
    return games[name].title if name in games else name


def game_text(games: Mapping[str, GameInfo], name: str, options: Mapping[str, OptionValue]) -> str:
    """What a match's game is called: a student's own game by the name that its group gives it."""
    own = options.get("title")
    return own if name not in games and isinstance(own, str) and own else title_of(games, name)


def options_text(game: GameInfo | None, options: Mapping[str, OptionValue]) -> str:
    """The options in a few words: the preset that they are, or a board's size and those that are not the default."""
    if game is None:
        return ""
    full = {option.name: option.default for option in game.options} | dict(options)
    for preset in game.presets:
        if all(full.get(name) == value for name, value in preset.options.items()) and all(
            full[option.name] == option.default for option in game.options if option.name not in preset.options
        ):
            return preset.label
    numbers = [option for option in game.options if _is_number(option)]
    if len(numbers) == len(game.options) == 2:
        return " x ".join(str(full[option.name]) for option in game.options)
    return ", ".join(
        f"{option.label.partition(' (')[0]}: {value_text(full[option.name])}"
        for option in game.options
        if full[option.name] != option.default or (option.first and _is_number(option))
    )


def _is_number(option: Option) -> bool:
    return option.choices == () and isinstance(option.default, int) and not isinstance(option.default, bool)


def people_text(model: Model, width: int = 1_000) -> str:
    """Who is connected, in at most `width` characters: as many names as fit, and how many more there are."""
    if model.link is Link.DOWN:
        return "Who is here is not known now"
    others = sorted((name for name in model.people if name != model.name), key=str.casefold)
    count = max(model.here - 1, len(others))
    if not count:
        return "Nobody else is here"
    for named in range(len(others), 0, -1):
        more = f" and {count - named} more" if count > named else ""
        text = f"Here: {', '.join(others[:named])}{more}"
        if len(text) <= width:
            return text
    return f"{count} {'other is' if count == 1 else 'others are'} here"


def waiting_text(model: Model) -> str:
    """What goes on in the lobby, in a few words for another screen."""
    if model.lobby is None:
        return "Connected."
    own = {mine.match for mine in model.mine}
    waiting = sum(row.status == "waiting" and row.match not in own for row in model.lobby)
    playing = sum(row.status == "playing" and row.match not in own for row in model.lobby)
    parts = [
        f"{len(own)} of your matches {'goes' if len(own) == 1 else 'go'} on" if own else "",
        f"{waiting} {'waits' if waiting == 1 else 'wait'} for an opponent" if waiting else "",
        f"{playing} {'is' if playing == 1 else 'are'} being played" if playing else "",
    ]
    told = ", ".join(part for part in parts if part)
    return f"In the lobby: {told}." if told else EMPTY


def value_text(value: OptionValue) -> str:
    """A value of an option, for a person."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def age_text(age_ms: float) -> str:
    """How long ago, roughly."""
    minutes = int(age_ms // 60_000)
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes} min"
    hours = minutes // 60
    return f"{hours} h" if hours < 48 else f"{hours // 24} days"


def _row(summary: MatchSummary, games: Mapping[str, GameInfo], now_ms: float | None) -> Row:
    return Row(
        match=summary.match,
        way=Way.JOIN if summary.status == "waiting" else Way.WATCH,
        game=game_text(games, summary.game, summary.options),
        options=options_text(games.get(summary.game), summary.options),
        players=_players(summary.names),
        status=_status(summary),
        since="" if now_ms is None else age_text(now_ms - summary.created_ms),
        clock=rule_text(summary.clock_rule),
        host=_host(summary),
    )


def _host(summary: MatchSummary) -> SeatStyle | None:
    if summary.status != "waiting" or summary.styles is None:
        return None
    return next((style for style, name in zip(summary.styles, summary.names, strict=True) if name is not None), None)


def _status(summary: MatchSummary) -> str:
    """Whether it waits or is played, and how many watch."""
    return f"{summary.status} {summary.spectators}◉" if summary.spectators else summary.status


def _own_row(mine: Mine, summary: MatchSummary | None, games: Mapping[str, GameInfo], now_ms: float | None) -> Row:
    names = summary.names if summary is not None else mine.names
    game = summary.game if summary is not None else mine.game
    return Row(
        match=mine.match,
        way=Way.RESUME,
        game=title_of(games, game) if game else "A match of yours",
        options=options_text(games.get(game), summary.options) if summary is not None else "",
        players=_players(names),
        status="yours",
        since="" if now_ms is None or summary is None else age_text(now_ms - summary.created_ms),
        clock="" if summary is None else rule_text(summary.clock_rule),
        host=None if summary is None else _host(summary),
    )


def own_row(row: OwnMatch, model: Model, now_ms: float | None) -> Row:
    """One of one's own: against whom and how it stands, whose turn it is and how long they have, and since when."""
    options = options_text(model.games.get(row.game), row.options)
    return Row(
        match=row.match,
        way=Way.RESUME,
        game=game_text(model.games, row.game, row.options),
        options=", ".join(part for part in ("private" if row.private else "", options) if part),
        players=opponent_text(row),
        status=stands(row, model.own_at_ms, now_ms, model.own_stopped_ms, model.own_held.get(row.match)),
        since="" if now_ms is None else age_text(now_ms - when_ms(row)),
        clock=rule_text(row.clock_rule),
        host=row.seats[row.you[0]].style if len(row.you) == 1 else None,
        act=act_on(row),
        opponent=opponent_text(row),
        score=score_text(row),
        is_over=row.status == "ended",
    )


def _players(names: tuple[str | None, ...]) -> str:
    return " and ".join(name for name in names if name)
