"""Where a hub's log goes, and what gets into it."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import structlog

LOG_LEVELS = {name: getattr(logging, name.upper()) for name in ("debug", "info", "warning", "error")}


def set_up_logs(file: Path | None, level: str = "info") -> None:
    """One line for each event of `level` and above; no secret is ever handed to a log call (`I2`)."""
    stream = file.open("a", buffering=1, encoding="utf-8") if file else sys.stderr
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"]),
        ],
        logger_factory=structlog.PrintLoggerFactory(stream),
        wrapper_class=structlog.make_filtering_bound_logger(LOG_LEVELS[level]),
    )
    logging.basicConfig(stream=stream, level=LOG_LEVELS[level] if level == "debug" else logging.WARNING)
    # What is no HTTP is no event either, such as the TLS hello of a browser that tries https first (`P37`).
    logging.getLogger("uvicorn.error").addFilter(_is_no_rubbish)
    # A peer that breaks off in the middle of a handshake is no event of ours, and its debug level shows whole messages.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)


def _is_no_rubbish(record: logging.LogRecord) -> bool:
    return record.getMessage() != "Invalid HTTP request received."
