/**
 * Following one match: in order, each event once, no gap.
 *
 * The server's events carry consecutive versions. What comes twice is dropped; what bears an old version and yet is not
 * what was taken under it may be a new event whose version was damaged on the way (`N5`). That, and what comes too
 * early, shows a gap, which a question to the server (sync, or watch while there is no position at all) closes with the
 * missing events or a snapshot. Some events say that the position is another one, which a snapshot right behind them
 * tells: it is owed, and asked for.
 * @import { Accepted, Command, MatchEvent, Snapshot } from "./messages.d.ts"
 */
import { shownAnew } from "../shown/position.js";
import { elementIds } from "./validity.js";

/** A question is repeated after this time, and asked at most this often. */
const ANSWER_MS = 2_000;
/** Events kept to tell one that comes twice from one whose version was damaged. */
const REMEMBERED = 8;

/** One followed match. */
export class Following {
  /** The last version received without a gap; null: no position yet. @type {number | null} */
  version = null;
  /** The ids of its board's elements; null before the first snapshot. @type {ReadonlySet<string> | null} */
  elements = null;
  /** In which epoch of the server's store `version` was heard last. */
  epoch = "";
  #highest = 0;
  /** @type {MatchEvent[]} */
  #taken = [];
  /** @type {string | null} */
  #ref = null;
  #due;
  #owed = true;
  #wanted = false;
  #askedTwice = false;

  /** @param {string} match @param {number} now */
  constructor(match, now) {
    this.match = match;
    // When to ask if nothing came: a followed match owes its first snapshot.
    this.#due = now + ANSWER_MS;
  }

  /** Whether to show it: an older one than what is shown comes too late. @param {Snapshot} snapshot */
  takesSnapshot(snapshot) {
    if (this.version !== null && snapshot.version < this.version) return false;
    this.version = snapshot.version;
    this.elements = new Set(elementIds(snapshot));
    this.#owed = false;
    return true;
  }

  /**
   * Whether it is the next one. A later one, or an unknown old one, means that something is missing: ask.
   * @param {MatchEvent} event
   * @param {number} now
   */
  takesEvent(event, now) {
    this.#highest = Math.max(this.#highest, event.version);
    if (this.version === null) return false;
    if (event.version <= this.version) {
      const whole = JSON.stringify(event);
      this.#wanted ||= !this.#taken.some((known) => JSON.stringify(known) === whole);
      return false;
    }
    if (event.version > this.version + 1) {
      this.#wanted = true;
      return false;
    }
    this.version = event.version;
    this.#taken = [...this.#taken, event].slice(-REMEMBERED);
    if (shownAnew(event)) {
      this.#owed = true;
      this.#due = Math.max(this.#due, now + ANSWER_MS);
    }
    return true;
  }

  /** The server has lost what was heard: whatever its snapshot says now is true, also under an old version. @param {number} now */
  setBack(now) {
    this.version = null;
    this.#highest = 0;
    this.#taken = [];
    this.#owed = true;
    this.#due = now + ANSWER_MS;
  }

  /** Something about the match may have been missed: ask. */
  suspect() {
    this.#wanted = true;
  }

  /** What was told cannot be: only a snapshot can tell what is true. */
  doubt() {
    this.#owed = true;
    this.#wanted = true;
  }

  /** Nobody will answer; ask at once when the connection is back. */
  lostConnection() {
    this.#ref = null;
    this.#wanted = true;
  }

  /**
   * The command to send now, if one is due. It also makes the server follow the match for this connection.
   * @param {() => string} newRef
   * @param {number} now
   * @returns {Command | null}
   */
  question(newRef, now) {
    const overdue = now >= this.#due && (this.#ref !== null || this.#owed);
    if (!overdue && (!this.#wanted || this.#ref !== null)) return null;
    const ref = newRef();
    this.#ref = ref;
    this.#wanted = false;
    this.#due = now + ANSWER_MS;
    if (this.#owed || this.version === null) return { type: "watch", ref, match: this.match };
    return { type: "sync", ref, match: this.match, after: this.version, epoch: this.epoch };
  }

  /** Whether it is that of the open question. @param {string} ref */
  isQuestion(ref) {
    return ref === this.#ref;
  }

  /** The question was answered; what belongs to the answer came before it. @param {Accepted} answer */
  answered(answer) {
    this.#ref = null;
    if (this.version === null) return;
    if (answer.version < this.version) {
      // The server's log is shorter than what was shown: only a snapshot can tell what is true now.
      this.version = null;
      this.#owed = true;
      this.#highest = 0;
      this.#wanted = true;
    } else if (this.#highest > this.version && !this.#askedTwice) {
      // An event overtook the answer and was dropped. Once more is enough; a version that nobody has is no gap.
      this.#askedTwice = true;
      this.#wanted = true;
    } else {
      this.#askedTwice = false;
      this.#highest = this.version;
    }
  }
}
