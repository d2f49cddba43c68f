"""`parlour-server`, or `python -m server`: run the hub; `parlour-server admin ...`: look after hubs that run."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

EXTRA = ("hiredis", "prometheus_client", "redis", "starlette", "structlog", "uvicorn", "uvloop")
"""What the extra `server` brings, by the names under which it is imported."""
INTERRUPTED = 128 + 2
"""The exit status of what Ctrl-C has ended, as shells have it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until stopped, or do what `admin` is asked; returns the exit status: 0, or 1 when that could not be done."""
    try:
        return _main(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        # Before the hub was there to be stopped, be it while its modules were read: nothing is left of it.
        return INTERRUPTED
    except ModuleNotFoundError as missing:
        if missing.name not in EXTRA:
            raise
        print(
            "parlour-server: only the clients are installed here. The rest: pip install 'parlour[server]'",
            file=sys.stderr,
        )
        return 1


def _main(words: Sequence[str]) -> int:
    if words[:1] == ["admin"]:
        from server.admin.cli import main as admin

        return admin(words[1:])
    if words[:1] == ["dog-front"]:
        from server.dog_front.__main__ import main as dog_front

        return dog_front(words[1:])
    from server.app import run
    from server.config import parse
    from server.garbage import collect_on_purpose
    from server.listening import StartError
    from server.logs import complain, set_up_logs
    from server.store.connection.unfit import UnfitStore
    from server.store.private.embedded import EmbeddedStoreError
    from server.systemd import forget_systemd

    collect_on_purpose()
    config = parse(words)
    forget_systemd(os.environ)
    try:
        set_up_logs(config.log, config.log_level, config.log_format)
    except OSError as error:
        complain(f"the log cannot be written to {config.log}: {error.strerror}.")
        return 1
    try:
        if sys.platform == "win32":
            import asyncio

            asyncio.run(run(config))
        else:
            import uvloop

            uvloop.run(run(config))
    except (StartError, EmbeddedStoreError, UnfitStore) as error:
        complain(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
