/**
 * The user's side of a conversation: who one is, what is said and wished for, and what waits for its answer. The session
 * (`session.js`) is the other.
 * @import { Command, Notification } from "./messages.d.ts"
 * @import { Known } from "./greeting.js"
 * @import { Event } from "./events.d.ts"
 */
import { Doubts } from "./doubts.js";
import { Following } from "./following.js";
import { Greeting } from "./greeting.js";
import { Backlog, Pending } from "./pending.js";
import { Pulse } from "./pulse.js";
import { Wire } from "./wire.js";

/** A first visit. @type {Known} */
const NOTHING = { catalogue: "", games: [] };
/** How often one's own matches are asked for while no match is on screen: when some go on, when none does, and after the lobby changed. */
const OWN_MS = { going: 5_000, quiet: 30_000, soon: 1_000 };
/** Commands that lead to a match. */
export const ENTRIES = ["answer_challenge", "create", "join", "quick_match", "watch"];

/** The half of a session that faces the user. `token` brings a known guest back; without one a new guest comes. */
export class Outgoing {
  /** "greeting": connected, not yet welcomed; "online": commands go out at once. @type {"offline" | "greeting" | "online"} */
  state = "offline";
  wantsClose = false;
  /** Whether the server ever said welcome: from then on a lost connection is one to come back to. */
  welcomed = false;
  /** How long the server said that it would be away, when it said so. */
  backInMs = 0;
  /** Whether another hub is there to which we go at once, and nobody need be told. */
  isMoving = false;
  #seesOwn = false;
  /** @protected */
  _greeting;
  #prefix;
  #count = 0;
  /** @protected */
  _wire = new Wire();
  /** @type {Event[]} @protected */
  _events = [];
  /** @protected */
  _pending = new Pending();
  /** @type {Following | null} @protected */
  _following = null;
  /** @protected */
  _epoch = "";
  /** @protected */
  _lobby = false;
  /** @protected */
  _ownDue = 0;
  /** @protected */
  _matchDoubts = new Doubts();
  /** @protected */
  _pulse = new Pulse();

  /**
   * @param {string} name
   * @param {string | null} [token]
   * @param {{ language?: string, client?: string, prefix: string, known?: Known }} [settings] `prefix`: what no other
   *   tab's refs begin with; `known`: the games of an earlier visit
   */
  constructor(name, token = null, { language = "en", client = "", prefix, known = NOTHING } = { prefix: "page" }) {
    this._greeting = new Greeting(name, token, language, client, known);
    this.#prefix = prefix;
  }

  /** A new ref: a prefix that no other tab has, and a counter. */
  ref() {
    this.#count += 1;
    return `${this.#prefix}-${this.#count}`;
  }

  /** Take a command: it goes out now, or as soon as there is a connection. @param {Command} command @throws {Backlog} */
  send(command) {
    this._pending.add(command, this.isOnline);
    this._events.push({ type: "sent", command });
    if (this.isOnline) this._wire.write(command);
  }

  /** One's own matches are in sight, or no longer: also while one of them is followed. @param {boolean} on */
  seeOwn(on) {
    if (on && !this.#seesOwn) this._ownDue = 0;
    this.#seesOwn = on;
  }

  /** Be told of the lobby from now on, also after a reconnect; or no longer. @param {boolean} [on] */
  watchLobby(on = true) {
    if (on === this._lobby) return;
    this._lobby = on;
    if (this.isOnline) this._wire.write({ type: "watch_lobby", ref: this.ref(), on });
  }

  /** Follow the match on screen no longer. */
  leave() {
    if (this._following === null) return;
    try {
      this.send({ type: "leave", ref: this.ref(), match: this._following.match });
    } catch (error) {
      // The server learns it when the connection ends; here the match is left all the same.
      if (!(error instanceof Backlog)) throw error;
    }
    this._forgetMatch();
  }

  /**
   * Greet under this name: now, after another one was refused, or on the next connection. With `rename` a number is
   * added where somebody else has it.
   * @param {string} name
   * @param {boolean} [rename]
   */
  introduce(name, rename = false) {
    this._greeting.name = name;
    this._greeting.rename = rename;
    if (this.state === "greeting") this._greet();
  }

  /** Under which name one is known. */
  get name() {
    return this._greeting.name;
  }

  /** What brings this guest back. */
  get token() {
    return this._greeting.token;
  }

  /** The games that the server told last, for the next visit. */
  get known() {
    return this._greeting.known;
  }

  /** Whether the server has said welcome on this connection. */
  get isOnline() {
    return this.state === "online";
  }

  /** The user's commands that have no answer yet, in order. */
  get pending() {
    return this._pending.commands;
  }

  /** The match on screen. */
  get match() {
    return this._following?.match ?? null;
  }

  /** The last version of the match on screen that came without a gap. */
  get version() {
    return this._following?.version ?? null;
  }

  // For the session -----------------------------------------------------------------------------------------------

  /** Whether a pending command leads to this match. @param {string} match @protected */
  _awaits(match) {
    return this._pending.commands.some(
      (command) =>
        ENTRIES.includes(command.type) &&
        ["", match].includes(
          "challenge" in command ? command.challenge : "match" in command ? (command.match ?? "") : "",
        ),
    );
  }

  /** The following of this match; null when it is another one that is on screen. @param {string} match @protected */
  _of(match) {
    return this._following?.match === match ? this._following : null;
  }

  /** @param {string} match @param {number} now @protected */
  _follow(match, now) {
    if (this._following?.match !== match) this._following = new Following(match, now);
    return /** @type {Following} */ (this._following);
  }

  /** @protected */
  _forgetMatch() {
    const match = this.match;
    this._matchDoubts.forget();
    this._following = null;
    this._ownDue = 0;
    if (match !== null) this._events.push({ type: "left", match });
  }

  /** @protected */
  _greet() {
    this._wire.write(this._greeting.hello(this.ref()));
  }

  /** @param {number} serverMs @param {number} now @protected */
  _keepStep(serverMs, now) {
    const inStep = this._pulse.told(serverMs, now);
    if (inStep !== null) this._events.push(inStep);
  }

  /** @param {number} now @protected */
  _ask(now) {
    const question = this._following?.question(() => this.ref(), now) ?? null;
    if (question !== null) this._wire.write(question);
    if (this._lobby && (this.#seesOwn || this._following === null) && now >= this._ownDue) {
      this._ownDue = now + OWN_MS.going;
      this._wire.write({ type: "get_matches", ref: this.ref() });
    }
  }

  /** When one's own matches are to be asked for next. @param {Notification} message @param {number} now @protected */
  _lookAtOwn(message, now) {
    if (message.type === "own_matches") {
      const goesOn = message.matches.some((row) => row.status !== "ended");
      this._ownDue = now + (goesOn ? OWN_MS.going : OWN_MS.quiet);
    } else if (message.type === "outage" && !message.on) {
      // Their clocks have stood meanwhile.
      this._ownDue = now;
    } else if (message.type === "lobby_change" && (message.put.length > 0 || message.gone.length > 0)) {
      this._ownDue = Math.min(this._ownDue, now + OWN_MS.soon);
    }
  }
}
