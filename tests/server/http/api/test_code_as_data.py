"""I8: moves, names and saved games that are Python are text, refused or shown as it is; nothing of it is ever run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.driver import HubProcess
from tests.server.http.api.player import HttpPlayer


def expressions(trace: Path) -> dict[str, str]:
    """Texts that leave a file behind when they are evaluated, executed, formatted or unpickled."""
    return {
        "call": f"__import__('pathlib').Path({str(trace)!r}).touch()",
        "statement": f"import pathlib; pathlib.Path({str(trace)!r}).touch()",
        "literal": "{'x': [1] * 10**9}",
        "format": "{0.__class__.__mro__[1].__subclasses__()}",
        "template": "{{ 7 * 7 }}${7*7}<%= 7*7 %>",
        "pickle": f"cpathlib\nPath\n(S{str(trace)!r}\ntR(dS'touch'\nb.",
    }


@pytest.mark.parametrize("kind", sorted(expressions(Path())))
async def test_i8_python_is_text(hub: HubProcess, link: httpx.AsyncClient, tmp_path: Path, kind: str) -> None:
    """I8: wherever a client may write text."""
    trace = tmp_path / "trace"
    text = expressions(trace)[kind]
    ana, bob = await HttpPlayer.come(link, "Ana"), await HttpPlayer.come(link, "Bob")
    hosted = await ana.create("checkers")
    joined = await bob.join(hosted["match"])
    match, version = joined["match"], joined["version"]
    before = await ana.state(match)

    move: dict[str, Any] = {"ref": "x", "type": "move", "version": version}
    for body in (
        {**move, "move": text},
        {**move, "move": "11-15", "captured": [text]},
        {**move, "move": "11-15", "crowned": [text]},
        {"ref": "x", "type": text},
        {"ref": "x", "type": "offer", "kind": text},
    ):
        answer = await link.post(f"/matches/{match}/updates", json=body, headers=ana.auth)
        assert 400 <= answer.status_code < 500, answer.text
    for fields in (
        {"moves": [text]}, {"options": {text: 1}}, {"options": {"pieces": text}}, {"game": text}, {"clock": text},
    ):  # fmt: skip
        answer = await link.post("/matches", json={"ref": "y", "game": "checkers", **fields}, headers=ana.auth)
        assert 400 <= answer.status_code < 500, answer.text
    answer = await link.post("/guests", json={"name": text})
    assert answer.status_code == 422
    answer = await link.post("/players", json={"ref": "z", "key": text}, headers=bob.auth)
    assert 400 <= answer.status_code < 500, answer.text

    assert not trace.exists()
    after = await ana.state(match)
    going_on = {"now_ms": 0, "clock": None}
    assert after | going_on == before | going_on
    assert (await ana.move(match, version, "11-15"))["version"] == version + 1
    assert "Traceback" not in hub.log.read_text()
