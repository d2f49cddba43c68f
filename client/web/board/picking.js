// From touches to moves: pure, and without a rule of any game. The same answers as client/shown/board/picking.py gives.
//
// A person touches elements one after the other; the legal moves that begin with what was touched say how it can go on.
// What fits no legal move is still spelled out and sent, for the server has the right words to refuse it.

import { elementsOf } from "./elements.js";

/** @typedef {import("../conversation/messages.d.ts").Snapshot} Snapshot */
/** @typedef {import("../conversation/messages.d.ts").Board} Board */
/** @typedef {readonly string[]} Path */
/**
 * Why a touch led to nothing; the page's texts have the words.
 * @typedef {"nothingThere" | "notYours"} Why
 */
/**
 * What a touch led to: the elements picked so far, and the move to send when one is complete; where it led to neither,
 * because nothing begins there, `why`.
 * @typedef {{ picked: Path, move: string | null, why?: Why }} Touch
 */

/** @type {Map<string, Path>} */
const paths = new Map();
/** More spellings than all moves of the largest board; beyond that they are worked out anew. */
const MAX_PATHS = 4096;

/**
 * The elements that spell `move`, in the order in which a person touches them: "5:b2-b3" is "5:b2", "5:b3".
 * @param {string} move
 * @returns {Path}
 */
export function touched(move) {
  let path = paths.get(move);
  if (!path) {
    const colon = move.lastIndexOf(":") + 1;
    const region = move.slice(0, colon);
    path = move
      .slice(colon)
      .split(/[-x]/)
      .map((part) => region + part);
    if (paths.size >= MAX_PATHS) paths.clear();
    paths.set(move, path);
  }
  return path;
}

/**
 * The move that touching `elements` in order stands for when no legal move says otherwise. It may be illegal.
 * @param {Path} elements
 */
export function spell(elements) {
  const [first = "", ...others] = elements;
  const prefix = first.slice(0, first.lastIndexOf(":") + 1);
  const same = prefix !== "" && others.every((other) => other.startsWith(prefix));
  return [first, ...(same ? others.map((other) => other.slice(prefix.length)) : others)].join("-");
}

/**
 * The result of touching `element` after `picked`. A second touch of the last one ends the move or lets it go.
 * @param {Snapshot} match @param {Path} picked @param {string} element
 * @returns {Touch}
 */
export function touch(match, picked, element) {
  const kind = elementsOf(match.board).byId.get(element)?.kind;
  if (kind === "line") return { picked: [], move: element };
  if (kind === "dot") return touchDot(match.legal, picked, element);
  return touchCell(match, picked, element);
}

/**
 * End the move where it stands: a chain of jumps that could go on.
 * @param {Snapshot} match @param {Path} picked
 * @returns {Touch}
 */
export function confirm(match, picked) {
  const move = complete(match.legal, picked);
  return move ? { picked: [], move } : { picked, move: null };
}

/**
 * The elements that a legal move touches next, and the lines that are legal moves themselves.
 * @param {Snapshot} match @param {Path} picked
 * @returns {Set<string>}
 */
export function targets(match, picked) {
  const { byId, dots } = elementsOf(match.board);
  /** @type {Set<string>} */
  const found = new Set();
  for (const move of match.legal) {
    if (!picked.length && byId.get(move)?.kind === "line") found.add(move);
    const path = touched(move);
    add(found, path, picked);
    if (dots.length && path.length === 2) add(found, [...path].reverse(), picked);
  }
  return found;
}

/** @param {Set<string>} found @param {Path} path @param {Path} picked */
function add(found, path, picked) {
  if (path.length > picked.length && begins(path, picked)) found.add(path[picked.length] ?? "");
}

/** @param {Path} path @param {Path} start */
function begins(path, start) {
  return start.every((element, index) => path[index] === element);
}

/** @param {Path} one @param {Path} other */
function equal(one, other) {
  return one.length === other.length && begins(one, other);
}

/**
 * The legal moves that touch no element of the board, such as "swap": to be shown as buttons.
 * @param {Snapshot} match
 */
export function words(match) {
  const { byId } = elementsOf(match.board);
  const isOnBoard = (/** @type {string} */ id) => (byId.get(id)?.kind ?? "region") !== "region";
  const found = [];
  // Most moves are the name of an element, and there are hundreds: they are looked at without a call for each.
  for (const move of match.legal) {
    const kind = byId.get(move)?.kind;
    if ((kind === undefined || kind === "region") && !touched(move).some(isOnBoard)) found.push(move);
  }
  return found;
}

/**
 * The legal move that consists of exactly the elements picked.
 * @param {readonly string[]} legal @param {Path} picked
 * @returns {string | null}
 */
export function complete(legal, picked) {
  return picked.length ? (legal.find((move) => equal(touched(move), picked)) ?? null) : null;
}

/**
 * The elements to mark for a move on the board: its line, or every cell that it touches.
 * @param {Board} board @param {string} move
 * @returns {Path}
 */
export function markedBy(board, move) {
  return elementsOf(board).byId.get(move)?.kind === "line" ? [move] : touched(move);
}

/**
 * Two dots make a line, in either order.
 * @param {readonly string[]} legal @param {Path} picked @param {string} dot
 * @returns {Touch}
 */
function touchDot(legal, picked, dot) {
  if (!picked.length) return { picked: [dot], move: null };
  if (equal(picked, [dot])) return { picked: [], move: null };
  const path = [...picked, dot];
  return { picked: [], move: complete(legal, path) ?? complete(legal, [...path].reverse()) ?? spell(path) };
}

/**
 * @param {Snapshot} match @param {Path} picked @param {string} cell
 * @returns {Touch}
 */
function touchCell(match, picked, cell) {
  const { legal } = match;
  if (picked.length && cell === picked[picked.length - 1]) return { picked: [], move: complete(legal, picked) };
  const path = [...picked, cell];
  if (legal.some((move) => touched(move).length > path.length && begins(touched(move), path))) {
    return { picked: path, move: null };
  }
  const move = complete(legal, path);
  return move !== null ? { picked: [], move } : touchInVain(match, picked, cell);
}

/**
 * No legal move goes on with `cell`: begin anew where that makes sense, else ask the server, which says why.
 * @param {Snapshot} match @param {Path} picked @param {string} cell
 * @returns {Touch}
 */
function touchInVain(match, picked, cell) {
  const mark = match.marks[cell];
  const mine = mark !== undefined && mark[0] !== null && match.you.includes(mark[0]);
  const begun = match.legal.some((move) => touched(move)[0] === cell);
  if (picked.length) {
    return begun || mine ? { picked: [cell], move: null } : { picked: [], move: spell([...picked, cell]) };
  }
  const fromCellToCell = match.legal.some((move) => touched(move).length > 1);
  if (!fromCellToCell && match.legal.length) return { picked: [], move: cell };
  // A piece that cannot move may be picked all the same: where it should go tells the server what to explain.
  if (mine || !match.legal.length) return { picked: mine ? [cell] : [], move: null };
  return { picked: [], move: null, why: mark ? "notYours" : "nothingThere" };
}
