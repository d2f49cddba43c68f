"""`parlour trace` as a process, at a real hub: every frame both ways, and no secret."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from datetime import datetime

import pytest

from client.trace.app import MASK, masked
from tests.driver import ROOT, WAIT_S, HubProcess


def traced(hub_port: int, typed: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "client", "trace", "--server", f"127.0.0.1:{hub_port}", *words],
        cwd=ROOT, input=typed, capture_output=True, text=True, timeout=4 * WAIT_S, check=False, env=dict(os.environ),
    )  # fmt: skip


def frames(said: str) -> list[tuple[str, dict[str, object]]]:
    """The way and the message of each line; each has a time in front."""
    found = []
    for line in said.splitlines():
        time, way, text = line.split(" ", 2)
        datetime.strptime(time, "%H:%M:%S.%f")
        if way in "<>":
            found.append((way, json.loads(text)))
    return found


def test_every_frame_is_shown_both_ways_and_no_secret(hub: HubProcess) -> None:
    typed = [
        {"type": "create", "game": "square", "private": True},
        {"type": "ping", "ref": "mine"},
        {"type": "nonsense"},
    ]
    done = traced(hub.port, "\n".join(map(json.dumps, typed)) + "\n")
    assert done.returncode == 0, done.stderr
    shown = frames(done.stdout)
    assert [message["type"] for way, message in shown if way == ">"] == ["hello", "create", "ping", "nonsense"]
    answers = {message["ref"]: message for way, message in shown if way == "<" and message.get("ref")}
    assert [answers[ref]["type"] for ref in ("t1", "t2", "mine")] == ["welcome", "accepted", "pong"]
    assert [message["code"] for _, message in shown if message["type"] == "refused"] == ["unknown_message"]
    assert (answers["t1"]["token"], answers["t2"]["key"]) == (MASK, MASK)
    assert len([way for way, _ in shown if way == "<"]) > 4  # the snapshot, too, though nobody asked for it


def test_what_is_no_json_goes_out_as_it_stands(hub: HubProcess) -> None:
    done = traced(hub.port, "hello\n", "--bare")
    assert " > hello\n" in done.stdout
    assert [message["code"] for way, message in frames(done.stdout.replace(" > hello\n", " - hello\n"))] == [
        "malformed"
    ]


def test_nobody_there_is_one_line_and_a_status() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    done = traced(port, "")
    assert (done.returncode, len(done.stdout.splitlines()), done.stderr) == (1, 1, "")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"token": "abc", "a": [{"key": "x"}]}, {"token": MASK, "a": [{"key": MASK}]}),
        ({"token": None, "key": ""}, {"token": None, "key": ""}),
        (["token", 1], ["token", 1]),
    ],
)
def test_secrets_are_masked_however_deep(value: object, shown: object) -> None:
    assert masked(value) == shown
