"""`python -m scripts.dots_openings`: work out the table of `server.bots.dots_openings` anew.

Takes some minutes and a gigabyte: all positions are solved with one memory.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import msgspec

from server.bots import dots_openings
from server.bots.boxes import MOST, Solver, grid
from server.bots.dots_openings import DRAWN, FILE, SIDE, canonical

NODES = 10**9


def main() -> None:
    """Write the file."""
    board = grid(SIDE, SIDE)
    everything = (1 << len(board.lines)) - 1
    solver, table = Solver(board, NODES), {}
    # The fullest boards first: of what is known of them the emptier ones are soon made.
    for count in range(DRAWN, -1, -1):
        for drawn in sorted({canonical(board, sum(lines)) for lines in combinations(board.beside, count)}):
            table[drawn] = solver.value(everything ^ drawn, -MOST, MOST)
        print(f"{count} lines drawn: {len(table)} positions so far", flush=True)
    path = Path(dots_openings.__file__).with_name(FILE)
    path.write_bytes(msgspec.msgpack.encode(dict(sorted(table.items()))))
    print(f"{path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
