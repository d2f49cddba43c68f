"""A whole plain session as a person would see it, kept as a file: what changes in it is seen in a diff.

`PARLOUR_GOLDEN=write` writes it anew.
"""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest

from client.conversation.address import parse_address
from client.kept import saves
from client.kept.identity import take_identity
from client.plain import typed
from client.plain.app import PlainClient
from client.start.console import Speaker
from client.start.launch import Launch
from tests.driver import WAIT_S, HubProcess

GOLDEN = Path(__file__).parent / "transcript.txt"
SCRIPT = """\
list
games
help host
create dots 3x3 both clock=5+3
board
a1-b1
b1 b2
b1-a1
a1 c3
a1-a2
a2-b2
board
board list
who
clock
moves
log
save ../evening
save evening
restart
revert evening
takeback
pause
board
continue
draw
list
create square
foo
lobby
list
load morning
load evening both
surrender
save evening
quit
"""
_VARYING = (
    (re.compile(r"match \S+\.$"), "match MATCH."),
    (re.compile(r"\d+\.\d s each"), "N s each"),
    (re.compile(r"\d+ min \d+ s left"), "N min N s left"),
)


class Script(io.StringIO):
    """The typed lines; each is put down where its effects begin."""

    def __init__(self, text: str) -> None:
        super().__init__("".join(f"{line}\nhelp quit\n" for line in text.splitlines()))


async def transcript(hub: HubProcess, folder: Path) -> str:
    """What is typed and what is told, in order."""
    output = io.StringIO()
    address = parse_address(f"127.0.0.1:{hub.port}")
    with take_identity(folder=folder) as identity:
        launch = Launch(prepare=lambda: address, identity=identity, name="Ada")
        assert await PlainClient(launch, Script(SCRIPT), Speaker(output)).run() == 0
    text = output.getvalue()
    for pattern, instead in _VARYING:
        text = "\n".join(pattern.sub(instead, line) for line in text.split("\n"))
    beginning, *told = re.split(r"^quit: Leave the program.\nAlso: q.\nAlso: exit.\n", text, flags=re.MULTILINE)
    greeting, first = beginning.split("\n", 1)
    told.insert(0, first)
    return greeting + "\n" + "".join(f"> {line}\n{said}" for line, said in zip(SCRIPT.splitlines(), told, strict=True))


async def test_a_session_is_as_it_was(hub: HubProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also: the next line is understood only when the last one has had its effect."""
    monkeypatch.setattr(typed, "ANSWER_S", WAIT_S)
    monkeypatch.setattr(saves, "user_data_path", lambda *given, **named: tmp_path)
    found = await transcript(hub, tmp_path)
    if os.environ.get("PARLOUR_GOLDEN") == "write":
        GOLDEN.write_text(found, encoding="utf-8")
    assert found == GOLDEN.read_text(encoding="utf-8")
