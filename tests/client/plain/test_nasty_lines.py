"""Whatever anybody writes is a line of text in the plain client, and nothing else."""

from __future__ import annotations

import io
import unicodedata

import pytest

from client.conversation.cleaning import cleaned_event
from client.plain.intents import Said
from client.plain.telling import tell
from client.plain.words import understand
from client.shown.model import Model, update
from client.start.console import Speaker
from protocol.messages import Welcome
from tests.client.nasty_talk import ended, game_called, lobby_of, told
from tests.nasty import LINES

FORBIDDEN = ("Cc", "Cf", "Cs", "Co")
TYPED = ("list", "games", "help create", "board", "board list", "who", "moves", "log", "clock")


@pytest.mark.parametrize("line", LINES, ids=ascii)
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_every_line_is_told(line: str, encoding: str) -> None:
    """Q19: names, labels, chat, refusals, announcements, results; also where the output knows ASCII alone."""
    bytes_ = io.BytesIO()
    speaker = Speaker(io.TextIOWrapper(bytes_, encoding=encoding, errors="replace", newline="\n"))
    model = Model()
    events = [
        Welcome(ref="r", player="p", name="Ada", games=(game_called(line),)), lobby_of(line), *told(line, 1),
        ended(line, 22),
    ]  # fmt: skip
    for event in events:
        clean = cleaned_event(event)
        before, model = model, update(model, clean)
        speaker.say(tell(before, model, clean))
        speaker.title(line)
        for words in TYPED:
            asked = understand(Said(tuple(words.split()), model, lambda: "r"))
            speaker.say(getattr(asked, "lines", ()))
    assert not speaker.is_broken
    text = bytes_.getvalue().decode(encoding)
    assert model.match is not None
    assert model.match.result is not None
    assert not [sign for sign in text if unicodedata.category(sign) in FORBIDDEN and sign != "\n"]
    assert all(not row or unicodedata.category(row[0]) not in ("Mn", "Me") for row in text.split("\n"))
