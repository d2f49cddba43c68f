"""What a hub does to have a front: take over the one that holds its programs already, or start one that outlives it."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from server.dog_front.calls import OWN
from server.listening import StartError

DEFAULT_PORT = 8000
ASK_S = 3.0
STARTED: list[subprocess.Popen[str]] = []
"""Fronts that this process has started; they outlive it, and are waited for by nobody."""
EVERYWHERE = ("", "0.0.0.0", "::", "localhost")


def have_front(host: str, port: int, hub_port: int) -> int:
    """The port of a front that hands calls on to the hub of that port. Raises StartError when it cannot be had."""
    hub = f"{'127.0.0.1' if host in EVERYWHERE else host}:{hub_port}"
    if port and (found := ask(port)) is not None:
        if found["hub"] != hub and _is_there(str(found["hub"])):
            raise StartError(
                f"Port {port} for students' games is that of another hub, which is at {found['hub']}."
                " Give another port: --dog-port"
            )
        if ask(port, "hub", urlencode({"hub": hub})) is not None:
            return port
    return _start(host, port, hub)


def ask(port: int, what: str = "state", body: str = "") -> dict[str, Any] | None:
    """What the front on that port of this machine answers; None when there is none."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ASK_S)
    with suppress(OSError, http.client.HTTPException, ValueError):
        connection.request("POST", f"{OWN}/{what}", body)
        told = json.loads(connection.getresponse().read())
        if isinstance(told, dict) and "front" in told:
            return told
    connection.close()
    return None


def _start(host: str, port: int, hub: str) -> int:
    arguments = ["--host", host, "--port", str(port), "--hub", hub]
    # In a session of its own: what ends the hub, Ctrl-C in its terminal included, does not end the front.
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    process = subprocess.Popen(
        [sys.executable, "-m", "server.dog_front", *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **apart,
    )  # fmt: skip
    STARTED.append(process)
    assert process.stdout is not None
    with process.stdout as told:
        said = told.readline().strip()
    if not said.isdigit():
        process.wait()
        raise StartError(said.replace("--port", "--dog-port") or "The front for students' games does not start.")
    return int(said)


def _is_there(hub: str) -> bool:
    host, _, port = hub.rpartition(":")
    with suppress(OSError), socket.create_connection((host.strip("[]"), int(port)), timeout=ASK_S):
        return True
    return False
