"""What a person does at the window, freed from pygame: mouse and touch alike, and keys by their names in the table of
controls. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pressed:
    """The main button, or a finger, goes down."""

    x: float
    y: float


@dataclass(frozen=True)
class Moved:
    """The mouse or a finger is somewhere else; `held` while the main button or the finger is down."""

    x: float
    y: float
    held: bool = False


@dataclass(frozen=True)
class Released:
    """The main button, or a finger, goes up."""

    x: float
    y: float


@dataclass(frozen=True)
class Wheeled:
    """The wheel, or two fingers: `steps` upwards where the mouse is."""

    x: float
    y: float
    steps: float


@dataclass(frozen=True)
class Key:
    """A key by its name in `client.shown.actions.controls` ("escape", "full_stop"); `text` is what it types, or ""."""

    name: str
    text: str = ""


@dataclass(frozen=True)
class Left:
    """The mouse has left the window."""


Input = Pressed | Moved | Released | Wheeled | Key | Left
