// Groups of stones, where they count: how large they are, and what a placement takes. Pure; the same answers as
// client/shown/board/groups.py gives.

import { elementsOf } from "./elements.js";
import { changedMarks } from "./scene.js";

/** @typedef {import("../conversation/messages.d.ts").Board} Board */
/** @typedef {import("../conversation/messages.d.ts").Snapshot} Snapshot */
/** @typedef {import("./elements.js").Element} Element */
/** Stones of one seat that touch each other; their number is written on the one in the `middle`.
 * @typedef {{ seat: number, cells: Set<string>, middle: string }} Group */
/** What a legal placement makes. @typedef {{ size: number, taken: Set<string> }} Joined */

/** Middles of hexagons that touch are 1 lattice unit apart; the next ones 1.7. */
const TOUCHING = 1.01;
/** @type {WeakMap<Board, Map<string, Element[]>>} */
const known = new WeakMap();
/** @type {WeakMap<Snapshot["marks"], Group[]>} */
const found = new WeakMap();
/** What was found last on each board: most groups are what they were before. @type {WeakMap<Board, { marks: Snapshot["marks"], all: Group[] }>} */
const latest = new WeakMap();

/** For each hexagon those that touch it. @param {Board} board */
function nearOn(board) {
  let near = known.get(board);
  if (!near) {
    const hexes = elementsOf(board).cells.filter((cell) => cell.form === "hex");
    const beside = (/** @type {Element} */ one) =>
      hexes.filter((other) => other !== one && Math.hypot(one.x - other.x, one.y - other.y) < TOUCHING);
    near = new Map(hexes.map((one) => [one.id, beside(one)]));
    known.set(board, near);
  }
  return near;
}

/** All groups on the board; none where stones do not form any. A group that a move leaves alone stays the same object. @param {Snapshot} match @returns {Group[]} */
export function groupsOf(match) {
  if (!match.board.groups) return [];
  let all = found.get(match.marks);
  if (!all) {
    all = search(match);
    found.set(match.marks, all);
  }
  return all;
}

/** @param {Snapshot} match @returns {Group[]} */
function search(match) {
  const near = nearOn(match.board);
  const left = new Set(Object.keys(match.marks).filter((id) => near.has(id) && match.marks[id]?.[0] !== null));
  const all = unchanged(match, near);
  for (const { cells } of all) for (const id of cells) left.delete(id);
  for (const first of left) {
    const seat = /** @type {number} */ (match.marks[first]?.[0]);
    const cells = new Set([first]);
    for (const id of cells)
      for (const { id: other } of near.get(id) ?? [])
        if (left.has(other) && match.marks[other]?.[0] === seat) cells.add(other);
    for (const id of cells) left.delete(id);
    all.push({ seat, cells, middle: middleOf(match.board, cells) });
  }
  latest.set(match.board, { marks: match.marks, all });
  return all;
}

/** The groups that were found last of which no stone came or went, and beside which nothing did. @param {Snapshot} match @param {Map<string, Element[]>} near */
function unchanged({ board, marks }, near) {
  const before = latest.get(board);
  if (!before) return [];
  const touched = new Set(changedMarks(before.marks, marks));
  for (const id of [...touched]) for (const one of near.get(id) ?? []) touched.add(one.id);
  return before.all.filter(({ cells }) => ![...touched].some((id) => cells.has(id)));
}

/** The stone nearest to the middle of them all; of two the one that is first in reading order. @param {Board} board @param {Set<string>} cells */
function middleOf(board, cells) {
  const { byId } = elementsOf(board);
  const stones = [...cells].flatMap((id) => byId.get(id) ?? []);
  const x = stones.reduce((sum, one) => sum + one.x, 0) / stones.length;
  const y = stones.reduce((sum, one) => sum + one.y, 0) / stones.length;
  const far = (/** @type {Element} */ one) => Math.round(Math.hypot(one.x - x, one.y - y) * 1e6);
  const [nearest] = stones.sort((a, b) => far(a) - far(b) || a.y - b.y || a.x - b.x);
  return nearest?.id ?? "";
}

/**
 * What a stone of `seat` on `cell` makes; null where groups do not count or it is no legal move.
 * @param {Snapshot} match @param {string} cell @param {number} seat @returns {Joined | null}
 */
export function joined(match, cell, seat) {
  if (!match.board.groups || match.marks[cell] || !match.legal.includes(cell)) return null;
  const near = nearOn(match.board);
  const touches = (/** @type {Group} */ group, /** @type {string} */ id) =>
    near.get(id)?.some((one) => group.cells.has(one.id)) ?? false;
  const own = groupsOf(match).filter((group) => group.seat === seat && touches(group, cell));
  if (own.length === 0) return { size: 1, taken: new Set() };
  const stones = [cell, ...own.flatMap((group) => [...group.cells])];
  const other = groupsOf(match).filter((group) => group.seat !== seat && stones.some((id) => touches(group, id)));
  return { size: stones.length, taken: new Set(other.flatMap((group) => [...group.cells])) };
}
