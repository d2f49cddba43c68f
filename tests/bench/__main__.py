"""`python -m tests.bench [rules] [codec] [hub] [dog] [window] [page]`: all tables, or the ones named."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

from tests.bench import codec, dog, hub, page, rules, window

TABLES: dict[str, Callable[[], object]] = {
    "rules": rules.main, "codec": codec.main, "hub": hub.main, "dog": dog.main, "window": window.main,
    "page": page.main,
}  # fmt: skip
PARTS: dict[str, Callable[[], object]] = {f"page-{name}": partial(page.main, part) for name, part in page.PARTS.items()}

if __name__ == "__main__":
    for name in sys.argv[1:] or TABLES:
        if name not in (tables := TABLES | PARTS):
            sys.exit(f"there is no table {name!r}: choose from {', '.join(tables)}")
        print(f"\n-- {name}")
        tables[name]()
