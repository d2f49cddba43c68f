"""What Lighthouse says of the front page: with the same Chromium, from npm, on the hub as it stands."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from pathlib import Path

from playwright.async_api import Browser

from tests.browser.conftest import executable
from tests.driver import ROOT, HubProcess

LIGHTHOUSE = Path(__file__).parent / "node_modules" / "lighthouse" / "cli" / "index.js"
KINDS = ("performance", "accessibility", "best-practices")
ENOUGH = 95


async def lighthouse(_: Browser, hub: HubProcess) -> None:
    """Print its scores of 100 (it simulates a phone and a slow path itself), and what costs points."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        process = await asyncio.create_subprocess_exec(
            str(ROOT / ".venv" / "bin" / "node"), str(LIGHTHOUSE), f"http://127.0.0.1:{hub.port}/", "--quiet",
            f"--only-categories={','.join(KINDS)}", "--output=json", f"--output-path={report}",
            "--chrome-flags=--headless --no-sandbox",
            env=os.environ | {"CHROME_PATH": executable()},
        )  # fmt: skip
        await asyncio.wait_for(process.wait(), 600)
        told = json.loads(report.read_text())
    print(", ".join(f"{kind} {100 * told['categories'][kind]['score']:.0f}" for kind in KINDS))
    for kind in KINDS:
        for part in told["categories"][kind]["auditRefs"]:
            audit = told["audits"][part["id"]]
            if part["weight"] and audit["score"] is not None and audit["score"] < ENOUGH / 100:
                print(f"  {kind}: {audit['title']}: {audit.get('displayValue', '')} ({100 * audit['score']:.0f})")
