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
 * @import { Accepted, GoingAway, MatchEvent, Notification, Refused, Reply, SetBack, Snapshot, Welcome } from "./messages.d.ts"
 */
import { Doubts, nonsense } from "./doubts.js";
import { GREETING_MS } from "./greeting.js";
import { ENTRIES, Outgoing } from "./outgoing.js";
import { PASSING } from "./pending.js";
import { checkNotification, Impossible } from "./validity.js";

/** Hubs that are restarted in turn send nobody on more often. */
const MOVE_AGAIN_MS = 5_000;
const OF_A_MATCH = ["snapshot", "position", "presence", "said", "chat"];

/** What happens in a match and bears a version. @param {Notification} message @returns {message is MatchEvent} */
function isMatchEvent(message) {
  return "version" in message && "at_ms" in message;
}

/** See the module's comment. `token` brings a known guest back; without one a new guest comes. */
export class Session extends Outgoing {
  #movedAt = Number.NEGATIVE_INFINITY;
  #lobbySuspect = false;
  #lobbyDoubts = new Doubts();
  /** @type {number | null} */
  #silentSince = null;

  // What the carrier does --------------------------------------------------------------------------------------------

  /** A connection stands: greet. @param {number} now */
  opened(now) {
    this.state = "greeting";
    this.#silentSince = null;
    this.wantsClose = false;
    this._wire.renew();
    this._greet();
    this._greeting.due = now + GREETING_MS;
  }

  /** The connection is gone, or could not be made. What is pending waits for the next one. Nobody is told when we were sent to another hub: what comes next is a connection to it, or a failure. @param {number} now @param {string} reason */
  closed(now, reason) {
    const { isMoving } = this;
    this.isMoving = false;
    this.state = "offline";
    this._wire.renew();
    this._greeting.ref = null;
    this._pending.lostConnection();
    this._following?.lostConnection();
    if (!isMoving) this._events.push({ type: "offline", since: now, reason });
  }

  /** The frames to write now, in order; each is returned once. */
  dataToSend() {
    return this._wire.frames();
  }

  /** What happened since the last call, in order. */
  events() {
    return this._events.splice(0);
  }

  /** Take one frame from the server. What cannot be read is dropped, and the state asked for (`N5`). @param {unknown} data @param {number} now */
  receive(data, now) {
    this.#silentSince = null;
    const message = this._wire.read(data);
    if (message !== null) {
      this.#take(message, now);
    } else {
      this.wantsClose ||= this._wire.isBad;
      this.#lobbySuspect = this._lobby;
      this._following?.suspect();
    }
    if (this.isOnline) this._ask(now);
  }

  /** Do what is due: send again what got no answer, measure the round trip, give up on a silent server. @param {number} now */
  tick(now) {
    if (this.state === "greeting" && this._greeting.isOverdue(now)) this.wantsClose = true;
    if (!this.isOnline) return;
    for (const command of this._pending.due(now)) this._wire.write(command);
    if (this.#lobbySuspect) {
      this.#lobbySuspect = false;
      this._wire.write({ type: "watch_lobby", ref: this.ref(), on: true });
    }
    this._ask(now);
    this.#ping(now);
  }

  /** Since when the server was asked whether it is there and nothing at all has come from it, in ms; else null. */
  get silentSince() {
    return this.#silentSince;
  }

  /** Whether the question of `probe` still waits for its answer. */
  get isProbing() {
    return this._pulse.isOpen;
  }

  /** Ask the server now whether it is there: after a sleep nobody knows. @param {number} now */
  probe(now) {
    if (!this.isOnline) return;
    this._pulse.hurry(now);
    this.#ping(now);
  }

  // One notification -------------------------------------------------------------------------------------------------

  /** @param {Notification} message @param {number} now */
  #take(message, now) {
    try {
      checkNotification(message, "match" in message ? (this._of(message.match)?.elements ?? null) : null);
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
    this._wire.doubt();
    this.wantsClose ||= this._wire.isBad;
    if (message.type === "welcome") this.wantsClose = true;
    else if (message.type === "lobby_state" || message.type === "lobby_change") this.#doubtLobby(why, now);
    else if (OF_A_MATCH.includes(message.type) || isMatchEvent(message)) {
      const match = "match" in message ? message.match : "";
      const following = this._of(match);
      if (following === null && !this._awaits(match)) return;
      const tooOften = this._matchDoubts.add(now);
      following?.doubt();
      if (tooOften) this.leave();
      this._events.push(nonsense(why, tooOften));
    }
    if (
      ["analysis", "invitation", "position", "record"].includes(message.type) &&
      "ref" in message &&
      this._pending.has(message.ref)
    ) {
      this.#settle(nonsense(why, false, message.ref), now);
    }
  }

