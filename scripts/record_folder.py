"""Record the data folder of an older release, after an evening at its hub: python -m scripts.record_folder REVISION

What lies in `tests/upgrade/recorded` was made so; `tests/upgrade` has this release's hub go on with it. Of each release
a folder is recorded, beside those of before (docs/decisions/13-changing-what-is-kept.md).
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

import msgspec

from tests.driver import ROOT, HubProcess
from tests.evening import play
from tests.upgrade.revisions import hub_of

FOLDERS = ROOT / "tests" / "upgrade" / "recorded"
FOR_EVER_S = 3_000_000_000
"""Nothing of it is to be forgotten when a test reads it: 95 years."""
KEPT = ("match", "finished", "guest", "ref", "chat", "document")


def main(revision: str) -> None:
    """Have the evening, stop the hub, and keep the folder."""
    with tempfile.TemporaryDirectory() as scratch, hub_of(revision) as root:
        data = Path(scratch) / "data"
        lifetimes = [word for name in KEPT for word in ("--lifetime", f"{name}={FOR_EVER_S}")]
        hub = HubProcess(Path(scratch), "--data", str(data), *lifetimes, root=root)
        try:
            hub.start()
            evening = asyncio.run(play(hub.url, hub.url))
            assert hub.stop() == 0
        finally:
            hub.kill()
        target = FOLDERS / revision
        shutil.copytree(data / "appendonlydir", target / "appendonlydir")
        (target / "evening.json").write_bytes(msgspec.json.format(msgspec.json.encode(evening)) + b"\n")


if __name__ == "__main__":
    main(sys.argv[1])
