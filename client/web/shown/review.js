/**
 * The review of a match that is over: who stood better after each move, and which moves cost most. Pure; the words are in
 * `texts/`.
 * @import { Analysis, Refused } from "../conversation/messages.d.ts"
 */
import { LIMITS } from "../conversation/limits.js";

const COSTLIEST = 3;
/** What a move must have cost to be called a mistake, where nothing is certain: less is within what a search errs. */
const LEAST = LIMITS.MAX_LEAD / 25;

/**
 * As far as it has come. It `goesOn` until it is whole, was broken off, or the server refused to go on with it: `refusal` is
 * the server's, null where the person broke it off.
 * @typedef {{ plies: number, judged: readonly Analysis[], goesOn: boolean, refusal: Refused | null }} Review
 */
/**
 * A move that cost something: the `ply`-th of the match. `exact`: nobody guesses, it was wrong.
 * @typedef {{ ply: number, seat: number, played: string, why: string, better: string, betterWhy: string, cost: number, exact: boolean }} Costly
 */

/** @param {number} plies @returns {Review} */
export const begun = (plies) => ({ plies, judged: [], goesOn: true, refusal: null });

/** Whether every position was judged, the first and the last included. @param {Review} review */
export const isWhole = ({ judged, plies }) => judged.length > plies;

/** The position to be judged next; null when no more are. @param {Review} review */
export const nextPly = (review) => (review.goesOn && !isWhole(review) ? review.judged.length : null);

/** One position more; what was not asked for, or comes twice, changes nothing. @param {Review} review @param {Analysis} one @returns {Review} */
export function withNext(review, one) {
  return one.ply === nextPly(review) ? { ...review, judged: [...review.judged, one] } : review;
}

/** How many positions were thought about for less than usual. @param {Review} review */
export const hurried = ({ judged }) => judged.filter((one) => one.less).length;

/** The moves that cost most, the worst first. @param {Review} review @returns {Costly[]} */
export function costliest({ judged }) {
  const found = judged.slice(1).flatMap((after, index) => {
    const one = cost(/** @type {Analysis} */ (judged[index]), after);
    return one ? [one] : [];
  });
  return found.toSorted((one, other) => other.cost - one.cost).slice(0, COSTLIEST);
}

/** @param {Analysis} before @param {Analysis} after @returns {Costly | null} */
function cost(before, after) {
  if (before.to_move === null || before.played === before.move) return null;
  const lost = ((before.lead ?? 0) - (after.lead ?? 0)) * (before.to_move === 1 ? -1 : 1);
  const exact = before.exact && after.exact;
  if (lost < (exact ? 1 : LEAST)) return null;
  return {
    ply: after.ply,
    seat: before.to_move,
    played: before.played,
    why: before.played_text,
    better: before.move,
    betterWhy: before.text,
    cost: lost,
    exact,
  };
}
