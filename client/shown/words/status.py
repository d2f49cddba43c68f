"""How a match stands, in words: scores, presence, whose turn it is, what waits for an answer, a pause. Pure.

Every front end that draws says it in these words.
"""

from __future__ import annotations

from client.conversation.position import seat_name
from client.shown.model import Model
from client.shown.state import PAUSE, Link
from client.shown.story import OFFERS, offer_text, score_name
from client.shown.words.clocks import countdown_text, span_text
from client.shown.words.ending import verdict
from client.shown.words.lessons import task_title
from protocol.messages import SeatInfo, Snapshot, Where

TURN = "▶"


def score_text(model: Model, seat: int) -> str:
    """The seat's scores with what they count: "12 boxes"."""
    match = model.match
    if match is None:
        return ""
    game = model.games.get(match.game)
    counts = (f"{value} {score_name(game, place, value)}".strip() for place, value in enumerate(match.scores[seat]))
    return ", ".join(counts)


def presence_text(model: Model, seat: int, now: float) -> str:
    """Whether the seat's holder is connected, or for how long one who is not is waited for (`RU-M5`); without a
    connection of our own, what was known last."""
    match = model.match
    if match is None:
        return ""
    info = match.seats[seat]
    if info.name is None:
        return "" if model.is_cleared else "free seat"
    left_ms = model.waits_left(now)[seat]
    if left_ms is not None:
        return f"{_GONE.get(info.where, 'away')} {countdown_text(left_ms)}"
    if seat in match.you:
        return "" if len(match.you) == 2 else "you"
    if model.link is Link.DOWN:
        return "was here" if info.here else "was away"
    if info.here:
        return _HERE.get(info.where, HERE)
    return _GONE.get(info.where, "has left" if match.status == "ended" else "away") + _for(
        info, model.server_now_ms(now)
    )


HERE = "here"
_HERE: dict[Where, str] = {"lobby": "in the lobby", "http": "reads by HTTP"}
_GONE: dict[Where, str] = {"quit": "has quit", "lost": "connection lost"}


def _for(info: SeatInfo, server_ms: float | None) -> str:
    """For how long somebody has been gone: " for 40 s"; "" where that is not known."""
    if info.since_ms is None or server_ms is None:
        return ""
    return f" for {span_text(1000 * round(max(server_ms - info.since_ms, 0) / 1000))}"


def is_gone(model: Model, seat: int) -> bool:
    """Whether the seat's holder is not connected, or is waited for."""
    match = model.match
    if match is None or match.seats[seat].name is None:
        return False
    awaited = any(gone.seat == seat for gone in match.away)
    return awaited or (seat not in match.you and not match.seats[seat].here)


def is_missed(model: Model, seat: int) -> bool:
    """The same until the match is over: nobody is waited for after the end."""
    return is_gone(model, seat) and model.match is not None and model.match.status != "ended"


def first_move_text(model: Model, seat: int, now: float) -> str:
    """How long the seat's first move may take, which its clock is not charged with; "" where there is no such limit."""
    left = model.first_move_ms(now)
    if left is None or model.match is None or model.match.to_move != seat:
        return ""
    return f"first move within {countdown_text(left)}"


def is_on(match: Snapshot) -> bool:
    """Whether somebody is to move."""
    return match.status == "playing"


def headline(model: Model) -> tuple[str, str]:
    """The one line that says whose turn it is, or how it ended, and of what kind that is: "mine", "theirs",
    "waiting", "ended", "back" or ""."""
    match = model.match
    if match is None:
        return "", ""
    if model.outage is not None and match.status == "playing":
        return model.outage.text, "waiting"
    if match.status == "waiting":
        if match.key is not None:
            return f"Give your opponent this key:  {match.key}", "mine"
        return "Waiting for an opponent…", "waiting"
    if model.is_cleared:
        return "No match", ""
    if match.status == "ended":
        return ending(match), "ended"
    if match.pause is not None:
        return "‖ Paused", "waiting"
    if model.step is not None:
        behind = match.plies - model.shown_ply
        return f"Looking back: {behind} {'move' if behind == 1 else 'moves'} behind", "back"
    seat = match.to_move
    if seat is None:
        return match.text, ""
    if match.lesson:
        return task_title(model), "mine"
    symbol = match.seats[seat].style.symbol[:1]
    if model.holds_both:
        return f"{TURN} {symbol} {seat_name(match, seat)}, it is your turn", "mine"
    if model.is_my_turn:
        return f"{TURN} Your turn, {seat_name(match, seat)}  {symbol}", "mine"
    return f"  {symbol} {seat_name(match, seat)} is to move", "theirs"


