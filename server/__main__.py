"""`parlour-server`, or `python -m server`: run the hub; `parlour-server admin ...`: look after hubs that run."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

from server.app import StartError, run, set_up_logs
from server.config import parse
from server.store.durability import UnfitStore
from server.store.embedded import EmbeddedStoreError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until stopped, or do what `admin` is asked; returns the exit status: 0, or 1 when that could not be done."""
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["admin"]:
        from server.admin.cli import main as admin

        return admin(words[1:])
    config = parse(words)
    set_up_logs(config.log, config.log_level)
    try:
        if sys.platform == "win32":
            asyncio.run(run(config))
        else:
            import uvloop

            uvloop.run(run(config))
    except (StartError, EmbeddedStoreError, UnfitStore) as error:
        print(f"parlour-server: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
