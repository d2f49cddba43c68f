/**
 * What is read of a model while a match is on screen and nowhere else: who may do what now, the open offer, both clocks.
 * @import { OfferInfo } from "../conversation/messages.d.ts"
 * @import { Model } from "./seen.js"
 */
import { runningSeat, seatName } from "./position.js";
import { holdsBoth, isMyTurn, may, pendingMoves, timeLeft } from "./seen.js";

/** The code with which it is told why a touch does nothing. */
export const IN_VAIN = "in_vain";

/** How many commands wait for the hub to take them; what is thought about takes its time, and says so. @param {Model} model */
export const unanswered = (model) =>
  model.pending.filter((command) => command.type !== "analyse" && command.type !== "hint").length;

/**
 * Whether a move that is made now is sent as one. While one's own is on its way nobody here knows whose turn follows, so
 * what is touched then is a plan for it; two at one screen both move from here.
 * @param {Model} model
 */
export const isToMove = (model) => isMyTurn(model) && (holdsBoth(model) || pendingMoves(model).length === 0);

/** After how long away a match against a person may be lost (`RU-M5`); null: never. @param {Model} model */
export function stayingAwayMs({ match }) {
  const isAtStake = match?.status === "playing" && match.you.length === 1 && match.plies > 0 && !match.level;
  return isAtStake ? match.grace_s * 1000 : null;
}

/** The open offer that is to be answered here (`CK R4.5`). @param {Model} model @returns {OfferInfo | null} */
export const offerToMe = (model) => (may(model, "answer") ? (model.match?.offer ?? null) : null);

/** The open offer that was made here. @param {Model} model @returns {OfferInfo | null} */
export function ownOffer(model) {
  const offer = model.match?.offer ?? null;
  return offer !== null && model.match?.you.includes(offer.seat) ? offer : null;
}

/** Who has gone to something else and so does not see the own offer after the end; "" otherwise. @param {Model} model */
export function unseenBy(model) {
  const { match, link } = model;
  const own = ownOffer(model);
  if (match === null || own === null || match.status !== "ended" || link === "down" || holdsBoth(model)) return "";
  const other = /** @type {0 | 1} */ (1 - own.seat);
  const { here, name } = match.seats[other];
  return here || name === null ? "" : seatName(match, other);
}

/**
 * Both clocks as they are shown, in ms: `timeLeft`, but never less than a seat will have after its move. A first move is
 * not charged, and so is not counted down: no clock jumps back.
 * @param {Model} model
 * @param {number} now
 * @returns {[number, number] | null}
 */
export function countdowns(model, now) {
  const { match } = model;
  const left = timeLeft(model, now);
  if (left === null || match === null || match.clock_rule.per_move_ms || match.status === "ended") return left;
  const shown = (/** @type {number} */ own, /** @type {number} */ seat) =>
    match.uncharged.includes(seat) ? match.clock_rule.total_ms : own;
  return [shown(left[0], 0), shown(left[1], 1)];
}

/**
 * How long, in ms, the first move of the seat to move may still take; null where its time is charged, or where each move
 * has a time of its own anyway.
 * @param {Model} model
 * @param {number} now
 */
export function firstMoveMs(model, now) {
  const { match } = model;
  const seat = match && runningSeat(match);
  if (match === null || seat === null || !match.uncharged.includes(seat) || match.clock_rule.per_move_ms) return null;
  return timeLeft(model, now)?.[seat] ?? null;
}

/**
 * Whether nobody knows here what is being charged: without a connection, until the match was told anew after it, and
 * while the store is away, it may be given back (`D5`).
 * @param {Model} model
 */
export const isUnsure = ({ link, match, stoppedMs }) =>
  match?.status === "playing" && (link === "down" || stoppedMs !== null);

/** From whose side the board is seen: the only seat held, else null. @param {Model} model */
export const viewerSeat = (model) =>
  model.match?.you.length === 1 ? /** @type {number} */ (model.match.you[0]) : null;
