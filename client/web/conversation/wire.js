/**
 * Frames of one connection: commands on their way out, notifications read on their way in.
 * @import { Command, Notification } from "./messages.d.ts"
 */
import { LIMITS } from "./limits.js";
import { MESSAGES, VALUES } from "./protocol.js";

/** Unreadable frames on one connection, after which a new connection is better than another try. */
export const MAX_BAD_FRAMES = 20;

/** A frame that cannot be read; `known` is false for a message of a newer server. */
export class BadMessage extends Error {
  /** @param {string} problem @param {boolean} [known] */
  constructor(problem, known = true) {
    super(problem);
    this.known = known;
  }
}

/**
 * The notification in a frame, with all that it left out filled in.
 * @param {string} data
 * @returns {Notification}
 * @throws {BadMessage}
 */
export function decode(data) {
  if (data.length > LIMITS.MAX_NOTIFICATION_BYTES) throw new BadMessage("too large");
  let plain;
  try {
    plain = JSON.parse(data);
  } catch {
    throw new BadMessage("no JSON");
  }
  if (!isMap(plain) || typeof plain.type !== "string") throw new BadMessage("no message");
  if (!Object.hasOwn(MESSAGES, plain.type)) throw new BadMessage(`unknown: ${plain.type}`, false);
  return /** @type {Notification} */ ({ type: plain.type, .../** @type {object} */ (fitted(plain, plain.type)) });
}

/** @type {Record<string, any>} */
const SHAPES = { ...MESSAGES, ...VALUES };

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isMap(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @type {Record<string, (value: unknown) => boolean>} */
const LETTERS = {
  s: (value) => typeof value === "string",
  i: (value) => Number.isInteger(value),
  n: (value) => typeof value === "number",
  b: (value) => typeof value === "boolean",
  a: () => true,
};

/**
 * The value as its shape wants it.
 * @param {unknown} value
 * @param {any} shape see protocol.js
 * @returns {unknown}
 */
function fitted(value, shape) {
  if (typeof shape === "string") {
    if (shape.length > 1) return fitted(value, SHAPES[shape]);
    if (!LETTERS[shape]?.(value)) throw new BadMessage(`no ${shape}`);
    return value;
  }
  if (shape.o) return oneOf(value, shape);
  if (shape.e) {
    if (!shape.e.includes(value)) throw new BadMessage("no such choice");
    return value;
  }
  if (shape.f) return fields(value, shape.f);
  if (shape.m) {
    if (!isMap(value)) throw new BadMessage("no map");
    if (shape.k) for (const key of Object.keys(value)) fitted(key, shape.k);
    // Without a prototype: what is looked up in it is what a server sent, or is not there.
    const map = Object.create(null);
    for (const [key, item] of Object.entries(value)) map[key] = fitted(item, shape.m);
    return map;
  }
  if (!Array.isArray(value)) throw new BadMessage("no list");
  if (shape.l) return value.map((item) => fitted(item, shape.l));
  if (shape.p) return places(value, shape.p);
  if (value.length !== shape.t.length) throw new BadMessage("another length");
  return value.map((item, index) => fitted(item, shape.t[index]));
}

/** @param {unknown} value @param {{ o: any[], n?: 1 }} shape */
function oneOf(value, shape) {
  if (value === null && shape.n) return null;
  // Most have one choice besides null; of several letters, which one it is makes no difference to the value.
  if (shape.o.length === 1) return fitted(value, shape.o[0]);
  if (!shape.o.some((letter) => LETTERS[letter]?.(value))) throw new BadMessage("none of the types");
  return value;
}

/** @param {unknown} value @param {Record<string, [any, any?]>} shape */
function fields(value, shape) {
  if (!isMap(value)) throw new BadMessage("no map");
  /** @type {Record<string, unknown>} */
  const found = {};
  for (const name in shape) {
    const field = /** @type {[any, any?]} */ (shape[name]);
    if (Object.hasOwn(value, name)) found[name] = fitted(value[name], field[0]);
    else if (field.length === 2) found[name] = field[1];
    else throw new BadMessage(`without ${name}`);
  }
  return found;
}

/** @param {unknown[]} value @param {Array<[any, any?]>} shape */
function places(value, shape) {
  return shape.map((field, index) => {
    if (index < value.length) return fitted(value[index], field[0]);
    if (field.length < 2) throw new BadMessage("too short");
    return field[1];
  });
}

/** Begins anew with each connection. */
export class Wire {
  /** @type {string[]} */
  #outbox = [];
  #badFrames = 0;

  /** Another connection, or none: what was not sent on the old one is not sent on it. */
  renew() {
    this.#outbox = [];
    this.#badFrames = 0;
  }

  /** Put a command behind those that wait to be written. @param {Command} command */
  write(command) {
    this.#outbox.push(JSON.stringify(command));
  }

  /** The frames to write now, in order; each is returned once. */
  frames() {
    const frames = this.#outbox;
    this.#outbox = [];
    return frames;
  }

  /**
   * The notification in a frame; null for what cannot be read, which is dropped (`N5`).
   * @param {unknown} data
   */
  read(data) {
    try {
      if (typeof data !== "string") throw new BadMessage("no text");
      return decode(data);
    } catch (error) {
      if (!(error instanceof BadMessage)) throw error;
      // A newer server may say what we do not know; only what cannot be read at all speaks against the path.
      this.#badFrames += Number(error.known);
      return null;
    }
  }

  /** What was read cannot be: that speaks against the path, too. */
  doubt() {
    this.#badFrames += 1;
  }

  /** Whether so much was unreadable that another connection is to be tried. */
  get isBad() {
    return this.#badFrames >= MAX_BAD_FRAMES;
  }
}
