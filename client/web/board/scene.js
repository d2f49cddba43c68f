// What is to be drawn of a match: where elements lie on the picture, what lies on them, and what has changed. Pure.

import { elementsOf } from "./elements.js";
import { markedBy, targets, touched } from "./picking.js";
import { UNIT } from "./svg.js";

/** @typedef {import("../conversation/messages.d.ts").Snapshot} Snapshot */
/** @typedef {import("../conversation/messages.d.ts").Board} Board */
/** @typedef {import("../conversation/messages.d.ts").Mark} Mark */
/** @typedef {import("./elements.js").Element} Element */
/** @typedef {import("./picking.js").Path} Path */

/** Lattice units below which lines and dots stop growing with the board: few boxes are not drawn coarsely. */
const FEW = 4;

/** How far the edge of a region is from its dots, and a coordinate from a board's last line, in lattice units. */
export const REGION_PAD = 0.34;
const LINE_PAD = 0.12;

/**
 * The picture's frame in its own units, how thick strokes are, and in what distance from the board coordinates stand;
 * with `named` there is room for them.
 * @param {Board} board @param {boolean} [named]
 */
export function frameOf(board, named = false) {
  const { hasLines, regions } = elementsOf(board);
  const begins = regions.length ? REGION_PAD : hasLines ? LINE_PAD : 0;
  const few = Math.min(1, Math.max(board.width, board.height) / FEW);
  const stroke = UNIT * few;
  const margin = named ? (hasLines ? begins + 0.38 * few : 0.6) : hasLines ? 0.5 : 0.22;
  const width = (board.width + 2 * margin) * UNIT;
  const height = (board.height + 2 * margin) * UNIT;
  return { left: -margin * UNIT, top: -margin * UNIT, width, height, stroke, beside: (begins + margin) / 2 };
}

/**
 * A lattice point in the picture's own units.
 * @param {Board} board @param {boolean} turned @param {number} x @param {number} y
 * @returns {[number, number]}
 */
export function placed(board, turned, x, y) {
  return turned ? [(board.width - x) * UNIT, (board.height - y) * UNIT] : [x * UNIT, y * UNIT];
}

/**
 * The lattice point under a point of the picture: the inverse of `placed`.
 * @param {Board} board @param {boolean} turned @param {number} x @param {number} y
 * @returns {[number, number]}
 */
export function lattice(board, turned, x, y) {
  return turned ? [board.width - x / UNIT, board.height - y / UNIT] : [x / UNIT, y / UNIT];
}

/** Whether each of the viewer's seats sees the board turned. @param {Snapshot} match */
export function isTurned(match) {
  return match.you.length > 0 && match.you.every((seat) => (match.board.turned_for ?? []).includes(seat));
}

/**
 * The elements whose marks differ from one position to a later one.
 * @param {Record<string, Mark>} before @param {Record<string, Mark>} after
 * @returns {string[]}
 */
export function changedMarks(before, after) {
  if (before === after) return [];
  const changed = [];
  // Of hundreds a move changes some: the others are the same objects.
  for (const id in after) if (before[id] !== after[id] && !sameMark(before[id], after[id])) changed.push(id);
  for (const id in before) if (!(id in after)) changed.push(id);
  return changed;
}

/** @param {Mark | undefined} one @param {Mark | undefined} other */
export function sameMark(one, other) {
  return one === other || (one !== undefined && other !== undefined && one[0] === other[0] && one[1] === other[1]);
}

/** Whether moves of this position go from cell to cell. @param {Snapshot} match */
export function goesFromCellToCell(match) {
  return (
    !elementsOf(match.board).hasLines && [...match.legal, ...(match.resting ?? [])].some((m) => touched(m).length > 1)
  );
}

/**
 * What a move did to pieces, seen from two positions: which one went where, by which cells.
 * @param {Snapshot} before @param {Snapshot} after
 * @returns {Path} the cells of its way, [] where nothing went anywhere
 */
export function wayOf(before, after) {
  if (before.match !== after.match || !after.last || after.plies !== before.plies + 1) return [];
  if (elementsOf(after.board).hasLines) return [];
  const cells = touched(after.last.move);
  const went =
    cells.length > 1 && before.marks[cells[0]] && !after.marks[cells[0]] && after.marks[cells[cells.length - 1]];
  return went ? cells : [];
}

/**
 * The cells that were jumped over, for a move whose cells are named: those in the middle between two of them.
 * @param {Board} board @param {string} move
 * @returns {string[]}
 */
export function jumped(board, move) {
  if (!move.includes("x")) return [];
  const { byId, cells } = elementsOf(board);
  const path = touched(move).map((id) => byId.get(id));
  return path.slice(1).flatMap((to, index) => {
    const from = path[index];
    if (!from || !to) return [];
    const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
    return cells.filter((cell) => Math.abs(cell.x - x) < 0.01 && Math.abs(cell.y - y) < 0.01).map((cell) => cell.id);
  });
}

/**
 * The cells to mark as playable: the pieces that can go, or with something picked the next cells of its way.
 * @param {Snapshot} match @param {Path} picked
 */
export function playable(match, picked) {
  return match.status === "ended" ? new Set() : targets(match, picked);
}

/** Whether the next move may be in this region. @param {Snapshot} match @param {string} region */
export function isOpen(match, region) {
  return !match.focus.length || match.focus.includes(region);
}

/**
 * The elements that a move marks, without what is not on the board.
 * @param {Snapshot} match @param {string} move
 */
export function marksOf(match, move) {
  const { byId } = elementsOf(match.board);
  return markedBy(match.board, move).filter((id) => byId.has(id));
}
