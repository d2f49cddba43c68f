/**
 * Whose next move is not charged, for it is the first of that seat (`RU-M2`): as far as a snapshot tells. Pure.
 * @import { Snapshot } from "../conversation/messages.d.ts"
 */

export const BOTH = Object.freeze([0, 1]);
/** Events of a match before its first move: it was created, and somebody sat down. */
const BEFORE_THE_MOVES = 2;

/**
 * The seats that have not moved: known only while nothing but moves can have happened. A move that was taken back has
 * been made, and is charged when it is made again; of that only the number of events is left. Where it cannot be known
 * nothing is said of a first move.
 * @param {Snapshot} match
 * @returns {readonly number[]}
 */
export function unchargedIn(match) {
  if (match.version > BEFORE_THE_MOVES + match.plies) return [];
  if (match.plies === 0) return BOTH;
  const { last } = match;
  return match.plies === 1 && last !== null ? BOTH.filter((seat) => seat !== last.seat) : [];
}
