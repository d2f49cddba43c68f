/**
 * One client's conversation with a server, as a machine without sockets, timers or clocks.
 *
 * Whoever carries it (`transport.js`, or a test) uses these:
 *
 *     opened(now)            a connection stands: the session greets
 *     receive(data, now)     one frame came
 *     tick(now)              some time passed (called about twice a second)
 *     closed(now, reason)    the connection is gone, or could not be made
 *     dataToSend()           frames to write now, in order
 *     events()               what happened, in order, for whoever shows or plays the match
 *     wantsClose             this connection is of no use any longer: close it and come back
 *
 * `now` is in milliseconds of any clock that never goes back. What the session promises to its user:
 *
 * - A command that was sent is sent again under the same ref, after a lost connection or a lost answer, until it is
 *   answered; the server counts it once. At most MAX_PENDING wait at a time.
 * - Events of the match on screen come out in order, each once, without a gap (`following.js`); a frame that cannot be
 *   read is dropped and the state asked for.
 * - After a reconnect the guest is the same, the match on screen is caught up and the lobby is watched as before.
 *
 * @import { Accepted, Command, GoingAway, MatchEvent, Notification, Refused, Reply, SetBack, Snapshot, Welcome } from "./messages.d.ts"
 * @import { Known } from "./greeting.js"
 * @import { InStep, Latency } from "./pulse.js"
 */
import { Doubts, nonsense } from "./doubts.js";
import { Following } from "./following.js";
import { GREETING_MS, Greeting } from "./greeting.js";
import { Backlog, PASSING, Pending } from "./pending.js";
import { Pulse } from "./pulse.js";
import { checkNotification, Impossible } from "./validity.js";
import { Wire } from "./wire.js";

/**
 * What a session tells: the server's notifications, and these about the talk itself.
 * @typedef {{ type: "sent", command: Command }} Sent the user's command was taken
 * @typedef {{ type: "settled", command: Command, answer: Reply }} Settled it was answered
 * @typedef {{ type: "offline", since: number, reason: string }} Offline no connection, since when (ms), and why
 * @typedef {{ type: "left", match: string }} Left followed no longer: left, or the server does not have it any more
 * @typedef {{ type: "new_guest" }} NewGuest the server does not know the token any more: one comes as a new guest
 * @typedef {Notification | Sent | Settled | Offline | Left | NewGuest | Latency | InStep} Event
 */

/** A first visit. @type {Known} */
/** Hubs that are restarted in turn send nobody on more often. */
const MOVE_AGAIN_MS = 5_000;
const NOTHING = { catalogue: "", games: [] };
const OF_A_MATCH = ["snapshot", "position", "presence", "said", "chat"];
/** How often one's own matches are asked for while no match is on screen: when some go on, when none does, and after the lobby changed. */
const OWN_MS = { going: 5_000, quiet: 30_000, soon: 1_000 };
const ENTRIES = ["answer_challenge", "create", "join", "quick_match", "watch"];

/** What happens in a match and bears a version. @param {Notification} message @returns {message is MatchEvent} */
function isMatchEvent(message) {
  return "version" in message && "at_ms" in message;
}

/** See the module's comment. `token` brings a known guest back; without one a new guest comes. */
export class Session {
  /** "greeting": connected, not yet welcomed; "online": commands go out at once. @type {"offline" | "greeting" | "online"} */
  state = "offline";
  wantsClose = false;
  /** Whether the server ever said welcome: from then on a lost connection is one to come back to. */
  welcomed = false;
  /** How long the server said that it would be away, when it said so. */
  backInMs = 0;
  /** Whether another hub is there to which we go at once, and nobody need be told. */
  isMoving = false;
  /** Whether one's own matches are in sight although one of them is followed. */
  seesOwn = false;
  #movedAt = Number.NEGATIVE_INFINITY;
  #greeting;
  #prefix;
  #count = 0;
  #wire = new Wire();
  /** @type {Event[]} */
  #events = [];
  #pending = new Pending();
  /** @type {Following | null} */
  #following = null;
  #epoch = "";
  #lobby = false;
  #lobbySuspect = false;
  #ownDue = 0;
  #matchDoubts = new Doubts();
  #lobbyDoubts = new Doubts();
  #pulse = new Pulse();
  /** @type {number | null} */
  #silentSince = null;

  /**
   * @param {string} name
   * @param {string | null} [token]
   * @param {{ language?: string, client?: string, prefix: string, known?: Known }} [settings] `prefix`: what no other
   *   tab's refs begin with; `known`: the games of an earlier visit
   */
  constructor(name, token = null, { language = "en", client = "", prefix, known = NOTHING } = { prefix: "page" }) {
    this.#greeting = new Greeting(name, token, language, client, known);
    this.#prefix = prefix;
  }

