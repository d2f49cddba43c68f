"""A picture in the making: shapes and targets are put on it, and a few parts that all screens share. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from client.window.drawing import lettering
from client.window.drawing.shapes import Align, Box, Colour, Picture, Rect, Shape, Stroke, Target, Text
from client.window.drawing.theme import MARGIN, SPACE, TEXT_SIZES, Face, Ink, scale_for
from client.window.hands.field import Field


@dataclass(frozen=True)
class Pointer:
    """Where the mouse or finger is, and what has the keys: (action, value) of a target, or None."""

    x: float = -1.0
    y: float = -1.0
    focus: tuple[str, str] | None = None


class Sheet:
    """A screen of a size in pixels that is being composed."""

    def __init__(self, width: float, height: float, pointer: Pointer | None = None) -> None:
        self.rect = Rect(0, 0, width, height)
        self.scale = scale_for(width, height)
        self.gap = SPACE * self.scale
        self.margin = MARGIN * self.gap
        self.inner = self.rect.inset(self.margin)
        self.pointer = pointer if pointer is not None else Pointer()
        self.due: float | None = None
        self._shapes: list[Shape] = [Box(self.rect, Ink.TABLE)]
        self._targets: list[Target] = []

    # The parts --------------------------------------------------------------------------------------------------------

    def add(self, *shapes: Shape) -> None:
        """Draw these on top."""
        self._shapes += shapes

    def target(self, rect: Rect, action: str, value: str = "", *, enabled: bool = True) -> Target:
        """What a click in `rect` means."""
        target = Target(rect, action, value, enabled)
        self._targets.append(target)
        return target

    def until(self, due: float | None) -> None:
        """The picture is out of date by then."""
        if due is not None:
            self.due = due if self.due is None else min(self.due, due)

    def picture(self) -> Picture:
        """What was put together."""
        return Picture(tuple(self._shapes), tuple(self._targets), self.due)

    def size(self, name: str) -> float:
        """A size of text, in pixels."""
        return TEXT_SIZES[name] * self.scale

    @property
    def row(self) -> float:
        """How high a button or a field is."""
        return round(34 * self.scale)

    def is_over(self, rect: Rect) -> bool:
        """Whether the mouse is in it."""
        return rect.holds(self.pointer.x, self.pointer.y)

    def text(
        self, rect: Rect, text: str, size: str = "body", colour: Colour = Ink.TEXT, *, bold: bool = False,
        align: Align = Align.LEFT,
    ) -> None:  # fmt: skip
        """One line."""
        if text:
            face = Face.BOLD if bold else Face.PLAIN
            self.add(Text(rect, text, self.size(size), colour, face, align))

    def paragraph(
        self, rect: Rect, text: str, size: str = "body", colour: Colour = Ink.TEXT, *, bold: bool = False,
        align: Align = Align.LEFT,
    ) -> float:  # fmt: skip
        """Lines from the top of `rect`, as many as fit; how high they are together."""
        face, step = Face.BOLD if bold else Face.PLAIN, self.line(size)
        y = rect.y
        for line in lettering.wrapped(text, rect.width, self.size(size), face):
            if y + step > rect.bottom + 1:
                break
            self.text(Rect(rect.x, y, rect.width, step), line, size, colour, bold=bold, align=align)
            y += step
        return y - rect.y

    def line(self, size: str = "body") -> float:
        """How high a line of text is."""
        return round(self.size(size) * 1.4)

    def width(self, text: str, size: str = "body", *, bold: bool = False) -> float:
        """How wide a line of text is."""
        return lettering.width(text, self.size(size), Face.BOLD if bold else Face.PLAIN)

    def panel(self, rect: Rect, *, border: Colour | None = Ink.EDGE, fill: Colour = Ink.PANEL) -> None:
        """A quiet ground for what belongs together."""
        self.add(Box(rect, fill, border, max(self.scale, 1), self.gap))

    def button(
        self, rect: Rect, label: str, action: str, value: str = "", *, key: str = "", enabled: bool = True,
        primary: bool = False, chosen: bool = False, size: str = "body",
    ) -> None:  # fmt: skip
        """A button, with its key in small letters where there is room for it."""
        focused = self.pointer.focus == (action, value)
        over = enabled and self.is_over(rect)
        fill = Ink.ACCENT if (primary or chosen) and enabled else Ink.RAISED
        ink: Ink = Ink.ON_ACCENT if fill is Ink.ACCENT else Ink.TEXT if enabled else Ink.QUIET
        edge = Ink.FOCUS if over or focused else (fill if fill is Ink.ACCENT else Ink.EDGE)
        if not enabled:
            self.add(Box(rect, None, Ink.EDGE, max(self.scale, 1), self.gap * 0.75))
        else:
            self.add(Box(rect, fill, edge, max(self.scale, 1) * (2 if over else 1), self.gap * 0.75))
        inner = rect.inset(self.gap)
        room = inner.width - self.width(label, size, bold=primary)
        hint = self.width(key, "small") + self.gap
        if key and room >= hint:
            self.text(inner, key, "small", ink if fill is Ink.ACCENT else Ink.QUIET, align=Align.RIGHT)
            left = Rect(inner.x, inner.y, inner.width - hint, inner.height)
            self.text(left, label, size, ink, bold=primary)
        else:
            self.text(rect.inset(self.gap / 2, 0), label, size, ink, bold=primary, align=Align.CENTRE)
        if focused:
            self.focus_ring(rect)
        self.target(rect, action, value, enabled=enabled)

    def focus_ring(self, rect: Rect) -> None:
        """Shows what has the keys."""
        outer = rect.inset(-3 * self.scale)
        self.add(Box(outer, None, Ink.FOCUS, max(2 * self.scale, 2), self.gap))

    def field(self, rect: Rect, name: str, field: Field, *, hint: str = "") -> None:
        """A field to type in; `name` is the value of its target."""
        focused = self.pointer.focus == ("field", name)
        over = self.is_over(rect)
        edge = Ink.FOCUS if focused or over else Ink.EDGE
        self.add(Box(rect, Ink.RAISED, edge, max(self.scale, 1) * (2 if focused else 1), self.gap * 0.75))
        inner = rect.inset(self.gap, 0)
        size = self.size("body")
        # The part of a long text that ends at the cursor.
        start = 0
        while start < field.at and lettering.width(field.text[start : field.at], size) > inner.width - 4:
            start += 1
        if field.text:
            self.text(inner, field.text[start:], "body")
        elif hint:
            self.text(inner, hint, "body", Ink.QUIET)
        if focused:
            x = inner.x + lettering.width(field.text[start : field.at], size) + 1
            high = size * 1.2
            y = rect.y + (rect.height - high) / 2
            self.add(Stroke((x, y), (x, y + high), Ink.TEXT, max(1.5 * self.scale, 1)))
        self.target(rect, "field", name)