  /** @param {string} why @param {number} now */
  #doubtLobby(why, now) {
    const tooOften = this.#lobbyDoubts.add(now);
    this.#lobbySuspect = this._lobby && !tooOften;
    this._events.push(nonsense(why, tooOften));
    if (tooOften) this.watchLobby(false);
  }

  /** @param {Notification} message @param {number} now */
  #believe(message, now) {
    if (isMatchEvent(message)) {
      const following = this._of(message.match);
      if (following === null) {
        // Of a match just left; or of the one on screen, and damaged on the way (`N5`).
        this._following?.suspect();
      } else if (following.takesEvent(message, now)) {
        this._events.push(message);
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
        if (this._of(message.match) !== null) this._events.push(message);
        break;
      case "pong": {
        const latency = this._pulse.pong(message, now);
        if (latency !== null) this._events.push(latency);
        break;
      }
      case "analysis":
      case "invitation":
      case "position":
      case "record":
        if (this._pending.has(message.ref)) this.#settle(message, now);
        break;
      case "set_back":
        this.#setBack(message, now);
        break;
      case "going_away":
        this.#goingAway(message, now);
        break;
      default:
        this._lookAtOwn(message, now);
        this._events.push(message);
    }
  }

  /** Whoever sends us on again and again has nobody to send us to: that is told, and waited for. @param {GoingAway} message @param {number} now */
  #goingAway(message, now) {
    this.backInMs = message.back_in_ms;
    if (!message.elsewhere) this._events.push(message);
    else if (now - this.#movedAt >= MOVE_AGAIN_MS) {
      this.isMoving = true;
      this.#movedAt = now;
    }
  }

  /** @param {Welcome} message @param {number} now */
  #welcome(message, now) {
    if (message.ref !== this._greeting.ref) return;
    this.state = "online";
    this.welcomed = true;
    this.backInMs = 0;
    this._epoch = message.epoch;
    const whole = this._greeting.welcomed(message);
    this._pulse.connected(now);
    this._ownDue = now;
    this._keepStep(message.now_ms, now);
    this._events.push(whole);
    if (this._lobby) this._wire.write({ type: "watch_lobby", ref: this.ref(), on: true });
    // Catch up first, so that the answers to what is pending find the match as it is.
    this._ask(now);
    this._pending.allSent(now);
    for (const command of this._pending.commands) this._wire.write(command);
  }

  /** @param {Accepted | Refused} answer @param {number} now */
  #answer(answer, now) {
    const following = this._following;
    if (answer.ref && answer.ref === this._greeting.ref && answer.type === "refused") {
      this.#greetingRefused(answer);
    } else if (following?.isQuestion(answer.ref)) {
      if (answer.type === "accepted") {
        following.answered(answer);
        following.epoch = this._epoch;
      } else if (!PASSING.includes(answer.code)) {
        this._events.push(answer);
        this._forgetMatch();
      }
    } else if (this._pending.has(answer.ref)) {
      this.#settle(answer, now);
    } else if (answer.type === "refused" && !answer.ref) {
      this._events.push(answer);
    }
  }

  /** @param {Refused} answer */
  #greetingRefused(answer) {
    const verdict = this._greeting.refused(answer);
    this._events.push(verdict === "new guest" ? { type: "new_guest" } : answer);
    if (verdict === "new guest") this._greet();
    this.wantsClose ||= verdict === "later";
  }

  /** @param {Reply} reply @param {number} now */
  #settle(reply, now) {
    const settled = this._pending.settle(reply, now);
    if (settled === null) return;
    this._ownDue = now;
    const { command, answer } = settled;
    this._events.push({ type: "settled", command, answer });
    if (answer.type === "accepted" && ENTRIES.includes(command.type) && answer.match) {
      this._follow(answer.match, now);
    } else if (answer.type === "refused") {
      const following = this._of(answer.match || ("match" in command ? (command.match ?? "") : ""));
      const behind = answer.version > (following?.version ?? 0);
      if (behind || answer.code === "unknown_outcome") following?.suspect();
    }
  }

  /** A snapshot of the match on screen, or of one that a pending command leads to. @param {Snapshot} snapshot @param {number} now */
  #snapshot(snapshot, now) {
    const awaited = this._of(snapshot.match) !== null || this._awaits(snapshot.match);
    const following = awaited ? this._follow(snapshot.match, now) : null;
    if (following?.takesSnapshot(snapshot)) {
      following.epoch = this._epoch;
      this._keepStep(snapshot.now_ms, now);
      this._events.push(snapshot);
    }
  }

  /** The server has lost some of the match on screen, or all of it: a snapshot says what there is. @param {SetBack} word @param {number} now */
  #setBack(word, now) {
    const following = this._of(word.match);
    if (following === null) return;
    if (word.version) following.setBack(now);
    else this._forgetMatch();
    this._events.push(word);
  }

  /** @param {number} now */
  #ping(now) {
    const ping = this._pulse.ping(() => this.ref(), now);
    if (ping === null) return;
    this.#silentSince ??= now;
    this._wire.write(ping);
  }
}
