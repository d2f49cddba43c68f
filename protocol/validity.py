"""Which notifications can be (docs/protocol.md, "What can be"): judged once, where they enter a client. Pure.

The codec has judged their form. Here it is whether they make sense by themselves, and on the board of their match.
"""

from __future__ import annotations

from collections.abc import Collection

from protocol import limits
from protocol.drawable import (
    Impossible,
    check_count,
    check_ids,
    check_less_told,
    check_movers,
    check_options,
    check_record,
    check_scores,
    check_scores_told,
    check_seat,
    check_seats,
    check_style,
    check_time,
    check_words,
    element_ids,
)
from protocol.match_validity import (
    check_analysis,
    check_clock,
    check_event,
    check_position,
    check_result,
    check_snapshot,
)
from protocol.messages import (
    Accepted,
    Analysis,
    Challenged,
    ChallengeOver,
    Chat,
    GameInfo,
    GoingAway,
    Invitation,
    LobbyChange,
    LobbyState,
    MatchEvent,
    MatchSummary,
    Message,
    Option,
    Outage,
    OwnMatch,
    OwnMatches,
    Pong,
    Position,
    Presence,
    Record,
    Refused,
    Said,
    SetBack,
    Snapshot,
    Welcome,
)

__all__ = ["Impossible", "check", "elements"]


def elements(match: Snapshot) -> frozenset[str]:
    """The ids of all elements of the match's board, for `check`."""
    return frozenset(element_ids(match.board))


def check(message: Message, known: Collection[str] | None = None) -> None:
    """Raise Impossible, with what of it cannot be, for a notification that no server may send.

    `known` are the elements of the match's board, where it is known: events and positions speak of no others.
    """
    match message:
        case Snapshot():
            check_snapshot(message)
        case MatchEvent():
            check_event(message, known)
        case Welcome():
            _welcome(message)
        case LobbyState():
            _rows(message.matches)
            _lobby(message.people, message.here, message.total)
        case LobbyChange():
            _rows(message.put)
            check_ids(message.gone, "match", limits.LOBBY_ROWS)
            _lobby(message.people or (), message.here or 0, 0)
        case OwnMatches():
            check_ids([row.match for row in message.matches], "match", limits.OWN_MATCHES + limits.OWN_ENDED)
            check_time(message.now_ms)
            for own in message.matches:
                _own(own)
        case Invitation():
            _rows([message.summary])
            check_seat(message.seat)
        case Position():
            check_position(message, known)
        case Record():
            check_options(message.options)
            check_words(message.game, message.hash, *message.names)
            check_record(message.moves)
            check_movers(message.movers, message.moves)
            check_scores_told(message.scores, message.moves)
            check_less_told(message.less, message.after, len(message.moves))
            check_count(message.after, "moves before these:")
            check_count(message.plies, "plies:")
            check_time(message.created_ms)
            check_result(message.result)
        case Analysis():
            check_analysis(message)
        case Accepted():
            check_count(message.version, "version", limits.MAX_VERSION)
            check_words(message.match, message.key)
        case Refused():
            check_count(message.version, "version", limits.MAX_VERSION)
            check_words(message.match, message.text, message.code)
        case Presence():
            check_count(message.spectators, "spectators:")
            for since_ms in message.since_ms:
                check_time(since_ms or 0)
        case Said():
            _said(message)
        case Chat():
            if len(message.lines) > limits.MAX_LINES:
                raise Impossible(f"{len(message.lines)} lines at once")
            for line in message.lines:
                _said(line)
        case SetBack():
            check_count(message.version, "version", limits.MAX_VERSION)
            check_words(message.match, message.text)
        case Challenged():
            check_options(message.options)
            check_words(message.challenge, message.by, message.to, message.game, message.title)
            check_seat(message.seat)
            check_time(message.until_ms)
            check_time(message.now_ms)
        case ChallengeOver():
            check_words(message.challenge, message.by, message.to, message.text)
        case GoingAway():
            check_words(message.text)
            check_count(message.back_in_ms, "back in", limits.MAX_CLOCK_MS)
        case Outage():
            check_time(message.since_ms)
            check_time(message.counted_ms)
            check_words(message.text)
        case Pong():
            check_time(message.now_ms)


def _welcome(welcome: Welcome) -> None:
    check_words(welcome.player, welcome.name, welcome.token, welcome.server)
    check_ids(welcome.matches, "match")
    check_ids([game.name for game in welcome.games], "game", limits.MAX_GAMES)
    check_time(welcome.now_ms)
    if len(welcome.epoch) > limits.MAX_ID:
        raise Impossible(f"an epoch of {len(welcome.epoch)} characters")
    if len(welcome.catalogue) > limits.MAX_ID:
        raise Impossible(f"a catalogue's hash of {len(welcome.catalogue)} characters")
    for game in welcome.games:
        _game(game)


def _game(game: GameInfo) -> None:
    check_words(game.title, game.summary, *game.score_names, *game.score_names_one)
    names = max(len(game.score_names), len(game.score_names_one))
    if len(game.help) > limits.MAX_HELP or names > limits.MAX_SCORES:
        raise Impossible(f"the words of the game “{game.name}”")
    if len(game.options) > limits.MAX_OPTIONS or len(game.presets) > limits.MAX_OPTIONS:
        raise Impossible(f"{len(game.options)} options and {len(game.presets)} presets of a game")
    check_ids([option.name for option in game.options], "option")
    for option in game.options:
        _option(option)
    if len(game.sides) > limits.MAX_CHOICES:
        raise Impossible(f"{len(game.sides)} pairs of sides of a game")
    for sides in game.sides:
        check_words(sides.option, sides.choice)
        check_style(sides.first)
        check_style(sides.second)
    for preset in game.presets:
        check_words(preset.label)
        check_options(preset.options)


def _option(option: Option) -> None:
    check_words(option.label, option.help, *option.choices)
    default = option.default
    if isinstance(default, bool):
        return
    if isinstance(default, int):
        # A form lists the numbers.
        if not option.low <= default <= option.high or option.high - option.low > limits.MAX_CHOICES:
            raise Impossible(f"the option “{option.name}” of {default} from {option.low} to {option.high}")
    elif len(option.choices) > limits.MAX_CHOICES or default not in option.choices:
        raise Impossible(f"the option “{option.name}” of {len(option.choices)} choices")


def _rows(rows: Collection[MatchSummary]) -> None:
    check_ids([row.match for row in rows], "match", limits.LOBBY_ROWS)
    for row in rows:
        check_words(row.game, *row.names)
        check_options(row.options)
        check_time(row.created_ms)
        check_count(row.spectators, "spectators:")
        check_count(row.delay_plies, "a delay of")
        for style in row.styles or ():
            check_style(style)


def _own(row: OwnMatch) -> None:
    check_words(row.game, *(seat.name for seat in row.seats))
    for seat in row.seats:
        check_style(seat.style)
    check_options(row.options)
    check_seats(row.you)
    check_seat(row.to_move)
    check_scores(row.scores)
    check_count(row.plies, "plies:")
    check_clock(row.clock)
    check_time(row.clock_from_ms)
    check_result(row.result)
    check_time(row.created_ms)
    check_time(row.ended_ms or 0)


def _lobby(people: Collection[str], here: int, total: int) -> None:
    if len(people) > limits.LOBBY_NAMES:
        raise Impossible(f"{len(people)} names")
    check_words(*people)
    check_count(here, "people:")
    check_count(total, "matches:")


def _said(line: Said) -> None:
    check_count(line.number, "line", limits.MAX_VERSION)
    check_seat(line.seat)
    check_words(line.name, line.text)
    check_time(line.at_ms)
