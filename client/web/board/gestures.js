// The hand over the board: clicks, two clicks, drags, fingers that slide and keys become touches, and touches moves.
// Pure, and ruleless: picking.js says what touched elements mean.

import { dotAt, elementsOf, hit, hitByFinger, home, step } from "./elements.js";
import * as picking from "./picking.js";
import { goesFromCellToCell } from "./scene.js";

/** @typedef {import("../conversation/messages.d.ts").Snapshot} Snapshot */
/** @typedef {import("./picking.js").Path} Path */
/** @typedef {import("./elements.js").Cursor} Cursor */
/**
 * What is picked and held. `held` is the element that was pressed; `begun` the dot under a finger when it came down.
 * @typedef {{
 *   picked: Path, held: string | null, hovered: string | null, begun: string | null, cursor: Cursor | null,
 *   by: "mouse" | "finger" | "keys", x: number, y: number,
 * }} Hand
 */
/**
 * The hand afterwards, and the move that was completed, if one was; or `why` a touch did nothing.
 * @typedef {{ hand: Hand, move: string | null, why?: picking.Why }} Done
 */

/** How far from a dot, in lattice units, a drag may end on it: more than a click may miss it by. */
const DROP_REACH = 0.45;

/** @type {Hand} */
export const EMPTY = { picked: [], held: null, hovered: null, begun: null, cursor: null, by: "mouse", x: 0, y: 0 };

/**
 * Whether a finger that slides takes the nearest element with it: not where pieces are dragged from cell to cell.
 * @param {Snapshot} match
 */
export function slides(match) {
  return !goesFromCellToCell(match);
}

/**
 * The button goes down on the board.
 * @param {Hand} hand @param {Snapshot} match @param {number} x @param {number} y
 * @returns {Hand}
 */
export function press(hand, match, x, y) {
  const element = hit(match.board, x, y);
  return { ...hand, held: element, hovered: element, begun: null, by: "mouse", x, y };
}

/**
 * The mouse is somewhere else; a piece that is dragged leaves a path behind where moves have one.
 * @param {Hand} hand @param {Snapshot} match @param {number} x @param {number} y
 * @returns {Hand}
 */
export function move(hand, match, x, y) {
  const reach = hand.held !== null && kindOf(match, hand.held) === "dot" ? DROP_REACH : undefined;
  return wander({ ...hand, by: "mouse", x, y }, match, hit(match.board, x, y, reach));
}

/** @param {Hand} hand @param {Snapshot} match @param {string | null} element @returns {Hand} */
function wander(hand, match, element) {
  const moved = { ...hand, hovered: element };
  const { held } = hand;
  if (held === null || element === null || element === held || elementsOf(match.board).hasLines) return moved;
  let picked = hand.picked[0] === held ? hand.picked : picking.touch(match, [], held).picked;
  if (picked.length && element !== picked[picked.length - 1] && picking.targets(match, picked).has(element)) {
    const longer = picking.touch(match, picked, element);
    if (longer.move === null) picked = longer.picked;
  }
  return { ...moved, picked: picked.length ? picked : hand.picked };
}

/**
 * The button goes up: on the same element it was a click, on another one both were touched.
 * @param {Hand} before @param {Snapshot} match @param {number} x @param {number} y
 * @returns {Done}
 */
export function release(before, match, x, y) {
  return letGoOn(before.held === null ? before : move(before, match, x, y), before.held, match);
}

/** @param {Hand} after @param {string | null} held @param {Snapshot} match @returns {Done} */
function letGoOn(after, held, match) {
  /** @type {Hand} */
  let hand = { ...after, held: null };
  const element = hand.hovered;
  if (held === null || element === null) {
    return { hand: { ...hand, picked: held !== null && held !== element ? [] : hand.picked }, move: null };
  }
  hand = { ...hand, cursor: cursorAt(match, element) ?? hand.cursor };
  if (held === element) return touch(hand, match, element);
  if (kindOf(match, held) === "line" || kindOf(match, element) === "line")
    return { hand: { ...hand, picked: [] }, move: null };
  if (!hand.picked.includes(held)) {
    const first = touch({ ...hand, picked: [] }, match, held);
    // What was dragged cannot be: a free cell, or a stone that stays where it lies.
    if (first.move !== null || !first.hand.picked.length) return { hand: { ...hand, picked: [] }, move: null };
    hand = first.hand;
  }
  if (hand.picked[hand.picked.length - 1] === element) {
    // Dragged along its jumps and let go on the last one: the end of the move, if it may end here.
    const ended = picking.confirm(match, hand.picked);
    return { hand: { ...hand, picked: ended.picked }, move: ended.move };
  }
  return touch(hand, match, element);
}

