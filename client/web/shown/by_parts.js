/**
 * The model by its parts, for what is drawn anew when they change. A move changes a dozen of sixty parts of the model, of
 * the match in it as much as of the rest: who reads others is not even asked.
 * @import { Model } from "./seen.js"
 */
import { batch, signal } from "../vendor/preact.js";

/** Something whose parts are signals, and which reads as if they were its fields. */
class Parted {
  /** @type {Map<string, import("../vendor/preact.js").Signal<unknown>>} */
  #parts = new Map();
  /** What is read. @type {Record<string, unknown>} */
  seen = {};
  /** @type {Record<string, unknown> | null} */
  #whole = null;

  /** From now on this is what is seen. Most of it is as before, and its signal is not even looked for. @param {object} whole @param {string} [but] a part that is not taken */
  take(whole, but = "") {
    const [before, now] = [this.#whole, /** @type {Record<string, unknown>} */ (whole)];
    this.#whole = now;
    for (const name in now) {
      if ((before === null || now[name] !== before[name]) && name !== but) this.#put(name, now[name]);
    }
  }

  /** @param {string} name @param {unknown} value */
  #put(name, value) {
    const known = this.#parts.get(name);
    if (known) {
      known.value = value;
      return;
    }
    const part = signal(value);
    this.#parts.set(name, part);
    Object.defineProperty(this.seen, name, { enumerable: true, get: () => part.value });
  }
}

export class ByParts {
  #model = new Parted();
  #match = new Parted();
  #hasMatch;

  /** @param {Readonly<Model>} model */
  constructor(model) {
    this.#hasMatch = signal(model.match !== null);
    const get = () => (this.#hasMatch.value ? this.#match.seen : null);
    Object.defineProperty(this.#model.seen, "match", { enumerable: true, get });
    this.take(model);
  }

  /** The model as it is now; each part that is read of it in a signal's effect or a component is waited for. @returns {Readonly<Model>} */
  get seen() {
    return /** @type {any} */ (this.#model.seen);
  }

  /** @param {Readonly<Model>} model */
  take(model) {
    const { match } = model;
    batch(() => {
      this.#model.take(model, "match");
      if (match) this.#match.take(match);
      this.#hasMatch.value = match !== null;
    });
  }
}
