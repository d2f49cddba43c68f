"""The API against what schemathesis makes of its OpenAPI document: everything that fits, and much that does not.

Some 1,000 requests, always the same ones, in `make test`; new ones each time in `make fuzz`, where it goes on for about
an hour: on two cores schemathesis makes some 30 requests a second.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.driver import HubProcess

FULL = os.environ.get("PARLOUR_FUZZ") == "full"
EXAMPLES = 7_000 if FULL else 10
"""For each operation and phase; that many requests come of it."""
REQUESTS = 10_000 if FULL else 500
MANY = 10_000_000
SETTINGS = Path(__file__).parent / "schemathesis.toml"


@pytest.fixture(scope="module")
def limits() -> list[str]:
    """Speed is another test's matter."""
    names = (
        "pace",
        "guests_from_address",
        "open_matches",
        "wrong_keys",
        "wrong_keys_from_address",
        "wrong_keys_in_all",
    )
    return ["--limit", ",".join(f"{name}={MANY}" for name in names)]


@pytest.mark.slow
@pytest.mark.fuzz
def test_nothing_is_found(hub: HubProcess, tmp_path: Path) -> None:
    """Issue 5: statuses, types and bodies of all answers are those of the document; nothing fails in the server."""
    guest = httpx.post(f"http://127.0.0.1:{hub.port}/api/guests", json={"name": "Fuzz"}, trust_env=False).json()
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(SETTINGS)),
        *("run", f"http://127.0.0.1:{hub.port}/api/openapi.json"),
        *("--header", f"Authorization: Bearer {guest['token']}"),
        *("--max-examples", str(EXAMPLES), "--workers", "2", "--no-color"),
        *(() if FULL else ("--seed", "1")),
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    said = "\n".join(line[:300] for line in done.stdout.splitlines()) + done.stderr
    assert done.returncode == 0, said
    generated = re.search(r"(\d+) generated", said)
    assert generated, said
    assert int(generated[1]) >= REQUESTS
