"""Small parts of screens: a line with two ends, the bar of keys, the help panel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.cells import cell_len, set_cell_size
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from client.playing.commands import is_sent_at_once
from client.shown.actions.controls import Place, Shelf, controls_for, key_help, on_shelf
from client.shown.model import Link, Model
from client.terminal.drawing import theme
from client.terminal.drawing.plain import content


def shortened(text: str, width: int) -> str:
    """`text` in at most `width` columns, cut with an ellipsis."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(width - 1, 0)).rstrip() + "…" if width > 0 else ""


def wrapped(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` columns; a word that is longer is cut with an ellipsis."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if cell_len(longer) > width and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return [shortened(line, width) for line in lines]


def fitting(texts: Iterable[str], width: int) -> str:
    """The first of these for which there is room; "" where there is for none."""
    return next((text for text in texts if cell_len(text) <= width), "")


def called(action: str) -> str:
    """How Textual is to call a control: those that are a command and nothing else share one method."""
    return f"act('{action}')" if is_sent_at_once(action) else action


class Line(Input):
    """A line that is typed. Of what is pasted all lines count, one behind the other: the first is often not the one."""

    def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        line, chosen = " ".join(event.text.split()), abs(self.selection.end - self.selection.start)
        room = len(line) if not self.max_length else max(self.max_length - len(self.value) + chosen, 0)
        self.replace(line[:room], *self.selection)


class TwoEnds(Widget):
    """One line with a left and a right end; when both do not fit, the left one is cut. Where it is higher than that,
    all of the left end, and then the right one."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._left = self._right = Content("")

    def show(self, left: Content, right: Content | None = None) -> None:
        """Replace both ends."""
        right = right if right is not None else Content("")
        if (left, right) != (self._left, self._right):
            self._left, self._right = left, right
            self.refresh()

    def render(self) -> Content:
        """The line, or the lines."""
        if self.content_size.height > 1:
            return self._left + "\n" + self._right if self._right else self._left
        room = self.content_size.width - self._right.cell_length
        left = self._left
        if left.cell_length > room - 1:
            left = left.truncate(max(room - 1, 0), ellipsis=True)
        return Content.assemble(left, " " * max(room - left.cell_length, 0), self._right)


class KeyHint(Static):
    """One control in the bar: its key and label, before them its sign where it has one; a click does the same as the
    key (`DB 8.1`)."""

    def __init__(self, key: str, label: str, action: str, sign: str = "") -> None:
        self._parts = (key, label)
        self._sign = f"{sign} " if sign else ""
        super().__init__(self._drawn(pale=False))
        self.action = action

    def call(self, label: str, key: str = "") -> None:
        """Say this from now on, with another key where one is told."""
        if (key or self._parts[0], label) != self._parts:
            self._parts = (key or self._parts[0], label)
            self.update(self._drawn(pale=self.disabled))

    def _drawn(self, *, pale: bool) -> Content:
        """One that does nothing now is read as well, but calls for nothing."""
        key, label = self._parts
        return Content.assemble(
            (self._sign, theme.DUST),
            (key, theme.DUST if pale else f"bold {theme.BRASS}"),
            (f" {label}", theme.DUST if pale else theme.CHALK),
        )

    @property
    def cells(self) -> int:
        """How many columns it takes."""
        return cell_len(f"{self._sign}{self._parts[0]} {self._parts[1]}")

    def watch_disabled(self, disabled: bool) -> None:
        """Show whether it can be used."""
        super().watch_disabled(disabled)
        self.update(self._drawn(pale=disabled))

    @property
    def wide(self) -> int:
        """How much room it takes in a row, in cells."""
        return content(" ".join(self._parts)).cell_length + self.styles.margin.right

    @property
    def takes_clicks(self) -> bool:
        """Whether a click does something now."""
        return not self.disabled

    async def on_click(self, event: events.Click) -> None:
        """Do it, if the key would do it, too."""
        event.stop()
        if self.takes_clicks:
            await self.screen.run_action(called(self.action))


STEPS = ("back", "forward", "live")


TYPED = "type"
"""What a keyboard has and no button elsewhere."""
LESSER = ("mute", "settings", "save", "find", "say", "open", TYPED)
"""What the bar leaves out first, in this order, where it has no room for all; Enter and a click open a row anyway."""


class KeyBar(Horizontal):
    """The controls that are enabled now, with their keys (`DB 7.1.1.2`): each is there whole, or not at all."""

    def __init__(self, place: Place) -> None:
        super().__init__(id="keys")
        self._place = place
        self._enabled: frozenset[str] = frozenset()

    def compose(self) -> ComposeResult:
        """One hint for each control that has its place here."""
        typed = (control for control in controls_for(self._place) if control.action == TYPED)
        # Those that come and go with looking back are last, so that the others stay where they are.
        for control in sorted((*typed, *on_shelf(self._place, Shelf.KEYS)), key=lambda one: one.action in STEPS):
            hint = KeyHint(control.first_key, control.label, control.action)
            hint.display = False
            yield hint

    @property
    def _hints(self) -> list[KeyHint]:
        return [child for child in self.children if isinstance(child, KeyHint)]

    def show(self, model: Model, words: Mapping[str, str] | None = None) -> None:
        """Leave out what cannot be done now; `words` are what actions are called just here."""
        controls = {control.action: control for control in controls_for(self._place)}
        self._enabled = frozenset(action for action, control in controls.items() if control.enabled(model))
        for hint in self._hints:
            control = controls[hint.action]
            hint.call((words or {}).get(hint.action, control.called(model)), control.key_shown(model))
        self._fit()

    def on_resize(self) -> None:
        """There may be room for others."""
        self._fit()

    def _fit(self) -> None:
        """Leave out besides what there is no room for: the help names it, too."""
        hints = self._hints
        shown = [hint for hint in hints if hint.action in self._enabled]
        in_one_row, room = self.size.height == 1, self.size.width + hints[-1].styles.margin.right
        for action in LESSER:
            if in_one_row and sum(hint.wide for hint in shown) > room:
                shown = [hint for hint in shown if hint.action != action]
        for hint in hints:
            hint.display = hint in shown


class HelpPanel(VerticalScroll, can_focus=False):
    """Rules and keys beside the game, which goes on meanwhile (`DB 7.3.1.5` to `7.3.1.7`)."""

    def __init__(self, place: Place) -> None:
        super().__init__(id="help")
        self._place = place
        self._text: str | None = None

    def compose(self) -> ComposeResult:
        """The text, and the control that closes it."""
        key = next(control.shown for control in controls_for(self._place) if control.action == "help")
        yield KeyHint(key, "Close this help", "help")
        yield Static(id="help-text", markup=False)

    def show(self, title: str, paragraphs: Iterable[str]) -> None:
        """Explain this game, or this screen."""
        rules = "\n\n".join(paragraphs)
        if self._text == title + rules:
            return
        self._text = title + rules
        parts: list[Content | tuple[str, str]] = [(f"{title}\n", f"bold {theme.BRASS}")]
        if rules:
            parts.append((f"\n{rules}\n", theme.CHALK))
        parts.append(("\nKeys\n", f"bold {theme.BRASS}"))
        for keys, explanation in key_help(self._place):
            parts += [(f"\n{keys}", f"bold {theme.CHALK}"), (f"\n{explanation}\n", theme.DUST)]
        parts.append(("\nPage up and Page down move this help.", theme.DUST))
        self.query_one("#help-text", Static).update(Content.assemble(*parts))

    def turn(self, pages: int) -> None:
        """Page up or down."""
        self.scroll_relative(y=pages * max(self.size.height - 2, 1), animate=False)


def link_line(model: Model, now: float) -> Content:
    """The state of the connection: latency, what is still being sent, or since when it is gone."""
    match model.link:
        case Link.NEW:
            return content("not connected", theme.DUST)
        case Link.DOWN:
            since = int(now - (model.down_since if model.down_since is not None else now))
            return content(f"○ reconnecting for {since} s", f"bold {theme.BRICK}")
        case Link.UP if model.outage is not None:
            return content("○ moves are not stored just now", f"bold {theme.BRICK}")
        case Link.UP:
            parts = []
            if model.unanswered:
                parts.append((f"… sending {model.unanswered}  ", theme.BRASS))
            if model.awaits_hint:
                parts.append(("… thinking about a hint  ", theme.BRASS))
            latency = "" if model.latency_ms is None else f" {model.latency_ms:.0f} ms"
            return Content.assemble(*parts, (f"●{latency}", theme.MOSS))