  // What the user does -----------------------------------------------------------------------------------------------

  /** A new ref: a prefix that no other tab has, and a counter. */
  ref() {
    this.#count += 1;
    return `${this.#prefix}-${this.#count}`;
  }

  /** Take a command: it goes out now, or as soon as there is a connection. @param {Command} command @throws {Backlog} */
  send(command) {
    this.#pending.add(command, this.isOnline);
    this.#events.push({ type: "sent", command });
    if (this.isOnline) this.#wire.write(command);
  }

  /** Be told of the lobby from now on, also after a reconnect; or no longer. @param {boolean} [on] */
  watchLobby(on = true) {
    if (on === this.#lobby) return;
    this.#lobby = on;
    if (this.isOnline) this.#wire.write({ type: "watch_lobby", ref: this.ref(), on });
  }

  /** Follow the match on screen no longer. */
  leave() {
    if (this.#following === null) return;
    try {
      this.send({ type: "leave", ref: this.ref(), match: this.#following.match });
    } catch (error) {
      // The server learns it when the connection ends; here the match is left all the same.
      if (!(error instanceof Backlog)) throw error;
    }
    this.#forgetMatch();
  }

  /**
   * Greet under this name: now, after another one was refused, or on the next connection. With `rename` a number is
   * added where somebody else has it.
   * @param {string} name
   * @param {boolean} [rename]
   */
  introduce(name, rename = false) {
    this.#greeting.name = name;
    this.#greeting.rename = rename;
    if (this.state === "greeting") this.#greet();
  }

  /** Under which name one is known. */
  get name() {
    return this.#greeting.name;
  }

  /** What brings this guest back. */
  get token() {
    return this.#greeting.token;
  }

  /** The games that the server told last, for the next visit. */
  get known() {
    return this.#greeting.known;
  }

  /** Whether the server has said welcome on this connection. */
  get isOnline() {
    return this.state === "online";
  }

  /** The user's commands that have no answer yet, in order. */
  get pending() {
    return this.#pending.commands;
  }

  /** The match on screen. */
  get match() {
    return this.#following?.match ?? null;
  }

  /** The last version of the match on screen that came without a gap. */
  get version() {
    return this.#following?.version ?? null;
  }

  // What the carrier does --------------------------------------------------------------------------------------------

  /** A connection stands: greet. @param {number} now */
  opened(now) {
    this.state = "greeting";
    this.#silentSince = null;
    this.wantsClose = false;
    this.#wire.renew();
    this.#greet();
    this.#greeting.due = now + GREETING_MS;
  }

  /** The connection is gone, or could not be made. What is pending waits for the next one. Nobody is told when we were sent to another hub: what comes next is a connection to it, or a failure. @param {number} now @param {string} reason */
  closed(now, reason) {
    const moving = this.isMoving;
    this.isMoving = false;
    this.state = "offline";
    this.#wire.renew();
    this.#greeting.ref = null;
    this.#pending.lostConnection();
    this.#following?.lostConnection();
    if (!moving) this.#events.push({ type: "offline", since: now, reason });
  }

  /** The frames to write now, in order; each is returned once. */
  dataToSend() {
    return this.#wire.frames();
  }

  /** What happened since the last call, in order. */
  events() {
    const happened = this.#events;
    this.#events = [];
    return happened;
  }

  /** Take one frame from the server. What cannot be read is dropped, and the state asked for (`N5`). @param {unknown} data @param {number} now */
  receive(data, now) {
    this.#silentSince = null;
    const message = this.#wire.read(data);
    if (message !== null) {
      this.#take(message, now);
    } else {
      this.wantsClose ||= this.#wire.isBad;
      this.#lobbySuspect = this.#lobby;
      this.#following?.suspect();
    }
    if (this.isOnline) this.#ask(now);
  }

  /** Do what is due: send again what got no answer, measure the round trip, give up on a silent server. @param {number} now */
  tick(now) {
    if (this.state === "greeting" && this.#greeting.isOverdue(now)) this.wantsClose = true;
    if (!this.isOnline) return;
    for (const command of this.#pending.due(now)) this.#wire.write(command);
    if (this.#lobbySuspect) {
      this.#lobbySuspect = false;
      this.#wire.write({ type: "watch_lobby", ref: this.ref(), on: true });
    }
    this.#ask(now);
    this.#ping(now);
  }

  /** Since when the server was asked whether it is there and nothing at all has come from it, in ms; else null. */
  get silentSince() {
    return this.#silentSince;
  }

  /** Whether the question of `probe` still waits for its answer. */
  get isProbing() {
    return this.#pulse.isOpen;
  }

  /** Ask the server now whether it is there: after a sleep nobody knows. @param {number} now */
  probe(now) {
    if (!this.isOnline) return;
    this.#pulse.hurry(now);
    this.#ping(now);
  }

  // One notification -------------------------------------------------------------------------------------------------

  /** @param {Notification} message @param {number} now */
  #take(message, now) {
    try {
      checkNotification(message, "match" in message ? (this.#of(message.match)?.elements ?? null) : null);
    } catch (error) {
      if (!(error instanceof Impossible)) throw error;
      this.#doubt(message, error.message, now);
      return;
    }
    this.#believe(message, now);
  }

  /**
   * What cannot be is not shown: say so, and ask for what is true; after some times no longer.
   * @param {Notification} message
   * @param {string} why
   * @param {number} now
   */
  #doubt(message, why, now) {
    this.#wire.doubt();
    this.wantsClose ||= this.#wire.isBad;
    if (message.type === "welcome") this.wantsClose = true;
    else if (message.type === "lobby_state" || message.type === "lobby_change") this.#doubtLobby(why, now);
    else if (OF_A_MATCH.includes(message.type) || isMatchEvent(message)) {
      const match = "match" in message ? message.match : "";
      const following = this.#of(match);
      if (following === null && !this.#awaits(match)) return;
      const tooOften = this.#matchDoubts.add(now);
      following?.doubt();
      if (tooOften) this.leave();
      this.#events.push(nonsense(why, tooOften));
    }
    if (
      ["analysis", "position", "record"].includes(message.type) &&
      "ref" in message &&
      this.#pending.has(message.ref)
    ) {
      this.#settle(nonsense(why, false, message.ref), now);
    }
  }

  /** @param {string} why @param {number} now */
  #doubtLobby(why, now) {
    const tooOften = this.#lobbyDoubts.add(now);
    this.#lobbySuspect = this.#lobby && !tooOften;
    this.#events.push(nonsense(why, tooOften));
    if (tooOften) this.watchLobby(false);
  }

  /** @param {Notification} message @param {number} now */
  #believe(message, now) {
    if (isMatchEvent(message)) {
      const following = this.#of(message.match);
      if (following === null) {
        // Of a match just left; or of the one on screen, and damaged on the way (`N5`).
        this.#following?.suspect();
      } else if (following.takesEvent(message, now)) {
        this.#events.push(message);
      }
      return;
    }
    switch (message.type) {
      case "welcome":
        this.#welcome(message, now);
        break;
      case "accepted":
      case "refused":
        this.#answer(message, now);
        break;
      case "snapshot":
        this.#snapshot(message, now);
        break;
      case "presence":
        if (this.#of(message.match) !== null) this.#events.push(message);
        break;
      case "pong": {
        const latency = this.#pulse.pong(message, now);
        if (latency !== null) this.#events.push(latency);
        break;
      }
      case "analysis":
      case "position":
      case "record":
        if (this.#pending.has(message.ref)) this.#settle(message, now);
        break;
      case "set_back":
        this.#setBack(message, now);
        break;
      case "going_away":
        this.#goingAway(message, now);
        break;
      default:
        this.#lookAtOwn(message, now);
        this.#events.push(message);
    }
  }

  /** When one's own matches are to be asked for next. @param {Notification} message @param {number} now */
  #lookAtOwn(message, now) {
    if (message.type === "own_matches") {
      const goesOn = message.matches.some((row) => row.status !== "ended");
      this.#ownDue = now + (goesOn ? OWN_MS.going : OWN_MS.quiet);
    } else if (message.type === "outage" && !message.on) {
      // Their clocks have stood meanwhile.
      this.#ownDue = now;
    } else if (message.type === "lobby_change" && (message.put.length > 0 || message.gone.length > 0)) {
      this.#ownDue = Math.min(this.#ownDue, now + OWN_MS.soon);
    }
  }

  /** Whoever sends us on again and again has nobody to send us to: that is told, and waited for. @param {GoingAway} message @param {number} now */
  #goingAway(message, now) {
    this.backInMs = message.back_in_ms;
    if (!message.elsewhere) this.#events.push(message);
    else if (now - this.#movedAt >= MOVE_AGAIN_MS) {
      this.isMoving = true;
      this.#movedAt = now;
    }
  }

  /** @param {Welcome} message @param {number} now */
  #welcome(message, now) {
    if (message.ref !== this.#greeting.ref) return;
    this.state = "online";
    this.welcomed = true;
    this.backInMs = 0;
    this.#epoch = message.epoch;
    const whole = this.#greeting.welcomed(message);
    this.#pulse.connected(now);
    this.#ownDue = now;
    this.#keepStep(message.now_ms, now);
    this.#events.push(whole);
    if (this.#lobby) this.#wire.write({ type: "watch_lobby", ref: this.ref(), on: true });
    // Catch up first, so that the answers to what is pending find the match as it is.
    this.#ask(now);
    this.#pending.allSent(now);
    for (const command of this.#pending.commands) this.#wire.write(command);
  }

  /** @param {Accepted | Refused} answer @param {number} now */
  #answer(answer, now) {
    const following = this.#following;
    if (answer.ref && answer.ref === this.#greeting.ref && answer.type === "refused") {
      this.#greetingRefused(answer);
    } else if (following?.isQuestion(answer.ref)) {
      if (answer.type === "accepted") {
        following.answered(answer);
        following.epoch = this.#epoch;
      } else if (!PASSING.includes(answer.code)) {
        this.#events.push(answer);
        this.#forgetMatch();
      }
    } else if (this.#pending.has(answer.ref)) {
      this.#settle(answer, now);
    } else if (answer.type === "refused" && !answer.ref) {
      this.#events.push(answer);
    }
  }

  /** @param {Refused} answer */
  #greetingRefused(answer) {
    const verdict = this.#greeting.refused(answer);
    this.#events.push(verdict === "new guest" ? { type: "new_guest" } : answer);
    if (verdict === "new guest") this.#greet();
    this.wantsClose ||= verdict === "later";
  }

  /** @param {Reply} reply @param {number} now */
  #settle(reply, now) {
    const settled = this.#pending.settle(reply, now);
    if (settled === null) return;
    this.#ownDue = now;
    const { command, answer } = settled;
    this.#events.push({ type: "settled", command, answer });
    if (answer.type === "accepted" && ENTRIES.includes(command.type) && answer.match) {
      this.#follow(answer.match, now);
    } else if (answer.type === "refused") {
      const following = this.#of(answer.match || ("match" in command ? (command.match ?? "") : ""));
      const behind = answer.version > (following?.version ?? 0);
      if (behind || answer.code === "unknown_outcome") following?.suspect();
    }
  }

  /** A snapshot of the match on screen, or of one that a pending command leads to. @param {Snapshot} snapshot @param {number} now */
  #snapshot(snapshot, now) {
    const awaited = this.#of(snapshot.match) !== null || this.#awaits(snapshot.match);
    const following = awaited ? this.#follow(snapshot.match, now) : null;
    if (following?.takesSnapshot(snapshot)) {
      following.epoch = this.#epoch;
      this.#keepStep(snapshot.now_ms, now);
      this.#events.push(snapshot);
    }
  }

  /** Whether a pending command leads to this match. @param {string} match */
  #awaits(match) {
    return this.#pending.commands.some(
      (command) =>
        ENTRIES.includes(command.type) &&
        ["", match].includes(
          "challenge" in command ? command.challenge : "match" in command ? (command.match ?? "") : "",
        ),
    );
  }

  /** The server has lost some of the match on screen, or all of it: a snapshot says what there is. @param {SetBack} word @param {number} now */
  #setBack(word, now) {
    const following = this.#of(word.match);
    if (following === null) return;
    if (word.version) following.setBack(now);
    else this.#forgetMatch();
    this.#events.push(word);
  }

