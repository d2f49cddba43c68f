"""What the user sees, as one frozen value. `update(model, event)` is pure: the same events give the same screen.

A match on screen is its last Snapshot brought forward by `advance`, event by event, so that a fresh snapshot and a
chain of events cannot differ in form.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from client.conversation.events import (
    Answer,
    ChatRead,
    Chosen,
    Cleared,
    Event,
    Filtered,
    Forgotten,
    InStep,
    Latency,
    Left,
    Muted,
    NewGuest,
    Offline,
    Planned,
    Reviewed,
    Sent,
    Settled,
    Stepped,
)
from client.conversation.position import advance, cleared, shown_anew
from client.shown import history, listing, standing
from client.shown.review import Review
from client.shown.state import NO_PLAN, Link, Mine, Model, Notice
from client.shown.story import Happening, happening, made, said_text
from protocol.messages import (
    Accepted,
    Analyse,
    Analysis,
    Cancel,
    Challenged,
    ChallengeOver,
    ChallengesMuted,
    Chat,
    Command,
    Create,
    Ended,
    Forget,
    GoingAway,
    Hint,
    LobbyChange,
    LobbyState,
    MatchEvent,
    Moved,
    Outage,
    OwnMatches,
    Paused,
    Position,
    Presence,
    Record,
    Refused,
    Replaced,
    Said,
    SetBack,
    Snapshot,
    Welcome,
)

__all__ = ["Link", "Mine", "Model", "Notice", "update"]

MAX_HAPPENINGS = 60
"""Lines of what happened that are kept; a panel shows the newest."""


_ENDS_PLANS = (Snapshot, Replaced, Paused, Ended, Offline, Left, Cleared, Stepped)
"""After these a plan would be about a position that is no more, or not in sight."""


def update(model: Model, event: Event) -> Model:
    """The model after `event`."""
    plan = model.plan
    if plan != NO_PLAN and (isinstance(event, _ENDS_PLANS) or (isinstance(event, Moved) and plan.unsent)):
        model = replace(model, plan=NO_PLAN)
    return _updated(model, event)


def _updated(model: Model, event: Event) -> Model:
    match event:
        case Sent(command):
            # What was said about an earlier try is of no interest once a new one is made.
            return replace(model, pending=(*model.pending, command), notice=Notice(number=model.notice.number))
        case Settled(command, answer):
            return _settled(model, command, answer)
        case Offline(since, reason):
            first = since if model.down_since is None else model.down_since
            link = Link.NEW if model.link is Link.NEW else Link.DOWN
            model = _stopped(model, model.server_now_ms(since))
            return replace(model, link=link, down_since=first, down_reason=reason, latency_ms=None)
        case Outage():
            return _outage(model, event)
        case Latency(round_trip_ms, server_minus_now_ms):
            return replace(model, latency_ms=round_trip_ms, server_minus_now_ms=server_minus_now_ms)
        case InStep(server_minus_now_ms):
            return replace(model, server_minus_now_ms=server_minus_now_ms)
        case Stepped(ply):
            return replace(model, step=ply)
        case Planned():
            return replace(model, plan=event)
        case Chosen(confirm, premove):
            return replace(model, confirms=confirm, premoves=premove, plan=NO_PLAN)
        case Said():
            return _said(model, event)
        case Chat(lines=lines):
            return reduce(_said, lines, model)
        case Forgotten(number):
            return replace(model, notice=Notice(number=number)) if model.notice.number == number else model
        case ChatRead():
            return replace(model, unread=0)
        case Muted(on):
            return replace(
                _notice(model, "What others say is left out." if on else "You read what others say."), muted=on
            )
        case Filtered(game):
            return replace(model, lobby_game=game)
        case Reviewed():
            return history.reviewed(model)
        case Cleared():
            empty = None if model.match is None else cleared(model.match)
            bare = replace(model, match=empty, happenings=(), moves=(), chat=(), unread=0, log=())
            return replace(bare, step=None, look=None, hint=None, review=None)
        case Left(match_id):
            return _left(model, match_id)
        case NewGuest():
            return _notice(model, "The server does not know you any more: you come as a new guest.")
        case Welcome():
            return _welcomed(model, event)
        case LobbyState(matches=rows, total=total):
            listed = replace(model, lobby=listing.newest_first(rows), lobby_total=max(total, len(rows)))
            return replace(listed, people=event.people, here=event.here)
        case OwnMatches():
            return listing.own(model, event)
        case LobbyChange():
            return listing.lobby_changed(model, event)
        case Snapshot():
            return _snapshot(model, event)
        case Presence() | MatchEvent():
            return _advanced(model, event)
        case SetBack():
            return _set_back(model, event)
        case Challenged():
            return standing.challenged(model, event)
        case ChallengeOver(text=text):
            told = _notice(model, text) if standing.is_news(model, event) else model
            return standing.over(told, event)
        case ChallengesMuted(on=on):
            words = "Nobody can challenge you now." if on else "Others can challenge you again."
            return replace(_notice(model, words), unchallenged=on)
        case GoingAway(text=text):
            return _notice(model, text)
        case Refused():
            return _refused(model, event)
        case _:
            return model


def _notice(model: Model, text: str, code: str = "") -> Model:
    return replace(model, notice=Notice(text, code, model.notice.number + 1))


def _refused(model: Model, refusal: Refused) -> Model:
    told = refusal.data.get("at")
    at = tuple(told.split()) if isinstance(told, str) else ()
    return replace(model, notice=Notice(refusal.text, refusal.code, model.notice.number + 1, at))


def _settled(model: Model, command: Command, answer: Answer) -> Model:
    model = replace(model, pending=tuple(waiting for waiting in model.pending if waiting.ref != command.ref))
    here = model.match.match if model.match is not None else ""
    if isinstance(command, Analyse) and model.review is not None and command.match == here:
        model = replace(model, review=history.judged(model.review, answer))
    if isinstance(answer, Refused):
        return _refused(model, answer)
    if isinstance(command, Create) and command.review and isinstance(answer, Accepted):
        return replace(model, to_review=answer.match)
    if isinstance(command, Cancel | Forget):
        own = tuple(row for row in model.own if row.match != command.match)
        return replace(model, mine=listing.without(model.mine, command.match), own=own)
    if isinstance(answer, Analysis) and isinstance(command, Hint):
        return _hinted(model, answer)
    if isinstance(answer, Position) and model.match is not None and model.match.match == answer.match:
        return replace(model, look=answer)
    if isinstance(answer, Record) and not model.is_log and model.match is not None:
        return history.more_moves(model, answer)
    if isinstance(answer, Record) and model.is_log and model.match is not None and model.match.match == answer.match:
        return history.more_of_the_log(model, answer)
    return model


def _hinted(model: Model, hint: Analysis) -> Model:
    """A hint for a position that is not on screen any more is dropped."""
    match = model.match
    if match is None or match.match != hint.match or match.plies != hint.ply or hint.version < model.position_since:
        return model
    # Said first, for a line may be cut at its end: many waited, and it was thought about for less than usual.
    found = "Hint, found in haste" if hint.less else "Hint"
    told = f"{found}: {hint.move}{f' {hint.text}' if hint.text else ''}."
    return replace(_notice(model, told), hint=hint)


def _welcomed(model: Model, welcome: Welcome) -> Model:
    known = {mine.match: mine for mine in model.mine}
    back, known_as = model.link is Link.DOWN, model.name
    model = replace(
        model,
        link=Link.UP,
        down_since=None,
        down_reason="",
        outage=None,
        name=welcome.name,
        player=welcome.player,
        games={game.name: game for game in welcome.games},
        mine=tuple(known.get(match, Mine(match)) for match in welcome.matches),
        # The server says which of them still stand, and that nobody is to challenge one.
        challenges=(),
        unchallenged=False,
    )
    if back and known_as not in ("", welcome.name):
        return _notice(model, f"You are {welcome.name} now.")
    return _notice(model, "Connected again.") if back else model


def _stopped(model: Model, at_ms: float | None) -> Model:
    """Of what passes from then on nobody knows here whether it is charged (`D5`); what stood before stands."""

    def first(known_ms: float | None) -> float | None:
        return at_ms if known_ms is None else known_ms

    return replace(model, stopped_ms=first(model.stopped_ms), own_stopped_ms=first(model.own_stopped_ms))


def _outage(model: Model, word: Outage) -> Model:
    """When it is over every match was told what is excused; the rows of others are still to be."""
    if not word.on:
        return replace(model, outage=None, stopped_ms=None)
    away = replace(model, outage=word)
    return _stopped(away, away.counted_ms)


def _in_step(model: Model) -> Model:
    """The match on screen was told anew: unless the store is away its clock goes on."""
    return replace(model, stopped_ms=model.counted_ms)


def _snapshot(model: Model, snapshot: Snapshot) -> Model:
    if model.match is None or model.match.match != snapshot.match:
        model = replace(
            model, happenings=(), moves=(), chat=(), unread=0, log=(), said=0, notice=Notice(number=model.notice.number)
        )
        model = replace(model, step=None, look=None, review=None)
    if snapshot.match == model.to_review:
        model = replace(model, to_review="", review=Review(snapshot.plies) if snapshot.plies else None)
    known = model.match is not None and model.match.match == snapshot.match
    # One that comes after a gap tells nothing of the moves in it, as one of a match that was not known.
    in_step = known and model.match is not None and model.match.version == snapshot.version
    same = in_step and not model.awaits_position
    ends = known and model.match is not None and model.match.status != snapshot.status == "ended"
    if not same:
        # Others may have been made in the place of those that were known.
        model = replace(model, moves=())
    model = replace(
        model,
        position_since=model.position_since if same else snapshot.version,
        awaits_position=False,
        hint=model.hint if same else None,
        step=None if snapshot.pause is not None or ends else model.step,
    )
    mine = listing.without(model.mine, snapshot.match)
    if snapshot.you and snapshot.status != "ended":
        names = tuple(seat.name for seat in snapshot.seats)
        mine = (Mine(snapshot.match, snapshot.game, names), *mine)
    return _in_step(replace(model, match=snapshot, mine=mine))


def _advanced(model: Model, event: MatchEvent | Presence) -> Model:
    match = model.match
    if match is None or match.match != event.match:
        return model
    after = advance(match, event)
    model = replace(model, match=after, awaits_position=model.awaits_position or shown_anew(event))
    if isinstance(event, Moved):
        model = replace(model, position_since=event.version, hint=None)
        if len(model.moves) == match.plies:
            model = replace(model, moves=(*model.moves, made(match, after, event, model.games.get(match.game))))
        if event.entry and len(model.log) == match.plies:
            model = replace(model, log=(*model.log, event.entry))
    if isinstance(event, Presence):
        model = _in_step(model)
    if isinstance(event, Paused | Ended) or shown_anew(event):
        # What was looked back at is hidden too, belongs to moves that were taken back, or would hide how it ended.
        model = replace(model, step=None, look=None, hint=None if shown_anew(event) else model.hint)
    if isinstance(event, Ended):
        model = replace(model, mine=listing.without(model.mine, event.match))
    line = happening(match, after, event, model.games.get(match.game))
    # A refusal is out of date once a move was made; what is no refusal, once anything happened.
    if isinstance(event, Moved | Ended) or (line is not None and not model.notice.code):
        model = replace(model, notice=Notice(number=model.notice.number))
    return model if line is None else _happened(model, line, is_move=isinstance(event, Moved))


def _happened(model: Model, line: Happening, *, is_move: bool = False) -> Model:
    chat = model.chat if is_move else (*model.chat, line)[-MAX_HAPPENINGS:]
    return replace(model, happenings=(*model.happenings, line)[-MAX_HAPPENINGS:], chat=chat)


def _set_back(model: Model, word: SetBack) -> Model:
    """What had happened may never have been, and what was said comes anew; the snapshot that follows shows the rest."""
    if model.match is not None and model.match.match == word.match:
        line = Happening(word.text)
        model = replace(
            model,
            happenings=(line,),
            chat=(line,),
            moves=(),
            log=(),
            said=0,
            step=None,
            look=None,
            review=None,
            awaits_position=True,
        )
    return _notice(model, word.text)


def _said(model: Model, line: Said) -> Model:
    """One more line among what happened; lines are numbered, and one that comes twice is shown once."""
    match = model.match
    if match is None or match.match != line.match or line.number <= model.said:
        return model
    model = replace(model, said=line.number)
    if model.muted and line.seat not in match.you and line.name != model.name:
        return model
    notice = model.notice if model.notice.code else Notice(number=model.notice.number)
    own = line.seat in match.you or line.name == model.name
    model = replace(model, notice=notice, unread=model.unread + (not own))
    return _happened(model, said_text(line))


def _left(model: Model, match_id: str) -> Model:
    match = model.match
    if match is not None and match.match != match_id:
        return replace(model, mine=listing.without(model.mine, match_id))
    # A seat is kept once moves were made; before that, leaving has freed it.
    kept = match is not None and match.match == match_id and match.status == "playing" and match.plies > 0
    mine = model.mine if kept else listing.without(model.mine, match_id)
    model = replace(model, happenings=(), moves=(), chat=(), unread=0, log=())
    empty = replace(model, match=None, stopped_ms=None, mine=mine, step=None, look=None, hint=None, review=None)
    return replace(empty, awaits_position=False)
