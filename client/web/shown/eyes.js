/**
 * What a person had in front of them when a key was pressed: an answer is about the offer that was seen (`Q1`). An offer
 * can be replaced by another one while a hand is on its way to the key, so what counts is the one that was on screen a
 * moment before; the server refuses an answer to one that is open no longer, and says so.
 * @import { Command, Snapshot } from "../conversation/messages.d.ts"
 */

/** Ms: who presses a key decided to at least this long ago; seeing, choosing and pressing take an adult half a second. */
export const REACTION = 600;

/** Offers as they were shown: `look` whenever something has changed. Times are ms of the session's clock. */
export class Eyes {
  #match = "";
  #dealtWith = 0;
  /** Since when which offer is on screen (0: none), the newest last; the first is older than a moment. @type {Array<[number, number]>} */
  #shown = [[Number.NEGATIVE_INFINITY, 0]];

  /** From now on this is on screen. @param {Snapshot | null} match @param {number} now */
  look(match, now) {
    const name = match?.match ?? "";
    const offer = match?.offer?.version ?? 0;
    if (name !== this.#match) {
      this.#match = name;
      this.#dealtWith = 0;
      this.#shown = [[Number.NEGATIVE_INFINITY, 0]];
    }
    if (offer !== this.#shown.at(-1)?.[1]) this.#shown.push([now, offer]);
    while ((this.#shown[1]?.[0] ?? Number.POSITIVE_INFINITY) <= now - REACTION) this.#shown.shift();
  }

  /** The offer that is meant by a key that is pressed now; 0: none. @param {number} now */
  seen(now) {
    const before = this.#shown.findLast(([since]) => since <= now - REACTION)?.[1] ?? 0;
    return before > this.#dealtWith ? before : (this.#shown.at(-1)?.[1] ?? 0);
  }

  /** Once one has answered, withdrawn or offered, what was on screen until now is dealt with. @param {Command} command */
  sent(command) {
    if (["answer", "offer", "withdraw"].includes(command.type)) {
      this.#dealtWith = Math.max(...this.#shown.map(([, offer]) => offer));
    }
  }
}
