/**
 * What a server told that cannot be (`validity.js`): it is not shown; a few times what is true is asked for.
 * @import { Refused } from "./messages.d.ts"
 */

/** So often within WITHIN_MS, and what it was about is left: it would go on for ever. */
const MOST = 3;
const WITHIN_MS = 60_000;

/** About one thing that is told: a match, or the lobby. `now` is in ms of the session's clock. */
export class Doubts {
  /** @type {number[]} */
  #times = [];

  /** Once more; whether that was once too often. @param {number} now */
  add(now) {
    this.#times = [...this.#times, now].slice(-MOST);
    return this.#times.length === MOST && now - Number(this.#times[0]) <= WITHIN_MS;
  }

  /** Another one is followed now, or none. */
  forget() {
    this.#times = [];
  }
}

/**
 * What the person is told of it; the page has words for the code.
 * @param {string} why
 * @param {boolean} left whether what it was about is left
 * @returns {Refused}
 */
export function nonsense(why, left, ref = "") {
  return {
    type: "refused",
    ref,
    code: left ? "nonsense_left" : "nonsense",
    text: "",
    data: { why },
    match: "",
    version: 0,
  };
}