/**
 * A finger comes down; `dotReach` is how large a dot is for it, 0 where it is too small to be meant.
 * @param {Hand} hand @param {Snapshot} match @param {number} x @param {number} y @param {number} dotReach
 * @returns {Hand}
 */
export function pressFinger(hand, match, x, y, dotReach) {
  const dot = dotReach ? dotAt(match.board, x, y, dotReach) : null;
  const begun = dotAt(match.board, x, y);
  const element = dot ?? hitByFinger(match.board, x, y);
  return { ...hand, held: element, hovered: element, begun, by: "finger", x, y };
}

/**
 * The finger slides.
 * @param {Hand} hand @param {Snapshot} match @param {number} x @param {number} y @param {number} dotReach
 * @returns {Hand}
 */
export function slide(hand, match, x, y, dotReach) {
  const over = dotReach && hand.picked.length ? dotAt(match.board, x, y, dotReach) : null;
  const stays =
    hand.held !== null && kindOf(match, hand.held) === "dot" && dotAt(match.board, x, y, DROP_REACH) === hand.held;
  const element = stays ? hand.held : (over ?? hitByFinger(match.board, x, y, hand.begun));
  const moved = { ...hand, x, y };
  if (!slides(match)) return wander(moved, match, element);
  return { ...moved, held: element ?? hand.held, hovered: element };
}

/**
 * The finger is lifted: what is lit is touched, off the board nothing is.
 * @param {Hand} before @param {Snapshot} match @param {number} x @param {number} y @param {number} dotReach
 * @returns {Done}
 */
export function lift(before, match, x, y, dotReach) {
  const hand = slide(before, match, x, y, dotReach);
  const done = letGoOn(hand, hand.hovered === null ? before.held : hand.held, match);
  return { ...done, hand: { ...done.hand, hovered: null, begun: null } };
}

/**
 * An element was touched.
 * @param {Hand} hand @param {Snapshot} match @param {string} element
 * @returns {Done}
 */
export function touch(hand, match, element) {
  const result = picking.touch(match, hand.picked, element);
  return { hand: { ...hand, picked: result.picked }, move: result.move, why: result.why };
}

/**
 * Enter or Space.
 * @param {Hand} hand @param {Snapshot} match
 * @returns {Done}
 */
export function touchAtCursor(hand, match) {
  const cursor = hand.cursor ?? home(match.board, match.legal);
  return cursor ? touch({ ...hand, cursor, by: "keys" }, match, cursor.id) : { hand, move: null };
}

/**
 * One arrow key; the first one only shows where the cursor is.
 * @param {Hand} hand @param {Snapshot} match @param {number} right @param {number} down @param {boolean} turned
 * @returns {Hand}
 */
export function arrow(hand, match, right, down, turned) {
  if (!hand.cursor) return { ...hand, cursor: home(match.board, match.legal), by: "keys", hovered: null };
  if (hand.by !== "keys") return { ...hand, by: "keys", hovered: null };
  return { ...hand, cursor: step(match.board, hand.cursor, right, down, turned) };
}

/** Drop what is picked and held. @param {Hand} hand @returns {Hand} */
export function letGo(hand) {
  return { ...hand, picked: [], held: null, begun: null };
}

/**
 * The hand over the next position: what is picked stays as long as it can lead to a move.
 * @param {Hand} hand @param {Snapshot} before @param {Snapshot} match
 * @returns {Hand}
 */
export function afterChange(hand, before, match) {
  if (before.match !== match.match) return EMPTY;
  if (before.version === match.version || !hand.picked.length) return hand;
  const goesOn = picking.targets(match, hand.picked).size > 0 || picking.complete(match.legal, hand.picked) !== null;
  return goesOn ? hand : { ...hand, picked: [] };
}

/** @param {Snapshot} match @param {string} element */
function kindOf(match, element) {
  return elementsOf(match.board).byId.get(element)?.kind;
}

/** @param {Snapshot} match @param {string} element @returns {Cursor | null} */
function cursorAt(match, element) {
  const one = elementsOf(match.board).places.find((place) => place.id === element);
  return one ? { id: one.id, column: one.x } : null;
}
