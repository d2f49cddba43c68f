// What stands at the edge of a board, so that a move can be read off it and typed: columns, rows. Pure, and ruleless; the
// same answers as client/shown/board/coordinates.py gives.

import { elementsOf } from "./elements.js";

/** @typedef {import("../conversation/messages.d.ts").Board} Board */
/** @typedef {import("./elements.js").Element} Element */
/** `text` belongs beside the lattice point (x, y), in the direction (dx, dy) out of the board.
 * @typedef {{ text: string, x: number, y: number, dx: number, dy: number }} Coordinate */

const NAME = /^(?:\w+:)?([a-z]+)(\d+)$/;

/**
 * Letters above the columns of dots and numbers left of the rows; of rows of hexagons the row's letter at the left, and
 * how far it counts at the right. Boards whose cells bear labels need nothing at the edge.
 * @param {Board} board @returns {Coordinate[]}
 */
export function coordinatesOf(board) {
  const { dots, rows, cells } = elementsOf(board);
  if (dots.length) return ofDots(dots);
  return cells.some((cell) => cell.form === "hex" && !cell.label) ? rows.flatMap(ofRow) : [];
}

/** Only where all that stand in one column, or row, have its letter, or number, in common. @param {Element[]} dots @returns {Coordinate[]} */
function ofDots(dots) {
  /** @type {Map<number, Set<string>>} */
  const columns = new Map();
  /** @type {Map<number, Set<string>>} */
  const lines = new Map();
  for (const dot of dots) {
    const [, letters, digits] = NAME.exec(dot.id) ?? [];
    if (letters === undefined || digits === undefined) return [];
    columns.set(dot.x, (columns.get(dot.x) ?? new Set()).add(letters));
    lines.set(dot.y, (lines.get(dot.y) ?? new Set()).add(digits));
  }
  if ([...columns.values(), ...lines.values()].some((names) => names.size > 1)) return [];
  const [top, left] = [Math.min(...lines.keys()), Math.min(...columns.keys())];
  const above = [...columns].map(([x, names]) => ({ text: [...names].join(""), x, y: top, dx: 0, dy: -1 }));
  const before = [...lines].map(([y, names]) => ({ text: [...names].join(""), x: left, y, dx: -1, dy: 0 }));
  return [...above, ...before];
}

/** @param {Element[]} row @returns {Coordinate[]} */
function ofRow(row) {
  const [first, last] = [row[0], row.at(-1)];
  const begins = NAME.exec(first?.id ?? "");
  const ends = NAME.exec(last?.id ?? "");
  if (!first || !last || !begins || !ends || begins[1] !== ends[1]) return [];
  return [
    { text: begins[1] ?? "", x: first.x - 0.5, y: first.y, dx: -1, dy: 0 },
    { text: ends[2] ?? "", x: last.x + 0.5, y: last.y, dx: 1, dy: 0 },
  ];
}