def tells_more(match: Snapshot) -> bool:
    """Whether the server's sentence says more than whose turn it is, which a headline says already, by name."""
    name = "" if match.to_move is None else match.seats[match.to_move].style.name
    return match.text not in (f"{name}'s turn", f"{name} to move")


def ending(match: Snapshot) -> str:
    """How it ended, first for the one who reads it."""
    result = match.result
    if result is None:
        return match.text
    return result.text if result.winner is None and not match.lesson else f"{verdict(match)[0]}  {result.text}"


def lower_seat(match: Snapshot) -> int:
    """Whose side of the board is below: one's own; for who has both seats or none, the one of whom it is not turned."""
    if len(match.you) == 1:
        return match.you[0]
    turned_for = match.board.turned_for
    return next((seat for seat in (0, 1) if seat not in turned_for), turned_for[0] if turned_for else 0)


def quitting_costs(model: Model) -> str:
    """What it costs to quit now; "" where it costs nothing: alone at both seats, and before the first move."""
    match = model.match
    if match is None or len(match.you) != 1 or match.status != "playing" or not match.plies:
        return ""
    if not (match.grace_s or match.level):
        return "This gives the match up."
    clock = " Your clock goes on." if match.clock is not None and match.to_move in match.you else ""
    stays = "" if match.level else f" Staying away for {span_text(1000 * match.grace_s)} can lose the match."
    return f"Your seat is kept, and you can come back from the lobby.{clock}{stays}"


def offer_line(model: Model) -> str:
    """The open offer in a sentence (`CK R4.5`), for whoever made it or is to answer; "" without one."""
    match = model.match
    if match is None:
        return ""
    to_me, own = model.offer_to_me, model.own_offer
    if to_me is not None:
        return offer_text(match, to_me.kind, to_me.seat)
    if own is not None:
        asked = f"You {OFFERS[own.kind].replace('offers', 'offer').replace('asks', 'ask')}."
        return " ".join(filter(None, (asked, unseen_text(model))))
    return ""


def unseen_text(model: Model) -> str:
    """That the other one has gone to something else, and so does not see the own offer after the end; or ""."""
    match, own = model.match, model.own_offer
    if match is None or own is None or match.status != "ended" or model.link is Link.DOWN:
        return ""
    other = match.seats[1 - own.seat]
    seen = other.here or other.name is None or len(match.you) == 2
    return "" if seen else f"{seat_name(match, 1 - own.seat)} is not at this match now, and sees it on coming back."


def away_line(model: Model, now: float, *, short: bool = False) -> str:
    """The opponent who is away (`RU-M5`): only for the one who stays and can do something about it; else "".

    In short the time comes first, for the end may have no room.
    """
    match = model.match
    if match is None or not (model.may("wait_longer") or model.may("call_draw")):
        return ""
    gone = next((info for info in match.away if info.seat not in match.you and info.until_ms is not None), None)
    left_ms = None if gone is None else model.waits_left(now)[gone.seat]
    if gone is None or left_ms is None:
        return ""
    words = {"quit": "has quit", "lost": "lost the connection"}.get(match.seats[gone.seat].where, "is away")
    who, waited = f"{seat_name(match, gone.seat)} {words}", f"Waited for {countdown_text(left_ms)} more"
    return f"{waited}: {who}" if short else f"{who}. {waited}."


def pause_lines(model: Model, now: float) -> list[str]:
    """Who paused, for how long at most, and who may go on (`CK 5.4.3`); [] without a pause."""
    match = model.match
    if match is None or not model.is_covered:
        return []
    if match.pause is None:
        return ["One moment…"]
    left_ms, pauser = model.waits_left(now)[PAUSE], match.pause.seat
    own = pauser in match.you
    lines = ["You paused the match." if own else f"{seat_name(match, pauser)} paused the match."]
    if left_ms is not None:
        lines.append(f"It goes on by itself in {countdown_text(left_ms)}.")
    if not own:
        lines.append(f"Before that only {seat_name(match, pauser)} can go on.")
    lines.append("The clocks stand still meanwhile.")
    return lines
