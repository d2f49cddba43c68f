/**
 * The user's commands that wait for their answer: bounded, and sent again under the same ref until they have it.
 * @import { Command, Refused, Reply } from "./messages.d.ts"
 */

/** Commands that wait at a time. A person has one or two; more means that nobody answers. */
export const MAX_PENDING = 32;
/** A command unanswered for so long on a live connection is sent again: its answer may have been unreadable. */
const ANSWER_MS = 5_000;
/** How long to wait before a command that the server could not store is sent again. */
const UNAVAILABLE_MS = 1_000;
/** How often a command is sent again while the server says that its store is away. */
const MAX_TRIES = 8;

/** Too many commands wait for an answer; this one was not taken. */
export class Backlog extends Error {}

/**
 * Refusals that say nothing of the command itself: it is to be sent again, under the same ref. The last one is of a hint or a
 * review, while another question of the same player is thought about: of another match, or in another tab.
 */
export const PASSING = Object.freeze(["busy", "unavailable", "unknown_outcome", "one_analysis"]);
/** What a hub thinks about, one at a time for a player. */
const QUESTIONS = ["analyse", "hint"];

/**
 * `due`: when to send it again, in ms; null until the clock was looked at. `inDoubt`: whether it may have been done by
 * an earlier sending, of which nothing was heard or which left it open.
 * @typedef {{ command: Command, due: number | null, tries: number, sent: boolean, inDoubt: boolean }} Waiting
 */

/** See the module's comment. */
export class Pending {
  /** @type {Map<string, Waiting>} */
  #waiting = new Map();

  /** @param {string} ref */
  has(ref) {
    return this.#waiting.has(ref);
  }

  /** The commands that wait, in order. */
  get commands() {
    return [...this.#waiting.values()].map((waiting) => waiting.command);
  }

  /**
   * Let it wait.
   * @param {Command} command
   * @param {boolean} sent whether it goes out at once
   * @throws {Backlog} when too many wait
   */
  add(command, sent) {
    if (this.#waiting.size >= MAX_PENDING) throw new Backlog();
    this.#waiting.set(command.ref, { command, due: null, tries: 0, sent, inDoubt: false });
  }

  /** All were just sent, on a new connection. @param {number} now */
  allSent(now) {
    for (const waiting of this.#waiting.values()) {
      waiting.due = now + ANSWER_MS;
      waiting.sent = true;
    }
  }

  /** What was sent may have been done, and the answer cannot come any more. */
  lostConnection() {
    for (const waiting of this.#waiting.values()) waiting.inDoubt ||= waiting.sent;
  }

  /** Those to send again now. @param {number} now @returns {Command[]} */
  due(now) {
    const again = [];
    for (const waiting of this.#waiting.values()) {
      if (waiting.due !== null && now >= waiting.due) {
        again.push(waiting.command);
        waiting.due = null;
        waiting.inDoubt ||= waiting.tries === 0;
      }
      waiting.due ??= now + ANSWER_MS;
    }
    return again;
  }

  /**
   * The command and what became of it, once it is answered for good; null when it goes on waiting.
   *
   * While the server or its store has no time it is sent again, a bounded number of times. A command that may have been
   * done is never said to have come to nothing: then the answer is `unknown_outcome`, and the match tells.
   * @param {Reply} answer
   * @param {number} now
   * @returns {{ command: Command, answer: Reply } | null}
   */
  settle(answer, now) {
    const waiting = this.#waiting.get(answer.ref);
    if (!waiting) return null;
    const { command } = waiting;
    if (answer.type === "refused" && PASSING.includes(answer.code)) {
      const open = answer.code === "unknown_outcome";
      waiting.inDoubt ||= open;
      if (waiting.tries < MAX_TRIES) {
        if (!this.#waitsForOurOwn(answer)) waiting.tries += 1;
        waiting.due = now + UNAVAILABLE_MS;
        return null;
      }
      this.#waiting.delete(answer.ref);
      if (waiting.inDoubt && !open) return { command, answer: unknown(answer) };
      return { command, answer };
    }
    this.#waiting.delete(answer.ref);
    return { command, answer };
  }

  /**
   * Whether an earlier question of this session is thought about first: that will be answered, however late.
   * @param {import("./messages.d.ts").Refused} answer
   */
  #waitsForOurOwn(answer) {
    const first = [...this.#waiting].find(([, { command }]) => QUESTIONS.includes(command.type));
    return answer.code === "one_analysis" && first !== undefined && first[0] !== answer.ref;
  }
}

/**
 * The refusal of a last try, for a command that an earlier try may have done all the same. The page has words for its code.
 * @param {Refused} answer
 * @returns {Refused}
 */
function unknown(answer) {
  return {
    type: "refused",
    ref: answer.ref,
    code: "unknown_outcome",
    text: "",
    data: {},
    match: answer.match,
    version: 0,
  };
}
