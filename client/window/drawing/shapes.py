"""What a screen of the window is made of: plain shapes in pixels, drawn in the order given. Pure.

A colour is a role of the palette (`theme.Ink`), so that one picture serves light and dark, or `#rrggbb` where the match
says it: the colours of the players and of the board's tones.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from client.window.drawing.theme import Face, Ink

Colour = Ink | str
Point = tuple[float, float]


class Align(Enum):
    """Where in its rectangle a text stands; it is always in the middle vertically."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


@dataclass(frozen=True)
class Rect:
    """A rectangle in pixels; its right and lower edges do not belong to it."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Where it ends, to the right."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Where it ends, below."""
        return self.y + self.height

    @property
    def centre(self) -> Point:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def holds(self, x: float, y: float) -> bool:
        """Whether the point lies in it."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def inset(self, across: float, down: float | None = None) -> Rect:
        """Smaller by `across` on the left and right, and by `down` (or the same) above and below; never negative."""
        down = across if down is None else down
        return Rect(self.x + across, self.y + down, max(self.width - 2 * across, 0.0), max(self.height - 2 * down, 0.0))

    def top_slice(self, height: float) -> Rect:
        """Its uppermost part."""
        return Rect(self.x, self.y, self.width, min(height, self.height))

    def below(self, height: float) -> Rect:
        """What is left under the uppermost part."""
        height = min(height, self.height)
        return Rect(self.x, self.y + height, self.width, self.height - height)


@dataclass(frozen=True)
class Box:
    """A rectangle, filled, bordered (inside its edge), or both; `alpha` from 0 to 1 is that of the filling."""

    rect: Rect
    fill: Colour | None = None
    border: Colour | None = None
    thickness: float = 1.0
    radius: float = 0.0
    alpha: float = 1.0


@dataclass(frozen=True)
class Stroke:
    """A straight line with round ends."""

    start: Point
    end: Point
    colour: Colour
    thickness: float = 1.0
    alpha: float = 1.0


@dataclass(frozen=True)
class Disc:
    """A circle, filled, ringed, or both."""

    centre: Point
    radius: float
    fill: Colour | None = None
    border: Colour | None = None
    thickness: float = 1.0
    alpha: float = 1.0


@dataclass(frozen=True)
class Polygon:
    """A convex area with straight edges."""

    points: tuple[Point, ...]
    fill: Colour | None = None
    border: Colour | None = None
    thickness: float = 1.0
    alpha: float = 1.0


@dataclass(frozen=True)
class Text:
    """One line of text; what is wider than the rectangle is cut and ends in "…". `size` is in pixels."""

    rect: Rect
    text: str
    size: float
    colour: Colour = Ink.TEXT
    face: Face = Face.PLAIN
    align: Align = Align.LEFT


Shape = Box | Stroke | Disc | Polygon | Text


@dataclass(frozen=True)
class Target:
    """A place that can be clicked: what it does, in the words of the controls or of its screen, and about what."""

    rect: Rect
    action: str
    value: str = ""
    enabled: bool = True


@dataclass(frozen=True)
class Picture:
    """A whole screen: what is drawn, what can be clicked (the last one that holds the point counts), and by when it is
    out of date by itself, in seconds of the session's clock; None: not before something happens."""

    shapes: tuple[Shape, ...]
    targets: tuple[Target, ...] = ()
    due: float | None = None

    def target_at(self, x: float, y: float) -> Target | None:
        """What a click at the point means."""
        return next((target for target in reversed(self.targets) if target.rect.holds(x, y)), None)
