"""`python -m tests.bench [rules] [codec] [hub] [dog] [window] [page]`: all tables, or the ones named."""

from __future__ import annotations

import sys

from tests.bench import codec, dog, hub, page, rules, window

TABLES = {
    "rules": rules.main, "codec": codec.main, "hub": hub.main, "dog": dog.main, "window": window.main, "page": page.main
}  # fmt: skip

if __name__ == "__main__":
    for name in sys.argv[1:] or TABLES:
        if name not in TABLES:
            sys.exit(f"there is no table {name!r}: choose from {', '.join(TABLES)}")
        print(f"\n-- {name}")
        TABLES[name]()