  // Pieces -----------------------------------------------------------------------------------------------------------

  /** The following of this match; null when it is another one that is on screen. @param {string} match */
  #of(match) {
    return this.#following?.match === match ? this.#following : null;
  }

  /** @param {string} match @param {number} now */
  #follow(match, now) {
    if (this.#following?.match !== match) this.#following = new Following(match, now);
    return /** @type {Following} */ (this.#following);
  }

  #forgetMatch() {
    const match = this.match;
    this.#matchDoubts.forget();
    this.#following = null;
    this.#ownDue = 0;
    if (match !== null) this.#events.push({ type: "left", match });
  }

  #greet() {
    this.#wire.write(this.#greeting.hello(this.ref()));
  }

  /** @param {number} serverMs @param {number} now */
  #keepStep(serverMs, now) {
    const inStep = this.#pulse.told(serverMs, now);
    if (inStep !== null) this.#events.push(inStep);
  }

  /** @param {number} now */
  #ping(now) {
    const ping = this.#pulse.ping(() => this.ref(), now);
    if (ping === null) return;
    this.#silentSince ??= now;
    this.#wire.write(ping);
  }

  /** @param {number} now */
  #ask(now) {
    const question = this.#following?.question(() => this.ref(), now) ?? null;
    if (question !== null) this.#wire.write(question);
    if (this.#lobby && (this.seesOwn || this.#following === null) && now >= this.#ownDue) {
      this.#ownDue = now + OWN_MS.going;
      this.#wire.write({ type: "get_matches", ref: this.ref() });
    }
  }
}
