/**
 * What the browser keeps for this hub's page: strings by name. Where it may keep nothing, or has no room left, they last
 * as long as the page does, and `isKept` says so.
 */

export class Storage {
  /** @type {Map<string, string>} */
  #memory = new Map();
  /** Whether what was put last will be there after a reload. */
  isKept = true;
  #prefix;
  #store;

  /**
   * @param {string} page the address of the page: two hubs below one host do not share what they keep
   * @param {() => globalThis.Storage} find
   */
  constructor(page, find = () => localStorage) {
    this.#prefix = `parlour:${new URL(".", page).pathname}:`;
    this.#store = attempt(find, null);
    this.isKept = this.#store !== null;
  }

  /** @param {string} name */
  get(name) {
    return this.#memory.get(name) ?? attempt(() => this.#store?.getItem(this.#prefix + name) ?? null, null);
  }

  /** Whether a reload finds what was put under the name last, or there is nothing to lose. @param {string} name */
  willFind(name) {
    return this.#store !== null && !this.#memory.has(name);
  }

  /** Keep it; whether it will be there after a reload. @param {string} name @param {string} value */
  put(name, value) {
    this.isKept = attempt(() => {
      this.#store?.setItem(this.#prefix + name, value);
      return this.#store !== null;
    }, false);
    if (this.isKept) this.#memory.delete(name);
    else this.#memory.set(name, value);
    return this.isKept;
  }

  /** @param {string} name */
  remove(name) {
    this.#memory.delete(name);
    attempt(() => this.#store?.removeItem(this.#prefix + name), undefined);
  }

  /** The names that begin so. @param {string} start */
  names(start) {
    const whole = this.#prefix + start;
    const stored = attempt(() => Object.keys(this.#store ?? {}), /** @type {string[]} */ ([]));
    const kept = stored.filter((key) => key.startsWith(whole)).map((key) => key.slice(this.#prefix.length));
    return [...new Set([...kept, ...[...this.#memory.keys()].filter((name) => name.startsWith(start))])];
  }
}

/**
 * The value of `work`, or `otherwise` where the browser forbids it: a store may throw at any use, also while another tab
 * clears it.
 * @template T
 * @param {() => T} work
 * @param {T} otherwise
 */
function attempt(work, otherwise) {
  try {
    return work();
  } catch (error) {
    if (error instanceof DOMException) return otherwise;
    throw error;
  }
}
