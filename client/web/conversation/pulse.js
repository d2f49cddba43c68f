/**
 * The round trip to the server, and how far its clock is ahead: measured, and believed no more than it deserves.
 * @import { Ping, Pong } from "./messages.d.ts"
 */

/** How often the round trip is measured. */
const PING_MS = 5_000;
/** How fast two clocks may part, ms per ms; what was measured long ago is worth less. */
const DRIFT = 0.0002;

/** @typedef {{ type: "latency", round_trip_ms: number, server_minus_now_ms: number }} Latency */
/** @typedef {{ type: "in_step", server_minus_now_ms: number }} InStep */

/** `now` is in ms of the session's clock, which runs as fast as the server's but began elsewhere. */
export class Pulse {
  /** @type {{ ref: string, at: number } | null} */
  #open = null;
  #due = 0;
  /** @type {number | null} */
  #ahead = null;
  #error = 0;
  #measured = 0;

  /** A new connection, perhaps to another hub: measure at once. @param {number} now */
  connected(now) {
    this.#open = null;
    this.#due = now;
  }

  /** Whether a question waits for its answer. */
  get isOpen() {
    return this.#open !== null;
  }

  /** The question to send now, if it is time for one. @param {() => string} newRef @param {number} now @returns {Ping | null} */
  ping(newRef, now) {
    if (now < this.#due) return null;
    this.#due = now + PING_MS;
    this.#open = { ref: newRef(), at: now };
    return { type: "ping", ref: this.#open.ref };
  }

  /** Ask at the next opportunity. @param {number} now */
  hurry(now) {
    this.#due = now;
  }

  /** The round trip that the answer ends; null when it answers nothing that is open. @param {Pong} answer @param {number} now @returns {Latency | null} */
  pong(answer, now) {
    if (this.#open === null || answer.ref !== this.#open.ref) return null;
    const roundTrip = now - this.#open.at;
    this.#open = null;
    // The server looked at its clock somewhere on the way: half way is off by half the round trip at most.
    const ahead = this.#learn(answer.now_ms + roundTrip / 2 - now, roundTrip / 2, now);
    return { type: "latency", round_trip_ms: roundTrip, server_minus_now_ms: ahead };
  }

  /** The server's clock stood there when it sent what came now: it stands there, or later. @param {number} serverMs @param {number} now @returns {InStep | null} */
  told(serverMs, now) {
    const least = serverMs - now;
    if (serverMs === 0 || (this.#ahead !== null && least <= this.#ahead)) return null;
    this.#ahead = least;
    this.#error = Number.POSITIVE_INFINITY;
    this.#measured = now;
    return { type: "in_step", server_minus_now_ms: least };
  }

  /**
   * Keep the sharper of what was known and what was seen; unless they exclude each other, as after a sleep.
   * @param {number} ahead
   * @param {number} error
   * @param {number} now
   */
  #learn(ahead, error, now) {
    const errorThen = this.#error + (now - this.#measured) * DRIFT;
    const known = this.#ahead;
    if (known !== null && errorThen < error && Math.abs(known - ahead) <= errorThen + error) return known;
    this.#ahead = ahead;
    this.#error = error;
    this.#measured = now;
    return ahead;
  }
}
