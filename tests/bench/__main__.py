"""`python -m tests.bench [rules] [codec] [hub] [crowd] [two-hubs] [dog] [window] [page] [restarts] [computer]`: all
tables, or some.

`--compare REV` has the hub of another revision take part in the table `hub` (which is the one meant then);
`--only WORDS` asks for those of its pieces of work that have the words in their name.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

from tests.bench import codec, computer, crowd, dog, hub, page, restarts, rules, two_hubs, window

TABLES: dict[str, Callable[[], object]] = {
    "rules": rules.main, "codec": codec.main, "hub": hub.main, "crowd": crowd.main, "two-hubs": two_hubs.main,
    "dog": dog.main, "window": window.main, "page": page.main, "restarts": restarts.main, "computer": computer.main,
}  # fmt: skip
PARTS: dict[str, Callable[[], object]] = {f"page-{name}": partial(page.main, part) for name, part in page.PARTS.items()}


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES | PARTS)}")
    parser.add_argument("--compare", metavar="REV", help="the hub of this revision beside that of the work tree")
    parser.add_argument("--only", metavar="WORDS", default="", help="a part of the name of a piece of work")
    asked = parser.parse_args()
    tables: dict[str, Callable[[], object]] = {**TABLES, **PARTS, "hub": partial(hub.main, asked.compare, asked.only)}
    for name in asked.tables or (["hub"] if asked.compare or asked.only else TABLES):
        if name not in tables:
            parser.error(f"there is no table {name!r}: choose from {', '.join(tables)}")
        print(f"\n-- {name}")
        tables[name]()


if __name__ == "__main__":
    main()
