"""Draws docs/pictures/elements-GAME.svg: every element of a game's board where it lies, with the id that moves name.

python -m scripts.element_pictures           draws them anew
python -m scripts.element_pictures --check   fails when they are not up to date
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

from protocol.board import Board, Cell, Shape
from server.games import load_catalogue

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
UNIT = 60
"""Pixels of a lattice unit: a line's id fits beside the line."""
EDGE = 30


def pictures() -> dict[Path, str]:
    """The files and what belongs into them."""
    return {
        FOLDER / f"elements-{game.name}.svg": picture(game.board(game.params()))
        for game in load_catalogue().values()
        if game.offered
    }


def picture(board: Board) -> str:
    """The board as SVG; nothing that a game draws for itself alone, such as the light cells of checkers, has its id."""
    parts = [cell for each in board.cells for cell in _cell(each)]
    for line in board.lines:
        parts.append(f'<path class="line" d="M{_at(line.x1, line.y1)} L{_at(line.x2, line.y2)}"/>')
    for dot in board.dots:
        x, y = _at(dot.x, dot.y).split()
        parts += [f'<circle class="dot" cx="{x}" cy="{y}" r="3"/>', _text(dot.x, dot.y, dot.id, "name", 7, -7)]
    for region in board.regions:
        x, y = region.x + region.width / 2, region.y + region.height / 2
        parts.append(_text(x, y, region.id, "region", 0, 4))
    width, height = (math.ceil(side * UNIT + 2 * EDGE) for side in (board.width, board.height))
    style = (
        ".line{stroke:#999;stroke-width:2}.cell{fill:none;stroke:#bbb}.dot{fill:#333}"
        "text{font:10px sans-serif;fill:#333;text-anchor:middle}.box{fill:#999}"
        ".region{font-size:44px;fill:#1e88e5;fill-opacity:.35}"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">'
    ground = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    return "\n".join([head, f"<style>{style}</style>", ground, *parts, "</svg>", ""])


def _cell(cell: Cell) -> list[str]:
    if cell.id.startswith("~"):
        return []
    # A square cell is at its upper left corner, a hexagon at its centre.
    middle = 0.0 if cell.shape is Shape.HEX else 0.5
    name = _text(cell.x + middle, cell.y + middle, cell.id, "box" if "#" in cell.id else "name", 0, 4)
    if "#" in cell.id:
        return [name]
    if cell.shape is Shape.HEX:
        radius = 1 / math.sqrt(3)
        corners = [(math.sin(turn * math.pi / 3) * radius, math.cos(turn * math.pi / 3) * radius) for turn in range(6)]
    else:
        corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
    points = " ".join(_at(cell.x + x, cell.y + y).replace(" ", ",") for x, y in corners)
    return [f'<polygon class="cell" points="{points}"/>', name]


def _text(x: float, y: float, said: str, kind: str, right: int, down: int) -> str:
    left, top = (float(part) for part in _at(x, y).split())
    return f'<text class="{kind}" x="{left + right:g}" y="{top + down:g}">{said}</text>'


def _at(x: float, y: float) -> str:
    return f"{round(x * UNIT + EDGE, 1):g} {round(y * UNIT + EDGE, 1):g}"


def main(arguments: list[str]) -> int:
    """Draw the pictures, or compare them; returns the exit status."""
    stale = [path for path, drawn in pictures().items() if not path.exists() or path.read_text() != drawn]
    if "--check" in arguments:
        for path in stale:
            print(f"{path.name} is not up to date: python -m scripts.element_pictures", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        path.write_text(pictures()[path])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
