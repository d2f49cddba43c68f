/**
 * Which moves cost most in the review of a match, and where there was too little time to say. Pure; the words are in
 * `texts/`.
 * @import { Analysis } from "../conversation/messages.d.ts"
 * @import { Review } from "./review.js"
 */
import { LIMITS } from "../conversation/limits.js";

const COSTLIEST = 3;
/** What a move must have cost to be called a mistake, where nothing is certain: less is within what a search errs. */
const LEAST = LIMITS.MAX_LEAD / 25;

/**
 * A move that cost something: the `ply`-th of the match. `exact`: nobody guesses. `still` is what the player does after it
 * all the same where that is so, and only by how much was at stake; "" elsewhere.
 * @typedef {{ ply: number, seat: number, played: string, why: string, better: string, betterWhy: string, cost: number, exact: boolean, still: "" | "wins" | "loses" }} Costly
 */

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

/** What was better in the position that is looked back at, where one of the costliest moves came; "" otherwise. @param {import("./seen.js").Model} model */
export function betterHere({ review, step, look }) {
  if (review === null || step === null || look?.ply !== step) return "";
  return costliest(review).find((one) => one.ply - 1 === step)?.better ?? "";
}

/** @param {Analysis} before @param {Analysis} after @returns {Costly | null} */
function cost(before, after) {
  if (before.to_move === null || before.played === before.move) return null;
  const sign = before.to_move === 1 ? -1 : 1;
  const [had, left] = [(before.lead ?? 0) * sign, (after.lead ?? 0) * sign];
  const lost = had - left;
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
    still: !exact ? "" : left > 0 ? "wins" : had < 0 ? "loses" : "",
  };
}
