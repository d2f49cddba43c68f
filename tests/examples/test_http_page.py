"""The examples of docs/http-api.md are run by a shell, one after the other, and print what the page says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

from server.http.api.routes import OPERATIONS
from server.http.api.types import UPDATES
from tests.driver import ROOT, WAIT_S, HubProcess
from tests.pace import NotProvoked

PAGE = (ROOT / "docs" / "http-api.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
PRINTS = re.compile(r"^(?P<command>.*) #> (?P<printed>.*)$")


def script() -> tuple[str, list[tuple[str, str]]]:
    """All examples as one script that marks each line's output, and what the lines are to print."""
    lines, expected = ["set -eu"], []
    for line in "".join(BLOCKS).splitlines():
        found = PRINTS.match(line)
        if found:
            lines.append(f"printf '=%s\\n' \"$({found['command']})\"")
            expected.append((found["command"], found["printed"]))
        else:
            lines.append(f"{line} >&2" if line.startswith("curl") else line)
    return "\n".join(lines), expected


@pytest.mark.skipif(not shutil.which("curl") or not shutil.which("jq"), reason="needs curl and jq")
def test_the_examples_do_what_the_page_says(hub: HubProcess) -> None:
    text, expected = script()
    environment = {**os.environ, "HUB": f"http://127.0.0.1:{hub.port}/api", "NO_PROXY": "127.0.0.1"}
    done = subprocess.run(
        ["bash", "-c", text], env=environment, capture_output=True, text=True, timeout=4 * WAIT_S, check=False
    )
    printed = [line.removeprefix("=") for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    if '"type":"away"' in done.stdout:
        raise NotProvoked("the machine was behind: a player was missed between two requests")
    assert [(command, line) for (command, _), line in zip(expected, printed, strict=True)] == expected


def test_every_operation_and_update_is_on_the_page() -> None:
    for operation in OPERATIONS:
        last = operation.path.replace("{match}", "").rstrip("/").rpartition("/")[2].replace("{ply}", "positions")
        assert last in PAGE, operation.path
    for kind in UPDATES.values():
        assert f"`{kind.__struct_config__.tag}`" in PAGE
