/**
 * How a connection begins: who one is, said to the server, and what it makes of that (`UD RF1`).
 * @import { GameInfo, Hello, Refused, Welcome } from "./messages.d.ts"
 */
import { PASSING } from "./pending.js";

/** How long a server may take to say welcome. */
export const GREETING_MS = 5_000;

/**
 * The guest's name and secret; `ref` is that of the greeting which waits for its answer. `known` are the games that the
 * server told and the hash under which it did: some kB, of which it spares us the second time.
 *
 * @typedef {{ catalogue: string, games: GameInfo[] }} Known
 */
export class Greeting {
  /** @type {string | null} */
  ref = null;
  /** @type {number | null} */
  due = null;
  /** Whether a number is added to the name where somebody else has it: so for one that nobody has typed just now. */
  rename = false;

  /** @param {string} name @param {string | null} token @param {string} language @param {string} client @param {Known} known */
  constructor(name, token, language, client, known) {
    this.name = name;
    this.token = token;
    this.language = language;
    this.client = client;
    this.known = known;
  }

  /** The greeting, under a ref of its own. @param {string} ref @returns {Hello} */
  hello(ref) {
    this.ref = ref;
    const { name, token, language, client, rename } = this;
    return { type: "hello", ref, name, token, language, client, rename, catalogue: this.known.catalogue };
  }

  /** Whether the server is silent. @param {number} now */
  isOverdue(now) {
    return this.due !== null && now >= this.due;
  }

  /**
   * Who one is from now on. Returns the welcome with its games, also where they were left out as known.
   * @param {Welcome} welcome
   * @returns {Welcome}
   */
  welcomed(welcome) {
    this.ref = this.due = null;
    this.name = welcome.name;
    this.token = welcome.token || this.token;
    const { catalogue, games } = welcome;
    if (catalogue && catalogue === this.known.catalogue && !games.length)
      return { ...welcome, games: this.known.games };
    this.known = { catalogue, games };
    return welcome;
  }

  /**
   * What to do about a refusal: greet as a new guest, come back later, or have a person think about the name, for as
   * long as that takes.
   * @param {Refused} answer
   * @returns {"new guest" | "later" | "name"}
   */
  refused(answer) {
    if (answer.code === "bad_token" && this.token !== null) {
      this.token = null;
      return "new guest";
    }
    if (PASSING.includes(answer.code)) return "later";
    this.ref = this.due = null;
    return "name";
  }
}
