/**
 * The user's commands that wait for their answer: bounded, and sent again under the same ref until they have it.
 * @import { Command, Reply } from "./messages.d.ts"
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

/** @typedef {{ command: Command, due: number | null, tries: number }} Waiting `due`: when to send it again, in ms */

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

  /** Let it wait. @param {Command} command @throws {Backlog} when too many do */
  add(command) {
    if (this.#waiting.size >= MAX_PENDING) throw new Backlog();
    this.#waiting.set(command.ref, { command, due: null, tries: 0 });
  }

  /** All were just sent, on a new connection. @param {number} now */
  allSent(now) {
    for (const waiting of this.#waiting.values()) waiting.due = now + ANSWER_MS;
  }

  /** Those to send again now. @param {number} now @returns {Command[]} */
  due(now) {
    const again = [];
    for (const waiting of this.#waiting.values()) {
      if (waiting.due !== null && now >= waiting.due) {
        again.push(waiting.command);
        waiting.due = null;
      }
      waiting.due ??= now + ANSWER_MS;
    }
    return again;
  }

  /**
   * The command that is answered for good; null when it goes on waiting. When the store was away, whether the command
   * was stored is unknown until it is sent again under the same ref.
   * @param {Reply} answer
   * @param {number} now
   */
  settle(answer, now) {
    const waiting = this.#waiting.get(answer.ref);
    if (!waiting) return null;
    if (answer.type === "refused" && answer.code === "unavailable" && waiting.tries < MAX_TRIES) {
      waiting.tries += 1;
      waiting.due = now + UNAVAILABLE_MS;
      return null;
    }
    this.#waiting.delete(answer.ref);
    return waiting.command;
  }
}
