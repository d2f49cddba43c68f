"""`parlour-server`, or `python -m server`: run the hub."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

from server.app import StartError, run, set_up_logs
from server.config import parse
from server.store.durability import UnfitStore
from server.store.embedded import EmbeddedStoreError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until stopped; returns the exit status: 0 after a clean stop, 1 when the hub could not start."""
    config = parse(sys.argv[1:] if arguments is None else arguments)
    set_up_logs(config.log)
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
