/**
 * The review of a match that is over: who stood better after each move, as far as it has come. Pure.
 * @import { Analysis, Refused } from "../conversation/messages.d.ts"
 */

/**
 * As far as it has come. It `goesOn` until it is whole, was broken off, or the server refused to go on with it: `refusal` is
 * the server's, null where the person broke it off.
 * @typedef {{ plies: number, judged: readonly Analysis[], goesOn: boolean, refusal: Refused | null }} Review
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
