"""A match in the window: what the user sees of it, and what hands and keys do there (`DB 7.1.1.2`, `CK 5.4`). Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from client.conversation.position import seat_name
from client.kept.saves import MAX_NAME, Listed
from client.playing.commands import ASKS_FIRST, is_sent_at_once
from client.shown.actions.controls import Place, is_enabled
from client.shown.actions.plans import touchable
from client.shown.board import picking
from client.shown.model import Model
from client.shown.words.ending import EndSeen
from client.shown.words.status import quitting_costs
from client.window.drawing.shapes import Picture
from client.window.hands import gestures
from client.window.hands.gestures import Done, Hand
from client.window.hands.inputs import Input, Key, Left, Moved, Pressed, Released
from client.window.intents import Act, Copy, Intent, InVain, LeaveMatch, Play, Quit, RevertTo, SaveAs, SayLine, StepTo
from client.window.parts.board import LastBoard
from client.window.parts.log_view import FIND, MOST_SOUGHT
from client.window.parts.match_view import Layout, Seen, Where, draw_match, layout
from client.window.parts.motion import Motion, between
from client.window.parts.moves_view import CHAT, LOOK
from client.window.parts.overlays import SAVE_NAME
from client.window.parts.row import MORE
from client.window.parts.side import MOVE, SAY
from client.window.screens.screen import FIELD, Screen
from protocol.limits import MAX_MOVE
from protocol.messages import Snapshot

MAX_SAY = 200
TOLD_S = 4.0
"""How long a refusal stands near the place that it is about."""
_LINES = {"up": 1, "down": -1, "pageup": 10, "pagedown": -10, "home": 10**9, "end": -(10**9)}
"""By how many lines keys move the log."""
_ARROWS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


class MatchScreen(Screen):
    """See the module's docstring. What is asked, shown beside the board, or picked is kept here; all else is model."""

    PLACE: ClassVar[Place] = Place.MATCH
    UNFOCUSED: ClassVar[frozenset[str]] = frozenset({"match", "stone", LOOK})

    def __init__(self) -> None:
        super().__init__()
        self.begin(SAY, most=MAX_SAY)
        self.begin(MOVE, most=MAX_MOVE)
        self.begin(SAVE_NAME, most=MAX_NAME)
        self.begin(FIND, most=MOST_SOUGHT)
        self.focus(None)
        self.up = 0
        """By how many lines the log of a student's game, or the list of moves, is scrolled up."""
        self.hand = Hand()
        self.motion = Motion()
        self.asks = ""
        """The action that is asked about ("give_up", "restart", "save", "quit"), or ""."""
        self.shows_help = False
        self.shows_menu = False
        self.saved: tuple[Listed, ...] | None = None
        self.chosen = ""
        self.first = 0
        self._end = EndSeen()
        self._board = LastBoard()
        self._before: Snapshot | None = None
        self._notice = -1
        self._told_at = -1e9
        self._told_place: Where | None = None
        self._tried: Where | None = None
        """Where the last move was made, until it was answered or something else was asked for."""
        self._save_refused = ""
        self._save_tried = ""
        self._asked_at = 0
        """The version of the match when the user was asked: what is agreed to is what was asked about (`Q1`)."""

    # What is seen -----------------------------------------------------------------------------------------------------

    def picture(self, model: Model, size: tuple[float, float], now: float) -> Picture:
        """The whole screen."""
        self._look(model, now)
        sheet = self.sheet(size)
        up = draw_match(sheet, self.seen(now), model, now)
        self.up = up if model.is_log else min(self.up, len(model.moves))
        return sheet.picture()

    def seen(self, now: float) -> Seen:
        """What the picture shows of this screen itself."""
        told = self._told_place if now - self._told_at < TOLD_S else None
        again = bool(self._save_refused) and self._save_refused == self.fields[SAVE_NAME].text
        return Seen(
            self.hand, self.motion, self.fields, self.asks, self.shows_help, self.saved, self.chosen, self.first,
            told, self._told_at + TOLD_S, again, self.link, self._board, self.up, self.shows_chat,
            self.shows_menu,
        )  # fmt: skip

    def _look(self, model: Model, now: float) -> None:
        """Notice what is new in the model: what moves on the board, and what was refused."""
        match, before = model.shown, self._before
        # Who is about to answer reads what was said.
        self.shows_chat = self.shows_chat or self.pointer.focus == (FIELD, SAY)
        self._end = self._end.look(model.match, now)
        if match is None:
            return
        if match is not before:
            if before is not None:
                self.motion = between(before, match, now) if self.moves else Motion()
            if before is None or before.match != match.match:
                self.asks, self.saved, self.up = "", None, 0
            self.hand = gestures.after_change(self.hand, before, match)
            self._before = match
        if model.notice.number != self._notice:
            self._notice = model.notice.number
            if model.notice.code:
                self._told_at, self._told_place, self._tried = now, self._tried, None
            if model.notice.code == "save" and self.asks == "save":
                self._save_refused = self._save_tried
            elif self.asks == "save" and model.notice.text and not model.notice.code:
                self.asks = ""

    # Hands ------------------------------------------------------------------------------------------------------------

    def take(self, given: Input, model: Model, size: tuple[float, float], now: float) -> list[Intent]:
        """What follows from what the user does; the board first, where it is under the mouse."""
        self._look(model, now)
        match = model.match
        if match is None:
            return []
        where = layout(self.sheet(size), self.seen(now), model)
        if isinstance(given, Moved | Pressed | Released) and self._reaches(given, where, model):
            done = self._on_board(given, touchable(model) or match, where)
            if done is not None:
                return done
        if isinstance(given, Pressed | Released) and where.side.holds(given.x, given.y) and self.is_deaf(now):
            return []
        if isinstance(given, Left):
            self.hand = replace(self.hand, held=None, hovered=None)
        return super().take(given, model, size, now)

    def is_deaf(self, now: float) -> bool:
        """At the end the panel changes under the hand."""
        return self._end.is_deaf(now)

    def _reaches(self, given: Moved | Pressed | Released, where: Layout, model: Model) -> bool:
        """Whether the hand is over the board, or holds something that was picked up there."""
        if not self._can_play(model) or where.covered:
            return False
        return self.hand.held is not None or where.board.holds(given.x, given.y)

    def _can_play(self, model: Model) -> bool:
        return is_enabled("touch", model) and not model.is_cleared

    def _on_board(self, given: Moved | Pressed | Released, match: Snapshot, where: Layout) -> list[Intent] | None:
        """What a hand does over the board; None where it is not about the board after all."""
        x, y = given.x, given.y
        match given:
            case Moved():
                self.hand = gestures.move(self.hand, match, where.view, x, y).hand
                return None
            case Pressed():
                if where.question is not None and where.question.holds(x, y):
                    return None
                self.focus(None)
                self.shows_menu = False
                if where.stone is not None and where.stone.holds(x, y):
                    self.hand = gestures.take_stone(self.hand, x, y)
                else:
                    self.hand = gestures.press(self.hand, match, where.view, x, y).hand
                return None if where.words is not None and where.words.holds(x, y) else []
            case Released():
                if self.hand.held is None:
                    return None
                return self._played(gestures.release(self.hand, match, where.view, x, y))

    def _played(self, done: Done) -> list[Intent]:
        self.hand = hand = done.hand
        if done.move is None and not done.why:
            return []
        self._tried = hand.cursor.id if hand.shows_cursor and hand.cursor is not None else (hand.x, hand.y)
        return [Play(done.move)] if done.move is not None else [InVain(done.why)]

    def scroll(self, picture: Picture, x: float, y: float, steps: float) -> None:
        """The wheel moves the help, or the list of saved games, or the log."""
        lines = round(3 * steps) or (1 if steps > 0 else -1)
        if self.shows_help or self.saved is not None:
            self.first = max(self.first - lines, 0)
        else:
            self.up = max(self.up + lines, 0)

    # Keys -------------------------------------------------------------------------------------------------------------

    def typed(self, name: str, model: Model, now: float) -> list[Intent]:
        """Enter in a field: play it, say it, or save under that name."""
        if name == SAVE_NAME:
            return self.act("yes", "", model, now)
        if name == MOVE:
            move = self.fields[MOVE].text.strip()
            self.begin(MOVE, most=MAX_MOVE)
            self.focus(None)
            return [Play(picking.typed(model.match, move))] if move and model.match is not None else []
        if name == FIND:
            self.focus(None)
            return []
        text = self.fields[SAY].text.strip()
        self.begin(SAY, most=MAX_SAY)
        return [SayLine(text)] if text else []

    def key(self, key: Key, model: Model, now: float) -> list[Intent]:
        """Arrows and Enter play; Escape closes what is open, lets go of what is picked, or leaves."""
        match = model.match
        if key.name == "escape":
            return self._escape(model)
        if self.asks and key.name == "enter":
            return self.act("yes", "", model, now)
        if self.saved is not None and key.name in ("up", "down", "enter"):
            if key.name == "enter":
                return self.act("start_saved", "", model, now)
            names = [one.name for one in self.saved]
            if names:
                at = names.index(self.chosen) if self.chosen in names else 0
                self.chosen = names[min(max(at + (1 if key.name == "down" else -1), 0), len(names) - 1)]
            return []
        if self.shows_help and key.name in ("pageup", "pagedown"):
            self.first = max(self.first + (10 if key.name == "pagedown" else -10), 0)
            return []
        if model.is_log and key.name in _LINES:
            self.up = max(self.up + _LINES[key.name], 0)
            return []
        if key.name == "enter" and model.plan.unsent:
            return self.act("confirm", "", model, now)
        match = touchable(model)
        if match is not None and self._can_play(model):
            if key.name in _ARROWS:
                self.hand = gestures.arrow(self.hand, match, *_ARROWS[key.name])
                return []
            if key.name in ("enter", "space"):
                return self._played(gestures.touch_at_cursor(self.hand, match))
        return super().key(key, model, now)

    def _escape(self, model: Model) -> list[Intent]:
        if self.shows_menu:
            self.shows_menu = False
            self.focus((MORE, "") if self.pointer.focus is not None else None)
            return []
        if self.pointer.focus is not None:
            self.focus(None)
            if not self.asks:
                return []
        if self.asks or self.saved is not None or self.shows_help:
            self.asks, self.saved, self.shows_help = "", None, False
            return []
        if model.plan.unsent or model.plan.path:
            return [Act("unplan")]
        if self.hand.picked:
            self.hand = gestures.let_go(self.hand)
            return []
        if self.fields[FIND].text:
            self.begin(FIND, most=MOST_SOUGHT)
            self.focus(None)
            return []
        return [LeaveMatch()]

    # What is done -----------------------------------------------------------------------------------------------------

    def show_saved(self, saved: tuple[Listed, ...]) -> None:
        """Show the saved games of which one is to be gone back to (`DB 7.3.3.2`)."""
        self.saved, self.first = saved, 0
        self.chosen = saved[0].name if saved else ""

    def act(self, action: str, value: str, model: Model, now: float) -> list[Intent]:
        """A click on a target, or a key of the table."""
        match = model.match
        if match is None:
            return []
        self._tried = None
        if action in ASKS_FIRST or action == "save":
            self._ask(action, match)
            self._asked_at = model.next_version
            return []
        if is_sent_at_once(action) or action in (
            "cancel",
            "again",
            "clear",
            "mute",
            "review",
            "practise",
            "confirm",
            "unplan",
        ):
            return [Act(action)]
        match action:
            case "yes":
                return self._confirmed()
            case "no" | "close":
                self.asks, self.saved = "", None
                self.focus(None)
            case "copy":
                text = value or self.link or match.key
                return [Copy(text)] if text else []
            case "more":
                self.shows_menu, self.shows_help = not self.shows_menu, False
            case "help":
                self.shows_help, self.first = not self.shows_help, 0
            case "revert":
                return [Act("list_saved")]
            case "match":
                self.chosen = value
            case "start_saved" if self.chosen:
                self.saved = None
                return [RevertTo(self.chosen)]
            case "word":
                return [Play(value)]
            case "type":
                self.shows_help = False
                self.begin(MOVE, most=MAX_MOVE)
            case "say":
                self.focus((FIELD, SAY))
            case "tab":
                self.shows_chat, self.up = value == CHAT, 0
            case "find":
                self.focus((FIELD, FIND))
                self.up = 0
            case "lobby":
                return [LeaveMatch()]
            case "back":
                self.shows_chat = False
                return [StepTo(model.shown_ply - 1)]
            case "forward":
                return [StepTo(model.shown_ply + 1)]
            case "start":
                return [StepTo(0)]
            case "live":
                return [StepTo(match.plies)]
            case "look" | "to_ply":
                return [StepTo(int(value))]
        return []

    def _done(self, action: str, value: str, model: Model, now: float) -> list[Intent]:
        """Quitting is asked about where it may cost the match; closing the window is not. What was chosen in the menu
        closes it."""
        self.shows_menu = self.shows_menu and action == MORE
        if action == "quit" and model.match is not None and quitting_costs(model):
            self._ask(action, model.match)
            return []
        return super()._done(action, value, model, now)

    def _ask(self, action: str, match: Snapshot) -> None:
        self.asks = action
        self._save_refused = ""
        if action == "save":
            names = " - ".join(seat_name(match, seat) for seat in (0, 1))
            self.begin(SAVE_NAME, f"{names} {match.plies}", most=MAX_NAME)

    def _confirmed(self) -> list[Intent]:
        action = self.asks
        if action == "save":
            name = self.fields[SAVE_NAME].text.strip()
            if not name:
                self.focus((FIELD, SAVE_NAME))
                return []
            replaced = self._save_refused == self.fields[SAVE_NAME].text
            self._save_tried = self.fields[SAVE_NAME].text
            return [SaveAs(name, replaced)]
        self.asks = ""
        if action == "quit":
            return [Quit()]
        return [Act(action, self._asked_at)] if action else []
