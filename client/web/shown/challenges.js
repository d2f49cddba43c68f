/**
 * Challenges: which stand, how each went, and where an accepted one leads. Pure.
 * @import { Challenged, ChallengeOver } from "../conversation/messages.d.ts"
 * @import { Model } from "./seen.js"
 */

/** Challenges that are over and are remembered, for who comes back is told of them again; and those that stand. */
const MOST = 20;

/** A challenge that stands: a new one, or one that is told again. @param {Model} model @param {Challenged} told @returns {Model} */
export function challenged(model, told) {
  if (model.challengesHeard.includes(told.challenge)) return model;
  const rest = model.challenges.filter((known) => known.challenge !== told.challenge);
  return { ...model, challenges: [...rest, told].slice(-MOST) };
}

/** It stands no longer. @param {Model} model @param {ChallengeOver} event @returns {Model} */
export function over(model, event) {
  const heard = model.challengesHeard.filter((one) => one !== event.challenge);
  return {
    ...model,
    challenges: model.challenges.filter((known) => known.challenge !== event.challenge),
    challengesHeard: [...heard, event.challenge].slice(-MOST),
  };
}

/** Whether it is to be told in words: not what was done here and shows by itself. @param {Model} model @param {ChallengeOver} event */
export const isNews = (model, event) =>
  !model.challengesHeard.includes(event.challenge) &&
  (event.mine || ["withdrawn", "expired", "left"].includes(event.fate));

/** The oldest challenge that is to be answered here. @param {Model} model */
export const incoming = (model) => model.challenges.find((told) => !told.mine) ?? null;

/** Whether to accept one takes one away from a match that is being played: asked once. @param {Model} model */
export const leavesAMatch = ({ match }) => match?.status === "playing" && match.you.length > 0 && !match.lesson;

/** The newest one of one's own that stands. @param {Model} model */
export const outgoing = (model) => model.challenges.findLast((told) => told.mine) ?? null;
