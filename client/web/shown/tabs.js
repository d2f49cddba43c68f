/**
 * The tabs of one browser at this hub: what happens in a match is told by one of them, that which is looked at if there is
 * one (`P25`), and a match that begins in one is known in the others, which stay where they are. Where a browser has no
 * channel between tabs, each is alone.
 */

/** How long a tab that is not looked at leaves the word to one that is, in ms. */
const SEEN_MS = 60;
const HIDDEN_MS = 160;
/** How long two that are alike wait for each other's claim. */
const SETTLE_MS = 40;
/** How long the browser itself remembers that something was told, in ms: longer than its tabs hear of it after each other. */
const TOLD_MS = 3_000;
/** The number of the tab that the person uses: it gives way to none. */
const FIRST = -1;
/** Claims that are remembered: nothing is told so late that more have come. */
const MOST_CLAIMS = 64;

/**
 * @typedef {{ post: (message: any) => void, listen: (call: (message: any) => void) => void }} Channel
 * @typedef {"focused" | "seen" | "hidden"} Attention
 * @typedef {object} Surroundings
 * @property {() => Attention} attention how the person attends to this tab
 * @property {(call: () => void, ms: number) => unknown} later
 * @property {() => number} random
 * @property {((what: string) => Promise<boolean>) | undefined} [first] whether this tab is the first to do that: the browser's
 *   own answer, where it has one
 */

/** The channel of the pages at one hub. @param {string} page its address @returns {Channel | null} */
export function channelOf(page) {
  if (typeof BroadcastChannel === "undefined") return null;
  const channel = new BroadcastChannel(`parlour:${new URL(".", page).pathname}`);
  return {
    post: (message) => channel.postMessage(message),
    listen: (call) => channel.addEventListener("message", (event) => call(event.data)),
  };
}

/** The browser's own. @returns {Surroundings} */
export function browserTab() {
  return {
    attention: () => (document.visibilityState !== "visible" ? "hidden" : document.hasFocus() ? "focused" : "seen"),
    later: (call, ms) => setTimeout(call, ms),
    random: () => Math.random(),
    first: typeof navigator === "undefined" || !navigator.locks ? undefined : first,
  };
}

/** Who gets the lock is the first; it is kept for a while. A page on a plain address of a network has none. @param {string} what @returns {Promise<boolean>} */
function first(what) {
  return new Promise((done) => {
    const keep = (/** @type {Lock | null} */ lock) => {
      done(lock !== null);
      return lock && new Promise((over) => setTimeout(over, TOLD_MS));
    };
    // Where storage is forbidden, locks are, too: then the tabs' own words have to do.
    navigator.locks.request(`parlour ${what}`, { ifAvailable: true }, keep).catch(() => done(true));
  });
}

export class Tabs {
  #channel;
  #around;
  #id;
  /** The lowest id that claimed each thing. @type {Map<string, number>} */
  #claims = new Map();
  /** @type {Set<(message: any) => void>} */
  #listeners = new Set();

  /** @param {Channel | null} channel @param {Surroundings} [around] */
  constructor(channel, around = browserTab()) {
    this.#channel = channel;
    this.#around = around;
    this.#id = around.random();
    channel?.listen((message) => this.#heard(message));
  }

  /** @param {any} message */
  #heard(message) {
    if (typeof message?.claim === "string" && typeof message.by === "number") this.#note(message.claim, message.by);
    else for (const call of this.#listeners) call(message);
  }

  /** @param {string} what @param {number} by */
  #note(what, by) {
    this.#claims.set(what, Math.min(this.#claims.get(what) ?? 1, by));
    if (this.#claims.size > MOST_CLAIMS) this.#claims.delete(/** @type {string} */ (this.#claims.keys().next().value));
  }

  /** Tell the other tabs. @param {object} message */
  tell(message) {
    this.#channel?.post(message);
  }

  /** @param {(message: any) => void} call */
  listen(call) {
    this.#listeners.add(call);
  }

  /**
   * Do what one of the tabs is to do, unless another does it. Words between tabs may be late on a machine that is busy:
   * they say who is to do it, and the browser's lock that it is done once.
   * @param {string} what the same in all of them
   * @param {() => void} act
   */
  asOne(what, act) {
    if (this.#channel === null) {
      act();
      return;
    }
    const attention = this.#around.attention();
    if (attention === "focused") this.#claim(what, FIRST, () => this.#once(what, act));
    else
      this.#around.later(
        () => this.#claim(what, this.#id, () => this.#around.later(() => this.#unlessOther(what, act), SETTLE_MS)),
        attention === "seen" ? SEEN_MS : HIDDEN_MS,
      );
  }

  /** @param {string} what @param {number} by @param {() => void} then */
  #claim(what, by, then) {
    if (this.#claims.has(what)) return;
    this.#note(what, by);
    this.tell({ claim: what, by });
    then();
  }

  /** @param {string} what @param {() => void} act */
  #unlessOther(what, act) {
    if (this.#claims.get(what) === this.#id) this.#once(what, act);
  }

  /** @param {string} what @param {() => void} act */
  #once(what, act) {
    if (this.#around.first) this.#around.first(what).then((isFirst) => isFirst && act());
    else act();
  }
}
