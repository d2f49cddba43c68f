"""How connecting goes (`UD RF1`). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from client.conversation.address import Address
from client.shown.board.examples import Example
from protocol.messages import OptionValue, Snapshot

Asked = tuple[str, tuple[tuple[str, OptionValue], ...]]
"""A game, and its options."""


@dataclass(frozen=True)
class Progress:
    """For the first screen: a sentence, and whether it goes on by itself or has failed."""

    text: str
    busy: bool = False
    bad: bool = False


@dataclass(frozen=True)
class Found:
    """Where the server is."""

    address: Address


@dataclass(frozen=True)
class Shown:
    """What the server showed of its games, by name."""

    examples: Mapping[str, Example]


@dataclass(frozen=True)
class Opened:
    """The board that a game with these options begins with; None where the server tells of none."""

    asked: Asked
    opening: Snapshot | None
