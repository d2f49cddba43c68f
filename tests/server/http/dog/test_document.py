"""docs/dog.md says what is so: typical mistakes, and a test for each row of what differs."""

from __future__ import annotations

import re

import pytest
import requests

from tests.driver import ROOT, HubProcess
from tests.server.dog_front.test_front import free_port

DOCUMENT = (ROOT / "docs" / "dog.md").read_text(encoding="utf-8")


def test_every_row_of_what_differs_is_tried() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    part = DOCUMENT.partition("## What differs")[2].partition("\n## ")[0]
    rows = [line for line in part.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 14
    for row in rows:
        named = re.findall(r"`(test_\w+)`", row.rstrip(" |").rpartition(" | ")[2])
        assert named, row
        assert all(f"def {name}(" in tests for name in named), row


@pytest.mark.parametrize(
    ("base", "said"),
    [
        ("http://127.0.0.1:{port}", "InvalidURL"),
        ("https://127.0.0.1:{port}/dog/", "SSLError"),
        ("http://127.0.0.1:{free}/dog/", "ConnectionError"),
        ("http://127.0.0.1:{port}/", "Você está sem conexão"),
        ("http://127.0.0.1:{port}/dog", "Você está sem conexão"),
        ("http://127.0.0.1:{port}/dog/mesa-3", "Você está sem conexão"),
        ("http://127.0.0.1:{port}/dog/", "Conectado a Dog Server"),
    ],
)
def test_t7_typical_mistakes_give_the_message_of_the_document(hub: HubProcess, base: str, said: str) -> None:
    """T7: the library calls `requests.post`, lets its errors through, and says the sentence for any other status."""
    url = base.format(port=hub.port, free=free_port())
    form = {"player_name": "Ana", "player_id": "155000000777", "game_id": "mistakes"}
    try:
        status = requests.post(url + "player/", data=form).status_code
        message = "Conectado a Dog Server" if status == 200 else "Você está sem conexão"
    except requests.RequestException as error:
        message = type(error).__name__
    assert message == said
    assert said == "Conectado a Dog Server" or DOCUMENT.count(f"`{said}`") >= 2
