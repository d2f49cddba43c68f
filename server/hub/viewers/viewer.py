"""What the hub's service knows of somebody connected: who it is, how to put things, and a way to send."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from pathlib import Path
from typing import NamedTuple

from protocol.codec import Codec
from protocol.errors import ParlourError
from protocol.messages import Message, Refused
from protocol.text import DEFAULT_LANGUAGE, Translate, translator
from server.hub.limits.settings import Meter
from server.hub.metrics import count_refusal

LOCALES = Path(__file__).parents[2] / "locale"


@cache
def languages() -> frozenset[str]:
    """The languages there are catalogues for, and English."""
    return frozenset({DEFAULT_LANGUAGE, *(path.parent.parent.name for path in LOCALES.glob("*/LC_MESSAGES/*.mo"))})


@cache
def language(name: str) -> Translate:
    """The translation into one of `languages`."""
    return translator(name, str(LOCALES))


class Form(NamedTuple):
    """What decides the bytes of an event: those who share a form are sent the same ones."""

    codec: Codec
    language: str


class Viewer(ABC):
    """One connection of a player, or a spectator's; the same player may have several."""

    player: str = ""
    name: str = ""
    form: Form
    address: str = ""
    """Where the connection comes from, as far as limits are concerned; "" when that is not known."""
    secret: str = ""
    """What a new guest was asked for under, so that it counts once; "" for a coming that always makes a new one."""
    said_goodbye: bool = False
    """Whether the connection was closed by its owner, and not lost."""
    by_http: bool = False
    """Whether it reads by requests, and has no connection."""
    waits: bool = False
    """Whether a command is carried out to its end before the next one is looked at, however long it takes."""
    meter: Meter | None = None
    """What the connection asked for before it was anybody's, and how often it was warned; None where there is none."""

    @property
    def translate(self) -> Translate:
        """The lookup for sentences in this viewer's language."""
        return language(self.form.language)

    @abstractmethod
    def send(self, message: Message) -> None:
        """Send one message to this viewer alone. Never waits: the connection's bounds decide what becomes of it."""

    @abstractmethod
    def send_shared(self, frame: bytes, source: str) -> None:
        """Send a frame that was made once for everybody of this form.

        When the viewer lags, the frame is dropped and `source` ("lobby" or a match) is shown anew later.
        """

    def begin_write(self) -> None:
        """What is sent until `end_write` may go out as one."""
        return

    def end_write(self) -> None:
        """The end of that."""
        return

    def refuse(self, ref: str, error: ParlourError, match: str = "", version: int = 0) -> None:
        """Tell the viewer that a command was not granted, in words of the viewer's language.

        A sentence may repeat what was sent: nothing of it that steers a terminal gets through (`H16`).
        """
        count_refusal(error.code)
        sentence = error.text.render(self.translate)
        data = {key: value for key, value in error.data.items() if isinstance(value, str | int | float)}
        self.send(
            Refused(
                ref=ref or str(error.data.get("ref", "")),
                code=error.code,
                text=sentence if sentence.isprintable() else "".join(filter(str.isprintable, sentence)),
                data=data,
                match=match,
                version=version,
            )
        )


def form_for(codec: Codec, wished: str = DEFAULT_LANGUAGE) -> Form:
    """The form of a connection that wishes for a language: that one if we have it, else English."""
    return Form(codec, wished if wished in languages() else DEFAULT_LANGUAGE)
